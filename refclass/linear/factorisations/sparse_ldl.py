"""Sparse factors A = L D Lᵀ of symmetric quasi-definite matrices, in doubles (George and Liu 1981; Vanderbei 1995).

A quasi-definite matrix, with blocks H > 0 and −G < 0 on its diagonal, has a factor with a diagonal D in every order of
its rows. The order is therefore chosen for sparsity alone: at each step the row of least degree in the graph of what is
left is eliminated. The last rows, once nearly all of them are neighbours of each other, are held as a dense triangle.
The order depends on the pattern alone; matrices of one pattern share it, and each is factored for its numbers.
"""

from __future__ import annotations

from collections.abc import Sequence
from heapq import heapify, heappop, heappush
from typing import NamedTuple

from refclass.linear.vector import dot

DENSE = 4, 5  # share of the rows left that are neighbours of the next one, from which on they are held as dense
BLOCKING = 2.0**200  # in place of a pivot of the wrong sign: the variable then stays where it is (Zhang 1998)

Entries = list[tuple[int, float]]


class Plan(NamedTuple):
    """An order of elimination, and the pattern that it fills.

    order     the rows in the order of their elimination
    place     for each row its place in the order
    below     for each of the first places, the later ones that its column fills, ascending; the others are dense
    """

    order: list[int]
    place: list[int]
    below: list[list[int]]


def plan(neighbours: Sequence[set[int]]) -> Plan:
    """Return the order of least degree and its pattern, for the graph of a symmetric matrix.

    Shapes    neighbours[i]: the places other than i where row i is not zero
    Cost      Σ d² entries of sets united, for sparse columns of d entries in L

    Example
        >>> plan([{2}, {2}, {0, 1}]).order
        [0, 1, 2]
    """
    graph = [set(own) for own in neighbours]
    n, order = len(graph), list[int]()
    left, columns = set(range(n)), list[set[int]]()
    queue = [(len(own), i) for i, own in enumerate(graph)]
    heapify(queue)
    while queue:
        degree, i = heappop(queue)
        own = graph[i]
        if i not in left or degree != len(own):
            continue
        if degree * DENSE[1] >= (len(left) - 1) * DENSE[0]:
            break
        order.append(i)
        columns.append(own)
        left.remove(i)
        for j in own:
            reached = graph[j]
            reached |= own
            reached.discard(i)
            reached.discard(j)
            heappush(queue, (len(reached), j))
    order += sorted(left)
    place = [0] * n
    for k, i in enumerate(order):
        place[i] = k
    return Plan(order, place, [sorted([place[j] for j in own]) for own in columns])


