"""The additive cubic-spline kernel."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from refclass.kernels.matrices.gram import gram
from refclass.kernels.spline import Spline
from refclass.linear.factorisations.elimination import null_space
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector
from refclass.number.binary64 import BINARY64
from refclass.number.rational import RATIONAL
from tests.numbers import COUNTED, Counted, counting
from tests.strategies import fractions, positive, vectors


def integral(s, t):
    """∫₀^∞ (s − u)₊(t − u)₊ du: the integrand is a parabola up to min(s, t), so that Simpson's rule is exact."""
    m = max(0, min(s, t))

    def height(u):
        return (s - u) * (t - u)

    return m * (height(0) + 4 * height(Fraction(m) / 2) + height(m)) / 6


@given(fractions, fractions, fractions)
def test_in_one_variable_it_is_the_integral_of_two_hinges(s, t, a):
    """k(s, t) = ∫ₐ^∞ (s − u)₊(t − u)₊ du  [K-ADDSPLINE] [ESL-12.3.3-additive]."""
    assert Spline(a)(RATIONAL, Vector([s]), Vector([t])) == integral(s - a, t - a)


@given(vectors(3), vectors(3))
def test_it_adds_over_variables(x, z):
    """K(x, z) = ΣⱼK_j(x_j, z_j), so that every Σ αᵢ K(xᵢ, ·) is a sum of functions of one variable
    [K-ADDSPLINE.P1] [ESL-12.3.3-additive]."""
    k = Spline(Fraction(-3))
    assert k(RATIONAL, x, z) == sum(k(RATIONAL, Vector([a]), Vector([b])) for a, b in zip(x, z))


@given(vectors(4), positive)
def test_on_contrasts_the_start_does_not_matter(x, shift):
    """For u with Σuᵢ = 0 and Σuᵢxᵢ = 0, uᵀKu is the same for every a left of the points: it is ∫f″²
    [K-ADDSPLINE] [ESL-12.30]."""
    X = Matrix([[v] for v in x])
    start = min(x)
    near_by, far = (gram(RATIONAL, Spline(a), X) for a in (start, start - shift))
    for u in null_space(RATIONAL, Matrix([[Fraction(1)] * 4, x])):
        assert u @ (near_by @ u) == u @ (far @ u)


@given(st.lists(fractions, min_size=4, max_size=4, unique=True))
def test_sections_are_natural_cubic_splines_on_contrasts(x):
    """f = Σuᵢ K(xᵢ, ·) with such u is linear to the right of all points: its second differences vanish there
    [K-ADDSPLINE]."""
    k, end = Spline(min(x)), max(x)
    for u in null_space(RATIONAL, Matrix([[Fraction(1)] * 4, x])):
        f = [u @ k.row(RATIONAL, Vector([end + i]), [Vector([v]) for v in x]) for i in range(3)]
        assert f[0] - 2 * f[1] + f[2] == 0


def test_left_of_the_start_it_is_zero():
    """A coordinate left of a contributes nothing."""
    assert Spline(Fraction(0))(RATIONAL, Vector([Fraction(-1)]), Vector([Fraction(5)])) == 0


def test_cost_is_as_stated():
    """Three multiplications for each variable, and a division."""
    with counting() as c:
        Spline(Counted(0))(COUNTED, Vector([Counted(2), Counted(3)]), Vector([Counted(4), Counted(5)]))
    assert (c.multiply, c.divide) == (6, 1)


def test_doubles_follow_fractions():
    """k(s, t) = s²t/2 − s³/6 for s ≤ t, added over the variables: 1/3 and 5/6, in both arithmetics."""
    for F in (RATIONAL, BINARY64):
        x, z = (Vector([F.lift(v) for v in row]) for row in ((1, 2), (3, 1)))
        assert float(Spline()(F, x, z)) == pytest.approx((3 / 2 - 1 / 6) + (1 - 1 / 6), rel=1e-15)
