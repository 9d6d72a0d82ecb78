"""Pᵀ A P = L D Lᵀ of symmetric matrices of every inertia."""

import math
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from refclass.errors import InvalidInput, NoAnswer
from refclass.linear.exact import fraction_free
from refclass.linear.factorisations import ldl
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector
from refclass.number.binary64 import BINARY64
from refclass.number.decimals import decimal
from refclass.number.rational import RATIONAL
from tests.linear.matrices import (
    EXACT,
    FIELDS,
    ROUNDED,
    SIZES,
    any_square,
    any_symmetric,
    definite,
    drawn,
    exact,
    hilbert,
    integers,
    lifted,
    of_rank,
    vector,
    wilkinson,
)
from tests.numbers import COUNTED, counting


def test_the_factor_agrees_with_paper():
    """The largest diagonal entry 5 comes first; the Schur complement of the rest is 4 − 4/5, 1 − 2/5, 2 − 1/5."""
    f = ldl.factor(integers([2, 1, 1], [1, 4, 2], [1, 2, 5]))
    assert f.order == (2, 1, 0)
    assert f.blocks == ((5,), (Fraction(16, 5),), (Fraction(27, 16),))
    assert f.lower == integers([1, 0, 0], [Fraction(2, 5), 1, 0], [Fraction(1, 5), Fraction(3, 16), 1])


def test_two_zeros_on_the_diagonal_make_a_block():
    """| 0 1 | has no 1 × 1 pivot: D is the matrix itself, its inertia (1, 1, 0), its determinant −1.
       | 1 0 |
    """  # fmt: skip
    f = ldl.factor(integers([0, 1], [1, 0]))
    assert f.blocks == ((0, 1, 0),) and f.diagonal == integers([0, 1], [1, 0])
    assert f.inertia == (1, 1, 0) and f.determinant == -1


@pytest.mark.parametrize("size", [1e-300, 1e-170, 1.0, 1e170, 1e300])
def test_a_block_whose_determinant_no_double_holds_is_divided_by(size):
    """| 0 b |, b² beyond the range: the solution of (b, 2b) is (2, 1), and of three rows the last pivot is right.
       | b 0 |
    """  # fmt: skip
    f = ldl.factor(Matrix([[0.0, size], [size, 0.0]]))
    assert f.solve(Vector([size, 2 * size])) == Vector([2.0, 1.0])
    f = ldl.factor(Matrix([[0.0, size, size / 2], [size, 0.0, size / 2], [size / 2, size / 2, 0.0]]))
    assert f.blocks[1] == (-size / 2,) and f.inertia == (1, 2, 0)


@given(any_symmetric)
def test_the_determinant_is_that_of_elimination(A):
    """det A = det D."""
    assert ldl.factor(A).determinant == fraction_free.determinant(A)


@given(any_symmetric)
def test_zeros_of_the_inertia_are_the_nullity(A):
    """The zeros of the inertia are the dimension of the null space, and a basis of it is at hand."""
    f = ldl.factor(A)
    assert f.inertia[2] == len(f.null_space) == len(A) - fraction_free.rank(A)
    assert not any(any(A @ v) for v in f.null_space)
    assert not f.null_space or fraction_free.rank(Matrix(f.null_space)) == len(f.null_space)


@given(any_symmetric, st.integers(0, 5))
def test_congruence_keeps_the_inertia(A, seed):
    """Sylvester's law: CᵀAC has the inertia of A for every regular C."""
    C = drawn(len(A), len(A), seed) + Matrix.identity(len(A), Fraction) * 40
    assert ldl.factor(C.T @ A @ C).inertia == ldl.factor(A).inertia


@given(any_symmetric)
def test_a_negative_direction_exists_where_an_eigenvalue_is_negative(A):
    """The inertia counts a negative eigenvalue exactly if there is a witness v with vᵀAv < 0."""
    f = ldl.factor(A)
    v = f.negative_direction
    assert (v is None) == (f.inertia[1] == 0)
    assert v is None or v @ (A @ v) < 0


@given(any_square)
def test_a_semidefinite_matrix_has_blocks_of_one(B):
    """The largest entry of a semidefinite matrix lies on its diagonal: all blocks are 1 × 1 and none is negative."""
    f = ldl.factor(B @ B.T)
    assert all(len(block) == 1 and block[0] >= 0 for block in f.blocks) and f.negative_direction is None


@given(any_symmetric)
def test_multipliers_are_bounded(A):
    """The pivoting keeps |lᵢⱼ| ≤ 25/9, so that entries of the Schur complements grow by a bounded factor only."""
    assert ldl.factor(A).lower.largest() <= Fraction(25, 9)


@given(any_symmetric)
def test_turning_the_sign_turns_the_inertia(A):
    """−A has as many negative eigenvalues as A has positive ones."""
    positive, negative, zero = ldl.factor(A).inertia
    assert ldl.factor(-A).inertia == (negative, positive, zero)


