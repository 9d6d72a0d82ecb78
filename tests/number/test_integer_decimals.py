"""Decimals that keep integers: every result is that of the decimals themselves, to the last digit and exponent."""

import _pydecimal
import decimal as standard
import operator
from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from refclass.number import integer_decimals

DIGITS = 7
CONTEXT = standard.Context(
    prec=DIGITS, rounding=standard.ROUND_HALF_EVEN, Emin=standard.MIN_EMIN, Emax=standard.MAX_EMAX
)


class Kind(integer_decimals.kept(_pydecimal.Decimal)):
    """Decimals of seven digits, written in Python on every interpreter."""

    __slots__ = ()


integer_decimals.install(Kind, DIGITS)
whole = st.integers(-(10**DIGITS) + 1, 10**DIGITS - 1).filter(bool)
numbers = st.builds(
    lambda n, e: f"{n}e{e}", st.one_of(whole, st.sampled_from([5, -25, 999_999, 9_999_999])), st.integers(-30, 30)
)


@settings(max_examples=50)
@given(numbers, numbers)
def test_operators_are_those_of_decimals(x, y):
    """+ − × ÷, signs and comparisons: also of numbers far apart, of halves, and where all digits are nines."""
    a, b, p, q = Kind(x), Kind(y), Decimal(x), Decimal(y)
    apart = abs(a._exp - b._exp) > integer_decimals.FAR * DIGITS
    for name in ("add", "subtract", "multiply", "divide"):
        if not (apart and name in ("add", "subtract")):
            found = getattr(operator, {"add": "add", "subtract": "sub", "multiply": "mul", "divide": "truediv"}[name])(
                a, b
            )
            assert (type(found), str(found)) == (Kind, str(getattr(CONTEXT, name)(p, q)))
            assert str(found) == str(Kind(str(found)))
    assert (str(-a), str(abs(a)), a.adjusted(), float(a)) == (
        str(CONTEXT.minus(p)),
        str(CONTEXT.abs(p)),
        p.adjusted(),
        float(p),
    )
    for compare in (operator.lt, operator.le, operator.gt, operator.ge, operator.eq, operator.ne):
        assert compare(a, b) == compare(p, q) and compare(a, 0) == compare(p, 0) and compare(a, a) == compare(p, p)


def test_zeros_and_what_is_not_finite_are_left_to_decimals():
    """Their truth, their comparisons, and the numbers that cancel."""
    x, nothing, endless = Kind("1.5"), Kind(0), Kind("-Infinity")
    assert str(x - x) == str(Decimal("1.5") - Decimal("1.5")) and not x - x
    assert (bool(nothing), bool(x), bool(endless)) == (False, True, True)
    assert nothing < x and endless < x and x == _pydecimal.Decimal("1.5") and Kind("NaN") != x
    assert hash(x) == hash(Decimal("1.5")) and hash(x - x) == hash(0)
    assert (float(endless), abs(endless) > x) == (float("-inf"), True)
    assert Kind("1e-400") + x == x and Kind("1e-400") < x


@pytest.mark.parametrize("far", [0, 200])
def test_a_sum_of_products_is_rounded_once(far):
    """Exactly, where exponents are not far apart; of such there is none in integers."""
    x, y = [Kind("1234567"), Kind(0), Kind("-3e5")], [Kind("7654321"), Kind("9e9"), Kind(f"1e-{far}")]
    exact = sum(Fraction(str(a)) * Fraction(str(b)) for a, b in zip(x, y))
    found = integer_decimals.inner_product(Kind, DIGITS, x, y)
    if far:
        assert found is None
    else:
        assert str(found) == str(CONTEXT.divide(Decimal(exact.numerator), Decimal(exact.denominator)))
    assert str(integer_decimals.quotient(Kind, -2, 3, DIGITS)) == "-0.6666667"
