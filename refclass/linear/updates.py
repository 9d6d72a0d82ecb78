"""The factor A = L D Lᵀ without roots and without pivoting, and its updates: exact on fractions.

The counterpart of `cholesky` for exact numbers: `append` adds a row and column to A, `drop` takes one away, each
leaving the given factor as it is. The factor exists where no leading minor of A is zero, as when A is definite; for any
other symmetric matrix see `ldl`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from math import prod
from typing import Any, Optional

from refclass.errors import InvalidInput, NoAnswer
from refclass.linear import residual, triangular
from refclass.linear.matrix import Matrix, Side
from refclass.linear.vector import Vector, dot
from refclass.number.field import Number


@dataclass(frozen=True)
class Factor:
    """A = L D Lᵀ.

    rows      the rows of L, unit lower triangular, before the diagonal: row i has i entries
    pivots    the diagonal of D, none of them zero
    """

    rows: tuple[tuple[Number, ...], ...]
    pivots: Vector

    def __len__(self) -> int:
        return len(self.rows)

    @cached_property
    def lower(self) -> Matrix:
        """L."""
        zero, one, n = self.pivots.kind(0), self.pivots.kind(1), len(self.rows)
        return Matrix.of([Vector.of([*row, one, *[zero] * (n - i - 1)]) for i, row in enumerate(self.rows)])

    @cached_property
    def upper(self) -> Matrix:
        """Lᵀ."""
        return self.lower.T

    @property
    def determinant(self) -> Number:
        """The determinant of A."""
        return prod(self.pivots, start=self.pivots.kind(1))

    @property
    def inertia(self) -> tuple[int, int, int]:
        """How many eigenvalues of A are positive, negative and zero (none)."""
        negative = sum(d < 0 for d in self.pivots)
        return len(self.pivots) - negative, negative, 0

    @property
    def negative_direction(self) -> Optional[Vector]:
        """A vector v with vᵀAv < 0; None if A is positive definite."""
        least = min(self.pivots)
        if not least < 0:
            return None
        k = self.pivots.index(least)
        return triangular.solve_upper(self.upper, Vector.unit(len(self), k, self.pivots.kind))

    def solve(self, b: Side) -> Side:
        """Return the solution of A x = b.

        Shapes    b, x: n, or n × m, solved column by column
        Exact     yes
        Cost      for each column n(n − 1) multiplications, n(n − 1) additions and 3n divisions
        Raises    InvalidInput if the shapes do not fit
        """
        y = triangular.solve_lower(self.lower, b)
        return triangular.solve_upper(self.upper, type(b).of([part / d for part, d in zip(y, self.pivots)]))


def factor(A: Matrix) -> Factor:
    """Return the factor A = L D Lᵀ of a symmetric matrix without a leading minor that is zero.

        uⱼ = aᵢⱼ − Σₖ﹤ⱼ uₖ Lⱼₖ    Lᵢⱼ = uⱼ / dⱼ,  j < i        dᵢ = aᵢᵢ − Σₖ﹤ᵢ uₖ Lᵢₖ

    Shapes    A: n × n
    Exact     yes
    Cost      n(n² − 1)/6 multiplications, as many additions, n(n − 1)/2 divisions
    Raises    InvalidInput, naming the place, unless A is symmetric; NoAnswer for a leading minor that is zero, with a
              null vector of that leading block
    Laws      A = L D Lᵀ

    Example
        >>> F = factor(Matrix([[4.0, 2.0], [2.0, 10.0]]))
        >>> F.lower, F.pivots
        (Matrix([1.0, 0.0], [0.5, 1.0]), Vector(4.0, 9.0))
    """
    A.symmetric()
    known = _started(A[0][0])
    for i in range(1, len(A)):
        known = append(known, A[i][:i], A[i][i])
    return known


def _started(d: Number) -> Factor:
    if d == 0:
        raise NoAnswer("updates", need="a pivot other than zero", got=d, pivot=0, null_vector=Vector([type(d)(1)]))
    return Factor(((),), Vector([d]))


def append(factor: Factor, column: Sequence[Number], diagonal: Number) -> Factor:
    """Return the factor of A with one more row and column.

        | A   a |      u = L⁻¹ a,    l = D⁻¹ u,    the new row of L is (lᵀ, 1), the new pivot δ − lᵀu
        | aᵀ  δ |

    Shapes    column: a, n numbers; diagonal: δ
    Exact     yes
    Cost      n(n + 1)/2 multiplications, as many additions, n divisions
    Raises    InvalidInput if the length differs; NoAnswer with a null vector if the larger matrix is singular
    Laws      append(factor(A), a, δ) = factor of the larger matrix

    Example
        >>> append(factor(Matrix([[4.0]])), [2.0], 10.0).pivots
        Vector(4.0, 9.0)
    """
    if len(column) != len(factor):
        raise InvalidInput("updates", need=f"a column of {len(factor)} numbers", got=len(column))
    u: list[Number] = []
    for value, row in zip(column, factor.rows):
        u.append(value - dot(u, row))
    multipliers = [value / d for value, d in zip(u, factor.pivots)]
    pivot = diagonal - dot(u, multipliers)
    if pivot == 0:
        v = [*-triangular.solve_upper(factor.upper, Vector.of(multipliers)), type(pivot)(1)]
        raise NoAnswer("updates", need="a pivot other than zero", got=pivot, pivot=len(u), null_vector=Vector.of(v))
    return Factor((*factor.rows, tuple(multipliers)), Vector.of([*factor.pivots, pivot]))


def drop(factor: Factor, k: int) -> Factor:
    """Return the factor of A without row and column k.

    Without row k, column k of L stands out below the others, w, and d w wᵀ, d = dₖ, is added to what they stand for;
    from the left to the right, with p = wⱼ,

        d′ = dⱼ + d p²    b = d p / d′    wᵢ ← wᵢ − p Lᵢⱼ    Lᵢⱼ ← Lᵢⱼ + b wᵢ    d ← d dⱼ / d′    dⱼ ← d′

    Shapes    A: n × n with n ≥ 2
    Exact     yes
    Cost      with m = n − 1 − k: m(m + 2) multiplications, m² additions, 2m divisions
    Raises    InvalidInput if there is no row k, or no other row; NoAnswer, with a null vector of the leading block, if
              a leading minor of the smaller matrix is zero (never when A is definite)
    Laws      drop(factor(A), k) = factor of A without row and column k
    Source    Gill, Golub, Murray and Saunders (1974), method C1

    Example
        >>> drop(factor(Matrix([[9.0, 12.0], [12.0, 25.0]])), 0).pivots
        Vector(25.0)
    """
    if not 0 <= k < len(factor) or len(factor) == 1:
        raise InvalidInput("updates", need="a row to drop and another to stay", got=k, rows=len(factor))
    rows, pivots = list(factor.rows[:k]), list(factor.pivots[:k])
    steps: list[tuple[Number, Number]] = []
    d = factor.pivots[k]
    for row, pivot in zip(factor.rows[k + 1 :], factor.pivots[k + 1 :]):
        w, changed = row[k], []
        for (p, b), value in zip(steps, row[k + 1 :]):
            w = w - p * value
            changed.append(value + b * w)
        rows.append((*row[:k], *changed))
        dw = d * w
        pivots.append(pivot + dw * w)
        if pivots[-1] == 0:
            raise _vanished(rows, pivots)
        steps.append((w, dw / pivots[-1]))
        d = d * (pivot / pivots[-1])
    return Factor(tuple(rows), Vector.of(pivots))


def _vanished(rows: list[tuple[Number, ...]], pivots: list[Number]) -> NoAnswer:
    n = len(pivots)
    unit = Vector.unit(n, n - 1, type(pivots[0]))
    v = triangular.solve_upper(Factor(tuple(rows), Vector.of(pivots)).upper, unit)
    return NoAnswer("updates", need="a pivot other than zero", got=pivots[-1], pivot=n - 1, null_vector=v)


def certify(A: Matrix, factor: Factor) -> dict[str, Any]:
    """Return the claims of the factor with their ratios."""
    scaled = Matrix.of([d * row for d, row in zip(factor.pivots, factor.upper)])
    return {"A = L D Lᵀ": residual.equality(factor.lower @ scaled, A, len(A))}
