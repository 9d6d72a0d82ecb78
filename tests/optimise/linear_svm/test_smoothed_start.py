"""The start of the linear solver: near the optimum, or none."""

import random
from dataclasses import replace

import pytest

from refclass.iteration import ending
from refclass.linear.vector import Vector, dot
from refclass.optimise.linear_svm import iteration, smoothed_start
from refclass.optimise.linear_svm import solver as linear_svm
from refclass.optimise.linear_svm.screened_points import Points
from refclass.optimise.linear_svm.smoothed_start import Part
from refclass.optimise.linear_svm.solver import Problem
from tests.benchmarks.samples import DATA
from tests.optimise.linear_svm import proofs


def machine(data, n, p, C, seed=1):
    X, labels = DATA[data](n, p, seed=seed)
    return [tuple(x) for x in X], [2.0 * k - 1 for k in labels], [float(C)] * n


def part(X, y, costs):
    return Part(Points.of(X, y, costs, True).columns, costs, True)


def rounded_objective(some, theta, h):
    """½‖β‖² + Σ Cᵢφ(slackᵢ), by its definition."""
    slack = some.slack(theta)
    phi = [0 if s <= -h else s if s >= h else (s + h) ** 2 / (4 * h) for s in slack]
    return dot(theta[:-1], theta[:-1]) / 2 + sum(c * v for c, v in zip(some.weights, phi))


@pytest.mark.parametrize("C", [1, 100])
@pytest.mark.parametrize(("data", "n", "p"), [("gauss", 300, 2), ("gauss", 300, 10), ("moons", 300, 4)])
def test_the_start_is_near_the_optimum(data, n, p, C):
    """Its objective is at most a twentieth above the least, that at θ = 0 many times as far [ESL-12.25]."""
    X, y, costs = machine(data, n, p, C)
    theta, _, _ = smoothed_start.near(Points.of(X, y, costs, True))
    problem = Problem([Vector(x) for x in X], Vector(y), tuple(costs))
    least = float(proofs.certify(problem, linear_svm.solve(problem)).primal)
    some = part(X, y, costs)
    assert least <= some.objective(theta, some.slack(theta)) * (1 + 1e-12) <= 1.05 * least
    assert sum(costs) > 1.5 * least


@pytest.mark.parametrize(("n", "p", "count"), [(2000, 2, 166), (200, 2, 60), (600, 10, 88)])
def test_the_points_that_may_change_side_are_one_of_twelve_or_eight_for_each_variable(n, p, count):
    """So many are nearer to the margin than the width, and on these the iteration begins [ESL-12.25]."""
    X, y, costs = machine("gauss", n, p, 1)
    points = Points.of(X, y, costs, True)
    theta, width, slack = smoothed_start.near(points)
    assert abs(sum(abs(e) < width for e in slack) - count) <= 1  # of one point roundoff decides
    assert abs(len(iteration.start(points, (theta, width, slack)).points.y) - count - 1) <= 1


def test_few_points_are_enough_to_reach_the_optimum_of_all():
    """The first confirmation succeeds with one of twelve, where with 60 points it does not [ESL-12.25]."""
    X, y, costs = machine("gauss", 2000, 2, 1, seed=6)
    points = Points.of(X, y, costs, True)
    seen = [
        len(state.points.y) for state in iteration.steps(points, iteration.start(points, smoothed_start.near(points)))
    ]
    assert max(seen) < len(y)


@pytest.mark.parametrize("intercept", [True, False])
def test_the_iteration_ends_at_the_same_optimum_wherever_it_starts(intercept):
    """The optimum of the iteration from zero and that of the iteration from here agree to roundoff [ESL-12.25]."""
    X, y, costs = machine("moons", 200, 3, 1)
    points = Points.of(X, y, costs, intercept)
    starts = [lambda: iteration.start(points), lambda: iteration.start(points, smoothed_start.near(points))]
    ends = [ending(iteration.steps(points, start())).theta for start in starts]
    lengths = [sum(1 for _ in iteration.steps(points, start())) for start in starts]
    assert ends[0] == pytest.approx(ends[1], rel=1e-9)
    assert lengths[1] < lengths[0]


@pytest.mark.parametrize("C", [0.1, 1, 100])
def test_steps_never_raise_the_objective(C):
    """From random places the objective goes down or stays, whatever Newton's method makes of them [ESL-12.25]."""
    X, y, costs = machine("gauss", 60, 3, C)
    some, rng = part(X, y, costs), random.Random(5)
    for _ in range(20):
        theta = [rng.gauss(0, 1) for _ in range(4)]
        after, _ = smoothed_start.descend(some, theta, 3)
        assert some.objective(after, some.slack(after)) <= some.objective(theta, some.slack(theta))


def test_a_step_ends_where_the_rounded_objective_is_lower():
    """From zero, with corners of several widths; the slack is brought up to date with θ [ESL-12.25]."""
    X, y, costs = machine("gauss", 60, 3, 1)
    some, theta = part(X, y, costs), [0.0] * 4
    for h in (1.0, 1.5, 4.0):
        after, ahead = some.step(theta, some.slack(theta), h)
        assert rounded_objective(some, after, h) < rounded_objective(some, theta, h)
        assert ahead == pytest.approx(some.slack(after))


def test_with_every_point_within_the_corner_one_step_is_the_regularised_least_squares_fit():
    """With h so large that nobody leaves the corner, β + Σ Cᵢ(slackᵢ + h)/2h · (−zᵢ) = 0 after one step [ESL-12.25]."""
    X, y, costs = machine("gauss", 40, 2, 0.01)
    some, h = part(X, y, costs), 50.0
    theta, slack = some.step([0.0] * 3, some.slack([0.0] * 3), h)
    assert max(map(abs, slack)) < h
    inside_sum = [sum(c * (e + h) / (2 * h) * v for c, e, v in zip(costs, slack, column)) for column in some.columns]
    assert inside_sum == pytest.approx([*theta[:-1], 0.0], abs=1e-12)


def test_each_class_keeps_its_share_in_every_sample():
    """Σ Cᵢ over a class is the same in every part; the last part has all points."""
    X, y, costs = machine("gauss", 400, 2, 1)
    parts = list(smoothed_start.samples(Points.of(X, y, costs, True)))
    assert len(parts) > 1 and len(parts[-1].weights) == 400
    for some in parts:
        weights = {side: sum(w for w, t in zip(some.weights, some.columns[-1]) if t == side) for side in (1, -1)}
        assert weights == pytest.approx({1: 200, -1: 200})


@pytest.mark.parametrize(("p", "most"), [(2, 60), (40, 82)])
def test_few_points_have_no_start(p, most):
    """Sixty points, or two for each variable: the iteration begins at zero; with one more it begins near the end."""
    X, y, costs = machine("gauss", most + 1, p, 1)
    assert smoothed_start.near(Points.of(X[:-1], y[:-1], costs[:-1], True)) is None
    assert smoothed_start.near(Points.of(X, y, costs, True)) is not None


@pytest.mark.parametrize("x", [(1e200, 0.0), (0.0, 0.0)])
def test_numbers_that_give_no_start_are_no_obstacle(x):
    """Squares beyond all doubles, or all points the same: none, or a finite one."""
    points = Points.of([(0.0, 0.0)] * 80, [1.0, -1.0] * 40, [1.0] * 80, True)
    columns = [tuple(t * v for t in points.y) for v in (*x, 1.0)]
    found = smoothed_start.near(replace(points, columns=columns))
    assert found is None or all(abs(v) < float("inf") for v in found[0])
