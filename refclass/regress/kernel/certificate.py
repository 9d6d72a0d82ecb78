"""The proof of a kernel machine's fit: exact, and without solving anything, whoever found the answer."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any, Optional

from refclass.certificate import ASKED, Certificate, digits, relative_digits, status
from refclass.errors import InvalidInput
from refclass.kernels.product import exact_product, linear_points
from refclass.linear.common_denominator import Scaled, combination
from refclass.linear.vector import Vector
from refclass.number.field import Number, rational
from refclass.number.text import approximate
from refclass.optimise.quadratic.definiteness import definite
from refclass.regress.kernel.machine import (
    Machine,
    Piece,
    conjugate,
    dual_objective,
    interval,
    nearest,
    parts_of,
    primal_objective,
)

ROUNDED = "the kernel is positive semidefinite; its rounded values are taken as exact"


def certify(
    machine: Machine,
    a: Vector,
    beta0: Number,
    *,
    beta: Optional[Vector] = None,
    asked: float = ASKED,
    convex: bool = True,
) -> Certificate:
    """Return the proof of (a, β₀) for the machine, exact, whoever found it.

        primal = ½‖f‖² + Σ Vᵢ(rᵢ)      dual = aᵀy − ½‖f‖² − Σ Vᵢ*(aᵢ)      gap = primal − dual

    For Σ aᵢ = 0 the gap is Σ Vᵢ(rᵢ) + Vᵢ*(aᵢ) − aᵢrᵢ, each term ≥ 0, and zero if and only if aᵢ is a slope of Vᵢ at rᵢ.
    So that the bound holds for any answer, dual is that of the nearest multipliers that are slopes of the Vᵢ at all,
    those of the sign that weighs more scaled down until they balance. The worst violation is the largest of |Σ aᵢ| and,
    over the points, of the way from aᵢ to the multiplier that is optimal for aᵢ + rᵢ: zero where aᵢ is a slope at rᵢ.

    Where a linear function is delivered by β as well, f(x) = xᵀβ + β₀ is judged, too; the worse of the two counts.

    A kernel not known to be positive semidefinite is decided by `definite`. Without convexity no dual bounds the
    primal; the sum above still says how well the conditions hold: to the digits asked, "stationary".

    Shapes    a: n; beta: p, for a linear kernel; asked: the digits that "optimal" stands for
    Exact     yes: floats and decimals are taken as the rationals they are
    Cost      n multiplications of integers for each nonzero entry of a, twice that where a is not feasible
    Raises    InvalidInput if the lengths differ

    convex    whether the machine is a convex problem, not its tangent at this answer
    """
    if len(a) != len(machine.y):
        raise InvalidInput("proof", need=f"{len(machine.y)} multipliers, one for each point", got=len(a))
    exact = lifted(machine)
    a, b = Vector.of(map(rational, a)), rational(beta0)
    values = exact_product(machine.K, a)
    told = [(values, a @ values)] + ([] if beta is None else [linear(machine.K, beta)])
    functions = [(square, Vector.of([v + b for v in each])) for each, square in told]
    found = [_worst(exact, a, exact.y - f) for _, f in functions]
    worst, where = max([*found, _apart(machine, a, beta)], key=lambda pair: pair[0])
    primal = max(primal_objective(exact, square, f) for square, f in functions)
    dual, moved = _bound(exact, a, told[0][1])
    proven = relative_digits(primal, dual, constant(exact) if dual == 0 else 0)
    if not convex:  # of a tangent the multipliers themselves must be slopes
        proven = min(proven or 0, digits(moved, a.largest()))
    convex = convex and (machine.positive or definite(machine.K, machine.intercept)[0])
    unique: dict[str, Any] = {"f": convex or None}
    if machine.intercept and worst == 0 and convex:
        low, high = interval(exact, [parts_of(own, v) for own, v in zip(exact.pieces, a)], values)
        unique["intercept"] = low == high and low is not None
    return Certificate(
        status=status(proven, asked, convex=convex),
        primal=primal,
        dual=dual if convex else None,
        gap=None if primal is None or not convex else primal - dual,
        worst_violation=worst,
        where=where,
        unique=unique,
        premise=ROUNDED if machine.positive and machine.rounded else "",
        digits=proven if convex else None,
    )


def lifted(machine: Machine) -> Machine:
    """Return the machine with its targets and pieces in fractions; its Gram matrix as it is."""
    pieces = tuple([tuple([_exact(p) for p in own]) for own in machine.pieces])
    return replace(machine, y=Vector.of(map(rational, machine.y)), pieces=pieces)


def constant(machine: Machine) -> Fraction:
    """Return the least Σ Vᵢ(yᵢ − b) over the constants b; without an intercept the one for b = 0.

    Shapes    a machine in fractions, its losses finite
    Exact     yes
    Cost      a sort of the places where some loss changes its parabola, and log₂ of their number sums over the points
    """

    def slopes(b: Fraction) -> list[Number]:
        return [_slopes(own, t - b) for own, t in zip(machine.pieces, machine.y)]

    zero = Vector.of([Fraction(0)] * len(machine.y))
    b = Fraction(0)
    if machine.intercept:
        ends = {t - r for own, t in zip(machine.pieces, machine.y) for r in _breaks(own)}
        places = sorted(ends)
        low, high = 0, len(places) - 1
        while low < high:  # the sum of the slopes falls as b rises
            middle = (low + high) // 2
            if sum([s[0] for s in slopes(places[middle])], Fraction(0)) > 0:
                low = middle + 1
            else:
                high = middle
        b = _between(places, low, lambda v, side: sum([s[side] for s in slopes(v)], Fraction(0)))
    value: Fraction = primal_objective(machine, Fraction(0), Vector.of([v + b for v in zero]))
    return value


def _between(places: Sequence[Fraction], k: int, total: Callable[[Fraction, int], Fraction]) -> Fraction:
    """Return where the sum of the slopes is zero: at a place, or on the line that ends there."""
    b = places[k]
    left, right = total(b, 1), total(b, 0)  # the slopes just before b, where residuals are larger, and just after
    if right > 0:
        return _zero(b, right, b + 1, total(b + 1, 1))
    if left >= 0:
        return b
    before = places[k - 1] if k else b - 1
    return _zero(before, total(before, 0), b, left)


def _zero(a: Fraction, at_a: Fraction, b: Fraction, at_b: Fraction) -> Fraction:
    return b if at_a == at_b else a + (b - a) * at_a / (at_a - at_b)


def _breaks(pieces: Sequence[Piece]) -> list[Fraction]:
    """Return the residuals at which a loss changes its parabola."""
    ends = [p.slope + p.curvature * e for p in pieces for e in (p.low, p.high) if e is not None]
    return ends + [p.slope for p in pieces]


def _slopes(pieces: Sequence[Piece], r: Fraction) -> tuple[Fraction, Fraction]:
    """Return the slopes of V to the left and to the right of r."""
    left: Number = Fraction(0)
    right: Number = Fraction(0)
    for p in pieces:
        d = r - p.slope
        if p.curvature or d:
            v = p.clip(d / p.curvature) if p.curvature else (p.high if d > 0 else p.low)
            left, right = left + v, right + v
        else:
            left, right = left + p.low, right + p.high
    return left, right


def _exact(piece: Any) -> Any:
    return type(piece)(*[None if v is None else rational(v) for v in piece])


def balanced(a: Sequence[Fraction]) -> Vector:
    """Return the numbers with those of the sign that weighs more scaled down, so that they sum to zero.

    Entries move towards zero only: a convex function that is finite at an entry and at 0 stays so.
    """
    rise = sum((v for v in a if v > 0), Fraction(0))
    fall = -sum((v for v in a if v < 0), Fraction(0))
    least = min(rise, fall)
    up, down = (least / total if total else Fraction(0) for total in (rise, fall))
    return Vector.of([v * (up if v > 0 else down) for v in a])


def linear(K: Any, beta: Vector) -> tuple[Vector, Fraction]:
    """Return the values xᵢᵀβ and ‖β‖²."""
    exact = Scaled.of(list(map(rational, beta)))
    return Vector.of([Scaled.of(x) @ exact for x in linear_points(K)]), exact @ exact


def _apart(machine: Machine, a: Vector, beta: Optional[Vector]) -> tuple[Fraction, str]:
    """Return the largest |β − Σ aᵢxᵢ|, and of which coefficient."""
    if beta is None:
        return Fraction(0), ""
    told = combination(linear_points(machine.K), Scaled.of(a), len(beta)).fractions()
    away = [abs(rational(v) - w) for v, w in zip(beta, told)]
    worst = max(away)
    return worst, f"coefficient {away.index(worst)} is not that of the multipliers" if worst else ""


def _bound(machine: Machine, a: Vector, square: Optional[Fraction] = None) -> tuple[Fraction, Fraction]:
    """Return the dual objective at feasible multipliers near a, and the largest amount by which one was moved."""
    clipped = [sum(map(Piece.clip, own, parts_of(own, v)), Fraction(0)) for own, v in zip(machine.pieces, a)]
    feasible = balanced(clipped) if machine.intercept else Vector.of(clipped)
    if square is None or feasible != a:
        square = feasible @ exact_product(machine.K, feasible)
    value: Fraction = dual_objective(machine, feasible, square)
    return value, (feasible - a).largest()


def _worst(machine: Machine, a: Vector, r: Vector) -> tuple[Fraction, str]:
    """Return the largest violation of an optimality condition and where it is, in words."""
    violations = [abs(v - nearest(own, v + t)) for own, v, t in zip(machine.pieces, a, r)]
    worst = max(violations)
    balance = abs(a.sum()) if machine.intercept else Fraction(0)
    if balance >= worst:
        return balance, f"the multipliers sum to {approximate(a.sum()):.6g}, not 0" if balance else ""
    i = violations.index(worst)
    c = conjugate(machine.pieces[i], a[i])
    ends = [("-inf", "inf")[k] if v is None else f"{approximate(v):.6g}" for k, v in enumerate((c.left, c.right))]
    says = f"point {i}: multiplier {approximate(a[i]):.6g} needs a residual in [{ends[0]}, {ends[1]}]"
    return worst, f"{says}; it is {approximate(r[i]):.6g}"


def times(factor: Number, certificate: Certificate) -> Certificate:
    """Return the proof of the same answer to the same problem, its objective multiplied by an exact positive factor.

    A penalty λ in front of ½‖f‖² is a cost 1/λ in front of the losses; the objectives differ by the factor λ
    [ESL-Ex12.1].
    """
    c = rational(factor)
    primal, dual, gap = (None if v is None else c * v for v in (certificate.primal, certificate.dual, certificate.gap))
    return replace(certificate, primal=primal, dual=dual, gap=gap)
