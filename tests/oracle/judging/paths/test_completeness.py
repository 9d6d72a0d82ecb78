"""Paths of machines that are not whole are refuted."""

import json
import random
from dataclasses import replace

import pytest

from refclass.errors import InvalidInput
from refclass.oracle import answer, judge, problem
from refclass.oracle.judging.paths import completeness
from tests.oracle import planting

EMPTY = {"fitted": {"lambdas": [], "alphas": [], "intercepts": []}, "arithmetic": "float"}


def asked(x, y):
    """A path problem."""
    return problem.read(json.dumps({"method": "svm_path", "x": x, "y": y}), "P.json")


def test_a_path_without_break_points_is_refuted_where_a_solver_that_follows_none_has_a_slope():
    """Whatever the path's own algorithms find: the bug of both planted in the thorough profile showed here."""
    apart = asked([[0], [1], [3], [4]], [0, 0, 1, 1])
    assert "no break points" in completeness.dissent(apart, EMPTY, 6)


def test_a_path_of_constant_machines_has_no_break_points():
    """All points equal, as many of one class as of the other."""
    same = asked([[1]] * 4, [0, 1, 0, 1])
    reported = json.loads(json.dumps(answer.answer(same)))
    assert reported["fitted"]["lambdas"] == []
    assert judge.verify(same, judge.read(json.dumps(reported), "A.json"))["accepted"]


def test_no_rounding_excuses_a_path_whose_exact_intercepts_are_wrong():
    """Solved in fractions and judged with intercepts times λ where they are divided by it."""
    module, name = "refclass.margins.svm.path.model", "Model.intercepts"
    way = replace(asked([[0], [1], [2], [4]], [0, 1, 0, 1]), arithmetic="exact")
    with planting.planted(module, name, 1) as words:
        reported = judge.read(json.dumps(answer.answer(way)), "A.json")
        found = judge.verify(way, reported)
    assert words.endswith("s.alpha0 / s.lam -> s.alpha0 * s.lam") and "second check" in found["reason"]


@pytest.mark.slow
def test_a_path_that_ends_where_doubles_hold_no_more_is_right_and_one_that_ends_above_is_not():
    """Columns of 10⁹ ± 10⁶ and 10⁻⁶; of six break points the last is left out, said or not, or the last is moved."""
    far = [(1, 10), (5, 8), (-2, -2), (27, 1), (0, 6), (21, 0), (5, -8), (9, -4), (-11, -12)]
    given = asked([[1e9 + 125e3 * u, v / 8e6] for u, v in far], [0, 1, 0, 1, 0, 1, 0, 1, 0])
    text = json.dumps(answer.answer(given))

    def judged(change):
        reported = json.loads(text)
        change(reported["fitted"])
        return judge.verify(given, judge.read(json.dumps(reported), "A.json"))

    def shortened(fitted, **told):
        fitted.update({name: fitted[name][:-1] for name in ("lambdas", "alphas", "intercepts", "events")}, **told)

    assert judged(lambda fitted: None)["accepted"]
    short = judged(lambda fitted: shortened(fitted, least_lambda=fitted["lambdas"][-2]))
    assert not short["accepted"] and "is reported down to" in short["verdict"]
    assert not judged(lambda fitted: shortened(fitted, least_lambda=0))["accepted"]
    assert not judged(lambda fitted: fitted["lambdas"].__setitem__(-1, fitted["lambdas"][-1] * 1.01))["accepted"]


POINTS = [[-1], [0], [2], [1], [3], [4]], [0, 0, 0, 1, 1, 1]
CHANGES = {
    "reversed": lambda events: events.reverse(),
    "dropped": lambda events: events[0].pop(),
    "dropped at the last": lambda events: events[-1].pop(),
    "without": lambda events: events.__setitem__(1, []),
    "another kind": lambda events: events[0][0].__setitem__(0, "from_right"),
    "another row": lambda events: events[0][0].__setitem__(1, 5),
    "one more": lambda events: events[-1].append(["from_left", 2]),
    "swapped": lambda events: events.__setitem__(slice(1, 3), events[1:3][::-1]),
}


