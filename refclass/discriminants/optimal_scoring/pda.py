"""Penalised discriminants: flexible discriminants on a ridge regression, or linear ones in a penalised metric.

minimise (1/n) Σₗ [Σᵢ (θₗ(g(i)) − h(xᵢ)ᵀβₗ)² + λ βₗᵀΩβₗ]

The columns of the sample are h(x), any basis of the variables. The distance to a class is

    D(x, k) = (h(x) − h̄ₖ)ᵀ (Σ_W + (λ/n)Ω)⁻¹ (h(x) − h̄ₖ)        Σ_W = W/n, h̄ₖ the class mean of h

The slides print λ in place of λ/n, and h(μ) in place of h̄ₖ [ERR-YANG-11] [ERR-YANG-13].
"""

from __future__ import annotations

from typing import Any, Optional

from refclass.bases import penalty as roughness
from refclass.certificate import Certificate
from refclass.discriminants.decision.exact import Failure, concluded, exact_matrix
from refclass.discriminants.gaussian import lda, variates
from refclass.discriminants.gaussian.variates import Variates
from refclass.discriminants.optimal_scoring import fda, fda_certificate
from refclass.discriminants.optimal_scoring.fda import Regression
from refclass.errors import InvalidInput, NoAnswer, NotConverged, NotExact, Refusal, quoted
from refclass.linear.clearing import backward_error, root
from refclass.linear.factorisations import ldl
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector
from refclass.number.field import Field, Number, rational
from refclass.number.tolerance import negligible, roundoff
from refclass.regress.linear import ridge
from refclass.sample import covariance, metric
from refclass.sample.mean import class_means, shares
from refclass.sample.metric import Metric
from refclass.sample.moments import Moments, moments
from refclass.sample.observations import Sample


def semidefinite(F: Field, omega: Matrix) -> Matrix:
    """Return the penalty matrix itself.

    Exact     yes, where F is; elsewhere a form below zero by roundoff of its terms is taken for zero
    Raises    InvalidInput unless it is symmetric; NoAnswer with v, vᵀΩv < 0, if it has a negative direction: a rough
              coordinate would be rewarded, and the criterion has no minimum for some λ
    """
    known = ldl.factor(omega.symmetric())
    if known.inertia[1]:
        v = known.negative_direction
        assert v is not None
        form = v @ (omega @ v)
        size = sum((abs(a * b * c) for a, row in zip(v, omega) for b, c in zip(v, row)), F.kind(0))
        if not negligible(F, form, size, len(v)):
            need = "a positive semidefinite penalty matrix"
            raise NoAnswer("pda", need=need, got=f"a form of {form}", direction=v)
    return omega


def adjacent(p: int, order: int, kind: Any) -> Matrix:
    """Return the roughness of adjacent coordinates: βᵀΩβ = Σⱼ (Δ^order β)ⱼ², for digitised curves  [YANG-pda].

    Exact     yes
    Raises    InvalidInput unless 1 ≤ order < p

    Example
        >>> adjacent(3, 2, float)
        Matrix([1.0, -2.0, 1.0], [-2.0, 4.0, -2.0], [1.0, -2.0, 1.0])
    """
    return roughness.differences(p, order, kind)


def regression(penalty: Number, omega: Optional[Matrix]) -> Regression:
    """Return the ridge regression that penalised discriminants stand on: B = (HᵀH + λΩ)⁻¹HᵀY, H centred."""

    def regress(F: Field, X: Matrix, Y: Matrix, weights: Optional[Vector] = None) -> ridge.Model:
        return ridge.fit(F, X, Y, weights, penalty=penalty, omega=omega)

    return regress


def fit(
    F: Field,
    sample: Sample,
    *,
    penalty: Number,
    omega: Optional[Matrix] = None,
    priors: Optional[Vector] = None,
    count: Optional[int] = None,
) -> fda.Model:
    """Return the penalised discriminants  [YANG-pda].

        βₗ = (HᵀH + λΩ)⁻¹HᵀYΘₗ

    penalty    λ ≥ 0
    omega      Ω, p × p, the identity if none is given
    count      L, the number of coordinates; None: all that explain something

    Exact     yes, where F is, with all coordinates
    Raises    InvalidInput for a negative λ or another shape; NoAnswer with v, vᵀΩv < 0, for a penalty that rewards
              roughness, with a null vector if HᵀH + λΩ is singular; NotConverged where class means differ, but the
              scores are lost in roundoff
    Laws      λ = 0: flexible discriminants on h; distances are `penalised`'s, but for what is the same for all classes
    """
    if omega is not None:
        semidefinite(F, omega)
    try:
        return fda.fit(F, sample, regression(penalty, omega), priors=priors, count=count)
    except NoAnswer as refusal:
        raise lost(F, sample, refusal) from None


def lost(F: Field, sample: Sample, refusal: NoAnswer) -> Refusal:
    """Return the refusal of discriminants without a score; NotConverged where class means differ, in fractions."""
    known = moments(sample)
    if F.exact or refusal.module != "fda" or all(mean == known.centre for mean in known.means):
        return refusal
    need = f"scores that {F.name} numbers separate from roundoff: larger columns, or a smaller penalty"
    return NotConverged("pda", need=need, got="none")


