"""Eigenvalues and eigenvectors of symmetric matrices."""

from fractions import Fraction

import pytest
from hypothesis import given

from refclass.errors import InvalidInput, NotExact
from refclass.linear import canon, residual
from refclass.linear.eigen import one_sided_jacobi
from refclass.linear.factorisations import ldl
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector
from refclass.number.binary64 import BINARY64
from refclass.number.decimals import decimal
from refclass.number.rational import RATIONAL
from refclass.number.tolerance import near
from tests.linear.matrices import (
    EXACT,
    ROUNDED,
    SIZES,
    any_symmetric,
    definite,
    drawn,
    exact,
    hilbert,
    integers,
    lifted,
    proven_by_inertia,
    semidefinite,
    symmetric,
    wilkinson,
)

FINE = decimal(50)


@pytest.mark.parametrize("F", ROUNDED, ids=lambda F: F.name)
def test_three_by_three_agrees_with_paper(F):
    """2 on the diagonal and −1 beside it has the eigenvalues 2 ± √2 and 2  [OPT-EIG.P2]."""
    values = one_sided_jacobi.factor(F, lifted(F, integers([2, -1, 0], [-1, 2, -1], [0, -1, 2]))).eigenvalues
    root = F.sqrt(F.lift(2))
    assert all(near(F, got, want) for got, want in zip(values, (2 + root, F.lift(2), 2 - root)))


@pytest.mark.parametrize("F", EXACT, ids=lambda F: F.name)
def test_two_by_two_is_exact_where_roots_are_rational(F):
    """| 0 12 | has the eigenvalues 16 and −9 with the vectors (3, 4)/5 and (4, −3)/5  [OPT-EIG.P2].
       | 12 7 |
    """  # fmt: skip
    f = one_sided_jacobi.factor(F, lifted(F, integers([0, 12], [12, 7])))
    assert f.eigenvalues == (16, -9) and f.rank == 2
    assert exact(f.eigenvectors) == integers([3, 4], [4, -3]) / 5


def test_an_irrational_eigenvector_is_not_exact():
    """Where a root is irrational, exact numbers refuse it by name."""
    with pytest.raises(NotExact):
        one_sided_jacobi.factor(RATIONAL, integers([1, 1], [1, 2]))


@pytest.mark.parametrize("F", [*EXACT, *ROUNDED], ids=lambda F: F.name)
def test_a_diagonal_matrix_is_its_own_answer(F):
    """The eigenvalues of a diagonal matrix are its entries, exactly, in any arithmetic; its vectors, unit vectors."""
    f = one_sided_jacobi.factor(F, lifted(F, integers([3, 0, 0, 0], [0, -1, 0, 0], [0, 0, 3, 0], [0, 0, 0, 0])))
    assert f.eigenvalues == (3, 3, 0, -1) and f.rank == 3
    assert exact(f.eigenvectors) == integers([1, 0, 0, 0], [0, 0, 0, 1], [0, 1, 0, 0], [0, 0, 1, 0])


@pytest.mark.parametrize("F", [*EXACT, *ROUNDED], ids=lambda F: F.name)
@pytest.mark.parametrize("value", [7, 0, -7])
def test_one_by_one_is_its_own_answer(F, value):
    """The eigenvalue of a number is that number."""
    f = one_sided_jacobi.factor(F, lifted(F, integers([value])))
    assert (f.eigenvalues, f.eigenvectors, f.rank) == ((value,), ((1,),), int(value != 0))


@pytest.mark.parametrize("F", ROUNDED, ids=lambda F: F.name)
@pytest.mark.parametrize("n", [1, 2, 3, 5])
@pytest.mark.parametrize("make", [symmetric, definite])
def test_eigenvalues_are_proven_by_inertia(F, n, make):
    """A − (λᵢ ± roundoff) I, exactly, has i or fewer and more than i positive eigenvalues: Sylvester's law."""
    A = lifted(F, make(n))
    f = one_sided_jacobi.factor(F, A)
    proven_by_inertia(F, A, f.eigenvalues)
    assert f.rank == n


@given(any_symmetric)
def test_singular_and_indefinite_matrices_are_no_exception(A):
    """A V = V diag(λ) and VᵀV = I hold up to roundoff, and the rank is the exact one  [OPT-EIG.P1]."""
    B = lifted(BINARY64, A)
    f = one_sided_jacobi.factor(BINARY64, B)
    assert max(one_sided_jacobi.certify(B, f).values()) <= 30
    assert f.rank == len(A) - ldl.factor(A).inertia[2]
    assert list(f.eigenvalues) == sorted(f.eigenvalues, reverse=True)


