"""Monomials: how many there are, in which order, and about another centre."""

from fractions import Fraction
from itertools import product
from math import comb

import pytest
from hypothesis import given
from hypothesis import strategies as st

from refclass.bases.polynomial import Monomials
from refclass.errors import InvalidInput
from refclass.linear.vector import Vector
from refclass.number.rational import RATIONAL as F
from tests.numbers import COUNTED, Counted, counting
from tests.strategies import fractions, vectors


@pytest.mark.parametrize("p", [1, 2, 3, 5])
@pytest.mark.parametrize("d", [0, 1, 2, 3])
def test_all_monomials_of_the_degree_are_there_once(p, d):
    """The powers are all of ℕᵖ with sum ≤ d, each once: C(p + d, d) of them  [FDA-POLY]."""
    exponents = Monomials(p, d).exponents
    assert sorted(exponents) == sorted(a for a in product(range(d + 1), repeat=p) if sum(a) <= d)
    assert len(Monomials(p, d)) == len(exponents) == comb(p + d, d)


@given(vectors(3))
def test_values_are_the_products_that_the_powers_say(x):
    """h_a(x) = Π x_j^a_j  [ESL-12.42]."""
    basis = Monomials(3, 3)
    assert list(basis(F, x)) == [x[0] ** a * x[1] ** b * x[2] ** c for a, b, c in basis.exponents]


def test_the_constant_comes_first_and_degrees_ascend():
    """1, x₁, x₂, x₁², x₁x₂, x₂²: by total degree, then the powers of x₁ descending."""
    assert Monomials(2, 2).exponents == ((0, 0), (1, 0), (0, 1), (2, 0), (1, 1), (0, 2))


def test_a_monomial_costs_one_multiplication():
    """C(p + d, d) − 1 multiplications for all values at a point."""
    basis, x = Monomials(3, 3), Vector([Counted(v) for v in (2, 3, 5)])
    with counting() as c:
        basis(COUNTED, x)
    assert c.multiply == len(basis) - 1


@given(st.lists(fractions, min_size=10, max_size=10), vectors(2), vectors(2))
def test_moved_coefficients_describe_the_same_polynomial(beta, centre, x):
    """Σ β_a (x − c)^a = Σ γ_b x^b at every x."""
    basis = Monomials(2, 3)
    gamma = basis.moved(beta, centre)
    assert gamma @ basis(F, x) == Vector(beta) @ basis(F, x - centre)


def test_what_is_no_degree_is_refused():
    """p ≥ 1 and d ≥ 0 are integers; a point has p numbers."""
    for p, d in ((0, 1), (1, -1), (1, Fraction(1)), (True, 1)):
        with pytest.raises(InvalidInput):
            Monomials(p, d)
    with pytest.raises(InvalidInput):
        Monomials(2, 1)(F, Vector([Fraction(1)]))
