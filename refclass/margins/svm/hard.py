"""The hard margin: a separating hyperplane as far from both classes as can be, or the proof that none exists.

minimise ½‖β‖²   subject to   yᵢ(xᵢᵀβ + β₀) ≥ 1
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Optional

from refclass.errors import InvalidInput
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector
from refclass.number.field import Number


def objective(square: Number) -> Number:
    """Return what the hard margin minimises, from square = ‖β‖²  [ISML-27.1.1-hard] [MMST-11.10] [KIM-3.19].

        ½‖β‖²

    ‖β‖, ‖β‖² and ½‖β‖² have the same minimiser; their multipliers differ in scale.
    Exact     yes
    """
    return square / 2


def lagrangian(alpha: Vector, y: Vector, square: Number, f: Vector) -> Number:
    """Return the Lagrange function of the hard margin, for α ≥ 0  [MMST-11.12] [MMST-11.13] [KIM-3.21].

        ½‖β‖² − Σ αᵢ {yᵢ f(xᵢ) − 1}        f(x) = xᵀβ + β₀

    Exact     yes
    """
    return objective(square) - sum(a * (t * v - 1) for a, t, v in zip(alpha, y, f))


def residuals(alpha: Vector, y: Vector, f: Vector) -> dict[str, Number]:
    """Return how far each KKT condition of the hard margin fails at β = Σ αᵢyᵢxᵢ, the worst over the points.

        "margin"           [1 − yᵢf(xᵢ)]₊          [MMST-11.4] [MMST-11.5] [MMST-11.11] [MMST-11.16]
        "alpha"            [−αᵢ]₊                  [MMST-11.17] [KIM-3.25]
        "complementarity"  |αᵢ{yᵢf(xᵢ) − 1}|       [MMST-11.18] [KIM-3.24]
        "balance"          |Σ αᵢyᵢ|                [MMST-11.19] [MMST-11.23] [KIM-3.27]

    f(xᵢ) = Σⱼ αⱼyⱼxᵢᵀxⱼ + β₀  [MMST-11.20] [MMST-11.24] [MMST-11.27] [KIM-3.26] [KIM-3.29].
    All zero is necessary and sufficient for the optimum.
    Exact     yes
    """
    margins = f.times(y)
    zero = alpha.kind(0)
    return {
        "margin": max([max(1 - m, zero) for m in margins]),
        "alpha": max([max(-a, zero) for a in alpha]),
        "complementarity": max([abs(a * (m - 1)) for a, m in zip(alpha, margins)]),
        "balance": abs(alpha @ y),
    }


def square_of_multipliers(alpha: Vector, costs: tuple[Optional[Number], ...]) -> Number:
    """Return ‖β‖² at the optimum of the machine without slack, or with squared slack, from its multipliers alone.

        ‖β‖² = Σ αᵢ                      no slack: the half-width of the band is (Σ αᵢ)^(−½)  [MMST-11.30] [MMST-11.31]
        ‖β‖² = Σ αᵢ − Σ αᵢ²/(2Cᵢ)        squared slack  [MMST-Ex11.3d]

    Proof in spec/claims: multiply yᵢf(xᵢ) = 1 by αᵢ, and sum over the support vectors. With squared slack the machine
    is a hard margin with K + diag(1/(2C)) (RC-17), whose squared norm Σ αᵢ has Σ αᵢ²/(2Cᵢ) on top.
    Exact     yes
    """
    return alpha.sum() - sum([a * a / (2 * c) for a, c in zip(alpha, costs) if c is not None], alpha.kind(0))


@dataclass(frozen=True)
class Common:
    """A point that the convex hulls of both classes share: no hyperplane has one class on each side.

    weights    n numbers ≥ 0, summing to 1 over each class
    point      Σ wᵢxᵢ over the one class, and over the other
    """

    weights: Vector
    point: Vector


def common_point(weights: Vector, y: Vector, X: Matrix) -> Common:
    """Return the proof of inseparability that a ray of the dual is  [ISML-27.1.1-separable] [MMST-11.4] [MMST-11.5].

    Along α + t·w with w ≥ 0, Σ wᵢyᵢ = 0 and Σ wᵢyᵢxᵢ = 0 the dual Σα − ½‖Σ αᵢyᵢxᵢ‖² rises without end; dividing w by
    the sum of one class makes it a convex combination in each class, with the same value in both.

    Exact     yes
    Raises    InvalidInput unless w is such a ray
    """
    n = len(y)
    positive = sum(w for w, t in zip(weights, y) if t > 0)
    if len(weights) != n or min(weights) < 0 or positive <= 0 or weights @ y != 0:
        raise InvalidInput("hard", need="weights ≥ 0, equal sums over both classes, not all zero", got=weights)
    w = weights / positive
    sides = [sum((c * x for c, t, x in zip(w, y, X) if t == side), X[0] - X[0]) for side in (1, -1)]
    if sides[0] != sides[1]:
        raise InvalidInput("hard", need="the same point from both classes", got=f"{sides[0]} and {sides[1]}")
    return Common(w, sides[0])
