"""Conjugate gradients on the free variables: bounds met and left, and when they give up."""

from random import Random

import pytest

from refclass.linear.vector import Vector
from refclass.optimise.active_set import solver as active_set
from refclass.optimise.decomposition import conjugate_gradient, solver
from refclass.optimise.decomposition.one_sum import OneSum
from refclass.optimise.quadratic import box
from refclass.optimise.quadratic import certificate as quadratic
from refclass.optimise.quadratic.problem import Problem
from tests.optimise.gram import clouds, gaussian, trained_on


def begun(problem, x):
    """Return the working set of all variables at x."""
    m = [-v for v in quadratic.gradient(problem, Vector(x))]
    return OneSum(problem).part(list(range(problem.n)), x, m)


def inside(problem, seed):
    """Return a feasible point strictly between the bounds."""
    rng = Random(seed)
    return box.start(problem, [a + (b - a) * rng.uniform(0.3, 0.7) for a, b in zip(problem.lower, problem.upper)])


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("intercept", [True, False])
def test_the_minimum_is_reached_with_bounds_on_the_way(seed, intercept):
    """In ten dimensions with a narrow kernel a few dozen steps lead to the value of the active-set method."""
    X, labels = clouds(30, p=10, seed=seed)
    problem = trained_on(gaussian(X, 0.3), labels, 0.6)
    if not intercept:
        problem = Problem(problem.Q, problem.c, problem.lower, problem.upper)
    start = inside(problem, seed)
    part = begun(problem, start)
    assert conjugate_gradient.descend(part, 1e-9, 400)
    least = quadratic.objective(problem, active_set.solve(problem, convex=True).x)
    value = quadratic.objective(problem, Vector(part.x))
    assert abs(value - least) <= 1e-8 * abs(least)
    assert any(v in (a, b) for v, a, b in zip(part.x, problem.lower, problem.upper))  # bounds were met on the way
    change = value - quadratic.objective(problem, Vector(start))
    assert abs(part.value - change) <= 1e-10 * (abs(change) + abs(value))


def test_the_gradient_is_that_of_the_point_reached():
    """The working set's m is brought up to date with x."""
    X, labels = clouds(20, p=10, seed=7)
    problem = trained_on(gaussian(X, 0.3), labels, 0.6)
    part = begun(problem, inside(problem, 7))
    conjugate_gradient.descend(part, 1e-6, 400)
    fresh = quadratic.gradient(problem, Vector(part.x))
    assert (Vector(part.m) + fresh).largest() < 1e-13


def test_uneven_curvature_is_given_up():
    """On a wide kernel, of condition 10¹², the residual does not fall in the trial, and the answer is no."""
    X, labels = clouds(40, seed=3)
    problem = trained_on(gaussian(X, 0.001), labels, 1e9)
    part = begun(problem, inside(problem, 3))
    before = quadratic.objective(problem, Vector(part.x))
    assert not conjugate_gradient.descend(part, 1e-9, 100)
    assert quadratic.objective(problem, Vector(part.x)) <= before


def test_without_a_free_variable_there_is_no_level():
    """With the sum kept and no variable between its bounds, nothing moves, and the answer is no."""
    X, labels = clouds(6, seed=1)
    problem = trained_on(gaussian(X), labels, 1.0)
    part = begun(problem, [0.0] * 6)
    assert not conjugate_gradient.descend(part, 1e-9, 100)
    assert not any(part.x)


def test_the_engine_ends_at_the_same_optimum_with_and_without_them(monkeypatch):
    """Tried from one free variable on, they lead decomposition to the optimum that Newton's method finds."""
    X, labels = clouds(60, p=10, seed=2)
    problem = trained_on(gaussian(X, 0.3), labels, 0.6)
    answers = []
    for least in (1, problem.n + 1):
        monkeypatch.setattr(solver, "MIN_CONJUGATE", least)
        answers.append(quadratic.objective(problem, solver.solve(problem).x))
    assert abs(answers[0] - answers[1]) <= 1e-13 * abs(answers[1])
