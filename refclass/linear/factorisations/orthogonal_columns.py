"""Columns made orthogonal one at a time, in the metric of the weights, without roots: regression that grows.

    b_k = q_k + Σ_{l<k} r_lk q_l,   q_kᵀ W q_l = 0 for k ≠ l,   d_k = q_kᵀ W q_k

Adding a column costs one orthogonalisation; nothing before it is touched. Zero weights are allowed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from operator import mul
from typing import Optional

from refclass.linear.vector import Vector, dot
from refclass.number.field import Field, Number
from refclass.number.tolerance import THRESHOLD


@dataclass(frozen=True)
class Columns:
    """Independent columns, orthogonalised.

    weights      the diagonal of W, n numbers ≥ 0
    orthogonal   the q_k
    pulled       the W q_k
    squares      the d_k > 0
    upper        for each k the r_lk, l < k
    sizes        for each k what roundoff of q_k is relative to: ‖b_k‖ + Σ |r_lk| sizes_l; zeros in an exact field
    """

    weights: Vector
    orthogonal: tuple[Vector, ...] = ()
    pulled: tuple[Vector, ...] = ()
    squares: tuple[Number, ...] = ()
    upper: tuple[tuple[Number, ...], ...] = ()
    sizes: tuple[Number, ...] = ()

    def __len__(self) -> int:
        return len(self.squares)

    def square(self, v: Sequence[Number]) -> Number:
        """Return vᵀ W v."""
        return dot(tuple(map(mul, v, v)), self.weights)

    def rest(self, F: Field, v: Vector) -> tuple[Vector, tuple[Number, ...]]:
        """Return what is left of v beside the columns, and its coordinates on the q_k.

        Exact    yes; rounded numbers are orthogonalised twice, which leaves no trace of the columns
        Cost     2nM multiplications and M divisions, twice that when rounded
        """
        coordinates = self.coordinates(v)
        left = self._without(v, coordinates)
        if not F.exact:
            more = self.coordinates(left)
            left = self._without(left, more)
            coordinates = tuple(a + b for a, b in zip(coordinates, more))
        return left, coordinates

    def coordinates(self, v: Vector) -> tuple[Number, ...]:
        """Return the z_k = q_kᵀ W v/d_k."""
        return tuple(dot(p, v) / d for p, d in zip(self.pulled, self.squares))

    def _without(self, v: Vector, coordinates: Sequence[Number]) -> Vector:
        for q, c in zip(self.orthogonal, coordinates):
            v = Vector.of([a - c * b for a, b in zip(v, q)])
        return v

    def grown(self, F: Field, v: Vector) -> Optional[Columns]:
        """Return the columns with v as one more; None if v depends on them, up to roundoff."""
        left, coordinates = self.rest(F, v)
        d = self.square(left)
        # Premise: what roundoff leaves of a dependent column is about n·eps times the sum of the lengths of what it is
        # a difference of. A q_k that is far shorter than its b_k was has fewer digits than others.
        unit = THRESHOLD * len(v) * F.eps
        size = self.square(v) if F.exact else F.sqrt(self.square(v))
        if not F.exact:
            size = size + sum((abs(c) * s for c, s in zip(coordinates, self.sizes)), 0 * size)
        if not d > unit * unit * size * size:
            return None
        pull = Vector.of(map(mul, left, self.weights))
        return Columns(
            self.weights,
            (*self.orthogonal, left),
            (*self.pulled, pull),
            (*self.squares, d),
            (*self.upper, coordinates),
            (*self.sizes, size),
        )

    def unwound(self) -> list[list[Number]]:
        """Return T = R⁻¹ by rows, unit upper triangular: β = T z turns coordinates on the q_k into those on the b_k."""
        size, one = len(self), self.weights.kind(1)
        rows = [[one * int(i == k) for k in range(size)] for i in range(size)]
        for k in range(size):
            for i in range(k):
                rows[i][k] = -sum(map(mul, rows[i][i:k], self.upper[k][i:k]), 0 * one)
        return rows

    def coefficients(self, coordinates: Sequence[Number]) -> Vector:
        """Return the β with Σ β_k b_k = Σ z_k q_k, by back substitution."""
        beta = list(coordinates)
        for k in range(len(beta) - 1, -1, -1):
            for i, r in enumerate(self.upper[k]):
                beta[i] = beta[i] - r * beta[k]
        return Vector.of(beta)


def independent(F: Field, weights: Vector, columns: Sequence[Vector]) -> tuple[Columns, list[int]]:
    """Return the columns made orthogonal, those that depend on earlier ones left out, and the places of the rest."""
    made = Columns(weights)
    kept: list[int] = []
    for j, column in enumerate(columns):
        grown = made.grown(F, column)
        if grown is not None:
            made, kept = grown, [*kept, j]
    return made, kept
