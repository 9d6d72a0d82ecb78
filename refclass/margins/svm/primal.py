"""The primal problems as quadratic programmes in (β, β₀, ξ): n + p + 1 variables, for small problems and for checks.

A solver of the dual, of the primal, and of the budget form must agree; these are the forms as the books print them.
"""

from __future__ import annotations

from typing import Any

from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector
from refclass.number.field import Number
from refclass.optimise.quadratic.certificate import Problem


def hard(X: Matrix, y: Vector) -> Problem:
    """Return the hard margin as a quadratic programme in (β, β₀)  [ESL-12.4] [MMST-11.10] [MMST-11.11] [ISML-27.2-qp].

        minimise ½‖β‖²   subject to   yᵢ(xᵢᵀβ + β₀) ≥ 1

    Shapes    X: n × p; the solution is (β₁ … β_p, β₀)
    Exact     yes
    """
    p, kind = len(X[0]), X.kind
    G = Matrix([[-t * v for v in x] + [-t] for x, t in zip(X, y)])
    free = (None,) * (p + 1)
    return Problem(_square(p, kind), _zeros(p + 1, kind), free, free, G=G, h=-_ones(len(y), kind))


def soft(
    X: Matrix, y: Vector, costs: tuple[Number, ...], *, squared: bool = False, nonnegative: bool = True
) -> Problem:
    """Return the soft margin as a quadratic programme in (β, β₀, ξ)  [ESL-12.8] [ISML-27.2] [MMST-11.34] [MMST-11.35].

        minimise ½‖β‖² + Σ Cᵢξᵢ  (Σ Cᵢξᵢ² if squared)   subject to   yᵢ(xᵢᵀβ + β₀) ≥ 1 − ξᵢ,   ξᵢ ≥ 0

    [YANG-statement-3]; with h(xᵢ) in place of xᵢ the machine on basis functions  [YANG-svm-for-classification].
    nonnegative=False leaves ξᵢ ≥ 0 out: redundant where slack is squared  [MMST-Ex11.3] [MMST-Ex11.3a] [KIM-3.33]
    [KIM-3.35].

    Shapes    X: n × p; the solution is (β₁ … β_p, β₀, ξ₁ … ξ_n)
    Exact     yes
    """
    n, p, kind = len(y), len(X[0]), X.kind
    zero = kind(0)
    Q = _square(p, kind, [2 * c for c in costs] if squared else [zero] * n)
    c = Vector([zero] * (p + 1) + [zero if squared else v for v in costs])
    lower = (None,) * (p + 1) + ((zero if nonnegative else None),) * n
    return Problem(Q, c, lower, (None,) * (p + 1 + n), G=Matrix(_margins(X, y)), h=-_ones(n, kind))


def budget(X: Matrix, y: Vector, most: Number) -> Problem:
    """Return the budget form as a quadratic programme in (β, β₀, ξ)  [ESL-12.7] [ESL-12.6] [YANG-statement-2].

        minimise ½‖β‖²   subject to   yᵢ(xᵢᵀβ + β₀) ≥ 1 − ξᵢ,   ξᵢ ≥ 0,   Σ ξᵢ ≤ most

    With M = 1/‖β‖ these are the constraints yᵢf(xᵢ)/‖β‖ ≥ M(1 − ξᵢ): slack relative to the margin  [YANG-statement-1].

    Shapes    X: n × p; the solution is (β₁ … β_p, β₀, ξ₁ … ξ_n)
    Exact     yes
    """
    n, p, kind = len(y), len(X[0]), X.kind
    zero, one = kind(0), kind(1)
    rows = [*_margins(X, y), Vector([zero] * (p + 1) + [one] * n)]
    h = Vector([*(-_ones(n, kind)), most])
    lower = (None,) * (p + 1) + (zero,) * n
    Q = _square(p, kind, [zero] * n)
    return Problem(Q, _zeros(p + 1 + n, kind), lower, (None,) * (p + 1 + n), G=Matrix(rows), h=h)


def meets_absolute(X: Matrix, y: Vector, beta: Vector, beta0: Number, M: Number, xi: Vector, most: Number) -> bool:
    """Return whether a unit normal meets the constraints with slack in actual distance  [ESL-12.5].

        yᵢ(xᵢᵀβ + β₀) ≥ M − ξᵢ,   ξᵢ ≥ 0,   Σ ξᵢ ≤ most,   ‖β‖ = 1        [YANG-nonseparable-case]

    The set of such (β, β₀, M, ξ) is not convex, with ‖β‖ = 1 or with ‖β‖ ≤ 1 and M = 1/‖β‖ put in.
    Exact     yes
    """
    within = all(t * (x @ beta + beta0) >= M - s for x, t, s in zip(X, y, xi))
    return bool(within and min(xi) >= 0 and xi.sum() <= most and beta @ beta == 1)


def power_objective(square: Number, xi: Vector, C: Number, power: int) -> Number:
    """Return the soft margin's objective with any exponent on the slack  [KIM-3.33] [MMST-11.33].

        ½‖β‖² + C Σ ξᵢ^power

    Exact     yes
    """
    return square / 2 + C * sum(s**power for s in xi)


def _square(p: int, kind: Any, tail: Any = ()) -> Matrix:
    return Matrix.diagonal_of(Vector([kind(1)] * p + [kind(0)] + list(tail)))


def _margins(X: Matrix, y: Vector) -> list[Vector]:
    n, zero, one = len(y), X.kind(0), X.kind(1)
    return [
        Vector([-t * v for v in x] + [-t] + [-one if j == i else zero for j in range(n)])
        for i, (x, t) in enumerate(zip(X, y))
    ]


def _zeros(n: int, kind: Any) -> Vector:
    return Vector([kind(0)] * n)


def _ones(n: int, kind: Any) -> Vector:
    return Vector([kind(1)] * n)
