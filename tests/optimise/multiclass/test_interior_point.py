"""Mehrotra's method for machines of several classes: its bounds hold the optimum, and they meet."""

from fractions import Fraction as Q
from itertools import islice
from random import Random

import pytest

from refclass.margins.crammer_singer import fit
from refclass.number.decimals import decimal
from refclass.number.rational import RATIONAL
from refclass.optimise.multiclass import central_path, interior_point
from refclass.optimise.multiclass.newton_equations import Points
from tests.margins import columns, many

LABELS = [0, 1, 2, 0, 1, 2, 0, 1, 2]


def sample(seed):
    """Nine points in the plane with small whole coordinates."""
    r = Random(seed)
    return [[r.randint(-4, 4), r.randint(-4, 4)] for _ in LABELS]


@pytest.mark.parametrize("seed, cost", [(1, 1), (2, 100), (3, 1), (4, 10**6)])
def test_the_bounds_of_simplex_losses_meet_at_the_exact_optimum(seed, cost):
    """Within 10⁻¹² of the optimum in fractions; multipliers are positive and sum to the cost
    [ISML-27.5-soft] [ISML-27.5-dual]."""
    X = sample(seed)
    best = fit.train(RATIONAL, many.machine(X, LABELS, cost)).objective
    Z = [[float(v) for v in x] for x in X]
    found = interior_point.solve(central_path.Simplex(Points(Z, False), LABELS, [float(cost)] * 9, 3, 1.0))
    assert abs(found.primal - best) <= 1e-11 * best and found.gap <= 1e-11
    assert all(min(own) > 0 for own in found.multipliers)
    assert all(abs(sum(column) - cost) <= 1e-12 * cost for column in zip(*found.multipliers))


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_the_bounds_of_box_losses_meet_at_the_exact_optimum(seed):
    """Within 10⁻⁹ of the optimum in fractions, functions summing to zero [MMST-11.92] [MMST-11.104]."""
    X = sample(seed)
    m, t = columns.solved(columns.machine(X, LABELS))
    problem, scale = m.problem(), float(m.scale)
    code = [[float(v) / scale for v in own] for own in problem.c]
    upper = [list(map(float, own)) for own in problem.upper]
    points = Points([[float(v) for v in x] for x in X], True)
    found = interior_point.solve(central_path.Box(points, code, upper, scale))
    best = float(t.objective * m.n)
    assert abs(found.primal - best) <= 1e-9 * best and found.gap <= 1e-9
    assert max(abs(sum(column)) for column in zip(*found.v)) <= 1e-10


@pytest.mark.parametrize("loss", ["simplex", "box"])
def test_decimals_go_on_where_doubles_end(loss):
    """The bounds meet in forty digits, ever faster: a step gains more digits than its share of the way to the boundary
    [ISML-27.5-dual] [MMST-11.104]."""
    X, F = sample(1), decimal(80)
    if loss == "simplex":
        points = Points([F.lift_all(x) for x in X], False, F)
        machine = central_path.Simplex(points, LABELS, [F.kind(10)] * 9, 3, F.kind(1))
        best = fit.train(RATIONAL, many.machine(X, LABELS, 10)).objective
    else:
        m, t = columns.solved(columns.machine(X, LABELS))
        problem, scale = m.problem(), F.lift(m.scale)
        code = [[F.lift(v) / scale for v in own] for own in problem.c]
        points = Points([F.lift_all(x) for x in X], True, F)
        machine = central_path.Box(points, code, [F.lift_all(own) for own in problem.upper], scale)
        best = t.objective * m.n
    near = interior_point.solve(machine, F.kind(10) ** -12)
    _, ahead = islice(interior_point.steps(machine), 2)
    assert ahead.gap < near.gap / 10**4
    found = interior_point.solve(machine, F.kind(10) ** -40)
    assert found.gap <= F.kind(10) ** -40
    assert abs(Q(found.primal) - best) <= best / 10**38


@pytest.mark.parametrize("seed", [1, 2, 7, 11])
def test_the_steps_of_large_columns_are_those_of_small_ones(seed):
    """A gap that is small beside the costs of points that pay does not let a step end next to the boundary: with that
    rule there were the more steps the larger the columns were, of the first seed 11, 13 and 14 [ISML-27.5-dual]."""
    F, found = decimal(120), []
    for size in (8, 12, 16):
        Z = [[F.kind(10) ** (size - 3 * j) * v for j, v in enumerate(x)] for x in sample(seed)]
        machine = central_path.Simplex(Points(Z, False, F), LABELS, [F.kind(1)] * 9, 3, F.kind(1))
        found.append(next(k for k, state in enumerate(interior_point.steps(machine)) if state.gap < F.kind(10) ** -60))
    assert found[0] == found[1] == found[2]


def test_every_iterate_bounds_the_optimum_of_simplex_losses():
    """dual ≤ optimum ≤ primal at each of them [ISML-27.5-dual]."""
    X = sample(5)
    best = fit.train(RATIONAL, many.machine(X, LABELS)).objective
    machine = central_path.Simplex(Points([[float(v) for v in x] for x in X], False), LABELS, [1.0] * 9, 3, 1.0)
    for state in interior_point.steps(machine):
        assert state.dual <= best * (1 + 1e-12) and best <= state.primal * (1 + 1e-12)
        if state.gap < 1e-13:
            break


def test_points_that_are_all_equal_are_no_obstacle():
    """No function tells them apart: the optimum is f = 0 [ISML-27.5-soft]."""
    X = [[2, 1]] * 9
    machine = central_path.Simplex(Points([[2.0, 1.0]] * 9, False), LABELS, [1.0] * 9, 3, 1.0)
    assert interior_point.solve(machine).primal == pytest.approx(9, rel=1e-12)
    exact = fit.train(RATIONAL, many.machine(X, LABELS))
    assert exact.objective == 9
