"""Proofs of least squares and likelihoods, exact, from the data and the coefficients as delivered."""

import math
from fractions import Fraction

import pytest

from refclass import LeastSquaresClassifier, LogisticRegression, Perceptron
from refclass.discriminants.logistic import fit_certificate
from refclass.errors import NoAnswer
from refclass.linear.matrix import Matrix
from refclass.number.binary64 import BINARY64
from tests.discriminants.samples import PLANE, exact, over, vector

SAMPLE = exact(*PLANE)
TWO = [min(g, 1) for g in PLANE[1]]


@pytest.mark.parametrize(
    "options", [{}, {"coding": (3, 5)}, {"penalty": 2}, {"coding": (0, 1), "penalty": "1/3"}], ids=str
)
def test_exact_least_squares_are_the_least(options):
    """In exact arithmetic the normal equations hold with ==, and the sum of squares is the least."""
    model = LeastSquaresClassifier(arithmetic="exact", **options).fit(PLANE[0], TWO)
    found = model.certificate_
    assert (found.status, found.gap, found.worst_violation) == ("optimal", 0, 0) and found.primal == found.dual > 0


def test_the_gap_of_least_squares_is_the_distance_to_the_least():
    """At shifted coefficients primal − gap is the least sum of squares, the same from every answer."""
    Y = [[Fraction(t)] for t in TWO]
    model = LeastSquaresClassifier(coding=(0, 1), arithmetic="exact").fit(PLANE[0], TWO)
    best = fit_certificate.squares(SAMPLE, Y, model.coef_, model.intercept_, 0)
    moved = fit_certificate.squares(SAMPLE, Y, [[2 * v for v in model.coef_[0]]], [model.intercept_[0] + 1], 0)
    missed = [t - model.intercept_[0] - sum(a * v for a, v in zip(model.coef_[0], x)) for t, x in zip(TWO, SAMPLE.X)]
    assert best.primal == best.dual == moved.dual == sum(v * v for v in missed) < moved.primal


def test_a_perceptron_is_judged_by_the_same_equations():
    """Trained to its end it is the least; stopped at a tolerance it says to how many digits."""
    assert Perceptron(arithmetic="exact").fit(*PLANE).certificate_.status == "optimal"
    early = Perceptron(tol=0.9).fit(*PLANE).certificate_
    assert early.digits < 9 and early.gap > 0


@pytest.mark.parametrize("labels", [PLANE[1], TWO])
@pytest.mark.parametrize("penalty", [0, 2])
@pytest.mark.parametrize("arithmetic", ["float", "decimal:30"])
def test_score_equations_hold_within_roundoff(labels, penalty, arithmetic):
    """At the fit score equations, likelihood and standard errors hold up to roundoff; primal is the penalised value,
    larger than at other coefficients  [LOGIT-2.P2] [MULTINOM.P3].
    """
    model = LogisticRegression(penalty=penalty, arithmetic=arithmetic).fit(PLANE[0], labels)
    found = model.certificate_
    assert found.digits > (13 if arithmetic == "float" else 27)
    other = LogisticRegression(penalty=penalty).fit(PLANE[0], labels)
    other.coef_ = [[1.001 * v for v in row] for row in other.coef_]
    assert other.certificate_.primal < found.primal and other.certificate_.digits < 9


def test_dependent_columns_have_no_proof_of_a_likelihood():
    """What no fit could have made is refused: the proof needs independent columns."""
    line = over(BINARY64, exact([[0, 0], [1, 2], [5, 10], [7, 14]], [0, 1, 0, 1]))
    with pytest.raises(NoAnswer, match="independent columns"):
        fit_certificate.likelihood(line, Matrix([[0.0, 0.0]] * 2), vector(0, 0))


@pytest.mark.parametrize("k", [1, 50, 60, 100, 301, 5000, 40000])
def test_digits_of_a_unit_are_counted_without_writing_it(k):
    """k of 10ᵏ, where Python writes no integer of more than 4,300 digits."""
    assert fit_certificate._digits(10**k) == k


FAR = over(BINARY64, exact([[-2], [-1], [1], [0], [2], [3], [10**60]], [0, 1, 0, 1, 0, 1, 0]))


def equations(rows, constants, sample=FAR):
    """Return by how much the score equations fail at coefficients."""
    B = Matrix([[v] for v in rows])
    return max(
        v for v, _ in fit_certificate.score_equations(fit_certificate.likelihood(sample, B, vector(*constants)), B, 0)
    )


def test_what_balances_a_value_far_away_is_measured_beside_the_others_pull():
    """A third of the coefficient leaves a posterior of 10⁻²⁰ for 10⁻⁶⁰; from the mean that is 10⁻²⁰ of its terms."""
    model = LogisticRegression(arithmetic="decimal:50").fit([list(x) for x in FAR.X], [0, 1, 0, 1, 0, 1, 0])
    b, c = Fraction(model.coef_[0][0]), Fraction(model.intercept_[0])
    assert equations([-b / 2, b / 2], [-c / 2, c / 2]) < Fraction(1, 10**40)
    assert equations([-b / 6, b / 6], [-c / 2, c / 2]) > Fraction(1, 2)


def test_scores_whose_difference_is_roundoff_of_themselves_are_told_apart():
    """Two of three equal coefficients at 10⁶⁰: the classes share the row, as their constants say, to all digits."""
    B, constants = Matrix([[Fraction(1, 3)], [Fraction(1, 3)], [Fraction(-2, 3)]]), vector(0, Fraction(1, 7), 0)
    labels = over(BINARY64, exact([[-2], [-1], [1], [0], [2], [3], [10**60]], [0, 1, 2, 1, 0, 2, 0]))
    at = fit_certificate.likelihood(labels, B, constants, 1)
    p, q, r = [Fraction(column[6], at.unit) for column in at.posteriors]
    assert r == 0 and abs(float(q / p) - math.exp(1 / 7)) < 1e-12


def test_a_step_of_newton_shows_what_score_equations_of_values_far_away_hide():
    """Six rows about 10¹⁵ among others at 0, their classes symmetric about 10¹⁵ + 3/2: the equations hold to 15 digits
    for any slope there, and the scores for one only  [YANG-logistic-regression].
    """
    rows = [[k] for k in range(7)] + [[10**15 + k] for k in (0, 1, 1, 2, 2, 3)]
    sample = exact(rows, [0] * 7 + [0, 0, 1, 0, 1, 1])
    model = LogisticRegression(arithmetic="decimal:60").fit(rows, sample.labels)
    for factor, right in ((1, True), (2, False)):
        beta = factor * Fraction(model.coef_[0][0])
        B, constants = (
            Matrix([[-beta / 2], [beta / 2]]),
            vector(*[s * beta * (10**15 + Fraction(3, 2)) / 2 for s in (1, -1)]),
        )
        at = fit_certificate.likelihood(sample, B, constants)
        missed = fit_certificate.scores(at, B, constants, 0, fit_certificate.information(at, 0))[0]
        assert max(v for v, _ in fit_certificate.score_equations(at, B, 0)) < Fraction(1, 10**14)
        assert missed < Fraction(1, 10**9) if right else missed > Fraction(1, 10)
