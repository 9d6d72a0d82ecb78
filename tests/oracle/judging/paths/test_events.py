"""What contradicts the events of a path, step by step."""

from fractions import Fraction as Q
from types import SimpleNamespace

import pytest

from refclass.errors import InvalidInput, NotConverged
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector
from refclass.optimise.path.residuals import ELBOW, LEFT, RIGHT
from refclass.oracle.judging.paths import events as judging

NEAR = Q(1, 100)


@pytest.mark.parametrize(
    "given, n",
    [
        (["to_left", 9], 9),
        (["to_left", -1], 9),
        (["to_left", "09"], 9),
        (["to_left", 1.0], 9),
        (["sideways", 1], 9),
        (["to_left", 1, 2], 9),
        ({"to_left": 1, 0: 1}, 9),
        ("to", 9),
    ],
)
def test_what_is_no_event_is_refused(given, n):
    """A pair of a kind and a row below n, in no more figures than n has."""
    with pytest.raises(InvalidInput, match="row from 0 to 8"):
        judging._event(given, n)


def test_rows_are_numbers_or_their_figures():
    """The first and the last of nine or of ten rows."""
    for n, row in ((9, 0), (9, 8), (10, 9), (11, 10)):
        assert judging._event(["to_left", row], n) == judging._event(("to_left", str(row)), n) == ("to_left", row)


@pytest.mark.parametrize("a, side", [(1, LEFT), (0, RIGHT), (Q(1, 2), ELBOW)])
def test_a_side_is_that_of_a_bound_as_near_as_is_asked(a, side):
    """Above the first break point of a bound with yf near 1 none is known."""
    for moved in (-NEAR, 0, NEAR):
        assert judging._bound(a + moved, NEAR) == side
        assert judging._above(a, 1 + moved, NEAR) == (ELBOW if side == ELBOW else None)
    assert judging._above(a, Q(1, 2), NEAR) == judging._above(a, 2, NEAR) == side
    assert judging._bound(a + (2 * NEAR if a < 1 else -2 * NEAR), NEAR) == ELBOW


@pytest.mark.parametrize(
    "side, alphas, margins, words, after",
    [
        (LEFT, (1, 1), (0, 0), "", LEFT),
        (LEFT, (1, Q(1, 2)), (0, 0), "left below it, where alpha is 0.5", LEFT),
        (RIGHT, (0, 0), (2, 2), "", RIGHT),
        (None, (1, 1), (0, 0), "", None),
        (None, (1, 0), (1, 1), "", ELBOW),
        (None, (Q(1, 2), Q(1, 3)), (1, 1), "", ELBOW),
        (ELBOW, (1, 1), (1, 1 + NEAR), "", ELBOW),
        (ELBOW, (1, 1), (1, Q(1, 2)), "yf misses 1 by 0.5", ELBOW),
        (ELBOW, (0, 0), (2, 1), "yf misses 1 by 1", ELBOW),
        (ELBOW, (Q(1, 2), 1), (3, 3), "", ELBOW),
    ],
)
def test_between_two_break_points_alpha_is_that_of_the_side_or_moves(side, alphas, margins, words, after):
    """On the elbow at the same bound yf = 1; where α moves there a point whose side was open is on the elbow."""
    sides, ends = [side], [(Q(2), [Q(alphas[0])]), (Q(1), [Q(alphas[1])])]
    found = judging._segment(sides, ends, lambda lam: [Q(margins[0] if lam == 2 else margins[1])], NEAR)
    assert found.endswith(words) and bool(found) == bool(words) and sides == [after]


@pytest.mark.parametrize(
    "known, last, least, tried",
    [
        ([8, 4, 2, 1], 4, 0, [3]),
        ([8, 4, 2], Q(401, 100), 0, [3]),
        ([8, 4], 4, 0, [2]),
        ([8, 4], 6, 0, [5]),
        ([400, 396, 395, 2], 400, 0, [398, Q(791, 2)]),
        ([8, 4], 4, 4, [2, 3, Q(7, 2), Q(15, 4)]),
    ],
)
def test_below_the_last_break_point_a_machine_before_the_next_is_asked(monkeypatch, known, last, least, tried):
    """Halfway to the next, or to zero, between those as near as is asked, and ever nearer where the next is unknown."""
    asked = []
    monkeypatch.setattr(judging, "_contradiction", lambda right, lam, *given: asked.append(lam) or ("wrong", ""))
    right = SimpleNamespace(lambdas_=known, least_lambda_=least)
    assert judging._below(right, Q(last), [], NEAR) == ("wrong", "")
    assert asked[: len(tried)] == tried and (least or len(asked) == len(tried))
    monkeypatch.setattr(judging, "_contradiction", lambda right, lam, *given: ("" if lam == tried[-1] else "wrong", ""))
    assert judging._below(right, Q(last), [], NEAR) == ("", "")


