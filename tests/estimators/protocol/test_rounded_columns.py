"""Columns of which reading leaves too little are refused by every method that computes with the rounded numbers."""

import json
import random
from fractions import Fraction
from functools import partial

import pytest

from refclass.errors import NotExact
from refclass.estimators.comparators.tree import ClassificationTree
from refclass.estimators.discriminants.lda import LinearDiscriminantAnalysis
from refclass.estimators.margins.svc import SVC
from refclass.estimators.margins.svm_path import SVMPath
from refclass.estimators.protocol.rounded_columns import lost_column
from refclass.estimators.regression.linear_regression import LinearRegression
from refclass.number import arithmetic
from refclass.oracle import answer, judge, problem, reading
from refclass.sample import data

FAR = 10**30
GAUSSIAN = {"name": "gaussian", "gamma": "scale"}
METHODS = ["lda", "qda", "rda", "fisher", "scoring", "fda", "pda", "least_squares", "nearest_neighbors", "tree"]
METHODS += [
    "perceptron",
    "network",
    "gaussian_nodes",
    "sparse_discriminant",
    "actual_distance",
    "one_vs_one",
    "svm_path",
]
RULES = {"rda": {"alpha": "1/2", "gamma": "1/2"}, "network": {"hidden": 2}, "one_vs_one": {"estimator": "lda"}}
RULES["svm_path"] = {"kernel": {"name": "gaussian", "gamma": "scale"}}


@pytest.mark.parametrize("name", ["float", "decimal:20"])
@pytest.mark.parametrize("method", METHODS)
def test_integers_that_are_equal_as_they_are_read_are_refused_and_the_refusal_is_accepted(method, name):
    """Integers of 31 digits that differ in their last: the fit says which column, and `verify` accepts the refusal."""
    given = {"method": method, "parameters": RULES.get(method, {}), "arithmetic": name}
    given |= {"x": [[i % 3, FAR + v] for i, v in enumerate((0, 3, 5, 8, 2, 9))], "y": [0, 1, 0, 1, 0, 1]}
    asked = problem.read(json.dumps(given), "the problem")
    said = json.loads(json.dumps(answer.answer(asked)))
    assert said["refusal"]["type"] == "NotExact", said
    assert said["refusal"]["witness"]["column"] == 1
    assert judge.verify(asked, reading.read(json.dumps(said), "the answer"))["accepted"]
    assert "refusal" not in answer.answer(
        problem.read(json.dumps({**given, "arithmetic": "decimal:60"}), "the problem")
    )


def test_a_refusal_of_columns_that_are_held_is_refuted():
    """Nobody may refuse small integers with the same words."""
    asked = problem.read('{"method": "lda", "x": [[0], [1], [3], [4]], "y": [0, 0, 1, 1]}', "the problem")
    refusal = {"type": "NotExact", "module": "lda", "need": "columns", "got": "one rounded by more", "witness": {}}
    said = reading.read(json.dumps({"method": "lda", "refusal": refusal}), "the answer")
    assert not judge.verify(asked, said)["accepted"]


@pytest.mark.parametrize("estimator", [LinearRegression, SVMPath, partial(SVC, kernel=GAUSSIAN)])
def test_decimals_of_few_digits_are_refused_by_machines_and_regressions(estimator):
    """What decimals of twenty digits lose those of forty hold; linear machines but the path take what was given."""
    X, y = [[FAR + v * 10**10] for v in (0, 3, 5, 8)], [-1, 1, -1, 1]
    with pytest.raises(NotExact, match="decimals of 20 digits hold to 1/1000000000"):
        estimator(arithmetic="decimal:20").fit(X, y)
    estimator(arithmetic="decimal:40").fit(X, y)


@pytest.mark.parametrize("estimator", [LinearDiscriminantAnalysis, ClassificationTree])
def test_doubles_stand_for_themselves(estimator):
    """Neighbouring doubles far from zero are no rounded numbers, and neither are the texts that programs write."""
    steps = [Fraction(10**10) + Fraction(k, 2**19) for k in (0, 1, 3, 4)]
    as_text = [[Fraction(repr(float(v)))] for v in steps]
    for X in ([[float(v)] for v in steps], as_text):
        assert estimator().fit(X, [0, 0, 1, 1]).predict([X[0], X[3]]) == [0, 1]
    assert as_text != [[v] for v in steps]


@pytest.mark.parametrize("seed", range(40))
def test_a_column_is_lost_where_its_rounding_exceeds_its_part_of_the_spread(seed):
    """The definition, entry by entry, in fractions; a column that is constant as it was given loses nothing."""
    r = random.Random(seed)
    name = r.choice(["float", "decimal:20", "decimal:8"])
    F, part = arithmetic.field(name), {"float": 10**3, "decimal:20": 10**9, "decimal:8": 10**4}[name]
    far = 10 ** r.randint(0, 30)
    rows = [[far + Fraction(r.randint(-99, 99), 7) if j else far for j in range(2)] for _ in range(4)]
    X = data.matrix(F, rows)
    away = [max(abs(Fraction(x[j]) - row[j]) for x, row in zip(X, rows)) for j in range(2)]
    lost = part * away[1] > max(row[1] for row in rows) - min(row[1] for row in rows) > 0
    assert lost_column(X) == (1 if lost else None)


def test_knots_that_reading_makes_one_are_refused_and_the_refusal_is_accepted():
    """Sevenths beside 10¹⁶: the curve had fewer knots than the places given, and its proof was an IndexError."""
    x = [[f"{7 * 10**16 + v}/7"] for v in (0, 1, 9, 10, 30, 50, 90, 140)]
    given = {"method": "smoothing_spline", "parameters": {"penalty": "1/1000000"}, "x": x}
    asked = problem.read(json.dumps({**given, "y": [1, 0, 2, 1, 0, 3, 1, 2]}), "the problem")
    said = json.loads(json.dumps(answer.answer(asked)))
    assert said["refusal"]["type"] == "NotExact" and "tell apart" in said["refusal"]["need"], said
    assert judge.verify(asked, reading.read(json.dumps(said), "the answer"))["accepted"]
    right = problem.read(json.dumps({**given, "arithmetic": "exact", "y": [1, 0, 2, 1, 0, 3, 1, 2]}), "the problem")
    assert "refusal" not in answer.answer(right)
