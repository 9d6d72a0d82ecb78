"""Exact sparse linear systems by p-adic lifting (Dixon 1982) on a sparse elimination modulo p (Markowitz 1957).

The elimination takes at each step an entry in a row and a column of few entries, so that few new ones appear, and it
ends where nothing is left: with as many pivots as the matrix has rank modulo p. Lifting is that of `dixon`, its
products those of sparse rows and sparse triangles.
"""

from __future__ import annotations

from collections.abc import Sequence
from heapq import heapify, heappop, heappush
from typing import NamedTuple

from refclass.linear.exact.dixon import PRIMES, Solution, lifted

SparseRow = dict[int, int]


class Pivot(NamedTuple):
    """A pivot: its row and column, its inverse modulo p, what it was subtracted from, and the rest of its row."""

    row: int
    column: int
    inverse: int
    multiples: list[tuple[int, int]]
    rest: list[tuple[int, int]]


class Elimination:
    """The pivots of a sparse integer matrix modulo a prime p."""

    def __init__(
        self, rows: Sequence[SparseRow], p: int = PRIMES[0], ranks: Sequence[int] = (), row_ranks: Sequence[int] = ()
    ) -> None:
        """Eliminate; columns of a greater rank are taken when no others are left, rows of one only where needed."""
        self.p = p
        self.rows = {i: {j: w for j, v in row.items() if (w := v % p)} for i, row in enumerate(rows)}
        self.columns: dict[int, set[int]] = {}
        for i, row in self.rows.items():
            for j in row:
                self.columns.setdefault(j, set()).add(i)
        self.ranks, self.row_ranks = ranks, row_ranks
        self.pivots: list[Pivot] = []
        queue = [self._rank(j) for j in self.columns]
        heapify(queue)
        while queue:
            entry = heappop(queue)
            j = entry[-1]
            if j not in self.columns or not self.columns[j]:
                continue
            if entry != self._rank(j):
                heappush(queue, self._rank(j))
                continue
            self._eliminate(j)

    def _rank(self, j: int) -> tuple[int, int, int]:
        return (self.ranks[j] if self.ranks else 0, len(self.columns[j]), j)

    def _eliminate(self, c: int) -> None:
        """Take the pivot of column c in the row of fewest entries."""
        p, holders = self.p, self.columns.pop(c)
        r = min(holders, key=lambda i: (self.row_ranks[i] if self.row_ranks else 0, len(self.rows[i]), i))
        holders.discard(r)
        own = self.rows.pop(r)
        inverse = pow(own.pop(c), -1, p)
        rest = list(own.items())
        for j in own:
            self.columns[j].discard(r)
        multiples = []
        for i in holders:
            row = self.rows[i]
            f = row.pop(c) * inverse % p
            multiples.append((i, f))
            for j, v in rest:
                old = row.get(j)
                if old is None:
                    row[j] = -f * v % p
                    self.columns[j].add(i)
                else:
                    new = (old - f * v) % p
                    if new:
                        row[j] = new
                    else:
                        del row[j]
                        self.columns[j].discard(i)
        self.pivots.append(Pivot(r, c, inverse, multiples, rest))

    def solve(self, b: Sequence[int], n: int) -> list[int]:
        """Return y modulo p, zero outside the columns of the pivots, with A y = b in the rows of the pivots.

        Shapes    b: a number for each row; y: n, the number of columns
        """
        p, right, y = self.p, list(b), [0] * n
        for r, _, _, multiples, _ in self.pivots:
            v = right[r] % p
            right[r] = v
            if v:
                for i, f in multiples:
                    right[i] -= f * v
        for r, c, inverse, _, rest in reversed(self.pivots):
            y[c] = (right[r] - sum([v * y[j] for j, v in rest])) * inverse % p
        return y


def solve(rows: Sequence[SparseRow], known: Elimination, b: Sequence[int], n: int) -> Solution:
    """Return integers x and d > 0 with A x = d b in the rows of the pivots, x zero outside their columns.

    Shapes    A: rows, and n columns; b: a number for each row
    Exact     yes
    Cost      for each digit of the solution twice the entries of A, and those of its triangles modulo p

    Example
        >>> rows = [{0: 2}, {0: 4}, {2: 3}]
        >>> solve(rows, Elimination(rows), [1, 2, 1], 3)
        ([3, 0, 2], 6)
    """
    used, columns = [pivot.row for pivot in known.pivots], {pivot.column for pivot in known.pivots}
    pairs = [list(rows[i].items()) for i in used]
    squares = [sum([v * v for j, v in own if j in columns]) for own in pairs]

    def multiplied(x: list[int]) -> list[int]:
        return [sum([v * x[j] for j, v in own]) for own in pairs]

    def remainder(r: list[int]) -> list[int]:
        right = [0] * len(rows)
        for i, v in zip(used, r):
            right[i] = v
        return known.solve(right, n)

    return lifted(multiplied, remainder, squares, [b[i] for i in used], known.p)
