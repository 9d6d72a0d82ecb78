"""Cholesky factors of matrices given by their lower triangles, which may be singular by roundoff."""

from __future__ import annotations

import math
from collections.abc import Sequence
from operator import mul
from typing import Any

from refclass.linear.vector import inner_product
from refclass.number.field import Field, Number


class Cholesky:
    """A factor A = L Lᵀ of a symmetric matrix given by its lower triangle; A may be singular by roundoff."""

    # Method: a pivot that roundoff has used up is made infinite, so that its unknown becomes zero (S. Wright, 1999).

    def __init__(self, F: Field, lower: Sequence[Sequence[Number]], least: Number) -> None:
        self.dot = inner_product(F.kind)
        self.rows: list[tuple[Number, ...]] = []
        self.squares: list[Number] = []
        self.roots: list[Number] = []
        for i, a in enumerate(lower):
            row = self._half(a[:i])
            square = math.fsum(map(mul, row, row)) if F.kind is float else self.dot(row, row)
            pivot = a[i] - square
            self.rows.append(tuple(row))
            self.squares.append(square)
            self.roots.append(F.sqrt(pivot) if pivot > least * abs(a[i]) else F.kind("inf"))
        self.columns = [[row[k] for row in self.rows[k + 1 :]] for k in range(len(self.rows))]

    def _half(self, b: Sequence[Number]) -> list[Number]:
        t, dot = list[Any](), self.dot
        for v, row, root in zip(b, self.rows, self.roots):
            t.append((v - dot(row, t)) / root)
        return t

    def solve(self, b: Sequence[Number]) -> list[Number]:
        """Return the solution of A x = b."""
        x, dot = list[Any](), self.dot  # from the last unknown to the first
        for v, column, root in zip(reversed(self._half(b)), reversed(self.columns), reversed(self.roots)):
            x.append((v - dot(column, x[::-1])) / root)
        return x[::-1]

    def inverse(self) -> list[list[Number]]:
        """Return the lower triangle of A⁻¹ = L⁻ᵀL⁻¹.

        Cost      n³/3 multiplications
        """
        columns, dot = [], self.dot  # of L⁻¹, from the diagonal on
        for j, root in enumerate(self.roots):
            t = [1 / root]
            for row, below in zip(self.rows[j + 1 :], self.roots[j + 1 :]):
                t.append(-dot(row[j:], t) / below)
            columns.append(t)
        return [[dot(own, t[a - b :]) for b, t in enumerate(columns[: a + 1])] for a, own in enumerate(columns)]
