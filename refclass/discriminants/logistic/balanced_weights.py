"""Balanced weights on pairs of classes: the proof that no hyperplane separates them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from operator import mul
from typing import Optional

from refclass.linear.exact import fraction_free
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector, dot
from refclass.number.field import Number, rational

Pair = tuple[int, int]  # a point i and a class l that is not its own


Weights = dict[Pair, Fraction]


@dataclass(frozen=True)
class Problem:
    """Labelled points over the integers.

    points    n points (s₀, s₁x₁, …, s_p x_p), the scales sⱼ > 0 the same for all
    scales    s₀ … s_p
    labels    n class numbers
    K         the number of classes
    """

    points: tuple[tuple[int, ...], ...]
    scales: tuple[int, ...]
    labels: tuple[int, ...]
    K: int

    def pairs(self) -> list[Pair]:
        """Return all pairs (i, l)."""
        return [(i, k) for i, g in enumerate(self.labels) for k in range(self.K) if k != g]

    def row(self, pair: Pair) -> list[int]:
        """Return (e_g(i) − eₗ) ⊗ (1, xᵢ), without the block of the first class: its direction is zero."""
        i, other = pair
        q = len(self.scales)
        entries = [0] * (q * (self.K - 1))
        for k, s in ((self.labels[i], 1), (other, -1)):
            if k:
                entries[(k - 1) * q : k * q] = [s * v for v in self.points[i]]
        return entries


def balanced(asked: Problem, P: Sequence[Sequence[Number]]) -> Optional[Weights]:
    """Return weights that prove overlap, near to approximate posteriors P whose score equations nearly hold, or None.

    At a maximum of the likelihood Σ Pᵢₗ (e_g(i) − eₗ) ⊗ (1, xᵢ) = 0. What is missing in each class in turn is moved to
    another one, along a tree of the classes that overlap most, by changing the weights of p + 1 points, exactly.

    Exact     yes: what is returned balances with ==. None decides nothing
    Cost      n·K·(p + 1) multiplications, K − 1 systems of p + 1 equations, all of integers
    """
    units = {(i, k): int(rational(P[i][k]) * UNIT) + 1 for i, k in asked.pairs()}
    u = {pair: Fraction(v, UNIT) for pair, v in units.items()}
    missing = _missing(asked, units)
    for a, b in _leaves_first(asked, units):
        chosen = _independent(asked, units, a, b)
        if chosen is None:
            return None
        system = Matrix([[Fraction(s * asked.points[i][j]) for i, _, s in chosen] for j in range(len(asked.scales))])
        changes = fraction_free.solve(system, Vector([-v for v in missing[a]]))
        for (i, k, _), change in zip(chosen, changes):
            u[i, k] += change
            if u[i, k] <= 0:
                return None
        missing[b] = [x + y for x, y in zip(missing[b], missing[a])]
    return u


UNIT = 1 << 80  # the weights begin as multiples of its inverse


LOOKED_AT = 10  # how many points are looked at, for each equation


NOTHING = 10**24  # whatever is smaller than its inverse


def _missing(asked: Problem, units: dict[Pair, int]) -> list[list[Fraction]]:
    """Return Σ uᵢₗ (e_g(i) − eₗ) ⊗ (1, xᵢ), class by class."""
    signed = [[0] * len(asked.points) for _ in range(asked.K)]
    for (i, k), weight in units.items():
        signed[asked.labels[i]][i] += weight
        signed[k][i] -= weight
    columns = list(zip(*asked.points))
    return [[Fraction(sum(map(mul, row, column)), UNIT) for column in columns] for row in signed]


def _leaves_first(asked: Problem, units: dict[Pair, int]) -> list[Pair]:
    """Return the edges (class, where what it misses is moved to) of a tree of largest overlaps, leaves first."""
    overlap = [[0] * asked.K for _ in range(asked.K)]
    for (i, k), weight in units.items():
        g = asked.labels[i]
        overlap[g][k] += weight
        overlap[k][g] += weight
    reached, edges = [0], []
    while len(reached) < asked.K:
        left = [k for k in range(asked.K) if k not in reached]
        a, b = max(((k, j) for k in left for j in reached), key=lambda edge: overlap[edge[0]][edge[1]])
        reached.append(a)
        edges.append((a, b))
    return edges[::-1]


def _independent(asked: Problem, units: dict[Pair, int], a: int, b: int) -> Optional[list[tuple[int, int, int]]]:
    """Return p + 1 triples (i, l, ±1) of classes a and b whose points are linearly independent, or None.

    The pair (i, l) enters class a's sum with that sign.
    """
    # Method: pivoted Gram-Schmidt in doubles, on the points of largest weight, times their weights. Any independent
    # points will do: the system that follows is solved exactly.
    pool = [(i, b, 1) for i, g in enumerate(asked.labels) if g == a]
    pool += [(i, a, -1) for i, g in enumerate(asked.labels) if g == b]
    pool.sort(key=lambda name: -units[name[:2]])
    scale = [max(map(abs, column)) or 1 for column in zip(*asked.points)]
    left = []
    for i, k, t in pool[: LOOKED_AT * len(scale)]:
        weight = units[i, k] / UNIT
        left.append(([weight * (v / s) for v, s in zip(asked.points[i], scale)], (i, k, t)))
    chosen: list[tuple[int, int, int]] = []
    for _ in scale:
        row, place = max(left, key=lambda entry: dot(entry[0], entry[0]))
        square = dot(row, row)
        if square * NOTHING < 1:
            return None
        chosen.append(place)
        lengths = [dot(row, other) / square for other, _ in left]
        left = [([v - c * w for v, w in zip(other, row)], name) for c, (other, name) in zip(lengths, left)]
    return chosen
