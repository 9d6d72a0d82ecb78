"""What the optimality conditions say of a support vector regression's multipliers, all of them at once.

Each number is computed by the function that carries the mark of its equation (`insensitive`).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Optional

from refclass.kernels.matrices.product import linear_points, product
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector
from refclass.number.field import Number
from refclass.regress.kernel.tube import insensitive


@dataclass(frozen=True)
class Optimality:
    """The quantities of the optimality conditions at (a, b, β₀), exact if these are.

    f, residuals         f(xᵢ), and yᵢ − f(xᵢ)
    slacks               (ξ, ξ′), below and above the tube
    slack_multipliers    (c, d) = (C − a, C − b)
    conditions           how far each condition fails, the worst over the points: all zero at the optimum
    intercepts           the intercept that each free point gives
    lagrangian, dual     equal at the optimum
    derivatives          of the Lagrangian in β₀, β, ξ and ξ′; None unless the kernel is linear
    weights              β; None unless the kernel is linear
    """

    f: Vector
    residuals: Vector
    slacks: tuple[Vector, Vector]
    slack_multipliers: tuple[Vector, Vector]
    conditions: dict[str, Number]
    intercepts: tuple[Number, ...]
    lagrangian: Number
    dual: Number
    derivatives: Optional[tuple[Number, Vector, Vector, Vector]]
    weights: Optional[Vector]


def optimality(
    K: Any,
    y: Vector,
    tube: tuple[Vector, Vector],
    beta0: Number,
    C: Number,
    epsilon: Number,
    *,
    intercept: bool = True,
) -> Optimality:
    """Return what the conditions of the ε-insensitive loss say of multipliers (a, b) and an intercept.

    Exact     yes
    Cost      that of three products K (b − a)
    """
    a, b = tube
    points = linear_points(K)
    X = None if points is None else Matrix.of([Vector.of(x) for x in points])
    products = Vector.of(product(K, b - a))
    f = insensitive.values(a, b, beta0, K)
    r, full = y - f, Vector.of([C] * len(y))
    slacks, signs = insensitive.slacks(r, epsilon), (full - a, full - b)
    beta = None if X is None else insensitive.weights(a, b, X)
    failing = insensitive.residuals(a, b, r, C, epsilon)
    if not intercept:  # Premise: without an intercept Σ(b − a) = 0 is no condition.
        del failing["balance"]
    return Optimality(
        f=f,
        residuals=r,
        slacks=slacks,
        slack_multipliers=signs,
        conditions=failing,
        intercepts=tuple(insensitive.intercepts(a, b, y, products, C, epsilon)),
        lagrangian=insensitive.lagrangian((b - a) @ products, r, slacks, tube, signs, C, epsilon),
        dual=insensitive.dual_objective(a, b, y, K, epsilon),
        derivatives=None if beta is None or X is None else insensitive.stationarity(beta, X, tube, signs, C),
        weights=beta,
    )
