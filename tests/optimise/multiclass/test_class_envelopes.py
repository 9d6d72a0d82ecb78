"""The classes apart: the system of their free multipliers is solved, and the iteration ends at the dual's minimum."""

import random

import pytest

from refclass.linear.factorisations.lower_triangle import Triangle
from refclass.optimise.multiclass import class_envelopes, equal_sums
from refclass.optimise.multiclass.class_factors import Blocks, Shared
from tests.optimise.multiclass.test_equal_sums import cloud


def test_conjugate_gradients_solve_the_system_of_all_classes():
    """K(x_k − x̄) + ν_k 1 = r_k at the free points, equal sums, Σ ν_k = 0."""
    rng, problem = random.Random(2), cloud(24, 3)
    shared = Shared(problem.K)
    points = [[i for i in range(24) if i % 3 != k and i % 2] for k in range(3)]
    r = [[rng.gauss(0, 1) for _ in own] for own in points]
    x, nu = Blocks(shared, points).solve(r, 1e-12)
    full = [[dict(zip(own, column)).get(i, 0.0) for i in range(24)] for own, column in zip(points, x)]
    mean = [sum(column) / 3 for column in zip(*full)]
    for k, own in enumerate(points):
        image = shared.product([a - b for a, b in zip(full[k], mean)])
        for i, t in zip(own, r[k]):
            assert image[i] + nu[k] == pytest.approx(t, abs=1e-7)
    totals = list(map(sum, x))
    assert max(totals) - min(totals) < 1e-9 and abs(sum(nu)) < 1e-9


def test_a_pivot_without_digits_is_no_factor():
    """A matrix of rank one has no second pivot."""
    with pytest.raises(ArithmeticError, match="pivot"):
        Triangle([[1.0], [1.0, 1.0]])


@pytest.mark.parametrize("n", [20, 45])
def test_it_ends_at_the_minimum_that_decomposition_finds(n):
    """The multipliers lie within their bounds, with equal sums, and the objective is that of decomposition."""
    problem = cloud(n, 3)
    found, steps = class_envelopes.found(problem)
    assert 0 < steps < class_envelopes.MOST_STEPS
    assert all(0 <= v <= u for own, top in zip(found, problem.upper) for v, u in zip(own, top))
    totals = list(map(sum, found))
    assert max(totals) - min(totals) < 1e-9
    least = problem.objective(equal_sums.solve(problem).alpha)
    assert problem.objective(found) == pytest.approx(least, rel=1e-11)
    assert least < 0


def test_the_slope_is_that_of_the_envelopes():
    """Along a direction of z and of t the difference of two values is the slope halfway, times the length."""
    problem = cloud(20, 3)
    iteration = class_envelopes.Iteration(problem)
    iteration.tol = 1e-13
    start, rng, h = iteration.now, random.Random(5), 1e-4
    dz = [rng.gauss(0, 1) for _ in start.z]

    def at(length):
        z = [a + length * b for a, b in zip(start.z, dz)]
        return class_envelopes.Iterate(iteration, z, start.t + length, start.alpha)

    assert at(h).value - at(-h).value == pytest.approx(2 * h * at(0.0).slope(dz, 1.0), rel=1e-4)
