"""Gaussian elimination P A = L U with partial pivoting (Golub and Van Loan 2013, 3.4); rank and null space.

The factor exists for every square matrix; that of a singular one has a zero on the diagonal of U. Whether a matrix of
rounded numbers is singular is another question, which needs a tolerance: `rank` and `null_space` take a field, and
eliminate with complete pivoting.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import prod
from typing import Any

from refclass.errors import InvalidInput, NoAnswer
from refclass.linear import residual
from refclass.linear.factorisations import triangular
from refclass.linear.matrix import Matrix, Side
from refclass.linear.vector import Vector, dot
from refclass.number.field import Field, Number
from refclass.number.tolerance import negligible


@dataclass(frozen=True)
class Factor:
    """P A = L U: row i of P A is row order[i] of A.

    lower    unit lower triangular, no entry larger than 1
    upper    upper triangular
    order    the order of the rows
    sign     the sign of that permutation
    """

    lower: Matrix
    upper: Matrix
    order: tuple[int, ...]
    sign: int

    @property
    def determinant(self) -> Number:
        """The determinant of A: the product of the pivots, with the sign of the permutation.

        Cost    n multiplications
        """
        return prod(self.upper.diagonal(), start=self.upper.kind(self.sign))

    def solve(self, b: Side) -> Side:
        """Return the solution of A x = b.

        Shapes    b, x: n, or n × m, solved column by column
        Exact     yes
        Cost      for each column n(n − 1) multiplications, n(n − 1) additions and 2n divisions
        Raises    InvalidInput if the shapes do not fit; NoAnswer with a null vector of A if a pivot is zero
        """
        pivots = self.upper.diagonal()
        if 0 in pivots:
            v = triangular.null_upper(self.upper)
            at = pivots.index(0)
            raise NoAnswer("elimination", need="a pivot other than zero", got=pivots[at], pivot=at, null_vector=v)
        if len(b) != len(self.order):
            raise InvalidInput("elimination", need=f"a right side of {len(self.order)} rows", got=len(b))
        permuted = type(b).of([b[i] for i in self.order])
        return triangular.solve_upper(self.upper, triangular.solve_lower(self.lower, permuted))


def factor(A: Matrix) -> Factor:
    """Return the factor P A = L U of a square matrix, singular ones included.

        uₖⱼ = aₖⱼ − Σₗ﹤ₖ lₖₗ uₗⱼ        lᵢₖ = (aᵢₖ − Σₗ﹤ₖ lᵢₗ uₗₖ) / uₖₖ

    The pivot uₖₖ is the largest of the candidates aᵢₖ − Σ lᵢₗ uₗₖ, i ≥ k; where all are zero, so are the lᵢₖ.

    Shapes    A: n × n
    Exact     yes
    Cost      n(n − 1)(2n − 1)/6 multiplications and as many additions, n(n − 1)/2 divisions
    Raises    InvalidInput unless A is square
    Laws      P A = L U; |lᵢⱼ| ≤ 1

    Example
        >>> F = factor(Matrix([[1.0, 2.0], [2.0, 2.0]]))
        >>> F.order, F.upper, F.determinant
        ((1, 0), Matrix([2.0, 2.0], [0.0, 1.0]), -2.0)
    """
    n, kind = len(A.square()), A.kind
    rows, order, sign = list(A), list(range(n)), 1
    lower: list[list[Number]] = [[] for _ in range(n)]
    upper: list[list[Number]] = [[] for _ in range(n)]  # by columns, so that every sum below is one dot product
    for k in range(n):
        candidates = [rows[i][k] - dot(lower[i], upper[k]) for i in range(k, n)]
        sizes = list(map(abs, candidates))
        p = k + sizes.index(max(sizes))
        if p != k:
            rows[k], rows[p] = rows[p], rows[k]
            lower[k], lower[p] = lower[p], lower[k]
            order[k], order[p] = order[p], order[k]
            candidates[0], candidates[p - k] = candidates[p - k], candidates[0]
            sign = -sign
        pivot = candidates[0]
        for i in range(k + 1, n):
            lower[i].append(candidates[i - k] / pivot if pivot != 0 else pivot)
        row, multipliers = rows[k], lower[k]
        upper[k].append(pivot)
        for j in range(k + 1, n):
            upper[j].append(row[j] - dot(multipliers, upper[j]))
    zero, one = kind(0), kind(1)
    L = [Vector.of([*row, one, *[zero] * (n - i - 1)]) for i, row in enumerate(lower)]
    U = [Vector.of([*column, *[zero] * (n - j - 1)]) for j, column in enumerate(upper)]
    return Factor(Matrix.of(L), Matrix.of(U).T, tuple(order), sign)


def certify(A: Matrix, factor: Factor) -> dict[str, Any]:
    """Return the claims of the factor with their ratios."""
    permuted = Matrix.of([A[i] for i in factor.order])
    return {"P A = L U": residual.equality(factor.lower @ factor.upper, permuted, len(A))}


def solve(A: Matrix, b: Side) -> Side:
    """Return the solution of A x = b: `factor(A).solve(b)`.

    Example
        >>> solve(Matrix([[1.0, 2.0], [2.0, 2.0]]), Vector([5.0, 6.0]))
        Vector(1.0, 2.0)
    """
    return factor(A).solve(b)


def determinant(A: Matrix) -> Number:
    """Return the determinant of a square matrix: `factor(A).determinant`."""
    return factor(A).determinant


def rank(F: Field, A: Matrix) -> int:
    """Return the rank of A; of a matrix of rounded numbers, the rank of one that differs from it by roundoff.

    Shapes    A: m × n
    Exact     yes, where F is
    """
    # Proof: elimination with complete pivoting writes P A Q = L U + S, where S is what remains after r pivots, up to
    # roundoff of a few units of max(m, n) · eps · max|A|. No entry of S exceeds 30 such units, or there would be a next
    # pivot; hence A lies that near to the matrix of rank r that L U is. Conversely a pivot that is taken exceeds the
    # roundoff in it, and A without roundoff would have given a pivot, too. The unit is that of the largest entry: rows
    # or columns in much smaller units than others must be rescaled by the caller.
    return _eliminated(F, A)[2]


def null_space(F: Field, A: Matrix) -> tuple[Vector, ...]:
    """Return a basis of {v : A v = 0}, empty if the columns are independent.

    One vector for each column without a pivot: 1 there, 0 at the others, the rest by back substitution.

    Shapes    A: m × n; n − rank vectors of length n
    Exact     yes, where F is; else as for `rank`

    Example
        >>> from refclass.number.binary64 import BINARY64
        >>> null_space(BINARY64, Matrix([[1.0, 2.0], [2.0, 4.0]]))
        (Vector(1.0, -0.5),)
    """
    rows, order, r = _eliminated(F, A)
    zero, basis = A.kind(0), []
    for j in range(r, len(order)):
        x = [zero] * len(order)
        x[j] = zero + 1
        for i in range(r - 1, -1, -1):
            x[i] = -(rows[i][j] + dot(rows[i][i + 1 : r], x[i + 1 : r])) / rows[i][i]
        basis.append(Vector.of([x[order.index(column)] for column in range(len(order))]))
    return tuple(basis)


def _eliminated(F: Field, A: Matrix) -> tuple[list[list[Number]], list[int], int]:
    """Return A after elimination with complete pivoting, the order of its columns, and its rank."""
    m, n = A.shape
    rows, order, scale = [list(row) for row in A], list(range(n)), A.largest()
    for k in range(min(m, n)):
        sizes = [max(map(abs, row[k:])) for row in rows[k:]]
        size = max(sizes)
        if negligible(F, size, scale, max(m, n)):
            return rows, order, k
        p = k + sizes.index(size)
        rows[k], rows[p] = rows[p], rows[k]
        q = next(j for j in range(k, n) if abs(rows[k][j]) == size)
        for row in [order, *rows]:
            row[k], row[q] = row[q], row[k]
        pivot, tail = rows[k][k], rows[k][k + 1 :]
        for row in rows[k + 1 :]:
            c = row[k] / pivot
            row[k:] = [A.kind(0), *[a - c * b for a, b in zip(row[k + 1 :], tail)]]
    return rows, order, min(m, n)
