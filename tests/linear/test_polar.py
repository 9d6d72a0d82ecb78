"""Inner products by way of distances: how far they are from the sum of products."""

import math
from fractions import Fraction

import pytest

from refclass.linear import polar
from refclass.number.binary64 import BINARY64
from refclass.number.tolerance import near
from tests.strategies import SIZES


def exact(x, y):
    """Σ xᵢyᵢ in rational arithmetic."""
    return sum((Fraction(a) * Fraction(b) for a, b in zip(x, y)), Fraction(0))


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
