"""Hinges: the laws of a reflected pair, and products of them."""

from fractions import Fraction

import pytest
from hypothesis import given

from refclass.bases.hinges import Hinge, Products, pair
from refclass.errors import InvalidInput
from refclass.number.rational import RATIONAL as F
from tests.strategies import fractions, vectors


@given(vectors(2), fractions)
def test_a_reflected_pair_adds_up_to_the_distance_from_the_knot(x, knot):
    """(x − t)₊ + (t − x)₊ = |x − t|, their difference is x − t, their product 0  [GAP-9]."""
    up, down = (hinge(x) for hinge in pair(1, knot))
    assert up + down == abs(x[1] - knot) and up - down == x[1] - knot and up * down == 0


@given(vectors(3), fractions, fractions)
def test_a_product_is_the_product_of_its_hinges(x, s, t):
    """The empty product is 1; a term is the product of its factors  [GAP-9]."""
    a, b = Hinge(0, 1, s), Hinge(2, -1, t)
    assert list(Products(((), (a,), (a, b)))(F, x)) == [1, a(x), a(x) * b(x)]


def test_signs_other_than_plus_and_minus_one_are_refused():
    """A sign of 0 or 2 makes no hinge; a basis of no terms is none."""
    for sign in (0, 2):
        with pytest.raises(InvalidInput):
            Products(((Hinge(0, sign, Fraction(0)),),))
    with pytest.raises(InvalidInput):
        Products(())
