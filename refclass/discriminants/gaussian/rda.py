"""Regularised discriminants: class covariances shrunk to the pooled one, and that to a multiple of the identity.

Σ̂ₖ(α, γ) = α Σ̂ₖ + (1 − α) Σ̂(γ)        Σ̂(γ) = γ Σ̂ + (1 − γ) σ̂² I        σ̂² = tr(Σ̂)/p
"""

from __future__ import annotations

from typing import Optional

from refclass.discriminants.gaussian import qda
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector
from refclass.number.field import Field, Number
from refclass.sample import covariance
from refclass.sample.observations import Sample


def toward_pooled(class_covariance: Matrix, pooled: Matrix, alpha: Number) -> Matrix:
    """Return the class covariance shrunk to the pooled one  [ESL-4.13] [ESL-4.3.1-family].

        Σ̂ₖ(α) = α Σ̂ₖ + (1 − α) Σ̂

    Exact     yes
    """
    return _mixed(alpha, class_covariance, pooled)


def toward_scalar(pooled: Matrix, gamma: Number) -> Matrix:
    """Return the pooled covariance shrunk to a multiple of the identity  [ESL-4.14].

        Σ̂(γ) = γ Σ̂ + (1 − γ) σ̂² I,    σ̂² = tr(Σ̂)/p

    Exact     yes
    Laws      the trace and the eigenvectors stay
    """
    p = len(pooled)
    scalar = pooled.trace() / p
    return _mixed(gamma, pooled, Matrix.diagonal_of([scalar] * p))


def _mixed(share: Number, A: Matrix, B: Matrix) -> Matrix:
    return Matrix.of([share * x + (1 - share) * y for x, y in zip(A, B)])


def covariances(sample: Sample, alpha: Number, gamma: Number) -> list[Matrix]:
    """Return the covariance Σ̂ₖ(α, γ) of every class  [ESL-4.3.1-family].

    Covariances are unbiased: Σ̂ₖ with divisor nₖ − 1, Σ̂ with n − K. With α = 0 a class of one observation will do.

    Exact     yes
    Raises    NoAnswer if a class has too few observations
    """
    shared = toward_scalar(covariance.pooled(sample), gamma)
    if alpha == 0:
        return [shared] * sample.K
    return [toward_pooled(sigma, shared, alpha) for sigma in covariance.of_classes(sample)]


def fit(
    F: Field,
    sample: Sample,
    *,
    alpha: Number,
    gamma: Number,
    priors: Optional[Vector] = None,
    costs: Optional[Matrix] = None,
    pseudo_inverse: bool = False,
) -> qda.Model:
    """Return the quadratic rule with covariances Σ̂ₖ(α, γ)  [ESL-4.13] [ESL-4.14] [ESL-4.3.1-family].

    Exact     yes, where F is
    Raises    NoAnswer with the class and a null vector if a covariance is singular, unless the pseudo-inverse is
              asked for
    """
    metrics = qda.factor_all(F, covariances(sample, alpha, gamma), sample.classes, pseudo_inverse)
    return qda.of_sample(F, sample, metrics, priors, costs)
