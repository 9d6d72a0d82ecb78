"""Quadratic programmes as a method of the oracle: answered, judged, compared, refined, refused with a proof."""

from __future__ import annotations

import json
from fractions import Fraction

import pytest

from refclass import refine
from refclass.errors import InvalidInput
from refclass.oracle import agreement, answer, judge, problem

GIVEN = {
    "method": "qp",
    "P": [[0, 0, 2], [1, 1, 2]],
    "q": [-2, -5],
    "A": [[0, 0, 1], [0, 1, 1], [1, 0, 1]],
    "l": [None, -10],
    "u": [1, 1e20],
    "arithmetic": "exact",
}


def asked(**changes):
    """Return the problem with fields changed, as its JSON is read."""
    return problem.read(json.dumps({**GIVEN, **changes}), "test")


def test_an_answer_of_either_arithmetic_is_accepted():
    """What solve answers, written as JSON and read again, is proven by verify."""
    for arithmetic, digits in (("exact", float("inf")), ("float", 9)):
        own = asked(arithmetic=arithmetic)
        told = judge.read(json.dumps(answer.answer(own)), "answer")
        assert judge.verify(own, told, digits)["accepted"]


def test_a_changed_answer_is_refuted():
    """Each number of the answer that is changed by a thousandth is refuted, and the reason names what fails."""
    own = asked()
    told = answer.answer(own)["fitted"]
    for name in ("x", "y"):
        for k in range(2):
            values = [Fraction(v) for v in told[name]]
            values[k] += Fraction(1, 1000)
            wrong = {**told, name: [str(v) for v in values]}
            found = judge.verify(own, {"arithmetic": "exact", "fitted": wrong})
            assert not found["accepted"]
            assert found["reason"]
    assert not judge.verify(own, {"fitted": {**told, "objective": "-4"}})["accepted"]


@pytest.mark.parametrize(
    "changes",
    [
        {"l": [2, None], "A": [[0, 0, 1], [1, 0, 1]], "u": [None, 1]},
        {"P": [[0, 0, 2]], "A": [[0, 0, 1]], "l": [0], "u": [None]},
        {"P": [[0, 0, 2], [1, 1, -2]]},
    ],
    ids=["contradiction", "ray", "direction"],
)
def test_a_refusal_is_proven_by_its_witness_and_refuted_without(changes):
    """Infeasible, unbounded and not convex programmes are refused; a witness that is changed proves nothing."""
    own = asked(**changes)
    told = json.loads(json.dumps(answer.answer(own)))
    assert told["refusal"]["type"] == "NoAnswer"
    assert judge.verify(own, told)["accepted"]
    witness = told["refusal"]["witness"]
    changed = {name: ["0"] * len(values) for name, values in witness.items()}
    assert not judge.verify(own, {"refusal": {"type": "NoAnswer", "witness": changed}})["accepted"]
    assert not judge.verify(asked(), told)["accepted"]


def test_answers_are_compared_and_refined():
    """A rounded answer agrees with the exact one, which refine finds from it."""
    own, rounded = asked(), asked(arithmetic="float")
    told = [json.loads(json.dumps(answer.answer(p))) for p in (own, rounded)]
    assert agreement.compare(own, *told)["accepted"]
    refined = refine(own, told[1])
    assert refined["fitted"] == told[0]["fitted"]
    assert agreement.explained(own, told[1], judge.verify(own, told[1]))["accepted"]


@pytest.mark.parametrize(
    "changes",
    [
        {"P": [[0, 1, 2]]},
        {"P": [[0, 9, 2]]},
        {"A": [[0, 0]]},
        {"A": [[0, 0, 1], [0, 0, 1]]},
        {"q": []},
        {"q": ["a", 1]},
        {"l": [0]},
        {"u": [True, 1]},
        {"x": [[1]]},
        {"arithmetic": "decimal:30"},
        {"P": 3},
    ],
)
def test_bad_programmes_are_refused_in_one_line(changes):
    """What does not fit is refused with what was needed, and where."""
    with pytest.raises(InvalidInput) as caught:
        asked(**changes)
    assert "need" in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("fitted", [{"x": [1, 2]}, {"x": [1], "y": [0, 0]}, {"x": ["a", 1], "y": [0, 0]}, {"z": [1]}])
def test_answers_of_another_form_are_refused(fitted):
    """An answer without both x and y, of their lengths and of numbers, is bad input."""
    with pytest.raises(InvalidInput):
        judge.verify(asked(), {"fitted": fitted})
