"""Perceptron."""

import pytest

from refclass import Perceptron
from refclass.errors import InvalidInput, NotConverged
from tests.discriminants.samples import PLANE

X, Y = PLANE


def test_the_training_is_reported_and_proven():
    """Objectives fall from step to step; the certificate's gap is what is left above the least sum of squares
    [CMP-SLP].
    """
    model = Perceptron()
    reported = [float(words.partition(": ")[2]) for _, _, words in model.fit_steps(X, Y)]
    assert reported == sorted(reported, reverse=True) and model.n_iter_ == len(reported) - 1
    assert model.certificate_.gap < 1e-20 and model.certificate_.primal == pytest.approx(2 * model.objective_)
    early = Perceptron(tol=0.5).fit(X, Y)
    assert early.certificate_.gap > 0.01 and early.n_iter_ < model.n_iter_


def test_outputs_are_linear_in_the_coefficients():
    """decision_function is coef_ and intercept_; two classes have one row."""
    model = Perceptron(arithmetic="exact").fit(X, Y)
    for x, f in zip(X, model.decision_function(X)):
        assert f == [sum(a * b for a, b in zip(row, x)) + c for row, c in zip(model.coef_, model.intercept_)]
    two = Perceptron(arithmetic="exact").fit(X, [g > 0 for g in Y])
    assert len(two.coef_) == len(two.intercept_) == 1
    (f,) = two.decision_function([[1, 2]])
    assert f == two.coef_[0][0] + 2 * two.coef_[0][1] + two.intercept_[0]


def test_wrong_parameters_are_refused():
    """A budget that is none, a tolerance below zero; a budget that runs out."""
    for wrong in ({"max_iter": 0}, {"tol": -1}):
        with pytest.raises(InvalidInput):
            Perceptron(**wrong).fit(X, Y)
    with pytest.raises(NotConverged):
        Perceptron(max_iter=1).fit(X, Y)
