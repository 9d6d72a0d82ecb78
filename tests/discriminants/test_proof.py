"""Proofs of discriminants, exact, from the data as given."""

from fractions import Fraction

import pytest

from refclass.discriminants import lda, least_squares, logistic, proof, qda, scoring
from refclass.errors import NoAnswer
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector
from refclass.number.binary64 import BINARY64
from refclass.number.decimals import decimal
from refclass.number.rational import RATIONAL
from refclass.sample import covariance, data
from tests.discriminants.samples import PLANE, exact, matrix, over, vector

SAMPLE = exact(*PLANE)


def test_a_backward_error_agrees_with_paper():
    """For 2x = 3 at x = 1: |3 − 2|/(2 + 3) = 1/5; zero where the equation holds, zero for zero."""
    assert proof.backward_error(matrix([2]), vector(1), vector(3)) == Fraction(1, 5)
    assert proof.backward_error(matrix([2]), vector("3/2"), vector(3)) == 0
    assert proof.backward_error(matrix([0]), vector(0), vector(0)) == 0


def test_exact_models_are_solved():
    """In exact arithmetic every defining equation holds with ==."""
    for divisor in ("n-k", "n"):
        found = proof.linear(SAMPLE, lda.fit(RATIONAL, SAMPLE, divisor=divisor), divisor)
        assert (found.status, found.worst_violation, found.where) == ("solved", 0, "")
    sigmas = covariance.of_classes(SAMPLE)
    assert proof.quadratic(SAMPLE, qda.fit(RATIONAL, SAMPLE), sigmas).status == "solved"


@pytest.mark.parametrize("F", [BINARY64, decimal(30)], ids=lambda F: F.name)
def test_rounded_models_fail_by_roundoff(F):
    """In rounded arithmetic the worst failure is a few units of roundoff, measured in fractions."""
    sample = over(F, SAMPLE)
    shifted = data.Sample(
        Matrix([[v / 7 + 1 for v in x] for x in sample.X]), sample.labels, sample.classes, sample.weights
    )
    unit = Fraction(F.eps)
    linear = proof.linear(shifted, lda.fit(F, shifted), "n-k")
    sigmas = covariance.of_classes(proof.exact_sample(shifted))
    quadratic = proof.quadratic(shifted, qda.fit(F, shifted), sigmas)
    for found in (linear, quadratic):
        assert found.status == "approximate" and 0 < found.worst_violation < 1000 * unit and found.where


def test_a_wrong_model_is_found_out():
    """A direction that is wrong by a billionth is named; so is another divisor."""
    model = lda.fit(RATIONAL, SAMPLE)
    wrong = lda.Model(
        model.priors,
        model.means,
        model.metric,
        Matrix([model.directions[0], model.directions[1] * (1 + Fraction(1, 10**9)), model.directions[2]]),
        model.constants,
        model.weighing,
    )
    found = proof.linear(SAMPLE, wrong, "n-k")
    assert found.worst_violation > Fraction(1, 10**10) and found.where == "Σ̂ times the direction of class 1"
    assert proof.linear(SAMPLE, model, "n").where == "the pooled covariance"


def test_least_squares_are_optimal_exactly():
    """In exact arithmetic the gradient is zero and the sum of squares the least."""
    two = exact(PLANE[0], [min(g, 1) for g in PLANE[1]])
    for model in (least_squares.coded(RATIONAL, two, vector(3, 5)), least_squares.indicated(RATIONAL, SAMPLE)):
        sample = two if isinstance(model, least_squares.Coded) else SAMPLE
        found = proof.regression(sample, model, Fraction(0))
        assert (found.status, found.gap, found.worst_violation) == ("optimal", 0, 0)
        assert found.primal == found.dual > 0
    ridge = least_squares.indicated(RATIONAL, SAMPLE, penalty=Fraction(2))
    assert proof.regression(SAMPLE, ridge, Fraction(2)).status == "optimal"


