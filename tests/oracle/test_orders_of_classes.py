"""Answers with the classes in another order: what belongs to classes is read in that order, signs and rows alike."""

import json
import random

import pytest

import refclass
from refclass.errors import InvalidInput
from refclass.oracle import answer, judge, problem
from tests.oracle.test_generated import OPTIONS, TWO

METHODS = [kind.method for kind in refclass.estimator_classes() if kind.takes_labels and kind.method != "bayes"]
ONLY_TWO = (*TWO, "kernel_classifier", "semiparametric_classifier", "actual_distance", "sparse_discriminant")
FEW = [("svm_path", 2), ("kernel_classifier", 2), ("one_vs_rest", 2), ("gaussian_nodes", 3)]
ALL = [(method, K) for method in METHODS for K in (2, 3) if K == 2 or method not in ONLY_TWO]
CASES = [*FEW, *(pytest.param(*case, marks=pytest.mark.thorough) for case in ALL if case not in FEW)]


def asked(method, K, turned):
    """Return a problem of classes of unequal sizes, its labels in the other order where they are turned."""
    r = random.Random(f"{method} {K}")
    y = [*range(K), *range(K), *range(K), *range(K), *[min(r.randrange(K + 1), K - 1) for _ in range(6)]]
    x = [[round(r.gauss(0, 1.3) + 2 * g, 2), round(r.gauss(0, 1) - g * g, 2)] for g in y]
    labels = [K - 1 - g for g in y] if turned else y
    given = {"method": method, "parameters": OPTIONS.get(method, [{}])[0], "x": x, "y": labels}
    return problem.read(json.dumps({**given, "query": [x[0], x[-1], [0.3, 0.7]]}), "P.json")


@pytest.mark.parametrize(("method", "K"), CASES)
def test_classes_may_stand_in_another_order(method, K):
    """The answer for labels in the other order is right with the labels as they are; with turned `classes` not."""
    right, other = asked(method, K, False), answer.answer(asked(method, K, True))
    fitted, said = {**other["fitted"], "classes": list(range(K))[::-1]}, dict(other["predictions"])
    if "estimators" in fitted:
        fitted["estimators"] = [_turned(own, K) for own in fitted["estimators"]]
    if "labels" in said:
        said["labels"] = [K - 1 - g for g in said["labels"]]
    found = judge.verify(right, json.loads(json.dumps({"arithmetic": "float", "fitted": fitted, "predictions": said})))
    assert found["accepted"], found["reason"]
    own = json.loads(json.dumps(answer.answer(right)))
    try:
        found = judge.verify(right, {**own, "fitted": {**own["fitted"], "classes": fitted["classes"]}})
    except InvalidInput:
        return
    assert not found["accepted"]


def _turned(own, K):
    """Return the values of a machine of two classes with its labels as they are."""
    return {**own, "classes": [v if isinstance(v, bool) else K - 1 - v for v in own["classes"]]}


@pytest.mark.parametrize("method", ["svc", "one_vs_one", "one_vs_rest", "crammer_singer", "lee_lin_wahba", "lda"])
def test_labels_are_those_of_a_problem_however_an_answer_writes_them(method):
    """Exact answers write long numbers as text, the labels of a problem being fractions: 1e+18 is 1 and 18 zeros."""
    parameters = {"estimator": {"name": "logistic"}} if method.startswith("one_") else {}
    x, y = [[0, 1], [2, 0], [1, 2], [3, 0], [0, 2], [2, 1], [1, 3], [4, 1]], [0, 1, 0, 1, 1e18, 1, 0, 1e18]
    given = {"method": method, "parameters": parameters, "x": x, "y": y, "query": x}
    given["arithmetic"] = "decimal:20" if parameters else "exact"
    right = problem.read(json.dumps(given), "P.json")
    found = judge.verify(right, json.loads(json.dumps(answer.answer(right))))
    assert found["accepted"], found
