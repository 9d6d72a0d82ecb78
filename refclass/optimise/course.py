"""The course of the regularisation path: from its first break point to the next, until λ = 0  [ESL-12.3.5-path]."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Optional

from refclass.errors import NotConverged
from refclass.linear.vector import Vector, dot
from refclass.number.field import Number
from refclass.optimise import start
from refclass.optimise.march import March
from refclass.optimise.standing import LEFT
from refclass.optimise.start import FLOOR

LAST = 2**20  # units of roundoff of one λ: if the next lies below that, the segment leads to zero
PATIENCE = 16  # so many segments without an event: roundoff hides it


class Course:
    """The march from the first break point to the last.

    start    the multipliers above the first break point
    head     (slope, constant) of α₀ above it; None where α₀ is free
    lam      λ at the present break point, None if there is none
    """

    def __init__(self, K: Any, y: Vector) -> None:
        self.K, self.y = K, y
        self.march = March(K.row, self.y, self.y, self.y[0] - self.y[0])
        self.start = Vector.of(start.multipliers(K, self.y))
        self.floor = FLOOR * self.march.eps * sum(self.start) * max(map(abs, K.diagonal()))
        self.head, self.lam = self._first()

    def go(self) -> Iterator[tuple[Number, Vector, Number, tuple[int, ...], tuple[int, ...]]]:
        """Yield the break points: λ, α, α₀, and the sides of the points just above and just below.

        Raises    NotConverged when roundoff hides the next one, or is found to have spoilt the last ones
        """
        march, idle = self.march, 0
        if self.lam is None:
            return
        above = tuple(march.side)
        march.near(self.lam + self.floor)
        while True:
            changed = march.junction(self.lam + self.floor)
            if changed:
                below = tuple(march.side)
                yield self.lam, Vector.of(march.alpha), march.alpha0, above, below
                above = below
            idle = 0 if changed else idle + 1
            fall = self._next()
            if fall is None:
                if march.eps:
                    march.verify()
                return
            if idle > (PATIENCE if march.eps else len(self.y)):
                raise NotConverged("path", need="the next break point", got="roundoff", lam=self.lam)
            self.lam = self.lam - fall

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
