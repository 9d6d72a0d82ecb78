"""The lowest point of a semiconvex function on the line, proven: αBB, branch and bound under secants.

Where f(t) + αt²/2 is convex on an interval, the secant through two of its points bounds f from below beyond them
(Adjiman, Dallwig, Floudas and Neumaier 1998 call the added parabola α; Piyavskii and Shubert divide where such a bound
is lowest). On a cell [b, c] between neighbours a < b < c < d,

    f(b + s) ≥ f(b) + s (f(b) − f(a))/(b − a) − α s (s + b − a)/2,   and alike from c and d,

so that the loss shrinks with the square of the cell, and a minimum is isolated to a tolerance with a few dozen values.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from operator import attrgetter
from typing import Any, Callable, Optional, Protocol

from refclass.errors import NotConverged
from refclass.number.field import Number

MOST = 2000  # values of f; one search takes about a hundred
NARROW = 10**17  # a cell narrower than its reciprocal is not divided: slopes over it would lose too many digits


@dataclass(frozen=True)
class Point:
    """A place t and bounds on f(t), which are one number where f is computed and not enclosed.

    low, high    low ≤ f(t) ≤ high; None: f is infinite there, and to the left of it
    given        what the bounds of cells are computed from
    """

    place: Number
    low: Optional[Number]
    high: Optional[Number]
    given: Any


class Bounds(Protocol):
    """What is known of f on the interval between two points; None stands for an end of the line."""

    def floor(self, a: Optional[Point], b: Optional[Point]) -> Optional[Number]:
        """Return a lower bound on f over the interval; None for −∞."""

    def bend(self, a: Point, b: Point) -> Number:
        """Return an α ≥ 0 so that f(t) + αt²/2 is convex on the interval."""


@dataclass(frozen=True)
class Found:
    """The lowest point found, and what is proven of all others.

    best      the point of lowest f, the last among equals; None where a value known beforehand is lower
    least     no t has f(t) < least
    points    the points looked at, ascending
    """

    best: Optional[Point]
    least: Number
    points: tuple[Point, ...]


def lowest(
    f: Callable[[Number], Point],
    points: Sequence[Point],
    bounds: Bounds,
    known: Number,
    tolerance: Number,
    closed: bool = False,
) -> Found:
    """Return a point whose f is within the tolerance of the lowest over the line.

    Given     at least two points, ascending, the first alone perhaps infinite; a value known to be attained or
              approached elsewhere (at an end of the line); closed: the line begins at the first point
    Raises    NotConverged, with the lower bound, if the tolerance is not reached
    """
    search = _Search(list(points), bounds, closed)
    for _ in range(MOST):
        k, least = search.weakest()
        best = search.best()
        high = known if best is None or best.high > known else best.high
        if least is not None and high - least <= tolerance:
            return Found(best if high is not known else None, min(least, high), tuple(search.points))
        search.divide(k, f)
    raise NotConverged(
        "branch_and_bound", need=f"a tolerance of {tolerance} within {MOST} values", got=high, dual=least
    )


class _Search:
    """The points, and for each of the cells between and beyond them its lower bound and the place to divide it.

    Cell k lies between points k − 1 and k; the first and the last reach to the ends of the line.
    """

    def __init__(self, points: list[Point], bounds: Bounds, closed: bool) -> None:
        self.points, self.bounds, self.closed = points, bounds, closed
        if points[0].high is None:
            self.closed = True
        self.cells = [self._cell(k) for k in range(len(points) + 1)]

    def best(self) -> Optional[Point]:
        """Return the lowest point, the last among equals."""
        return min((p for p in reversed(self.points) if p.high is not None), key=attrgetter("high"), default=None)

    def weakest(self) -> tuple[int, Optional[Number]]:
        """Return the cell of lowest bound, and the bound; None is below all."""
        used = range(int(self.closed), len(self.cells))
        for k in used:
            if self.cells[k][0] is None:
                return k, None
        least: Any = min(self.cells[k][0] for k in used)  # type: ignore[type-var]
        return next(k for k in used if self.cells[k][0] == least), least

    def divide(self, k: int, f: Callable[[Number], Point]) -> None:
        """Evaluate f within the cell, and bound the cells anew that this concerns."""
        if 0 < k < len(self.points):
            width = self.points[k].place - self.points[k - 1].place
            if width * NARROW < 1:
                raise NotConverged(
                    "branch_and_bound", need=f"cells wider than 1/{NARROW}", got=width, dual=self.cells[k][0]
                )
        point = f(self.cells[k][1])
        self.points.insert(k, point)
        self.cells.insert(k, self.cells[k])
        if point.high is None:  # f is infinite from here to the left
            del self.points[:k], self.cells[:k]
            self.closed, k = True, 0
        for j in range(max(0, k - 1), min(len(self.cells), k + 3)):
            self.cells[j] = self._cell(j)

    def _cell(self, k: int) -> tuple[Optional[Number], Number]:
        p = self.points
        if k == 0:
            return self.bounds.floor(None, p[0]), p[0].place - 2 * (p[1].place - p[0].place)
        if k == len(p):
            return self.bounds.floor(p[-1], None), p[-1].place + 2 * (p[-1].place - p[-2].place)
        b, c = p[k - 1], p[k]
        width, floor = c.place - b.place, self.bounds.floor(b, c)
        a = p[k - 2] if k > 1 and p[k - 2].high is not None else None
        d = p[k + 1] if k + 1 < len(p) else None
        under, s = (None, width / 2) if b.high is None else self._secants(a, b, c, d)
        least = under if floor is None or (under is not None and under > floor) else floor
        return least, b.place + min(max(s, width / 16), 15 * width / 16)

    def _secants(self, a: Optional[Point], b: Point, c: Point, d: Optional[Point]) -> tuple[Optional[Number], Number]:
        """Return a lower bound of f over [b, c], and how far from b it is attained."""
        width, under, over = c.place - b.place, b.low, c.low
        alpha = self.bounds.bend(b if a is None else a, c if d is None else d)
        left = None if a is None else _extended(b, a, alpha)
        right = None if d is None else _extended(c, d, alpha)
        ends: Any = min(under, over)  # type: ignore[type-var]
        if left is None and right is None:
            return None, width / 2
        if left is None or right is None:
            return min(ends, left(width) if left else right(width)), width / 2  # type: ignore[misc]
        # Premise: both bounds are parabolas with the same leading term, so that their difference is linear in s, and
        # they are concave, so that the larger is lowest where they meet, or at an end.
        above, below = ends * 0 + under - right(width), ends * 0 + over - left(width)
        if not (above > 0 and below > 0):
            return min(ends, left(width * 0), right(width * 0)), width / 2
        s = width * (above / (above + below))
        return min(ends, left(s)), s


def _extended(near: Point, far: Point, alpha: Number) -> Callable[[Number], Number]:
    """Return the bound at a distance s from the nearer point, on the other side of the farther."""
    gap = abs(near.place - far.place)
    start: Any = near.low
    slope = (start - far.high) / gap
    return lambda s: start + s * (slope - alpha * (s + gap) / 2)
