"""Assertions for tests of other programs: what is right passes, what is wrong fails and says where."""

import json
from types import SimpleNamespace

import pytest

from refclass.assertions import assert_digits, assert_optimal, assert_same_decision, assert_same_subspace, question
from refclass.oracle import answer
from refclass.oracle.vectors import case

P = {"method": "svc", "x": [[0], [1], [2], [3]], "y": [0, 0, 1, 1], "parameters": {"C": 2}}
A = {"fitted": {"alpha": [0, 2, 2, 0], "intercept": -3}}


def test_an_optimal_answer_passes_and_gives_the_verdict():
    """A mapping, JSON text, an estimator and a conformance case are all taken."""
    assert assert_optimal(P, A)["accepted"] and assert_optimal(json.dumps(P), json.dumps(A))["accepted"]
    own = SimpleNamespace(classes_=[0, 1], support_=[1, 2], dual_coef_=[[-2, 2]], intercept_=[-3])
    assert assert_optimal(P, own, digits=12)["accepted"]
    one = next(c for c in case.shipped() if c.id == "svc/hinge")
    assert assert_optimal(one, one.answer)["accepted"] and question(one).method == "svc"
    asked = question(P)
    assert assert_optimal(asked, answer.answer(asked))["accepted"]


def test_a_wrong_answer_fails_with_the_verdict():
    """The failure says how far it is from the optimum, and which convention would make it right."""
    with pytest.raises(AssertionError, match="suboptimal.*\n(.*\n)*.*digits asked for: 9"):
        assert_optimal(P, {"fitted": {"alpha": [0, 1, 1, 0], "intercept": 0}})
    with pytest.raises(AssertionError, match="an intercept of the other sign"):
        assert_optimal(P, {"fitted": {"alpha": [0, 2, 2, 0], "intercept": 3}})


def test_digits_are_counted_on_a_scale():
    """On that of the largest wanted number, or the given one; shapes and numbers that are none fail."""
    assert_digits([1, 2.0000000001], [1, 2], 9)
    assert_digits(1e-12, 0, 9, scale=1)
    for got, want, said in (
        ([1, 2.1], [1, 2], r"\[1\]: got 2.1, want 2"),
        ([1], [1, 2], "shape"),
        (float("nan"), 1, "number"),
    ):
        with pytest.raises(AssertionError, match=said):
            assert_digits(got, want, 9)


def test_decisions_are_compared_by_values_and_labels():
    """Plain functions by their values, estimators by values and labels; a tie may fall either way."""
    assert_same_decision(lambda X: [x[0] for x in X], lambda X: [x[0] + 1e-12 for x in X], [[1], [2]])
    with pytest.raises(AssertionError):
        assert_same_decision(lambda X: [x[0] for x in X], lambda X: [2 * x[0] for x in X], [[1], [2]])
    near = [
        SimpleNamespace(decision_function=lambda X, e=e: [e, 1], predict=lambda X, e=e: [e > 0, True])
        for e in (-1e-15, 1e-15)
    ]
    with pytest.raises(AssertionError, match="row 0"):
        assert_same_decision(*near, [[0], [1]])
    assert_same_decision(*near, [[0], [1]], tie=1e-12)


def test_subspaces_are_compared_whatever_their_bases():
    """Lengths, signs, order and a rotation do not matter; another plane does, and columns that are dependent."""
    A, B = [[1, 0], [0, 1], [0, 0]], [[-2, 3], [5, 3], [0, 0]]
    assert_same_subspace(A, B)
    with pytest.raises(AssertionError, match="column 1 of the first"):
        assert_same_subspace(A, [[1, 0], [0, 1], [0, "1/1000"]])
    for other in ([[1, 2], [1, 2], [0, 0]], [[1], [1], [0]]):
        with pytest.raises(AssertionError):
            assert_same_subspace(A, other)