class Factor:
    """A = L D Lᵀ in the order of a plan: sparse columns of L, then the rows of a dense triangle."""

    def __init__(self, known: Plan, lower: Sequence[Entries], positive: int) -> None:
        self.plan, self.positive, self.blocked = known, positive, 0
        self.first = len(known.below)
        self.columns: list[list[float]] = []
        self.pivots: list[float] = []
        dense = self._sparse_part(lower)
        self.rows = self._dense_part(dense)

    def _sparse_part(self, lower: Sequence[Entries]) -> list[list[float]]:
        """Compute the sparse columns, left-looking; return the rows of the upper triangle that is left."""
        place, below, first = self.plan.place, self.plan.below, self.first
        n = len(place)
        work = [float(0)] * n
        entering: list[Entries] = [[] for _ in range(n)]  # the entries of A on and below the diagonal, by column
        for i, row in enumerate(lower):
            a = place[i]
            for j, v in row:
                b = place[j]
                entering[min(a, b)].append((max(a, b), v))
        reaching: list[list[tuple[int, int]]] = [[] for _ in range(first)]  # earlier columns, and where they arrive
        dense = [[float(0)] * (n - k) for k in range(first, n)]
        for k in range(first):
            for i, v in entering[k]:
                work[i] += v
            for j, at in reaching[k]:
                own, pattern = self.columns[j], below[j]
                f = own[at] * self.pivots[j]
                for i, v in zip(pattern[at:], own[at:]):
                    work[i] -= f * v
                if at + 1 < len(pattern) and pattern[at + 1] < first:
                    reaching[pattern[at + 1]].append((j, at + 1))
                else:
                    self._spread(dense, j, at + 1)
            pivot, pattern = self._pivot(k, work[k]), below[k]
            work[k] = float(0)
            self.pivots.append(pivot)
            self.columns.append([work[i] / pivot for i in pattern])
            for i in pattern:
                work[i] = float(0)
            if pattern and pattern[0] < first:
                reaching[pattern[0]].append((k, 0))
            else:
                self._spread(dense, k, 0)
        for k in range(first, n):
            target = dense[k - first]
            for i, v in entering[k]:
                target[i - k] += v
        return dense

    def _spread(self, dense: list[list[float]], j: int, at: int) -> None:
        """Subtract the outer product of the end of a column from the dense triangle."""
        pattern, own, pivot = self.plan.below[j][at:], self.columns[j][at:], self.pivots[j]
        for a, (k, v) in enumerate(zip(pattern, own)):
            target, f = dense[k - self.first], v * pivot
            for i, w in zip(pattern[a:], own[a:]):
                target[i - k] -= f * w

    def _dense_part(self, left: list[list[float]]) -> list[list[float]]:
        """Return the rows of Lᵀ beyond the diagonal, for the upper triangle left."""
        rows = []
        for k, row in enumerate(left):
            pivot, rest = self._pivot(k + self.first, row[0]), row[1:]
            self.pivots.append(pivot)
            for i, c in enumerate(rest):
                if c:
                    f, place = c / pivot, k + 1 + i
                    left[place] = [a - f * b for a, b in zip(left[place], rest[i:])]
            rows.append([c / pivot for c in rest])
        return rows

    def _pivot(self, k: int, found: float) -> float:
        """Return the pivot, or, where cancellation has left nothing of its sign, one that holds its variable."""
        sign = 1 if self.plan.order[k] < self.positive else -1
        if found * sign > 0:
            return found
        self.blocked += 1
        return sign * BLOCKING

    def solve(self, b: Sequence[float]) -> list[float]:
        """Return x with A x = b.

        Cost      twice the entries of L
        """
        y = [b[i] for i in self.plan.order]
        first, below = self.first, self.plan.below
        for k, own in enumerate(self.columns):
            f = y[k]
            if f:
                for i, v in zip(below[k], own):
                    y[i] -= f * v
        tail = y[first:]
        for k, row in enumerate(self.rows):
            f = tail[k]
            if f:
                tail[k + 1 :] = [a - f * v for a, v in zip(tail[k + 1 :], row)]
        tail = [v / d for v, d in zip(tail, self.pivots[first:])]
        for k in range(len(tail) - 1, -1, -1):
            tail[k] -= dot(self.rows[k], tail[k + 1 :])
        y = [v / d for v, d in zip(y[:first], self.pivots)] + tail
        for k in range(first - 1, -1, -1):
            own = self.columns[k]
            y[k] -= sum([v * y[i] for i, v in zip(below[k], own)])
        x = [float(0)] * len(y)
        for i, v in zip(self.plan.order, y):
            x[i] = v
        return x


def factor(known: Plan, lower: Sequence[Entries], positive: int) -> Factor:
    """Return the factor of a quasi-definite matrix whose pattern the plan was made for.

    Shapes    lower[i]: entries (j, Aᵢⱼ) with j ≤ i, the diagonal among them; positive: the number of rows of H, which
              come first
    Cost      Σ d²/2 multiplications, and a few d more, for columns of d entries in L

    Example
        >>> A = [[(0, 2.0)], [(0, 1.0), (1, -1.0)]]
        >>> factor(plan([{1}, {0}]), A, 1).solve([3.0, 0.0])
        [1.0, 1.0]
    """
    return Factor(known, lower, positive)
