"""The exact phase: from any feasible point to the minimum over a few variables."""

from random import Random

import pytest

from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector
from refclass.optimise.active_set import solver as active_set
from refclass.optimise.decomposition.one_sum import OneSum
from refclass.optimise.decomposition.reduced_basis import Basis
from refclass.optimise.decomposition.reduced_newton import polish
from refclass.optimise.quadratic import box
from refclass.optimise.quadratic import certificate as quadratic
from refclass.optimise.quadratic.problem import Problem
from tests.laws.solvers import cast, machine
from tests.optimise.gram import clouds, gaussian, trained_on


def phase(problem, x=None, tol=1e-11):
    """Run the phase on all variables; return the pairs and the ray."""
    constraints = OneSum(problem)
    x = box.start(problem, x)
    pairs = constraints.part(list(range(problem.n)), x, [-v for v in quadratic.gradient(problem, Vector(x))])
    return pairs, polish(pairs, Basis(constraints), tol)


def inside(problem, seed):
    """A feasible point with many variables strictly between their bounds."""
    rng = Random(seed)
    x = [rng.uniform(a, b) if rng.random() < 0.7 else rng.choice((a, b)) for a, b in zip(problem.lower, problem.upper)]
    return box.start(problem, x)


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("C", [0.3, 10.0])
@pytest.mark.parametrize("intercept", [True, False])
def test_the_phase_ends_at_the_minimum_from_anywhere(seed, C, intercept):
    """From a feasible point with dozens of variables between their bounds to the value of the active-set method."""
    X, labels = clouds(30, seed=seed)
    problem = trained_on(gaussian(X), labels, C)
    if not intercept:
        problem = Problem(problem.Q, problem.c, problem.lower, problem.upper)
    start = inside(problem, seed)
    pairs, ray = phase(problem, start)
    least = quadratic.objective(problem, active_set.solve(problem, convex=True).x)
    value = quadratic.objective(problem, Vector(pairs.x))
    assert ray is None
    assert pairs.violation() <= 1e-10
    assert abs(value - least) <= 1e-12 * abs(least)
    change = value - quadratic.objective(problem, Vector(start))
    assert abs(pairs.value - change) <= 1e-10 * (abs(change) + abs(value))


@pytest.mark.parametrize("seed", range(4))
def test_points_that_follow_from_others_are_moved_to_a_bound_or_left_in_peace(seed):
    """A linear kernel in the plane: three points span the face, and dozens of free ones depend on them."""
    X, labels = clouds(30, seed=seed)
    K = Matrix([[sum(a * b for a, b in zip(x, z)) for z in X] for x in X])
    problem = trained_on(K, labels, 1.0)
    pairs, _ = phase(problem, inside(problem, seed))
    least = quadratic.objective(problem, active_set.solve(problem, convex=True).x)
    assert pairs.violation() <= 1e-9
    assert abs(quadratic.objective(problem, Vector(pairs.x)) - least) <= 1e-11 * abs(least)


def test_two_copies_in_different_classes_part():
    """Both free at the start, they cannot both be stationary: along their difference the objective falls to a bound."""
    K = Matrix([[1.0, 1.0, 0.2], [1.0, 1.0, 0.2], [0.2, 0.2, 1.0]])
    problem = trained_on(K, [1, 0, 1], 2.0)
    pairs, _ = phase(problem, [1.0, -1.5, 0.5])
    assert pairs.violation() <= 1e-11
    assert pairs.x[1] == -2.0


def test_a_face_without_end_gives_a_ray():
    """Points 0 and 2 around 1, no bound: the motion of all three never meets one."""
    problem = cast(machine([[0], [1], [2]], [1, 0, 1], [None] * 3), float)
    _, ray = phase(problem, [1.0, -2.0, 1.0])
    r = Vector([ray.get(i, 0.0) for i in range(3)])
    assert (problem.Q @ r).largest() < 1e-9 * r.largest() and problem.c @ r < 0 and abs(r.sum()) < 1e-9


def test_a_point_between_its_bounds_alone_is_left():
    """With the sum kept one free variable cannot move, and nothing is free to begin with here: nothing happens."""
    X, labels = clouds(6, seed=1)
    problem = trained_on(gaussian(X), labels, 1.0)
    pairs, ray = phase(problem)
    assert pairs.x == [0.0] * 6 and ray is None
