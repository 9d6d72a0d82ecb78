"""The one approximate comparison."""

from fractions import Fraction
from math import inf

import pytest

from refclass.number import tolerance
from refclass.number.binary64 import BINARY64
from refclass.number.decimals import decimal
from refclass.number.rational import RATIONAL
from tests.numbers import STRICT

EPS = BINARY64.eps


def test_a_ratio_agrees_with_paper():
    """An error of 12 eps at scale 2 over 3 steps is 2 units."""
    assert tolerance.ratio(BINARY64, 12 * EPS, 2.0, 3) == 2 == tolerance.ratio(BINARY64, -12 * EPS, 2.0, 3)


@pytest.mark.parametrize("F", [RATIONAL, STRICT], ids=lambda F: F.name)
def test_exact_fields_forgive_nothing(F):
    """In an exact field equal is near, and nothing else is."""
    tiny = F.lift(Fraction(1, 10**100))
    assert tolerance.ratio(F, F.kind(0)) == 0 and tolerance.ratio(F, tiny, F.kind(1)) == inf
    assert tolerance.near(F, F.kind(1), F.kind(1)) and not tolerance.near(F, F.kind(1) + tiny, F.kind(1))
    assert tolerance.negligible(F, F.kind(0), F.kind(1)) and not tolerance.negligible(F, tiny, F.kind(1))


@pytest.mark.parametrize("F", [BINARY64, decimal(30)], ids=lambda F: F.name)
def test_the_threshold_is_thirty_units(F):
    """30 units of roundoff are near, 31 are not; steps and scale widen the unit."""
    one = F.kind(1)
    assert tolerance.near(F, one + 30 * F.eps, one) and not tolerance.near(F, one + 31 * F.eps, one)
    assert tolerance.near(F, one + 60 * F.eps, one, steps=2) and tolerance.near(
        F, one + 60 * F.eps, one, scale=F.kind(2)
    )
    assert tolerance.negligible(F, 30 * F.eps, one) and not tolerance.negligible(F, 31 * F.eps, one)


def test_nothing_is_near_zero_without_a_scale():
    """Relative to zero only zero is near; a scale of zero allows no error."""
    assert tolerance.near(BINARY64, 0.0, 0.0) and not tolerance.near(BINARY64, 1e-300, 0.0)
    assert tolerance.ratio(BINARY64, 1e-300, 0.0) == inf


def test_the_largest_of_nothing_is_zero():
    """The largest modulus, and zero of the field when there is no value."""
    assert tolerance.largest(BINARY64, [1.0, -3.0]) == 3 and tolerance.largest(RATIONAL, []) == 0
    assert type(tolerance.largest(RATIONAL, [])) is Fraction


@pytest.mark.parametrize("x", [1.0, -5.0, 0.3, 1e300, 5e-324, 1.7e308])
def test_a_double_divided_by_its_magnitude_is_between_one_and_two(x):
    """A power of two near |x|: dividing and multiplying back is exact."""
    unit = tolerance.magnitude(x)
    assert 1 <= abs(x) / unit < 2 and x / unit * unit == x


def test_the_magnitude_is_a_power_of_the_base():
    """A power of ten for decimals, 1 for zero and for fractions."""
    F = decimal(20)
    assert tolerance.magnitude(F.lift("-345.6")) == 100 and type(tolerance.magnitude(F.lift(7))) is F.kind
    assert tolerance.magnitude(F.lift("0.00012")) == F.lift("0.0001")
    assert (tolerance.magnitude(0.0), tolerance.magnitude(Fraction(7, 3)), tolerance.magnitude(Fraction(0))) == (
        1,
        1,
        1,
    )


def test_units_are_counted_without_a_field():
    """|error| / unit: 0 for no error, infinite for an error without a unit."""
    assert (tolerance.units(-6.0, 2.0), tolerance.units(0.0, 0.0), tolerance.units(1.0, 0.0)) == (3, 0, inf)
