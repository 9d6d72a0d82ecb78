"""Gram matrices and their rows on demand."""

from fractions import Fraction

import pytest

from refclass.errors import InvalidInput
from refclass.kernels.gaussian import Gaussian
from refclass.kernels.linear import Linear
from refclass.kernels.matrices.gram import MAX_STORED_NUMBERS, PACKED, Rows, gram
from refclass.kernels.polynomial import Polynomial
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector
from refclass.number.binary64 import BINARY64
from refclass.number.rational import RATIONAL
from tests.kernels.watched import Watched
from tests.strategies import SIZES


def cloud(n):
    return Matrix([[Fraction(i % 4), Fraction(i * i % 7)] for i in range(n)])


@pytest.mark.parametrize("n", SIZES)
def test_half_of_the_values_are_enough(n):
    """A Gram matrix takes n(n + 1)/2 values, each off the diagonal used twice  [KIM-Def3.4.1] [ERR-KIM-19]
    [MMST-11.3.3-gram]."""
    k = Watched()
    K = gram(RATIONAL, k, cloud(n))
    assert k.values == n * (n + 1) // 2 and K == K.T and K.shape == (n, n)
    rows = Rows(RATIONAL, k, cloud(n))
    assert rows.table() == K == Rows(RATIONAL, k, cloud(n), limit=1).table()
    assert k.values == n * (n + 1) + n * n and [rows.row(i) for i in range(n)] == list(K)
    assert k.values == n * (n + 1) + n * n


def test_a_rectangular_table_has_a_row_for_each_point():
    """K(x, z): rows are the x, columns the z."""
    X, Z = cloud(3), cloud(5)
    K = gram(RATIONAL, Polynomial(2), X, Z)
    assert K.shape == (3, 5) and K[2][4] == Polynomial(2)(RATIONAL, X[2], Z[4])


def test_rows_are_computed_once_while_they_are_stored():
    """Asked twice, a row is computed once."""
    k = Watched()
    rows = Rows(RATIONAL, k, cloud(5))
    assert rows.row(3) is rows.row(3) and k.values == 5


def test_the_row_not_used_for_longest_is_forgotten():
    """With a limit of two rows, asking for 0, 1, 0, 2 drops row 1 and keeps row 0."""
    k = Watched()
    rows = Rows(RATIONAL, k, cloud(5), limit=10)
    for i in (0, 1, 0, 2):
        rows.row(i)
    before = k.values
    rows.row(0)
    assert k.values == before
    rows.row(1)
    assert k.values == before + 5


@pytest.mark.parametrize("limit", [0, 1, 4, 5, 12, 25, 1000])
def test_no_more_numbers_are_stored_than_the_limit(limit):
    """At most `limit` numbers are kept, but one row always is."""
    rows = Rows(RATIONAL, Linear(), cloud(5), limit=limit)
    for i in (0, 1, 2, 3, 4, 2, 0):
        rows.row(i)
    assert len(rows._stored) * 5 <= max(limit, 5)


def test_rows_of_doubles_used_less_recently_are_kept_in_arrays():
    """A limit of two rows stores two as tuples and thrice as many in arrays: of nine, one is computed again, the same
    numbers; the row used least recently is the one that goes."""
    k = Watched()
    points = tuple([Vector([float(v) + 1 for v in x]) for x in cloud(9)])
    rows = Rows(BINARY64, k, points, limit=18)
    first = [rows.row(i) for i in range(9)]
    assert (len(rows._stored), len(rows._packed), k.values) == (2, 2 * PACKED, 81)
    assert [rows.row(i) for i in range(8, -1, -1)] == first[::-1] and k.values == 90
    rows.forget()
    assert rows.row(3) == first[3] and k.values == 99


def test_rows_of_zeros_mostly_are_kept_without_them():
    """Of a kernel so narrow that K is the identity all 40 rows are kept, where eight of another are: each is computed
    once, in whatever order they are asked for."""
    points = tuple([Vector([50.0 * i]) for i in range(40)])
    k = Watched(Gaussian(1.0))
    rows = Rows(BINARY64, k, points, limit=80)
    for i in (*range(40), *reversed(range(40)), *range(0, 40, 3)):
        assert rows.row(i) == Vector.unit(40, i, float)
    assert k.values == 40 * 40 and len(rows._stored) == 2 and rows._room >= 0


def test_the_default_limit_keeps_ten_thousand_points_within_half_a_gigabyte():
    """A double in a tuple takes 8 + 24 bytes, in an array 8; all that are stored take less than 240 MB."""
    assert (32 + 8 * PACKED) * MAX_STORED_NUMBERS < 240e6 and MAX_STORED_NUMBERS // 10_000 > 300


def test_the_diagonal_is_computed_apart():
    """K(xᵢ, xᵢ) needs no row."""
    k = Watched()
    rows = Rows(RATIONAL, k, cloud(5))
    assert rows.diagonal() == gram(RATIONAL, Linear(), cloud(5)).diagonal() and rows.diagonal() is rows.diagonal()
    assert k.values == 5


@pytest.mark.parametrize("ask", [lambda X: gram(BINARY64, Linear(), X), lambda X: Rows(BINARY64, Linear(), X).row(1)])
def test_values_beyond_the_doubles_are_refused_with_their_place(ask):
    """An infinite kernel value is refused, naming row and column."""
    X = Matrix([[1.0], [1e200], [-1e200]])
    with pytest.raises(InvalidInput, match="range of doubles; got inf .*row=1, column=1"):
        ask(X)


def test_large_values_with_an_infinite_sum_are_no_fault():
    """Doubles near the end of the range pass, though their sum does not."""
    X = Matrix([[1.3e154], [1.3e154]])
    assert gram(BINARY64, Linear(), X)[0][1] == 1.3e154**2


@pytest.mark.parametrize("n", SIZES)
def test_rows_of_one_point_and_more_have_their_length(n):
    """len and every row are n."""
    rows = Rows(BINARY64, Gaussian(1.0), Matrix([[float(i)] for i in range(n)]))
    assert len(rows) == n and all(len(rows.row(i)) == n for i in range(n))
