"""Rational vectors as integers on one denominator."""

from decimal import Decimal
from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from refclass.linear.common_denominator import Scaled, combination
from refclass.linear.vector import Vector
from tests.numbers import STRICT
from tests.strategies import doubles, fractions

lists = st.lists(fractions, min_size=1, max_size=5)
sparse = st.one_of(st.just(0.0), st.just(0.0), st.just(5e-324), doubles)
pairs = st.integers(1, 5).flatmap(lambda n: st.tuples(*[st.lists(fractions, min_size=n, max_size=n)] * 2))


@given(lists)
def test_a_scaled_vector_holds_the_fractions_it_was_given(values):
    """Entry by entry and as a list, what comes out is what went in."""
    v = Scaled.of(values)
    assert v.fractions() == values and [v[i] for i in range(len(v))] == values


@given(st.lists(doubles, min_size=1, max_size=5))
def test_a_float_is_taken_at_its_exact_value(values):
    """A double is a rational number with a power of two below."""
    assert Scaled.of(values).fractions() == [Fraction(v) for v in values]


def test_every_kind_of_number_is_taken_at_its_exact_value():
    """Integers, decimals and the tests' own numbers are rational, too."""
    assert Scaled.of([2, Decimal("0.1"), STRICT.lift("1/3"), 0.5]).fractions() == [
        2,
        Fraction(1, 10),
        Fraction(1, 3),
        0.5,
    ]


@given(pairs)
def test_operations_are_those_of_fractions(pair):
    """Sum, difference, product entry by entry, inner product, positive parts, absolute values."""
    a, b = pair
    x, y = Scaled.of(a), Scaled.of(b)
    assert (x + y).fractions() == [u + v for u, v in zip(a, b)]
    assert (x - y).fractions() == [u - v for u, v in zip(a, b)]
    assert (-x).fractions() == [-u for u in a]
    assert x.times(y).fractions() == [u * v for u, v in zip(a, b)]
    assert x @ y == sum(u * v for u, v in zip(a, b))
    assert x.positive().fractions() == [max(u, 0) for u in a]
    assert x.absolute().fractions() == [abs(u) for u in a]
    assert x.largest() == (max(a), a.index(max(a)))


def test_the_empty_vector_has_no_largest_entry():
    """It is zero, at no place."""
    assert Scaled.zeros(0).largest() == (0, -1)


@given(st.lists(st.lists(fractions, min_size=3, max_size=3), min_size=1, max_size=4), st.data())
def test_a_combination_of_rows_is_their_weighted_sum(rows, data):
    """Σ xᵢ rowᵢ, whatever the denominators, for rows of fractions or rows already scaled."""
    weights = data.draw(st.lists(fractions, min_size=len(rows), max_size=len(rows)))
    want = sum((w * Vector(row) for w, row in zip(weights, rows)), Vector([Fraction(0)] * 3))
    assert combination(rows, Scaled.of(weights), 3).fractions() == list(want)
    assert combination(map(Scaled.of, rows), Scaled.of(weights), 3).fractions() == list(want)


@given(st.integers(1, 7).flatmap(lambda n: st.lists(st.lists(sparse, min_size=n, max_size=n), min_size=1, max_size=4)))
def test_zeros_among_doubles_change_no_combination(rows):
    """Σ xᵢ rowᵢ of rows with any share of zeros, denormal entries among them, is the sum of fractions."""
    weights = [Fraction(2 * i - 3, 3**i) for i in range(len(rows))]
    want = [sum(w * Fraction(v) for w, v in zip(weights, column)) for column in zip(*rows)]
    assert combination(rows, Scaled.of(weights), len(rows[0])).fractions() == want
