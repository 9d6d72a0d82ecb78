"""Inner products and distances of one point to many."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from refclass.errors import NotExact
from refclass.linear import geometry
from refclass.linear.geometry import distances, inner_products, squared_distances
from refclass.linear.vector import Vector
from refclass.number.binary64 import BINARY64
from refclass.number.rational import RATIONAL
from refclass.number.tolerance import near
from tests.numbers import COUNTED, Counted, counting
from tests.strategies import SIZES, doubles, fractions, vectors


@given(st.data(), st.sampled_from(SIZES))
def test_inner_products_are_sums_of_products(data, p):
    """In any number of variables, written out or not, ⟨x, z⟩ = Σ xⱼzⱼ  [K-LIN.P1]."""
    x, *Z = data.draw(st.lists(vectors(p), min_size=2, max_size=4))
    assert inner_products(x, Z) == [sum(a * b for a, b in zip(x, z)) for z in Z]


@given(st.data(), st.sampled_from(SIZES))
def test_squared_distances_are_sums_of_squares(data, p):
    """‖x − z‖² = Σ (xⱼ − zⱼ)², exactly on fractions."""
    x, *Z = data.draw(st.lists(vectors(p), min_size=2, max_size=4))
    assert squared_distances(RATIONAL, x, Z) == [sum((a - b) ** 2 for a, b in zip(x, z)) for z in Z]


@pytest.mark.parametrize("in_c", [True, False])
def test_squared_distances_of_doubles_are_the_same_where_no_loop_in_c_is_faster(in_c, monkeypatch):
    """Sums of squares of small integers are exact on either way."""
    monkeypatch.setattr(geometry, "IN_C", in_c)
    assert squared_distances(BINARY64, (1.0, 2.0, -3.0), [(4.0, 6.0, -3.0), (1.0, 7.0, 9.0)]) == [25.0, 169.0]


@given(st.data(), st.sampled_from(SIZES))
def test_distances_of_doubles_are_those_of_the_rationals_they_are(data, p):
    """Doubles go another way (one call for each distance) to the same squares, up to roundoff."""
    x, z = data.draw(vectors(p, doubles)), data.draw(vectors(p, doubles))
    exact = sum((Fraction(a) - Fraction(b)) ** 2 for a, b in zip(x, z))
    (got,), (root,) = squared_distances(BINARY64, x, [z]), distances(BINARY64, x, [z])
    assert near(BINARY64, Fraction(got), exact) and near(BINARY64, Fraction(root) ** 2, exact)


def test_exact_distances_are_refused_where_they_are_irrational():
    """(0, 0) and (3, 4) are 5 apart; (0, 0) and (1, 1) are √2 apart, which is no fraction."""
    zero, near_by, far = (Vector(map(Fraction, v)) for v in ((0, 0), (1, 1), (3, 4)))
    assert distances(RATIONAL, zero, [far]) == [5]
    with pytest.raises(NotExact):
        distances(RATIONAL, zero, [near_by])


@pytest.mark.parametrize("p", SIZES)
def test_cost_is_one_multiplication_for_each_variable(p):
    """p multiplications for each z, as the docstrings state."""
    x = Vector(map(Counted, range(1, p + 1)))
    with counting() as products:
        inner_products(x, [x, x, x])
    with counting() as squares:
        squared_distances(COUNTED, x, [x, x, x])
    assert products.multiply == squares.multiply == 3 * p


@given(vectors(3, fractions))
def test_a_point_has_distance_zero_from_itself(x):
    """‖x − x‖ = 0 exactly, so that kernels of the distance have the same number all along the diagonal."""
    assert distances(RATIONAL, x, [x]) == [0] and squared_distances(RATIONAL, x, [x]) == [0]
