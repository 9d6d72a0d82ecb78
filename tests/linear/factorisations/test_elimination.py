"""Elimination with pivoting; rank and null space."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from refclass.errors import InvalidInput, NoAnswer
from refclass.linear.exact import fraction_free
from refclass.linear.factorisations import elimination
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector
from refclass.number.binary64 import BINARY64
from refclass.number.rational import RATIONAL
from tests.linear.matrices import FIELDS, SIZES, drawn, hilbert, integers, lifted, of_rank, vector
from tests.numbers import COUNTED, counting
from tests.strategies import matrices

A = integers([0, 2, 1], [2, 4, 2], [1, 1, 5])


def test_the_factor_agrees_with_paper():
    """The rows are taken in the order 1, 0, 2 and leave the pivots 2, 2, 9/2."""
    f = elimination.factor(A)
    assert f.order == (1, 0, 2) and f.sign == -1
    assert f.lower == integers([1, 0, 0], [0, 1, 0], [Fraction(1, 2), Fraction(-1, 2), 1])
    assert f.upper == integers([2, 4, 2], [0, 2, 1], [0, 0, Fraction(9, 2)])


def test_the_determinant_agrees_with_paper():
    """Expanded along the first row: −2 (2·5 − 2·1) + 1 (2·1 − 4·1) = −18."""
    assert elimination.determinant(A) == -18


@pytest.mark.parametrize("n", SIZES)
def test_swapping_two_rows_turns_the_sign_of_the_determinant(n):
    """The determinant is alternating in the rows, and zero when two are equal."""
    B = drawn(n, n)
    d = elimination.determinant(B)
    assert elimination.determinant(B.T) == d
    if n > 1:
        rows = list(range(n))
        rows[0], rows[-1] = rows[-1], rows[0]
        assert elimination.determinant(B.block(rows, range(n))) == -d
        assert elimination.determinant(B.block([*rows[:-1], rows[0]], range(n))) == 0


@pytest.mark.parametrize("F", FIELDS, ids=lambda F: F.name)
@pytest.mark.parametrize("n", SIZES)
def test_no_multiplier_is_larger_than_one(F, n):
    """Partial pivoting keeps |lᵢⱼ| ≤ 1."""
    assert elimination.factor(lifted(F, drawn(n, n))).lower.largest() == 1


@pytest.mark.parametrize("n", SIZES)
def test_permuting_rows_permutes_the_order_only(n):
    """P A has the same L and U as A whatever P, when no two candidates for a pivot are equal."""
    B = drawn(n, n) + Matrix([[Fraction(1, 97 + 13 * i + j) for j in range(n)] for i in range(n)])
    permuted = B.block([(i + 1) % n for i in range(n)], range(n))
    f, g = elimination.factor(B), elimination.factor(permuted)
    assert (f.lower, f.upper) == (g.lower, g.upper)
    assert [(i + 1) % n for i in g.order] == list(f.order)


@pytest.mark.parametrize("n", [2, 3, 5, 10])
def test_a_singular_matrix_has_a_factor_but_no_solution(n):
    """For a singular matrix P A = L U exists, its determinant is zero, and `solve` refuses with v ≠ 0, A v = 0."""
    S = of_rank(n, n, n - 1)
    f = elimination.factor(S)
    assert elimination.certify(S, f) == {"P A = L U": 0} and f.determinant == 0
    with pytest.raises(NoAnswer, match="elimination: need a pivot other than zero; got 0") as refusal:
        f.solve(vector(n))
    v = refusal.value.witness["null_vector"]
    assert any(v) and not any(S @ v)


def test_the_zero_matrix_is_singular_at_once():
    """Of zeros every vector is a null vector; the witness is the first unit vector."""
    with pytest.raises(NoAnswer) as refusal:
        elimination.solve(Matrix.zeros(3, 3, Fraction), vector(3))
    assert refusal.value.witness == {"pivot": 0, "null_vector": (1, 0, 0)}


def test_what_is_not_square_is_refused():
    """Only square matrices are factored."""
    with pytest.raises(InvalidInput, match="need a square matrix; got 2 × 3"):
        elimination.factor(drawn(2, 3))


def test_a_right_side_of_another_length_is_refused():
    """The right side has as many rows as the matrix."""
    with pytest.raises(InvalidInput, match="elimination: need a right side of 3 rows; got 2"):
        elimination.solve(A, vector(2))


@given(matrices(4, 3))
def test_the_exact_rank_is_that_of_integer_elimination(B):
    """Two ways to eliminate agree on the rank of any matrix."""
    assert elimination.rank(RATIONAL, B) == fraction_free.rank(B) == elimination.rank(RATIONAL, B.T)


@given(matrices(3, 5))
def test_the_null_space_is_all_there_is(B):
    """n − rank vectors, each with A v = 0, and independent."""
    basis = elimination.null_space(RATIONAL, B)
    assert len(basis) == 5 - elimination.rank(RATIONAL, B)
    assert not any(any(B @ v) for v in basis)
    assert elimination.rank(RATIONAL, Matrix(basis)) == len(basis)


@pytest.mark.parametrize("F", FIELDS, ids=lambda F: F.name)
@pytest.mark.parametrize(("m", "n", "r"), [(1, 1, 1), (2, 2, 1), (5, 3, 2), (3, 5, 3), (10, 10, 4), (10, 5, 5)])
def test_the_rank_survives_rounding(F, m, n, r):
    """A product of rank r, rounded, has rank r up to roundoff, and n − r null vectors up to roundoff."""
    B = lifted(F, of_rank(m, n, r) * Fraction(1, 7))
    assert elimination.rank(F, B) == r
    basis = elimination.null_space(F, B)
    assert len(basis) == n - r
    assert all((B @ v).largest() <= 30 * n * F.eps * B.largest() * v.largest() for v in basis)


@pytest.mark.parametrize("scale", [Fraction(1, 10**200), Fraction(1), Fraction(10**200)])
def test_the_rank_does_not_depend_on_the_unit(scale):
    """The tolerance is relative to the largest entry: A and c A have one rank."""
    assert elimination.rank(BINARY64, lifted(BINARY64, of_rank(5, 5, 3) * scale)) == 3


def test_an_entry_below_roundoff_of_the_largest_counts_as_zero():
    """diag(1, 10⁻²⁰) has rank 2 on fractions and, declared, rank 1 in doubles."""
    D = integers([1, 0], [0, Fraction(1, 10**20)])
    assert elimination.rank(RATIONAL, D) == 2
    assert elimination.rank(BINARY64, lifted(BINARY64, D)) == 1


@given(st.integers(1, 6))
def test_hilbert_matrices_keep_full_rank_while_doubles_tell(n):
    """The Hilbert matrix up to order 8 is regular in doubles, though of condition 10¹⁰."""
    assert elimination.rank(BINARY64, lifted(BINARY64, hilbert(n + 2))) == n + 2


@pytest.mark.parametrize("n", SIZES)
def test_elimination_costs_what_it_says(n):
    """A factor takes n(n − 1)(2n − 1)/6 multiplications and additions and n(n − 1)/2 divisions."""
    B = lifted(COUNTED, drawn(n, n))
    with counting() as c:
        elimination.factor(B)
    each = n * (n - 1) * (2 * n - 1) // 6
    assert (c.multiply, c.add, c.divide) == (each, each, n * (n - 1) // 2)


@pytest.mark.parametrize("n", SIZES)
def test_a_solution_costs_what_it_says(n):
    """With the factor a solution takes n(n − 1) multiplications and additions and 2n divisions; a determinant n."""
    f, b = elimination.factor(lifted(COUNTED, drawn(n, n))), lifted(COUNTED, vector(n))
    with counting() as c:
        f.solve(b)
    assert (c.multiply, c.add, c.divide) == (n * (n - 1), n * (n - 1), 2 * n)
    with counting() as c:
        assert f.determinant != 0
    assert (c.multiply, c.add, c.divide) == (n, 0, 0)


def test_a_matrix_of_rounded_numbers_is_singular_only_at_an_exact_zero():
    """`factor` has no tolerance: a pivot of roundoff is a pivot, and `rank` decides."""
    B = Matrix([[0.1, 0.3], [0.2, 0.6]]) + Matrix([[0.0, 0.0], [0.0, 1e-16]])
    assert elimination.factor(B).determinant != 0 and elimination.rank(BINARY64, B) == 1
    assert isinstance(elimination.solve(B, Vector([1.0, 2.0])), Vector)
