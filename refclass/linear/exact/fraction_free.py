"""Fraction-free elimination (Bareiss 1968): exact answers, on integers, for matrices of any kind of number.

A float or a decimal is a rational number, too: every kind is taken at its exact value, and the answers are exact, in
the kind of A if that is exact, else in fractions. Every intermediate number is a minor of the integer matrix, so that
Hadamard's bound limits its length, and no greatest common divisor is computed inside the elimination, which makes it
many times faster than elimination on fractions.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import gcd, lcm, prod
from typing import Any, Optional

from refclass.errors import InvalidInput, NoAnswer
from refclass.linear import residual
from refclass.linear.exact import dixon
from refclass.linear.exact.division import quotients
from refclass.linear.matrix import Matrix, Side
from refclass.linear.vector import Vector, dot
from refclass.number.field import Number
from refclass.number.tolerance import roundoff

LIFTING_ORDER = 40  # unknowns from which on p-adic lifting is faster than elimination: measured on doubles
LIFTED_ALONE = 20  # the same of one right side: measured on integers of 60 to 6,000 bits, of which eight take six times


@dataclass(frozen=True)
class Factor:
    """P S A, in echelon form over the integers.

    rows       the integers: from the pivot on, the row of the echelon form; before it, the multipliers
    columns    the columns that hold a pivot, one for each of the first rows
    order      row i comes from row order[i] of A
    scales     row i of A times scales[i] is a row of integers without a common divisor
    sign       the sign of the order
    kind       the kind of the answers
    """

    rows: tuple[tuple[int, ...], ...]
    columns: tuple[int, ...]
    order: tuple[int, ...]
    scales: tuple[Fraction, ...]
    sign: int
    kind: Any

    @property
    def rank(self) -> int:
        """The rank of A."""
        return len(self.columns)

    @property
    def pivots(self) -> tuple[int, ...]:
        """The pivots, in order: the k-th is the leading k × k minor of the chosen rows and columns."""
        return tuple(self.rows[k][j] for k, j in enumerate(self.columns))

    @property
    def determinant(self) -> Number:
        """The determinant of A, which must be square.  Raises InvalidInput if it is not."""
        n = self._square()
        return self.kind(Fraction(self.sign * self.pivots[-1]) / prod(self.scales) if self.rank == n else 0)

    def null_space(self) -> tuple[Vector, ...]:
        """Return a basis of {v : A v = 0}: vectors of coprime integers, the entry in the free column positive."""
        free = [j for j in range(len(self.rows[0])) if j not in self.columns]
        return tuple(Vector([self.kind(Fraction(v)) for v in self._null(j)]) for j in free)

    def _null(self, free: int) -> list[int]:
        # Proof: by Cramer's rule the last pivot, put in the free column, makes the others integers.
        x = [0] * len(self.rows[0])
        x[free] = self.pivots[-1] if self.columns else 1
        for k in range(self.rank - 1, -1, -1):
            j = self.columns[k]
            x[j] = -dot(self.rows[k][j + 1 :], x[j + 1 :]) // self.rows[k][j]
        divisor = gcd(*x) if x[free] > 0 else -gcd(*x)
        return [v // divisor for v in x]

    def solve(self, b: Side) -> Side:
        """Return the exact solution of A x = b; the numbers of b, too, are taken at their exact values.

        Shapes    b, x: n, or n × m, solved column by column
        Exact     yes
        Cost      for each column 3n(n − 1)/2 + n multiplications and n(n + 1)/2 divisions of integers, besides those
                  that clear and restore the denominators
        Raises    InvalidInput if the shapes do not fit; NoAnswer with a null vector if A is singular
        """
        n = self._square()
        if self.rank < n:
            v = self.null_space()[0]
            raise NoAnswer("fraction_free", need=f"a matrix of rank {n}", got=f"rank {self.rank}", null_vector=v)
        if len(b) != n:
            raise InvalidInput("fraction_free", need=f"a right side of {n} rows", got=len(b))
        if isinstance(b, Matrix):
            return Matrix.of([self._solution(column) for column in b.T]).T
        return self._solution(b)

    def _solution(self, b: Vector) -> Vector:
        y, common = _cleared([b[i] for i in self.order], [self.scales[i] for i in self.order])
        previous = 1
        for k, pivot in enumerate(self.pivots):
            c = y[k]
            scaled = [pivot * v - row[k] * c for v, row in zip(y[k + 1 :], self.rows[k + 1 :])]
            (y[k + 1 :],) = quotients([scaled], previous)
            previous = pivot
        for k in range(len(y) - 1, -1, -1):
            row = self.rows[k]
            y[k] = (previous * y[k] - dot(row[k + 1 :], y[k + 1 :])) // row[k]
        return Vector([self.kind(Fraction(v, previous * common)) for v in y])

    def _square(self) -> int:
        n = len(self.rows)
        if len(self.rows[0]) != n:
            raise InvalidInput("fraction_free", need="a square matrix", got=f"{n} × {len(self.rows[0])}")
        return n


def factor(A: Matrix) -> Factor:
    """Return the factor of A over the integers, of any shape and rank.

        aᵢⱼ ← (aₖₖ aᵢⱼ − aᵢₖ aₖⱼ) / p,    i, j > k, where p is the pivot before aₖₖ (at first 1); it divides exactly

    Shapes    A: m × n
    Exact     yes
    Cost      a square matrix of full rank: n(n − 1)(2n − 1)/3 multiplications and half as many divisions of integers,
              besides those that clear the denominators
    Laws      P S A = L diag(1 / pₖ₋₁pₖ) U, where L holds the multipliers and the pivots, and U the echelon form

    Example
        >>> F = factor(Matrix([[Fraction(1, 2), Fraction(1, 3)], [Fraction(1, 4), Fraction(1, 5)]]))
        >>> F.rows, F.determinant
        (((3, 2), (5, 2)), Fraction(1, 60))
    """
    rows, scales = _integers(A)
    m, n = A.shape
    columns: list[int] = []
    order, sign, previous = list(range(m)), 1, 1
    for j in range(n):
        k = len(columns)
        p = next((i for i in range(k, m) if rows[i][j]), m)
        if p == m:
            continue
        if p != k:
            rows[k], rows[p], order[k], order[p], sign = rows[p], rows[k], order[p], order[k], -sign
        pivot, tail = rows[k][j], rows[k][j + 1 :]
        scaled = [[pivot * a - row[j] * b for a, b in zip(row[j + 1 :], tail)] for row in rows[k + 1 :]]
        for row, right in zip(rows[k + 1 :], quotients(scaled, previous)):
            row[j + 1 :] = right
        columns.append(j)
        previous = pivot
    return Factor(tuple(map(tuple, rows)), tuple(columns), tuple(order), scales, sign, _answers(A))


def _answers(A: Matrix) -> Any:
    """Return the kind of exact answers about A."""
    return Fraction if roundoff(A.kind) else A.kind


def _integers(A: Matrix) -> tuple[list[list[int]], tuple[Fraction, ...]]:
    """Return the rows of A as coprime integers, and what each row was multiplied with."""
    rows, scales = [], []
    for row in A:
        ratios = [v.as_integer_ratio() for v in row]
        common = lcm(*[q for _, q in ratios])
        entries = [p * (common // q) for p, q in ratios]
        divisor = gcd(*entries) or 1
        rows.append([v // divisor for v in entries])
        scales.append(Fraction(common, divisor))
    return rows, tuple(scales)


def _cleared(b: Sequence[Number], scales: Sequence[Fraction]) -> tuple[list[int], int]:
    """Return the integers common · scaleᵢ · bᵢ, and common."""
    scaled = [Fraction(*v.as_integer_ratio()) * s for v, s in zip(b, scales)]
    common = lcm(*[v.denominator for v in scaled])
    return [v.numerator * (common // v.denominator) for v in scaled], common


def certify(A: Matrix, factor: Factor) -> dict[str, Any]:
    """Return the claims of the factor with their ratios: 0, or infinite."""
    pivots = (1, *factor.pivots)
    lower = [[row[j] for j in factor.columns[: i + 1]] for i, row in enumerate(factor.rows)]
    upper = [[Fraction(int(c >= j) * row[c]) for c in range(len(row))] for j, row in zip(factor.columns, factor.rows)]
    product = []
    for i, multipliers in zip(factor.order, lower):
        terms = [
            Fraction(c, pivots[k] * pivots[k + 1]) / factor.scales[i] * Vector(upper[k])
            for k, c in enumerate(multipliers)
        ]
        product.append(sum(terms, Vector([Fraction(0)] * len(A[0]))))
    exact = Matrix([[Fraction(*A[i][j].as_integer_ratio()) for j in range(len(A[0]))] for i in factor.order])
    return {"P S A = L diag(1 / pₖ₋₁pₖ) U": residual.equality(Matrix(product), exact, len(A))}


def solve(A: Matrix, b: Side) -> Side:
    """Return the exact solution of A x = b: `factor(A).solve(b)`, for many unknowns by p-adic lifting.

    Shapes    A: n × n; b, x: n, or n × m
    Exact     yes
    Cost      below 40 unknowns that of `factor` and of `Factor.solve`, else that of `dixon.solve`
    Raises    InvalidInput if the shapes do not fit; NoAnswer with a null vector if A is singular

    Example
        >>> solve(Matrix([[0.5, 0.25], [0.25, 0.5]]), Vector([1.0, 0.0]))
        Vector(8/3, -4/3)
    """
    n = len(A.square())
    if n < LIFTING_ORDER or len(b) != n:
        return factor(A).solve(b)
    rows, scales = _integers(A)
    cleared = [_cleared(column, scales) for column in (b.T if isinstance(b, Matrix) else [b])]
    found = dixon.solve(rows, [column for column, _ in cleared])
    if found is None:
        return factor(A).solve(b)
    kind = _answers(A)
    columns = [Vector([kind(Fraction(v, d * c)) for v in x]) for (x, d), (_, c) in zip(found, cleared)]
    return Matrix.of(columns).T if isinstance(b, Matrix) else columns[0]


def solution(A: Sequence[Sequence[int]], b: Sequence[int]) -> Optional[list[Fraction]]:
    """Return the solution of A x = b for integers in fractions, for many unknowns by p-adic lifting; None if singular.

    Shapes    A: n × n, n ≥ 0; b, x: n
    Exact     yes
    Cost      below 20 unknowns that of `factor` and of `Factor.solve`, else that of `dixon.solution`

    Example
        >>> solution([[2, 1], [1, 3]], [1, 1]), solution([[2, 1], [4, 2]], [1, 1])
        ([Fraction(2, 5), Fraction(1, 5)], None)
    """
    if not A or len(A) >= LIFTED_ALONE:
        return dixon.solution(A, b)
    known = factor(Matrix.of([Vector.of(map(Fraction, row)) for row in A]))
    return list(known.solve(Vector.of(map(Fraction, b)))) if known.rank == len(A) else None


def determinant(A: Matrix) -> Number:
    """Return the exact determinant of a square matrix: `factor(A).determinant`."""
    return factor(A).determinant


def rank(A: Matrix) -> int:
    """Return the rank of A, its numbers taken at their exact values: `factor(A).rank`."""
    return factor(A).rank


def null_space(A: Matrix) -> tuple[Vector, ...]:
    """Return a basis of {v : A v = 0}, of coprime integers: `factor(A).null_space()`.

    Example
        >>> null_space(Matrix([[Fraction(1, 2), Fraction(1, 3)]]))
        (Vector(-2, 3),)
    """
    return factor(A).null_space()
