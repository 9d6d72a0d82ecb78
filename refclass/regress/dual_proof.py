"""The proof of a kernel machine's fit: exact, and without solving anything, whoever found the answer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

from refclass.errors import InvalidInput
from refclass.linear.vector import Vector
from refclass.number.field import Number, rational
from refclass.number.near import THRESHOLD
from refclass.number.text import approximate
from refclass.optimise.certificate import Certificate
from refclass.regress.dual import (
    Machine,
    Piece,
    conjugate,
    dual_objective,
    interval,
    nearest,
    parts_of,
    primal_objective,
)
from refclass.regress.product import exact_product


def certify(machine: Machine, a: Vector, beta0: Number, eps: Any = 0, *, convex: bool = True) -> Certificate:
    """Return the proof of (a, β₀) for the machine, exact, whoever found it.

        primal = ½‖f‖² + Σ Vᵢ(rᵢ)      dual = aᵀy − ½‖f‖² − Σ Vᵢ*(aᵢ)      gap = primal − dual

    For Σ aᵢ = 0 the optimum lies between dual and primal, and the gap is Σ Vᵢ(rᵢ) + Vᵢ*(aᵢ) − aᵢrᵢ, each term ≥ 0 and
    zero if and only if aᵢ is a slope of Vᵢ at rᵢ. So that the bound holds for any answer, dual is that of the nearest
    multipliers that are slopes of the Vᵢ at all, those of the sign that weighs more scaled down until they balance. The
    worst violation is the largest of |Σ aᵢ| and, over the points, of the way from aᵢ to the multiplier that is optimal
    for aᵢ + rᵢ, which is zero where aᵢ is a slope at rᵢ.

    Shapes    a: n
    Units     eps: the spacing of the numbers that a and β₀ were computed in, 0 if they are claimed to be exact; the
              answer is accepted if the violation is at most 30 n eps times the size of what f is summed from
    Exact     yes: floats and decimals are taken as the rationals they are
    Cost      n multiplications of integers for each entry of a that is not zero
    Raises    InvalidInput if the lengths differ

    convex    whether the machine stands for a convex problem ("optimal"), or only for the tangent at this answer of one
              that is not ("stationary")
    """
    n = len(machine.y)
    if len(a) != n:
        raise InvalidInput("proof", need=f"{n} multipliers, one for each point", got=len(a))
    y = Vector.of(map(rational, machine.y))
    pieces = tuple([tuple([_exact(p) for p in own]) for own in machine.pieces])
    exact = replace(machine, y=y, pieces=pieces)
    a, b = Vector.of(map(rational, a)), rational(beta0)
    values = exact_product(machine.K, a)
    f = Vector.of([v + b for v in values])
    square = Vector.of(a) @ values
    worst, where = _worst(exact, a, y - f)
    primal = primal_objective(exact, square, f)
    dual = _bound(exact, a, square) if convex else None
    size = 1 + abs(b) + y.largest() + a.largest() * (1 + max(map(abs, map(rational, machine.K.diagonal()))))
    good, word = worst <= THRESHOLD * n * rational(eps) * size, "optimal" if convex else "stationary"
    unique: dict[str, Any] = {"f": convex or None}
    if machine.intercept and worst == 0 and convex:
        low, high = interval(exact, [parts_of(own, v) for own, v in zip(pieces, a)], values)
        unique["intercept"] = low == high and low is not None
    return Certificate(
        status=word if good else f"not {word}",
        primal=primal,
        dual=dual,
        gap=None if primal is None or dual is None else primal - dual,
        worst_violation=worst,
        where=where,
        unique=unique,
        premise=_premise(machine),
    )


def _premise(machine: Machine) -> str:
    if not machine.positive:
        return "K is positive semidefinite where it matters; its kernel does not promise it"
    return "the kernel is positive semidefinite; its rounded values are taken as exact" if machine.rounded else ""


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


def _bound(machine: Machine, a: Vector, square: Fraction) -> Fraction:
    """Return the dual objective at feasible multipliers near a."""
    clipped = [sum(map(Piece.clip, own, parts_of(own, v)), Fraction(0)) for own, v in zip(machine.pieces, a)]
    feasible = balanced(clipped) if machine.intercept else Vector.of(clipped)
    if feasible != a:
        square = feasible @ exact_product(machine.K, feasible)
    value: Fraction = dual_objective(machine, feasible, square)
    return value


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