@pytest.mark.parametrize("arithmetic", ["float", "exact"])
def test_events_are_judged_by_the_multipliers_of_their_break_points(arithmetic):
    """In any order within one; moved, dropped, renamed or added ones are refuted, whatever their number."""
    given = replace(asked(*POINTS), arithmetic=arithmetic)
    text = json.dumps(answer.answer(given))

    def judged(change):
        reported = json.loads(text)
        change(reported["fitted"]["events"])
        return judge.verify(given, judge.read(json.dumps(reported), "A.json"))

    own = judged(lambda events: events[0].reverse())
    assert own["accepted"] and own["digits"]["events"] == "all"
    wrong = {name: judged(change) for name, change in CHANGES.items()}
    assert not [name for name, found in wrong.items() if found["accepted"] or "events[" not in found["verdict"]]
    with pytest.raises(InvalidInput):
        judged(lambda events: events.append([]))


@pytest.mark.parametrize(
    ("x", "y"),
    [
        ([[1, 1], [-1, 1], [0, 0], [0, 0], [-1, -1], [1, 1], [1, 1]], [1, 0, 1, 0, 1, 1, 1]),
        ([[0, 1], [-1, -1], [0, 1], [1, 1], [1, 0], [1, 1], [0, 1]], [0, 1, 1, 0, 1, 0, 0]),
    ],
)
@pytest.mark.parametrize("arithmetic", ["float", "exact"])
def test_several_multipliers_of_copies_are_right(x, y, arithmetic):
    """The first path has other multipliers in doubles; of the second the other algorithm's goes on below its end."""
    own = replace(asked(x, y), arithmetic=arithmetic)
    reported = json.loads(json.dumps(answer.answer(own)))
    assert judge.verify(own, judge.read(json.dumps(reported), "A.json"))["accepted"]


def test_a_path_that_ends_too_early_is_refuted():
    """The last break point but one: the machines below it bend."""
    own = replace(asked([[9, 1], [4, 1], [7, 7], [7, 6], [3, 1]], [1, 0, 1, 1, 0]), arithmetic="exact")
    reported = json.loads(json.dumps(answer.answer(own)))
    fitted = reported["fitted"]
    assert len(fitted["lambdas"]) > 1
    for name in ("lambdas", "alphas", "intercepts", "events"):
        fitted[name] = fitted[name][:-1]
    assert not judge.verify(own, judge.read(json.dumps(reported), "A.json"))["accepted"]


@pytest.mark.parametrize("arithmetic", ["float", "exact"])
def test_paths_of_stationary_points_are_not_held_to_what_convexity_gives(arithmetic):
    """Of matrices that are not positive semidefinite: other paths end elsewhere, and one without break points may bend.

    The first two of these were refuted: for the end of the other algorithm's path, for machines that are not constant.
    """
    tables = [
        [[-3, -3, 1, 0], [-3, 1, -3, -1], [1, -3, -2, 1], [0, -1, 1, -1]],
        [[-1, 0, -2, 2], [0, -3, 1, 2], [-2, 1, -3, 0], [2, 2, 0, 3]],
    ]
    r = random.Random(1)
    for n in (4, 6, 8):
        K = [[r.randint(-3, 3) for _ in range(n)] for _ in range(n)]
        tables.append([[K[max(i, j)][min(i, j)] for j in range(n)] for i in range(n)])
    for K in tables:
        given = {"method": "svm_path", "parameters": {"kernel": "precomputed"}, "x": K, "y": [-1, 1] * (len(K) // 2)}
        way = problem.read(json.dumps({**given, "arithmetic": arithmetic}), "P.json")
        found = judge.verify(way, judge.read(json.dumps(answer.answer(way)), "A.json"))
        assert found["accepted"], found["reason"]
