"""Conjugate gradients on the free variables: bounds met and left, and when they give up."""

from random import Random

import pytest

from refclass.linear.vector import Vector
from refclass.optimise.active_set import solver as active_set
from refclass.optimise.decomposition import conjugate_gradient
from refclass.optimise.decomposition.smo import Pairs
from refclass.optimise.quadratic import box
from refclass.optimise.quadratic import certificate as quadratic
from refclass.optimise.quadratic.problem import Problem
from tests.optimise.gram import clouds, gaussian, trained_on


def begun(problem, x):
    """The pairs at x."""
    m = [-v for v in quadratic.gradient(problem, Vector(x))]
    return Pairs(problem.Q, x, m, problem.lower, problem.upper, paired=problem.E is not None)


def inside(problem, seed):
    """A feasible point strictly between the bounds."""
    rng = Random(seed)
    return box.start(problem, [a + (b - a) * rng.uniform(0.3, 0.7) for a, b in zip(problem.lower, problem.upper)])


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("intercept", [True, False])
def test_the_minimum_is_reached_with_bounds_on_the_way(seed, intercept):
    """In ten dimensions with a narrow kernel a few dozen steps lead to the value of the active-set method."""
    X, labels = clouds(30, p=10, seed=seed)
    problem = trained_on(gaussian(X, 0.3), labels, 0.6)
    if not intercept:
        problem = Problem(problem.Q, problem.c, problem.lower, problem.upper)
    pairs = begun(problem, inside(problem, seed))
    assert conjugate_gradient.descend(pairs, 1e-9, 400)
    least = quadratic.objective(problem, active_set.solve(problem, convex=True).x)
    assert abs(quadratic.objective(problem, Vector(pairs.x)) - least) <= 1e-8 * abs(least)
    assert any(v in (a, b) for v, a, b in zip(pairs.x, problem.lower, problem.upper))  # bounds were met on the way


def test_the_gradient_is_that_of_the_point_reached():
    """m is brought up to date with x."""
    X, labels = clouds(20, p=10, seed=7)
    problem = trained_on(gaussian(X, 0.3), labels, 0.6)
    pairs = begun(problem, inside(problem, 7))
    conjugate_gradient.descend(pairs, 1e-6, 400)
    fresh = quadratic.gradient(problem, Vector(pairs.x))
    assert (Vector(pairs.m) + fresh).largest() < 1e-13


def test_uneven_curvature_is_given_up():
    """On a wide kernel, of condition 10¹², the residual does not fall in the trial, and the answer is no."""
    X, labels = clouds(40, seed=3)
    problem = trained_on(gaussian(X, 0.001), labels, 1e9)
    pairs = begun(problem, inside(problem, 3))
    before = quadratic.objective(problem, Vector(pairs.x))
    assert not conjugate_gradient.descend(pairs, 1e-9, 100)
    assert quadratic.objective(problem, Vector(pairs.x)) <= before


def test_nothing_free_is_no_work_for_it():
    """With the sum kept and no variable between its bounds there is no level, and it declines."""
    X, labels = clouds(6, seed=1)
    problem = trained_on(gaussian(X), labels, 1.0)
    assert not conjugate_gradient.descend(begun(problem, [0.0] * 6), 1e-9, 100)
