"""The proof of a Lee–Lin–Wahba machine: exact, and without solving anything, whoever found the multipliers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import reduce
from operator import add, mul
from typing import Any, Optional

from refclass.certificate import ASKED, Certificate, digits, relative_digits, status
from refclass.errors import InvalidInput
from refclass.kernels.matrices.product import linear_points, scaled_products
from refclass.linear.common_denominator import Scaled, combination
from refclass.linear.vector import Vector, as_given
from refclass.margins.lee_lin_wahba.problem import Machine, coefficients, intercept_ends, objective
from refclass.number.field import Number, rational
from refclass.number.text import approximate
from refclass.optimise.multiclass import coupled
from refclass.optimise.quadratic import definiteness

Fractions = tuple[Vector, ...]  # one vector of n fractions for each class


def certify(
    machine: Machine,
    alpha: Sequence[Sequence[Number]],
    beta0: Optional[Sequence[Number]] = None,
    *,
    planes: Optional[Sequence[Sequence[Number]]] = None,
    beta: Optional[Sequence[Sequence[Number]]] = None,
    asked: float = ASKED,
) -> Certificate:
    """Return the proof of multipliers α and intercepts β_0 for the machine, whoever found them  [MMST-11.104].

        primal = I_λ at β_k = −(nλ)⁻¹(α_k − ᾱ) and β_0 less its mean,   dual = −F_D/(n²λ),   gap = primal − dual

    [MMST-11.107] [MMST-11.77]. Functions that are delivered by planes or by coefficients, rounded, are the answer:
    primal is theirs, and α the dual point alone. For α in the box with equal sums the optimum lies between the two, and
    the gap, of the functions that α makes, is

        (1/n) Σ_k Σᵢ (L_ik − α_ik)[f_k(xᵢ) − y_ik]₊ + α_ik[y_ik − f_k(xᵢ)]₊

    zero if and only if [MMST-11.102] and [MMST-11.103] hold everywhere (RC-29). So that the bound holds for any answer,
    dual is that of the nearest α in the box, classes of a larger sum scaled down. The worst violation is the largest of

        |1ᵀα_k − 1ᵀᾱ|,   |Σ_k β_0k|,   |α_ik − clip(α_ik + f_k(xᵢ) − y_ik, 0, L_ik)|

    Shapes    alpha: for each class n numbers; beta0: a number for each class; without it the intercepts are taken from
              the multipliers: those between their bounds fix them, else `intercept_levels.levels` chooses among the
              optimal ones; planes: of a linear kernel p numbers for each class, beta: of another n, less their means
    Units     asked: the digits of the objective for which the status is "optimal"
    Exact     yes: floats and decimals are taken as the rationals they are
    Cost      n multiplications of integers for each multiplier that is not zero; n³ once for a kernel that promises
              nothing
    Raises    InvalidInput if the lengths differ
    """
    _check_lengths(machine, alpha, beta0)
    exact = rationally(machine)
    a = tuple([Vector.of(map(rational, own)) for own in alpha])
    scaled = list(map(Scaled.of, alpha))
    images = scaled_products(machine.K, scaled)
    h = _values(exact, images)
    b = _intercepts(exact, a, h) if beta0 is None else Vector.of(map(rational, beta0))
    made = h, _squares(exact, scaled, images, [Fraction(1)] * len(b))
    delivered, squares = _delivered(exact, planes, beta) or made
    f = tuple([Vector.of([v + t - b.sum() / len(b) for v in own]) for own, t in zip(delivered, b)])
    worst, where = _worst(exact, a, f, b)
    primal, bound = objective(exact, f, squares), _bound(exact, a, images)
    convex = machine.positive or definiteness.definite(machine.K, True, machine.counted)[0]
    proven = relative_digits(primal, bound, _of_zero(exact))
    assert proven is not None
    found = min(proven, _kept(exact, a, b))
    return Certificate(
        status=status(found, asked, convex=convex),
        primal=primal,
        dual=bound if convex else None,
        gap=primal - bound if convex else None,
        worst_violation=worst,
        where=where,
        unique=_unique(exact, a, delivered) if convex and worst == 0 else {"h": convex, "intercept": None},
        premise="the kernel is positive semidefinite; its rounded values are taken as exact" if machine.rounded else "",
        digits=found,
    )


def _check_lengths(machine: Machine, alpha: Sequence[Sequence[Number]], beta0: Optional[Sequence[Number]]) -> None:
    n, m = machine.n, machine.classes
    if len(alpha) != m or any(len(own) != n for own in alpha):
        raise InvalidInput("lee_lin_wahba", need=f"{n} multipliers for each of {m} classes", got=len(alpha))
    if beta0 is not None and len(beta0) != m:
        raise InvalidInput("lee_lin_wahba", need=f"{m} intercepts, one for each class", got=len(beta0))


def slopes(
    machine: Machine, alpha: Sequence[Vector], lift: Callable[[Any], Any] = float
) -> Optional[tuple[Vector, ...]]:
    """Return the coefficients Σ β_ik xᵢ of each class of multipliers, each rounded once; None of no linear kernel.

    Shapes    machine: its K in fractions, or as rows of a linear kernel
    """
    points = linear_points(machine.K)
    if points is None:
        return None
    rows = [Scaled.of(as_given(x)) for x in points]
    beta = coefficients(rationally(machine), tuple([Vector.of(map(rational, own)) for own in alpha]))
    sums = [combination(rows, Scaled.of(own), len(points[0])) for own in beta]
    return tuple([Vector.of(map(lift, own.fractions())) for own in sums])


def values(
    machine: Machine, planes: Optional[Sequence[Sequence[Number]]], beta: Sequence[Sequence[Number]]
) -> Fractions:
    """Return the values at the points of the functions that are delivered, without intercepts, less their mean."""
    found = _delivered(machine, planes, beta)
    assert found is not None
    return found[0]


def _delivered(
    machine: Machine, planes: Optional[Sequence[Sequence[Number]]], beta: Optional[Sequence[Sequence[Number]]]
) -> Optional[tuple[Fractions, Fraction]]:
    """Return the values of functions at the points, and Σ_k ‖h_k‖², by planes, else by β; None for neither."""
    if planes is not None:
        return _of_planes(machine, planes)
    return None if beta is None else _of_coefficients(machine, beta)


def _of_planes(machine: Machine, planes: Sequence[Sequence[Number]]) -> tuple[Fractions, Fraction]:
    """Return the values of linear functions at the points, and Σ_k ‖h_k‖², by their coefficients less the mean."""
    points, w = [list(map(rational, as_given(x))) for x in linear_points(machine.K) or ()], _centred(planes)
    h = tuple([Vector.of([sum(map(mul, own, x), Fraction(0)) for x in points]) for own in w])
    return h, sum([v * v for own in w for v in own], Fraction(0))


def _of_coefficients(machine: Machine, beta: Sequence[Sequence[Number]]) -> tuple[Fractions, Fraction]:
    """Return the values of the functions Σ β_ik K(xᵢ, ·) at the points, and Σ_k ‖h_k‖², the β less their mean."""
    scaled = list(map(Scaled.of, _centred(beta)))
    images = scaled_products(machine.K, scaled)
    squares = sum([own @ image for own, image in zip(scaled, images)], Fraction(0))
    return tuple([Vector.of(image.fractions()) for image in images]), Fraction(squares)


def _centred(rows: Sequence[Sequence[Number]]) -> list[list[Fraction]]:
    """Return rows, exact, less their mean."""
    exact = [list(map(rational, own)) for own in rows]
    middle = [sum(column) / len(exact) for column in zip(*exact)]
    return [[v - m for v, m in zip(own, middle)] for own in exact]


def _kept(machine: Machine, alpha: Fractions, beta0: Vector) -> float:
    """Return the digits to which box and equal sums are kept, as parts of the largest multiplier, and Σ β_0k = 0."""
    totals = [own.sum() for own in alpha]
    uneven = max(totals) - min(totals)
    tops = zip(*machine.costs)
    outside = max([max(-a, a - top) for own, column in zip(alpha, tops) for a, top in zip(own, column)])
    size = max([own.largest() for own in alpha])
    kept = digits(max(uneven, outside, Fraction(0)), max(size, max(map(abs, totals))))
    return min(kept, digits(beta0.sum(), 1 + beta0.largest()))


def _of_zero(machine: Machine) -> Fraction:
    """Return the objective of f = 0 where the optimum is zero, as a class without costs alone allows; else 0."""
    if all(map(any, zip(*machine.costs))):
        return Fraction(0)
    zero = Vector.of([Fraction(0)] * machine.n)
    return Fraction(objective(machine, [zero] * machine.classes, Fraction(0)))


def rationally(machine: Machine) -> Machine:
    """Return the machine with penalty and costs as the rationals that they are; K is left to `scaled_products`."""
    held = machine if machine.given is None else machine.given
    costs = tuple([Vector.of(map(rational, row)) for row in held.costs])
    total = None if held.total is None else rational(held.total)
    return replace(machine, costs=costs, penalty=rational(held.penalty), total=total, given=None)


def _intercepts(machine: Machine, alpha: Fractions, h: Fractions) -> Vector:
    problem, scale = machine.problem(), machine.scale
    gradient = [[c - scale * v for c, v in zip(costs, own)] for costs, own in zip(problem.c, h)]
    beta0: Vector = -coupled.choose(problem, alpha, gradient) / scale
    return beta0


def _unique(machine: Machine, alpha: Fractions, h: Fractions) -> dict[str, Any]:
    lows, highs = intercept_ends(machine, alpha, h)
    fixed = all(low is not None and low == high for low, high in zip(lows, highs))
    return {"h": True, "intercept": fixed, "f": fixed}


def _values(machine: Machine, images: Sequence[Scaled]) -> Fractions:
    """Return h_k(xᵢ) from the products Kα_k: −(nλ)⁻¹K(α_k − ᾱ)."""
    m, total = len(images), reduce(add, images)
    return tuple(
        [Vector.of((total - own.scaled(Fraction(m))).scaled(1 / (m * machine.scale)).fractions()) for own in images]
    )


def _squares(machine: Machine, alpha: Sequence[Scaled], images: Sequence[Scaled], parts: list[Fraction]) -> Fraction:
    """Return Σ_k ‖h_k‖² of the multipliers s_k α_k, given the products Kα_k and the parts s_k."""
    # Proof: (nλ)² Σ_k ‖h_k‖² = Σ_k (v_k − v̄)ᵀK(v_k − v̄) = Σ_k v_kᵀKv_k − (1/m) Σ_kl v_kᵀKv_l,   v_k = s_k α_k.
    products = [[s * t * (a @ image) for t, image in zip(parts, images)] for s, a in zip(parts, alpha)]
    own = sum([row[k] for k, row in enumerate(products)], Fraction(0))
    return Fraction((own - sum(map(sum, products)) / len(images)) / machine.scale**2)


def _bound(machine: Machine, alpha: Fractions, images: Sequence[Scaled]) -> Fraction:
    """Return −F_D/(n²λ) at the nearest feasible multipliers, given the products Kα_k of α itself.

    They are clipped to their box, those of the classes of larger sums then scaled down to the least sum.
    """
    # Proof: ½ Σ (α_k − ᾱ)ᵀK(α_k − ᾱ) = ½ (nλ)² Σ ‖h_k‖², and a feasible α gives a lower bound on the objective.
    columns = zip(*machine.costs)
    near = tuple([Vector.of([min(max(v, Fraction(0)), top) for v, top in zip(*both)]) for both in zip(alpha, columns)])
    scaled = list(map(Scaled.of, near))
    if near != alpha:
        images = scaled_products(machine.K, scaled)
    totals = [own.sum() for own in near]
    parts = [min(totals) / t if t else Fraction(1) for t in totals]
    squares = _squares(machine, scaled, images, parts)
    paid = sum([s * (a @ c) for s, a, c in zip(parts, near, machine.problem().c)], Fraction(0))
    return Fraction(-machine.penalty * squares / 2 - paid / (machine.divisor * machine.scale))


def _worst(machine: Machine, alpha: Fractions, f: Fractions, beta0: Vector) -> tuple[Fraction, str]:
    """Return the largest violation of a condition and where it is, in words; zero and none at an optimum."""
    found = [(abs(beta0.sum()), f"the intercepts sum to {approximate(beta0.sum()):.6g}, not 0")]
    totals = [own.sum() for own in alpha]
    for k, total in enumerate(totals):
        uneven = total - sum(totals) / len(totals)
        found.append((abs(uneven), f"class {k}: the multipliers sum to {approximate(uneven):.6g} more than the mean"))
    for i, (L, *rows) in enumerate(zip(machine.costs, zip(*alpha), zip(*f))):
        for k, (top, a, v, y) in enumerate(zip(L, *rows, machine.code(i))):
            miss = abs(a - min(max(a + v - y, Fraction(0)), top))
            if miss > found[-1][0]:
                found.append((miss, _reported(i, k, a, top, v - y)))
    worst, where = max(found, key=lambda pair: pair[0])
    return worst, where if worst else ""


def _reported(i: int, k: int, a: Fraction, top: Fraction, over: Fraction) -> str:
    place = f"point {i}, class {k}:"
    if not 0 <= a <= top:
        beyond = approximate(max(-a, a - top))
        return f"{place} alpha {approximate(a):.6g} is outside [0, {approximate(top):.6g}] by {beyond:.3g}"
    side = "0" if a == 0 else "L" if a == top else "between 0 and L"
    return f"{place} f − y is {approximate(over):.3g} where alpha is {side}"


def misstated(machine: Machine, alpha: Fractions, beta: Sequence[Sequence[Number]], unit: Number) -> str:
    """Return which of the coefficients is not that of the multipliers up to rounding, in words; none if all are.

    (α_k − ᾱ)/(nλ) takes m sums and four roundings, of numbers of the size of |α_k| + Σ|α_l|/m.

    Exact     yes
    Cost      nm multiplications of fractions
    """
    exact, m = rationally(machine), machine.classes
    a = tuple([Vector.of(map(rational, own)) for own in alpha])
    sizes = [sum(map(abs, row), Fraction(0)) / m for row in zip(*a)]
    allowed = (m + 4) * rational(unit) / exact.scale
    for k, (own, given, want) in enumerate(zip(a, beta, coefficients(exact, a))):
        for i, (v, said, right, size) in enumerate(zip(own, given, want, sizes)):
            if abs(rational(said) - right) > allowed * (abs(v) + size):
                return (
                    f"coefficients_[{i}][{k}] is {approximate(said):.10g}, of the multipliers {approximate(right):.10g}"
                )
    return ""
