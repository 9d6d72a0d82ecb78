"""The arguments of `solve_qp` as the ecosystem has them: arrays, sparse matrices, frames, known by what they offer."""

from __future__ import annotations

import math
from decimal import Decimal
from types import SimpleNamespace

import pytest

from refclass import solve_qp
from refclass.errors import InvalidInput, NotConverged

P, Q, A = [[2, 0], [0, 2]], [-2, -5], [[1, 1], [1, 0]]
LOW, HIGH = [None, 0], [1, None]


class Array:
    """What arrays offer: a shape, and their numbers as lists."""

    def __init__(self, rows):
        self.rows, self.shape = rows, (len(rows), len(rows[0]))

    def tolist(self):
        """Return the rows."""
        return self.rows


class Frame:
    """What data frames offer: a shape, and an array; they are iterated by column."""

    def __init__(self, rows):
        self.rows, self.shape = rows, (len(rows), len(rows[0]))

    def __iter__(self):
        return iter(range(self.shape[1]))

    def to_numpy(self):
        """Return the array."""
        return Array(self.rows)


class Sparse:
    """What sparse matrices offer: a shape and coordinates, an entry of one place given in parts."""

    def __init__(self, rows):
        self.rows, self.shape = rows, (len(rows), len(rows[0]))

    def tocoo(self):
        """Return the coordinates."""
        entries = [(i, j, v / 2) for i, row in enumerate(self.rows) for j, v in enumerate(row) if v] * 2
        row, column, data = zip(*entries)
        return SimpleNamespace(row=row, col=column, data=data)


@pytest.mark.parametrize("kind", [Array, Frame, Sparse])
def test_matrices_of_other_libraries_are_read(kind):
    """Each gives the optimum of the rows; of sparse ones, entries of one place are added up."""
    expected = solve_qp(P, Q, A, LOW, HIGH, arithmetic="exact")
    found = solve_qp(kind(P), Q, kind(A), LOW, HIGH, arithmetic="exact")
    assert (found.x, found.y) == (expected.x, expected.y)


@pytest.mark.parametrize("kind", [Array, Frame, Sparse])
def test_a_matrix_of_another_shape_is_refused(kind):
    """Its rows are not taken for triplets."""
    with pytest.raises(InvalidInput, match="need P of 2 rows and 2 columns; got an array of 3 × 3"):
        solve_qp(kind([[0, 0, 1], [0, 1, 1], [1, 0, 1]]), Q)
    with pytest.raises(InvalidInput, match="need A of 2 rows and 2 columns; got an array of 3 × 2"):
        solve_qp(P, Q, kind([[1, 1]] * 3), LOW, HIGH)


def test_infinities_of_any_type_are_no_bounds_and_iterators_are_read_once():
    """Decimals as floats; all five arguments may be iterators."""
    expected = solve_qp(P, Q, A, LOW, HIGH)
    low, high = [Decimal("-Infinity"), 0], [1, math.inf]
    assert solve_qp(P, Q, A, low, high).x == expected.x
    assert solve_qp(*map(iter, (P, Q, A, low, high))).x == expected.x
    for bad in (Decimal("Infinity"), Decimal("sNaN"), "-inf"):
        with pytest.raises(InvalidInput, match="need finite numbers in l"):
            solve_qp(P, Q, A, [bad, 0], high)


def test_numbers_beyond_doubles_are_refused_in_doubles_and_held_in_fractions():
    """An optimum of 10⁶⁰⁰; a coefficient of 10⁴⁰⁰ beside an optimum that doubles hold."""
    with pytest.raises(NotConverged, match="need an optimum that doubles hold; got numbers beyond their range"):
        solve_qp([[1e-300]], [-1e300])
    assert solve_qp([[1e-300]], [-1e300], arithmetic="exact").x[0] > 10**599
    assert solve_qp([[10**400, 0], [0, 2]], Q).x == [0, 2.5]
    with pytest.raises(InvalidInput, match="need lower sides that a row can meet; got 1e400"):
        solve_qp(P, Q, A, [0, "1e400"], [0, 0])
