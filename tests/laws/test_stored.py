"""What every fitted estimator provides: stored as text, or pickled, and read again, it says the same."""

import json
import pickle
from fractions import Fraction

import pytest

import refclass
from refclass import SVC, SVMPath
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


@pytest.mark.many
@pytest.mark.parametrize(("name", "arithmetic"), RUNS)
def test_a_stored_estimator_answers_as_the_one_that_was_fitted(name, arithmetic):
    """Predictions, decision values, probabilities and coordinates come back the same, from text and pickled."""
    estimator = made(name, arithmetic=arithmetic)
    rows = [[x] for x, _ in X] if name == "SmoothingSpline" else X
    try:
        estimator.fit(rows, Y)
    except (InvalidInput, NotExact):
        assert arithmetic != "float"
        return
    assert said(again(estimator), rows) == said(estimator, rows)
    assert said(pickle.loads(pickle.dumps(estimator)), rows) == said(estimator, rows)


@pytest.mark.parametrize("multiclass", ["ovo", "ovr"])
def test_a_machine_on_kernel_values_knows_its_training_points_again(multiclass):
    """With kernel="precomputed" a training point is its place among the others."""
    points, labels = [*X, *([x + 9, z] for x, z in X)], [*Y, *(2 for _ in X)]
    K = refclass.gram(points)
    machine = SVC(kernel="precomputed", multiclass=multiclass).fit(K, labels)
    assert said(again(machine), K[:5]) == said(machine, K[:5])


LINES = {
    "doubles": ("linear", X),
    "doubles about the median": ("linear", [[x + 2**20, z] for x, z in X]),
    "collinear columns": ("linear", [[x + 2**20, x + 2**20] for x, _ in X]),
    "a kernel that is not rational": ({"name": "gaussian", "gamma": 1}, X),
    "kernel values, followed in decimals": (
        "precomputed",
        [[Fraction(a) * Fraction(b) + Fraction(c) * Fraction(d) for b, d in X] for a, c in X],
    ),
}


@pytest.mark.many
@pytest.mark.parametrize("arithmetic", ["float", "exact", "decimal:20"])
@pytest.mark.parametrize("case", LINES)
def test_a_stored_path_has_the_machine_of_every_cost(case, arithmetic):
    """Break points, events and proof come back the same, and between break points the machine at λ."""
    kernel, rows = LINES[case]
    path = SVMPath(kernel=kernel, arithmetic=arithmetic).fit(rows, Y)
    back = again(path)
    assert pickle.loads(pickle.dumps(path)).certificate_ == path.certificate_
    for name in path.fitted:
        assert getattr(back, name) == getattr(path, name)
    assert back.certificate_ == path.certificate_
    for lam in (max(path.lambdas_) * 2, path.lambdas_[len(path.lambdas_) // 2], path.lambdas_[-1] + path.lambdas_[0]):
        there, here = back.at(lam), path.at(lam)
        assert there.decision_function(rows) == here.decision_function(rows)
        assert there.certificate_ == here.certificate_
