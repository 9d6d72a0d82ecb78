"""Rows of a matrix, combined and restricted: the products that solvers of the box problem need."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence
from itertools import islice
from operator import itemgetter
from typing import Any

from refclass.linear.combination import total as combined
from refclass.linear.matrix import Matrix
from refclass.linear.polar import IN_C
from refclass.linear.vector import Vector
from refclass.number.field import Number
from refclass.optimise.quadratic.certificate import Problem

TOGETHER = 16  # rows that are asked for before they are added: the store they come from may forget earlier ones


class Restricted:
    """The rows and columns of Q at some places, gathered when asked for."""

    def __init__(self, Q: Any, places: Sequence[int]) -> None:
        self.Q = Q
        self.places = places
        self.gather = gatherer(places)

    def __len__(self) -> int:
        return len(self.places)

    def row(self, k: int) -> Vector:
        """Return row k of the restriction."""
        return Vector.of(self.gather(self.Q.row(self.places[k])))

    def diagonal(self) -> Vector:
        """Return its diagonal."""
        return Vector.of(self.gather(self.Q.diagonal()))


class Kept(Restricted):
    """The same of doubles, each row kept once it is gathered, as long as a working set lasts."""

    def __init__(self, Q: Any, places: Sequence[int]) -> None:
        super().__init__(Q, places)
        self.rows: dict[int, Sequence[float]] = {}

    def row(self, k: int) -> Any:
        """Return row k of the restriction."""
        row = self.rows.get(k)
        if row is None:
            row = self.rows[k] = packed(self.entries(k))
        return row

    def entries(self, k: int) -> Sequence[float]:
        """Return the entries of row k of the restriction."""
        return self.gather(self.Q.row(self.places[k]))  # type: ignore[no-any-return]


def packed(values: Sequence[float]) -> Sequence[float]:
    """Return doubles that are read again and again: in an array, where loops are C's."""
    # Method: at eight bytes a number they stay in the processor's cache. What is compiled on the way (PyPy) reads lists
    # and tuples faster.
    return array("d", values) if IN_C else values


def gatherer(places: Sequence[int]) -> Any:
    """Return the function that picks the entries at the places, one or more, out of a sequence, as a tuple."""
    if len(places) == 1:
        only = places[0]
        return lambda values: (values[only],)
    return itemgetter(*places)


def combine(total: Sequence[Number], weights: Iterable[Number], rows: Iterable[Sequence[Number]]) -> list[Number]:
    """Return total + Σ weightsₖ rowsₖ.

    Cost      n multiplications a row, and n for every `TOGETHER` of them
    """
    total, rows = list(total), iter(rows)
    pairs = zip(weights, rows)
    while some := list(islice(pairs, TOGETHER)):
        more, vectors = zip(*some)
        total = combined([1, *more], [total, *vectors])
    return total


def balanced(x: Sequence[float]) -> list[int]:
    """Return the places of the entries that are not zero in an order that keeps the sums of the first few near zero.

    Example
        >>> balanced([1.0, 1.0, 0.0, -2.0])
        [0, 3, 1]
    """
    sides = [[i for i, v in enumerate(x) if v > 0], [i for i, v in enumerate(x) if v < 0]]
    order, total, rests = list[int](), 0.0, list(map(iter, sides))
    while len(order) < len(sides[0]) + len(sides[1]):
        i = next(rests[total > 0], None)
        i = next(rests[total <= 0]) if i is None else i
        order.append(i)
        total += x[i]
    return order


def restrict(problem: Problem, places: Sequence[int], x: Sequence[Number], g: Sequence[Number]) -> Problem:
    """Return the problem of the entries at the places, the others held where they are in x.

    minimise ½zᵀQ_WW z + (g_W − Q_WW x_W)ᵀz,   Σ z = Σ x_W
    """
    Q = Restricted(problem.Q, places)
    pick = Q.gather
    held = pick(x)
    moved = [k for k, v in enumerate(held) if v]
    c = combine(pick(g), [-held[k] for k in moved], [Q.row(k) for k in moved])
    kind, ones, d = problem.kind, None, None
    if problem.E is not None:
        ones, d = Matrix.of([Vector.of([kind(1)] * len(places))]), Vector.of([sum(held, kind(0))])
    return Problem(Q, Vector.of(c), pick(problem.lower), pick(problem.upper), ones, d)