def test_sides_are_right_where_one_machine_below_has_them(monkeypatch):
    """What is not known stands before what is wrong, and what fits before both."""
    right = SimpleNamespace(lambdas_=[400, 396, 2], least_lambda_=0)
    for answers, best in (
        ([("wrong", ""), ("", "open")], ("", "open")),
        ([("wrong", ""), ("", "")], ("", "")),
        ([("", "open"), ("", "")], ("", "")),
    ):
        left = iter(answers)
        monkeypatch.setattr(judging, "_contradiction", lambda *given, left=left: next(left))
        assert judging._below(right, Q(400), [], NEAR) == best

    def refused(*given):
        raise NotConverged("path", need="a machine", got="none")

    monkeypatch.setattr(judging, "_contradiction", refused)
    assert judging._below(right, Q(400), [], NEAR) == ("", "path: need a machine; got none")


@pytest.mark.parametrize(
    "side, alpha, margin, unique, found",
    [
        (ELBOW, 1, 1 + NEAR, True, ""),
        (ELBOW, Q(1, 2), 2, True, "elbow below it, where alpha is 0.5"),
        (LEFT, 1 - NEAR, 1, True, ""),
        (LEFT, Q(1, 2), 1 - NEAR, False, judging.DOUBTFUL),
        (LEFT, Q(1, 2), 1, True, "left below it, where alpha is 0.5"),
        (LEFT, Q(1, 2), 2, False, "left below it, where alpha is 0.5"),
        (None, Q(1, 2), 2, False, ""),
    ],
)
def test_a_machine_below_contradicts_sides_that_no_other_multipliers_have(
    monkeypatch, side, alpha, margin, unique, found
):
    """On the elbow yf = 1, at a side its α; where several α are optimal nothing is said of points with yf = 1."""
    monkeypatch.setattr(judging, "_machine", lambda right, lam: ([Q(alpha)], [Q(margin)]))
    monkeypatch.setattr(judging, "_unique", lambda right, touching: unique)
    words, left = judging._contradiction(None, Q(1), [side], NEAR)
    assert (words or left).endswith(found) and bool(words or left) == bool(found)
    assert (left == judging.DOUBTFUL) == (found == judging.DOUBTFUL)


@pytest.mark.parametrize("points, unique", [([1], True), ([1, 2], True), ([1, 2, 3], False), ([2, 2], False)])
def test_multipliers_are_unique_where_the_equations_of_touching_points_are_independent(points, unique):
    """Those of two points of a line are, with an intercept; those of a third, or of a copy, follow from them."""
    held = SimpleNamespace(row=lambda i: Vector([Q(points[i] * v) for v in points]))
    right = SimpleNamespace(_model=SimpleNamespace(held=held))
    assert judging._unique(right, range(len(points))) is unique


@pytest.mark.parametrize("asked, near", [(2, Q(1, 100)), (3.9, Q(1, 1000)), (float("inf"), Q(1, 10**300))])
def test_each_segment_has_its_own_ends(monkeypatch, asked, near):
    """Sides begin at twice the first λ; of three break points two segments are judged, in the digits asked for."""
    machines, segments, last = [], [], []
    monkeypatch.setattr(judging, "_machine", lambda right, lam: (machines.append(lam), [Q(2)]))
    monkeypatch.setattr(judging, "_taken", lambda *given: "")
    monkeypatch.setattr(judging, "_segment", lambda sides, ends, *given: segments.append(ends) or "")
    monkeypatch.setattr(judging, "_below", lambda *given: last.append(given) or ("", ""))
    fitted = {"lambdas": [8, 4, 2], "alphas": [[1], [0], [1]], "events": [[], [], []]}
    assert judging.dissent(SimpleNamespace(_given=Matrix([[Q(1)]])), fitted, asked) == ("", "")
    assert machines == [16] and segments == [[(8, [1]), (4, [0])], [(4, [0]), (2, [1])]]
    assert [given[1:] for given in last] == [(2, [LEFT], near)]
