"""The certificate of a mixture: one more step, computed in decimals, and what is delivered beside the mixture."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

from refclass.certificate import ASKED, UNITS, Certificate, digits, status
from refclass.discriminants.decision.exact import (
    Failure,
    concluded,
    exact_matrix,
    exact_vector,
    length,
    numbers,
    same,
    shaped,
)
from refclass.discriminants.gaussian.normal_certificate import priors, variates
from refclass.errors import NoAnswer, Refusal
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector
from refclass.number.field import rational
from refclass.optimise.mixture import em_certificate
from refclass.optimise.mixture.likelihood import Mixture, Problem
from refclass.sample.moments import Moments, moments


def proven(fitted: Any, problem: Problem, eps: Any) -> Certificate:
    """Return how far one more step would move the mixture as it is delivered, and how far all else is off it.

    Of a stationary point in decimals, rounded, the digits that are left are the ceiling: doubles hold no more. So they
    are far from zero, where the point was found from an origin, and its means then rounded.
    """
    s, weights, centres = fitted._sample, fitted.weights_, fitted.means_
    formed = length(weights) == length(centres) == s.K and shaped(fitted.covariance_, s.p, s.p)
    if not formed or not all(length(w) > 0 and shaped(rows, len(w), s.p) for w, rows in zip(weights, centres)):
        return concluded([(Fraction(1), "the shape of the mixture")], eps)
    if length(fitted.log_likelihoods_) < 0:
        return concluded([(Fraction(1), "log_likelihoods_, which is no list")], eps)
    try:
        reported = _reported(fitted)
        found = em_certificate.certify(fitted.field(), problem, reported)
        worst, where = max(_failures(fitted, reported, found), key=lambda failure: failure[0])
    except Refusal as refusal:
        return Certificate("not converged", None, None, None, Fraction(1), str(refusal), digits=0.0)
    held = found.digits or 0
    if worst > found.worst_violation and rational(worst) > UNITS * rational(eps):
        held = min(digits(worst, 1), held)
        found = replace(found, status=status(held, convex=False), worst_violation=worst, where=where, digits=held)
    if held < ASKED and (_of_decimals(fitted) or _only_rounded(fitted, problem, reported)):
        found = replace(found, status=status(held, ceiling=held), ceiling=held)
    return found


def _of_decimals(fitted: Any) -> bool:
    """Return whether a mixture is that of a fit in decimals, rounded, and that is proven."""
    return fitted.is_rounded() and (fitted._twin.certificate_.digits or 0) >= ASKED


def _only_rounded(fitted: Any, problem: Problem, reported: Mixture) -> bool:
    """Return whether a mixture is a stationary one, found from an origin far from zero, its means rounded once."""
    origin, F = fitted._model.components.origin, fitted.field()
    if origin is None:
        return False
    found: Mixture = fitted._fit.answer.x
    centre, sigma = exact_vector(origin.centre), exact_matrix(found.covariance).symmetric()
    exactly = tuple(Matrix.of([mu + centre for mu in exact_matrix(A)]) for A in found.means)
    means = [exact_matrix([[F.delivered(fitted.method, v) for v in mu] for mu in A]) for A in exactly]
    if means != list(reported.means) or sigma != reported.covariance:
        return False
    return (em_certificate.certify(F, problem, replace(found, means=exactly)).digits or 0) >= ASKED


def _reported(fitted: Any) -> Mixture:
    """Return the mixture of weights_, means_ and covariance_, at their exact values."""
    covariance = exact_matrix(fitted.covariance_).symmetric()
    return Mixture(tuple(map(exact_vector, fitted.weights_)), tuple(map(exact_matrix, fitted.means_)), covariance)


def _failures(fitted: Any, reported: Mixture, found: Certificate) -> list[Failure]:
    """Return by how much the attributes are off the mixture, and the priors off the data."""
    known = moments(fitted._sample)
    pi, failed = priors(known, fitted.given_priors(fitted.field(), fitted._sample.K), fitted.priors_)
    failures = [*fitted.delivered(), failed]
    failures.append(same("the numbers of subclasses", list(map(len, reported.weights)), fitted.subclasses_))
    if "n_iter_" in vars(fitted):
        failures.append(same("n_iter_", fitted.n_iter_, max(0, length(fitted.log_likelihoods_) - 1)))
    for weights in reported.weights:
        failures.append(numbers("the sum of the weights", [sum(weights, Fraction(0))], [1]))
    value = fitted.reported("log_likelihood_")
    if value is not None:
        size = abs(rational(found.primal)) + known.n
        failures.append(numbers("the log-likelihood", [value], [found.primal], [size]))
    try:
        axes = fitted.reported("scalings_")
    except NoAnswer:  # subclass means that are equal, or differ by roundoff: nothing of variates is delivered
        axes = None
    if axes is not None:
        means = Matrix.of([m for A in reported.means for m in A])
        masses = Vector.of([share * v for share, weights in zip(pi, reported.weights) for v in weights])
        flat = Moments(masses, means, means, ())
        failures += variates(flat.between(flat.sizes), reported.covariance, fitted.eigenvalues_, axes, None)
    return failures
