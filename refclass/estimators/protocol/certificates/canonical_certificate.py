"""The certificates of linear and Fisher's discriminants: fitted attributes against the exact moments of the data."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from refclass.certificate import Certificate
from refclass.discriminants.decision.exact import Failure, concluded, exact_matrix, length, logarithm, numbers, shaped
from refclass.discriminants.gaussian import normal_certificate as proof
from refclass.discriminants.gaussian.normal_certificate import PSEUDO
from refclass.errors import NoAnswer
from refclass.linear import canon
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector
from refclass.number.field import Number, rational
from refclass.sample.moments import Moments, moments


def linear(fitted: Any) -> Certificate:
    """Return the certificate of a linear discriminant analysis."""
    known, sample = moments(fitted._sample), fitted._sample
    pi, failed = proof.priors(known, fitted.given_priors(fitted.field(), sample.K), fitted.priors_)
    sigma = known.pooled(fitted.divisor)
    failures = [failed, *_directions(fitted, known, sigma, pi, pi)]
    failures.append(proof.covariance("the pooled covariance", sigma, fitted.covariance_))
    return _concluded(fitted, [*failures, *_scores(fitted, known, sigma, pi)])


def fisher(fitted: Any) -> Certificate:
    """Return the certificate of Fisher's discriminants."""
    known, K = moments(fitted._sample), fitted._sample.K
    masses = known.shares if fitted._shares is not None else Vector.of([Fraction(1, K - 1)] * K)
    return _concluded(fitted, _directions(fitted, known, known.pooled("n-k"), Vector.of([Fraction(1, K)] * K), masses))


def _concluded(fitted: Any, failures: list[Failure]) -> Certificate:
    full = fitted._full.metric.rank == fitted._sample.p
    unique = {"directions": full and not _cut(fitted)}
    return concluded(failures, fitted.field().eps, premise="" if full else PSEUDO, unique=unique)


def _cut(fitted: Any) -> bool:
    """Return whether the directions that are looked at are some of several with the same eigenvalue, up to roundoff."""
    count = fitted.n_components
    try:
        if count is None or fitted.reported("scalings_") is None:
            return False
    except NoAnswer:  # equal class means: there are no variates
        return False
    return canon.cut(fitted.field(), fitted._variates.eigenvalues, count)


def _directions(fitted: Any, known: Moments, sigma: Matrix, pi: Vector, masses: Vector) -> list[Failure]:
    """Return how far the attributes that means and a covariance Σ̂ decide are off, from the exact moments.

    pi        the priors of the rule with all its directions
    masses    what the class means count in B
    """
    model, full = fitted._full, fitted._full.metric.rank == len(sigma)
    away = Matrix.of([mu - known.mixture(pi) for mu in known.means])
    failures = [*fitted.delivered(), proof.means(known, fitted.reported("means_"))]
    failures.append(proof.directions("the directions of the rule", sigma, away, model.directions, full))
    rows, total = model.directions, None
    if hasattr(fitted, "_twin"):  # rounded directions lose the digits of the trace that those in decimals have
        rows = fitted._twin._full.directions
        failures.append(proof.directions("the directions of the rule in decimals", sigma, away, rows, full))
    if full:
        failures.append(proof.condition([sigma], fitted.condition_))
        total = _trace(rows, known, masses)
    try:
        scalings = fitted.reported("scalings_")
    except NoAnswer:  # equal class means: there are no variates, and nothing of them is delivered
        return failures
    if scalings is not None:
        failures += proof.variates(known.between(masses), sigma, fitted.eigenvalues_, scalings, total, full)
    elif len(model.means) == 2 and total is not None:
        failures.append(numbers("the eigenvalue", fitted.eigenvalues_, [total]))
    return failures


def _trace(directions: Matrix, known: Moments, masses: Vector) -> Number:
    """Return tr Σ̂⁻¹B = Σ mₖ (μₖ − c)ᵀΣ̂⁻¹(μₖ − c), by the directions of the rule."""
    reached, mass = exact_matrix(directions), sum(masses, known.n * 0)
    middle = known.mixture(masses) / mass
    shift = Vector.of([sum((m * v for m, v in zip(masses, column)), mass * 0) for column in reached.T]) / mass
    return sum((m * ((d - shift) @ (mu - middle)) for m, d, mu in zip(masses, reached, known.means)), mass * 0)


def _scores(fitted: Any, known: Moments, sigma: Matrix, pi: Vector) -> list[Failure]:
    """Return how far coefficients and intercepts are off."""
    mu, m = known.means, known.mixture(pi)
    away = Matrix.of([mu[1] - mu[0]] if len(mu) == 2 else [v - m for v in mu])
    if fitted.n_components is None:
        full = fitted._full.metric.rank == len(sigma)
        failures = [proof.directions("the coefficients", sigma, away, fitted.coef_, full)]
    else:
        leading = len(fitted._leading.eigenvalues)
        if not shaped(fitted.scalings_, len(sigma), length(fitted.eigenvalues_)):
            return [(Fraction(1), "the shape of the scalings")]
        V = [row[:leading] for row in fitted.scalings_]
        failures = [proof.reduced("the coefficients", sigma, V, away, fitted.coef_)]
    reported = fitted.reported("intercept_")
    if fitted._rule is not None:
        if not shaped(fitted.coef_, 1, len(sigma)) or length(reported) != 1:
            return [*failures, (Fraction(1), "the shape of the coefficients and the cut")]
        full = fitted._full.metric.rank == len(sigma)
        cut = proof.empirical_cut(fitted._sample, sigma, away[0], fitted.coef_[0], -rational(reported[0]), full)
        return [*failures, cut]
    if reported is None:
        return failures
    logs = proof.log_ratios(pi)
    if len(mu) == 2:
        costs = fitted._model.weighing.costs
        extra = 0 if costs is None else logarithm(rational(costs[0][1]) / rational(costs[1][0]))
        return [*failures, proof.contrast(fitted.coef_, reported, mu, logs[1] + extra)]
    return [*failures, proof.constants(fitted.coef_, reported, mu, m, logs)]
