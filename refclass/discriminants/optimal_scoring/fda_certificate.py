"""The certificate of a flexible discriminant: what its scores claim, checked."""

from __future__ import annotations

from typing import Any

from refclass.certificate import Certificate
from refclass.discriminants.decision.exact import Failure, concluded, difference, entries, exact_matrix
from refclass.discriminants.optimal_scoring import score_certificate
from refclass.discriminants.optimal_scoring.class_moments import without_trivial
from refclass.discriminants.optimal_scoring.fda import Model
from refclass.linear.clearing import product
from refclass.linear.exact import fraction_free
from refclass.linear.matrix import Matrix
from refclass.number.tolerance import THRESHOLD, roundoff
from refclass.sample.moments import Moments, moments
from refclass.sample.observations import Sample


def indicators(sample: Sample, regression: Any) -> tuple[Moments, Matrix]:
    """Return the exact moments of the fitted indicators, and YᵀŶ/n without the trivial pair."""
    known = moments(Sample(regression.fitted, sample.labels, sample.classes, sample.weights))
    pi = known.shares
    return known, without_trivial(Matrix.of([w * mean for w, mean in zip(pi, known.means)]), pi)


def failures(sample: Sample, model: Model) -> list[Failure]:
    """Return how far scores and centroids are off for the regression's fitted values as they are, exactly.

        YᵀŶΘ = YᵀYΘ diag(μ),    ΘᵀYᵀYΘ/n = I,    w = 1/(μ(1 − μ))

    without roots, for Q = Aᵀdiag(w)A and N, D as above: N Q N = N + N(D − N)⁻¹N.
    """
    known, N = indicators(sample, model.regression)
    A, pi = exact_matrix(model.axes), known.shares
    D, bulk = Matrix.diagonal_of(pi), score_certificate.spread(known.sizes_of, A.T)
    found = [entries("the class means of the coordinates", model.centroids, product(known.means, A.T), bulk)]
    if model.optimal is None:
        weighted = Matrix.of([w * a for w, a in zip(exact_matrix([model.weights])[0], A)])
        want = N + N @ fraction_free.solve(D - N, N)
        return [*found, (difference(N @ (A.T @ (weighted @ N)), want), "the weights of the coordinates")]
    values = model.optimal.values
    return [*found, *score_certificate.equations(N, pi, values, A.T), score_certificate.weights(values, model.weights)]


def certify(sample: Sample, model: Model) -> Certificate:
    """Return the proof of `failures`.  That the regression itself is what it should be, is its own proof."""
    unit = roundoff(sample.kind)
    return concluded(failures(sample, model), unit, premise=premise(sample, model), unique=unique(model))


def premise(sample: Sample, model: Model) -> str:
    """Return what the proof takes as given: the regression, and the bound of a score that it explains wholly."""
    found, unit = "the regression, as it was fitted", roundoff(sample.kind)
    most = 1 - 2 * THRESHOLD * sample.n * unit - unit
    if unit and model.optimal is not None and max(model.optimal.values) > most:
        found += "; a score that is explained wholly counts as explained but for 60·n·eps"
    return found


def unique(model: Model) -> dict[str, bool]:
    """Return whether the plane of the scores is the only one, and whether each score is, but for its sign."""
    if model.optimal is None:  # all coordinates, in an exact field, and no scores
        return {"directions": True}
    return model.optimal.unique(model.weighing.F)