def test_the_gap_of_least_squares_is_the_distance_to_the_least():
    """At shifted coefficients primal − gap is the least sum of squares, the same from every answer."""
    best = least_squares.indicated(RATIONAL, SAMPLE)
    least = proof.regression(SAMPLE, best, Fraction(0)).primal
    moved = least_squares.Indicated(
        least_squares.least_squares.Linear(
            best.regression.intercepts + vector(1, 0, 0), 2 * best.regression.coefficients
        )
    )
    found = proof.regression(SAMPLE, moved, Fraction(0))
    assert found.gap > 0 and found.dual == found.primal - found.gap == least and found.status == "feasible"


def test_floats_are_judged_as_the_rationals_they_are():
    """A fit in doubles has a gap of the order of the square of roundoff, and the data are taken at their exact
    values.
    """
    sample = over(BINARY64, SAMPLE)
    found = proof.regression(sample, least_squares.indicated(BINARY64, sample), 0.0)
    assert found.status == "feasible" and 0 < found.gap < Fraction(1, 10**28)


def test_the_pseudo_inverse_is_declared():
    """A proof about a singular covariance says what was left out; least squares with it are still the least."""
    line = exact([[0, 0], [1, 2], [5, 10], [7, 14]], [0, 0, 1, 1])
    model = lda.fit(RATIONAL, line, pseudo_inverse=True)
    found = proof.linear(line, model, "n-k")
    assert found.worst_violation == 0 and "pseudo-inverse" in found.premise and found.unique == {"directions": False}
    floats = over(BINARY64, line)
    short = least_squares.coded(BINARY64, floats, Vector([0.0, 1.0]), pseudo_inverse=True)
    assert 0 <= proof.regression(floats, short, 0.0).gap < Fraction(1, 10**25)


@pytest.mark.parametrize("F", [BINARY64, decimal(30)], ids=lambda F: F.name)
@pytest.mark.parametrize("penalty", [0, 2])
def test_score_equations_fail_by_roundoff(F, penalty):
    """At the fit the score equations fail by a few units of roundoff of their terms; the value is the log-likelihood
    less
    the penalty, larger than at any shifted coefficients  [LOGIT-2.P2] [MULTINOM.P3].
    """
    sample = over(F, SAMPLE)
    model = logistic.fit(F, sample, penalty=F.lift(penalty))
    found = proof.likelihood(sample, model)
    assert 0 < found.worst_violation < 10**4 * Fraction(F.eps) and "score equations" in found.where
    assert penalty or abs(found.primal - Fraction(model.log_likelihood)) < 10**4 * Fraction(F.eps)
    moved = Matrix([row * (1 + F.lift("0.001" if F.kind is not float else 0.001)) for row in model.coefficients])
    other = logistic.Model(F, model.constants, moved, model.log_likelihood, model.penalty, 0)
    wrong = proof.likelihood(sample, other)
    assert wrong.primal < found.primal and wrong.worst_violation > Fraction(1, 10**5)


def test_optimal_scores_fail_by_roundoff():
    """Eigenproblem, metric and regressions of optimal scores hold up to roundoff, with and without an intercept; a
    score that
    is wrong is named  [OS-EIG.P1] [OS-L.P2].
    """
    F = decimal(30)
    sample = over(F, SAMPLE)
    for intercept in (True, False):
        model = scoring.fit(F, sample, intercept=intercept)
        found = proof.scores(sample, model)
        assert found.status == "approximate" and found.worst_violation < 10**4 * Fraction(F.eps)
    values = Vector([model.optimal.values[0] * 2, model.optimal.values[1]])
    wrong = scoring.Model(
        model.priors,
        scoring.Scores(values, model.optimal.theta),
        model.regression,
        model.weights,
        model.centroids,
        model.weighing,
    )
    assert proof.scores(sample, wrong).where == "the eigenproblem of score 0"


def test_dependent_columns_have_no_proof_of_a_likelihood():
    """What no fit could have made is refused: the proof needs independent columns."""
    line = over(BINARY64, exact([[0, 0], [1, 2], [5, 10], [7, 14]], [0, 1, 0, 1]))
    model = logistic.Model(BINARY64, Vector([0.0, 0.0]), Matrix([[0.0, 0.0], [0.0, 0.0]]), 0.0, 0.0, 0)
    with pytest.raises(NoAnswer):
        proof.likelihood(line, model)
