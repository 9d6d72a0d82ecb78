"""Paths of machines that are not whole are refuted."""

import json

from refclass.oracle import answer, judge, problem
from refclass.oracle.judging import whole_path
from tests.oracle import planting

EMPTY = {"fitted": {"lambdas": [], "alphas": [], "intercepts": []}, "arithmetic": "float"}


def asked(x, y):
    """A path problem."""
    return problem.read(json.dumps({"method": "svm_path", "x": x, "y": y}), "P.json")


def test_a_path_without_break_points_is_refuted_where_a_solver_that_follows_none_has_a_slope():
    """Whatever the path's own algorithms find: the bug of both planted in the thorough profile showed here."""
    apart = asked([[0], [1], [3], [4]], [0, 0, 1, 1])
    assert "no break points" in whole_path.dissent(apart, EMPTY, 6)


def test_a_path_of_constant_machines_has_no_break_points():
    """All points equal, as many of one class as of the other."""
    same = asked([[1]] * 4, [0, 1, 0, 1])
    reported = json.loads(json.dumps(answer.answer(same)))
    assert reported["fitted"]["lambdas"] == []
    assert judge.verify(same, judge.read(json.dumps(reported), "A.json"))["accepted"]


def test_no_rounding_excuses_a_path_whose_exact_intercepts_are_wrong():
    """Solved and judged with intercepts times λ where they are divided by it."""
    module, name, way = "refclass.margins.svm.path", "Model.intercepts", asked([[0], [1], [2], [4]], [0, 1, 0, 1])
    with planting.planted(module, name, 1) as words:
        reported = judge.read(json.dumps(answer.answer(way)), "A.json")
        found = judge.verify(way, reported)
    assert words.endswith("s.alpha0 / s.lam -> s.alpha0 * s.lam") and "second check" in found["reason"]
