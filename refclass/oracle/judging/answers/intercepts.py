"""Which intercepts a function leaves open: whether an interval of intercepts that is reported has other ends.

Of f = h + b let h be what is reported and h* the optimum. The objective has curvature one in h, so that
½‖h − h*‖² ≤ P − D, the gap, and |h(xᵢ) − h*(xᵢ)| ≤ ε = √(2 (P − D) max K(xᵢ, xᵢ)). The slope of Σ Vᵢ(yᵢ − h(xᵢ) − b)
in b rises, and values of h that change by ε at most shift it by ε at most: so far move the ends of the intercepts at
which it is zero.

Where costs are no doubles (n/(2n₁) = 7/6 of balanced classes) whoever solves the machine rounds them. Sums that balance
exactly do so no longer, the slope between the ends is a small number other than zero, and one of the ends is the only
best intercept of the costs as held. Either is accepted as well, an intercept between them alone is not. As many points
of one cost on both sides balance however it is rounded.
"""

from __future__ import annotations

from collections import defaultdict
from fractions import Fraction
from math import inf, isqrt
from typing import Any, NamedTuple, Optional

from refclass.certificate import digits
from refclass.kernels.matrices.product import exact_product
from refclass.linear.vector import Vector
from refclass.number.field import rational
from refclass.number.text import approximate
from refclass.oracle.judging.comparison.attributes import LEAST
from refclass.oracle.leaves import finite
from refclass.regress.kernel import intercept
from refclass.regress.kernel.fitted_machine import Solved
from refclass.regress.kernel.machine import Machine

ONE = Fraction(1)
MOST = 8  # digits of the intercept to which an end is judged


class Ends(NamedTuple):
    """What is found of the ends that are reported: what is wrong, the digits, or what keeps them from being judged."""

    wrong: Optional[str] = None
    digits: Optional[float] = None
    left: Optional[str] = None


def judged(solved: Solved, gap: Any, ends: Any, asked: float, response: Fraction = ONE) -> Optional[Ends]:
    """Return whether the ends of an interval of intercepts lie too far in or out; None where there is no telling.

    solved      the machine with the multipliers and the intercept that are reported, exactly
    gap         P − D of these, of the machine's objective
    response    the size of the responses, which intercepts count their digits on; 1 for labels
    """
    machine = solved.machine
    if not isinstance(ends, (list, tuple)) or len(ends) != 2 or not all(map(finite, ends)):
        return None
    if not machine.positive or not machine.intercept or gap < 0:
        return None
    values = exact_product(machine.K, list(solved.a))
    told = list(map(rational, ends))
    right = _nearest(told, values, intercept.best(machine, values), machine)
    size = max(response, *map(abs, told))
    moved = uncertain(machine, values, solved.beta0, rational(gap))
    wanted = size / 10 ** int(min(asked, MOST)) + LEAST  # no double is nearer
    for i, (end, far) in enumerate(zip(told, right)):
        if abs(far - end) > moved + wanted:
            words, most = (f"{approximate(v):.10g}" for v in (end, far))
            way = (
                "in: f is as good with every intercept to" if (far > end) == i else "out: f is best with intercepts to"
            )
            return Ends(f"intercept_interval[{i}]: {words} is too far {way} {most}")
    if moved > wanted:
        return Ends(left=f"the gap of the answer leaves the ends open by {approximate(moved):.2g}")
    return Ends(digits=min(digits(abs(far - end), size) if far != end else inf for end, far in zip(told, right)))


def _nearest(
    told: list[Fraction], values: Vector, right: tuple[Fraction, Fraction], machine: Machine
) -> tuple[Fraction, Fraction]:
    """Return the ends, or that one of them which is all that costs leave once rounded, whichever is told."""
    low, high = right
    if low == high or _balanced(machine, values, (low + high) / 2):
        return right
    return min([right, (low, low), (high, high)], key=lambda ends: max(abs(u - v) for u, v in zip(ends, told)))


def _balanced(machine: Machine, values: Vector, b: Fraction) -> bool:
    """Return whether multipliers at an intercept sum to zero once costs are doubles: equal costs are rounded alike."""
    sides: dict[Fraction, int] = defaultdict(int)
    for own, t, v in zip(machine.pieces, machine.y, values):
        for p in own:
            end = p.high if t - v - b > p.slope else p.low
            cost = rational(end or 0)
            if not _double(cost):
                sides[abs(cost)] += 1 if cost > 0 else -1
    return not any(sides.values())


def _double(v: Fraction) -> bool:
    """Return whether doubles hold a number exactly, their range aside."""
    odd = abs(v.numerator) // (v.numerator & -v.numerator or 1)
    return not v.denominator & (v.denominator - 1) and odd.bit_length() <= 53


def of_estimator(estimator: Any, gap: Any, ends: Any, asked: float, response: Fraction) -> Optional[Ends]:
    """Return the same of an estimator in fractions that has taken what is reported; None where it has no machine."""
    each = estimator.solved() if gap is not None and hasattr(estimator, "solved") else []
    return judged(each[0], rational(gap) / each[0].scale, ends, asked, response) if len(each) == 1 else None


def uncertain(machine: Machine, values: Vector, beta0: Fraction, gap: Fraction) -> Fraction:
    """Return a bound on how far the values of the optimal function lie from those that are reported.

    A function that misses hard margins is scaled up until it keeps them; the gap is that of the scaled one.
    """
    margins = [t * (v + beta0) for t, v, own in zip(machine.y, values, machine.pieces) if _hard(own)]
    least = min(margins, default=Fraction(1))
    scaled = max(map(abs, values)) * (1 / least - 1) if 0 < least < 1 else Fraction(0)
    square = 2 * gap * max(map(rational, machine.K.diagonal()))
    return scaled + (_root_above(square) if square else 0)


def _root_above(square: Fraction) -> Fraction:
    """Return a number above the square root of another of any size, and equal to it in 20 digits at least."""
    return Fraction(isqrt(square.numerator * square.denominator * 10**40) + 1, square.denominator * 10**20)


def _hard(pieces: Any) -> bool:
    return any(not p.curvature and None in (p.low, p.high) for p in pieces)


def told(found: dict[str, Any], ends: Optional[Ends]) -> tuple[dict[str, Any], list[str]]:
    """Return the verdict with what was found of the ends, and the names that need no further judgement.

    A wrong end is final: it is proven with the function that is reported, however few digits that has.
    """
    if ends is None:
        return found, []
    if ends.wrong:
        return {**found, "accepted": False, "verdict": f"wrong: {ends.wrong}", "reason": ends.wrong, "final": True}, []
    name = "intercept_interval"
    if ends.left:
        return {**found, "not_judged": {**found.get("not_judged", {}), name: ends.left}}, [name]
    own = "all" if ends.digits == inf else ends.digits
    return {**found, "digits": {**found.get("digits", {}), name: own}}, [name]
