"""The tridiagonal form of a symmetric matrix, and QR steps with implicit shifts."""

import random

import pytest

from refclass.errors import NotConverged
from refclass.linear import residual
from refclass.linear.eigen import tridiagonal_qr
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector
from refclass.number.binary64 import BINARY64
from tests.linear.matrices import ROUNDED, integers, lifted, symmetric, wilkinson


def tridiagonal(d, e, kind):
    """Return T from its diagonal and what is beside it."""
    n = len(d)
    return Matrix(
        [[d[i] if i == j else e[min(i, j)] if abs(i - j) == 1 else kind(0) for j in range(n)] for i in range(n)]
    )


@pytest.mark.parametrize("F", ROUNDED, ids=lambda F: F.name)
@pytest.mark.parametrize("n", [2, 3, 5, 8])
def test_reflections_leave_three_bands(F, n):
    """QᵀA Q = T, and Q is orthogonal."""
    A = lifted(F, symmetric(n))
    d, e, columns = tridiagonal_qr.reduced(F, A)
    Q = Matrix(columns).T
    assert residual.orthonormality(Q) <= 30
    assert residual.equality(Q @ (tridiagonal(d, e, F.kind) @ Q.T), A, n) <= 30


def test_columns_that_are_zero_below_are_not_reflected():
    """A matrix with three bands is its own T, and Q is the identity."""
    A = lifted(BINARY64, wilkinson())
    d, e, columns = tridiagonal_qr.reduced(BINARY64, A)
    assert tridiagonal(d, e, float) == A and Matrix(columns) == Matrix.identity(21, float)


@pytest.mark.parametrize("F", ROUNDED, ids=lambda F: F.name)
def test_a_step_is_a_similarity_that_keeps_three_bands(F):
    """GᵀT G has the entries that the step returns, for the G by which it multiplies the columns."""
    d, e = ([F.lift(v) for v in row] for row in ([2, -1, 3, 5, -4], [1, 2, -1, 3]))
    T, columns = tridiagonal(d, e, F.kind), [[F.kind(int(i == j)) for i in range(5)] for j in range(5)]
    tridiagonal_qr.step(F, d, e, columns, 1, 4)
    G = Matrix(columns).T
    assert residual.orthonormality(G) <= 30
    G_T_G = G.T @ (T @ G)
    assert residual.equality(G_T_G.block(range(1, 5), range(1, 5)), tridiagonal(d[1:], e[1:], F.kind), 5) <= 30


def test_entries_whose_squares_vanish_end_a_step():
    """A rotation of two zeros is none: what follows it is not changed."""
    d, e, columns = [0.0, 0.0, 1.0], [1e-200, 1e-200], [[1.0], [2.0], [3.0]]
    tridiagonal_qr.step(BINARY64, d, e, columns, 0, 2)
    assert all(v - v == 0 for v in (*d, *e))
    values, _ = tridiagonal_qr.factor(BINARY64, lifted(BINARY64, integers([0, 0, 1], [0, 0, 0], [1, 0, 0])))
    assert sorted(map(round, values)) == [-1, 0, 1]


def test_a_matrix_that_does_not_become_diagonal_is_refused(monkeypatch):
    """After 30 steps for each row, the number and the need are named."""
    monkeypatch.setattr(tridiagonal_qr, "step", lambda *_: None)
    with pytest.raises(NotConverged, match="tridiagonal_qr: need a diagonal matrix after 30 steps for each row"):
        tridiagonal_qr.factor(BINARY64, Matrix([[1.0, 2.0], [2.0, 3.0]]))


def test_the_answer_is_made_of_vectors_of_the_kind_at_hand():
    """Of 2 × 2 the columns are the eigenvectors."""
    values, columns = tridiagonal_qr.factor(BINARY64, Matrix([[0.0, 12.0], [12.0, 7.0]]))
    A = Matrix([[0.0, 12.0], [12.0, 7.0]])
    for value, column in zip(values, columns):
        v = Vector(column)
        assert (A @ v - value * v).largest() < 1e-14


def test_entries_far_below_roundoff_of_the_largest_neither_divide_nor_delay():
    """Of rows and columns that fall to 10^−200, in any order, A V = V diag(λ) holds up to roundoff of the largest."""
    for seed in range(40):
        rng = random.Random(seed)
        sizes = [10.0 ** -rng.randint(0, 100) for _ in range(6)]
        lower = [[rng.gauss(0, 1) * sizes[i] * sizes[j] for j in range(i + 1)] for i in range(6)]
        A = Matrix([[lower[max(i, j)][min(i, j)] for j in range(6)] for i in range(6)])
        values, columns = tridiagonal_qr.factor(BINARY64, A / A.largest())
        V = Matrix(columns).T
        assert residual.orthonormality(V) <= 30
        assert residual.equality(V @ (Matrix.diagonal_of(values) @ V.T), A / A.largest(), 6) <= 30