@pytest.mark.parametrize("F", ROUNDED, ids=lambda F: F.name)
@pytest.mark.parametrize(("n", "r"), [(3, 1), (3, 2), (5, 2), (10, 3), (10, 9)])
def test_zero_eigenvalues_are_zero_up_to_roundoff(F, n, r):
    """A semidefinite matrix of rank r has n − r eigenvalues that are roundoff, and the rank says so."""
    A = lifted(F, semidefinite(n, r))
    f = one_sided_jacobi.factor(F, A)
    assert f.rank == r and max(one_sided_jacobi.certify(A, f).values()) <= 30
    assert all(abs(d) <= 30 * n * F.eps * f.eigenvalues[0] for d in f.eigenvalues[r:])


@pytest.mark.parametrize("F", ROUNDED, ids=lambda F: F.name)
def test_the_zero_matrix_has_zero_eigenvalues(F):
    """Of zeros all eigenvalues are zero, the rank is zero and the vectors are unit vectors."""
    f = one_sided_jacobi.factor(F, Matrix.zeros(3, 3, F.kind))
    assert (f.eigenvalues, f.eigenvectors, f.rank) == ((0, 0, 0), Matrix.identity(3, F.kind), 0)


@pytest.mark.parametrize("F", ROUNDED, ids=lambda F: F.name)
def test_a_repeated_eigenvalue_has_a_space(F):
    """4 on the diagonal and 1 elsewhere: 9 once, 3 five times, and the projector on the five is I − ones/6."""
    A = lifted(F, 3 * Matrix.identity(6, Fraction) + Matrix([[Fraction(1)] * 6] * 6))
    f = one_sided_jacobi.factor(F, A)
    assert canon.groups(F, f.eigenvalues) == [(0,), (1, 2, 3, 4, 5)]
    want = lifted(F, Matrix.identity(6, Fraction) - Matrix([[Fraction(1, 6)] * 6] * 6))
    V = f.eigenvectors.block(range(6), range(1, 6))
    assert residual.equality(V @ V.T, want, 6) <= 30


@pytest.mark.parametrize("F", ROUNDED, ids=lambda F: F.name)
def test_the_hilbert_matrix_keeps_its_smallest_eigenvalue(F):
    """The smallest eigenvalue of the Hilbert matrix of order 8, 10⁻¹⁰, is right to roundoff of the largest."""
    A = lifted(F, hilbert(8))
    f = one_sided_jacobi.factor(F, A)
    proven_by_inertia(F, A, f.eigenvalues, [0, 7])
    want = F.lift(Fraction("1.11153896637244242706826906037e-10"))
    assert f.rank == 8 and near(F, f.eigenvalues[7], want, scale=f.eigenvalues[0])


@pytest.mark.parametrize("F", ROUNDED, ids=lambda F: F.name)
def test_wilkinsons_close_pairs_are_distinguished(F):
    """W⁺ of order 21: the two largest eigenvalues agree to 10⁻¹³, and each is proven by inertia all the same."""
    A = lifted(F, wilkinson())
    f = one_sided_jacobi.factor(F, A)
    proven_by_inertia(F, A, f.eigenvalues, [0, 1, 20])
    assert abs(f.eigenvalues[0] - f.eigenvalues[1]) < F.lift(Fraction(1, 10**12))
    assert near(F, f.eigenvalues[0], F.lift(Fraction("10.746194182903393")), steps=1 if F is BINARY64 else 10**14)
    assert max(one_sided_jacobi.certify(A, f).values()) <= 30


@pytest.mark.parametrize("step", [2, 4, 8])
def test_a_graded_matrix_keeps_small_eigenvalues(step):
    """D M D with D = diag(1, 10⁻ˢ, 10⁻²ˢ, …): each eigenvalue is right to roundoff of itself, down to 10⁻⁶⁴."""
    n, M = 5, 20 * Matrix.identity(5, Fraction) + symmetric(5) / 4
    D = Matrix.diagonal_of([Fraction(1, 10 ** (step * i)) for i in range(n)])
    A = lifted(BINARY64, D @ M @ D)
    got, want = (
        one_sided_jacobi.factor(BINARY64, A).eigenvalues,
        one_sided_jacobi.factor(FINE, lifted(FINE, exact(A))).eigenvalues,
    )
    assert all(near(BINARY64, d, BINARY64.lift(e), steps=n * n) for d, e in zip(got, want))


