"""Vectors."""

import copy
import math
import pickle
from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import given

from refclass.errors import InvalidInput
from refclass.linear.vector import Rounded, Vector, as_given, dot, lossless
from refclass.number.decimals import decimal
from tests.linear.matrices import FIELDS, lifted, vector
from tests.numbers import COUNTED, Strict, counting
from tests.strategies import vectors

x, y = Vector([1.0, 2.0, 3.0]), Vector([4.0, -5.0, 6.0])


def test_operators_agree_with_paper():
    """x + y, x − y, −x, c x, x c, x / c, x·y and the products entry by entry."""
    assert (x + y, x - y, -x) == ((5.0, -3.0, 9.0), (-3.0, 7.0, -3.0), (-1.0, -2.0, -3.0))
    assert (2 * x, x * 2, x / 2) == ((2.0, 4.0, 6.0), (2.0, 4.0, 6.0), (0.5, 1.0, 1.5))
    assert (x @ y, x.times(y)) == (12.0, (4.0, -10.0, 18.0))


def test_entries_agree_with_paper():
    """Sum, largest modulus, chosen entries, unit vectors, text."""
    assert (x.sum(), y.largest(), y.pick([2, 0])) == (6.0, 6.0, (6.0, 4.0))
    assert Vector.unit(3, 1, Fraction) == (0, 1, 0) and repr(y) == "Vector(4.0, -5.0, 6.0)"


@pytest.mark.parametrize("F", FIELDS, ids=lambda F: F.name)
def test_results_are_vectors_of_the_same_kind(F):
    """Every operator returns a vector of the kind it was given, ints included as scalars."""
    v = lifted(F, vector(3))
    for result in (v + v, v - v, -v, 3 * v, v * v[0], v[0] * v, v / 3, v.times(v), v.pick([0, 2])):
        assert type(result) is Vector and result.kind is F.kind
    assert type(v @ v) is F.kind is type(v.sum()) is type(v.largest())


@given(vectors(4), vectors(4), vectors(4))
def test_vectors_obey_the_laws_of_a_space(u, v, w):
    """u + v = v + u, (u + v) + w = u + (v + w), 3(u + v) = 3u + 3v, and the dot product is symmetric and bilinear."""
    assert u + v == v + u and (u + v) + w == u + (v + w) and 3 * (u + v) == 3 * u + 3 * v
    assert u @ v == v @ u and (u + v) @ w == u @ w + v @ w and u @ u >= 0


def test_an_empty_vector_is_refused():
    """A vector has at least one entry."""
    with pytest.raises(InvalidInput, match="vector: need at least one entry; got none"):
        Vector([])


@pytest.mark.parametrize("entries", [[1.0, Fraction(1)], [Fraction(1), Decimal(1)], [Strict(1), Fraction(1)]])
def test_mixed_kinds_are_refused(entries):
    """A vector holds one kind of number: a float never enters an exact computation."""
    with pytest.raises(InvalidInput, match="vector: need entries of one kind"):
        Vector(entries)


@pytest.mark.parametrize("entry", [1, True, "1", None, 1j])
def test_what_is_no_number_of_a_field_is_refused(entry):
    """ints, text and complex numbers must be lifted into a field first."""
    with pytest.raises(InvalidInput, match="vector: need numbers of a field"):
        Vector([entry])


@pytest.mark.parametrize("other", [Vector([1.0]), Vector([Fraction(1)] * 3), (1.0, 2.0, 3.0), 2.0])
def test_operands_that_do_not_fit_are_refused(other):
    """Another length, another kind, a bare tuple and a number are no operands."""
    for operate in (lambda: x + other, lambda: x - other, lambda: x @ other, lambda: x.times(other)):
        with pytest.raises(InvalidInput, match="vector: need a vector|vector: need numbers"):
            operate()


@pytest.mark.parametrize("c", [Fraction(1, 2), Decimal(1), Strict(1)])
def test_a_scalar_of_another_kind_is_refused(c):
    """A scalar is of the vector's kind, or an int."""
    for operate in (lambda: x * c, lambda: x / c):
        with pytest.raises(InvalidInput, match="vector: need a scalar of kind float"):
            operate()


def test_precisions_do_not_mix():
    """Decimals of 20 and of 30 digits are two kinds."""
    with pytest.raises(InvalidInput, match="vector: need entries of one kind"):
        Vector([decimal(20).lift(1), decimal(30).lift(1)])


@pytest.mark.parametrize("n", [1, 2, 5])
def test_a_dot_product_costs_what_it_must(n):
    """n multiplications and n − 1 additions."""
    v = lifted(COUNTED, vector(n))
    with counting() as c:
        dot(v, v)
    assert (c.multiply, c.add, c.divide) == (n, n - 1, 0)


def test_a_dot_product_of_nothing_is_zero():
    """The empty sum is 0, which every kind can add."""
    assert dot((), ()) == 0


def test_vectors_survive_being_stored():
    """A pickled vector comes back with its entries."""
    v = vector(3)
    assert pickle.loads(pickle.dumps(v)) == v and hash(v) == hash(vector(3))


def test_sums_without_loss_keep_what_cancellation_leaves():
    """Of doubles 10¹⁶ + 1 − 10¹⁶ is 1, where one addition after the other gives 0; on fractions it is the sum."""
    assert lossless(float)([1e16, 1.0, -1e16]) == 1.0 and 1e16 + 1.0 - 1e16 == 0.0
    assert lossless(Fraction)([Fraction(1, 3), Fraction(1, 6)]) == Fraction(1, 2)


@pytest.mark.parametrize("terms", [[1e308, 1e308, -1e308], [math.inf, 1.0], [math.inf, -math.inf], [math.nan]])
def test_sums_that_leave_the_range_are_refused(terms):
    """Whether a part of the sum is too large, a term infinite, or two of them cancel."""
    with pytest.raises(InvalidInput, match="vector: need sums within the range of doubles"):
        lossless(float)(terms)


def test_a_rounded_vector_keeps_what_was_given():
    """Its parts, copies and pickles keep it, too; operations give plain vectors."""
    exact = [Fraction(1, 3), Fraction(1, 10), Fraction(2)]
    x = Rounded.from_given(map(float, exact), exact)
    for other in (x, pickle.loads(pickle.dumps(x)), copy.copy(x)):
        assert list(other) == [1 / 3, 0.1, 2.0] and list(other.exactly()) == list(as_given(other)) == exact
    assert list(x.pick([2, 0]).exactly()) == [2, Fraction(1, 3)]
    assert type(x + x) is Vector and (x + x).exactly()[1] == Fraction(0.2)
    assert as_given((0.1,)) == (0.1,)
