"""Doubles."""

import math
import sys
from fractions import Fraction

import pytest

from refclass.errors import InvalidInput, NotExact
from refclass.number.binary64 import BINARY64, held, lift


def test_the_unit_of_roundoff_is_that_of_ieee_754():
    """eps = 2⁻⁵² in double precision."""
    assert BINARY64.eps == 2.0**-52 == sys.float_info.epsilon


def test_lifting_rounds_to_the_nearest_double():
    """1/3 becomes the nearest double, half way cases the even one."""
    assert lift(Fraction(1, 3)) == 1 / 3
    assert lift(Fraction(2**53 + 1)) == 2.0**53 and lift(Fraction(2**53 + 3)) == 2.0**53 + 4


def test_a_float_stays_the_float_it_is():
    """Also the smallest and the largest double, and minus zero."""
    for x in (5e-324, sys.float_info.max, -0.0):
        assert lift(x) == x and math.copysign(1, lift(x)) == math.copysign(1, x)


@pytest.mark.parametrize("value", [10**309, -Fraction(10**309), Fraction(10**400, 3)])
def test_what_lies_beyond_doubles_is_refused(value):
    """A finite number without a double is refused, never made an infinity."""
    with pytest.raises(InvalidInput, match="number: need a number within the range of doubles"):
        lift(value)


def test_a_subclass_of_float_becomes_a_float():
    """Whatever calls itself a float is lifted to the plain kind."""

    class Reading(float):
        pass

    assert type(lift(Reading(1.5))) is float


def test_functions_are_those_of_the_machine():
    """Roots, exponentials and the rest are the C library's."""
    F = BINARY64
    assert (F.sqrt(2.0), F.exp(1.0), F.log(2.0)) == (math.sqrt(2), math.e, math.log(2))
    assert (F.tanh(0.5), F.sin(0.5), F.cos(0.5), F.erf(0.5), F.pi()) == (
        math.tanh(0.5),
        math.sin(0.5),
        math.cos(0.5),
        math.erf(0.5),
        math.pi,
    )


def test_an_answer_beyond_the_doubles_is_refused():
    """Infinities and what is no number, of doubles; other kinds, and no number at all, pass."""
    assert [held("module", v) for v in (1.5, Fraction(1, 3), None)] == [1.5, Fraction(1, 3), None]
    for value in (math.inf, -math.inf, math.nan):
        with pytest.raises(NotExact, match="module: need an answer within the range of doubles"):
            held("module", value)
