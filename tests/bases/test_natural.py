"""Natural splines: straight beyond the knots, smooth between, and enough of them."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from refclass.bases.natural import NaturalSplines
from refclass.errors import InvalidInput
from refclass.linear.factorisations import elimination
from refclass.linear.vector import Vector
from refclass.number.rational import RATIONAL as F
from tests.strategies import SIZES

KNOTS = Vector(map(Fraction, (0, 1, 3, 4, 6)))


@pytest.mark.parametrize("size", SIZES)
def test_they_interpolate_anything_at_their_knots(size):
    """K knots, K functions, and a regular matrix of their values at the knots."""
    knots = Vector([Fraction(k * k) for k in range(size)])
    basis = NaturalSplines(knots)
    assert len(basis) == size and elimination.rank(F, basis.matrix(F, knots)) == size


@given(st.builds(Fraction, st.integers(1, 60), st.integers(1, 6)))
def test_they_are_straight_beyond_the_knots(away):
    """The second and third derivatives vanish left of the first and right of the last knot."""
    basis = NaturalSplines(KNOTS)
    for x in (KNOTS[0] - away, KNOTS[-1] + away):
        assert not any(basis.derivative(F, x, 2)) and not any(basis.derivative(F, x, 3))


def test_second_derivatives_are_continuous_and_vanish_at_the_ends():
    """f″ is linear between knots; its limits from both sides of each knot agree, and are zero at the outer knots."""
    basis = NaturalSplines(KNOTS)
    for t in KNOTS:
        h = Fraction(1, 100)
        from_left = basis.derivative(F, t - h, 2) + h * basis.derivative(F, t - h, 3)
        assert from_left == basis.derivative(F, t, 2)
    assert not any(basis.derivative(F, KNOTS[0], 2)) and not any(basis.derivative(F, KNOTS[-1], 2))


@given(st.builds(Fraction, st.integers(-20, 60), st.integers(1, 6)))
def test_the_first_two_are_the_straight_lines(x):
    """1 and x are the first two functions, with derivatives 0 and 1."""
    basis = NaturalSplines(KNOTS)
    assert list(basis(F, x)[:2]) == [1, x]
    assert list(basis.derivative(F, x, 1)[:2]) == [0, 1] and list(basis.derivative(F, x, 2)[:2]) == [0, 0]


def test_the_pieces_are_cubics_and_a_third_derivative_at_a_knot_is_that_of_its_right():
    """Cubic pieces have constant third derivatives; at a knot, where they jump, the piece that begins there counts."""
    basis = NaturalSplines(KNOTS)
    assert basis.power == 3
    for t, u in zip(KNOTS, KNOTS[1:]):
        assert basis.derivative(F, t, 3) == basis.derivative(F, (t + u) / 2, 3) != basis.derivative(F, t - 1, 3)


def test_knots_that_do_not_ascend_are_refused():
    """Equal knots are refused."""
    with pytest.raises(InvalidInput):
        NaturalSplines(Vector(map(Fraction, (0, 1, 1))))
