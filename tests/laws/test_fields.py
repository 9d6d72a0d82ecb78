"""Laws of every field: a conversion that refuses, a unit of roundoff, and functions that obey their identities."""

from __future__ import annotations

import math
import pickle
from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import given

from refclass.errors import InvalidInput
from refclass.number.binary64 import BINARY64
from refclass.number.decimals import decimal
from refclass.number.rational import RATIONAL
from refclass.number.tolerance import near, roundoff
from tests.numbers import COUNTED, STRICT
from tests.strategies import doubles, fractions, positive

ROUNDED = (BINARY64, decimal(5), decimal(30), decimal(100))
EXACT = (RATIONAL, STRICT, COUNTED)
FIELDS = ROUNDED + EXACT


def fields(*of):
    return pytest.mark.parametrize("F", of, ids=lambda F: F.name)


@fields(*FIELDS)
def test_lifting_twice_is_lifting_once(F):
    """lift(lift(x)) = lift(x), of the field's kind."""
    for value in (0, 7, -3, Fraction(1, 3), 0.1, Decimal("2.5"), True):
        x = F.lift(value)
        assert type(x) is F.kind and F.lift(x) == x


@fields(*FIELDS)
@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf, Decimal("nan"), Decimal("inf"), Decimal("snan")])
def test_what_is_not_finite_is_refused(F, value):
    """NaN and infinities of any kind are refused."""
    with pytest.raises(InvalidInput, match="need a finite number"):
        F.lift(value)


@fields(*FIELDS)
@pytest.mark.parametrize("value", [None, [1], (1, 2), "one", "nan", "inf", "", b"1", 1j, object()])
def test_what_is_not_a_number_is_refused(F, value):
    """What is neither a number nor the text of one is refused."""
    with pytest.raises(InvalidInput, match="need a"):
        F.lift(value)


@fields(*EXACT)
@given(x=fractions)
def test_exact_fields_lift_without_loss(F, x):
    """In an exact field a number is what it was."""
    assert F.lift(x) == F.kind(x) and F.eps == 0 and F.exact


@fields(*ROUNDED)
@given(x=fractions)
def test_rounded_fields_lift_to_the_nearest_number(F, x):
    """Lifting errs by half a unit of roundoff at most."""
    assert abs(Fraction(F.lift(x)) - x) <= abs(x) * Fraction(F.eps) / 2 and not F.exact


@fields(*ROUNDED)
def test_the_unit_of_roundoff_is_the_spacing_at_one(F):
    """1 + eps is the next number after 1, and 1 + eps/2 is rounded to 1."""
    one = F.kind(1)
    assert one + F.eps > one and one + F.eps / 2 == one and Fraction(one + F.eps) == 1 + Fraction(F.eps)


@fields(*FIELDS)
def test_a_kind_knows_its_unit_of_roundoff(F):
    """roundoff(kind) is the field's eps."""
    assert roundoff(F.kind) == F.eps and type(roundoff(F.kind)) is F.kind


@fields(*FIELDS)
@given(x=fractions, y=fractions)
def test_ints_mix_with_every_kind(F, x, y):
    """An int on either side of + − × ÷ gives a number of the field."""
    a = F.lift(x)
    for result in (a + 1, 1 + a, a - 1, 1 - a, 2 * a, a * 2, a / 2, -a, abs(a), +a, a**2):
        assert type(result) is F.kind
    assert y == 0 or type(1 / F.lift(y)) is F.kind


@fields(*FIELDS)
@given(x=fractions, y=fractions)
def test_order_is_that_of_the_rationals(F, x, y):
    """Numbers compare as the rationals that they are."""
    a, b = F.lift(x), F.lift(y)
    assert (a < b, a <= b, a == b) == (
        Fraction(*a.as_integer_ratio()) < Fraction(*b.as_integer_ratio()),
        Fraction(*a.as_integer_ratio()) <= Fraction(*b.as_integer_ratio()),
        Fraction(*a.as_integer_ratio()) == Fraction(*b.as_integer_ratio()),
    )


@fields(*FIELDS)
def test_a_negative_has_no_root_and_no_logarithm(F):
    """√x needs x ≥ 0, log x needs x > 0."""
    with pytest.raises(InvalidInput, match="need a number ≥ 0 under the root; got -1"):
        F.sqrt(F.lift(-1))
    if not F.exact:
        for value in (0, -1):
            with pytest.raises(InvalidInput, match="need a number > 0 under the logarithm"):
                F.log(F.lift(value))


@fields(*FIELDS)
@given(x=fractions)
def test_the_root_of_a_square_is_the_modulus(F, x):
    """√(x²) = |x|, up to roundoff."""
    a = F.lift(x)
    assert near(F, F.sqrt(a * a), abs(a))


