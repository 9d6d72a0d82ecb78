"""The optimality conditions of the soft and the hard margin, one function each, for any small problem by hand.

α are the multipliers of the margin constraints, μ those of ξ ≥ 0 (ISML: β, MMST: η, KIM: β).
"""

from __future__ import annotations

from typing import Optional

from refclass.errors import InvalidInput
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector
from refclass.margins.svm.soft import Cost, slack
from refclass.number.field import Number


def weights(alpha: Vector, y: Vector, X: Matrix) -> Vector:
    """Return the weight vector  [ESL-12.10] [ESL-12.17] [MMST-11.20] [MMST-11.24] [MMST-11.40] [KIM-3.26] [KIM-3.43].

        β = Σᵢ αᵢ yᵢ xᵢ

    Exact     yes
    Cost      np + n multiplications
    """
    return Vector.of(X.T @ alpha.times(y))


def weights_of_support(alpha: Vector, y: Vector, X: Matrix) -> Vector:
    """Return the weight vector from the support vectors alone  [MMST-11.25] [MMST-11.50] [ISML-27.2-weights].

        β = Σ αᵢ yᵢ xᵢ over the i with αᵢ > 0        [YANG-solution-to-svc]

    Exact     yes
    """
    support = [i for i, a in enumerate(alpha) if a > 0]
    if not support:
        return X.row(0) - X.row(0)
    return weights(alpha.pick(support), y.pick(support), Matrix.of([X[i] for i in support]))


def balance(alpha: Vector, y: Vector) -> Number:
    """Return Σᵢ αᵢyᵢ, zero at a stationary point  [ESL-12.11] [MMST-11.19] [KIM-3.27] [KIM-3.44] [MMST-11.23].

    Exact     yes
    """
    return alpha @ y


def stationarity(
    alpha: Vector, mu: Vector, y: Vector, X: Matrix, beta: Vector, costs: tuple[Number, ...]
) -> tuple[Vector, Number, Vector]:
    """Return the derivatives of the Lagrangian in β, β₀ and ξ, all zero where it is stationary.

        ∂/∂β  = β − Σ αᵢyᵢxᵢ       [ESL-12.10] [MMST-11.15] [MMST-11.38] [KIM-3.22] [KIM-3.37] [ISML-27.2-stationarity]
        ∂/∂β₀ = −Σ αᵢyᵢ            [ESL-12.11] [MMST-11.14] [MMST-11.37] [KIM-3.23] [KIM-3.38]
        ∂/∂ξᵢ = Cᵢ − αᵢ − μᵢ       [ESL-12.12] [MMST-11.39] [KIM-3.39]

    The hard margin has the first two. All three: [YANG-dual-stationarity].
    Exact     yes
    """
    return beta - weights(alpha, y, X), -balance(alpha, y), Vector(costs) - alpha - mu


def slack_multipliers(alpha: Vector, costs: tuple[Number, ...]) -> Vector:
    """Return the multipliers of ξ ≥ 0  [ESL-12.12] [MMST-11.39] [KIM-3.45] [ISML-27.2-stationarity].

        μᵢ = Cᵢ − αᵢ

    Exact     yes
    """
    return Vector(costs) - alpha


def slacks(f: Vector, y: Vector) -> Vector:
    """Return the least slacks that the constraints allow  [ESL-12.16] [MMST-11.32] [MMST-11.42] [KIM-3.34] [KIM-3.35].

        ξᵢ = [1 − yᵢ f(xᵢ)]₊

    Exact     yes
    """
    return Vector([slack(v, t) for v, t in zip(f, y)])


def residuals(alpha: Vector, xi: Vector, f: Vector, y: Vector, costs: tuple[Number, ...]) -> dict[str, Number]:
    """Return how far each KKT condition of the soft margin fails, the worst over the points.

        "margin"               [1 − ξᵢ − yᵢf(xᵢ)]₊           [ESL-12.16] [MMST-11.42] [KIM-3.34]
        "slack"                [−ξᵢ]₊                        [MMST-11.43] [KIM-3.35]
        "alpha", "mu"          [−αᵢ]₊, [−μᵢ]₊, μ = C − α      [MMST-11.44] [MMST-11.45] [KIM-3.42] [KIM-3.47]
        "margin multiplier"    |αᵢ[yᵢf(xᵢ) − (1 − ξᵢ)]|      [ESL-12.14] [MMST-11.46] [KIM-3.40]
        "slack multiplier"     |μᵢξᵢ|                        [ESL-12.15] [MMST-11.47] [KIM-3.41]
        "balance"              |Σ αᵢyᵢ|                      [ESL-12.11] [KIM-3.38]

    With β = Σ αᵢyᵢxᵢ, all zero is necessary and sufficient for an optimum  [ISML-27.3-complementarity].

    Exact     yes
    """
    zero = alpha.kind(0)
    mu = slack_multipliers(alpha, costs)
    excess = [t * v - (1 - s) for v, t, s in zip(f, y, xi)]
    return {
        "margin": max([max(-e, zero) for e in excess]),
        "slack": max([max(-s, zero) for s in xi]),
        "alpha": max([max(-a, zero) for a in alpha]),
        "mu": max([max(-m, zero) for m in mu]),
        "margin multiplier": max([abs(a * e) for a, e in zip(alpha, excess)]),
        "slack multiplier": mu.times(xi).largest(),
        "balance": abs(balance(alpha, y)),
    }


