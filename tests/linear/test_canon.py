"""Signs, order, and spaces."""

from fractions import Fraction

import pytest
from hypothesis import given

from refclass.errors import InvalidInput
from refclass.linear import canon
from refclass.linear.vector import Vector
from refclass.number.binary64 import BINARY64
from tests.linear.matrices import FIELDS, integers
from tests.strategies import vectors


@given(vectors(4))
def test_a_sign_is_the_same_for_both_directions(x):
    """x and −x have one canonical sign, and its first entry of largest modulus is not negative."""
    y = canon.sign(x)
    assert canon.sign(-x) == y and y in (x, -x)
    assert next(v for v in y if abs(v) == x.largest()) >= 0


def test_moduli_equal_up_to_roundoff_are_equal():
    """The first of two moduli that differ by roundoff decides, on fractions the larger one."""
    nudged = 1 + 2 * BINARY64.eps
    assert canon.sign(Vector([-1.0, nudged])) == (1.0, -nudged)
    assert canon.sign(Vector([Fraction(-1), Fraction(nudged)])) == (-1, Fraction(nudged))


def test_each_column_gets_its_own_sign():
    """Signs are settled column by column."""
    assert canon.signs(integers([-3, 1, 0], [2, -4, 0])) == integers([3, -1, 0], [-2, 4, 0])


def test_the_order_is_descending_and_stable():
    """Places by descending value, equal values in their order."""
    assert canon.descending([Fraction(v) for v in (1, 3, 2, 3, 1)]) == [1, 3, 2, 0, 4]


@pytest.mark.parametrize("F", FIELDS, ids=lambda F: F.name)
def test_values_that_differ_by_roundoff_form_a_group(F):
    """Neighbours within roundoff of the largest belong together; in an exact field only equal ones."""
    close = F.kind(1) + F.eps
    groups = canon.groups(F, Vector([F.kind(2), close, F.kind(1), F.kind(0)]))
    assert groups == [(0,), (1, 2), (3,)]
    assert canon.groups(F, Vector([F.lift(Fraction(2)), F.lift(Fraction(1))])) == [(0,), (1,)]


def test_values_that_ascend_are_refused():
    """Groups are of descending values."""
    with pytest.raises(InvalidInput, match=r"canon: need descending values; got 2.0 \(after=1.0, row=1\)"):
        canon.groups(BINARY64, Vector([1.0, 2.0]))
