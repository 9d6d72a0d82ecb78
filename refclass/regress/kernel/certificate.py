"""The proof of a kernel machine's fit: exact, and without solving anything, whoever found the answer."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any, Optional, Union

from refclass.certificate import ASKED, Certificate, digits, relative_digits, status
from refclass.errors import InvalidInput
from refclass.kernels.matrices.product import linear_points, scaled_product, scaled_values, squared_norm
from refclass.linear.common_denominator import Scaled, combination
from refclass.linear.vector import Vector
from refclass.losses.conjugate_pieces import Piece, alike, conjugate, nearest, parts_of, total
from refclass.losses.conjugate_pieces import value as value_of
from refclass.number.field import Number, rational
from refclass.number.rational import RATIONAL
from refclass.number.text import approximate
from refclass.optimise.quadratic.definiteness import definite
from refclass.regress.kernel.fitted_machine import dual_objective, interval, primal_objective
from refclass.regress.kernel.inactive_points import active
from refclass.regress.kernel.intercept import constant
from refclass.regress.kernel.machine import Machine

ROUNDED = "the kernel is positive semidefinite; its rounded values are taken as exact"


Forms = tuple[Fraction, Fraction, Fraction]
Words = Callable[[int, Fraction, Fraction, Fraction], str]


def certify(
    machine: Machine,
    a: Union[Vector, Scaled],
    beta0: Number,
    *,
    beta: Optional[Vector] = None,
    asked: float = ASKED,
    convex: bool = True,
    products: Union[Vector, Scaled, None] = None,
    words: Optional[Words] = None,
) -> Certificate:
    """Return the proof of (a, β₀) for the machine, exact, whoever found it.

        primal = ½‖f‖² + Σ Vᵢ(rᵢ)      dual = aᵀy − ½‖f‖² − Σ Vᵢ*(aᵢ)      gap = primal − dual

    For Σ aᵢ = 0 the gap is Σ Vᵢ(rᵢ) + Vᵢ*(aᵢ) − aᵢrᵢ, each term ≥ 0, and zero if and only if aᵢ is a slope of Vᵢ at rᵢ.
    So that the bound holds for any answer, dual is that of the nearest multipliers that are slopes of the Vᵢ at all,
    those of the sign that weighs more scaled down until they balance. Where Vᵢ allows no slack, and f has some, primal
    is the value of the multiple of f that has none, if there is one. The worst violation is the largest of |Σ aᵢ| and,
    over the points, of the way from aᵢ to the multiplier that is optimal for aᵢ + rᵢ: zero where aᵢ is a slope at rᵢ.
    Where a linear function is delivered by β as well, f(x) = xᵀβ + β₀ is judged, too; the worse of the two counts.

    A kernel not known to be positive semidefinite is decided by `definite`. Without convexity no dual bounds the
    primal; the sum above still says how well the conditions hold: to the digits asked, "stationary".

    Shapes    a: n; beta: p, for a linear kernel; asked: the digits that "optimal" stands for; products, if known: K a
    Exact     yes: floats and decimals are taken as the rationals they are
    Cost      n multiplications of integers for each of s nonzero entries of a, n + s where one is outside its bounds
    Raises    InvalidInput if the lengths differ

    convex    whether the machine is a convex problem, not its tangent at this answer
    words     (i, aᵢ, rᵢ, violation) -> what is violated at point i, in the words of the machine
    """
    if len(a) != len(machine.y):
        raise InvalidInput("proof", need=f"{len(machine.y)} multipliers, one for each point", got=len(a))
    exact, a, b = lifted(machine), Scaled.of(a), rational(beta0)
    places = active(exact, a, b) if products is None else range(len(a))
    part, inside = _at(exact, places), a.at(places)
    values, forms = _products(machine.K, a, places) if products is None else (Scaled.of(products), None)
    reported = [(values, inside @ values)] + ([] if beta is None else [linear(machine.K, beta)])
    functions = [(square, each.plus(b)) for each, square in reported]
    found = [_worst(part, inside, f, places, words) for _, f in functions]
    worst, where = max([*found, _apart(machine, a, beta)], key=lambda pair: pair[0])
    primal = _primal(part, functions)
    dual, moved = _bound(exact, a, reported[0][1], forms)
    proven = relative_digits(primal, dual, _of_zero(exact) if dual == 0 and primal else 0)
    if not convex:  # of a tangent the multipliers themselves must be slopes
        proven = min(proven or 0, digits(moved, a.absolute().largest()[0]))
    bounded = convex and (machine.positive or definite(machine.K, machine.intercept, machine.counted)[0])
    return Certificate(
        status=status(proven, asked, convex=bounded),
        primal=primal,
        dual=dual if bounded else None,
        gap=None if primal is None or not bounded else primal - dual,
        worst_violation=worst,
        where=where,
        unique=_unique(exact, a, bounded, worst == 0),
        premise=ROUNDED if machine.positive and machine.rounded else "",
        digits=proven if bounded or not convex else None,
    )


def _of_zero(machine: Machine) -> Fraction:
    """Return the objective of f = 0 where the optimum is zero, which a constant function then attains; else 0.

    Premise: where no constant does, the optimum is above 0, and a bound of 0 proves nothing of it.
    """
    if constant(machine) != 0:
        return Fraction(0)
    return primal_objective(machine, Fraction(0), Vector.of([Fraction(0)] * len(machine.y))) or Fraction(0)


def lifted(machine: Machine) -> Machine:
    """Return the machine with its targets and pieces in fractions; its Gram matrix as it is."""
    known = {id(own): own for own in machine.pieces}
    exact = {name: tuple([p.lifted(RATIONAL) for p in own]) for name, own in known.items()}
    pieces = tuple([exact[id(own)] for own in machine.pieces])
    return replace(machine, y=Vector.of(map(rational, machine.y)), pieces=pieces)


def _products(K: Any, a: Scaled, places: Sequence[int]) -> tuple[Scaled, Forms]:
    """Return the entries of K a at places that hold all nonzero aᵢ, and the parts of aᵀK a by the signs of the aᵢ."""
    p, m = a.positive(), -(-a).positive()
    rise, fall = scaled_product(K, p, places), scaled_product(K, m, places)
    p, m = p.at(places), m.at(places)
    return rise + fall, (p @ rise, 2 * (p @ fall), m @ fall)


def _at(machine: Machine, places: Sequence[int]) -> Machine:
    """Return the machine with the losses of some points alone; K is left as it is."""
    if len(places) == len(machine.y):
        return machine
    return replace(machine, y=machine.y.pick(places), pieces=tuple([machine.pieces[i] for i in places]))


def _unique(machine: Machine, a: Scaled, convex: bool, right: bool) -> dict[str, Any]:
    """Return whether f and the intercept of an answer are the only ones, None where that is not known."""
    found: dict[str, Any] = {"f": convex or None, **({"intercept": None} if machine.intercept else {})}
    if machine.intercept and right and convex:
        parts = [parts_of(own, v) for own, v in zip(machine.pieces, a)]
        # Proof: a point inside a piece fixes the intercept, whatever the values are.
        inside = any(p.rises(w) and p.falls(w) for ps, ws in zip(machine.pieces, parts) for p, w in zip(ps, ws))
        low, high = (0, 0) if inside else interval(machine, parts, Vector.of(scaled_product(machine.K, a)))
        found["intercept"] = low == high and low is not None
    return found


def _primal(machine: Machine, functions: Sequence[tuple[Fraction, Scaled]]) -> Optional[Fraction]:
    """Return the largest of the values of functions, each given by ‖f‖² and the fᵢ; None where one is not feasible."""
    found = [least_primal(machine, square, f) for square, f in functions]
    return None if None in found else max(v for v in found if v is not None)


def least_primal(machine: Machine, square: Fraction, f: Union[Vector, Scaled]) -> Optional[Fraction]:
    """Return the primal at f, or at its multiple that has no slack where none is allowed; None where there is none."""
    f, y = Scaled.of(f), Scaled.of(machine.y)
    lost: Optional[Fraction] = total(machine.pieces, y - f)
    if lost is not None:
        return square / 2 + lost
    t = _stretch(machine, f)
    if t is None:
        return None
    lost = total(machine.pieces, y - f.times(Scaled((t.numerator,) * len(f), t.denominator)))
    return None if lost is None else t * t * square / 2 + lost


def _stretch(machine: Machine, f: Scaled) -> Optional[Fraction]:
    """Return the least t ≥ 1 for which tf has no slack where none is allowed, of labels y = ±1; or None."""
    least = Fraction(1)
    for own, t, v in zip(machine.pieces, machine.y, f):
        if value_of(own, t - v) is None:
            if not t * v > 0:
                return None
            least = max(least, t / v)
    return least


def balanced(a: Union[Sequence[Fraction], Scaled]) -> Vector:
    """Return the numbers with those of the sign that weighs more scaled down, so that they sum to zero.

    Entries move towards zero only: a convex function that is finite at an entry and at 0 stays so.
    """
    given = Scaled.of(a)
    up, down = _shares(given)
    return Vector.of([v * (up if v > 0 else down) for v in given] if up != down else given)


def _shares(a: Scaled) -> tuple[Fraction, Fraction]:
    """Return by which factors positive and negative entries are scaled down, so that they sum to zero."""
    rise, fall = sum(a.positive().integers), sum((-a).positive().integers)
    one = Fraction(1)
    return (Fraction(fall, rise), one) if rise > fall else (one, Fraction(rise, fall) if fall else one)


def linear(K: Any, beta: Vector) -> tuple[Scaled, Fraction]:
    """Return the values xᵢᵀβ and ‖β‖²."""
    exact = Scaled.of(beta)
    return scaled_values(linear_points(K), exact), exact @ exact


def _apart(machine: Machine, a: Scaled, beta: Optional[Vector]) -> tuple[Fraction, str]:
    """Return the largest |β − Σ aᵢxᵢ|, and of which coefficient."""
    if beta is None:
        return Fraction(0), ""
    points, (support, weights) = linear_points(machine.K), a.support()
    reported = combination([points[i] for i in support], weights, len(beta))
    worst, j = (Scaled.of(beta) - reported).absolute().largest()
    return worst, f"coefficient {j} is not that of the multipliers" if worst else ""


def _bound(machine: Machine, a: Scaled, square: Fraction, forms: Optional[Forms]) -> tuple[Fraction, Fraction]:
    """Return the dual objective at feasible multipliers near a, and the largest amount by which one was moved.

    square    aᵀK a
    forms     what it is the sum of: pᵀK p, 2pᵀK m and mᵀK m with the positive entries p and the negative ones m; None
              where that is not known
    """
    near = feasible(machine, a)
    moved = (Scaled.of(near) - a).absolute().largest()[0]
    if moved and forms is not None and Scaled.of(_clipped(machine, a)).same(a):
        up, down = _shares(a)
        square = up * up * forms[0] + up * down * forms[1] + down * down * forms[2]
    elif moved:
        square = squared_norm(machine.K, Scaled.of(near))
    value: Fraction = dual_objective(machine, near, square)
    return value, moved


def feasible(machine: Machine, a: Union[Vector, Scaled]) -> Vector:
    """Return multipliers at which every V* is finite, balanced where there is an intercept, near these."""
    clipped = _clipped(machine, Scaled.of(a))
    return balanced(clipped) if machine.intercept else Vector.of(clipped)


def _clipped(machine: Machine, a: Scaled) -> list[Fraction]:
    """Return the nearest multipliers at which every V* is finite."""
    clipped = [Fraction(0)] * len(a)
    for own, v, places in alike(machine.pieces, a):
        inside = sum(map(Piece.clip, own, parts_of(own, v)), Fraction(0))
        for i in places:
            clipped[i] = inside
    return clipped


def _worst(
    machine: Machine, a: Scaled, f: Scaled, names: Sequence[int], words: Optional[Words]
) -> tuple[Fraction, str]:
    """Return the largest violation of an optimality condition and where it is, in words; names are those of points."""
    worst, at, r = Fraction(-1), 0, Scaled.of(machine.y) - f
    for own, v, places in alike(machine.pieces, a):
        # Proof: of equal loss and multiplier v the distance from v to the multiplier that is optimal for v + r is
        # largest at the least or the largest r, since that multiplier does not fall as r rises.
        for i in (min(places, key=r.integers.__getitem__), max(places, key=r.integers.__getitem__)):
            missed = abs(v - nearest(own, v + r[i]))
            if missed > worst or (missed == worst and i < at):
                worst, at = missed, i
    total_of = Fraction(sum(a.integers), a.denominator)
    balance = abs(total_of) if machine.intercept else Fraction(0)
    if balance >= worst:
        name = "the multipliers sum to" if words is None else "sum of alpha·y is"
        return balance, f"{name} {approximate(total_of):.6g}, not 0" if balance else ""
    i = names[at]
    if words is not None:
        return worst, words(i, a[at], r[at], worst)
    c = conjugate(machine.pieces[at], a[at])
    ends = [("-inf", "inf")[k] if v is None else f"{approximate(v):.6g}" for k, v in enumerate((c.left, c.right))]
    says = f"point {i}: multiplier {approximate(a[at]):.6g} needs a residual in [{ends[0]}, {ends[1]}]"
    return worst, f"{says}; it is {approximate(r[at]):.6g}"
