"""The points of the linear solver: which may be left out, and that leaving them out changes no answer."""

import random
from itertools import repeat

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from refclass.iteration import ending
from refclass.linear.vector import Vector, dot
from refclass.optimise.linear_svm import iteration
from refclass.optimise.linear_svm.screened_points import Points


def sample(seed, n=150, p=3):
    chance = random.Random(seed)
    X = [Vector([chance.gauss(0, 1) for _ in range(p)]) for _ in range(n)]
    y = Vector([1.0 if sum(x) + chance.gauss(0, 1) > 0 else -1.0 for x in X])
    return X, y, chance


def problem(seed, intercept=True):
    X, y, chance = sample(seed)
    return Points.of(X, y, [chance.uniform(0.5, 2) for _ in y], intercept), chance


def objective(points, theta):
    """½‖β‖² − qᵀθ + Σ Cᵢ [marginᵢ − zᵢᵀθ]₊, by its definition."""
    beta = theta[: len(points.X[0])]
    paid = sum(c * e for c, e in zip(points.costs, points.slack(theta)) if e > 0)
    return dot(beta, beta) / 2 - dot(points.q, theta) + paid


@given(st.integers(0, 10**6), st.booleans())
def test_points_left_out_change_the_objective_by_a_constant_while_they_keep_their_sides(seed, intercept):
    """Two objectives differ by as much on all points as on those near the margin [ESL-12.25]."""
    points, chance = problem(seed, intercept)
    theta = [chance.gauss(0, 1) for _ in points.columns]
    part = points.near(points.slack(theta), 0.7)
    after = [v + chance.gauss(0, 0.1) for v in theta]
    sides = [[e > 0 for e in points.slack(t)] for t in (theta, after)]
    assume(all(a == b or i in part.places for i, (a, b) in enumerate(zip(*sides))))
    change = [objective(some, after) - objective(some, theta) for some in (points, part)]
    assert change[0] == pytest.approx(change[1], abs=1e-10)


@given(st.integers(0, 10**6))
def test_every_point_within_the_width_stays_and_keeps_its_data(seed):
    """Places, rows, labels, costs and slack are those of the points within the width [ESL-12.16]."""
    points, chance = problem(seed)
    theta = [chance.gauss(0, 1) for _ in points.columns]
    slack = points.slack(theta)
    part = points.near(slack, 0.5)
    if part is not points:
        assert list(part.places) == [i for i, e in enumerate(slack) if abs(e) <= 0.5]
    for k, i in enumerate(part.places):
        assert (part.X[k], part.y[k], part.costs[k]) == (points.X[i], points.y[i], points.costs[i])
        assert part.slack(theta)[k] == pytest.approx(slack[i])


@given(st.integers(0, 10**6), st.sampled_from([1e-3, 0.1, 1.0, 10.0]))
def test_leaving_points_out_leads_to_the_same_optimum(seed, width):
    """From any start and with any width, far too small ones among them, the end is that on all points [SVC-L1.P2]."""
    points, chance = problem(seed)
    theta = [chance.gauss(0, 1) for _ in points.columns]
    ends = [
        ending(iteration.steps(points, iteration.start(points, near)))
        for near in (None, (theta, width, points.slack(theta)))
    ]
    assert all(end.points is points for end in ends)
    assert all(abs(a - b) <= 1e-11 * (1 + abs(a)) for a, b in zip(*[end.theta for end in ends]))


def test_all_points_stay_where_the_others_would_make_the_objective_fall_for_ever():
    """Where only points of one class are near, the intercept would move without end [ESL-12.25]."""
    X = [(0.0,)] * 10 + [(5.0,)] * 60 + [(-5.0,)] * 60
    y = [1.0] * 70 + [-1.0] * 60
    points = Points.of(X, y, list(repeat(1.0, 130)), True)
    assert len(points.near(points.slack([1.0, 1.0]), 0.5).places) == 130
    free = Points.of(X, y, list(repeat(1.0, 130)), False)
    assert len(free.near(free.slack([1.0]), 1.5).places) == 10


@given(st.integers(0, 10**6))
def test_margins_are_perturbed_by_different_amounts(seed):
    """Each margin grows by at most the amount, no two of them by the same, those near the margin by their own."""
    points, chance = problem(seed)
    moved = points.perturbed(0.5).margins
    assert len(set(moved)) == len(moved) and all(1 < m <= 1.5 for m in moved)
    part = points.near(points.slack([chance.gauss(0, 1) for _ in points.columns]), 0.5)
    assert part.perturbed(0.5).margins == [moved[i] for i in part.places]
