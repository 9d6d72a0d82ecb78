"""The reduced Hessian of decomposition, with an updated Cholesky factor (Gill, Golub, Murray and Saunders 1974).

    ZᵀQZ = L Lᵀ

The columns of Z are directions that keep the sums of the problem (Nocedal and Wright 15.3): a variable rises, and the
reference of its group falls. They are named by their variables; what the curvature is between two of them, the caller
says. Q may be singular, or have a negative eigenvalue, as long as ZᵀQZ has none.

A direction that joins adds a row to L. When one leaves, its row goes, and rotations of the columns after it make L
triangular again; the same rotations keep L⁻¹h up to date. Where a group gets another reference, rows are subtracted
from one another, and L stays triangular. L is kept by rows and by columns, so that both triangular systems are solved
by inner products (see `polar`).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import zip_longest
from typing import Callable, Optional

from refclass.linear.polar import product
from refclass.linear.vector import dot

PIVOT_RTOL = 1e-11  # a pivot below this part of its own diagonal entry counts as zero: digits lost in the curvatures

FARTHEST = 500  # power of two by which vectors are scaled: squares stay within the range of doubles

Curvature = Callable[[int, Sequence[int]], tuple[Sequence[float], float]]


class Factor:
    """The factor of the curvature along some directions.

    curvature  what gives the entries of ZᵀQZ of a direction with others, and with itself
    members    the directions, in the order of the rows of L
    work       multiplications so far
    """

    def __init__(self, curvature: Curvature) -> None:
        self.curvature = curvature
        self.members: list[int] = []
        self.work = 0
        self.rows: list[tuple[float, ...]] = []  # of L, without the diagonal
        self.diagonal: list[float] = []
        self.row_squares: list[float] = []  # squared norms
        self.columns: list[list[float]] = []  # of L, below the diagonal
        self.column_squares: list[float] = []
        self.stale: Optional[int] = None  # the first row to be read off the columns again

    # --- solving ---

    def half(self, b: Sequence[float]) -> list[float]:
        """Return L⁻¹b.

        Cost      m²/2 multiplications
        """
        self._refresh_rows()
        self.work += len(b) ** 2 // 2
        t: list[float] = []
        tt, unit = 0.0, self._unit(b)
        for v, row, square, root in zip(b, self.rows, self.row_squares, self.diagonal):
            w = (unit * v - product(row, square, t, tt)) / root
            t.append(w)
            tt += w * w
        return [w / unit for w in t]

    def back(self, t: Sequence[float]) -> list[float]:
        """Return L⁻ᵀt.

        Cost      m²/2 multiplications
        """
        self.work += len(t) ** 2 // 2
        p: tuple[float, ...] = ()
        pp, unit = 0.0, self._unit(t)
        for k in reversed(range(len(t))):
            w = (unit * t[k] - product(self.columns[k], self.column_squares[k], p, pp)) / self.diagonal[k]
            p = (w, *p)
            pp += w * w
        return [w / unit for w in p]

    def _unit(self, b: Sequence[float]) -> float:
        """Return the power of two that brings a vector to the size of L, where products come from distances."""
        norm = math.hypot(*b)
        if not 0.0 < norm < math.inf:
            return 1.0
        power = math.frexp(self.diagonal[0])[1] - math.frexp(norm)[1]
        return math.ldexp(1.0, max(-FARTHEST, min(power, FARTHEST)))

    # --- updating ---

    def append(self, v: int) -> Optional[list[float]]:
        """Append direction v; if its curvature follows from that of the others, do not, but return its row of L.

        Cost      m²/2 multiplications
        """
        entries, own = self.curvature(v, self.members)
        new = self.half(entries)
        square = dot(new, new)
        if own - square <= PIVOT_RTOL * abs(own):
            return new
        for column, w in zip(self.columns, new):
            column.append(w)
        self.column_squares = [s + w * w for s, w in zip(self.column_squares, new)]
        self.members.append(v)
        self.rows.append(tuple(new))
        self.diagonal.append(math.sqrt(own - square))
        self.row_squares.append(square)
        self.columns.append([])
        self.column_squares.append(0.0)
        return None

    def drop(self, v: int, t: Sequence[float]) -> list[float]:
        """Remove direction v; return L⁻¹h without its entry, given t = L⁻¹h with it.

        Cost      5q²/2 multiplications for q members after it
        """
        k = self.members.index(v)
        for rows in (self.members, self.rows, self.diagonal, self.row_squares, self.column_squares):
            del rows[k]
        for j, column in enumerate(self.columns[:k]):
            gone = column.pop(k - 1 - j)
            self.column_squares[j] = max(0.0, self.column_squares[j] - gone * gone)
        w = self.columns.pop(k)
        self.work += 2 * len(w) ** 2
        t = list(t)
        spare = t.pop(k)
        for j in range(k, len(self.members)):
            first, column, rest = w[0], self.columns[j], w[1:]
            h = math.hypot(self.diagonal[j], first)
            c, s = self.diagonal[j] / h, first / h
            self.diagonal[j] = h
            t[j], spare = c * t[j] + s * spare, c * spare - s * t[j]
            self.columns[j] = [c * a + s * b for a, b in zip(column, rest)]
            w = [c * b - s * a for a, b in zip(column, rest)]
        self.column_squares[k:] = [math.hypot(*column) ** 2 for column in self.columns[k:]]
        self.stale = k if self.stale is None else min(k, self.stale)
        return t

    def rebase(self, v: int, old: int, changes: dict[int, int], t: Sequence[float]) -> list[float]:
        """Make variable v a reference instead of `old`, whose direction takes its place; return L⁻¹h, given t = L⁻¹h.

        changes    for each later member whose direction contains the reference: how often it falls along it

        Cost       k multiplications for each such member, k the place of v, and the norms of k columns
        """
        # Proof: with z_v = e_v − e_old, a direction e_w − e_old becomes e_w − e_v = (e_w − e_old) − z_v, and −z_v takes
        # the place of z_v: rows of L less that of v, which is shorter. To change the sign of the row and of the column
        # of v keeps the diagonal positive.
        k = self.members.index(v)
        self.members[k] = old
        places = [(i, changes[w]) for i, w in enumerate(self.members) if i > k and w in changes]
        for j, column in enumerate(self.columns[: k + 1]):
            own = column[k - 1 - j] if j < k else self.diagonal[k]
            for i, times in places:
                column[i - 1 - j] -= times * own
            if j < k:
                column[k - 1 - j] = -own
        self.columns[k] = [-w for w in self.columns[k]]
        self.column_squares[: k + 1] = [math.hypot(*column) ** 2 for column in self.columns[: k + 1]]
        self.stale = 0
        return [-w if j == k else w for j, w in enumerate(t)]

    def _refresh_rows(self) -> None:
        """Read the rows that are no longer true off the columns."""
        k, self.stale = self.stale, None
        if k is None or k >= len(self.rows):
            return
        # Method: the columns from k on end at the same row, so that turned upside down they begin together.
        ends = list(zip_longest(*[column[::-1] for column in self.columns[k:-1]]))[::-1]
        self.rows[k:] = [row[:k] + end[:q] for q, (row, end) in enumerate(zip(self.rows[k:], [(), *ends]))]
        self.row_squares[k:] = [math.hypot(*row) ** 2 for row in self.rows[k:]]
