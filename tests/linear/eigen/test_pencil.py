"""The symmetric-definite eigenproblem B v = λ W v."""

from fractions import Fraction

import pytest

from refclass.errors import InvalidInput, NoAnswer
from refclass.linear import canon, residual
from refclass.linear.eigen import one_sided_jacobi, pencil
from refclass.linear.factorisations import ldl
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector
from refclass.number.binary64 import BINARY64
from refclass.number.rational import RATIONAL
from refclass.number.tolerance import near
from tests.linear.matrices import (
    ROUNDED,
    SIZES,
    definite,
    drawn,
    exact,
    integers,
    lifted,
    semidefinite,
    symmetric,
)


def test_diagonal_matrices_agree_with_paper():
    """diag(9, 8) against diag(1, 4) has λ = 9/1 and 8/4 with v = (1, 0) and (0, 1/2), exactly  [OPT-EIG.P1]."""
    f = pencil.factor(RATIONAL, integers([9, 0], [0, 8]), integers([1, 0], [0, 4]))
    assert f.eigenvalues == (9, 2) and f.vectors == integers([1, 0], [0, Fraction(1, 2)])


@pytest.mark.parametrize("F", ROUNDED, ids=lambda F: F.name)
@pytest.mark.parametrize("n", SIZES)
@pytest.mark.parametrize("make", [symmetric, definite])
def test_the_pencil_multiplies_back(F, n, make):
    """B V = W V diag(λ) and VᵀWV = I up to roundoff, λ descending  [OPT-EIG.P1] [ESL-4.16] [ESL-4.3.3-rayleigh]."""
    B, W = lifted(F, make(n)), lifted(F, definite(n, 1))
    f = pencil.factor(F, B, W)
    assert max(pencil.certify(B, W, f).values()) <= 30
    assert list(f.eigenvalues) == sorted(f.eigenvalues, reverse=True)


@pytest.mark.parametrize("F", ROUNDED, ids=lambda F: F.name)
def test_no_direction_has_a_larger_quotient(F):
    """aᵀBa / aᵀWa never exceeds the first eigenvalue, and its vector attains it  [FISHER-RQ.P1] [FISHER-RQ.P2]."""
    B, W = lifted(F, symmetric(5)), lifted(F, definite(5, 1))
    f = pencil.factor(F, B, W)
    for a in [*lifted(F, drawn(40, 5)), f.vectors.column(0)]:
        assert a @ (B @ a) <= f.eigenvalues[0] * (a @ (W @ a)) * (1 + 1000 * F.eps)
    v = f.vectors.column(0)
    assert near(F, v @ (B @ v), f.eigenvalues[0], steps=100)


@pytest.mark.parametrize("F", ROUNDED, ids=lambda F: F.name)
def test_against_the_identity_it_is_jacobi(F):
    """With W = I the pencil is the ordinary eigenproblem."""
    B = lifted(F, symmetric(5))
    f, g = pencil.factor(F, B, Matrix.identity(5, F.kind)), one_sided_jacobi.factor(F, B)
    assert f.eigenvalues == g.eigenvalues and residual.equality(f.vectors, g.eigenvectors, 5) <= 30


@pytest.mark.parametrize("F", ROUNDED, ids=lambda F: F.name)
@pytest.mark.parametrize("K", [2, 3, 4])
def test_beyond_the_rank_of_the_first_matrix_eigenvalues_are_zero(F, K):
    """For B of rank K − 1 there are K − 1 eigenvalues, the others are zero up to roundoff  [CANON-VAR.P2]."""
    B, W = lifted(F, semidefinite(10, K - 1)), lifted(F, definite(10, 1))
    values = pencil.factor(F, B, W).eigenvalues
    assert values[K - 2] > 0
    assert all(abs(d) <= 1000 * F.eps * values[0] for d in values[K - 1 :])


@pytest.mark.parametrize("F", ROUNDED, ids=lambda F: F.name)
def test_a_change_of_variables_changes_the_vectors_only(F):
    """With X → X T the eigenvalues stay and the vectors become T⁻¹V; the discriminant space stays."""
    T = integers([2, 1, 0], [0, 1, 0], [1, 0, 4])
    B, W = symmetric(3), definite(3, 1)
    f = pencil.factor(F, lifted(F, B), lifted(F, W))
    g = pencil.factor(F, lifted(F, T.T @ B @ T), lifted(F, T.T @ W @ T))
    assert all(near(F, d, e, scale=f.eigenvalues.largest(), steps=1000) for d, e in zip(f.eigenvalues, g.eigenvalues))
    assert residual.equality(canon.signs(lifted(F, T) @ g.vectors), f.vectors, 1000) <= 30


@pytest.mark.parametrize("F", ROUNDED, ids=lambda F: F.name)
def test_eigenvalues_are_proven_by_inertia(F):
    """B − (λᵢ ± roundoff) W, exactly, has i or fewer and more than i positive eigenvalues: Sylvester's law."""
    B, W = lifted(F, symmetric(5)), lifted(F, definite(5, 1))
    values = exact(pencil.factor(F, B, W).eigenvalues)
    tolerance = 1000 * Fraction(str(F.eps)) * values.largest()
    for i, d in enumerate(values):
        above = ldl.factor(exact(B) - (d + tolerance) * exact(W)).inertia[0]
        below = ldl.factor(exact(B) - (d - tolerance) * exact(W)).inertia[0]
        assert above <= i < below


@pytest.mark.parametrize("F", [RATIONAL, *ROUNDED], ids=lambda F: F.name)
def test_a_singular_second_matrix_is_refused_with_a_null_vector(F):
    """W singular is refused, with a null vector of it as witness."""
    W = lifted(F, semidefinite(5, 3))
    with pytest.raises(NoAnswer, match="pencil: need a positive definite W; got a pivot") as refusal:
        pencil.factor(F, lifted(F, symmetric(5)), W)
    v = refusal.value.witness["direction"]
    assert (W @ v).largest() <= 1000 * F.eps * W.largest() * v.largest() and any(v)


def test_what_does_not_fit_is_refused():
    """Asymmetric matrices and matrices of two orders are refused."""
    good, bad = Matrix.identity(2, float), Matrix([[1.0, 2.0], [3.0, 4.0]])
    for B, W in ((bad, good), (good, bad)):
        with pytest.raises(InvalidInput, match=r"need a symmetric matrix; got 2.0 and 3.0 \(row=0, column=1\)"):
            pencil.factor(BINARY64, B, W)
    with pytest.raises(InvalidInput, match=r"pencil: need W of shape \(2, 2\); got \(3, 3\)"):
        pencil.factor(BINARY64, good, Matrix.identity(3, float))


@pytest.mark.parametrize("F", ROUNDED, ids=lambda F: F.name)
@pytest.mark.parametrize("n", SIZES)
def test_signs_are_canonical(F, n):
    """The first entry of largest modulus of every vector is positive."""
    V = pencil.factor(F, lifted(F, symmetric(n)), lifted(F, definite(n, 1))).vectors
    assert canon.signs(V) == V and isinstance(V[0], Vector)
