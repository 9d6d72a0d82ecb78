"""The points of the linear solver and their slack, of those that may come near the margin.

    slackᵢ = 1 + shiftᵢ − yᵢ(xᵢᵀβ + β₀)

Where (β, β₀) moves by d = (d_β, d₀), a slack changes by at most ‖xᵢ − c‖ ‖d_β‖ + |cᵀd_β + d₀|, whatever the point c.
So a point whose slack is larger than that keeps its side, and need not be looked at until (β, β₀) has moved as far from
where it was last measured. Most points move much less than that bound allows, and a likely distance takes its place
until it has misled the iteration: the iteration looks at all points before it ends, and goes on if any is on another
side than it counted.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import repeat
from math import dist, hypot, inf, sqrt
from operator import itemgetter, mul, sub
from typing import Any, Optional

from refclass.linear import combination
from refclass.linear.vector import dot
from refclass.number.field import Number

MIN_SCREENED = 60  # so many points are always looked at
STEPS_COVERED = 3  # so many steps of the present length should be covered
DISTANCE_ROUNDOFF = 1 + 2**-20  # what roundoff can add to a distance
LIKELY_REACH = (
    1.25  # times the root mean square of a variable: a point's distance from the centre along most directions
)


class Slacks:
    """The points; near: those that are looked at, with their slack, and their speed along the last direction.

    columns    the variables, n numbers each, and with an intercept a column of ones
    shift      how far the margin is perturbed for each point
    sizes      the largest entry of each column; size: the largest of all
    centre     the mean of the points, c; reach: the largest distance from it
    budget     how far (β, β₀) may move from `origin`, as a distance in slack
    """

    def __init__(self, X: Sequence[Any], y: Sequence[Number], intercept: bool) -> None:
        self.y, self.border, self.n = tuple(y), intercept, len(y)
        self.zero, one = y[0] - y[0], y[0] / y[0]
        self.columns: list[Sequence[Number]] = list(zip(*X))
        self.shift: Optional[list[Number]] = None
        if intercept:
            self.columns.append((one,) * self.n)
        self.sizes = [max(max(column), -min(column)) for column in self.columns]
        self.size = max(self.sizes)
        self.lazy = type(self.zero) is float and self.n > MIN_SCREENED
        self.reach = self.sure = inf
        if self.lazy:
            self.centre = [sum(column) / self.n for column in self.columns]
            norms = list(map(dist, X, repeat(tuple(self.centre[: len(X[0])]))))
            self.sure = DISTANCE_ROUNDOFF * max(norms)
            self.reach = min(self.sure, LIKELY_REACH * sqrt(sum(map(mul, norms, norms)) / self.n / len(X[0])))

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
        if self.lazy and width < inf:
            width = max([width, *(abs(slack[i]) for i in held)])
            near = [i for i, e in enumerate(slack) if -width <= e <= width]
        if not self.lazy or width == inf or len(near) < 2 or len(near) == self.n:
            near, width = list(range(self.n)), inf
        self._take(near, slack, inside, held, range(self.n), self.columns, self.y)
        self.origin, self.budget, self.tried = theta, width, width

    def _take(
        self,
        near: list[int],
        slack: Sequence[Number],
        inside: Sequence[bool],
        held: Sequence[int],
        names: Sequence[int],
        columns: Sequence[Sequence[Number]],
        labels: Sequence[Number],
    ) -> None:
        if len(near) == len(slack):
            self.near_columns, self.labels, self.slack = columns, labels, list(slack)
            self.near, self.inside = list(names), list(inside)
        else:
            pick = itemgetter(*near)
            self.near_columns, self.labels = [pick(column) for column in columns], pick(labels)
            self.slack, self.inside, self.near = list(pick(slack)), list(pick(inside)), list(pick(names))
        self.place = {i: k for k, i in enumerate(self.near)}
        self.hold(held)

    def narrow(self, theta: Sequence[Number], held: Sequence[int], width: Any) -> None:
        """Look at fewer points, if many of those looked at are further from the margin than `width`.

        Those not looked at before are further than the budget less the way gone from the origin.
        """
        if not self.lazy or 2 * width > self.tried or len(self.near) <= MIN_SCREENED:
            return
        self.tried = width
        least = self.budget - self.distance(list(map(sub, theta, self.origin))) if self.budget < inf else inf
        if least < width:
            return
        near = [k for k, e in enumerate(self.slack) if -width <= e <= width]
        if 4 * len(near) < 3 * len(self.slack) and len(near) > 1:
            self._take(near, self.slack, self.inside, held, self.near, self.near_columns, self.labels)
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

    def aim(self, d: Sequence[Number]) -> None:
        """Compute the speed of every point near along d."""
        self.speed = list(map(mul, self.labels, combination.total(d, self.near_columns)))

    def changing(self, bounded: bool) -> Iterator[tuple[int, Number, Number]]:
        """Yield (point, slack, speed) for those near that change side along d; if bounded, before its end."""
        slack, speed = self.slack, self.speed
        if bounded:
            ahead = map(sub, slack, speed)
            found = [k for k, (here, e) in enumerate(zip(self.inside, ahead)) if here != (e > 0)]
        else:
            found = [k for k, (here, s) in enumerate(zip(self.inside, speed)) if here == (s > 0)]
        for k in found:
            yield self.near[k], slack[k], speed[k]

    def move(self, t: Number) -> None:
        """Let the slack follow t times the direction."""
        self.slack = [e - t * s for e, s in zip(self.slack, self.speed)]

    def turn(self, i: int, inside: bool) -> None:
        """Let point i count as inside the margin, or not."""
        k = self.place.get(i)
        if k is not None:
            self.inside[k] = inside

    def hold(self, held: Sequence[int]) -> None:
        """Keep the points held on the margin: their slack is zero."""
        for i in held:
            self.slack[self.place[i]] = self.zero
