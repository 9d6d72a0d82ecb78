"""Exact sums of products of numbers of any kind."""

from decimal import Decimal
from fractions import Fraction
from random import Random

import pytest

from refclass.errors import InvalidInput
from refclass.linear import clearing, common_denominator
from refclass.linear.matrix import Matrix


def test_numbers_of_any_kind_have_one_denominator():
    """The integers over the denominator are the numbers, floats at their exact values."""
    given = [0.1, Fraction(1, 3), Decimal("0.7"), -2]
    numerators, d = common_denominator.cleared(given)
    assert [Fraction(p, d) for p in numerators] == [Fraction(v) for v in given]
    with pytest.raises(InvalidInput):
        common_denominator.cleared([float("inf")])


def test_products_are_those_of_fractions():
    """A B and |A||B| of doubles, entry by entry, against fractions."""
    rng = Random(2)
    A = [[rng.gauss(0, 10.0**k) for k in range(-3, 3)] for _ in range(4)]
    B = [[rng.gauss(0, 1) for _ in range(3)] for _ in range(6)]
    for got, take in ((clearing.product(A, B), Fraction), (clearing.sizes(A, B), lambda v: abs(Fraction(v)))):
        assert got == Matrix([[sum(take(a) * take(b) for a, b in zip(row, c)) for c in zip(*B)] for row in A])


def test_a_backward_error_is_that_of_its_worst_entry():
    """For 2x = 3 at x = 1 it is 1/5, of terms twice as large 1/8, and 0 for a solution."""
    assert clearing.backward_error([[2]], [[1]], Matrix([[Fraction(3)]])) == Fraction(1, 5)
    assert clearing.backward_error([[2]], [[1]], Matrix([[Fraction(3)]]), [[6]]) == Fraction(1, 8)
    assert clearing.backward_error([[2]], [[1.5]], Matrix([[Fraction(3)]])) == 0


def test_roots_are_rounded_down():
    """√2 to 64 bits, from below; squares have exact ones."""
    root = clearing.root(Fraction(2))
    assert root**2 <= 2 < (root + Fraction(1, 2**60)) ** 2 and clearing.root(Fraction(9, 16)) == Fraction(3, 4)
    assert clearing.root(Fraction(0)) == 0
