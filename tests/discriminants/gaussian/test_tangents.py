"""Quadratic rules decided by their linear parts, where covariances are alike."""

import random

import pytest

from refclass import QuadraticDiscriminantAnalysis
from refclass.discriminants.gaussian import tangents
from refclass.linear import polar
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector


@pytest.fixture(autouse=True)
def everywhere(monkeypatch):
    """Take linear parts on every interpreter, and for few rows."""
    monkeypatch.setattr(polar, "IN_C", True)
    monkeypatch.setattr(polar, "FASTER", True)
    monkeypatch.setattr(tangents, "FEW", 0)


def sample(p, K, spread, away=0.0, whole=False):
    """Return rows and labels of K classes; class k varies by 1 + k · spread, all columns are `away` from zero."""
    rng = random.Random(f"{p} {K} {spread} {away} {whole}")
    noise = (lambda: float(rng.randint(-2, 2))) if whole else (lambda: rng.gauss(0, 1))
    labels = [i % K for i in range(240)]
    return [[(1 + k * spread) * noise() + 3 * k + away for _ in range(p)] for k in labels], labels


def decided(model, X):
    """Return what the linear parts decide of the rows."""
    known = model._model
    return tangents.largest(known.whites, known.weighing.logs, known.means, model.rows(X), 2**20)


@pytest.mark.parametrize("whole", [False, True])
@pytest.mark.parametrize(("p", "K", "spread", "away"), [(1, 2, 0, 0), (3, 3, 0, 50), (2, 2, 2, 0), (2, 3, 0.1, 900.0)])
def test_rows_get_the_classes_of_one_after_another(p, K, spread, away, whole):
    """Ties of whole numbers included, and rows halfway between others; what linear parts decide is the same class."""
    X, y = sample(p, K, spread, away, whole)
    model = QuadraticDiscriminantAnalysis().fit(X, y)
    X += [[(a + b) / 2 for a, b in zip(*pair)] for pair in zip(X, X[1:])]
    want = [labels[0] for labels in model.ties(X)]
    assert model.predict(X) == want
    assert all(k is None or model.classes_[k] == label for k, label in zip(decided(model, X), want))


def test_like_covariances_leave_few_rows():
    """Where classes vary alike most rows are decided; where one varies ten times as far half or more are in doubt,
    and so all.
    """
    doubts = []
    for spread in (0, 9):
        X, y = sample(2, 2, spread)
        doubts.append(decided(QuadraticDiscriminantAnalysis().fit(X, y), X).count(None))
    assert doubts[0] < 60 and doubts[1] == 240


def test_the_bound_is_one_of_the_norm():
    """‖P − Q‖ for precisions P = WᵀW, Q, of diagonal matrices the largest difference, is at most the bound."""
    white = lambda *d: (Matrix.diagonal_of([float(v) for v in d]), Vector([0.0] * len(d)))  # noqa: E731
    assert 8 <= tangents._norm(white(3, 1), white(1, 2)) <= 8 * 2**0.25
    assert tangents._norm(white(3, 1), white(3, 1)) == 0


def test_rows_far_away_and_columns_beyond_squares_are_in_doubt():
    """Where exponents may be below the depth that is given, or doubles hold no bound."""
    X, y = sample(2, 2, 0)
    model = QuadraticDiscriminantAnalysis().fit(X, y)
    assert decided(model, [[1e9, 0.0], *X]) == [None] * 241
    small = [[v * 1e-120 for v in x] for x in X]
    assert decided(QuadraticDiscriminantAnalysis().fit(small, y), small).count(None) == 240
