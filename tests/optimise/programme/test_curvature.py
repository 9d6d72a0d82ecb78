"""Negative curvature is found in doubles and proven in fractions; convexity where equalities hold, by a penalty."""

from __future__ import annotations

import random

import pytest

from refclass.estimators.solve_qp import programme
from refclass.optimise.programme import semidefinite
from refclass.optimise.programme.certificate import is_concave_along

SIZE = 12


def gram(seed, rows=SIZE + 2):
    """Return FᵀF for a matrix F of small integers."""
    rng = random.Random(seed)
    F = [[rng.randint(-3, 3) for _ in range(SIZE)] for _ in range(rows)]
    return [[sum(f[i] * f[j] for f in F) for j in range(SIZE)] for i in range(SIZE)]


def less(P, c):
    """Return P − c11ᵀ: convex where the variables sum to a constant, if P is, and not for a large c elsewhere."""
    return [[v - c for v in row] for row in P]


@pytest.mark.parametrize("scale", [0, 20, -33])
def test_a_direction_keeps_the_equalities_and_has_few_bits(scale, monkeypatch):
    """It is proven in fractions, and none is factored in integers for it, in variables of any unit."""
    monkeypatch.setattr(semidefinite, "_dense", None)
    D = [2.0 ** (scale * (j % 2)) for j in range(SIZE)]
    P = less(gram(1), 1000)
    P[0][0] -= 500
    P = [[v * a * b for v, b in zip(row, D)] for row, a in zip(P, D)]
    p = programme(P, [0] * SIZE, [D, D, [0.1] + [0] * (SIZE - 2) + [-0.3 * D[-1]]], [1, 1, 0], [1, 1, 0])
    d = semidefinite.concave_direction(p)
    assert is_concave_along(p, d) is None


def test_convexity_where_equalities_hold_is_proven_without_integers(monkeypatch):
    """P is indefinite; with its penalty it is positive definite, and without the equality a direction is found."""
    monkeypatch.setattr(semidefinite, "_dense", None)
    P = less(gram(2), 1000)
    ones = [1.0] * SIZE
    assert semidefinite.concave_direction(programme(P, ones, [ones], [1], [1])) is None
    free = programme(P, ones, [ones], [1], [2])
    assert is_concave_along(free, semidefinite.concave_direction(free)) is None


@pytest.mark.parametrize("upper", [0, 1])
@pytest.mark.parametrize("change", [0.0, -(2.0**-53)])
def test_what_doubles_leave_open_is_decided_in_integers(change, upper):
    """Curvature of a unit in the last place is refused, beside an equality or none; a singular matrix is convex."""
    p = programme([[1, 1, 0], [1, 1 + change, 0], [0, 0, 0]], [0] * 3, [[0, 0, 1]], [0], [upper])
    d = semidefinite.concave_direction(p)
    assert d is None if not change else is_concave_along(p, d) is None
