"""Somebody's answer to a Lee–Lin–Wahba problem, judged without solving it."""

import json
from fractions import Fraction as Q

import pytest

from refclass.errors import InvalidInput
from refclass.oracle import answer, judge, problem, stored
from refclass.report.commands import fitting

X = [[0, 0], [2, 0], [1, 1], [0, 3], [-1, 2], [4, 4], [3, 2], [1, 2]]
ASKED = {
    "method": "lee_lin_wahba",
    "parameters": {"penalty": "1/10", "costs": [[0, 1, 2], [1, 0, 1], [1, 1, 0]]},
    "arithmetic": "exact",
    "x": X,
    "y": ["a", "a", "a", "b", "b", "c", "c", "c"],
    "query": [[1, 1], [4, 3]],
}


def asked(**other):
    """The problem, read from JSON."""
    return problem.read(json.dumps({**ASKED, **other}), "P.json")


def solved(**other):
    """The oracle's own answer, as JSON and back."""
    return judge.read(json.dumps(answer.answer(asked(**other))), "A.json")


def verdict(fitted, arithmetic="exact", **other):
    """What the judge says of fitted values."""
    return judge.verify(asked(**other), {"fitted": fitted, "arithmetic": arithmetic})


@pytest.mark.parametrize("arithmetic", ["exact", "float", "decimal:30"])
def test_the_oracle_accepts_its_own_answers(arithmetic):
    """In every arithmetic, and the exact one with a gap of 0 [MMST-11.104] [MC-LLW-DUAL.P1]."""
    own = solved(arithmetic=arithmetic)
    said = judge.verify(asked(arithmetic=arithmetic), own)
    assert said["accepted"] and said["reason"].startswith("optimal")
    assert arithmetic != "exact" or said["certificate"]["gap"] == "0"


def test_the_judge_solves_nothing(monkeypatch):
    """Verification calls no training [MMST-11.104]."""
    own = solved()
    monkeypatch.setattr("refclass.margins.lee_lin_wahba.fit.train", None)
    assert judge.verify(asked(), own)["accepted"]


def test_multipliers_alone_or_coefficients_are_enough():
    """Without intercept, and with β in place of α [MMST-11.107] [RC-28]."""
    fitted = solved()["fitted"]
    assert verdict({"alpha": fitted["alpha"]})["accepted"]
    given = {"coefficients": fitted["coefficients"], "intercept": fitted["intercept"]}
    assert verdict(given)["certificate"]["gap"] == "0"


def test_columns_in_another_order_are_read_by_their_classes():
    """The answer's own classes say whose column is whose [MMST-11.77]."""
    fitted, order = solved()["fitted"], [2, 0, 1]
    turned = {
        "classes": [fitted["classes"][j] for j in order],
        "alpha": [[row[j] for j in order] for row in fitted["alpha"]],
        "intercept": [fitted["intercept"][j] for j in order],
    }
    assert verdict(turned)["accepted"]
    assert not verdict({**turned, "classes": fitted["classes"]})["accepted"]


def test_another_optimal_split_between_copies_is_accepted():
    """The same point twice, one copy with all that both may carry [RC-29]."""
    other = {"x": [*X, X[6]], "y": [*ASKED["y"], "c"], "parameters": {"penalty": "1/10"}}
    fitted = solved(**other)["fitted"]
    alpha = [[Q(v) for v in row] for row in fitted["alpha"]]
    total = [a + b for a, b in zip(alpha[6], alpha[8])]
    alpha[6], alpha[8] = [min(t, Q(1)) for t in total], [max(t - 1, Q(0)) for t in total]
    given = {"alpha": [[str(v) for v in row] for row in alpha], "intercept": fitted["intercept"]}
    assert verdict(given, **other)["accepted"]


def test_a_wrong_answer_is_refuted_with_its_place():
    """A multiplier moved, an intercept moved: refused, with a gap above 0 [MMST-11.102]."""
    fitted = solved()["fitted"]
    moved = [list(row) for row in fitted["alpha"]]
    moved[0][1] = "1/3"
    said = verdict({**fitted, "alpha": moved})
    assert not said["accepted"] and Q(said["certificate"]["gap"]) > 0 and said["reason"]
    assert not verdict({**fitted, "intercept": ["1", "0", "-1"]})["accepted"]


@pytest.mark.parametrize(
    ("fitted", "need"),
    [
        ({"intercept": [0, 0, 0]}, "alpha, or coefficients"),
        ({"alpha": [[0, 0, 0]]}, "8 rows in alpha"),
        ({"alpha": [[0, 0]] * 8}, "3 numbers in alpha"),
        ({"alpha": [[0, 0, "x"]] * 8}, "need alpha\\[0\\]\\[2\\] as a number"),
        ({"alpha": [[0, 0, 0]] * 8, "intercept": [0]}, "3 numbers in intercept"),
        ({"alpha": [[0, 0, 0]] * 8, "classes": ["a", "b"]}, "in any order"),
    ],
)
def test_an_answer_of_another_form_is_refused(fitted, need):
    """The refusal says what was needed."""
    with pytest.raises(InvalidInput, match=need):
        verdict(fitted)


def test_a_stored_model_predicts_the_same():
    """The model as JSON and back has the same scores, exactly [MMST-11.109]."""
    estimator = asked().fitted()
    again = type(estimator)(arithmetic="exact")
    again._model = stored.decode(json.loads(json.dumps(stored.encode(estimator._model))))
    again.classes_ = estimator.classes_
    assert again.decision_function(X) == estimator.decision_function(X) and again.predict(X) == estimator.predict(X)


def test_settings_of_the_command_line_reach_the_machine():
    """penalty=… and kernel.name=… as the command line gives them [MMST-11.77]."""
    given = fitting.parameters(["penalty=1/10", "kernel.name=polynomial", "kernel.degree=2"])
    m = problem.make("lee_lin_wahba", given, "exact").fit(X, ASKED["y"])
    assert m.certificate_.gap == 0
