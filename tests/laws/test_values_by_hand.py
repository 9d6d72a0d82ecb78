"""Values checked on paper, of functions whose mutants no other test separates."""

from fractions import Fraction as Q

import pytest

from refclass.discriminants.gaussian import lda
from refclass.discriminants.gaussian.cutpoint import empirical
from refclass.errors import InvalidInput
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector
from refclass.losses.hinge import Hinge
from refclass.margins import enclosing_ball
from refclass.margins.lee_lin_wahba import conditions
from refclass.margins.lee_lin_wahba.problem import Machine
from refclass.margins.svm import hard, primal
from refclass.margins.svm.geometry import hyperplane
from refclass.number.binary64 import BINARY64
from refclass.number.rational import RATIONAL
from refclass.regress.kernel.tube import insensitive
from refclass.sample import metric
from refclass.selection import grid

ONE, HALF = Q(1), Q(1, 2)


def vector(*values):
    """Fractions."""
    return Vector([Q(v) for v in values])


def matrix(*rows):
    """Rows of fractions."""
    return Matrix([[Q(v) for v in row] for row in rows])


THREE = Machine(
    matrix([1, 0, 0], [0, 1, 0], [0, 0, 1]), (0, 1, 2), (vector(0, 2, 3), vector(5, 0, 7), vector(1, 4, 0)), Q(1)
)


def changed(columns, k, i, value):
    """Columns with one entry changed."""
    out = [list(map(Q, own)) for own in columns]
    out[k][i] = Q(value)
    return tuple([Vector(own) for own in out])


ZEROS = ((0, 0, 0), (0, 0, 0), (0, 0, 0))
CODES = ((1, "-1/2", "-1/2"), ("-1/2", 1, "-1/2"), ("-1/2", "-1/2", 1))


@pytest.mark.parametrize("k, i", [(0, 0), (1, 2), (2, 1)])
def test_each_condition_of_the_machine_of_many_classes_fails_by_the_amount_of_its_worst_place(k, i):
    """At f = y, ξ = 0, α = 0 all hold; one entry moved shows in its condition alone  [MMST-11.93] [MMST-11.106]."""
    zero, f = changed(ZEROS, 0, 0, 0), changed(CODES, 0, 0, 1)
    kept = conditions.residuals(THREE, zero, f, zero)
    assert set(kept.values()) == {0}
    y = f[k][i]
    for step in (Q(2), -Q(2)):
        found = conditions.residuals(THREE, zero, changed(f, k, i, y + step), zero)
        assert found == {**kept, "margin": max(step, 0), "zero sum": 2}
        gamma = THREE.costs[i][k]
        found = conditions.residuals(THREE, zero, f, changed(zero, k, i, step))
        slack = {"margin": max(-step, 0), "slack": max(-step, 0), "slack multiplier": 2 * gamma}
        assert found == {**kept, **slack}
        found = conditions.residuals(THREE, changed(zero, k, i, step), f, zero)
        over = {"alpha": max(-step, 0), "gamma": max(step - gamma, 0), "balance": 2 * Q(2, 3)}
        assert found == {**kept, **over}
    found = conditions.residuals(THREE, changed(zero, k, i, 3), changed(f, k, i, y - 2), zero)
    assert found["margin multiplier"] == 6


def test_the_distances_of_the_two_classes_are_those_of_their_nearest_points():
    """f = 2(x − 2): −1 lies 1 and 2 away, +1 lies 2 and 3  [MMST-11.2.1-margin] [ESL-12.2]."""
    X, y = Matrix([[0.0], [1.0], [4.0], [5.0]]), Vector([-1.0, -1.0, 1.0, 1.0])
    assert hyperplane.distances_of_classes(BINARY64, X, y, Vector([2.0]), -4.0) == (1.0, 2.0)
    assert [hyperplane.side(f) for f in (-3, 0, 3)] == [-1, 0, 1]


def test_the_hinge_is_least_at_the_sign_of_the_more_frequent_class():
    """f = −1, [−1, 1], 1 for p below, at and above one half  [ESL-T12.1]."""
    found = [Hinge().population_minimisers(RATIONAL, Q(p)) for p in ("1/4", "1/2", "3/4")]
    assert found == [((-1, -1),), ((-1, 1),), ((1, 1),)]


def test_primal_programmes_are_those_of_the_book():
    """Two points on a line: the objective, the bounds and the rows  [ESL-12.4] [ESL-12.7] [ESL-12.8]."""
    X, y = matrix([1, 3], [2, 5]), vector(-1, 1)
    own = primal.hard(X, y)
    assert own.Q.diagonal() == vector(1, 1, 0) and own.c == vector(0, 0, 0)
    assert own.lower == own.upper == (None,) * 3
    assert list(own.G) == list(matrix([1, 3, 1], [-2, -5, -1])) and own.h == vector(-1, -1)
    for squared in (False, True):
        own = primal.soft(X, y, (Q(2), Q(3)), squared=squared)
        assert own.Q.diagonal() == (vector(1, 1, 0, 4, 6) if squared else vector(1, 1, 0, 0, 0))
        assert own.c == (vector(0, 0, 0, 0, 0) if squared else vector(0, 0, 0, 2, 3))
        assert own.lower == (None, None, None, 0, 0) and own.upper == (None,) * 5
        assert list(own.G) == list(matrix([1, 3, 1, -1, 0], [-2, -5, -1, 0, -1])) and own.h == vector(-1, -1)
    own = primal.budget(X, y, Q(7))
    assert own.Q.diagonal() == vector(1, 1, 0, 0, 0) and own.c == vector(0, 0, 0, 0, 0)
    assert own.lower == (None, None, None, 0, 0) and own.upper == (None,) * 5
    assert own.G.row(2) == vector(0, 0, 0, 1, 1) and own.h == vector(-1, -1, 7)


