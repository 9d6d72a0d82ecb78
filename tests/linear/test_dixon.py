"""Linear systems solved digit by digit."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from refclass.linear import dixon, fraction_free
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector
from tests.strategies import SIZES

wide = st.one_of(st.integers(-9, 9), st.integers(-(2**200), 2**200))
squares = st.sampled_from((1, 2, 3, 5)).flatmap(
    lambda n: st.tuples(
        st.lists(st.lists(wide, min_size=n, max_size=n), min_size=n, max_size=n), st.lists(wide, min_size=n, max_size=n)
    )
)


def fractions(B):
    """Return a matrix of integers as fractions."""
    return Matrix([[Fraction(v) for v in row] for row in B])


@given(squares)
def test_lifting_finds_what_elimination_finds(system):
    """On any integers, short and long, the solution is that of fraction-free elimination; none if singular."""
    B, b = system
    found = dixon.solve(B, b)
    factor = fraction_free.factor(fractions(B))
    if factor.rank < len(B):
        assert found is None
    else:
        assert found.fractions() == list(factor.solve(Vector(map(Fraction, b))))


@pytest.mark.parametrize("n", SIZES)
def test_the_hilbert_system_of_every_size_is_solved(n):
    """H x = e₁ for the Hilbert matrix times a common multiple: integers, all of them determinants' quotients."""
    scale = 232792560
    B = [[scale // (i + j + 1) for j in range(n)] for i in range(n)]
    b = [int(i == 0) for i in range(n)]
    x = dixon.solve(B, b).fractions()
    assert [sum(v * w for v, w in zip(row, x)) for row in B] == b


@given(squares)
def test_a_small_prime_finds_the_same_solution_or_none(system):
    """Modulo 101 more matrices are singular; where not, the solution is the same."""
    B, b = system
    found = dixon.solve(B, b, 101)
    assert found is None or found.fractions() == dixon.solve(B, b).fractions()


@given(st.lists(st.lists(st.integers(-2, 2), min_size=3, max_size=3), min_size=1, max_size=4))
def test_the_rank_modulo_a_large_prime_is_the_rank(B):
    """No minor of such small numbers is divisible by 2¹²⁷ − 1."""
    assert dixon.rank(B) == fraction_free.rank(fractions(B))


def test_the_rank_modulo_a_prime_is_never_larger_than_the_rank():
    """A multiple of the prime is zero modulo the prime."""
    assert dixon.rank([[7, 0], [0, 1]], 7) == 1
