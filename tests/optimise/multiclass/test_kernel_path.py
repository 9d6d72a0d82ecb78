"""The central path in the multipliers: its systems are solved, and its end is a start for decomposition."""

import random

import pytest

from refclass.linear.matrix import Matrix
from refclass.optimise.multiclass import class_factors, equal_sums, kernel_path
from refclass.optimise.multiclass.class_factors import Blocks, Shared, Triangle
from tests.optimise.multiclass.test_equal_sums import cloud


@pytest.mark.parametrize("q", [0, 4])
def test_conjugate_gradients_solve_the_system_of_all_classes(q, monkeypatch):
    """K(x_k − x̄) + D_k x_k + ν_k 1 = r_k where multipliers can move, equal sums, Σ ν_k = 0; where Z has all columns."""
    monkeypatch.setattr(class_factors, "RESIDUAL", 1e-12)
    rng, problem = random.Random(2), cloud(24, 3)
    shared = Shared(problem.K)
    if q:  # of rank 4: nothing is left out
        rows = [[rng.gauss(0, 1) for _ in range(q)] for _ in range(24)]
        gram = Matrix([[sum(a * b for a, b in zip(x, z)) for z in rows] for x in rows])
        shared = Shared(gram)
        monkeypatch.setattr(shared, "chosen", lambda D: q)
        monkeypatch.setattr(shared, "choices", {q: 0.5})
    points = [[i for i in range(24) if i % 3 != k] for k in range(3)]
    D = [[10 ** rng.uniform(-2, 1) for _ in own] for own in points]
    r = [[rng.gauss(0, 1) for _ in own] for own in points]
    x, nu = Blocks(shared, points, D, exact=False).solve(r, [0.0, 1.0, -1.0])
    full = [[dict(zip(own, column)).get(i, 0.0) for i in range(24)] for own, column in zip(points, x)]
    mean = [sum(column) / 3 for column in zip(*full)]
    for k, own in enumerate(points):
        image = shared.product([a - b for a, b in zip(full[k], mean)])
        for i, d, v, t in zip(own, D[k], x[k], r[k]):
            assert image[i] + d * v + nu[k] == pytest.approx(t, abs=1e-7)
    totals = [sum(own) + s for own, s in zip(x, [0.0, 1.0, -1.0])]
    assert max(totals) - min(totals) < 1e-9 and abs(sum(nu)) < 1e-9


def test_a_pivot_without_digits_is_no_factor():
    """A matrix of rank one has no second pivot."""
    with pytest.raises(ArithmeticError, match="pivot"):
        Triangle([[1.0], [1.0, 1.0]])


def test_decomposition_ends_at_the_same_minimum_from_its_end():
    """The start is within its bounds and near the minimum; from there the objective is that from zero."""
    problem = cloud(20, 3)
    start = kernel_path.found(problem)
    assert all(0 <= v <= u for own, top in zip(start, problem.upper) for v, u in zip(own, top))
    own, other = (equal_sums.solve(problem, start=point) for point in (start, None))
    least = problem.objective(other.alpha)
    assert problem.objective(own.alpha) == pytest.approx(least, rel=1e-12)
    assert problem.objective(equal_sums.feasible(problem, start)) < 0.9 * least < 0