@pytest.mark.parametrize("F", ROUNDED, ids=lambda F: F.name)
@pytest.mark.parametrize(("n", "r"), [(2, 1), (5, 2), (10, 3), (10, 9)])
def test_the_inertia_survives_rounding(F, n, r):
    """B Bᵀ of rank r, rounded, has inertia (r, 0, n − r) up to roundoff, −B Bᵀ the reverse."""
    B = lifted(F, of_rank(n, n, r) * Fraction(1, 7))
    assert ldl.inertia(F, B @ B.T) == (r, 0, n - r)
    assert ldl.inertia(F, -(B @ B.T)) == (0, r, n - r)


@pytest.mark.parametrize("F", FIELDS, ids=lambda F: F.name)
def test_the_inertia_of_an_indefinite_matrix_counts_both_signs(F):
    """W⁺ of order 21 less 5 I has 11 positive and 10 negative eigenvalues, in any arithmetic."""
    A = lifted(F, wilkinson() - 5 * Matrix.identity(21, Fraction))
    p, q, zero = ldl.inertia(RATIONAL, exact(A))
    assert ldl.inertia(F, A) == (p, q, zero) and p + q == 21


def test_the_zero_matrix_has_only_zeros():
    """Of zeros the inertia is (0, 0, n), in exact and in rounded numbers."""
    assert ldl.inertia(RATIONAL, Matrix.zeros(3, 3, Fraction)) == (0, 0, 3)
    assert ldl.inertia(BINARY64, Matrix.zeros(3, 3, float)) == (0, 0, 3)


def test_the_hilbert_matrix_is_definite_in_doubles():
    """The Hilbert matrix of order 8 is found positive definite in doubles, though of condition 10¹⁰."""
    assert ldl.inertia(BINARY64, lifted(BINARY64, hilbert(8))) == (8, 0, 0)


@pytest.mark.parametrize("F", EXACT, ids=lambda F: F.name)
@pytest.mark.parametrize("n", [1, 2, 3, 5, 10])
def test_a_singular_matrix_is_refused_with_a_null_vector(F, n):
    """A singular matrix has no unique solution: the witness v ≠ 0 has A v = 0."""
    B = of_rank(n, n, n - 1) if n > 1 else Matrix([[Fraction(0)]])
    A = lifted(F, B @ B.T)
    with pytest.raises(NoAnswer, match="ldl: need a matrix that is not singular; got a pivot that is zero") as refusal:
        ldl.solve(A, lifted(F, vector(n)))
    v = refusal.value.witness["null_vector"]
    assert any(x != 0 for x in v) and not any(x != 0 for x in A @ v)


def test_an_asymmetric_matrix_is_refused_with_its_place():
    """The first entry that differs from its mirror image is named."""
    with pytest.raises(InvalidInput, match=r"need a symmetric matrix; got 2 and 3 \(row=0, column=1\)"):
        ldl.factor(integers([1, 2], [3, 4]))


def test_a_right_side_that_does_not_fit_is_refused():
    """A right side of another length or kind is refused."""
    f = ldl.factor(definite(3))
    for b in (vector(2), Vector([1.0] * 3)):
        with pytest.raises(InvalidInput, match="ldl: need a right side of 3 Fraction"):
            f.solve(b)


@pytest.mark.parametrize("n", SIZES)
def test_the_factor_of_a_definite_matrix_costs_what_it_says(n):
    """n(n² − 1)/6 multiplications and additions, n(n − 1)/2 divisions, and 2(n − 1) multiplications to compare."""
    A = lifted(COUNTED, definite(n))
    with counting() as c:
        ldl.factor(A)
    each = n * (n * n - 1) // 6
    assert (c.multiply - 2 * (n - 1), c.add, c.divide) == (each, each, n * (n - 1) // 2)


@pytest.mark.parametrize("n", SIZES)
def test_a_solution_costs_what_it_says(n):
    """With 1 × 1 blocks a solution takes n(n − 1) multiplications and additions and 3n divisions."""
    f, b = ldl.factor(lifted(COUNTED, definite(n))), lifted(COUNTED, vector(n))
    with counting() as c:
        f.solve(b)
    assert (c.multiply, c.add, c.divide) == (n * (n - 1), n * (n - 1), 3 * n)


@given(any_symmetric)
def test_decimals_count_the_same_inertia(A):
    """A matrix of small numbers, singular or not, has the same inertia in fractions and in decimals."""
    F = decimal(40)
    assert ldl.inertia(F, lifted(F, A)) == ldl.inertia(RATIONAL, A)


@pytest.mark.parametrize("value", [math.inf, math.nan])
def test_entries_that_are_not_finite_are_refused(value):
    """No pivot can be chosen among them; the first is named."""
    with pytest.raises(InvalidInput, match="ldl: need entries within the range of doubles") as refused:
        ldl.factor(Matrix([[2.0, 1.0, value], [1.0, 1.0, value], [value, value, value]]))
    assert (refused.value.witness["row"], refused.value.witness["column"]) == (0, 2)
