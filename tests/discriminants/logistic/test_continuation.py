"""Penalties so small that the maximum of separated classes lies far away: reached by continuation."""

import json
from fractions import Fraction
from random import Random

import pytest

from refclass import LogisticRegression
from refclass.discriminants.logistic import ascent, continuation, logistic
from refclass.errors import NotConverged
from refclass.number.arithmetic import field
from refclass.oracle import answer, judge, problem, reading
from refclass.sample import data

APART = [[0], [1], [2], [5], [6], [8]]
LABELS = ["a", "a", "a", "b", "b", "b"]
TOUCHING = [[0, 1], [1, 0], [2, 2], [2, 2], [3, 5], [4, 1]]  # quasi-separated: one point is in both classes


@pytest.mark.parametrize("arithmetic", ["float", pytest.param("decimal:30", marks=pytest.mark.thorough)])
@pytest.mark.parametrize("rows", [APART, TOUCHING])
@pytest.mark.parametrize("penalty", ["1e-30", pytest.param("1e-300", marks=pytest.mark.slow)])
def test_maxima_for_small_penalties_are_proven_and_verified(rows, penalty, arithmetic):
    """To nine digits and more, by the score equations in as many decimals as the penalty takes; within 80 steps."""
    given = {"method": "logistic", "parameters": {"penalty": penalty}, "x": rows, "y": LABELS, "query": [rows[0]]}
    asked = problem.read(json.dumps({**given, "arithmetic": arithmetic}), "the problem")
    said = json.loads(json.dumps(answer.answer(asked)))
    assert float(said["certificate"]["digits"]) > 9 and said["fitted"]["n_iter"] <= 80
    assert judge.verify(asked, reading.read(json.dumps(said), "the answer"))["accepted"]
    said["fitted"]["coef"][0][0] = 1.01 * float(said["fitted"]["coef"][0][0])
    assert not judge.verify(asked, reading.read(json.dumps(said), "the answer"))["accepted"]


def test_continuation_ends_where_newtons_method_from_zero_does():
    """At a penalty for which both get there, to 40 digits, on classes that overlap and on others."""
    F = field("decimal:80")
    for rows in (APART, TOUCHING, [[3], [1], [2], [2], [0], [8]]):
        asked = ascent.problem(F, data.read(F, rows, LABELS, None), F.lift(Fraction(1, 10**4)))
        *_, plain = logistic.steps(asked)
        *_, found = continuation.steps(asked, digits=60)
        for a, b in zip(ascent.stacked(plain.thetas), ascent.stacked(found.thetas)):
            assert abs(a - b) <= F.lift(Fraction(1, 10**40)) * (1 + abs(a))


def test_a_limit_of_steps_is_a_limit_of_all_of_them():
    """Five steps are too few, in doubles and on the way in decimals."""
    with pytest.raises(NotConverged, match="within 5 steps"):
        LogisticRegression(penalty="1e-300", max_iter=5).fit(APART, LABELS)


@pytest.mark.parametrize("weight", [1e-100, 1e30, 1e100])
@pytest.mark.parametrize("arithmetic", ["float", "decimal:20"])
def test_weights_far_apart_are_fitted(weight, arithmetic):
    """Log-odds of 230 are where the iteration begins; by steps of about one they would be out of reach."""
    X, y = [[0.3], [-0.1], [0.2], [0.5], [-0.4], [0.1]], [0, 1, 2, 0, 1, 2]
    fitted = LogisticRegression(penalty="1/100", arithmetic=arithmetic).fit(X, y, sample_weight=[1, 1, weight, 1, 1, 1])
    assert fitted.certificate_.digits > 14
    assert fitted.n_iter_ < 20  # from zero: 230, for weights of 1e100


@pytest.mark.parametrize(("exponent", "classes"), [pytest.param(60, 2, marks=pytest.mark.long), (20, 3)])
def test_one_value_far_from_all_others_is_fitted(exponent, classes):
    """No share of a step leads down from where the maximum was foretold; an information of 50 decimals is singular."""
    r = Random(3)
    X = [[r.gauss(0, 1), r.gauss(0, 1)] for _ in range(12)]
    X[0] = [10**exponent, 1]
    fitted = LogisticRegression(penalty=1).fit(X, [i % classes for i in range(12)])
    assert fitted.certificate_.digits > 9
