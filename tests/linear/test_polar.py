"""Inner products by way of distances: how far they are from the sum of products."""

import math
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from refclass.linear import polar
from refclass.number.binary64 import BINARY64
from refclass.number.tolerance import THRESHOLD, near
from tests.strategies import SIZES

numbers = st.floats(-1e3, 1e3, allow_nan=False, width=32)
pairs = st.integers(1, 10).flatmap(
    lambda n: st.tuples(*[st.lists(numbers, min_size=n, max_size=n).map(tuple) for _ in range(2)])
)


def exact(x, y):
    """Σ xᵢyᵢ in rational arithmetic."""
    return sum((Fraction(a) * Fraction(b) for a, b in zip(x, y)), Fraction(0))


def squares(x, y):
    """The squared norms of both, in doubles."""
    return math.hypot(*x) ** 2, math.hypot(*y) ** 2


@given(pair=pairs)
def test_the_error_is_a_few_units_of_the_squared_norms(pair):
    """|error| ≤ 30 eps (‖x‖² + ‖y‖²), whatever the vectors."""
    x, y = pair
    xx, yy = squares(x, y)
    assert near(BINARY64, polar.product(x, xx, y, yy), float(exact(x, y)), scale=xx + yy)


@given(pair=pairs, size=st.sampled_from([1e-9, 1e-4, 1e4, 1e9]))
def test_vectors_of_unlike_size_are_multiplied_entry_by_entry(pair, size):
    """Where one vector dwarfs the other the error is still one of ‖x‖‖y‖, times √MAX_SQUARED_NORM_RATIO at most."""
    x, y = pair[0], tuple(size * v for v in pair[1])
    xx, yy = squares(x, y)
    error = abs(Fraction(polar.product(x, xx, y, yy)) - exact(x, y))
    unit = Fraction(BINARY64.eps) * Fraction(math.sqrt(xx) * math.sqrt(yy)) * len(x)
    assert error <= THRESHOLD * math.isqrt(int(polar.MAX_SQUARED_NORM_RATIO)) * unit + Fraction(1, 10**300)


@pytest.mark.parametrize("n", SIZES)
def test_products_of_rows_have_the_error_of_the_largest(n):
    """Every row's product is within roundoff of the largest row's norm times that of the vector, small rows
    included."""
    rows = [tuple(10.0 ** (i % 3) * math.sin(3 * i + j) for j in range(n)) for i in range(n + 1)]
    x = tuple(1e-5 * math.cos(7 * j + 1) for j in range(n))
    got = polar.Products(rows)(x)
    scale = max(math.hypot(*row) for row in rows) * math.hypot(*x)
    assert all(near(BINARY64, v, float(exact(row, x)), scale=scale) for v, row in zip(got, rows))


def test_products_with_zero_are_zero():
    """The zero vector has no norm to scale by, and zero products; so have zero rows."""
    assert polar.Products([(1.0, 2.0), (0.0, 0.0)])((0.0, 0.0)) == [0.0, 0.0]
    assert polar.Products([(0.0, 0.0)])((1.0, 2.0)) == [0.0]


@given(rows=st.integers(1, 4).flatmap(lambda p: st.lists(st.tuples(*[numbers] * p), min_size=1, max_size=12)))
def test_the_gram_matrix_of_columns_of_any_size_has_the_error_that_is_proven(rows):
    """|error| ≤ 14 eps ‖x‖‖y‖, and none where a column is zero; columns differ by 2³⁰⁰ in size."""
    columns = [tuple(2.0 ** (300 * (j % 2) - 150) * v for v in column) for j, column in enumerate(zip(*rows))]
    found, eps = polar.gram(columns), Fraction(1, 2**52)
    for i, x in enumerate(columns):
        assert len(found[i]) == i + 1
        for v, y in zip(found[i], columns):
            squared = (14 * eps) ** 2 * exact(x, x) * exact(y, y)
            assert (Fraction(v) - exact(x, y)) ** 2 <= squared


@given(
    rows=st.integers(2, 4).flatmap(lambda p: st.lists(st.tuples(*[numbers] * p), min_size=1, max_size=12)),
    size=st.sampled_from([1e-160, 1e-100, 1.0, 3.0, 1e100, 1e160]),
)
def test_columns_of_any_size_times_a_vector_have_the_error_that_is_proven(rows, size):
    """|error| ≤ 14 eps ‖x‖‖y‖ for x of any size, beyond the range of squares, too, where n products are summed."""
    x, *columns = [tuple(2.0 ** (300 * (j % 2) - 150) * v for v in column) for j, column in enumerate(zip(*rows))]
    x, eps = tuple(size * v for v in x), Fraction(1, 2**52)
    for v, y in zip(polar.Columns(columns)(x), columns):
        assert (Fraction(v) - exact(x, y)) ** 2 <= (14 * eps) ** 2 * exact(x, x) * exact(y, y)


def test_the_gram_matrix_of_equal_columns_is_singular():
    """Equal columns have no distance, zero ones no norm: their products are equal, or zero, without roundoff."""
    x = (0.1, 0.2, 0.7)
    (a,), (b, c), zeros = polar.gram([x, x, (0.0,) * 3])
    assert a == b == c and zeros == [0.0, 0.0, 0.0]


def test_columns_whose_squares_are_no_doubles_are_multiplied_entry_by_entry():
    """The product of a tiny and a huge column is a double, though their squares are none."""
    assert polar.gram([(1e-200, 0.0), (1e200, 1.0)])[1][0] == 1.0
