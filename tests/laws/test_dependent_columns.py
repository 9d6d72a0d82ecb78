"""Columns that depend on each other but for the last digits of doubles: the rank is that of the data as given."""

import random

import pytest

import refclass
from refclass import (
    FisherDiscriminant,
    FlexibleDiscriminantAnalysis,
    LeastSquaresClassifier,
    LinearDiscriminantAnalysis,
    OptimalScoring,
    PenalizedDiscriminantAnalysis,
    QuadraticDiscriminantAnalysis,
)
from refclass.certificate import digits
from refclass.errors import NoAnswer

DISCRIMINANTS = [
    LinearDiscriminantAnalysis,
    QuadraticDiscriminantAnalysis,
    FisherDiscriminant,
    OptimalScoring,
    LeastSquaresClassifier,
]


def collinear(seed):
    """Return rows whose second number is a tenth of the first and 7, but for roundoff, and their labels."""
    r = random.Random(seed)
    labels = [i % 2 for i in range(10)]
    return [[x, x * 0.1 + 7] for x in (r.gauss(g, 1) for g in labels)], labels


def near_copies(seed):
    """Return pairs of rows of different classes that are the same but for 1e-13."""
    r = random.Random(seed)
    points = [[r.gauss(0, 1), r.gauss(0, 1)] for _ in range(7)]
    return [[v + (1e-13 if i % 2 else 0) for v in points[i // 2]] for i in range(14)], [i % 2 for i in range(14)]


def proven(model):
    """Return the digits of the certificate."""
    found = model.certificate_.digits
    return found if found is not None else 99


@pytest.mark.parametrize("kind", DISCRIMINANTS)
@pytest.mark.parametrize("pseudo_inverse", [False, True])
def test_columns_that_only_roundoff_keeps_apart_have_an_answer_in_fractions_and_so_in_doubles(kind, pseudo_inverse):
    """With a pseudo-inverse and without one the answer is the same, and its certificate holds."""
    X, y = collinear(3)
    model = kind(pseudo_inverse=pseudo_inverse).fit(X, y)
    found = model.certificate_
    if kind is refclass.LeastSquaresClassifier:  # coefficients of 10¹⁴, rounded, have a sum of squares of their own
        assert found.digits == found.ceiling == digits(found.gap, found.primal)
    else:
        assert proven(model) > 12
    want = kind(pseudo_inverse=pseudo_inverse, arithmetic="decimal:60").fit(X, y)
    assert model.predict(X) == want.predict(X)
    if kind is not QuadraticDiscriminantAnalysis and kind is not FisherDiscriminant:
        # Scores of two classes of one size may have either sign: their largest entries differ by roundoff alone.
        assert [abs(v) for v in model.coef_[0]] == pytest.approx([float(abs(v)) for v in want.coef_[0]], rel=1e-12)


@pytest.mark.parametrize("kind", DISCRIMINANTS)
def test_columns_that_depend_exactly_are_refused_or_left_out(kind):
    """Fractions find the same rank as doubles, and the refusal stands."""
    X, y = collinear(4)
    X = [[v, 2 * v] for v, _ in X]
    with pytest.raises(NoAnswer):
        kind().fit(X, y)
    assert kind(pseudo_inverse=True).fit(X, y).certificate_.digits > 12


@pytest.mark.parametrize("seed", range(3))
def test_classes_of_near_copies_keep_their_digits(seed):
    """Differences of means of 1e-13 have 3 digits in doubles; the directions have all of the data's."""
    X, y = near_copies(seed)
    for model in (FisherDiscriminant(), LinearDiscriminantAnalysis(cutpoint="empirical")):
        assert proven(model.fit(X, y)) > 9


def test_penalised_scores_that_are_explained_almost_wholly_are_those_of_decimals():
    """Columns of 10^±9 leave doubles no digit of 1 − μ; explained wholly, scores have no answer."""
    X, y = [[3e9, 2e-9], [1e9, 1e-9], [4e9, 7e-9], [2e9, 2e-9]], [0, 1, 0, 1]
    model = PenalizedDiscriminantAnalysis(penalty="1/1000000").fit(X, y)
    want = PenalizedDiscriminantAnalysis(penalty="1/1000000", arithmetic="decimal:60").fit(X, y)
    assert model.coef_[0] == pytest.approx(list(map(float, want.coef_[0])), rel=1e-12)
    with pytest.raises(NoAnswer):
        PenalizedDiscriminantAnalysis(penalty=0).fit([[0.25], [1.5]], [0, 1])


def test_a_rule_fitted_in_decimals_is_fitted_anew():
    """Nothing of a fit in decimals is left when the estimator is fitted to other data."""
    X, y = collinear(5)
    model = LinearDiscriminantAnalysis().fit(X, y)
    other = [[0.0, 1.0], [1.0, 0.5], [2.0, 3.0], [4.0, 1.0]], [0, 0, 1, 1]
    assert model.fit(*other).coef_ == LinearDiscriminantAnalysis().fit(*other).coef_
    assert model.predict(other[0]) == LinearDiscriminantAnalysis().fit(*other).predict(other[0])


def test_a_polynomial_whose_monomials_differ_by_all_digits_of_doubles_is_fitted_again_in_decimals():
    """Rows of sizes from 1e-9 to 1e9: in doubles the share that scores explain was 0.55, in fractions it is 0.93."""
    X = [
        [-7e-10, 3e-10],
        [2.125, 1.5e-9],
        [1.2e-9, -1.375],
        [-4e-11, -5e8],
        [2e-9, -1.125],
        [1.125, 1e-9],
        [-0.5, -4e-11],
    ]
    X, y = [*X, [-6e8, 1e-9], [-6.5e8, 9e-10]], [0, 1, 0, 1, 0, 1, 0, 1, 0]
    model = FlexibleDiscriminantAnalysis(regression={"name": "polynomial", "degree": 2}).fit(X, y)
    want = FlexibleDiscriminantAnalysis(regression={"name": "polynomial", "degree": 2}, arithmetic="decimal:60").fit(
        X, y
    )
    assert model.eigenvalues_ == pytest.approx([float(v) for v in want.eigenvalues_], rel=1e-12)
    assert model.predict(X) == want.predict(X) and proven(model) > 12
