"""Cholesky factors of matrices given by their lower triangles: singular by roundoff, or of many rows."""

from __future__ import annotations

import math
from collections.abc import Sequence
from operator import mul
from typing import Any

from refclass.linear.polar import IN_C
from refclass.linear.vector import dot, inner_product
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


class Triangle:
    """The factor of a matrix given by its lower triangle, scaled to a diagonal of ones; products from distances.

    Cost      n³/6 multiplications; a system n²
    Raises    ArithmeticError where a pivot has no digits
    """

    # Proof: no row of the factor is longer than 1, so that products from distances err by roundoff of 1 (`polar`).

    def __init__(self, lower: Sequence[Sequence[float]]) -> None:
        self.units = [1 / math.sqrt(a[i]) for i, a in enumerate(lower)]
        self.rows: list[tuple[tuple[float, ...], float, float]] = []
        for a, unit in zip(lower, self.units):
            row, square = self.below([unit * v * u for v, u in zip(a, self.units)][: len(self.rows)])
            if not square < 1:
                raise ArithmeticError("a pivot without digits")
            self.rows.append((tuple(row), square, math.sqrt(1 - square)))
        plain = [row for row, _, _ in self.rows]
        columns = [tuple([row[k] for row in plain[:k:-1]]) for k in range(len(plain))]
        self.columns = [(c, dot(c, c), root) for c, (_, _, root) in zip(columns, self.rows)][::-1]

    def below(self, b: Sequence[float]) -> tuple[list[float], float]:
        """Return the solution of the first equations, and its squared norm."""
        return _substituted(b, self.rows)

    def solve(self, b: Sequence[float]) -> list[float]:
        """Return the solution of the system."""
        return self.back(self.half(b))

    def half(self, b: Sequence[float]) -> list[float]:
        """Return L⁻¹b."""
        size = math.hypot(*b) or 1.0
        return [size * v for v in self.below([v * unit / size for v, unit in zip(b, self.units)])[0]]

    def back(self, t: Sequence[float]) -> list[float]:
        """Return L⁻ᵀt."""
        size = math.hypot(*t) or 1.0
        x = _substituted([v / size for v in reversed(t)], self.columns)[0]
        return [size * v * unit for v, unit in zip(reversed(x), self.units)]


Row = tuple[tuple[float, ...], float, float]  # entries beside the diagonal, their squared norm, the diagonal entry


def _substituted(b: Sequence[float], rows: Sequence[Row]) -> tuple[list[float], float]:
    x: list[float] = []
    xx = 0.0
    for v, (row, square, root) in zip(b, rows):
        if IN_C:
            d = math.dist(row, x)
            w = (v - (square + xx - d * d) / 2) / root
        else:
            w = (v - dot(row, x)) / root
        x.append(w)
        xx += w * w
    return x, xx