@pytest.mark.parametrize("F", ROUNDED, ids=lambda F: F.name)
def test_an_indefinite_graded_matrix_is_right_to_roundoff_of_the_largest(F):
    """For an indefinite matrix small eigenvalues are right to roundoff of the largest, which is what is declared."""
    small, tiny = Fraction(1, 10**3), Fraction(1, 10**6)
    A = lifted(F, integers([1, small, 0], [small, -1, tiny], [0, tiny, 0]))
    proven_by_inertia(F, A, one_sided_jacobi.factor(F, A).eigenvalues)


@pytest.mark.parametrize("scale", [Fraction(1, 10**280), Fraction(10**280)])
@pytest.mark.parametrize("make", [symmetric, definite])
def test_squares_do_not_leave_the_range_of_doubles(scale, make):
    """Entries whose squares are no doubles any more are decomposed as well as others."""
    A = lifted(BINARY64, make(5) * scale)
    f = one_sided_jacobi.factor(BINARY64, A)
    assert max(one_sided_jacobi.certify(A, f).values()) <= 30 and f.rank == 5


@pytest.mark.parametrize("F", ROUNDED, ids=lambda F: F.name)
def test_parts_that_are_not_connected_do_not_mix(F):
    """A block of small numbers beside one of large numbers keeps its digits: the parts are decomposed on their own."""
    A = integers([1, 1, 0, 0], [1, -3, 0, 0], [0, 0, 0, 12], [0, 0, 12, 7])
    D = Matrix.diagonal_of([Fraction(1), Fraction(1), Fraction(1, 10**20), Fraction(1, 10**20)])
    f = one_sided_jacobi.factor(F, lifted(F, D @ A @ D))
    assert near(F, f.eigenvalues[1], F.lift(Fraction(16, 10**40)))
    assert near(F, f.eigenvalues[2], F.lift(Fraction(-9, 10**40)))


@pytest.mark.parametrize("F", ROUNDED, ids=lambda F: F.name)
def test_adding_a_multiple_of_the_identity_shifts_the_eigenvalues(F):
    """The eigenvalues of A + c I are those of A plus c."""
    A = lifted(F, symmetric(5))
    values, shifted = (one_sided_jacobi.factor(F, A + c * Matrix.identity(5, F.kind)).eigenvalues for c in (0, 100))
    assert all(near(F, e, d + 100, steps=25) for d, e in zip(values, shifted))


@pytest.mark.parametrize("F", ROUNDED, ids=lambda F: F.name)
def test_permuting_variables_permutes_the_vectors(F):
    """P A Pᵀ has the eigenvalues of A, and its vectors are permuted alike, up to roundoff and sign."""
    A, order = lifted(F, symmetric(5)), [3, 0, 4, 1, 2]
    f, g = one_sided_jacobi.factor(F, A), one_sided_jacobi.factor(F, A.block(order, order))
    assert all(near(F, d, e, scale=A.largest(), steps=25) for d, e in zip(f.eigenvalues, g.eigenvalues))
    permuted = canon.signs(f.eigenvectors.block(order, range(5)))
    assert residual.equality(g.eigenvectors, permuted, 100) <= 30


@pytest.mark.parametrize("F", ROUNDED, ids=lambda F: F.name)
@pytest.mark.parametrize("n", SIZES)
def test_signs_are_canonical(F, n):
    """The first entry of largest modulus of every eigenvector is positive."""
    V = one_sided_jacobi.factor(F, lifted(F, symmetric(n))).eigenvectors
    assert canon.signs(V) == V


def test_an_asymmetric_matrix_is_refused_with_its_place():
    """The first entry that differs from its mirror image is named."""
    with pytest.raises(InvalidInput, match=r"need a symmetric matrix; got 2.0 and 3.0 \(row=0, column=1\)"):
        one_sided_jacobi.factor(BINARY64, Matrix([[1.0, 2.0], [3.0, 4.0]]))


def test_forty_digits_are_forty_digits():
    """In decimals of 40 digits the eigenvalues agree with those of 60 digits in more than 37."""
    coarse, fine = decimal(40), decimal(60)
    A = drawn(5, 5) @ drawn(5, 5).T
    got = exact(one_sided_jacobi.factor(coarse, lifted(coarse, A)).eigenvalues)
    want = exact(one_sided_jacobi.factor(fine, lifted(fine, A)).eigenvalues)
    assert all(abs(d - e) <= want[0] / 10**38 for d, e in zip(got, want))


def test_the_answer_is_made_of_the_kind_at_hand():
    """Eigenvalues and eigenvectors are numbers of the field."""
    f = one_sided_jacobi.factor(FINE, lifted(FINE, symmetric(3)))
    assert f.eigenvalues.kind is FINE.kind is f.eigenvectors.kind and isinstance(f.eigenvalues, Vector)