def errors(xi: Vector) -> int:
    """Return how many points lie on the wrong side, those whose least slack exceeds one  [ESL-12.2-errors].

        #{i : yᵢ f(xᵢ) < 0} = #{i : ξᵢ > 1} ≤ Σ ξᵢ        at most the budget  [YANG-optimization-formulation]

    Exact     yes
    """
    return sum(s > 1 for s in xi)


def category(alpha: Number, cost: Cost) -> str:
    """Return what a multiplier says of its point  [ISML-27.3-categories] [KIM-3.3-categories] [ESL-12.2.1-intercept].

        "none"       α = 0       y f ≥ 1
        "free"       0 < α < C   y f = 1, ξ = 0: an unbounded support vector
        "bounded"    α = C       y f ≤ 1, ξ = 1 − y f: a bounded support vector

    Exact     yes
    Raises    InvalidInput for a multiplier outside [0, C]

    Example
        >>> category(0.25, 1.0), category(1.0, 1.0), category(0.0, None)
        ('free', 'bounded', 'none')
    """
    if alpha < 0 or (cost is not None and alpha > cost):
        raise InvalidInput("conditions", need="0 ≤ alpha ≤ C", got=alpha, C=cost)
    return "none" if alpha == 0 else "bounded" if alpha == cost else "free"


def agrees(kind: str, margin: Number) -> bool:
    """Return whether a functional margin fits the category of its multiplier  [ISML-27.3-categories] [MMST-11.29].

    Exact     yes
    """
    return bool({"none": margin >= 1, "free": margin == 1, "bounded": margin <= 1}[kind])


def violators(alpha: Vector, margins: Vector, costs: tuple[Cost, ...]) -> list[int]:
    """Return the points whose margin does not fit their multiplier: with Σ αᵢyᵢ = 0 none is the proof of an optimum.

        αᵢ = 0 ⇒ yᵢf(xᵢ) ≥ 1,   0 < αᵢ < Cᵢ ⇒ yᵢf(xᵢ) = 1,   αᵢ = Cᵢ ⇒ yᵢf(xᵢ) ≤ 1        [MMST-11.3.5-check]

    The printed check requires ξᵢ(αᵢ − Cᵢ) = 0 only, which α = 0, ξ = 0 passes on every sample  [ERR-MMST-11].

    Shapes    margins: n functional margins yᵢ f(xᵢ), f = Σ αⱼyⱼK(xⱼ, ·) + β₀
    Exact     yes
    Raises    InvalidInput for a multiplier outside its box
    """
    fits = (agrees(category(a, c), m) for a, m, c in zip(alpha, margins, costs))
    return [i for i, good in enumerate(fits) if not good]


def squared_slacks(alpha: Vector, costs: tuple[Number, ...]) -> Vector:
    """Return the slacks that multipliers stand for where slack is squared, costs above zero  [MMST-Ex11.3b].

        2Cᵢξᵢ = αᵢ

    Exact     yes
    """
    return Vector([a / (2 * c) for a, c in zip(alpha, costs)])


def intercepts(alpha: Vector, y: Vector, values: Vector, costs: tuple[Cost, ...]) -> list[Number]:
    """Return the intercept that each free point gives  [ISML-27.4] [ISML-27.3-intercept] [KIM-3.49] [KIM-3.74].

        β₀ = yᵢ − Σⱼ αⱼ yⱼ K(xᵢ, xⱼ)        for 0 < αᵢ < Cᵢ

    At an optimum they are all equal; the books take their average for numerical stability.

    Shapes    values: the n numbers Σⱼ αⱼyⱼKᵢⱼ
    Exact     yes
    """
    return [t - v for a, t, v, c in zip(alpha, y, values, costs) if category(a, c) == "free"]


def average(numbers: list[Number]) -> Optional[Number]:
    """Return the mean of the intercepts, None if there are none  [ESL-12.2.1-intercept] [KIM-3.30] [KIM-3.49]."""
    return sum(numbers) / len(numbers) if numbers else None
