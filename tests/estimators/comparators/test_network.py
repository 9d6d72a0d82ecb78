"""NeuralNetwork."""

import pytest

from refclass import NeuralNetwork
from refclass.errors import InvalidInput, NotExact
from tests.discriminants.samples import PLANE

X, Y = PLANE


def test_the_training_is_reported_and_recorded():
    """Objectives fall, one for each step and the start; the certificate has the gradient; posteriors sum to one
    [CMP-MLP].
    """
    model = NeuralNetwork(hidden=3, penalty=0.1)
    reported = list(model.fit_steps(X, Y))
    assert len(reported) == len(model.objectives_) == model.n_iter_ + 1 and model.objective_ == model.objectives_[-1]
    assert all(a > b for a, b in zip(model.objectives_, model.objectives_[1:]))
    assert model.certificate_.worst_violation <= 1e-6 and model.certificate_.status == "stationary"
    assert (len(model.hidden_coef_), len(model.output_coef_)) == (3, 3)
    for shares, label in zip(model.predict_proba(X), model.predict(X)):
        assert sum(shares) == pytest.approx(1) and shares[label] == max(shares)


def test_to_stop_early_is_no_refusal():
    """max_iter steps and not one more; none at all leaves the start."""
    early = NeuralNetwork(max_iter=3).fit(X, Y)
    assert early.n_iter_ == 3 and early.certificate_.worst_violation > 1e-3
    assert NeuralNetwork(max_iter=0).fit(X, Y).objectives_[0] == early.objectives_[0]


def test_decimals_take_the_same_steps():
    """The first steps in twenty digits are those in doubles."""
    a, b = (NeuralNetwork(hidden=2, max_iter=4, arithmetic=name).fit(X, Y) for name in ("float", "decimal:20"))
    assert all(abs(u - float(v)) < 1e-9 for u, v in zip(a.objectives_, b.objectives_))


WRONG = [{"hidden": 0}, {"hidden": 2.5}, {"penalty": -1}, {"max_iter": -1}, {"tol": -1}, {"seed": "a"}]


@pytest.mark.parametrize("wrong", WRONG, ids=str)
def test_wrong_parameters_are_refused(wrong):
    """Before training."""
    with pytest.raises(InvalidInput):
        NeuralNetwork(**wrong).fit(X, Y)


def test_exact_arithmetic_has_no_network():
    """Roots and hyperbolic tangents are not rational."""
    with pytest.raises(NotExact):
        NeuralNetwork(arithmetic="exact").fit(X, Y)


@pytest.mark.parametrize("offset", [1e9, 1e15])
def test_a_network_far_from_zero_is_the_one_near_it(offset):
    """Points measured from the mean that the training took off: the decision values at 10¹⁵ were off by a tenth."""
    X = [[0.0, 4.0], [2.0, 1.0], [1.0, 7.0], [6.0, 3.0], [8.0, 5.0], [7.0, 1.0], [3.0, 3.0]]
    near = NeuralNetwork(hidden=2, penalty=0.5, tol=1e-9).fit(X, list("aababba"))
    far = NeuralNetwork(hidden=2, penalty=0.5, tol=1e-9).fit([[v + offset for v in x] for x in X], list("aababba"))
    moved = far.decision_function([[v + offset for v in x] for x in X])
    assert all(abs(a - b) < 1e-6 for a, b in zip(near.decision_function(X), moved))