@fields(*FIELDS)
def test_functions_at_their_rational_points(F):
    """√4 = 2, exp 0 = 1, log 1 = 0, tanh 0 = 0, sin 0 = 0, cos 0 = 1, erf 0 = 0."""
    zero, one = F.kind(0), F.kind(1)
    assert (F.sqrt(F.lift(4)), F.exp(zero), F.cos(zero)) == (2, 1, 1)
    assert (F.log(one), F.tanh(zero), F.sin(zero), F.erf(zero)) == (0, 0, 0, 0)


@fields(*ROUNDED)
@given(x=fractions, y=fractions)
def test_the_exponential_turns_sums_into_products(F, x, y):
    """exp(x + y) = exp x · exp y."""
    a, b = F.lift(x), F.lift(y)
    assert near(F, F.exp(a) * F.exp(b), F.exp(a + b), steps=40)


@fields(*ROUNDED)
@given(x=positive, y=positive)
def test_the_logarithm_turns_products_into_sums(F, x, y):
    """log(x y) = log x + log y, and exp(log x) = x."""
    a, b = F.lift(x), F.lift(y)
    assert near(F, F.log(a) + F.log(b), F.log(a * b), scale=1 + abs(F.log(a)) + abs(F.log(b)))
    assert near(F, F.exp(F.log(a)), a, steps=5)


@fields(*ROUNDED)
@given(x=fractions, y=fractions)
def test_sine_and_cosine_add(F, x, y):
    """sin² + cos² = 1, sin(x + y) = sin x cos y + cos x sin y, sin is odd and cos is even."""
    a, b = F.lift(x), F.lift(y)
    assert near(F, F.sin(a) * F.sin(a) + F.cos(a) * F.cos(a), F.kind(1))
    assert near(F, F.sin(a) * F.cos(b) + F.cos(a) * F.sin(b), F.sin(a + b), scale=F.kind(1), steps=20)
    assert F.sin(-a) == -F.sin(a) and F.cos(-a) == F.cos(a)


@fields(*ROUNDED)
@given(x=fractions)
def test_the_hyperbolic_tangent_is_a_quotient_of_exponentials(F, x):
    """tanh x = (e²ˣ − 1)/(e²ˣ + 1), odd, and never beyond ±1."""
    a = F.lift(x)
    e = F.exp(2 * a)
    assert near(F, F.tanh(a), (e - 1) / (e + 1), scale=F.kind(1), steps=30)
    assert F.tanh(-a) == -F.tanh(a) and abs(F.tanh(a)) <= 1


@fields(*ROUNDED)
@given(x=fractions)
def test_the_error_function_is_odd_and_bounded(F, x):
    """erf(−x) = −erf x, and |erf x| ≤ 1."""
    a = F.lift(x)
    assert F.erf(-a) == -F.erf(a) and abs(F.erf(a)) <= 1


@fields(*ROUNDED)
@pytest.mark.parametrize("x", [Fraction(0), Fraction(1, 3), Fraction(-2), Fraction(5, 2)])
def test_the_error_function_has_the_normal_density_as_slope(F, x):
    """By Simpson's rule the integral of 2/√π exp(−t²) over a short interval is the difference of erf at its ends."""
    a, h = F.lift(x), F.lift(Fraction(1, 128))
    scale = 2 / F.sqrt(F.pi())
    left, mid, right = (scale * F.exp(-(t * t)) for t in (a, a + h / 2, a + h))
    simpson = h * (left + 4 * mid + right) / 6
    # Premise: Simpson's rule errs by h⁵/2880 times the fourth derivative, here at most 2/√π · 12.
    assert abs(F.erf(a + h) - F.erf(a) - simpson) <= h**5 / 200 + 30 * F.eps


@fields(*ROUNDED)
def test_the_circle_closes(F):
    """sin π = 0 and cos π = −1, up to the roundoff in π."""
    assert abs(F.sin(F.pi())) <= 4 * F.eps and near(F, F.cos(F.pi()), F.kind(-1))


@fields(*FIELDS)
@given(x=doubles)
def test_a_list_is_lifted_number_by_number(F, x):
    """lift_all lifts each number."""
    assert F.lift_all([x, 1]) == [F.lift(x), F.lift(1)]


@fields(*ROUNDED, RATIONAL)
def test_numbers_survive_being_stored(F):
    """A pickled number comes back in its kind and value."""
    x = F.lift(Fraction(1, 3))
    y = pickle.loads(pickle.dumps(x))
    assert y == x and type(y) is type(x)
    assert pickle.loads(pickle.dumps(F)) is F


@fields(*ROUNDED)
@given(x=fractions, y=fractions)
def test_functions_are_monotone(F, x, y):
    """exp, tanh and erf do not decrease."""
    low, high = sorted((F.lift(x), F.lift(y)))
    for f in (F.exp, F.tanh, F.erf):
        assert f(low) <= f(high)
