"""Numbers as text."""

from decimal import Decimal
from fractions import Fraction
from math import inf

import pytest
from hypothesis import given
from hypothesis import strategies as st

from refclass.errors import InvalidInput
from refclass.number import text
from refclass.number.decimals import decimal
from tests.strategies import fractions

READ = {
    "0": 0,
    "-0": 0,
    "+7": 7,
    "  12 ": 12,
    "0.1": Fraction(1, 10),
    ".5": Fraction(1, 2),
    "5.": 5,
    "-2e-3": Fraction(-1, 500),
    "1E2": 100,
    "1/3": Fraction(1, 3),
    "-6/4": Fraction(-3, 2),
    "0/5": 0,
}


@pytest.mark.parametrize("given_text", READ)
def test_text_is_read_without_rounding(given_text):
    """Integers, decimals and quotients are read at their exact value."""
    assert text.parse(given_text) == READ[given_text]


BAD = [
    "",
    " ",
    "x",
    "1,5",
    "1 2",
    "--1",
    "1/",
    "/2",
    "1.5/2",
    "1/-2",
    "1e",
    "1e99999",
    "nan",
    "-Infinity",
    "0x10",
    "1_0",
]


@pytest.mark.parametrize("bad", BAD)
def test_other_text_is_refused(bad):
    """What is no number is refused and shown, infinities, NaN and giant exponents included."""
    with pytest.raises(InvalidInput, match="number: need a number; got") as refusal:
        text.parse(bad)
    assert refusal.value.got == repr(bad)


def test_a_zero_denominator_is_refused():
    """p/0 is no number."""
    with pytest.raises(InvalidInput, match="number: need a denominator other than zero; got '1/0'"):
        text.parse("1/0")


@given(fractions)
def test_fractions_are_shown_without_loss(x):
    """parse(show(x)) = x for fractions."""
    assert text.parse(text.show(x)) == x


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_doubles_are_shown_without_loss(x):
    """The text of a double is read back to the same double."""
    assert float(text.parse(text.show(x))) == x


@given(st.decimals(allow_nan=False, allow_infinity=False, places=20, min_value=-(10**6), max_value=10**6))
def test_decimals_are_shown_without_loss(x):
    """The text of a decimal is read back to the same number, of the package's own kind as well."""
    assert text.parse(text.show(x)) == Fraction(x)
    y = decimal(20).lift(x)
    assert decimal(20).lift(text.show(y)) == y


def test_text_is_as_people_write_it():
    """Integers without a denominator, quotients with one, exponents as E7."""
    shown = [text.show(v) for v in (Fraction(4, 2), Fraction(-1, 4), 0.1, 3, Decimal("1E+7"))]
    assert shown == ["2", "-1/4", "0.1", "3", "1E7"]


def test_an_approximation_is_the_nearest_double():
    """1/3 is shown to people as 0.333…; what no double reaches as an infinity with its sign."""
    assert text.approximate(Fraction(1, 3)) == 1 / 3
    assert (text.approximate(Fraction(10**400)), text.approximate(-Fraction(10**400))) == (inf, -inf)


@pytest.mark.parametrize("n", [0, 7, -7, 10**1000, -(10**1000) + 1, 3**20000, -(7**9000)], ids=lambda n: "")
def test_integers_of_any_length_are_written_and_read(n):
    """parse(show(n)) is n beyond the length at which Python itself refuses, and so for fractions of them."""
    assert text.parse(text.show(Fraction(n))) == n
    assert text.parse(text.show(Fraction(n, 3**9000 + 1))) == Fraction(n, 3**9000 + 1)


def test_a_refusal_may_hold_a_number_of_any_length():
    """A long fraction is shown as a decimal; a message that can show no number says so, and is still one line."""
    for sign, shown in ((1, "≈ 1.3111122396588E-7606"), (-1, "≈ -1.3111122396588E-7606")):
        message = str(InvalidInput("module", need="less", got=Fraction(sign, 7**9000)))
        assert message == f"module: need less; got {shown}"
    found = str(InvalidInput("module", need="less", got=[7**9000]))
    assert found == "module: need less; got a list of too many digits to show" or found.endswith("001]")
