"""The optimum of a machine rounded to doubles or decimals, in ways that lose as few digits of the objective as can be.

    1  each multiplier rounded: to the nearest number; so that their sum stays near zero; to multiples of the last digit
       of the largest with Σ aᵢ = 0 exactly
    2  the intercept that is best for the rounded multipliers
    3  where that has too few digits, multipliers rounded together, so that what they miss cancels in f
    4  where that has too few, too, points that a kink of their loss holds, or that roundoff cannot tell from it,
       moved beyond it, as far as roundoff moves them

A multiplier in doubles moves f by its last digit times a row of K; where rows are long and alike, the intercept takes
most of that back. What is left is the ceiling: the digits that the optimum has in doubles.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any, NamedTuple, Optional

from refclass.certificate import ASKED, Certificate, digits
from refclass.errors import NotExact
from refclass.kernels.matrices.product import exact_product, linear_points
from refclass.linear.vector import Vector
from refclass.losses.conjugate_pieces import Pieces, parts_of, within
from refclass.number.field import Number, rational
from refclass.number.tolerance import roundoff
from refclass.regress.kernel import certificate, fitted_machine, free_points, intercept, kept_sums
from refclass.regress.kernel.fitted_machine import Fitted, primal_objective
from refclass.regress.kernel.machine import Machine
from refclass.regress.kernel.newton import crossover
from refclass.regress.kernel.newton.crossover import Optimum
from refclass.regress.kernel.rounded import cancelling, few_points
from refclass.regress.kernel.rounded.overshoot import overshot

Lift = Callable[[Fraction], Any]


class Rounded(NamedTuple):
    """A function in doubles or decimals: multipliers, intercept, coefficients where the kernel is linear; its proof.

    interval    all intercepts that are as good, before they are rounded
    short       where no slack is allowed and f has some, what the primal of its multiple is above ½‖f‖²
    products    K a, where it is known
    """

    a: Vector
    beta0: Any
    beta: Optional[Vector]
    proof: Certificate
    interval: tuple[Number, Number]
    short: Fraction = Fraction(0)
    products: Optional[Vector] = None

    @property
    def digits(self) -> float:
        """The digits proven, below zero where nothing is bounded; where no slack is allowed, those of f unscaled."""
        proven, primal = self.proof.digits, self.proof.primal
        if proven is None or primal is None:
            return -1 if proven is None else proven
        return min(proven, digits(self.short, primal)) if self.short else proven


def best(machine: Machine, found: Optimum, *, together: bool = False, lift: Lift = float) -> Rounded:
    """Return the rounding of an optimum that proves the most digits, the first that proves enough.

    together    whether coefficients of a linear kernel may be those of the rounded multipliers, not only of the optimum
    lift        what rounds a number

    Shapes    machine: its numbers at their exact worth
    Raises    OverflowError for an optimum beyond the range of doubles
    """
    beta = crossover.coefficients(machine, found.a) if found.beta is None else found.beta
    beta = settled(machine, found.a, beta)
    every: list[Rounded] = []
    for near in _tried(machine, found, beta, together, lift, every):
        every.append(near)
        if near.digits >= ASKED:
            return near
    return max(every, key=lambda near: near.digits)


def _tried(
    machine: Machine,
    found: Optimum,
    beta: Optional[Sequence[Fraction]],
    together: bool,
    lift: Lift,
    known: Sequence[Rounded],
) -> Iterator[Rounded]:
    """Yield roundings of an optimum and of multipliers beside it; `known` holds those that were yielded before."""
    yield from candidates(machine, found.a, beta, together, lift)
    plain = max(known, key=lambda near: near.digits)
    near = cancelling.rounded(machine, found.a, plain.proof.dual or Fraction(0), lift)
    if near is not None:
        # Premise: errors that cancel at the points need not elsewhere; with nine digits of the objective they do in f,
        # with fewer they are no reason to answer what else is refused.
        own = _coefficients(machine, near, beta, together, lift)
        yield from (one for one in own if one.digits >= ASKED or plain.digits >= 1)
    for optimum in overshot(machine, found, plain, lift):
        yield from candidates(machine, optimum, crossover.coefficients(machine, optimum), together, lift)
    if few_points.bounded(machine, few_points.FEWER):
        yield from nearby(machine, max(known, key=lambda near: near.digits), together, lift)


def settled(machine: Machine, a: Vector, beta: Optional[Sequence[Fraction]]) -> Optional[Sequence[Fraction]]:
    """Return the coefficients; zeros where they are no more than roundoff of Σ aᵢxᵢ, and a constant is as good."""
    points = linear_points(machine.K)
    if beta is None or points is None or not any(beta):
        return beta
    sizes = [abs(rational(v)) for v in a]
    for b, column in zip(beta, zip(*points)):
        terms = sum([v * abs(rational(x)) for v, x in zip(sizes, column)], Fraction(0))
        if abs(b) > terms * len(a) * rational(roundoff(float)):
            return beta
    least = intercept.constant(machine)
    values, square = certificate.linear(machine.K, Vector.of(beta))
    low, high = intercept.best(machine, Vector.of(values))
    reached = primal_objective(machine, square, Vector.of(values.plus((low + high) / 2)))
    constant = least is not None and (reached is None or least <= reached)
    return [Fraction(0)] * len(beta) if constant else beta


def candidates(
    machine: Machine, a: Vector, beta: Optional[Sequence[Fraction]], together: bool, lift: Lift = float
) -> Iterator[Rounded]:
    """Yield roundings of multipliers; of a linear function, too, with the coefficients of the rounded ones.

    Far from the origin the rounding of a moves f by almost the same at all points; one intercept must serve a and β,
    which agree better where β is that of the a that are delivered.
    """
    for rounded in _roundings(machine, a, lift):
        yield from _coefficients(machine, rounded, beta, together, lift)


def _coefficients(
    machine: Machine, a: Vector, beta: Optional[Sequence[Fraction]], together: bool, lift: Lift
) -> Iterator[Rounded]:
    """Yield rounded multipliers with the coefficients given, and with their own."""
    yield judged(machine, a, beta, lift=lift)
    if beta is not None and together:
        yield judged(machine, a, crossover.coefficients(machine, list(map(rational, a))), lift=lift)


def judged(
    machine: Machine,
    a: Vector,
    beta: Optional[Sequence[Fraction]] = None,
    beta0: Optional[Number] = None,
    *,
    lift: Lift = float,
) -> Rounded:
    """Return multipliers in doubles, or in decimals, with their proof.

    beta     the coefficients of a linear kernel that the function is delivered by, before they are rounded
    beta0    the intercept; none: that for which the primal is least, rounded
    lift     what rounds a number
    """
    exact = Vector.of(map(rational, a))
    products = exact_product(machine.K, exact)
    values, coefficients = products, None
    if beta is not None:
        coefficients = Vector.of(map(lift, beta))
        values = Vector.of(certificate.linear(machine.K, coefficients)[0])
    low, high = intercept.best(machine, values)
    if beta0 is None:
        nearest = list(dict.fromkeys(map(lift, ((low + high) / 2, low, high))))
        # Premise: beside a kink that costs much, the next number on its cheap side is better than the nearest.
        units = [(b, kept_sums.unit(b)) for b in nearest if machine.intercept]
        beside = [lift(rational(b) + way * unit) for b, unit in units for way in (-1, 1)]
        beta0 = min([*nearest, *beside], key=lambda b: _loss(machine, values, b))
    proof = certificate.certify(machine, a, beta0, beta=coefficients, products=products)
    short = Fraction(0)
    if proof.primal is not None and not machine.bounded and _loss(machine, values, beta0)[0]:
        short = proof.primal - exact @ products / 2
    return Rounded(a, beta0, coefficients, proof, (low, high), short, products)


def _loss(machine: Machine, values: Vector, b: Number) -> tuple[bool, Fraction]:
    """Return what orders intercepts: whether the primal is infinite, and its losses."""
    found = primal_objective(machine, Fraction(0), Vector.of([v + rational(b) for v in values]))
    return found is None, found or Fraction(0)


def _roundings(machine: Machine, a: Vector, lift: Lift) -> list[Vector]:
    """Return the nearest numbers balanced, as they are, and the nearest multiples of one unit, balanced."""
    nearest = list(map(lift, a))
    if not machine.intercept or not any(nearest):
        return [Vector.of(nearest)]
    inside = [_inside(own) for own in machine.pieces]
    every = [doubles(a, inside, lift), nearest, multiples(a, inside, lift)]
    return [Vector.of(v) for k, v in enumerate(every) if v not in every[:k]]


def balanced(machine: Machine, a: Vector) -> Vector:
    """Return multipliers in doubles, made to sum to zero where what they miss it by moves f far beside the responses.

    Points that are equal have f = (Σ aᵢ)K + β₀: where K is 10²² the intercept of multipliers that miss zero by 10⁻¹⁵ is
    10⁷, and f is another function everywhere else.
    """
    exact = Vector.of(map(rational, a))
    moved = abs(sum(exact, Fraction(0))) * max(map(abs, map(rational, machine.K.diagonal())))
    if not machine.intercept or moved * 10**ASKED <= max(map(abs, machine.y)):
        return a
    return Vector.of(doubles(exact, [_inside(own) for own in machine.pieces]))


def multiples(a: Vector, inside: Sequence[Callable[[Fraction], bool]], lift: Lift = float) -> list[Number]:
    """Return multiples of the last digit of the largest number that sum to zero, but for those that may not change.

    inside    of each number whether a change is allowed
    """
    unit = kept_sums.unit(lift(a.largest()))
    counts = [_count(may, v / unit, unit) for may, v in zip(inside, a)]
    excess = sum(counts)
    side = 1 if excess > 0 else -1
    # Method: those that rounding moved furthest in the wrong direction are moved by one unit, as many as are needed.
    free = [i for i, (may, v) in enumerate(zip(inside, a)) if may(v - side * unit)]
    free.sort(key=lambda i: side * (a[i] / unit - counts[i]))
    for i in free[: abs(excess)]:
        counts[i] -= side
    return [lift(k * unit if may(k * unit) else v) for may, k, v in zip(inside, counts, a)]


def _count(may: Callable[[Fraction], bool], share: Fraction, unit: Fraction) -> int:
    """Return the nearest whole number of units that is allowed; the nearest where none beside it is."""
    nearest = round(share)
    beside = nearest + (1 if share > nearest else -1)
    return next((k for k in (nearest, beside) if may(k * unit)), nearest)


def _inside(pieces: Pieces) -> Callable[[Fraction], bool]:
    return lambda v: within(pieces, v)


def doubles(a: Sequence[Fraction], inside: Sequence[Callable[[Fraction], bool]], lift: Lift = float) -> list[Number]:
    """Return the nearest numbers; where they are to sum to zero, the smallest that can take it what the others miss.

    inside    of each number whether a change is allowed; empty: the sum is free
    """
    found = list(map(lift, a))
    missing = sum(map(rational, found), Fraction(0)) if inside else Fraction(0)
    for i in sorted(range(len(found)), key=lambda i: abs(found[i])):
        if missing == 0:
            break
        moved = lift(rational(found[i]) - missing)
        left = missing + rational(moved) - rational(found[i])
        if moved * found[i] > 0 and abs(left) < abs(missing) and inside[i](rational(moved)):
            found[i], missing = moved, left
    return found


def nearby(machine: Machine, near: Rounded, together: bool = False, lift: Lift = float) -> Iterator[Rounded]:
    """Yield the best rounding that is a last digit away in one number; from one whose gap is half the next, and so on.

    Coefficients are moved, and multipliers; with an intercept pairs of these, too, whose sum stays. The intercept is
    chosen anew for each, and together with the multipliers the coefficients.
    """
    before = near
    while before is near or near.digits >= before.digits + digits(1, 2):
        before = near
        every = [judged(machine, a, beta, lift=lift) for a, beta in few_points.beside(machine, near.a, near.beta, lift)]
        if together and near.beta is not None:
            moved = [a for a, _ in few_points.beside(machine, near.a, None, lift)]
            every += [
                judged(machine, a, crossover.coefficients(machine, list(map(rational, a))), lift=lift) for a in moved
            ]
        near = max([near, *every], key=lambda other: other.digits)
        if near is before:
            return
        yield near


def in_decimals(machine: Machine, near: Rounded, fitted: Fitted, lift: Lift) -> Fitted:
    """Return an optimum rounded to decimals otherwise, its steps kept, and its interval unless that is a point."""
    a = Vector.of(map(rational, near.a))
    parts = tuple([tuple(map(lift, parts_of(own, v))) for own, v in zip(machine.pieces, a)])
    found = exact_product(machine.K, a)
    square = a @ found
    if near.beta is not None:
        values, square = certificate.linear(machine.K, Vector.of(map(rational, near.beta)))
        found = Vector.of(values)
    known = {"values": Vector.of(map(lift, found)), "square": lift(square), "beta0": near.beta0, "beta": near.beta}
    low, high = fitted.interval
    interval = (near.beta0, near.beta0) if low == high else fitted.interval
    return replace(fitted, a=near.a, parts=parts, interval=interval, **known)


def delivered(machine: Machine, near: Rounded, steps: int = 0, best: Optional[Optimum] = None) -> Fitted:
    """Return the fit in doubles of a function whose proof is known; best is the optimum that it was rounded from."""
    parts = tuple([tuple(parts_of(own, rational(v))) for own, v in zip(machine.pieces, near.a)])
    exact, objectives = Vector.of(map(rational, near.a)), None
    if near.beta is None:
        values = exact_product(machine.K, exact) if near.products is None else near.products
        square = exact @ values
    else:
        # Premise: the function is delivered by β, and judged by the worse of β and the multipliers.
        found, square = certificate.linear(machine.K, near.beta)
        values = Vector.of(found)
        primal = certificate.least_primal(machine, square, found.plus(rational(near.beta0)))
        objectives = None if primal is None else (primal, near.proof.dual)
    try:
        reported = tuple([tuple(map(float, own)) for own in parts])
        f, norm = Vector.of(map(float, values)), float(square)
    except OverflowError:
        raise NotExact("fit", need="an answer within the range of doubles", got="a larger one") from None
    ends = _interval(machine, parts if best is None else free_points.working(machine, best.a)[0], best, near)
    return Fitted(near.a, reported, f, near.beta0, ends, norm, steps, near.proof, near.beta, objectives)


def _interval(
    machine: Machine, parts: Sequence[Sequence[Fraction]], best: Optional[Optimum], near: Rounded
) -> tuple[Optional[float], Optional[float]]:
    """Return the ends of the optimal intercepts in doubles; β₀ twice where there is but one."""
    most = max([abs(v) for own in parts for v in own])
    free = any(p.between(v, most) for own, mine in zip(machine.pieces, parts) for p, v in zip(own, mine))
    if not machine.intercept or free:
        return near.beta0, near.beta0
    ends = near.interval if best is None else fitted_machine.interval(machine, parts, exact_product(machine.K, best.a))
    low, high = (None if end is None else float(end) for end in ends)
    return (near.beta0, near.beta0) if low is not None and high is not None and low >= high else (low, high)
