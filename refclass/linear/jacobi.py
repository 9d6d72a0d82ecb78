"""The cyclic Jacobi method for the symmetric eigenproblem (Jacobi 1846; Golub and Van Loan 2013, section 8.5).

    A ← JᵀA J,  V ← V J        for (p, q) = (1, 2), (1, 3), …, (1, n), (2, 3), …, (n − 1, n): one sweep, by rows

J is the rotation of the plane (p, q) by the smaller angle that makes a_pq zero. It leaves the sum of all squares as it
is and adds 2a²_pq to those of the diagonal, so that off(A)² = Σ_(i≠j) a²ᵢⱼ falls by 2a²_pq at every rotation. As the
angle is at most 45°, A tends to diag(λ) and V to the eigenvectors (Forsythe and Henrici 1960), in the end
quadratically: a sweep takes off(A) to the order of off(A)² / min |λᵢ − λⱼ| (Wilkinson 1962).

This is the method as the book prints it. `one_sided_jacobi`, which the package runs by default, computes the same
factor faster, and small eigenvalues of definite matrices to more digits.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from refclass.errors import NotConverged
from refclass.linear import residual, spectrum
from refclass.linear.matrix import Matrix
from refclass.linear.spectrum import Factor, certify
from refclass.linear.vector import Vector, dot
from refclass.number.field import Field, Number
from refclass.number.tolerance import THRESHOLD, magnitude, roundoff

__all__ = ["Factor", "State", "certify", "factor", "off", "rotate", "rotated", "steps", "symmetric_schur"]

MAX_SWEEPS = 60  # sweeps; about ten suffice for doubles, and one more for each doubling of the digits: a guard only


@dataclass(frozen=True)
class State:
    """The matrix after a rotation; at the start, as it is given.

    given      A, as it is given
    before     the matrix before this rotation
    matrix     the matrix after it, VᵀA V: symmetric, zero at the pivot
    columns    the columns of V, the product of all rotations
    sweep      the number of the sweep, from 1; 0 at the start
    pivot      p and q; equal at the start
    """

    given: Matrix
    before: Matrix
    matrix: Matrix
    columns: tuple[Vector, ...]
    sweep: int
    pivot: tuple[int, int]

    @property
    def off(self) -> Number:
        """off(A)², the sum of the squares beside the diagonal."""
        return off(self.matrix)

    def check(self) -> None:
        """Assert VᵀV = I, V (VᵀA V) Vᵀ = A, and that off(A)² has fallen by 2a²_pq: up to roundoff, where rounded."""
        (p, q), n, V = self.pivot, len(self.given), Matrix.of(self.columns).T
        self.matrix.symmetric()
        assert residual.orthonormality(V) <= THRESHOLD, "V is orthogonal"
        assert residual.equality(V @ (self.matrix @ V.T), self.given, n) <= THRESHOLD, (
            "V (VᵀA V) Vᵀ is the matrix given"
        )
        if p != q:
            was, pivot = off(self.before), self.before[p][q]
            error = abs(self.off - (was - 2 * pivot * pivot))
            assert self.matrix[p][q] == 0, "the pivot is zero"
            assert error <= THRESHOLD * n * roundoff(self.given.kind) * was, "off² falls by twice the pivot's square"


def off(A: Matrix) -> Number:
    """Return off(A)² = Σ aᵢⱼ² over i ≠ j.

    Exact     yes
    Cost      n(n − 1) multiplications

    Example
        >>> off(Matrix([[7.0, 3.0], [3.0, 5.0]]))
        18.0
    """
    rows = [[*row[:i], *row[i + 1 :]] for i, row in enumerate(A)]
    return sum([dot(row, row) for row in rows], A.kind(0))


def symmetric_schur(F: Field, a: Number, b: Number, g: Number) -> tuple[Number, Number]:
    """Return the tangent and cosine of the smaller rotation that makes a symmetric 2 × 2 matrix diagonal.

        | a  g |      τ = (b − a) / 2g    t = sign τ / (|τ| + √(τ² + 1))    c = 1 / √(t² + 1)    s = t c
        | g  b |

    The diagonal becomes a − t g, b + t g.

    Shapes    g ≠ 0
    Exact     where the roots are rational
    Cost      3 multiplications, 4 additions, 3 divisions, 2 roots
    Source    Golub and Van Loan 2013, section 8.5.2

    Example
        >>> from refclass.number.rational import RATIONAL
        >>> from fractions import Fraction
        >>> symmetric_schur(RATIONAL, Fraction(0), Fraction(7), Fraction(12))
        (Fraction(3, 4), Fraction(4, 5))
    """
    tau = (b - a) / (2 * g)
    t = 1 / (abs(tau) + F.sqrt(tau * tau + 1))
    t = t if tau >= 0 else -t
    return t, 1 / F.sqrt(t * t + 1)


def rotated(x: Sequence[Number], y: Sequence[Number], c: Number, s: Number) -> tuple[list[Number], list[Number]]:
    """Return c x − s y and s x + c y.

    Shapes    x, y: m
    Exact     yes
    Cost      4m multiplications, 2m additions
    """
    return [c * u - s * v for u, v in zip(x, y)], [s * u + c * v for u, v in zip(x, y)]


def rotate(F: Field, A: Matrix, columns: Sequence[Vector], p: int, q: int) -> tuple[Matrix, tuple[Vector, ...]]:
    """Return JᵀA J and the columns of V J, for the rotation J that makes entry (p, q) of A zero.

    Shapes    A: n × n, a_pq ≠ 0; n columns of any length
    Exact     where the roots of the rotation are rational
    Cost      for columns of length n: 8n + 2 multiplications and 4n + 2 additions, besides those of `symmetric_schur`
    """
    a, b, g = A[p][p], A[q][q], A[p][q]
    t, c = symmetric_schur(F, a, b, g)
    s, change = t * c, t * g
    x, y = rotated(A[p], A[q], c, s)
    x[p], x[q], y[p], y[q] = a - change, F.kind(0), F.kind(0), b + change
    rows = [Vector.of([*row[:p], u, *row[p + 1 : q], v, *row[q + 1 :]]) for row, u, v in zip(A, x, y)]
    rows[p], rows[q] = Vector.of(x), Vector.of(y)
    V = list(columns)
    V[p], V[q] = map(Vector.of, rotated(V[p], V[q], c, s))
    return Matrix.of(rows), tuple(V)


def steps(F: Field, A: Matrix) -> Iterator[State]:
    """Yield the matrix as it is given, then after each rotation, until off(A) ≤ eps ‖A‖ at the end of a sweep.

    Given     A with entries whose squares are within the range of the numbers
    Raises    as `factor`
    """
    matrix, columns = A.symmetric(), tuple(Matrix.identity(len(A), A.kind))
    n, tolerance = len(A), F.eps * F.eps * sum([dot(row, row) for row in A], A.kind(0))
    yield State(A, A, matrix, columns, 0, (0, 0))
    for sweep in range(1, MAX_SWEEPS + 1):
        if off(matrix) <= tolerance:
            return
        for p in range(n - 1):
            for q in range(p + 1, n):
                if matrix[p][q] != 0:
                    before = matrix
                    matrix, columns = rotate(F, matrix, columns, p, q)
                    yield State(A, before, matrix, columns, sweep, (p, q))
    if off(matrix) > tolerance:
        raise NotConverged("jacobi", need=f"off(A) ≤ eps ‖A‖ after {MAX_SWEEPS} sweeps", got=off(matrix), matrix=matrix)


def factor(F: Field, A: Matrix) -> Factor:
    """Return the eigenvalues and eigenvectors of a symmetric matrix  [ESL-4.3.2-eigen].

        A V = V diag(λ)

    An eigenvalue is accurate to roundoff of the largest in modulus.

    Shapes    A: n × n
    Exact     no, as rotations take roots; only where all of these are rational, and for a diagonal A, which needs none
    Cost      sweeps (six to ten for doubles and n ≤ 100) of n(n − 1)/2 rotations, each 8n multiplications
    Raises    InvalidInput, naming the place, unless A is symmetric; NotExact for an irrational root in an exact field;
              NotConverged if 60 sweeps do not suffice
    Laws      A = V diag(λ) Vᵀ; VᵀV = I

    Example
        >>> from refclass.number.binary64 import BINARY64
        >>> factor(BINARY64, Matrix([[2.0, 0.0], [0.0, 4.0]]))
        Factor(eigenvalues=Vector(4.0, 2.0), eigenvectors=Matrix([0.0, 1.0], [1.0, 0.0]), rank=2)
    """
    unit = magnitude(A.symmetric().largest())
    for last in steps(F, A / unit):  # noqa: B007
        pass
    return spectrum.ordered(F, list(unit * last.matrix.diagonal()), last.columns)
