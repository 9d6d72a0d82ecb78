"""Cholesky's factor A = L Lᵀ of a positive definite matrix, and its updates (Golub and Van Loan 2013, 4.2 and 6.5).

`append` adds a row and column to A, `drop` removes one, each at the cost of a few solutions instead of a new factor:
the free set of a quadratic program changes by one variable at a time. Both return a new factor.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from math import dist, frexp
from typing import Any

from refclass.errors import InvalidInput, NoAnswer
from refclass.linear import polar, residual
from refclass.linear.factorisations import triangular
from refclass.linear.matrix import Matrix, Side
from refclass.linear.vector import Vector, dot
from refclass.number.field import Field, Number
from refclass.number.tolerance import THRESHOLD

# Order from which on sums of products of doubles are computed from distances (`polar`): measured, twice as fast at 100.
DISTANCE_ORDER = 32


@dataclass(frozen=True)
class Factor:
    """A = L Lᵀ, positive diagonal.

    rows    the rows of L up to the diagonal: row i has i + 1 entries
    """

    rows: tuple[Vector, ...]

    def __len__(self) -> int:
        return len(self.rows)

    @cached_property
    def lower(self) -> Matrix:
        """L."""
        zeros = [self.rows[0].kind(0)] * len(self.rows)
        return Matrix.of([Vector.of([*row, *zeros[len(row) :]]) for row in self.rows])

    @cached_property
    def upper(self) -> Matrix:
        """Lᵀ."""
        return self.lower.T

    @property
    def diagonal(self) -> Vector:
        """The diagonal of L."""
        return Vector.of([row[-1] for row in self.rows])

    def solve(self, b: Side) -> Side:
        """Return the solution of A x = b.

        Shapes    b, x: n, or n × m, solved column by column
        Cost      for each column n(n − 1) multiplications, n(n − 1) additions and 2n divisions
        Raises    InvalidInput if the shapes do not fit
        """
        return triangular.solve_upper(self.upper, triangular.solve_lower(self.lower, b))

    def log_determinant(self, F: Field) -> Number:
        """Return log det A = 2 Σ log Lᵢᵢ.

        Cost    n logarithms
        """
        return 2 * Vector.of(map(F.log, self.diagonal)).sum()


def factor(F: Field, A: Matrix) -> Factor:
    """Return the factor A = L Lᵀ of a symmetric positive definite matrix.

        Lᵢⱼ = (aᵢⱼ − Σₖ﹤ⱼ Lᵢₖ Lⱼₖ) / Lⱼⱼ,  j < i        Lᵢᵢ = √(aᵢᵢ − Σₖ﹤ᵢ Lᵢₖ²)

    Shapes    A: n × n
    Exact     where the roots are rational
    Cost      n(n² − 1)/6 multiplications, as many additions, n(n − 1)/2 divisions, n roots
    Raises    InvalidInput, naming the place, unless A is symmetric; NoAnswer unless it is positive definite, with a
              direction v, vᵀAv ≤ 0 up to roundoff: a null vector if A is singular and semidefinite
    Laws      A = L Lᵀ

    Example
        >>> from refclass.number.binary64 import BINARY64
        >>> factor(BINARY64, Matrix([[4.0, 2.0], [2.0, 10.0]])).lower
        Matrix([2.0, 0.0], [1.0, 3.0])
    """
    if F.kind is float and polar.FASTER and len(A) >= DISTANCE_ORDER and min(A.symmetric().diagonal()) > 0:
        return _factor_by_distances(F, A)
    rows: list[Vector] = []
    strict: list[list[Number]] = []
    roots: list[Number] = []
    for i, a in enumerate(A.symmetric()):
        row: list[Number] = []
        for value, known, root in zip(a, strict, roots):
            row.append((value - dot(row, known)) / root)
        pivot = a[i] - dot(row, row)
        if _vanishes(F, pivot, a[i], i):
            raise _refusal(Factor(tuple(rows)), row, pivot, len(A))
        roots.append(F.sqrt(pivot))
        strict.append(row)
        rows.append(Vector.of([*row, roots[i]]))
    return Factor(tuple(rows))


def _factor_by_distances(F: Field, A: Matrix) -> Factor:
    """Return the factor of a matrix of doubles with a positive diagonal, its sums of products from distances."""
    # Proof: S A S, S a diagonal of powers of two, has the factor S L without any error, and a diagonal in [1/4, 1). No
    # row of S L is longer than 1, so that a sum from distances errs by roundoff of 1 where one of products errs by
    # roundoff of the rows' lengths: both change entry (i, j) of A by some (n + 1)eps √(aᵢᵢaⱼⱼ).
    units = [F.kind(2) ** -(-frexp(d)[1] // 2) for d in A.diagonal()]
    rows: list[Vector] = []
    known: list[tuple[tuple[float, ...], float, float]] = []
    for i, (a, unit) in enumerate(zip(A, units)):
        row: list[float] = []
        square = F.kind(0)
        for value, other, (before, length, root) in zip(a, units, known):
            d = dist(row, before)
            v = (value / unit / other - (square + length - d * d) / 2) / root
            row.append(v)
            square += v * v
        diagonal = a[i] / unit / unit
        square = dot(row, row)
        pivot = diagonal - square
        if _vanishes(F, pivot, diagonal, i):
            raise _refusal(Factor(tuple(rows)), [unit * v for v in row], pivot * unit * unit, len(A))
        root = F.sqrt(pivot)
        known.append((tuple(row), square, root))
        rows.append(Vector.of([unit * v for v in [*row, root]]))
    return Factor(tuple(rows))


def _vanishes(F: Field, pivot: Number, diagonal: Number, i: int) -> bool:
    """Return whether a pivot, what is left of the i-th diagonal entry, is not positive up to roundoff."""
    # Proof: the computed L is the exact factor of a matrix whose entries differ from aᵢⱼ by some (n + 1)eps √(aᵢᵢaⱼⱼ).
    # So a pivot of at most some such units of its own aᵢᵢ cannot be distinguished from zero: subtracting it from aᵢᵢ,
    # a change by roundoff, makes A singular. The test does not depend on the units of the variables.
    return bool(not pivot > 0 or (not F.exact and pivot <= THRESHOLD * (i + 1) * F.eps * diagonal))


def _refusal(known: Factor, row: list[Number], pivot: Number, n: int) -> NoAnswer:
    """Return the refusal of a matrix of order n: v = (−L⁻ᵀ row, 1, 0 …) has vᵀAv equal to the pivot."""
    one = type(pivot)(1)
    v = [*-triangular.solve_upper(known.upper, Vector.of(row)), one] if row else [one]
    direction = Vector.of(v + [one - one] * (n - len(v)))
    got = f"a pivot {pivot}"
    return NoAnswer("cholesky", need="a positive definite matrix", got=got, pivot=len(row), direction=direction)


def certify(A: Matrix, factor: Factor) -> dict[str, Any]:
    """Return the claims of the factor with their ratios."""
    return {"A = L Lᵀ": residual.equality(factor.lower @ factor.upper, A, len(A))}


def solve(F: Field, A: Matrix, b: Side) -> Side:
    """Return the solution of A x = b for a positive definite A: `factor(F, A).solve(b)`."""
    return factor(F, A).solve(b)


def append(F: Field, factor: Factor, column: Sequence[Number], diagonal: Number) -> Factor:
    """Return the factor of A with one more row and column.

        | A   a |      l = L⁻¹ a,    the new row of L is (lᵀ, √(δ − lᵀl))
        | aᵀ  δ |

    Shapes    column: a, n numbers; diagonal: δ
    Exact     where the root is rational
    Cost      n(n + 1)/2 multiplications, as many additions, n divisions, one root
    Raises    InvalidInput if the length differs; NoAnswer, as `factor`, unless the larger matrix is positive definite
    Laws      append(factor(A), a, δ) = factor of the larger matrix

    Example
        >>> from refclass.number.binary64 import BINARY64
        >>> append(BINARY64, factor(BINARY64, Matrix([[4.0]])), [2.0], 10.0).lower
        Matrix([2.0, 0.0], [1.0, 3.0])
    """
    if len(column) != len(factor):
        raise InvalidInput("cholesky", need=f"a column of {len(factor)} numbers", got=len(column))
    row: list[Number] = []
    for value, known in zip(column, factor.rows):
        row.append((value - dot(row, known[:-1])) / known[-1])
    pivot = diagonal - dot(row, row)
    if _vanishes(F, pivot, diagonal, len(row)):
        raise _refusal(factor, row, pivot, len(row) + 1)
    return Factor((*factor.rows, Vector.of([*row, F.sqrt(pivot)])))


def drop(F: Field, factor: Factor, k: int) -> Factor:
    """Return the factor of A without row and column k.

    Without row k the later rows of L have one column too many: w, column k. Givens rotations of w with each later
    column, from left to right, make it zero,

        h = √(Lⱼⱼ² + wⱼ²)    c = Lⱼⱼ / h    s = wⱼ / h    (Lᵢⱼ, wᵢ) ← (c Lᵢⱼ + s wᵢ, c wᵢ − s Lᵢⱼ)

    Shapes    A: n × n with n ≥ 2
    Exact     where the roots are rational
    Cost      with m = n − 1 − k: 2m² multiplications, m² additions, 2m divisions, m roots
    Raises    InvalidInput if there is no row k, or no other row
    Laws      drop(factor(A), k) = factor of A without row and column k

    Example
        >>> from refclass.number.binary64 import BINARY64
        >>> drop(BINARY64, factor(BINARY64, Matrix([[9.0, 12.0], [12.0, 25.0]])), 0).lower
        Matrix([5.0])
    """
    if not 0 <= k < len(factor) or len(factor) == 1:
        raise InvalidInput("cholesky", need="a row to drop, and at least one other", got=k, rows=len(factor))
    rows = list(factor.rows[:k])
    rotations: list[tuple[Number, Number]] = []
    for row in factor.rows[k + 1 :]:
        w, rotated = row[k], []
        for (c, s), value in zip(rotations, row[k + 1 :]):
            rotated.append(c * value + s * w)
            w = c * w - s * value
        h = F.sqrt(row[-1] * row[-1] + w * w)
        rotations.append((row[-1] / h, w / h))
        rows.append(Vector.of([*row[:k], *rotated, h]))
    return Factor(tuple(rows))
