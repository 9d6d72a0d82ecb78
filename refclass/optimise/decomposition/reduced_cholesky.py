"""The free variables of a machine's problem, with an updated factor of their curvature.

    Q_FF + shift 11ᵀ = L Lᵀ

Where the sum of the variables is kept, the shift changes nothing, as pᵀ1 = 0 for every motion p. But it makes the
matrix positive definite as soon as Q is so for those motions, even if Q_FF itself is singular (a linear kernel), or has
a negative eigenvalue (a sigmoid kernel), provided the shift is large enough: it is raised when it turns out too small.
Without the sum there is no shift.

A variable that joins adds a row to L. When one leaves, its row goes, and rotations of the columns after it make L
triangular again; the same rotations keep L⁻¹h up to date. L is kept by rows and by columns, so that both triangular
systems are solved by inner products (see `polar`).
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from itertools import zip_longest
from typing import Callable, Optional

from refclass.linear.polar import product
from refclass.linear.vector import dot

SINGULAR = 1e-11  # a pivot below this part of its own diagonal entry counts as zero
HIGHER, LARGEST = 16.0, 1e5  # how much larger the shift becomes when it is too small, and how much in all
CROWD = 8  # if more than one in so many of the rows leave, it is cheaper to build the rows up again

Row = Callable[[int], Sequence[float]]


class Face:
    """The factor of the curvature of some variables.

    members    the variables, in the order of the rows of L
    ones       L⁻¹1
    """

    def __init__(self, row: Row, shift: float) -> None:
        self.row, self.shift, self.largest = row, shift, LARGEST * shift
        self.members: list[int] = []
        self.ones: list[float] = []
        self.rows: list[tuple[float, ...]] = []  # of L, without the diagonal
        self.roots: list[float] = []  # the diagonal
        self.squares: list[float] = []  # the squared norms of the rows
        self.columns: list[list[float]] = []  # of L, below the diagonal
        self.column_squares: list[float] = []
        self.stale: Optional[int] = None  # the first row to be read off the columns again

    # -- where to go

    def half(self, b: Sequence[float]) -> list[float]:
        """Return L⁻¹b.

        Cost      m²/2 multiplications
        """
        self._freshen()
        t: list[float] = []
        tt = 0.0
        for v, row, square, root in zip(b, self.rows, self.squares, self.roots):
            w = (v - product(row, square, t, tt)) / root
            t.append(w)
            tt += w * w
        return t

    def back(self, t: Sequence[float]) -> list[float]:
        """Return L⁻ᵀt.

        Cost      m²/2 multiplications
        """
        p: tuple[float, ...] = ()
        pp = 0.0
        for k in reversed(range(len(t))):
            w = (t[k] - product(self.columns[k], self.column_squares[k], p, pp)) / self.roots[k]
            p = (w, *p)
            pp += w * w
        return list(p)

    def motion(self, t: Sequence[float]) -> list[float]:
        """Return the motion p = L⁻ᵀt, or the nearest with Σ pᵢ = 0 where the sum is kept.

        Cost      m²/2 multiplications
        """
        if not self.shift:
            return self.back(t)
        c = dot(self.ones, t) / dot(self.ones, self.ones)
        p = self.back([v - c * w for v, w in zip(t, self.ones)])
        p[0] -= sum(p)
        return p

    # -- variables come and go

    def raise_shift(self) -> None:
        """Make the shift larger, and build the factor up again."""
        members, self.shift = list(self.members), HIGHER * self.shift
        self.without(members)
        for i in members:
            self.append(i)

    def append(self, i: int) -> Optional[list[float]]:
        """Take in variable i; if its curvature follows from that of the others, do not, but return its row of L.

        Cost      m²/2 multiplications
        """
        entries, shift = self.row(i), self.shift
        new = self.half([entries[j] + shift for j in self.members])
        diagonal, square = entries[i] + shift, dot(new, new)
        if diagonal - square < -SINGULAR * abs(diagonal) and 0.0 < shift < self.largest:
            self.raise_shift()
            return self.append(i)
        if diagonal - square <= SINGULAR * abs(diagonal):
            return new
        root = math.sqrt(diagonal - square)
        for column, v in zip(self.columns, new):
            column.append(v)
        self.column_squares = [s + v * v for s, v in zip(self.column_squares, new)]
        self.ones.append((1.0 - dot(new, self.ones)) / root)
        self.members.append(i)
        self.rows.append(tuple(new))
        self.roots.append(root)
        self.squares.append(square)
        self.columns.append([])
        self.column_squares.append(0.0)
        return None

    def drop(self, i: int, t: list[float]) -> list[float]:
        """Let member i leave; return L⁻¹h without its entry, given t = L⁻¹h with it.

        Cost      2q² multiplications for q members after it
        """
        k = self.members.index(i)
        for rows in (self.members, self.rows, self.roots, self.squares, self.column_squares):
            del rows[k]
        for j, column in enumerate(self.columns[:k]):
            gone = column.pop(k - 1 - j)
            self.column_squares[j] = max(0.0, self.column_squares[j] - gone * gone)
        w = self.columns.pop(k)
        t, ones = list(t), self.ones
        spare, one = t.pop(k), ones.pop(k)
        for j in range(k, len(self.members)):
            first, column, rest = w[0], self.columns[j], w[1:]
            h = math.hypot(self.roots[j], first)
            c, s = self.roots[j] / h, first / h
            self.roots[j] = h
            t[j], spare = c * t[j] + s * spare, c * spare - s * t[j]
            ones[j], one = c * ones[j] + s * one, c * one - s * ones[j]
            self.columns[j] = [c * a + s * b for a, b in zip(column, rest)]
            w = [c * b - s * a for a, b in zip(column, rest)]
        self.column_squares[k:] = [math.hypot(*column) ** 2 for column in self.columns[k:]]
        self.stale = k if self.stale is None else min(k, self.stale)
        return t

    def _freshen(self) -> None:
        """Read the rows that are no longer true off the columns."""
        k, self.stale = self.stale, None
        if k is None or k >= len(self.rows):
            return
        # Method: the columns from k on end at the same row, so that turned upside down they begin together.
        ends = list(zip_longest(*[column[::-1] for column in self.columns[k:-1]]))[::-1]
        self.rows[k:] = [row[:k] + end[:q] for q, (row, end) in enumerate(zip(self.rows[k:], [(), *ends]))]
        self.squares[k:] = [math.hypot(*row) ** 2 for row in self.rows[k:]]

    def settle(self, free: Sequence[int]) -> None:
        """Hold these variables, as far as the curvature of each does not follow from the others'.

        The last are those whose going is cheapest.
        """
        wanted = set(free)
        self.without([i for i in self.members if i not in wanted])
        known = set(self.members)
        for i in free:
            if i not in known:
                self.append(i)

    def without(self, gone: Iterable[int]) -> None:
        """Let members leave."""
        out = set(gone)
        first = next((k for k, i in enumerate(self.members) if i in out), len(self.members))
        if CROWD * len(out) <= len(self.members) - first:
            for i in out:
                self.drop(i, [0.0] * len(self.members))
            return
        self._freshen()
        later = [i for i in self.members[first:] if i not in out]
        for rows in (self.members, self.ones, self.rows, self.roots, self.squares, self.columns, self.column_squares):
            del rows[first:]
        for k, column in enumerate(self.columns):
            del column[first - 1 - k :]
        self.column_squares = [math.hypot(*column) ** 2 for column in self.columns]
        for i in later:
            self.append(i)
