"""What every fitted estimator owes: stored as text and read again, it says the same."""

import json

import pytest

import refclass
from refclass import SVC
from refclass.errors import InvalidInput, NotExact
from refclass.oracle import stored
from tests.laws.test_estimators import RUNS, X, Y, made

QUESTIONS = ("predict", "decision_function", "predict_proba", "transform")


def again(estimator):
    """The estimator as it comes out of its text."""
    return stored.decode(json.loads(json.dumps(stored.encode(estimator))))


def said(estimator, rows):
    """What the estimator answers to every question it takes, or that its arithmetic has no answer."""
    answers = {}
    for name in QUESTIONS:
        if hasattr(estimator, name):
            try:
                answers[name] = getattr(estimator, name)(rows)
            except NotExact as refusal:
                answers[name] = str(refusal)
    return answers


@pytest.mark.parametrize(("name", "arithmetic"), RUNS)
def test_a_stored_estimator_answers_as_the_one_that_was_fitted(name, arithmetic):
    """Predictions, decision values, probabilities and coordinates come back the same, with ==."""
    estimator = made(name, arithmetic=arithmetic)
    rows = [[x] for x, _ in X] if name == "SmoothingSpline" else X
    try:
        estimator.fit(rows, Y)
    except (InvalidInput, NotExact):
        assert arithmetic != "float"
        return
    assert said(again(estimator), rows) == said(estimator, rows)


@pytest.mark.parametrize("multiclass", ["ovo", "ovr"])
def test_a_machine_on_kernel_values_knows_its_training_points_again(multiclass):
    """With kernel="precomputed" a training point is its place among the others."""
    points, labels = [*X, *([x + 9, z] for x, z in X)], [*Y, *(2 for _ in X)]
    K = refclass.gram(points)
    machine = SVC(kernel="precomputed", multiclass=multiclass).fit(K, labels)
    assert said(again(machine), K[:5]) == said(machine, K[:5])
