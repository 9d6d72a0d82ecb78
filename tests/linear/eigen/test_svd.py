"""The singular value decomposition."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from refclass.errors import InvalidInput
from refclass.linear import canon, residual
from refclass.linear.eigen import one_sided_jacobi, svd
from refclass.linear.exact import fraction_free
from refclass.linear.factorisations import elimination
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector
from refclass.number.binary64 import BINARY64
from refclass.number.decimals import decimal
from refclass.number.rational import RATIONAL
from refclass.number.tolerance import near
from tests.linear.matrices import ROUNDED, any_square, drawn, hilbert, integers, lifted, of_rank, vector

SHAPES = [(1, 1), (3, 1), (1, 3), (2, 2), (5, 3), (3, 5), (5, 5), (10, 5), (5, 10), (10, 10)]


def test_a_rational_case_agrees_with_paper():
    """(3, 4)ᵀ has the value 5 and the direction (3, 4)/5; the row (3, 4) the same on the other side."""
    f = svd.factor(RATIONAL, integers([3], [4]))
    assert (f.values, f.left, f.right) == ((5,), integers([3], [4]) / 5, ((1,),))
    g = svd.factor(RATIONAL, integers([3, 4]))
    assert (g.values, g.left, g.right) == ((5,), ((1,),), integers([3], [4]) / 5)


@pytest.mark.parametrize("F", ROUNDED, ids=lambda F: F.name)
@pytest.mark.parametrize(("m", "n"), SHAPES)
def test_the_decomposition_multiplies_back(F, m, n):
    """A = U diag(σ) Vᵀ with orthonormal U and V up to roundoff, σ descending, for matrices of any shape."""
    A = lifted(F, drawn(m, n))
    f = svd.factor(F, A)
    assert max(svd.certify(A, f).values()) <= 30
    assert list(f.values) == sorted(f.values, reverse=True) and f.values[-1] > 0 and f.rank == min(m, n)


@given(any_square, st.integers(1, 4))
def test_singular_matrices_are_no_exception(B, m):
    """Matrices of every rank and shape, zero columns included: the claims hold, and the rank is the exact one."""
    B = Matrix(B[:m])
    A = lifted(BINARY64, B)
    f = svd.factor(BINARY64, A)
    assert max(svd.certify(A, f).values()) <= 30 and f.rank == fraction_free.rank(B)


@pytest.mark.parametrize("F", ROUNDED, ids=lambda F: F.name)
@pytest.mark.parametrize(("m", "n"), SHAPES)
def test_singular_values_are_roots_of_eigenvalues(F, m, n):
    """σ² are the largest eigenvalues of AᵀA."""
    A = lifted(F, drawn(m, n))
    values = one_sided_jacobi.factor(F, A.T @ A).eigenvalues
    assert all(near(F, s * s, d, scale=values[0], steps=m * n) for s, d in zip(svd.factor(F, A).values, values))


@pytest.mark.parametrize("F", ROUNDED, ids=lambda F: F.name)
@pytest.mark.parametrize(("m", "n"), SHAPES)
def test_transposing_exchanges_left_and_right(F, m, n):
    """The decomposition of Aᵀ is that of A with U and V exchanged, up to sign."""
    A = lifted(F, drawn(m, n))
    f, g = svd.factor(F, A), svd.factor(F, A.T)
    assert all(near(F, s, t, scale=f.values[0], steps=m * n) for s, t in zip(f.values, g.values))
    assert residual.equality(canon.signs(g.right), canon.signs(f.left), 100) <= 30


@pytest.mark.parametrize("F", ROUNDED, ids=lambda F: F.name)
@pytest.mark.parametrize(("m", "n", "r"), [(3, 3, 1), (5, 3, 2), (3, 5, 2), (10, 5, 3), (10, 10, 4)])
def test_the_pseudo_inverse_gives_the_shortest_solution(F, m, n, r):
    """U and V give the shortest least squares solution: AᵀA x = Aᵀb with no share in the null space, in fractions."""
    exact, A, b = of_rank(m, n, r) / 7, lifted(F, of_rank(m, n, r) / 7), lifted(F, vector(m))
    f = svd.factor(F, A)
    # With N for a basis of the null space, AᵀA + NNᵀ is regular, and x = (AᵀA + NNᵀ)⁻¹ Aᵀb has Nᵀx = 0.
    N = Matrix.of(elimination.null_space(RATIONAL, exact))
    x, y = f.solve(b), lifted(F, elimination.solve(exact.T @ exact + N.T @ N, exact.T @ vector(m)))
    condition = f.values[0] / f.values[r - 1]
    assert f.rank == r
    assert (x - y).largest() <= 30 * max(m, n) * F.eps * condition * (
        condition * b.largest() / f.values[0] + x.largest()
    )


@pytest.mark.parametrize("F", ROUNDED, ids=lambda F: F.name)
def test_of_zeros_everything_is_zero(F):
    """The zero matrix has the values 0, the rank 0, the solution 0, and unit vectors on both sides."""
    f = svd.factor(F, Matrix.zeros(3, 2, F.kind))
    assert (f.values, f.rank, f.solve(lifted(F, vector(3)))) == ((0, 0), 0, (0, 0))
    assert (f.left, f.right) == (Matrix.identity(3, F.kind).block(range(3), range(2)), Matrix.identity(2, F.kind))


@pytest.mark.parametrize("step", [3, 9])
def test_columns_of_graded_lengths_keep_small_values(step):
    """For a good matrix times diag(1, 10⁻ˢ, …) every singular value is right to roundoff of itself."""
    good = 20 * Matrix.identity(5, Fraction) + drawn(5, 5)
    D = Matrix.diagonal_of([Fraction(1, 10 ** (step * i)) for i in range(5)])
    F, fine = BINARY64, decimal(60)
    A = lifted(F, good @ D)
    got, want = svd.factor(F, A).values, svd.factor(fine, Matrix([fine.lift_all(row) for row in A])).values
    assert all(near(F, s, F.lift(t), steps=25) for s, t in zip(got, want))


@pytest.mark.parametrize("scale", [Fraction(1, 10**280), Fraction(10**280)])
def test_squares_do_not_leave_the_range_of_doubles(scale):
    """Entries whose squares are no doubles any more are decomposed as well as others."""
    A = lifted(BINARY64, drawn(5, 3) * scale)
    f = svd.factor(BINARY64, A)
    assert max(svd.certify(A, f).values()) <= 30 and f.rank == 3


def test_the_hilbert_matrix_keeps_its_rank():
    """The Hilbert matrix of order 8 has rank 8 in doubles; of order 14 it is singular up to roundoff."""
    assert svd.factor(BINARY64, lifted(BINARY64, hilbert(8))).rank == 8
    assert svd.factor(BINARY64, lifted(BINARY64, hilbert(14))).rank < 14


def test_dependent_columns_that_cancel_leave_a_direction():
    """Two equal columns in the plane: the second left vector is completed to a basis."""
    f = svd.factor(BINARY64, Matrix([[1.0, 1.0], [0.0, 0.0]]))
    assert f.rank == 1 and f.values[1] == 0
    assert max(svd.certify(Matrix([[1.0, 1.0], [0.0, 0.0]]), f).values()) <= 30


@pytest.mark.parametrize(("m", "n"), SHAPES)
def test_signs_are_canonical(m, n):
    """The first entry of largest modulus of every right vector is positive."""
    V = svd.factor(BINARY64, lifted(BINARY64, drawn(m, n))).right
    assert canon.signs(V) == V


def test_a_right_side_of_another_length_is_refused():
    """The right side has as many rows as the matrix."""
    with pytest.raises(InvalidInput, match="svd: need a right side of 3 rows; got 2"):
        svd.factor(BINARY64, lifted(BINARY64, drawn(3, 2))).solve(Vector([1.0, 2.0]))
