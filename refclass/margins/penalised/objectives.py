"""The criterion of loss and penalty in the forms that the books print."""

from __future__ import annotations

from collections.abc import Callable
from typing import Optional

from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector, dot
from refclass.number.field import Field, Number


def objective(
    F: Field,
    loss: Callable[[Field, Number], Number],
    y: Vector,
    f: Vector,
    square: Number,
    penalty: Number,
    weights: Optional[Vector] = None,
) -> Number:
    """Return loss plus penalty  [ESL-12.25] [ESL-12.29] [ISML-27.6.1-objective] [YANG-penalization-method].

        Σ wᵢ L(yᵢ f(xᵢ)) + (λ/2)‖β‖²        ‖β‖² = αᵀKα for f = β₀ + Σ αᵢ K(xᵢ, ·)  [ESL-Ex12.2]

    With λ = 1/C it is λ times the objective of the support vector machine  [ESL-Ex12.1].

    Exact     yes, if the loss is
    """
    lost = [loss(F, t * v) for t, v in zip(y, f)]
    total = sum(lost, F.kind(0)) if weights is None else dot(weights, lost)
    return total + penalty * square / 2


def slack_objective(xi: Vector, theta: Vector, K: Matrix, penalty: Number) -> Number:
    """Return Σ ξᵢ + (λ/2) θᵀKθ, to be minimised subject to ξᵢ ≥ 1 − yᵢf(xᵢ), ξᵢ ≥ 0  [ISML-27.5].

    Exact     yes
    """
    return xi.sum() + penalty * (theta @ (K @ theta)) / 2


def averaged_objective(
    F: Field, loss: Callable[[Field, Number], Number], y: Vector, f: Vector, square: Number, penalty: Number
) -> Number:
    """Return (1/n) Σ L(yᵢ f(xᵢ)) + λ‖f‖²  [MMST-11.68] [MMST-11.73].

    It is 1/n times the sum with λ′ = 2nλ in place of λ, so that copies of the whole sample change nothing.

    Exact     yes, if the loss is
    """
    return objective(F, loss, y, f, 2 * len(y) * square, penalty) / len(y)


def eigen_objective(
    F: Field,
    loss: Callable[[Field, Number], Number],
    y: Vector,
    f: Vector,
    theta: Vector,
    delta: Vector,
    penalty: Number,
) -> Number:
    """Return Σ L(yᵢ f(xᵢ)) + (λ/2) Σ θ_m²/δ_m, for f = β₀ + Σ θ_m φ_m  [ESL-12.27].

    Exact     yes, if the loss is
    """
    square = sum((t * t / d for t, d in zip(theta, delta)), F.kind(0))
    return objective(F, loss, y, f, square, penalty)


def general_objective(
    F: Field, loss: Callable[[Field, Number], Number], y: Vector, f: Vector, J: Number, penalty: Number
) -> Number:
    """Return Σ L(yᵢ f(xᵢ)) + λ J(f)  [ESL-12.30].

    Exact     yes, if the loss is
    """
    return objective(F, loss, y, f, 2 * J, penalty)


def cost(penalty: Number) -> Number:
    """Return the C of ½‖β‖² + C Σ ξ for the λ of Σ ξ + (λ/2)‖β‖²: 1/λ  [ESL-12.25] [YANG-penalization-method].

    Exact     yes
    """
    return 1 / penalty


def averaged_cost(n: int, penalty: Number) -> Number:
    """Return the C of ½‖β‖² + C Σ ξ for the λ of (1/n) Σ ξ + λ‖β‖²: 1/(2nλ)  [MMST-11.73].

    Exact     yes
    """
    return 1 / (2 * n * penalty)
