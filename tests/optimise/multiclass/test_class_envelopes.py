"""The classes apart: the system of their free multipliers is solved, and the iteration ends at the dual's minimum."""

import random

import pytest

from refclass.linear.matrix import Matrix
from refclass.optimise.multiclass import class_envelopes, equal_sums
from refclass.optimise.multiclass.class_factors import Blocks, Shared
from tests.optimise import groups
from tests.optimise.multiclass.test_equal_sums import cloud


def test_conjugate_gradients_solve_the_system_of_all_classes():
    """K(x_k − x̄) + ν_k 1 = r_k at the free points, equal sums, Σ ν_k = 0."""
    rng, problem = random.Random(2), cloud(24, 3)
    shared = Shared(problem.K)
    points = [[i for i in range(24) if i % 3 != k and i % 2] for k in range(3)]
    r = [[rng.gauss(0, 1) for _ in own] for own in points]
    blocks = Blocks(shared, points, [groups.basis(shared) for _ in range(3)])
    right = [[dict(zip(own, t))[i] for i in held] for own, t, held in zip(points, r, blocks.points)]
    x, nu = blocks.solve(right, 1e-12)
    full = [[dict(zip(own, column)).get(i, 0.0) for i in range(24)] for own, column in zip(blocks.points, x)]
    mean = [sum(column) / 3 for column in zip(*full)]
    for k, own in enumerate(points):
        image = shared.product([a - b for a, b in zip(full[k], mean)])
        for i, t in zip(own, r[k]):
            assert image[i] + nu[k] == pytest.approx(t, abs=1e-7)
    totals = list(map(sum, x))
    assert max(totals) - min(totals) < 1e-9 and abs(sum(nu)) < 1e-9


def test_a_class_without_free_points_is_no_system():
    """Its level is fixed by no point."""
    shared = Shared(cloud(6, 3).K)
    with pytest.raises(ArithmeticError, match="free"):
        Blocks(shared, [[0], [], [1, 2]], [groups.basis(shared) for _ in range(3)])


def test_a_copy_of_a_free_point_is_left_out_of_the_system():
    """Its curvature follows from that of the other; the equations hold at it, as it has the same row of K."""
    points = [[0.0], [1.0], [1.0], [3.0]]
    shared = Shared(Matrix(groups.gaussian(points, 0.5)))
    blocks = Blocks(shared, [[0, 1, 2, 3]] * 2, [groups.basis(shared) for _ in range(2)])
    assert [len(own) for own in blocks.points] == [3, 3]
    (x, _), (nu, _) = blocks.apart([[1.0, 2.0, -1.0], [0.5, 0.0, 1.0]])
    at = dict(zip(blocks.points[0], [1.0, 2.0, -1.0]))
    image = shared.product([dict(zip(blocks.points[0], x)).get(i, 0.0) for i in range(4)])
    assert [image[i] + nu for i in at] == pytest.approx(list(at.values()))
    assert image[1] == image[2]


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
