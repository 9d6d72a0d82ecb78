"""Multipliers rounded with the sums that a linear function is made of."""

from fractions import Fraction
from random import Random

import pytest

from refclass.number.decimals import decimal
from refclass.regress.kernel import kept_sums


def drawn(seed, n=12):
    """Return two columns of 10⁶ and 10⁻², and exact multipliers of 10⁷ whose sum is zero."""
    r = Random(seed)
    a = [Fraction(r.randint(-(10**30), 10**30), 10**23) for _ in range(n - 1)]
    return [[r.gauss(0, 1) * 1e6, r.gauss(0, 1) / 100] for _ in range(n)], [*a, -sum(a)]


def errors(points, exact, found):
    """Return by how much Σ aᵢ and Σ aᵢxᵢ are off."""
    off = [Fraction(v) - w for v, w in zip(found, exact)]
    columns = zip(*points)
    return [sum(off), *(sum(d * Fraction(v) for d, v in zip(off, column)) for column in columns)]


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("lift, least", [(float, 10**10), (decimal(20).lift, 10**10)], ids=["doubles", "decimals"])
def test_sums_are_kept_to_many_more_digits_than_by_the_nearest(seed, lift, least):
    """Multipliers move by some ten thousand units in the last place at most."""
    points, a = drawn(seed)
    found, nearest = kept_sums.rounded(points, a, lift), list(map(lift, a))
    for better, plain in zip(errors(points, a, found)[:2], errors(points, a, nearest)[:2]):
        assert abs(better) * least < abs(plain)
    assert all(abs(Fraction(v) - w) < abs(w) / 10**8 for v, w in zip(found, a))


def test_multipliers_of_a_point_sum_to_zero_exactly():
    """Of three classes, each of which keeps its sums."""
    points, a = drawn(1)
    _, b = drawn(2)
    columns = [a, b, [-v - w for v, w in zip(a, b)]]
    found = kept_sums.balanced(points, columns, float)
    assert not any(sum(map(Fraction, row)) for row in zip(*found))
    assert all(abs(errors(points, own, mine)[1]) < 1e-9 for own, mine in zip(columns, found))


def test_fewer_multipliers_than_sums_are_the_nearest():
    """Nothing is free to move."""
    points, a = drawn(1, 3)
    assert kept_sums.rounded(points, a, float) == list(map(float, a))
