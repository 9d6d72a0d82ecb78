"""Labelled observations: the sample, the blocks of its classes, and units in which squares stay within their range.

Throughout: n observations in p variables, K classes in the order of `classes`, g(i) the class number of observation i.
A double of 10^−160 has no square. Divided by a power of two near its column's size it has, and nothing is rounded.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import hypot
from typing import Any, Optional

from refclass.errors import InvalidInput
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Rounded, Vector
from refclass.number.field import Number, rational
from refclass.number.tolerance import magnitude

FEW = Fraction(1, 2**100)  # what is larger, and smaller than its inverse, has fourth powers, and products of these
LEAST = Fraction(1, 2**490)  # the same for squares alone


@dataclass(frozen=True)
class Block:
    """Observations of one kind by columns, because moments are sums down the columns.

    columns    p columns of n numbers (tuples: a dot product of two tuples is one loop in C)
    weights    n numbers
    given      the columns that these were rounded from, None where nothing was
    """

    columns: tuple[tuple[Number, ...], ...]
    weights: Vector
    given: Optional[tuple[tuple[Fraction, ...], ...]] = None

    @classmethod
    def of(cls, rows: Sequence[Vector], weights: Vector) -> Block:
        """Return the observations of some rows."""
        given = tuple(zip(*[x.exactly() for x in rows])) if Rounded in set(map(type, rows)) else None
        return cls(tuple(zip(*rows)), weights, given)

    def less(self, j: int, c: Number) -> tuple[Number, ...]:
        """Return xᵢⱼ − c, from the numbers that doubles were rounded from: far from zero these have more digits.

        Equal numbers do not differ from their own value in doubles: what rounding takes off it is no variance.
        """
        if self.given is None or (self.columns[j].count(c) == len(self.columns[j]) and len(set(self.given[j])) == 1):
            return tuple([v - c for v in self.columns[j]])
        kind, exact = type(c), rational(c)
        away = [v - exact for v in self.given[j]]
        return tuple([float(v) if kind is float else kind(v.numerator) / v.denominator for v in away])

    @cached_property
    def size(self) -> Number:
        """The sum of the weights: the number of observations, copies counted."""
        return self.weights.sum()

    @cached_property
    def plain(self) -> bool:
        """Whether every weight is one."""
        return set(self.weights) == {1}

    def weighted(self, column: tuple[Number, ...]) -> tuple[Number, ...]:
        """Return the column times the weights, entry by entry."""
        return column if self.plain else self.weights.times(Vector.of(column))


@dataclass(frozen=True)
class Sample:
    """Labelled observations.

    X          n × p
    labels     n class numbers 0 … K−1
    classes    the K labels, sorted where they can be compared, else in order of appearance
    weights    n numbers ≥ 0: an integer weight w stands for w copies of the observation
    """

    X: Matrix
    labels: tuple[int, ...]
    classes: tuple[Hashable, ...]
    weights: Vector

    @property
    def n(self) -> int:
        """The number of observations."""
        return len(self.labels)

    @property
    def p(self) -> int:
        """The number of variables."""
        return len(self.X[0])

    @property
    def K(self) -> int:
        """The number of classes."""
        return len(self.classes)

    @property
    def kind(self) -> Any:
        """The type of the numbers."""
        return self.X.kind

    @cached_property
    def blocks(self) -> tuple[Block, ...]:
        """The observations of each class, in class order.

        Raises    InvalidInput for a class without observations (one that was left out)
        """
        rows, first = self._parts(self.X), self.weights[0]
        alike = self.weights.count(first) == self.n
        weights = [[first] * len(part) for part in rows] if alike else self._parts(self.weights)
        for k, name in enumerate(self.classes):
            if not any(weights[k]):
                raise InvalidInput("sample", need="an observation in every class", got="none", label=name)
        return tuple(Block.of(r, Vector.of(w)) for r, w in zip(rows, weights))

    def _parts(self, values: Sequence[Any]) -> list[list[Any]]:
        """Return one value for each observation by its class."""
        found: list[list[Any]] = [[] for _ in self.classes]
        append = [part.append for part in found]
        for v, g in zip(values, self.labels):
            append[g](v)
        return found

    @cached_property
    def whole(self) -> Block:
        """All observations, in their order."""
        return Block.of(self.X, self.weights)

    def members(self, k: int) -> list[int]:
        """Return the numbers of the observations of class k."""
        return [i for i, g in enumerate(self.labels) if g == k]

    def without(self, i: int) -> Sample:
        """Return the sample without observation i; the classes stay, even one that becomes empty."""
        keep = [j for j in range(self.n) if j != i]
        return Sample(
            Matrix.of([self.X[j] for j in keep]),
            tuple(self.labels[j] for j in keep),
            self.classes,
            Vector.of([self.weights[j] for j in keep]),
        )


def spread_out(sample: Sample, most: Number) -> bool:
    """Return whether a column has a range in which the digits by which most of its values differ are lost.

    Equations that hold to all digits of a value far from the others say nothing of these. What values differ by is the
    median of the differences of neighbours, times their number: about the range, where none is far.

    most    the ratio of the range to that, above which digits are lost
    """
    for column in zip(*sample.X):
        values = sorted(set(column))
        steps = sorted([b - a for a, b in zip(values, values[1:])])
        if steps and values[-1] - values[0] > most * len(steps) * steps[(len(steps) - 1) // 2]:
            return True
    return False


def units(columns: Sequence[Sequence[Number]]) -> Vector:
    """Return for each column a power of the base near its largest number, 1 where that is neither tiny nor huge.

    Exact     yes: only doubles have units other than 1
    Raises    InvalidInput, naming the column, for an infinite number

    Example
        >>> [u > 1e100 for u in units([[1.0, -2.0], [1e200, 3.0]])]
        [False, True]
    """
    found = []
    for j, column in enumerate(columns):
        size = max(map(abs, column))
        if size - size != 0:
            raise InvalidInput("data", need="columns whose differences are doubles", got="one beyond them", column=j)
        extreme = type(size) is float and size and not FEW <= size <= 1 / FEW
        found.append(magnitude(size) if extreme else type(size)(1))
    return Vector.of(found)


def representable(sample: Sample, name: str) -> None:
    """Raises InvalidInput, naming a column whose variances leave the range of doubles, above or below."""
    if sample.kind is not float:
        return
    for j, first in enumerate(sample.X[0]):
        parts = [block.columns[j] for block in sample.blocks]
        # Proof: the norm of n numbers is between their largest size M and √n times that, the spread at most 2M, and at
        # least 2^−53 M, as far as M is from the next double, unless it is zero.
        norm = hypot(*[hypot(*part) for part in parts])
        if LEAST * 2**53 * sample.n <= norm <= 1 / LEAST / 2:
            continue
        spread = max(map(max, parts)) - min(map(min, parts))
        if spread and not LEAST <= spread <= 1 / LEAST:
            need = "columns whose squares are within the range of doubles (scale them, or use exact arithmetic)"
            raise InvalidInput(name, need=need, got=f"a spread of {spread:.3g}", column=j)
        if not spread and abs(first) > 1 / LEAST:
            raise InvalidInput(name, need="columns whose squares are doubles", got=first, column=j)


def rounded_column(X: Matrix, part: int) -> Optional[int]:
    """Return the first column rounded by more than 1/part of what it varies by, as it was given; None without one."""
    if Rounded not in set(map(type, X)):
        return None
    for j, (held, given) in enumerate(zip(zip(*X), zip(*X.exactly()))):
        spread = max(given) - min(given)
        if part * max(abs(rational(v) - u) for v, u in zip(held, given)) > spread > 0:
            return j
    return None


def rounded_gaps(X: Matrix, part: int) -> bool:
    """Return whether reading rounds a column by more than 1/part of the least distance of two of its numbers."""
    if Rounded not in set(map(type, X)):
        return False
    for held, given in zip(zip(*X), zip(*X.exactly())):
        ordered = sorted(set(given))
        least = min((b - a for a, b in zip(ordered, ordered[1:])), default=None)
        if least is not None and part * max(abs(rational(v) - u) for v, u in zip(held, given)) > least:
            return True
    return False
