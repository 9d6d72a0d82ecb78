"""The exact value of any number."""

import numbers
from decimal import Decimal
from fractions import Fraction

import pytest

from refclass.errors import InvalidInput
from refclass.number.binary64 import BINARY64
from refclass.number.decimals import decimal
from refclass.number.field import MAX_DECIMAL_EXPONENT, rational
from refclass.number.rational import RATIONAL
from tests.numbers import Strict


class Half(numbers.Rational):
    """A rational number of somebody else's make."""

    numerator, denominator = 1, 2

    def __repr__(self):
        return "Half()"

    __abs__ = __add__ = __ceil__ = __eq__ = __floor__ = __floordiv__ = __le__ = __lt__ = __mod__ = __mul__ = None
    __neg__ = __pos__ = __pow__ = __radd__ = __rfloordiv__ = __rmod__ = __rmul__ = __round__ = __rpow__ = None
    __rtruediv__ = __truediv__ = __trunc__ = __hash__ = None


@pytest.mark.parametrize(
    ("value", "want"),
    [
        (7, 7),
        (True, 1),
        (0.5, Fraction(1, 2)),
        (0.1, Fraction(3602879701896397, 2**55)),
        (Decimal("0.1"), Fraction(1, 10)),
        (Fraction(2, 6), Fraction(1, 3)),
        ("2/6", Fraction(1, 3)),
        (Strict(3), 3),
        (decimal(5).lift("0.2"), Fraction(1, 5)),
        (10**400, 10**400),
        (Fraction(1, 10**400), Fraction(1, 10**400)),
        (Decimal("1e400"), 10**400),
        (Half(), Fraction(1, 2)),
    ],
    ids=str,
)
def test_every_number_has_an_exact_value(value, want):
    """A number of any kind and size is taken at its exact value: a double is the fraction that it is, not its text."""
    got = rational(value)
    assert type(got) is Fraction and got == want


@pytest.mark.parametrize("exponent", [MAX_DECIMAL_EXPONENT + 1, 10**9, -(10**9)])
def test_giant_exponents_are_refused(exponent):
    """A decimal with an exponent beyond ±100000 would need as many digits, and is refused before they are written."""
    with pytest.raises(InvalidInput, match=r"number: need a number within 10\^±100000"):
        rational(Decimal((0, (1,), exponent)))


@pytest.mark.parametrize("value", [float, Fraction, len, {}, 1j])
def test_what_is_no_number_is_refused(value):
    """Types, functions, collections and complex numbers are no numbers."""
    with pytest.raises(InvalidInput, match="number: need a number; got"):
        rational(value)


def test_doubles_do_not_read_text():
    """Text where a double belongs is a mistake in the data; exact fields and decimals read it without loss."""
    with pytest.raises(InvalidInput, match="number: need a number; got '0.1'"):
        BINARY64.lift("0.1")
    assert RATIONAL.lift("0.1") == Fraction(1, 10) == Fraction(decimal(3).lift("0.1"))
