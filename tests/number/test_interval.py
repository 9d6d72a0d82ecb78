"""Enclosures of exponentials and roots, against series and squares in fractions."""

from fractions import Fraction as Q

import pytest

from refclass.number.interval import GRID, decaying, root


def series(t, terms=120):
    """Return two partial sums of e^(−t) = (e^(−t/64))^64, whose terms fall in turn: bounds in fractions."""
    s, total, term = t / 64, Q(0), Q(1)
    for k in range(terms // 2):
        total, term = total + term, -term * s / (k + 1)
    return sorted(v**64 for v in (total, total + term))


@pytest.mark.parametrize("t", [Q(0), Q(1, 10**30), Q(1, 3), Q(1), Q(49, 10), Q(30), Q(50), Q(51), Q(10**9)])
def test_an_exponential_lies_between_its_ends(t):
    """The series of the exponential in fractions lies within them, and they are three lines of the grid apart."""
    low, high = decaying(t.numerator, t.denominator)
    assert 0 <= low <= high <= low + 3
    if t < 60:
        least, most = series(t)
        assert low <= most * GRID and least * GRID <= high and most - least < Q(1, 10**30)
        assert t > 30 or (low - 1 <= least * GRID and most * GRID <= high + 1)
    assert (low == high == GRID) == (t == 0)


@pytest.mark.parametrize("v", [Q(0), Q(9, 4), Q(2), Q(1, 3), Q(10**60 + 1), Q(1, 10**60)])
def test_a_root_lies_between_its_ends(v):
    """Their squares enclose the number; they are equal where the root is on the grid."""
    low, high = root(v)
    assert low**2 <= v <= high**2 and high - low in (0, Q(1, GRID))
    assert (low == high) == (low**2 == v)
