"""What `solve` answers, `verify` accepts: also of decimals that no double holds, far from the origin."""

import json

import pytest

from refclass.oracle import answer, judge, reading
from tests.laws.far import MACHINES, OFFSETS, RULES, posed, rows


def both(asked):
    """The answer of `solve` as JSON, and the verdict of `verify` on it."""
    found = json.loads(json.dumps(answer.answer(asked)))
    return found, judge.verify(asked, reading.read(json.dumps(found), "A.json"))


@pytest.mark.many
@pytest.mark.parametrize("place", range(len(MACHINES)))
def test_an_answer_of_solve_is_never_refuted_far_from_the_origin(place):
    """Each machine at one of the offsets: the certificate speaks of the problem as it is said, as the verdict does."""
    method, parameters, classes = list(MACHINES.values())[place]
    x, y = rows(place, OFFSETS[place % 3], classes, n=9)
    found, verdict = both(posed(method, parameters, x, y, query=x[:2]))
    assert verdict["accepted"], verdict["reason"]
    claimed, proven = found.get("certificate", {}).get("digits"), verdict.get("digits", {}).get("objective")
    if isinstance(claimed, float) and isinstance(proven, float) and method != "svm_path":
        assert claimed <= proven + 0.02


@pytest.mark.parametrize("name", RULES)
def test_a_rule_of_solve_is_never_refuted_far_from_the_origin(name):
    """Discriminants and regressions at 10⁸."""
    method, parameters, classes = RULES[name]
    x, y = rows(3, 1e8, classes)
    verdict = both(posed(method, parameters, x, y, query=x[:2]))[1]
    assert verdict["accepted"], verdict["reason"]


def test_a_fit_in_doubles_has_the_digits_of_the_decimals():
    """At 10⁶ and 10⁸ nine digits of the problem as it is said are proven, as of one whose rows doubles hold."""
    for offset in (1e6, 1e8):
        x, y = rows(1, offset, 2, n=20)
        found, verdict = both(posed("svc", {"C": 1}, x, y))
        assert found["certificate"]["digits"] >= 9 and verdict["digits"]["objective"] >= 9


def test_a_wrong_answer_is_refuted_far_from_the_origin():
    """An intercept that is off by 10⁻³ of a margin, and a multiplier by a hundredth of the cost."""
    x, y = rows(1, 1e8, 2, n=20)
    asked = posed("svc", {"C": 1}, x, y)
    found = json.loads(json.dumps(answer.answer(asked)))["fitted"]
    moved = [*found["alpha"]]
    moved[moved.index(max(moved))] -= 0.01
    for wrong in ({"intercept": [found["intercept"][0] + 1e-3]}, {"alpha": moved}):
        given = {name: found[name] for name in ("alpha", "intercept")}
        assert not judge.verify(asked, {"arithmetic": "float", "fitted": {**given, **wrong}})["accepted"]


@pytest.mark.thorough
@pytest.mark.parametrize("name", [*MACHINES, *RULES])
def test_no_answer_of_solve_is_refuted_at_any_offset(name):
    """Offsets and seeds, sizes from 6 to 40."""
    method, parameters, classes = {**MACHINES, **RULES}[name]
    for offset in (*OFFSETS, 1e3, -1e7, 123456789.5):
        for seed, n in enumerate((6, 9, 15, 24, 40)):
            x, y = rows(100 + seed, offset, classes, n=n)
            verdict = both(posed(method, parameters, x, y, query=x[:2]))[1]
            assert verdict["accepted"], (offset, seed, verdict["reason"])
