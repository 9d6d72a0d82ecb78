"""The points of the linear solver and their slack, of those that may come near the margin.

    slackᵢ = 1 + shiftᵢ − yᵢ(xᵢᵀβ + β₀)

Where (β, β₀) moves by d = (d_β, d₀), a slack changes by at most ‖xᵢ − c‖ ‖d_β‖ + |cᵀd_β + d₀|, whatever the point c.
So a point whose slack is larger than that keeps its side, and need not be looked at until (β, β₀) has moved as far from
where it was last measured. Most points move much less than that bound allows, and a likely distance takes its place
until it has misled the iteration: the iteration looks at all points before it ends, and goes on if any is on another
side than it counted.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from itertools import repeat
from math import dist, hypot, inf, sqrt
from operator import itemgetter, mul, sub
from typing import Any, Optional

from refclass.linear import combination
from refclass.linear.vector import dot
from refclass.number.field import Number

MIN_SCREENED = 60  # so many points are always looked at
DISTANCE_ROUNDOFF = 1 + 2**-20  # what roundoff can add to a distance
# Times the root mean square of a variable: a point's distance from the centre along most directions.
LIKELY_REACH = 1.25


class Near:
    """The points that are looked at.

    names      their numbers
    columns    the variables; labels: their labels
    slack      their slack; speed: how fast it falls along the last direction
    inside     whether they count as inside the margin
    """

    def __init__(
        self,
        names: Sequence[int],
        columns: Sequence[Sequence[Number]],
        labels: Sequence[Number],
        slack: Iterable[Number],
        inside: Iterable[bool],
    ) -> None:
        self.names, self.columns, self.labels = names, columns, labels
        self.slack, self.inside = list(slack), list(inside)

    @cached_property
    def place(self) -> dict[int, int]:
        """The place of each point."""
        return {i: k for k, i in enumerate(self.names)}

    def some(self, places: Sequence[int]) -> Near:
        """Return two or more of them."""
        pick = itemgetter(*places)
        columns = [pick(column) for column in self.columns]
        return Near(pick(self.names), columns, pick(self.labels), pick(self.slack), pick(self.inside))

    def within(self, width: Any) -> list[int]:
        """Return the places of those whose slack is at most `width` in size."""
        return [k for k, e in enumerate(self.slack) if -width <= e <= width]

    def changing(self, d: Sequence[Number], bounded: bool) -> Iterator[tuple[int, Number, Number]]:
        """Yield (point, slack, speed) for those that change side along d; if bounded, before its end."""
        slack = self.slack
        speed = self.speed = list(map(mul, self.labels, combination.total(d, self.columns)))
        if bounded:
            ahead = map(sub, slack, speed)
            found = [k for k, (here, e) in enumerate(zip(self.inside, ahead)) if here != (e > 0)]
        else:
            found = [k for k, (here, s) in enumerate(zip(self.inside, speed)) if here == (s > 0)]
        for k in found:
            yield self.names[k], slack[k], speed[k]

    def move(self, t: Number) -> None:
        """Let the slack follow t times the direction."""
        self.slack = [e - t * s for e, s in zip(self.slack, self.speed)]

    def turn(self, i: int, inside: bool) -> None:
        """Let point i, if it is among them, count as inside the margin, or not."""
        k = self.place.get(i)
        if k is not None:
            self.inside[k] = inside

    def hold(self, held: Sequence[int], zero: Number) -> None:
        """Keep the points held on the margin: their slack is zero."""
        for i in held:
            self.slack[self.place[i]] = zero


class Slacks:
    """The points, with a bound on how fast their slack changes.

    columns    the variables, n numbers each, and with an intercept a column of ones
    shift      how far the margin is perturbed for each point
    sizes      the largest entry of each column; size: the largest of all
    centre     the mean of the points, c; reach: the largest distance from it
    near       those that are looked at
    budget     how far (β, β₀) may move from `origin`, as a distance in slack
    """

    near: Near

    def __init__(self, X: Sequence[Any], y: Sequence[Number], intercept: bool) -> None:
        self.y, self.border, n = tuple(y), intercept, len(y)
        self.zero, one = y[0] - y[0], y[0] / y[0]
        self.columns: list[Sequence[Number]] = list(zip(*X))
        self.shift: Optional[list[Number]] = None
        if intercept:
            self.columns.append((one,) * n)
        self.sizes = [max(max(column), -min(column)) for column in self.columns]
        self.size = max(self.sizes)
        self.lazy = type(self.zero) is float and n > MIN_SCREENED
        self.reach = self.sure = inf
        if self.lazy:
            self.centre = [sum(column) / n for column in self.columns]
            norms = list(map(dist, X, repeat(tuple(self.centre[: len(X[0])]))))
            self.sure = DISTANCE_ROUNDOFF * max(norms)
            self.reach = min(self.sure, LIKELY_REACH * sqrt(sum(map(mul, norms, norms)) / n / len(X[0])))

    def terms(self, theta: Sequence[Number]) -> Number:
        """Return Σ |θⱼ| sizeⱼ: a bound on the terms that a slack is summed from, but for the 1."""
        return sum(map(mul, map(abs, theta), self.sizes))

    def measure(self, theta: Sequence[Number]) -> list[Number]:
        """Return the slack of every point at theta.

        Cost      n multiplications for each variable, and n
        """
        values = combination.total(theta, self.columns)
        slack = [1 - t * v for t, v in zip(self.y, values)]
        return slack if self.shift is None else [e + s for e, s in zip(slack, self.shift)]

    def look(
        self,
        theta: Sequence[Number],
        slack: Sequence[Number],
        inside: Sequence[bool],
        held: Sequence[int],
        width: Any = inf,
    ) -> None:
        """Look, from theta on, at the points held and at those whose slack is at most `width`.

        Shapes    slack, inside: one for each of the n points
        """
        n = len(self.y)
        self.near = Near(range(n), self.columns, self.y, slack, inside)
        if self.lazy and width < inf:
            width = max([width, *(abs(slack[i]) for i in held)])
            places = self.near.within(width)
            if 1 < len(places) < n:
                self.near = self.near.some(places)
            else:
                width = inf
        self.near.hold(held, self.zero)
        self.origin, self.budget, self.tried = theta, width, width

    def narrow(self, theta: Sequence[Number], held: Sequence[int], width: Any) -> None:
        """Look at fewer points, if many of those looked at are further from the margin than `width`.

        Those not looked at before are further than the budget less the way gone from the origin.
        """
        if not self.lazy or 2 * width > self.tried or len(self.near.names) <= MIN_SCREENED:
            return
        self.tried = width
        least = self.budget - self.distance(list(map(sub, theta, self.origin))) if self.budget < inf else inf
        if least < width:
            return
        places = self.near.within(width)
        if 4 * len(places) < 3 * len(self.near.slack) and len(places) > 1:
            self.near = self.near.some(places)
            self.near.hold(held, self.zero)
            self.origin, self.budget = theta, width

    def distance(self, d: Sequence[Number]) -> Any:
        """Return the most that a slack changes by when (β, β₀) moves by d."""
        along = d[:-1] if self.border else d
        return self.reach * hypot(*along) + abs(dot(self.centre, d))

    def covers(self, theta: Sequence[Number], d: Sequence[Number]) -> bool:
        """Return whether no point that is not looked at can change side on the way from theta to theta + d."""
        if self.budget == inf:
            return True
        here = list(map(sub, theta, self.origin))
        there = [v + w for v, w in zip(here, d)]
        return bool(self.distance(here) <= self.budget and self.distance(there) <= self.budget)
