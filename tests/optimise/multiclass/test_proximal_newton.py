"""Newton's method on proximal problems: its steps solve their equations, and its end is a start for decomposition."""

import pytest

from refclass.optimise.multiclass import equal_sums, proximal_newton
from tests.optimise.multiclass.test_equal_sums import cloud


@pytest.mark.parametrize("m", [2, 3])
def test_conjugate_gradients_solve_newtons_equations(m, monkeypatch):
    """K(z_k − z̄) + c_k + δ(z_k − γ_k) + ν_k 1 = 0 where α is free, equal sums, levels that sum to zero."""
    monkeypatch.setattr(proximal_newton, "RESIDUAL", 1e-10)
    problem = cloud(24, m)
    own = proximal_newton.Iteration(problem)
    r = own.residuals(own.images, own.nu)
    alpha = own.clipped(r)
    free = [[i for i, (v, u) in enumerate(zip(*both)) if 0 < v < u] for both in zip(alpha, own.upper)]
    assert own.bordered.hold(free), "the least-squares start has free multipliers in every class"
    z, nu = own.target(alpha, own.moved(own.images, own.a, alpha), [f.members for f in own.bordered.factors])
    g = problem.gradient(z)
    for k, places in enumerate(free):
        for i in places:
            assert abs(g[k][i] + own.delta * (z[k][i] - own.gamma[k][i]) + nu[k]) < 1e-9
        assert all(z[k][i] == alpha[k][i] for i in set(range(24)) - set(places))
        assert abs(sum(z[k]) - sum(z[0])) < 1e-9
    assert abs(sum(nu)) < 1e-9


def test_decomposition_ends_at_the_same_minimum_from_its_end():
    """The start is within its bounds and no worse than zero; from there the objective is that from zero."""
    problem = cloud(20, 3)
    start = proximal_newton.found(problem)
    assert all(0 <= v <= u for own, top in zip(start, problem.upper) for v, u in zip(own, top))
    own, other = (equal_sums.solve(problem, start=point) for point in (start, None))
    least = problem.objective(other.alpha)
    assert problem.objective(own.alpha) == pytest.approx(least, rel=1e-12)
    assert problem.objective(equal_sums.feasible(problem, start)) < least / 2 < 0
