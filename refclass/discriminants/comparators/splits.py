"""Splits of labelled points in two, by one variable or by a linear combination, judged by Gini's index.

    quality = S_L/n_L + S_R/n_R,    S = Σₖ nₖ²        the larger, the purer: n(1 − Σ (nₖ/n)²) is n − S/n on each side

Numbers of points are integers (weights, brought to whole numbers), so that qualities are compared beyond doubt in every
arithmetic. Equal ones: the first variable counts, then the lowest threshold.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Optional

from refclass.linear.vector import Vector, dot
from refclass.number.field import Number

HELD = 500  # bits of a sum of weights that a double holds, times a number

Quality = tuple[int, int]  # a fraction of integers: numerator, denominator > 0


@dataclass(frozen=True)
class Points:
    """Labelled points with whole numbers for weights.

    columns    p columns of n numbers
    labels     n class numbers
    counts     n integers > 0
    K          the number of classes
    """

    columns: tuple[tuple[Number, ...], ...]
    labels: tuple[int, ...]
    counts: tuple[int, ...]
    K: int

    @cached_property
    def totals(self) -> list[int]:
        """The numbers of points of each class."""
        return totals(self, range(len(self.labels)))

    def pick(self, places: Sequence[int]) -> Points:
        """Return the points at the places."""
        columns = tuple(tuple(map(column.__getitem__, places)) for column in self.columns)
        return Points(columns, tuple(self.labels[i] for i in places), tuple(self.counts[i] for i in places), self.K)


@dataclass(frozen=True)
class Split:
    """Points with a·x ≤ c go left, the others right.

    variable     j, where a is the j-th unit vector, else None
    direction    a, where it is not
    threshold    c
    """

    variable: Optional[int]
    direction: Optional[Vector]
    threshold: Number

    def left(self, x: Vector) -> bool:
        """Return whether x goes left.

        Exact     yes
        """
        value = self.direction @ x if self.direction is not None else x[self.variable or 0]
        return bool(value <= self.threshold)


def totals(points: Points, places: Sequence[int]) -> list[int]:
    """Return the numbers of points of each class among the places."""
    found = [0] * points.K
    for i in places:
        found[points.labels[i]] += points.counts[i]
    return found


def better(a: Quality, b: Quality) -> bool:
    """Return whether a quality is above another."""
    return a[0] * b[1] > b[0] * a[1]


def quality(points: Points, left: Sequence[bool]) -> Optional[Quality]:
    """Return the quality of a split that sends these points left; None if one side is empty.

    Exact     yes
    """
    here = totals(points, [i for i, l in enumerate(left) if l])  # noqa: E741
    there = [t - h for t, h in zip(points.totals, here)]
    n, m = sum(here), sum(there)
    if not n or not m:
        return None
    return sum(c * c for c in here) * m + sum(c * c for c in there) * n, n * m


def sweep(
    points: Points, values: Mapping[int, Number], start: Sequence[bool], least: int = 1
) -> Iterator[tuple[Quality, Number]]:
    """Yield the splits that are met when points change sides one after the other, at the values they have.

    start[i] says whether point i is left before its value is passed; points without a value stay. With each quality
    comes a number between the last value passed and the next, another one; sides hold at least `least` points.

    Exact     yes
    Cost      a sort, and seven multiplications of integers for each point
    """
    order = sorted(values, key=values.__getitem__)
    here = totals(points, [i for i, l in enumerate(start) if l])  # noqa: E741
    there = [t - h for t, h in zip(points.totals, here)]
    n, m = sum(here), sum(there)
    S, T = sum(c * c for c in here), sum(c * c for c in there)
    for i, following in zip(order, order[1:]):
        g, w = points.labels[i], -points.counts[i] if start[i] else points.counts[i]
        S, T = S + w * (2 * here[g] + w), T - w * (2 * there[g] - w)
        here[g], there[g] = here[g] + w, there[g] - w
        n, m = n + w, m - w
        if n >= least and m >= least and values[i] != values[following]:
            yield (S * m + T * n, n * m), between(values[i], values[following])


def by_variable(points: Points, least: int = 1) -> Optional[tuple[Quality, Split]]:
    """Return the best split by one variable; None if no variable separates any points  [CMP-CART].

    The threshold lies half-way between two values, so that a monotone transform of a variable changes no side.

    Exact     yes
    """
    best: Optional[tuple[Quality, Split]] = None
    nobody = [False] * len(points.labels)
    for j, column in enumerate(points.columns):
        found = _best(sweep(points, dict(enumerate(column)), nobody, least))
        if found is not None and (best is None or better(found[0], best[0])):
            best = found[0], Split(j, None, found[1])
    return best


def _best(found: Iterator[tuple[Quality, Number]]) -> Optional[tuple[Quality, Number]]:
    best: Optional[tuple[Quality, Number]] = None
    for candidate in found:
        if best is None or better(candidate[0], best[0]):
            best = candidate
    return best


def between(a: Number, b: Number) -> Number:
    """Return the middle of a < b, or a where it is rounded to b."""
    middle = (a + b) / 2
    return middle if a <= middle < b else a


def by_combination(points: Points, least: int = 1) -> Optional[tuple[Quality, Split]]:
    """Return a split by a linear combination, never worse than the best one by a variable  [CMP-CART-LC].

    From that one, coefficient after coefficient is given its best value, the line turning about the mean of the points
    of the node, and the threshold its best place, until a round through all of them gains nothing: a local optimum. A
    better one may exist; finding the best of all is not a matter of sweeps.

    Exact     yes, with fractions that grow
    Cost      for each round p + 1 sweeps
    """
    start = by_variable(points, least)
    if start is None or len(points.columns) == 1:
        return start
    found, split = start
    kind = type(points.columns[0][0])
    a, c = Vector.unit(len(points.columns), split.variable or 0, kind), split.threshold
    gained = True
    while gained:
        gained = False
        for j in range(len(points.columns) + 1):
            tried = _turned(points, a, c, j, least) if j < len(points.columns) else _moved(points, a, least)
            if tried is not None and better(tried[0], found):
                (found, a, c), gained = tried, True
    return (found, Split(None, a, c)) if better(found, start[0]) else start


Line = tuple[Quality, Vector, Number]


def _values(points: Points, a: Vector) -> list[Number]:
    return [dot(a, x) for x in zip(*points.columns)]


def _turned(points: Points, a: Vector, c: Number, j: int, least: int) -> Optional[Line]:
    """Return the line with the best coefficient of variable j."""
    column = points.columns[j]
    mean = _mean(points.counts, column)
    # Method: with vᵢ = a·xᵢ − c and dᵢ = x_ij − mean, point i is left at a step δ iff vᵢ + δdᵢ ≤ 0: up to δ = −vᵢ/dᵢ
    # if dᵢ > 0, from there on if dᵢ < 0. One sweep over these δ meets every split that the coefficient can make.
    away = [(v - c, x - mean) for v, x in zip(_values(points, a), column)]
    turns = {i: -v / d for i, (v, d) in enumerate(away) if d != 0}
    found = _best(sweep(points, turns, [d > 0 or (d == 0 and v <= 0) for v, d in away], least))
    if found is None:
        return None
    delta = found[1]
    return _line(points, a + delta * Vector.unit(len(a), j, type(delta)), c + delta * mean, least)


def _mean(counts: Sequence[int], column: Sequence[Number]) -> Number:
    total = sum(counts)
    if type(column[0]) is float and total.bit_length() > HELD:  # Premise: Python divides integers of any length
        return sum(w / total * v for w, v in zip(counts, column))
    return sum(w * v for w, v in zip(counts, column)) / total


def _moved(points: Points, a: Vector, least: int) -> Optional[Line]:
    """Return the line with the best threshold."""
    values = _values(points, a)
    found = _best(sweep(points, dict(enumerate(values)), [False] * len(values), least))
    return None if found is None else _line(points, a, found[1], least)


def _line(points: Points, a: Vector, c: Number, least: int) -> Optional[Line]:
    # Premise: where a and c were rounded, points on the line may have changed sides; what counts is where they are.
    left = [v <= c for v in _values(points, a)]
    reached = quality(points, left)
    size = sum(w for w, l in zip(points.counts, left) if l)  # noqa: E741
    return (reached, a, c) if reached is not None and least <= size <= sum(points.counts) - least else None
