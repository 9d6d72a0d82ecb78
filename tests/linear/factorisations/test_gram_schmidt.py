"""Gram-Schmidt without roots."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from refclass.errors import InvalidInput, NoAnswer, NotExact
from refclass.linear import residual
from refclass.linear.exact import fraction_free
from refclass.linear.factorisations import gram_schmidt
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector
from refclass.number.binary64 import BINARY64
from refclass.number.rational import RATIONAL
from tests.linear.matrices import EXACT, FIELDS, ROUNDED, any_square, drawn, hilbert, integers, lifted, of_rank, vector
from tests.numbers import COUNTED, counting

A = integers([1, 3, 1], [1, 1, 0], [0, 2, 5])


def test_the_factor_agrees_with_paper():
    """q₁ = (1, 1, 0), r = 4/2 = 2, q₂ = (3, 1, 2) − 2 q₁ = (1, −1, 2); then 1/2 and 11/6."""
    f = gram_schmidt.factor(RATIONAL, A)
    assert f.upper == integers([1, 2, Fraction(1, 2)], [0, 1, Fraction(11, 6)], [0, 0, 1])
    assert f.orthogonal.T[:2] == ((1, 1, 0), (1, -1, 2)) and f.squares[:2] == (2, 6)


@given(any_square, st.integers(1, 4))
def test_columns_are_orthogonal_exactly(B, m):
    """QᵀQ is diagonal and A = Q R, exactly, for matrices of any shape and rank."""
    B = Matrix(B[:m])
    f = gram_schmidt.factor(RATIONAL, B)
    assert f.orthogonal @ f.upper == B
    assert f.orthogonal.T @ f.orthogonal == Matrix.diagonal_of(f.squares)


@given(any_square, st.integers(1, 4))
def test_the_rank_is_that_of_elimination(B, m):
    """As many columns are other than zero as the rank, and the null space is all there is."""
    B = Matrix(B[:m])
    f = gram_schmidt.factor(RATIONAL, B)
    assert f.rank == fraction_free.rank(B) == len(B[0]) - len(f.null_space)
    assert not any(any(B @ v) for v in f.null_space)


@pytest.mark.parametrize("F", EXACT, ids=lambda F: F.name)
@pytest.mark.parametrize(("m", "n"), [(1, 1), (3, 1), (3, 2), (5, 3), (10, 5)])
def test_the_residual_is_orthogonal_to_the_columns(F, m, n):
    """Least squares: Aᵀ(A x − b) = 0 exactly  [OPT-LS.P1]."""
    B, b = lifted(F, drawn(m, n)), lifted(F, vector(m))
    x = gram_schmidt.factor(F, B).solve(b)
    assert not any(v != 0 for v in B.T @ (B @ x - b))


@pytest.mark.parametrize("F", FIELDS, ids=lambda F: F.name)
def test_dependent_columns_are_refused_with_a_null_vector(F):
    """Least squares with dependent columns is not unique: the witness v ≠ 0 has A v = 0 up to roundoff."""
    B = lifted(F, of_rank(5, 3, 2) * Fraction(1, 3))
    for question in (lambda f: f.solve(lifted(F, vector(5))), lambda f: f.normalised(F)):
        with pytest.raises(NoAnswer, match="gram_schmidt: need independent columns; got rank 2") as refusal:
            question(gram_schmidt.factor(F, B))
        v = refusal.value.witness["null_vector"]
        assert v[2] == 1 and (B @ v).largest() <= 100 * F.eps


@pytest.mark.parametrize("F", ROUNDED, ids=lambda F: F.name)
def test_columns_stay_orthogonal_however_near_to_dependence(F):
    """The columns of the Hilbert matrix of order 8, of condition 10¹⁰, are orthogonal to the last digit."""
    Q, R = gram_schmidt.factor(F, lifted(F, hilbert(8))).normalised(F)
    assert residual.orthonormality(Q) <= 30
    assert residual.equality(Q @ R, lifted(F, hilbert(8)), 8) <= 30


def test_the_lengths_are_roots():
    """Columns of length one need roots: 5 for (3, 4), none among fractions for (1, 1)."""
    Q, R = gram_schmidt.factor(RATIONAL, integers([3], [4])).normalised(RATIONAL)
    assert integers([Fraction(3, 5)], [Fraction(4, 5)]) == Q and integers([5]) == R
    with pytest.raises(NotExact):
        gram_schmidt.factor(RATIONAL, A).normalised(RATIONAL)


def test_a_right_side_of_another_length_is_refused():
    """The right side has as many rows as the matrix."""
    with pytest.raises(InvalidInput, match="gram_schmidt: need a right side of 3 rows; got 2"):
        gram_schmidt.factor(RATIONAL, A).solve(vector(2))


@pytest.mark.parametrize("unit", [Fraction(1, 10**12), Fraction(10**12)])
def test_the_unit_of_a_column_does_not_matter(unit):
    """A column is dependent or not relative to its own size: its unit changes no verdict."""
    D = Matrix.diagonal_of([Fraction(1), unit, Fraction(1)])
    assert gram_schmidt.factor(BINARY64, lifted(BINARY64, A @ D)).rank == 3
    assert gram_schmidt.factor(BINARY64, lifted(BINARY64, of_rank(5, 3, 2) @ D)).rank == 2


@pytest.mark.parametrize(("m", "n"), [(1, 1), (3, 2), (5, 5), (10, 3)])
def test_gram_schmidt_costs_what_it_says(m, n):
    """On exact numbers: mn² multiplications, mn² − n(n + 1)/2 additions and n(n − 1)/2 divisions."""
    B = lifted(COUNTED, drawn(m, n))
    with counting() as c:
        gram_schmidt.factor(COUNTED, B)
    assert (c.multiply, c.add, c.divide) == (m * n * n, m * n * n - n * (n + 1) // 2, n * (n - 1) // 2)


def test_a_zero_column_depends_on_nothing_before_it():
    """A zero column leaves a zero column, and the rank does not count it."""
    f = gram_schmidt.factor(BINARY64, Matrix([[0.0, 1.0], [0.0, 2.0]]))
    assert f.rank == 1 and f.null_space == (Vector([1.0, 0.0]),)


@pytest.mark.parametrize("scale", [1e-200, 1e200])
def test_squares_beyond_the_range_of_doubles_are_refused(scale):
    """A column whose squared length is no double is refused, never called dependent or infinitely long."""
    with pytest.raises(InvalidInput, match="gram_schmidt: need columns whose squared length is within the range"):
        gram_schmidt.factor(BINARY64, Matrix([[1.0, scale], [1.0, -scale]]))
