"""NeuralNetwork."""

import random

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


@pytest.mark.parametrize("power", [-300, 40, 330, 660])
def test_weights_in_other_units_train_alike(power):
    """Weights and λ times a power of two: the same coefficients, bit for bit, and the criterion times that."""
    r = random.Random(3)
    X, y = [[r.gauss(g, 1), r.gauss(0, 1)] for g in (0, 1) * 6], [0, 1] * 6
    weights, unit = [r.choice([1, 2, 3]) for _ in y], 2.0**power
    one = NeuralNetwork(hidden=2, penalty=0.5).fit(X, y, weights)
    other = NeuralNetwork(hidden=2, penalty=0.5 * unit).fit(X, y, [w * unit for w in weights])
    assert other.output_coef_ == one.output_coef_ and other.hidden_coef_ == one.hidden_coef_
    assert other.objective_ == one.objective_ * unit and other.n_iter_ == one.n_iter_
    assert one.certificate_.status == other.certificate_.status == "stationary"


def test_a_row_of_far_more_weight_than_others_has_the_spread_that_decimals_find():
    """At 10¹⁰⁰ times the weight of others a row is the mean but for 10⁻¹⁰⁰: roundoff of it was all of the variance."""
    r = random.Random(5)
    X, y = [[r.gauss(g, 1), r.gauss(0, 1)] for g in (0, 1) * 3], [0, 1] * 3
    weights = [1, 1e100, 1, 1, 1e-100, 1]
    found, want = (
        NeuralNetwork(hidden=2, penalty=0.5, arithmetic=a).fit(X, y, weights) for a in ("float", "decimal:60")
    )
    assert found._model.scale == pytest.approx([float(v) for v in want._model.scale], rel=1e-12)
    assert found.certificate_.status == want.certificate_.status == "stationary"
    assert found.predict(X)[1] == y[1]


def test_a_training_says_why_it_ended():
    """Out of steps; or because roundoff hides what further steps would gain."""
    X, y = [[0.0], [1.0], [0.5], [2.0], [1.5], [3.0]], [0, 1, 0, 1, 0, 1]
    short = NeuralNetwork(hidden=2, penalty=0.1, max_iter=2).fit(X, y).certificate_
    assert short.status == "not converged" and short.where.endswith("(stopped after 2 steps)")
    fine = NeuralNetwork(hidden=2, penalty=0.1, tol=0).fit(X, y).certificate_
    assert fine.status == "not converged" and fine.where.endswith("lowers the criterion beyond roundoff)")
