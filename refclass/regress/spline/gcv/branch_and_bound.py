"""The lowest point of a semiconvex function on the line, proven: αBB, branch and bound under secants.

Where f(t) + αt²/2 is convex on an interval, the secant through two of its points bounds f from below beyond them
(Adjiman, Dallwig, Floudas and Neumaier 1998 call the added parabola α; Piyavskii and Shubert divide where such a bound
is lowest). On a cell [b, c] between neighbours a < b < c < d,

    f(b + s) ≥ f(b) + s (f(b) − f(a))/(b − a) − α s (s + b − a)/2,   and alike from c and d,

so that the loss shrinks with the square of the cell, and a minimum is isolated to a tolerance with a few dozen values.
Where f is nearly constant over many cells, an expansion of higher order bounds it over an interval of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from operator import attrgetter
from typing import Any, Callable, Optional, Protocol

from refclass.errors import NotConverged
from refclass.number.field import Number

MOST = 2000  # steps; one search takes about a hundred
PLENTY = 200  # values of f after which expansions are tried
REACH = 1  # how far the interval of an expansion goes beyond either end of a cell, less its length
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


class Expansion(Protocol):
    """An approximation of f over an interval, with bounds of its error."""

    def lowest(self, tolerance: Number) -> Number:
        """Return a place where f is low: a minimum within the interval, but for the tolerance."""

    def above(self, value: Number) -> bool:
        """Return whether f is proven to be no lower than a value over the interval."""


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
    expanded: Optional[Callable[[Point, Point], Optional[Expansion]]] = None,
) -> Found:
    """Return a point whose f is within the tolerance of the lowest over the line.

    Given     at least two points, ascending, the first alone perhaps infinite; a value known to be attained or
              approached elsewhere (at an end of the line); closed: the line begins at the first point; what expands f
              between two points, if anything does
    Raises    NotConverged, with the lower bound, if the tolerance is not reached
    """
    search, plenty = _Search(list(points), bounds, closed), PLENTY
    for _ in range(MOST):
        k, least = search.weakest()
        best = search.best()
        high = known if best is None or best.high > known else best.high
        if least is not None and high - least <= tolerance:
            return Found(best if high is not known else None, min(least, high), tuple(search.points))
        if expanded is not None and len(search.points) > plenty and least is not None:
            if search.expand(k, f, expanded, high, tolerance):
                continue
            plenty = 2 * len(search.points)
        search.divide(k, f)
    raise NotConverged("branch_and_bound", need=f"a tolerance of {tolerance} within {MOST} steps", got=high, dual=least)


class _Search:
    """The points, and for each of the cells between and beyond them its lower bound and the place to divide it.

    Cell k lies between points k − 1 and k; the first and the last reach to the ends of the line.
    """

    def __init__(self, points: list[Point], bounds: Bounds, closed: bool) -> None:
        self.points, self.bounds, self.closed = points, bounds, closed
        if points[0].high is None:
            self.closed = True
        self.proven: list[tuple[Number, Number, Number]] = []  # intervals, and what f is no lower than over each
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
        self._insert(k, f(self.cells[k][1]))

    def expand(
        self,
        k: int,
        f: Callable[[Number], Point],
        expanded: Callable[[Point, Point], Optional[Expansion]],
        high: Number,
        tolerance: Number,
    ) -> bool:
        """Return whether an expansion about the cell proves f to be no lower there than the lowest point found.

        That is the one given, `high`, or the one that the expansion leads to.
        """
        if not 0 < k < len(self.points):
            return False
        left, right = self.points[k - 1 : k + 1]
        about = [p for p in self.points if right.place - p.place <= REACH and p.place - left.place <= REACH]
        if len(about) < 2 or about[0].high is None:
            return False
        found = expanded(about[0], about[-1])
        if found is None:
            return False
        point = f(found.lowest(tolerance))
        if all(p.place != point.place for p in self.points):
            self._insert(sum(p.place < point.place for p in self.points), point)
        value = min(high, high if point.high is None else point.high) - tolerance / 2
        if not found.above(value):
            return False
        low, top = about[0].place, about[-1].place
        self.proven.append((low, top, value))
        for j in range(1, len(self.points)):
            if low <= self.points[j - 1].place and self.points[j].place <= top:
                self.cells[j] = (self._over(j, self.cells[j][0]), self.cells[j][1])
        return True

    def _over(self, k: int, least: Optional[Number]) -> Optional[Number]:
        """Return the lower bound of a cell between two points, or a higher one that is proven."""
        a, b = self.points[k - 1].place, self.points[k].place
        known = [v for low, high, v in self.proven if low <= a and b <= high]
        return max(known if least is None else [least, *known]) if known else least

    def _insert(self, k: int, point: Point) -> None:
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
        return self._over(k, least), b.place + min(max(s, width / 16), 15 * width / 16)

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
