"""The proof of a machine: exact, and without solving anything, whoever found the answer.

Two kinds of answer can be judged: multipliers with an intercept, (α, β₀), and for linear kernels a hyperplane, (β, β₀).
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any, Optional

from refclass.errors import InvalidInput, NoAnswer
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector
from refclass.margins.soft import Machine, intercept_interval, primal_objective
from refclass.number.binary64 import BINARY64
from refclass.number.field import Number, rational
from refclass.number.near import THRESHOLD
from refclass.number.text import approximate
from refclass.optimise import active_set, quadratic
from refclass.optimise.certificate import Certificate, relative_digits
from refclass.optimise.scaled import Scaled
from refclass.regress.product import exact_product, linear_points

HALF = Fraction(1, 2)


def certify(machine: Machine, alpha: Vector, beta0: Number, eps: Any = 0) -> Certificate:
    """Return the proof of (α, β₀) for the machine, exact, whoever found it  [ESL-12.14] [ESL-12.15] [ESL-12.16].

        primal = ½‖β‖² + Σ Cᵢ ξᵢ,   dual = L_D(α),   gap = primal − dual

    For α in the box with Σ αᵢyᵢ = 0 the optimum lies between dual and primal, and the gap is the sum over the points of
    (Cᵢ − αᵢ)[1 − yᵢf(xᵢ)]₊ + αᵢ[yᵢf(xᵢ) − 1]₊: it is zero if and only if every KKT condition holds. The worst violation
    is the largest of |Σ αᵢyᵢ| and, over the points, |αᵢ − clip(αᵢ + 1 − yᵢf(xᵢ), 0, Cᵢ)|, which is zero if and only if
    the three conditions of point i hold. (Squared slack: yᵢf(xᵢ) + αᵢ/(2Cᵢ) in place of yᵢf(xᵢ).)

    Shapes    alpha: n
    Units     eps: the spacing of the numbers that α and β₀ were computed in, 0 if they are claimed to be exact; the
              status is "optimal" if the violation is at most 30 n eps times the size of what f is summed from. Where
              roundoff is so large that this says nothing, it is not: no point may be off by more than ½, half a margin,
              and the gap may not be more than half of the primal, or of what that is at β = 0, Σ Cᵢ
    Exact     yes: floats and decimals are taken as the rationals they are
    Cost      n multiplications of integers for each support vector
    Raises    InvalidInput if the lengths differ
    """
    n = len(machine.y)
    if len(alpha) != n:
        raise InvalidInput("soft", need=f"{n} multipliers, one for each point", got=len(alpha))
    y = list(map(rational, machine.y))
    a, b = list(map(rational, alpha)), rational(beta0)
    costs = tuple([None if c is None else rational(c) for c in machine.costs])
    signed = [v * t for v, t in zip(a, y)]
    products = exact_product(machine.K, signed)
    f = Vector.of([v + b for v in products])
    square = Scaled.of(signed) @ Scaled.of(products)
    soft = [v / (2 * c) if machine.squared and c else Fraction(0) for v, c in zip(a, costs)]
    margins = [t * v + s for t, v, s in zip(y, f, soft)]
    primal = primal_objective(square, f, Vector.of(y), costs, machine.squared)
    dual = Scaled.of(a) @ Scaled.of([1 - s / 2 for s in soft]) - square / 2
    ends = [c if not (machine.squared and c) else None for c in costs]
    residuals = _residuals(a, margins, ends)
    balance = sum(signed, Fraction(0)) if machine.intercept else Fraction(0)
    worst = max(abs(balance), *residuals)
    interval = (b, b)
    if machine.intercept and worst == 0:
        lifted = replace(machine, y=Vector.of(y), costs=costs)
        shifted = Vector.of([v + t * s for v, t, s in zip(products, y, soft)])
        interval = intercept_interval(lifted, Vector.of(a), shifted)
    largest = max(map(abs, a))
    size = 1 + abs(b) + largest * (1 + max(map(abs, map(rational, machine.K.diagonal()))))
    allowed = THRESHOLD * n * rational(eps) * size
    good = worst <= allowed and max(residuals) <= HALF and _close(primal, dual, costs)
    return Certificate(
        status="optimal" if good else "not optimal",
        primal=primal,
        dual=dual,
        gap=None if primal is None else primal - dual,
        worst_violation=worst,
        where=_where(worst, a, margins, ends, residuals, balance),
        unique={"f": True, "intercept": interval[0] == interval[1] if worst == 0 else None},
        premise=_premise(machine),
        digits=relative_digits(primal, dual),
    )


def _premise(machine: Machine) -> str:
    if not machine.positive:
        return "K is positive semidefinite where it matters; its kernel does not promise it"
    return "the kernel is positive semidefinite; its rounded values are taken as exact" if machine.rounded else ""


def _close(primal: Optional[Fraction], dual: Fraction, costs: tuple[Any, ...]) -> bool:
    """Return whether the gap is at most half of the primal, or of the primal at β = 0 if that is larger."""
    if primal is None or None in costs:
        return True
    return abs(primal - dual) <= HALF * max(primal, sum(costs, Fraction(0)))


def _residuals(a: list[Fraction], margins: list[Fraction], ends: list[Optional[Fraction]]) -> list[Fraction]:
    """Return by how much each point violates its KKT conditions."""
    targets = [max(v + 1 - m, Fraction(0)) for v, m in zip(a, margins)]
    return [abs(v - (t if end is None else min(t, end))) for v, t, end in zip(a, targets, ends)]


def _where(
    worst: Fraction,
    a: list[Fraction],
    margins: list[Fraction],
    ends: list[Optional[Fraction]],
    residuals: list[Fraction],
    balance: Fraction,
) -> str:
    """Return where the largest violation is, in words; none at an optimum."""
    if worst == 0:
        return ""
    if worst == abs(balance):
        return f"sum of alpha·y is {approximate(balance):.6g}, not 0"
    i = residuals.index(worst)
    v, end = a[i], ends[i]
    if v < 0 or (end is not None and v > end):
        most = "inf" if end is None else f"{approximate(end):.6g}"
        return f"point {i}: alpha {approximate(v):.6g} is outside [0, {most}]"
    side = "0" if v == 0 else "C" if v == end else "between 0 and C"
    return f"point {i}: y·f − 1 is {approximate(margins[i] - 1):.3g} where alpha is {side}"


def certify_hyperplane(machine: Machine, beta: Vector, beta0: Number, eps: Any = 0) -> Certificate:
    """Return the proof of (β, β₀) for a machine with a linear kernel, multipliers found beside it  [ESL-12.10].

    primal is ½‖β‖² + Σ Cᵢξᵢ at (β, β₀) itself. For the dual side, points inside the band have αᵢ = Cᵢ, points beyond it
    αᵢ = 0, and those on its edge the αᵢ in the box with Σ αᵢyᵢ = 0 that bring Σ αᵢyᵢxᵢ nearest to β: a problem in as
    many variables as points lie on the edge. By weak duality the gap bounds how far (β, β₀) is from the best, whatever
    the multipliers; it is zero at the optimum.

    Shapes    beta: p
    Units     eps as in `certify`: points within √eps of the edge count as on it; the status is "optimal" if the gap is
              at most 30 n eps times the size of the primal's terms, and no more than half as `certify` has it
    Exact     yes
    Raises    InvalidInput if the kernel is not linear or β has another length
    """
    if linear_points(machine.K) is None:
        raise InvalidInput("proof", need="a linear kernel to judge a hyperplane", got="another")
    X = [Vector(map(rational, x)) for x in machine.K.X]
    if len(beta) != len(X[0]):
        raise InvalidInput("proof", need=f"{len(X[0])} coefficients, one for each variable", got=len(beta))
    w, b = Vector(map(rational, beta)), rational(beta0)
    y = Vector(map(rational, machine.y))
    costs = tuple([None if c is None else rational(c) for c in machine.costs])
    f = Vector([x @ w + b for x in X])
    alpha, unmatched = _multipliers(machine, X, y, costs, w, f, rational(eps))
    primal = primal_objective(w @ w, f, y, costs, machine.squared)
    soft = [v / (4 * c) if machine.squared and c else Fraction(0) for v, c in zip(alpha, costs)]
    pull = sum((v * t * x for v, t, x in zip(alpha, y, X)), w - w)
    dual = sum((v - v * s for v, s in zip(alpha, soft)), Fraction(0)) - pull @ pull / 2
    gap = None if primal is None else primal - dual
    worst = max(unmatched, (w - pull).largest())
    size = 1 + abs(primal or 0) + sum((v * abs(g) for v, g in zip(alpha, f)), Fraction(0))
    allowed = THRESHOLD * len(y) * rational(eps) * size
    good = gap is not None and unmatched == 0 and gap <= allowed and _close(primal, dual, costs)
    where = "" if worst == 0 else f"beta is {approximate((w - pull).largest()):.6g} from the nearest sum of alpha·y·x"
    if primal is None:
        i = next(i for i, (v, t, c) in enumerate(zip(f, y, costs)) if c is None and t * v < 1)
        where = f"point {i}: y·f is {approximate(y[i] * f[i]):.6g}, and no slack is allowed"
    elif unmatched:
        where = (
            f"no multipliers of the points on the edge balance sum of alpha·y = 0; {approximate(unmatched):.6g} is left"
        )
    return Certificate("optimal" if good else "not optimal", primal, dual, gap, worst, where, {"beta": True})


def _multipliers(
    machine: Machine, X: list[Vector], y: Vector, costs: tuple[Any, ...], w: Vector, f: Vector, eps: Fraction
) -> tuple[list[Fraction], Fraction]:
    """Return multipliers for a hyperplane, and what no choice of them can balance (0 if they are feasible)."""
    zero = Fraction(0)
    if machine.squared:
        return _squared_multipliers(machine, y, costs, f)
    # Premise: roundoff moves y·f by about eps; a point nearer to the edge than √eps cannot be told from one on it.
    width = Fraction(BINARY64.sqrt(approximate(eps))) * (1 + f.largest())
    edge = [i for i, (v, t) in enumerate(zip(f, y)) if abs(t * v - 1) <= width and costs[i] != 0]
    alpha = [zero if c is None or t * v >= 1 else c for v, t, c in zip(f, y, costs)]
    for i in edge:
        alpha[i] = zero
    rest = -sum((v * t for v, t in zip(alpha, y)), zero)
    if not edge:
        return alpha, abs(rest) if machine.intercept else zero
    target = w - sum((v * t * x for v, t, x in zip(alpha, y, X)), w - w)
    Z = Matrix([y[i] * X[i] for i in edge])
    n = len(edge)
    sums = (Matrix([[y[i] for i in edge]]), Vector([rest])) if machine.intercept else (None, None)
    ends = tuple([costs[i] for i in edge])
    try:
        nearest = active_set.solve(quadratic.Problem(Z @ Z.T, -(Z @ target), (zero,) * n, ends, *sums))
    except NoAnswer:
        return alpha, abs(rest)
    for i, v in zip(edge, nearest.x):
        alpha[i] = v
    return alpha, zero


def _squared_multipliers(
    machine: Machine, y: Vector, costs: tuple[Any, ...], f: Vector
) -> tuple[list[Fraction], Fraction]:
    # Method: αᵢ = 2Cᵢξᵢ by stationarity; the larger class sum is scaled down to the other, so that Σ αᵢyᵢ = 0 exactly.
    alpha = [2 * c * max(1 - t * v, v - v) for v, t, c in zip(f, y, costs)]
    positive = sum((v for v, t in zip(alpha, y) if t > 0), Fraction(0))
    negative = sum((v for v, t in zip(alpha, y) if t < 0), Fraction(0))
    if machine.intercept and positive != negative:
        less = min(positive, negative)
        scale = {1: less / positive if positive else Fraction(0), -1: less / negative if negative else Fraction(0)}
        alpha = [v * scale[1 if t > 0 else -1] for v, t in zip(alpha, y)]
    return alpha, Fraction(0)
