"""The proof of a kernel machine's fit: exact, and without solving anything, whoever found the answer."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any, Optional

from refclass.certificate import ASKED, Certificate, digits, relative_digits, status
from refclass.errors import InvalidInput
from refclass.kernels.matrices.product import exact_product, linear_points
from refclass.linear.common_denominator import Scaled, combination
from refclass.linear.vector import Vector
from refclass.losses.conjugate_pieces import Piece, Pieces, conjugate, nearest, parts_of
from refclass.losses.conjugate_pieces import value as value_of
from refclass.number.field import Number, rational
from refclass.number.text import approximate
from refclass.optimise.quadratic.definiteness import definite
from refclass.regress.kernel.fitted_machine import dual_objective, interval, primal_objective
from refclass.regress.kernel.intercept import constant
from refclass.regress.kernel.machine import Machine

ROUNDED = "the kernel is positive semidefinite; its rounded values are taken as exact"


Words = Callable[[int, Fraction, Fraction, Fraction], str]


def certify(
    machine: Machine,
    a: Vector,
    beta0: Number,
    *,
    beta: Optional[Vector] = None,
    asked: float = ASKED,
    convex: bool = True,
    products: Optional[Vector] = None,
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
    Cost      n multiplications of integers for each nonzero entry of a, twice that where a is not feasible
    Raises    InvalidInput if the lengths differ

    convex    whether the machine is a convex problem, not its tangent at this answer
    words     (i, aᵢ, rᵢ, violation) -> what is violated at point i, in the words of the machine
    """
    if len(a) != len(machine.y):
        raise InvalidInput("proof", need=f"{len(machine.y)} multipliers, one for each point", got=len(a))
    exact = lifted(machine)
    a, b = Vector.of(map(rational, a)), rational(beta0)
    values = exact_product(machine.K, a) if products is None else products
    reported = [(values, Scaled.of(a) @ Scaled.of(values))] + ([] if beta is None else [linear(machine.K, beta)])
    functions = [(square, Vector.of([v + b for v in each])) for each, square in reported]
    found = [_worst(exact, a, exact.y - f, words) for _, f in functions]
    worst, where = max([*found, _apart(machine, a, beta)], key=lambda pair: pair[0])
    primal = _primal(exact, functions)
    dual, moved = _bound(exact, a, reported[0][1])
    proven = relative_digits(primal, dual, (constant(exact) or 0) if dual == 0 else 0)
    if not convex:  # of a tangent the multipliers themselves must be slopes
        proven = min(proven or 0, digits(moved, a.largest()))
    convex = convex and (machine.positive or definite(machine.K, machine.intercept)[0])
    return Certificate(
        status=status(proven, asked, convex=convex),
        primal=primal,
        dual=dual if convex else None,
        gap=None if primal is None or not convex else primal - dual,
        worst_violation=worst,
        where=where,
        unique=_unique(exact, a, values, convex, worst == 0),
        premise=ROUNDED if machine.positive and machine.rounded else "",
        digits=proven if convex else None,
    )


def lifted(machine: Machine) -> Machine:
    """Return the machine with its targets and pieces in fractions; its Gram matrix as it is."""
    known: dict[Pieces, Pieces] = {}
    for own in machine.pieces:
        if own not in known:
            known[own] = tuple([_exact(p) for p in own])
    return replace(machine, y=Vector.of(map(rational, machine.y)), pieces=tuple([known[own] for own in machine.pieces]))


def _unique(machine: Machine, a: Vector, values: Vector, convex: bool, right: bool) -> dict[str, Any]:
    """Return whether f and the intercept of an answer are the only ones, None where that is not known."""
    found: dict[str, Any] = {"f": convex or None, **({"intercept": None} if machine.intercept else {})}
    if machine.intercept and right and convex:
        low, high = interval(machine, [parts_of(own, v) for own, v in zip(machine.pieces, a)], values)
        found["intercept"] = low == high and low is not None
    return found


def _primal(machine: Machine, functions: Sequence[tuple[Fraction, Vector]]) -> Optional[Fraction]:
    """Return the largest of the values of functions, each given by ‖f‖² and the fᵢ; None where one is not feasible."""
    found = [least_primal(machine, square, f) for square, f in functions]
    return None if None in found else max(v for v in found if v is not None)


def least_primal(machine: Machine, square: Fraction, f: Vector) -> Optional[Fraction]:
    """Return the primal at f, or at its multiple that has no slack where none is allowed; None where there is none."""
    value: Optional[Fraction] = primal_objective(machine, square, f)
    if value is None:
        t = _stretch(machine, f)
        value = None if t is None else primal_objective(machine, t * t * square, t * f)
    return value


def _stretch(machine: Machine, f: Vector) -> Optional[Fraction]:
    """Return the least t ≥ 1 for which tf has no slack where none is allowed, of labels y = ±1; or None."""
    least = Fraction(1)
    for own, t, v in zip(machine.pieces, machine.y, f):
        if value_of(own, t - v) is None:
            if not t * v > 0:
                return None
            least = max(least, t / v)
    return least


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
    reported = combination(linear_points(machine.K), Scaled.of(a), len(beta)).fractions()
    away = [abs(rational(v) - w) for v, w in zip(beta, reported)]
    worst = max(away)
    return worst, f"coefficient {away.index(worst)} is not that of the multipliers" if worst else ""


def _bound(machine: Machine, a: Vector, square: Optional[Fraction] = None) -> tuple[Fraction, Fraction]:
    """Return the dual objective at feasible multipliers near a, and the largest amount by which one was moved."""
    near = feasible(machine, a)
    if square is None or near != a:
        square = Scaled.of(near) @ Scaled.of(exact_product(machine.K, near))
    value: Fraction = dual_objective(machine, near, square)
    return value, (near - a).largest()


def feasible(machine: Machine, a: Vector) -> Vector:
    """Return multipliers at which every V* is finite, balanced where there is an intercept, near these."""
    clipped = [sum(map(Piece.clip, own, parts_of(own, v)), Fraction(0)) for own, v in zip(machine.pieces, a)]
    return balanced(clipped) if machine.intercept else Vector.of(clipped)


def _worst(machine: Machine, a: Vector, r: Vector, words: Optional[Words]) -> tuple[Fraction, str]:
    """Return the largest violation of an optimality condition and where it is, in words."""
    violations = [abs(v - nearest(own, v + t)) for own, v, t in zip(machine.pieces, a, r)]
    worst = max(violations)
    balance = abs(a.sum()) if machine.intercept else Fraction(0)
    if balance >= worst:
        name = "the multipliers sum to" if words is None else "sum of alpha·y is"
        return balance, f"{name} {approximate(a.sum()):.6g}, not 0" if balance else ""
    i = violations.index(worst)
    if words is not None:
        return worst, words(i, a[i], r[i], worst)
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
