"""Guesses from a sample: feasible, cheap, and refused where they would mislead."""

import pytest

from refclass.kernels.gaussian import Gaussian
from refclass.kernels.gram import Rows
from refclass.linear.vector import Vector
from refclass.number.binary64 import BINARY64
from refclass.optimise.decomposition import solver as decomposition
from refclass.optimise.decomposition import warm_start
from refclass.optimise.quadratic import box
from refclass.optimise.quadratic import certificate as quadratic
from refclass.optimise.quadratic.problem import Problem
from tests.optimise.gram import clouds, gaussian, trained_on


def large(n, C, p=2, gamma=0.5, seed=1):
    """A machine of n points whose Gram matrix is computed row by row."""
    X, labels = clouds(n, p=p, seed=seed)
    rows = Rows(BINARY64, Gaussian(gamma), tuple(Vector(x) for x in X))
    return trained_on(rows, labels, C)


def test_only_what_can_be_sketched_is():
    """Many variables, rows by parts, finite bounds around zero, a sum of zero."""
    problem = large(warm_start.LARGE, 1.0)
    p = problem
    assert warm_start.possible(p)
    assert not warm_start.possible(large(warm_start.LARGE - 1, 1.0))
    assert not warm_start.possible(large(warm_start.LARGE, None))
    assert not warm_start.possible(Problem(p.Q, p.c, p.lower, p.upper, p.E, Vector([1.0])))
    assert not warm_start.possible(Problem(p.Q, p.c, tuple(v + 0.5 for v in p.lower), tuple(v + 0.5 for v in p.upper)))
    X, labels = clouds(40)
    assert not warm_start.possible(trained_on(gaussian(X), labels, 1.0))


@pytest.mark.parametrize("size", [100, 200])
def test_a_sample_keeps_the_shares_of_the_classes_and_the_weight_of_all(size):
    """Of 800 points in equal classes, so many; the widths of the bounds add up to those of the whole."""
    problem = large(800, 2.0)
    part, places = warm_start.sample(problem, size)
    assert len(places) == size == part.n
    assert sum(v > 0 for v in part.c) == size // 2
    assert abs(sum(part.upper) - sum(problem.upper)) < 1e-9
    assert part.Q.row(3)[5] == problem.Q.row(places[3])[places[5]]


@pytest.mark.parametrize("n, sizes", [(800, [200]), (1000, [125, 250]), (2000, [125, 500]), (8000, [125, 500, 2000])])
def test_a_large_sample_is_sampled_itself(n, sizes):
    """From the smallest on, each sample is one of the next, and the last one of the problem: a quarter of it."""
    problem = large(n, 1.0)
    chain = list(warm_start.samples(problem))
    assert [part.n for _, part, _ in chain] == sizes
    assert [whole for whole, _, _ in chain] == [part for _, part, _ in chain[1:]] + [problem]
    assert all(part.c == whole.c.pick(places) for whole, part, places in chain)


def test_a_guess_is_feasible_and_near_the_solution():
    """Whatever the sample says, the guess lies in the box and keeps the sum; most of its variables are at the bound
    where they end."""
    problem = large(800, 1.0)
    part, places = warm_start.sample(problem, 200)
    small = decomposition.solve(part, tol=0.1)
    guess, undecided = warm_start.extend(problem, places, small.x, small.nu[0])
    assert abs(sum(guess)) < 1e-9
    assert all(a <= v <= b for v, a, b in zip(guess, problem.lower, problem.upper))
    least = decomposition.solve(problem).x
    wrong = [i for i, (v, w) in enumerate(zip(guess, least)) if abs(v - w) > 0.5 and i not in undecided]
    assert len(wrong) < 80


def test_variables_between_their_bounds_are_counted_among_the_support():
    """Two of three that are not zero lie between."""
    problem = large(800, 1.0)
    x = [0.0] * 800
    up, down = [i for i, v in enumerate(problem.c) if v < 0], [i for i, v in enumerate(problem.c) if v > 0]
    x[up[0]], x[up[1]], x[down[0]] = 1.0, 0.5, -0.25
    assert warm_start.share_between(problem, x) == 2 / 3
    assert warm_start.share_between(problem, [0.0] * 800) == 0.0


def test_where_most_multipliers_are_between_their_bounds_there_is_no_guess():
    """In fifty dimensions a sample is no picture of the whole: the iteration starts at zero."""
    walk = decomposition.Walk(large(800, 10.0, p=50, gamma=0.02), None, None)
    assert not any(walk.x) and walk.undecided == []


def test_the_start_of_the_walk_does_not_change_its_end():
    """From zero and from the guess the minimum is the same."""
    problem = large(900, 0.2, seed=4)
    guessed, plain = decomposition.solve(problem), decomposition.solve(problem, start=[0.0] * 900)
    assert any(decomposition.Walk(problem, None, None).x)
    value = quadratic.objective(problem, plain.x)
    assert abs(quadratic.objective(problem, guessed.x) - value) <= 1e-13 * abs(value)
    assert box.interval(problem, plain.x, quadratic.gradient(problem, plain.x)) is not None
