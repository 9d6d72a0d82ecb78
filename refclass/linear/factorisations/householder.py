"""Householder's factor A P = Q R with column pivoting (Householder 1958; Businger and Golub 1965); least squares.

When the columns are dependent the minimiser of ‖A x − b‖ is not unique: `solve` returns the basic solution, zero at the
columns beyond the rank; the shortest of all solutions is that of the singular values (`svd`).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from refclass.errors import InvalidInput
from refclass.linear import residual
from refclass.linear.factorisations import triangular
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector, dot
from refclass.number.field import Field, Number
from refclass.number.tolerance import magnitude, negligible


@dataclass(frozen=True)
class Factor:
    """A P = Q R: column j of A P is column order[j] of A.

    reflectors    Q as a product of reflections x ↦ x − (vᵀx / c) v, each as (v, c); the k-th acts on entries from k on
    upper         R, n columns, upper trapezoidal, zero below row `rank`; |rₖₖ| descends
    order         the order of the columns
    rank          the rank of A, up to roundoff
    length        the number m of rows of A
    """

    reflectors: tuple[tuple[Vector, Number], ...]
    upper: Matrix
    order: tuple[int, ...]
    rank: int
    length: int

    def apply_transpose(self, b: Vector) -> Vector:
        """Return Qᵀb.

        Shapes    b: m
        Cost      with r reflectors r(2m − r + 1) multiplications and r divisions
        Raises    InvalidInput if the length differs
        """
        if len(b) != self.length:
            raise InvalidInput("householder", need=f"a right side of {self.length} rows", got=len(b))
        return _reflected(enumerate(self.reflectors), b)

    def apply(self, c: Vector) -> Vector:
        """Return Q c.

        Shapes    c: m
        Raises    InvalidInput if the length differs
        """
        if len(c) != self.length:
            raise InvalidInput("householder", need=f"a vector of length {self.length}", got=len(c))
        return _reflected(reversed(list(enumerate(self.reflectors))), c)

    @property
    def orthonormal(self) -> Matrix:
        """Q, m × m."""
        kind = self.upper.kind
        return Matrix.of([self.apply(Vector.unit(self.length, i, kind)) for i in range(self.length)]).T

    def solve(self, b: Vector) -> Vector:
        """Return the basic x that minimises ‖A x − b‖: zero at the columns beyond the rank.

        Shapes    b: m; x: n
        Raises    InvalidInput if the length differs
        Laws      Aᵀ(A x − b) = 0
        """
        x = [self.upper.kind(0)] * len(self.order)
        if self.rank:
            c = self.apply_transpose(b)[: self.rank]
            square = Matrix.of([Vector.of(row[: self.rank]) for row in self.upper[: self.rank]])
            for place, value in zip(self.order, triangular.solve_upper(square, Vector.of(c))):
                x[place] = value
        return Vector.of(x)


def _reflected(reflectors: Iterable[tuple[int, tuple[Vector, Number]]], x: Vector) -> Vector:
    for k, (v, c) in reflectors:
        tail = x[k:]
        t = dot(v, tail) / c
        x = Vector.of([*x[:k], *[a - t * b for a, b in zip(tail, v)]])
    return x


def factor(F: Field, A: Matrix) -> Factor:
    """Return the factor A P = Q R of a matrix of any shape and rank, the longest remaining column first.

        α = −sign(x₁)‖x‖    v = x − α e₁    c = vᵀv/2 = −α v₁    so that    x − (vᵀx / c) v = α e₁

    Shapes    A: m × n, m and n in any relation
    Exact     where the lengths are rational
    Cost      a root for each unit of rank; a square matrix of full rank: n(n + 1)(2n + 1)/2 multiplications,
              n(3n − 1)/2 divisions, n roots
    Laws      A P = Q R; Q orthogonal

    Example
        >>> from refclass.number.binary64 import BINARY64
        >>> f = factor(BINARY64, Matrix([[3.0, 1.0], [4.0, 2.0]]))
        >>> f.rank, f.upper[0]
        (2, Vector(-5.0, -2.2))
    """
    # Proof (of the rank): R is exact for a matrix that differs from A by a few max(m, n) · eps · (longest column) in
    # each column, and what is left after r reflections has no column longer than 30 such units, or another reflection
    # would follow: A lies that near to a matrix of rank r. As the unit is that of the longest column, columns in
    # much smaller units than others must be rescaled by the caller.
    m, n = A.shape
    unit = magnitude(A.largest())
    columns = [list(column) for column in (A / unit).T]
    order, reflectors = list(range(n)), []
    finished: list[list[Number]] = [[] for _ in range(n)]
    longest = F.kind(0)
    for k in range(min(m, n)):
        squares = [dot(column, column) for column in columns[k:]]
        p = k + squares.index(max(squares))
        length = F.sqrt(squares[p - k])
        longest = longest if k else length
        if negligible(F, length, longest, max(m, n)):
            break
        columns[k], columns[p], order[k], order[p] = columns[p], columns[k], order[p], order[k]
        finished[k], finished[p] = finished[p], finished[k]
        alpha = -length if columns[k][0] > 0 else length
        v = [columns[k][0] - alpha, *columns[k][1:]]
        c = -alpha * v[0]
        reflectors.append((Vector.of(v), c))
        finished[k].append(alpha)
        for j in range(k + 1, n):
            t = dot(v, columns[j]) / c
            head, *columns[j] = [a - t * b for a, b in zip(columns[j], v)]
            finished[j].append(head)
    rows = min(m, n)
    upper = Matrix.of([Vector.of(column + [F.kind(0)] * (rows - len(column))) for column in finished]).T
    return Factor(tuple(reflectors), upper * unit, tuple(order), len(reflectors), m)


def certify(A: Matrix, factor: Factor) -> dict[str, Any]:
    """Return the claims of the factor with their ratios."""
    kind, m = A.kind, len(A)
    padding = [kind(0)] * (m - len(factor.upper))
    product = [factor.apply(Vector.of([*column, *padding])) for column in factor.upper.T]
    permuted = Matrix.of([A.column(j) for j in factor.order])
    return {
        "A P = Q R": residual.equality(Matrix.of(product), permuted, max(A.shape)),
        "QᵀQ = I": residual.orthonormality(factor.orthonormal),
    }
