"""Hyperplanes alone at hard margins: where a margin is missed, by how much, and what is made up by scaling."""

import json

import pytest

from refclass.oracle import judge, problem

HARD = {"method": "svc", "parameters": {"C": "inf"}, "x": [[0], [2], [3]], "y": [0, 1, 1]}  # the optimum is x − 1


def verdict(coef, intercept, digits=6, given=HARD):
    """Return the verdict on a hyperplane in fractions."""
    reported = {"arithmetic": "exact", "fitted": {"coef": [coef], "intercept": [intercept]}}
    return judge.verify(problem.read(json.dumps(given), "P.json"), judge.read(json.dumps(reported), "A.json"), digits)


@pytest.mark.parametrize(
    ("coef", "intercept", "where", "least"),
    [
        ("1/2", "-1/2", "point 0: y·f is 0.5, and no slack is allowed", "1/2"),
        ("1/2", "-3/4", "point 1: y·f is 0.25, and no slack is allowed", "3/4"),
        ("1", "-2", "point 1: y·f is 0, and no slack is allowed", "1"),
        ("-1", "1", "point 2: y·f is -2, and no slack is allowed", "3"),
    ],
)
@pytest.mark.parametrize("digits", [0, 6])
def test_the_least_margin_is_named_with_what_it_misses(coef, intercept, where, least, digits):
    """The point of the least y·f, and 1 less it, exactly  [ESL-12.10]; where 0 digits are asked for, f
    above zero everywhere is enough."""
    found = verdict([coef], intercept, digits)
    if digits == 0 and least in ("1/2", "3/4"):
        assert found["accepted"] and found["certificate"]["dual"] == "1/2"
        return
    assert found["verdict"].startswith("infeasible") and where in found["reason"]
    assert (found["certificate"]["worst_violation"], found["certificate"]["dual"]) == (least, "1/2")


def test_a_margin_missed_by_the_digits_asked_is_made_up_by_scaling():
    """0.999 (x − 1) misses by 1/1000, three digits; scaled up it is the optimum itself; asked for more, it fails."""
    found = verdict(["999/1000"], "-999/1000", 3)
    assert found["accepted"] and (found["certificate"]["primal"], found["certificate"]["gap"]) == ("1/2", "0")
    assert verdict(["999/1000"], "-999/1000", 3.2)["verdict"].startswith("infeasible")


def test_margins_above_one_are_feasible_and_suboptimal():
    """1.5 (x − 1) and 2 (x − 1) keep every margin and cost 2.25 and 4 times as much."""
    for coef, intercept, primal in (("2", "-2", "2"), ("3/2", "-3/2", "9/8")):
        found = verdict([coef], intercept)
        assert not found["accepted"] and found["verdict"].startswith("suboptimal")
        assert (found["certificate"]["primal"], found["certificate"]["dual"]) == (primal, "1/2")
    assert verdict(["1"], "-1")["certificate"]["gap"] == "0"


@pytest.mark.parametrize(
    ("ends", "wrong"),
    [([-0.5, 0.5], None), ([-0.25, 0.5], None), ([-0.75, 0.5], 0), ([-0.5, 1], 1), ([None, 0.5], None)],
)
def test_the_ends_of_the_intercepts_are_intercepts_of_an_optimum(ends, wrong):
    """x = ±1 with C = ¼: α = ¼ each, f = x/2 + b is optimal for −½ ≤ b ≤ ½; an end beyond costs more  [KIM-3.49]."""
    given = {"method": "svc", "parameters": {"C": "1/4"}, "x": [[-1], [1]], "y": [0, 1]}
    reported = {
        "arithmetic": "float",
        "fitted": {"alpha": [0.25, 0.25], "intercept": [0.0], "intercept_interval": ends},
    }
    found = judge.verify(problem.read(json.dumps(given), "P.json"), judge.read(json.dumps(reported), "A.json"), 6)
    assert found["accepted"] == (wrong is None)
    assert wrong is None or found["verdict"].startswith(f"wrong: intercept_interval[{wrong}]: with the intercept")