def test_the_half_width_follows_from_the_multipliers():
    """Σ α = 16: 1/‖β‖ = 1/4  [MMST-11.31]."""
    assert 1 / BINARY64.sqrt(hard.square_of_multipliers(Vector([6.0, 0.0, 10.0]), (None,) * 3)) == 0.25


def test_log_odds_without_known_differences_are_those_of_the_means():
    """Σ = diag(2, 4), μ₁ = (1, 2), μ₂ = (3, 10): d = (1, 2), c = −½(1·4 + 2·12)  [ESL-4.9]."""
    known = metric.factor(RATIONAL, matrix([2, 0], [0, 4]))
    model = lda.rule(RATIONAL, vector("1/2", "1/2"), matrix([1, 2], [3, 10]), known)
    assert lda.log_odds(model) == (vector(1, 2), Q(-14))


@pytest.mark.parametrize("scale", [1.0, 1000.0])
def test_the_smallest_ball_in_doubles_is_the_exact_one(scale):
    """0, 3 and 4 on a line, moved from the origin: the middle of the ends  [ESL-12.50]."""
    points = [scale * v for v in (10.0, 13.0, 14.0)]
    found = enclosing_ball.solve(BINARY64, Matrix([[a * b for b in points] for a in points]))
    assert abs(found.square - 4 * scale**2) < 1e-8 * scale**2
    assert [round(w, 6) for w in found.weights] == [0.5, 0, 0.5]
    alone = enclosing_ball.solve(BINARY64, Matrix([[4.0, 4.0], [4.0, 4.0]]))
    assert alone.square == 0 and alone.weights == Vector([1.0, 0.0])


@pytest.mark.parametrize(
    ("values", "labels", "cut", "errors"),
    [
        ((0, 1, 5, 6), (0, 0, 1, 1), 3, 0),
        ((0, 2, 4, 6), (0, 1, 0, 1), 1, 1),
        ((0, 4), (1, 0), -2, 1),
        ((3, 3), (1, 1), 2, 0),
        ((3, 3), (0, 0), 4, 0),
        ((0, 1, 2, 8, 9), (0, 1, 0, 1, 1), 5, 1),
    ],
)
def test_the_cut_on_a_line_is_the_middle_of_the_widest_best_gap(values, labels, cut, errors):
    """Gaps before ends, wide before narrow, low before high; beyond the points by half their spread, or by 1."""
    found = empirical([Q(v) for v in values], labels, vector(*[1] * len(values)))
    assert (found.cut, found.errors) == (cut, errors)


def test_the_axes_of_the_search_on_the_e_mail_data_are_those_printed():
    """Six values of C and forty of γ  [MMST-11.3.7-spam]."""
    axes = grid.spam()
    assert axes["C"] == [10, 80, 100, 200, 500, 1000] and len(axes["kernel.gamma"]) == 40
    with pytest.raises(InvalidInput):
        grid.cells({"C": [1, 1]})


def test_each_condition_of_the_tube_fails_by_the_amount_of_its_worst_place():
    """ε = 1, C = 4, residuals −3, 0, 5: the slacks are 2 and 4; each by hand  [MMST-11.126] [MMST-11.129]."""
    r = vector(-3, 0, 5)
    right = insensitive.residuals(vector(4, 0, 0), vector(0, 0, 4), r, Q(4), ONE)
    assert set(right.values()) == {0}
    found = insensitive.residuals(vector(3, 0, 0), vector(0, 0, 4), r, Q(4), ONE)
    assert found == {**right, "bound": 2, "balance": 1}
    found = insensitive.residuals(vector(4, 0, 0), vector(0, 0, 3), r, Q(4), ONE)
    assert found == {**right, "bound": 4, "balance": 1}
    found = insensitive.residuals(vector(4, 2, 0), vector(0, 1, 4), r, Q(4), ONE)
    assert found == {**right, "below": 2, "above": 1, "both": 2, "balance": 1}
    found = insensitive.residuals(vector(6, 0, 0), vector(-1, 0, 4), r, Q(4), ONE)
    assert found == {**right, "bound": 4, "above": 4, "both": 6, "box": 2, "balance": 3}


@pytest.mark.parametrize("weights", [(1, 1, 0), (-1, 0, 1, 0), (0, 0, 0, 0), (1, 0, 2, 0), (1, 0, 1, 0), (2, -1, 1, 0)])
def test_a_ray_that_is_none_is_refused(weights):
    """Too few, negative, all zero, of unequal sums, or of different points  [MMST-11.4]."""
    y = vector(1, 1, -1, -1)
    X = matrix([0, 0], [2, 2], [-2 if min(weights) < 0 else 1, -2 if min(weights) < 0 else 0], [1, 2])
    with pytest.raises(InvalidInput):
        hard.common_point(vector(*weights), y, X)


def test_the_common_point_of_two_classes_is_that_of_both_combinations():
    """Two crossing pairs: weights 3, 3 and 3, 3 give one half each, and the point (1, 1)  [ISML-27.1.1-separable]."""
    X, y = matrix([0, 0], [2, 2], [0, 2], [2, 0]), vector(1, 1, -1, -1)
    found = hard.common_point(vector(3, 3, 3, 3), y, X)
    assert found.weights == vector("1/2", "1/2", "1/2", "1/2") and found.point == vector(1, 1)
    X = matrix([5, 1], [7, 3], [5, 3], [7, 1])
    assert hard.common_point(vector(3, 3, 3, 3), y, X).point == vector(6, 2)
