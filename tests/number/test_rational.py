"""Exact numbers."""

from fractions import Fraction

import pytest
from hypothesis import given

from refclass.errors import InvalidInput, NotExact
from refclass.number.rational import RATIONAL, square_root
from tests.strategies import fractions

NAMES = {"exp": 0, "log": 1, "tanh": 0, "sin": 0, "cos": 0, "erf": 0}


@given(fractions)
def test_squares_have_exact_roots(x):
    """√(x²) = |x| exactly."""
    assert square_root(x * x) == abs(x) and type(square_root(x * x)) is Fraction


@pytest.mark.parametrize("x", [Fraction(2), Fraction(1, 3), Fraction(4, 3), Fraction(10**40 + 1)])
def test_an_irrational_root_is_refused(x):
    """What is no square of a fraction has no root among fractions."""
    with pytest.raises(NotExact, match=f"rational: need a rational square root; got √\\({x}\\)"):
        square_root(x)


def test_a_negative_has_no_root():
    """√x needs x ≥ 0."""
    with pytest.raises(InvalidInput, match="rational: need a number ≥ 0 under the root; got -1/4"):
        square_root(Fraction(-1, 4))


@pytest.mark.parametrize("name", NAMES)
def test_transcendental_functions_are_rational_at_one_point(name):
    """By Lindemann and Weierstrass exp, log, tanh, sin and cos of a rational number are rational at one point only."""
    function, at = getattr(RATIONAL, name), Fraction(NAMES[name])
    assert type(function(at)) is Fraction
    with pytest.raises(NotExact, match=f"rational: need a rational value of {name}; got {name}\\(2\\)"):
        function(Fraction(2))


def test_the_circle_number_is_refused():
    """π is not rational."""
    with pytest.raises(NotExact, match="rational: need a rational number; got π"):
        RATIONAL.pi()
