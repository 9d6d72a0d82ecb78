"""Decimals of any length: against digits known from tables, and against themselves with more digits."""

import decimal as standard
import pickle
from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from refclass.errors import InvalidInput
from refclass.number import decimals
from refclass.number.decimals import decimal
from refclass.number.field import rational

KNOWN = {
    ("sqrt", "2"): "1.4142135623730950488016887242096980785696718753769",
    ("exp", "1"): "2.7182818284590452353602874713526624977572470937000",
    ("log", "2"): "0.69314718055994530941723212145817656807550013436026",
    ("tanh", "1"): "0.76159415595576488811945828260479359041276859725794",
    ("sin", "1"): "0.84147098480789650665250232163029899962256306079837",
    ("cos", "1"): "0.54030230586813971740093660744297660373231042061792",
    ("erf", "1"): "0.84270079294971486934122063508260925929606699796630",
}
PI = "3.1415926535897932384626433832795028841971693993751"
FUNCTIONS = ("sqrt", "exp", "log", "tanh", "sin", "cos", "erf")


@pytest.mark.parametrize(("name", "at"), KNOWN)
@pytest.mark.parametrize("digits", [5, 20, 40])
def test_functions_have_the_digits_of_the_tables(name, at, digits):
    """√2, e, log 2, tanh 1, sin 1, cos 1, erf 1 are right to the last digit."""
    F = decimal(digits)
    want = standard.Context(prec=digits).create_decimal(KNOWN[name, at])
    assert getattr(F, name)(F.lift(at)) == want


@pytest.mark.parametrize("digits", [2, 5, 20, 40, 49])
def test_the_circle_number_has_the_digits_of_the_tables(digits):
    """π is right to the last digit."""
    assert decimal(digits).pi() == standard.Context(prec=digits).create_decimal(PI)


@pytest.mark.parametrize("name", FUNCTIONS)
@given(x=st.fractions(min_value=-30, max_value=30, max_denominator=1000))
def test_more_digits_agree_with_fewer(name, x):
    """A result in 25 digits is that in 60 digits, rounded: relative error below one unit in the last place."""
    coarse, fine = decimal(25), decimal(60)
    a = coarse.lift(x)
    if name in ("sqrt", "log"):
        a = abs(a) or coarse.kind(1)
    got, want = Fraction(getattr(coarse, name)(a)), Fraction(getattr(fine, name)(fine.lift(a)))
    assert abs(got - want) <= abs(want) * Fraction(coarse.eps)


@pytest.mark.parametrize("name", ["tanh", "sin", "erf"])
@pytest.mark.parametrize("exponent", [-5, -20, -200])
def test_small_arguments_keep_all_digits(name, exponent):
    """Near zero tanh x = x − x³/3, sin x = x − x³/6 and erf x = 2/√π (x − x³/3), with no digit lost to cancellation."""
    F = decimal(30)
    x = F.lift(3).scaleb(exponent, standard.Context(prec=30))
    x = F.lift(str(x))
    cubic = x - x * x * x / (6 if name == "sin" else 3)
    want = cubic * 2 / F.sqrt(F.pi()) if name == "erf" else cubic
    assert abs(getattr(F, name)(x) - want) <= 3 * F.eps * abs(want) + abs(x) ** 5


def test_large_arguments_are_reduced_without_loss():
    """sin(10²⁰ + 1) is right in 30 digits: the argument is reduced by a π of more digits."""
    coarse, fine = decimal(30), decimal(60)
    x = 10**20 + 1
    assert abs(Fraction(coarse.sin(coarse.lift(x))) - Fraction(fine.sin(fine.lift(x)))) <= Fraction(coarse.eps)
    assert abs(Fraction(coarse.cos(coarse.lift(x))) - Fraction(fine.cos(fine.lift(x)))) <= Fraction(coarse.eps)


def test_saturated_functions_are_one():
    """Where tanh and erf differ from ±1 by less than a digit they are ±1."""
    F = decimal(30)
    for f in (F.tanh, F.erf):
        assert (f(F.lift(100)), f(F.lift(-100))) == (1, -1)


def test_operators_round_in_their_own_context():
    """1/3 has as many digits as its kind, whatever the context of the thread is."""
    with standard.localcontext() as context:
        context.prec = 3
        for digits in (10, 50):
            third = decimal(digits).lift(1) / 3
            assert str(third) == "0." + "3" * digits and third.precision == digits
            assert abs(-third) == third and str(third * third).startswith("0.1111111111"[: digits + 2])


@pytest.mark.parametrize("other", [decimal(20).lift(1), Decimal(1), 1.0, Fraction(1)])
def test_kinds_do_not_mix(other):
    """Decimals of two precisions, plain decimals, doubles and fractions are no operands."""
    x = decimal(30).lift(2)
    for operate in (lambda: x + other, lambda: other - x, lambda: x * other, lambda: other / x, lambda: x**other):
        with pytest.raises(TypeError):
            operate()


