"""Matrices that the tests of linear algebra share, each exact in fractions, to be lifted into any field."""

from __future__ import annotations

import random
from fractions import Fraction

from hypothesis import strategies as st

from refclass.linear.factorisations import ldl
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector
from refclass.number.binary64 import BINARY64
from refclass.number.decimals import decimal
from refclass.number.rational import RATIONAL
from tests.numbers import STRICT

EXACT = (RATIONAL, STRICT)
ROUNDED = (BINARY64, decimal(30))
FIELDS = EXACT + ROUNDED
SIZES = (1, 2, 3, 5, 10)


def lifted(F, A):
    """Return a matrix or vector of fractions over another field."""
    if isinstance(A, Matrix):
        return Matrix([F.lift_all(row) for row in A])
    return Vector(F.lift_all(A))


def exact(A):
    """Return a matrix or vector at its exact value, in fractions."""
    return lifted(RATIONAL, A)


def integers(*rows):
    """Return the matrix of these integers, as fractions."""
    return Matrix([[Fraction(v) for v in row] for row in rows])


def drawn(m, n, seed=0):
    """Return an m × n matrix of small fractions, no entry of a pattern."""
    rng = random.Random(1000 * m + n + 7 * seed)
    return Matrix([[Fraction(rng.randint(-9, 9), rng.randint(1, 4)) for _ in range(n)] for _ in range(m)])


def proven_by_inertia(F, A, values, places=None):
    """Assert that the i-th value is the i-th eigenvalue of A up to roundoff: by Sylvester's law, on fractions."""
    n, B, one = len(A), exact(A), Matrix.identity(len(A), Fraction)
    tolerance = 30 * n * Fraction(str(F.eps)) * B.largest()
    for i in places or range(n):
        above = ldl.factor(B - (Fraction(values[i]) + tolerance) * one).inertia[0]
        below = ldl.factor(B - (Fraction(values[i]) - tolerance) * one).inertia[0]
        assert above <= i < below, f"eigenvalue {i}: {above} above, {below} from below"


def without(A, k):
    """Return a square matrix without its row and column k."""
    keep = [i for i in range(len(A)) if i != k]
    return A.block(keep, keep)


def vector(n, seed=0):
    """Return a vector of n small fractions."""
    return drawn(1, n, seed + 1)[0]


def symmetric(n, seed=0):
    """Return a symmetric n × n matrix, indefinite for n > 1."""
    A = drawn(n, n, seed)
    return A + A.T


def definite(n, seed=0):
    """Return a positive definite n × n matrix whose Cholesky factor is rational."""
    return semidefinite(n, n, seed)


def semidefinite(n, r, seed=0):
    """Return a positive semidefinite n × n matrix of rank r; its r leading minors are squares of rational numbers."""
    A = drawn(n, r, seed)
    L = Matrix([[abs(v) + 1 if i == j else v * (j < i) for j, v in enumerate(row)] for i, row in enumerate(A)])
    return L @ L.T


def hilbert(n):
    """Return the Hilbert matrix 1/(i + j + 1), the classic of bad condition."""
    return Matrix([[Fraction(1, i + j + 1) for j in range(n)] for i in range(n)])


def wilkinson(n=21):
    """Return Wilkinson's W⁺: |i − (n−1)/2| on the diagonal, 1 beside it; its larger eigenvalues come in close pairs."""
    half = n // 2
    return Matrix([[Fraction(abs(i - half) * (i == j) + (abs(i - j) == 1)) for j in range(n)] for i in range(n)])


def of_rank(m, n, r, seed=0):
    """Return an m × n matrix of rank r."""
    rng = random.Random(100 * m + 10 * n + r + seed)
    left = [[Fraction(int(i == j) if i < r else rng.randint(-3, 3)) for j in range(r)] for i in range(m)]
    right = [[Fraction(int(i == j) if j < r else rng.randint(-3, 3)) for j in range(n)] for i in range(r)]
    return Matrix(left) @ Matrix(right)


small = st.integers(-6, 6)


def squares(n, entries=small):
    """Draw n × n matrices of integers over one denominator: many are singular, and few draws make each."""
    drawn_entries = st.lists(entries, min_size=n * n, max_size=n * n)
    return st.builds(lambda flat, d: Matrix([[Fraction(v, d) for v in flat[n * i : n * i + n]] for i in range(n)]),
                     drawn_entries, st.integers(1, 3))  # fmt: skip


def mirrored(A):
    """Return the symmetric matrix with the lower triangle of A."""
    return Matrix([[A[max(i, j)][min(i, j)] for j in range(len(A))] for i in range(len(A))])


any_square = st.integers(1, 4).flatmap(squares)
# Mostly zeros on and beside the diagonal, so that 2 × 2 blocks and singular matrices are the rule.
hollow = st.integers(1, 4).flatmap(lambda n: squares(n, st.sampled_from([0, 0, 1, -1])))
any_symmetric = (any_square | hollow).map(mirrored)
