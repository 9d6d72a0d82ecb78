"""The Dirichlet kernel."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from refclass.errors import InvalidInput
from refclass.kernels.dirichlet import Dirichlet
from refclass.linear.vector import Vector
from refclass.number.decimals import decimal
from refclass.number.rational import RATIONAL
from refclass.number.tolerance import near
from refclass.sample import data

D = decimal(40)
angles = st.integers(-400, 400).map(lambda i: D.lift(i) / 100)
orders = st.integers(0, 6)


@given(angles, angles, orders)
def test_the_sum_is_the_quotient_of_sines(x, z, m):
    """½ + Σ cos jδ = sin((m + ½)δ)/(2 sin(δ/2)) where δ is no multiple of 2π  [K-DIRICHLET.P1] [MMST-Ex11.7]
    [EX-MMST-11.7]."""
    delta = x - z
    value = Dirichlet(m)(D, Vector([x]), Vector([z]))
    if delta != 0:
        # Without dividing: no digit is lost where the sine is small.
        assert near(
            D, 2 * D.sin(delta / 2) * value, D.sin((2 * m + 1) * delta / 2), scale=D.lift(m + 1), steps=10 * (m + 1)
        )


@given(angles, orders)
def test_its_limit_on_the_diagonal_is_its_order_and_a_half(x, m):
    """K(x, x) = m + ½, where the quotient is 0/0  [K-DIRICHLET.P1]."""
    assert Dirichlet(m)(D, Vector([x]), Vector([x])) == D.lift(m) + D.lift("0.5")


@given(angles, angles, orders)
def test_its_period_is_a_full_turn(x, z, m):
    """K(x + 2π, z) = K(x, z)  [K-DIRICHLET.P3]."""
    k, period = Dirichlet(m), 2 * D.pi()
    assert near(
        D,
        k(D, Vector([x + period]), Vector([z])),
        k(D, Vector([x]), Vector([z])),
        scale=D.lift(m + 1),
        steps=10 * (m + 1),
    )


def test_order_zero_is_the_constant_one_half():
    """With m = 0 nothing but the constant is left, exactly ½ on fractions."""
    half = RATIONAL.lift("1/2")
    assert Dirichlet(0)(RATIONAL, Vector([half]), Vector([half + 1])) == half


@pytest.mark.parametrize("order", [-1, 1.5, True])
def test_an_order_that_is_no_number_of_waves_is_refused(order):
    """m must be an integer ≥ 0."""
    with pytest.raises(InvalidInput, match="dirichlet: need order"):
        Dirichlet(order)


def test_rows_of_two_numbers_are_refused():
    """It is a kernel on the line: a second column is refused on conversion, and by the kernel itself."""
    with pytest.raises(InvalidInput, match="1 number in each row"):
        Dirichlet(1).points(D, [[1, 2]], data.matrix)
    with pytest.raises(InvalidInput, match="rows of one number"):
        Dirichlet(1)(D, Vector([D.lift(1), D.lift(2)]), Vector([D.lift(1), D.lift(2)]))
