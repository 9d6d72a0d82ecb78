"""BRUTO, as the user meets it."""

import random

import pytest

from refclass import BRUTO
from refclass.errors import InvalidInput, NotExact

CHANCE = random.Random(5)
X = [[CHANCE.random() for _ in range(3)] for _ in range(50)]
Y = [(4 * a - 2) ** 2 + b + CHANCE.gauss(0, 0.1) for a, b, _ in X]


def test_attributes_say_what_became_of_each_variable():
    """types_, degrees_of_freedom_ and penalty_ have an entry for each variable, and agree."""
    model = BRUTO().fit(X, Y)
    assert model.types_ == ["smooth", "linear", "excluded"]
    assert model.degrees_of_freedom_[0] > 1 and model.degrees_of_freedom_[1:] == [1, 0]
    assert model.penalty_[1] == float("inf") and model.penalty_[2] is None and model.penalty_[0] > 0
    assert abs(model.intercept_ - sum(Y) / 50) < 1e-12


def test_signs_of_responses_classify():
    """On ±1 responses the sign of the fit is a classifier, and noise does not enter it  [CMP-BRUTO]."""
    labels = [1 if (a - 0.5) ** 2 + (b - 0.5) ** 2 < 0.1 else -1 for a, b, _ in X]
    model = BRUTO().fit(X, labels)
    assert sum((f > 0) != (t > 0) for f, t in zip(model.fitted_values_, labels)) <= 8


def test_the_steps_can_be_followed():
    """steps(X, y) yields the states that fit goes through; the last has the types and the score of the model."""
    model = BRUTO()
    states = list(model.steps(X, Y))
    model.fit(X, Y)
    assert len(states) > 3 and list(states[-1].types) == model.types_
    assert abs(states[-1].gcv - model.gcv_) < 1e-9 * model.gcv_


def test_parameters_out_of_range_are_refused():
    """Costs, limits, thresholds, tolerances and budgets; exact arithmetic with its reason."""
    for option in (
        {"cost": 0},
        {"cost": "dear"},
        {"max_degrees_of_freedom": -1},
        {"threshold": -1},
        {"tol": 0},
        {"start_linear": 1},
        {"max_select": 0},
        {"max_backfit": 1.5},
        {"arithmetic": "fuzzy"},
    ):
        with pytest.raises(InvalidInput):
            BRUTO(**option).fit(X, Y)
    with pytest.raises(NotExact):
        BRUTO(arithmetic="exact").fit(X, Y)
    assert "exact" not in BRUTO.arithmetics


def test_what_is_fitted_exactly_has_digits_beside_the_responses():
    """Lines in two responses: functions of the size of roundoff leave residuals that are nothing beside these."""
    rows = [[float(i), float(i * i % 7)] for i in range(12)]
    model = BRUTO().fit(rows, [[3 * a + 1, 2 * a - b] for a, b in rows])
    assert model.types_ == ["linear", "linear"] and model.certificate_.digits > 12
    assert model.certificate_.status == "stationary"
