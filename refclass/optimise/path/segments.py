"""The course of the regularisation path: from its first break point to the next, until λ = 0  [ESL-12.3.5-path]."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple, Optional

from refclass.errors import NotConverged
from refclass.linear import combination
from refclass.linear.vector import Vector, dot
from refclass.number.field import Number
from refclass.optimise.path import initial
from refclass.optimise.path.initial import FLOOR
from refclass.optimise.path.residuals import EDGE, LEFT
from refclass.optimise.path.segment import March

LAST = 2**20  # units of roundoff of one λ: if the next lies below that, the segment leads to zero
STILL = 4  # times the number of points: so many events at one λ; roundoff lets the same ones come again
PATIENCE = 16  # so many segments without an event: roundoff hides it


class Place(NamedTuple):
    """A place within a segment of the path.

    lam      λ
    sides    LEFT, EDGE or RIGHT for every point
    pull     Σⱼ Kᵢⱼyⱼ over the points j inside the band, for every point i
    """

    lam: Number
    sides: Sequence[int]
    pull: Sequence[Number]


class Course:
    """The march from the first break point to the last.

    place    where to go on within a segment; None: from λ = ∞
    start    the multipliers above the first break point
    head     (slope, constant) of α₀ above it; None where α₀ is free
    lam      λ at the present break point, None if there is none
    """

    def __init__(self, K: Any, y: Vector, place: Optional[Place] = None) -> None:
        self.K, self.y, self.within = K, y, place is not None
        self.march = March(K.row, self.y, self.y, self.y[0] - self.y[0], K.diagonal())
        one = self.march.one
        self.start = Vector.of([one] * len(y) if place else initial.multipliers(K, self.y))
        self.floor = FLOOR * self.march.eps * sum(self.start) * max(map(abs, K.diagonal()))
        self.head: Optional[tuple[Number, Number]] = None
        self.lam: Optional[Number] = None
        if place is None:
            self.head, self.lam = self._first()
        else:
            self._enter(place)

    def go(self) -> Iterator[tuple[Number, Vector, Number, tuple[int, ...], tuple[int, ...]]]:
        """Yield the break points: λ, α, α₀, and the sides of the points just above and just below.

        Raises    NotConverged when roundoff hides the next one, or is found to have spoilt the last ones
        """
        march, idle, still = self.march, 0, 0
        if self.lam is None:
            return
        above = tuple(march.side)
        if not self.within:
            march.near(self.lam + self.floor)
        while True:
            changed = not self.within and march.junction(self.lam + self.floor)
            if changed:
                below = tuple(march.side)
                yield self.lam, Vector.of(march.alpha), march.alpha0, above, below
                above = below
            self.within = False
            idle = 0 if changed else idle + 1
            fall = self._next()
            if fall is None:
                if march.eps and march.steps:
                    march.verify()
                return
            still = 0 if self.lam - fall < self.lam else still + 1
            if idle > (PATIENCE if march.eps else len(self.y)) or (march.eps and still > STILL * len(self.y)):
                raise NotConverged("path", need="the next break point", got="roundoff", lam=self.lam)
            self.lam = self.lam - fall

    def above(self, lam: Number) -> tuple[Vector, Number]:
        """Return the multipliers and α₀ at a larger λ of the segment that the march is in."""
        march, rise = self.march, lam - self.lam
        alpha = list(march.alpha)
        for j, a in zip(march.held, march.slopes):
            alpha[j] = min(max(alpha[j] + rise * march.y[j] * a, march.zero), march.one)
        return Vector.of(alpha), march.alpha0 + rise * march.drift

    def end(self) -> tuple[Vector, Number]:
        """Return the multipliers and α₀ to which the last segment leads, at λ = 0."""
        march, alpha = self.march, list(self.march.alpha if self.lam else self.start)
        if self.lam is None or not march.held:
            return Vector.of(alpha), march.zero
        if LEFT not in march.side:  # no slack is left: f is that of the hard margin, and α = λ times its multipliers
            return march.zero * Vector.of(alpha), march.zero
        for j, a in zip(march.held, march.slopes):
            alpha[j] = min(max(alpha[j] - self.lam * march.y[j] * a, march.zero), march.one)
        return Vector.of(alpha), march.alpha0 - self.lam * march.drift

    def _first(self) -> tuple[Optional[tuple[Number, Number]], Optional[Number]]:
        """Take the march to the first break point; return how α₀ behaves above it, and its λ, None if there is none.

        Above it α stands still. A point of the majority between its bounds stays on the edge, which fixes α₀; without
        one α₀ is free, as long as no positive point inside the band need be above a negative one.
        """
        y, alpha, march = self.y, self.start, self.march
        signed = alpha.times(y)
        g = [dot(signed, self.K.row(i)) for i in range(len(y))]
        edge, head = [i for i, a in enumerate(alpha) if 0 < a < 1], None
        if edge:
            major = y[edge[0]]
            level = sum(g[i] for i in edge) / len(edge)
            lam = max(major * (level - v) for v, t in zip(g, y) if t != major) / 2
            alpha0, head = lam * major - level, (major, -level)
        else:
            top = max(v for v, a, t in zip(g, alpha, y) if a and t > 0)
            lam = (top - min(v for v, a, t in zip(g, alpha, y) if a and t < 0)) / 2
            alpha0 = lam - top
        march.begin(alpha, [march.zero] * len(y), lam, g, alpha0)
        return head, lam if lam > self.floor else None

    def _enter(self, place: Place) -> None:
        """Take the march to the place, its multipliers from the equations of the points on the edge alone.

        Raises    NotConverged where these do not determine multipliers between their bounds
        """
        march, y, self.lam = self.march, self.y, place.lam
        edge = [i for i, s in enumerate(place.sides) if s == EDGE]
        march.settle(edge)
        if not edge or not march.regular:
            raise NotConverged("path", need="independent equations of the points on the edge", got=len(edge))
        alpha = [march.one if s == LEFT else march.zero for s in place.sides]
        balance = march.zero - sum([t for t, s in zip(y, place.sides) if s == LEFT])
        alpha0, signed = march.edge.solve(balance, [place.lam * y[i] - place.pull[i] for i in edge])
        for i, v in zip(edge, signed):
            alpha[i] = v * y[i]
        if not all(0 < alpha[i] < 1 for i in edge):
            raise NotConverged("path", need="multipliers between their bounds on the edge", got="others")
        g = combination.total([march.one, *signed], [place.pull, *map(self.K.row, edge)])
        march.stand(alpha, [march.zero] * len(y), place.lam, g, alpha0)
        march.steer()

    def _next(self) -> Optional[Number]:
        """Take the march to the next event; return how far λ falls to it, None if there is none above zero."""
        march, lam = self.march, self.lam
        if LEFT not in march.side:
            return None  # Proof: α and α₀ times λ′/λ satisfy every condition at any smaller λ′.
        if march.held:
            fall, rates = march.room()
        else:
            fall, rates = march.close(), list(march.pace)
        if lam is None or fall is None or lam - fall <= self.floor + LAST * march.eps * lam:
            return None
        march.advance(fall, rates)
        if not march.held:
            march.near(march.level + self.floor)
        return fall