def penalised_metric(
    F: Field, sample: Sample, *, penalty: Number, omega: Optional[Matrix] = None, divisor: str = "n"
) -> Metric:
    """Return the metric of Σ_W + λ_mΩ, in which rough coordinates weigh less  [YANG-pda-distance] [YANG-pda-smooth].

        λ_m = λ/n with Σ_W = W/n, λ/(n − K) with Σ_W = W/(n − K), n the sum of the weights    [ERR-YANG-11]
        Σ_W = I, Ω = diag(ω): coordinate j weighs 1/(1 + λ_mωⱼ)

    Exact     yes, where F is
    Raises    NoAnswer with a null vector if the sum is singular
    """
    if divisor not in ("n", "n-k"):
        raise InvalidInput("pda", need='divisor "n" or "n-k"', got=quoted(divisor))
    shape = Matrix.identity(sample.p, sample.kind) if omega is None else omega
    n = sample.weights.sum() - (sample.K if divisor == "n-k" else 0)
    return metric.factor(F, covariance.pooled(sample, divisor) + (penalty / n) * shape)


def penalised(
    F: Field,
    sample: Sample,
    *,
    penalty: Number,
    omega: Optional[Matrix] = None,
    priors: Optional[Vector] = None,
) -> lda.Model:
    """Return the same rule in the penalised Mahalanobis distance: no regression, no eigenvalues  [YANG-pda-distance].

    Exact     yes, where F is
    """
    known = penalised_metric(F, sample, penalty=penalty, omega=omega)
    return lda.rule(F, shares(sample) if priors is None else priors, class_means(sample), known)


def rayleigh(
    F: Field, sample: Sample, *, penalty: Number, omega: Optional[Matrix] = None, divisor: str = "n"
) -> Variates:
    """Return the directions u that maximise uᵀΣ_Bu subject to uᵀ(Σ_W + λ_mΩ)u = 1  [YANG-pda-rayleigh].

    One after the other; Σ_B weighs the class means by their shares, λ_m is as in `penalised_metric`.

    Laws      u is a multiple of βₗ, with uᵀΣ_Bu = μₗ/(1 − μₗ) for the divisor n
    """
    known = penalised_metric(F, sample, penalty=penalty, omega=omega, divisor=divisor)
    return variates.weighted(F, class_means(sample), known, shares(sample))


def directions(F: Field, model: fda.Model) -> Matrix:
    """Return the penalised variates as columns: βₗ/√(μₗ(1 − μₗ)), p × L, uᵀ(Σ_W + (λ/n)Ω)u = 1.

    Raises    NotExact in an exact field
    """
    if model.optimal is None:
        raise NotExact("pda", need="roots for the variates", got=F.name)
    coefficients: Matrix = model.regression.coefficients
    roots = [F.sqrt(w) for w in model.weights]
    return coefficients @ Matrix.of([root * a for root, a in zip(roots, model.axes)]).T


def linear(model: fda.Model) -> tuple[Matrix, Vector]:
    """Return directions, K × p, and constants of the scores, which are linear in h(x), without priors.

        A η*(x) = A(b + Bᵀh):    rₖ(x) = (A η*(x) − c̄)ᵀdiag(w) cₖ − ½ cₖᵀdiag(w) cₖ    cₖ less their mean c̄

    the same in every arithmetic: (Σ_W + (λ/n)Ω)⁻¹(h̄ₖ − h̄) and −½ (h̄ₖ − h̄)ᵀ(Σ_W + (λ/n)Ω)⁻¹(h̄ₖ + h̄).

    Exact     yes
    """
    turned = model.regression.coefficients @ model.axes.T
    origin = model.regression.origin
    start = model.axes @ model.regression.intercepts
    if origin is not None:
        start = -(turned.T @ (origin.centre + origin.rest))
    pulled = [c.times(model.weights) for c in model.placed]
    directions = Matrix.of([turned @ v for v in pulled])
    return directions, Vector.of([(start - model.centre) @ v - c @ v / 2 for c, v in zip(model.placed, pulled)])


def ridge_equations(known: Moments, model: fda.Model, penalty: Number, omega: Matrix) -> Failure:
    """Return how far the coefficients of the ridge are off: (HᵀWH + λΩ) B = HᵀWY, H centred, exactly."""
    away = [mu - known.centre for mu in known.means]
    W = known.within + known.n * known.between(known.shares)
    A = W + rational(penalty) * exact_matrix(omega)
    right = Matrix.of([n * v for n, v in zip(known.sizes, away)]).T
    roots = [root(n) for n in known.sizes]
    terms = [[root(w) * r for r in roots] for w in W.diagonal()]
    return backward_error(A, model.regression.coefficients, right, terms), "the equations of the ridge"


def certify(sample: Sample, model: fda.Model, penalty: Number, omega: Matrix) -> Certificate:
    """Return the proof of the penalised discriminants, exactly: the equations of the ridge, and those of the scores."""
    found = [ridge_equations(moments(sample), model, penalty, omega), *fda_certificate.failures(sample, model)]
    return concluded(found, roundoff(sample.kind), unique=fda_certificate.unique(model))
