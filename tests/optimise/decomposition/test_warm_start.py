"""Guesses from samples: feasible, near the solution, and refused where they would mislead."""

import pytest

from refclass.kernels.gaussian import Gaussian
from refclass.kernels.matrices.gram import Rows
from refclass.linear.vector import Vector
from refclass.number.binary64 import BINARY64
from refclass.optimise.decomposition import solver as decomposition
from refclass.optimise.decomposition import warm_start
from refclass.optimise.quadratic.certificate import Problem
from tests.optimise.gram import clouds, gaussian, trained_on


def large(n, C):
    """A machine of n points whose Gram matrix is computed row by row."""
    X, labels = clouds(n, p=2, seed=1)
    return trained_on(Rows(BINARY64, Gaussian(0.5), tuple(Vector(x) for x in X)), labels, C)


def test_samples_are_taken_of_many_variables_with_bounds_around_zero_only():
    """Many variables, rows by parts, finite bounds around zero, a sum of zero."""
    p = large(warm_start.LARGE, 1.0)
    assert warm_start.possible(p)
    assert not warm_start.possible(large(warm_start.LARGE - 1, 1.0))
    assert not warm_start.possible(large(warm_start.LARGE, None))
    assert not warm_start.possible(Problem(p.Q, p.c, p.lower, p.upper, p.E, Vector([1.0])))
    assert not warm_start.possible(Problem(p.Q, p.c, tuple(v + 0.5 for v in p.lower), tuple(v + 0.5 for v in p.upper)))
    X, labels = clouds(40)
    assert not warm_start.possible(trained_on(gaussian(X), labels, 1.0))


@pytest.mark.parametrize("n, sizes", [(800, [200]), (1000, [125, 250]), (2000, [125, 500]), (8000, [125, 500, 2000])])
def test_a_large_sample_is_sampled_itself(n, sizes):
    """From the smallest on, each is a sample of the next, with its classes' shares, and the widths of bounds add up."""
    problem = large(n, 1.0)
    chain = list(warm_start.samples(problem))
    assert [part.n for _, part, _ in chain] == sizes
    assert [whole for whole, _, _ in chain] == [part for _, part, _ in chain[1:]] + [problem]
    for whole, part, places in chain:
        assert part.c == whole.c.pick(places)
        assert abs(2 * sum(v > 0 for v in part.c) - part.n) <= 1
        assert abs(sum(part.upper) - sum(whole.upper)) <= 0.05 * sum(whole.upper)


def test_a_guess_is_feasible_and_near_the_solution():
    """Whatever the sample says, the guess lies in the box and keeps the sum; most variables are where they end."""
    problem = large(800, 1.0)
    _, part, places = next(iter(warm_start.samples(problem)))
    small = decomposition.solve(part, tol=0.1)
    assert warm_start.trusted(part, small.x, False)
    guess = warm_start.extend(problem, places, small.x, small.nu[0])
    assert abs(sum(guess)) < 1e-9
    assert all(a <= v <= b for v, a, b in zip(guess, problem.lower, problem.upper))
    least = decomposition.solve(problem).x
    assert sum(abs(v - w) > 0.5 for v, w in zip(guess, least)) < 160
    assert not warm_start.trusted(part, Vector([0.5 * v for v in part.upper]), True)


def test_the_answer_is_the_same_without_a_guess(monkeypatch):
    """The optimum of many points, proven as closely, whether it begins from a sample or from zero."""
    problem = large(600, 10.0)
    plain = decomposition.ended(problem)
    monkeypatch.setattr(warm_start, "LARGE", 500)
    guessed = decomposition.ended(problem)
    assert decomposition.certify(problem, plain).digits >= 9
    assert decomposition.certify(problem, guessed).digits >= 9
    assert max(abs(a - b) for a, b in zip(plain.x, guessed.x)) <= 1e-6
