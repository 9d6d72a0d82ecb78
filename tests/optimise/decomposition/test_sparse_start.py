"""Starting points where few entries of Q matter: they are the optimum where the sets settle."""

from random import Random

import pytest

from refclass.linear.factorisations import sparse_ldl
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector
from refclass.optimise.decomposition import solver, sparse_start
from refclass.optimise.quadratic.certificate import Problem
from tests.optimise.gram import gaussian


def problem(n, cost, summed, seed=1):
    """The dual of a machine of n scattered points, every fifth beside or at the place of another."""
    rng = Random(seed)
    points = [(rng.uniform(0, 400.0), rng.uniform(0, 400.0)) for _ in range(n)]
    for i in range(5, n, 5):
        points[i] = (points[i - 1][0] + rng.choice((0.0, 1e-2, 0.5)), points[i - 1][1])
    y = Vector([float(rng.choice((-1, 1))) for _ in range(n)])
    K = gaussian(points, 1.0)
    lower, upper = tuple(0.0 if v > 0 else -cost for v in y), tuple(cost if v > 0 else 0.0 for v in y)
    sums = (Matrix([[1.0] * n]), Vector([0.0])) if summed else ()
    return Problem(K, -y, lower, upper, *sums)


@pytest.mark.parametrize("summed", [True, False])
@pytest.mark.parametrize("cost", [0.5, 1.0, 1e3])
def test_the_point_is_the_optimum(monkeypatch, summed, cost):
    """Where the sets settle, the point is feasible but for roundoff, and no point has a lower value."""
    dual = problem(100, cost, summed)
    best = value(dual, solver.solve(dual).x)
    monkeypatch.setattr(sparse_start, "LEAST", 50)
    point = sparse_start.found(dual, summed)
    assert point is not None
    assert not summed or abs(sum(point)) <= 1e-9
    assert all(low <= v <= high for v, low, high in zip(point, dual.lower, dual.upper))
    assert abs(value(dual, Vector(point)) - best) <= 1e-12 * abs(best)


def test_one_order_of_elimination_serves_all_steps(monkeypatch):
    """The pattern of Q is ordered once, however many variables change sides at how many steps."""
    plans, factors = [], []
    plan, factor = sparse_ldl.plan, sparse_ldl.factor
    monkeypatch.setattr(sparse_ldl, "plan", lambda near: plans.append(near) or plan(near))
    monkeypatch.setattr(sparse_ldl, "factor", lambda *known: factors.append(known) or factor(*known))
    monkeypatch.setattr(sparse_start, "LEAST", 50)
    sparse_start.found(problem(100, 1e3, True), True)
    assert len(plans) == 1 and len(factors) > 2


def value(dual, x):
    """The objective."""
    return (x @ (dual.Q @ x)) / 2 + dual.c @ x


def test_a_dense_matrix_gives_no_point(monkeypatch):
    """Where most entries matter a sparse factor would be none."""
    monkeypatch.setattr(sparse_start, "LEAST", 50)
    rng = Random(2)
    K = gaussian([(rng.random(), rng.random()) for _ in range(80)], 1.0)
    y = Vector([1.0, -1.0] * 40)
    assert sparse_start.found(Problem(K, -y, (-1.0,) * 80, (1.0,) * 80), False) is None


def test_small_problems_are_left_to_decomposition():
    """Up to some size a dense factor takes seconds."""
    assert sparse_start.found(problem(100, 1.0, True), True) is None