def test_operators_that_would_round_elsewhere_are_closed():
    """Remainders, floor division and powers of other bases would round in the thread's context: there are none."""
    x = decimal(30).lift(7)
    for operate in (lambda: x % 2, lambda: x // 2, lambda: divmod(x, 2), lambda: 2**x, lambda: 7 % x, lambda: 7 // x):
        with pytest.raises(TypeError):
            operate()


def test_division_by_zero_and_overflow_are_errors():
    """Nothing ever becomes an infinity or NaN in silence."""
    F = decimal(10)
    with pytest.raises(ZeroDivisionError):
        F.lift(1) / F.lift(0)
    with pytest.raises(ArithmeticError):
        F.lift(0) / F.lift(0)
    with pytest.raises(standard.Overflow):
        F.exp(F.lift(10**25))


@pytest.mark.parametrize("digits", [1, 0, -3, 100001, 2.5, "30", None])
def test_a_number_of_digits_out_of_range_is_refused(digits):
    """A field has from 2 to 100000 digits, fewer where decimals hold them as text."""
    with pytest.raises(InvalidInput, match=f"decimals: need a number of digits from 2 to {decimals.MOST_DIGITS}"):
        decimal(digits)


def test_one_precision_is_one_field():
    """decimal(n) is the same field, and the same kind, wherever it is asked for."""
    assert decimal(31) is decimal(31) and decimal(31).kind is not decimal(32).kind
    assert decimal(31).kind.__name__ == "Digits31"


def test_numbers_survive_being_stored():
    """A pickled number comes back in its own precision."""
    x = decimal(33).lift("1/7")
    y = pickle.loads(pickle.dumps(x))
    assert y == x and type(y) is decimal(33).kind


def test_the_kind_itself_lets_in_no_infinity():
    """A number of the kind that is not finite is refused on conversion like any other."""
    F = decimal(10)
    with pytest.raises(InvalidInput, match="need a finite number"):
        F.lift(F.kind("NaN"))


@given(st.fractions(max_denominator=10**6), st.fractions(max_denominator=10**6))
def test_every_operation_is_rounded_once(x, y):
    """+ − × ÷ err by half a unit in the last place at most."""
    F = decimal(12)
    a, b = F.lift(x), F.lift(y)
    p, q = Fraction(a), Fraction(b)
    results = [(a + b, p + q), (a - b, p - q), (a * b, p * q)] + ([(a / b, p / q)] if q else [])
    for got, want in results:
        assert abs(Fraction(got) - want) <= abs(want) * Fraction(F.eps) / 2


@given(st.fractions(), st.integers(-3000, 3000), st.integers(2, 40))
def test_long_integers_are_rounded_as_short_ones(value, shift, digits):
    """Dividing first, in integers, and rounding then gives the same number as the division of decimals."""
    shifted = value * Fraction(10) ** shift
    long = decimals._long(digits, shifted.numerator, shifted.denominator)
    context = standard.Context(prec=digits, Emax=10**6, Emin=-(10**6))
    assert long == context.divide(Decimal(shifted.numerator), Decimal(shifted.denominator))
    huge = Fraction(10**20000 + 1, 3 * 10**20000)
    assert decimal(digits).lift(huge) == decimal(digits).lift("0." + "3" * (digits + 5))


@pytest.mark.skipif(decimals.WRITTEN_IN_PYTHON, reason="this interpreter's decimals hold their digits as text")
def test_fractions_of_thousands_of_digits_are_rounded_to_as_many():
    """Ten thousand decimals of 10⁹⁹⁹⁹/7, where Python writes no integer of more than 4,300 digits as text."""
    F = decimal(10_000)
    found = F.lift(Fraction(10**12_000, 7))
    assert abs(rational(found) * 7 - 10**12_000) <= 7 * 10**2_000
    assert F.lift(Fraction(-(10**12_000), 7)) == -found
    assert rational(F.lift(Fraction(10**12_000 + 1))) in (10**12_000, 10**12_000 + 10**2_001)


def test_an_exponential_below_the_least_number_is_zero():
    """exp(−200000) has a fraction; exp(−10⁶) is 0, as that of −1000 is in doubles: its fraction would be too long."""
    F = decimal(20)
    assert rational(F.exp(F.lift(-200000))) > 0
    assert [rational(F.exp(F.lift(-(10**e)))) for e in (6, 20, 40)] == [0, 0, 0]


def test_sums_of_products_round_to_their_own_digits():
    """In integers (PyPy) or an operation at a time, Σ xᵢyᵢ and Σ wₖvₖ are of the kind of the terms, off by roundoff."""
    kind = decimal(20).kind
    x, y = [kind("1.5"), kind(0), kind("-3e5")], [kind(1) / 3, kind("9e9"), kind("1e-3")]
    exact = sum(rational(a) * rational(b) for a, b in zip(x, y))
    found = [kind.inner_product(x, y), *kind.combination(x, [[b, b] for b in y])]
    assert {type(v) for v in found} == {kind}
    assert all(abs(rational(v) - exact) <= abs(exact) / 10**18 for v in found)
