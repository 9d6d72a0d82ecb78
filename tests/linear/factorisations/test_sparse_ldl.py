"""Sparse factors of quasi-definite matrices: their solutions, in any pattern."""

from __future__ import annotations

import random

from refclass.linear.factorisations.sparse_ldl import factor, plan


def quasi_definite(rng, n, density):
    """Return the lower rows of a random quasi-definite matrix with its first half positive, and the whole matrix."""
    half = n // 2
    whole = [[0.0] * n for _ in range(n)]
    for i in range(n):
        whole[i][i] = float(n + 1) if i < half else -float(n + 1)
        for j in range(i):
            if rng.random() < density:
                whole[i][j] = whole[j][i] = rng.uniform(-1, 1)
    lower = [[(j, v) for j, v in enumerate(row[: i + 1]) if v or i == j] for i, row in enumerate(whole)]
    return lower, whole, half


def test_solutions_satisfy_their_equations():
    """A x = b up to roundoff, for sparse and dense patterns, a single row and a diagonal."""
    rng = random.Random(5)
    for n, density in ((1, 0), (7, 0), (12, 0.2), (40, 0.05), (30, 0.9)):
        lower, whole, half = quasi_definite(rng, n, density)
        order = plan([{j for j, v in enumerate(row) if v and j != i} for i, row in enumerate(whole)])
        b = [rng.uniform(-1, 1) for _ in range(n)]
        x = factor(order, lower, half).solve(b)
        assert max(abs(sum(v * w for v, w in zip(row, x)) - c) for row, c in zip(whole, b)) < 1e-13


def test_the_order_leaves_an_arrow_without_fill():
    """A row that joins all others is eliminated last, so that no column fills."""
    n = 20
    order = plan([set(range(1, n))] + [{0}] * (n - 1))
    assert order.order[-1] == 0 or len(order.below) >= n - 2
    assert sum(map(len, order.below)) <= n - 1


def test_a_pivot_without_its_sign_holds_its_variable():
    """Where cancellation leaves no positive pivot the variable stays zero, and the factor counts it."""
    found = factor(plan([{1}, {0}]), [[(0, 1.0)], [(0, 1.0), (1, 1.0)]], 2)
    assert found.blocked == 1
    assert abs(found.solve([1.0, 5.0])[1]) < 1e-50
