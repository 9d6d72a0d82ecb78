"""Tests of the coordinates of a function: multipliers and coefficients solve the same equations."""

from fractions import Fraction as Q

import pytest

from refclass.linear.factorisations.fixed_point import fixed
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector
from refclass.regress.kernel.newton.newton_coordinates import Coefficients, Multipliers

BITS = 150
X = Matrix([[Q(1), Q(2)], [Q(-1), Q(3)], [Q(4), Q(0)], [Q(2), Q(2)], [Q(0), Q(-5)]])
A, DELTA, T = [Q(1), Q(-2), Q(0), Q(1), Q(0)], [Q(0), Q(0), Q(1, 2), Q(3), Q(1)], [Q(0), Q(0), Q(7), Q(-1), Q(2)]


def close(found, want):
    """Return whether fixed-point numbers are these fractions but for their last bits."""
    return all(abs(Q(v, 2**BITS) - w) < Q(1, 2**120) for v, w in zip(found, want))


@pytest.mark.parametrize("intercept", [True, False])
def test_both_coordinates_solve_the_same_equations(intercept):
    """f is the same at every point, the multipliers balance, and the free points are fitted  [ESL-12.44]."""
    given = [fixed(v, BITS) for v in (A, DELTA, T)]
    spaces = Multipliers(X @ X.T, 5, BITS), Coefficients(X, BITS)
    solved = [space.solve(*given, intercept) for space in spaces]
    values = [space.values(x) for space, (x, _) in zip(spaces, solved)]
    assert close(values[0], [Q(v, 2**BITS) for v in values[1]])
    a, b = Vector([Q(v, 2**BITS) for v in solved[0][0]]), Q(solved[0][1], 2**BITS)
    assert close(fixed([b], BITS), [Q(solved[1][1], 2**BITS)]) and (intercept or b == 0)
    assert not intercept or abs(a.sum()) < Q(1, 2**120)
    f = X @ (X.T @ a)
    assert all(abs(f[i] + b + DELTA[i] * a[i] - T[i]) < Q(1, 2**120) for i in (2, 3, 4))
    assert close(spaces[1].of(solved[0][0]), [Q(v, 2**BITS) for v in solved[1][0]])


def test_the_variables_have_inner_products():
    """⟨f, g⟩ = uᵀKv = βᵀγ  [ESL-12.43]."""
    spaces = Multipliers(X @ X.T, 5, BITS), Coefficients(X, BITS)
    u, v = fixed(A, BITS), fixed(T, BITS)
    want = Vector(A) @ ((X @ X.T) @ Vector(T))
    assert close([spaces[0].inner(u, spaces[0].values(v))], [want])
    assert close([spaces[1].inner(spaces[1].of(u), spaces[1].of(v))], [want])
