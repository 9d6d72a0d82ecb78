"""A machine's optimum while a parameter falls: the sides of the points, the points on the edge, and one segment.

    targetᵢ − Σⱼ Kᵢⱼ yⱼαⱼ − α₀ = residualᵢ        yᵢ residualᵢ ≥ 0 if αᵢ = 1, = 0 on the edge, ≤ 0 if αᵢ = 0
    Σ yⱼαⱼ = balance

While the parameter falls by δ the targets fall by δ · pace and the balance by δ · drain; the multipliers of the points
on the edge follow, αⱼ(δ) = αⱼ − δ yⱼaⱼ, α₀(δ) = α₀ − δ b₀, so that they stay there  [ESL-12.3.5-path]:

    Σⱼ Kᵢⱼ aⱼ + b₀ = paceᵢ for i on the edge,   Σ aⱼ = drain
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Optional

from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector, dot
from refclass.number.field import Number
from refclass.number.near import roundoff
from refclass.optimise import slope
from refclass.optimise.edge import Edge

LEFT, EDGE, RIGHT = 1, 0, -1  # inside the band with α = 1; on its edge; beyond it with α = 0
TIE = 2**16  # units of roundoff between two events that count as one
SMALL = 2**12  # units of roundoff in a pivot that counts as zero


class March:
    """Where the march stands; it changes in place.

    rows        what gives row i of K
    alpha       the multipliers, between 0 and 1
    side        LEFT, EDGE or RIGHT for every point
    slopes      signed slopes aⱼ of the points on the edge, in the order of `held`
    drift       b₀, the slope of α₀
    """

    def __init__(self, rows: Any, y: Sequence[Number], pace: Sequence[Number], drain: Number) -> None:
        kind = type(y[0])
        self.rows, self.y, self.pace, self.drain = rows, y, pace, drain
        self.zero, self.one = kind(0), kind(1)
        self.eps = roundoff(kind)
        self.edge = Edge(kind, border=True)
        self.regular = True
        self.held: list[int] = []
        self.slopes: list[Number] = []
        self.drift = self.zero

    def begin(self, alpha: Sequence[Number], residual: Sequence[Number], alpha0: Number) -> None:
        """Stand at these multipliers."""
        self.alpha, self.residual, self.alpha0 = list(alpha), list(residual), alpha0
        self.side = [LEFT if a == 1 else RIGHT if a == 0 else EDGE for a in alpha]
        self.settle([i for i, s in enumerate(self.side) if s == EDGE])

    def settle(self, held: Sequence[int]) -> None:
        """Let these be the points on the edge; build up their equations, as far as they are independent."""
        self.held = list(held)
        self.edge = Edge(type(self.zero), border=True)
        taken = [self.enter(i) for i in held]
        self.regular = all(taken)

    def enter(self, i: int) -> bool:
        """Take the equation of point i in, unless it follows from the others."""
        row = self.rows(i)
        return self.edge.append(i, [row[j] for j in self.edge.members], row[i], SMALL * self.eps * row[i])

    # -- a segment

    def rates(self) -> list[Number]:
        """Return what each residual falls by while the parameter falls by 1: paceᵢ − Σⱼ Kᵢⱼaⱼ − b₀.

        Cost      n multiplications for each point on the edge
        """
        b = self.drift
        if not self.held:
            return [p - b for p in self.pace]
        a = tuple(self.slopes)
        columns = zip(*[self.rows(j) for j in self.held])
        return [p - b - dot(a, column) for p, column in zip(self.pace, columns)]

    def room(self, rates: Sequence[Number]) -> Optional[Number]:
        """Return how far the parameter can fall before a point changes side, None for ever."""
        ahead = [e / v for e, v in zip(self.residual, rates) if e * v > 0]
        for j, a in zip(self.held, self.slopes):
            b = self.y[j] * a
            if b:
                ahead.append((self.alpha[j] if b > 0 else self.alpha[j] - 1) / b)
        return min(ahead, default=None)

    def advance(self, delta: Number, rates: Sequence[Number]) -> None:
        """Let the parameter fall by delta within the segment."""
        self.residual = [e - delta * v for e, v in zip(self.residual, rates)]
        for j, a in zip(self.held, self.slopes):
            self.alpha[j] = self.alpha[j] - delta * self.y[j] * a
            self.residual[j] = self.zero
        self.alpha0 = self.alpha0 - delta * self.drift

    # -- where segments join

    def junction(self, scale: Number) -> dict[int, tuple[int, int]]:
        """Find the points on the edge after an event; return those that changed side, with both sides.

        scale    the size of the residuals' targets
        """
        unit = TIE * self.eps * scale
        touching = [i for i, (e, s) in enumerate(zip(self.residual, self.side)) if s and abs(e) <= unit]
        leaving = self.snap()
        for i in touching:
            self.residual[i] = self.zero
        before = list(self.side)
        if not (self.regular and len(touching) + len(leaving) == 1 and self.single(touching, leaving)):
            self.several(touching)
        return {i: (was, now) for i, (was, now) in enumerate(zip(before, self.side)) if was != now}

    def snap(self) -> list[int]:
        """Return the points on the edge whose multipliers have reached a bound, set to it."""
        unit, leaving = TIE * self.eps, []
        for j in self.held:
            for bound in (self.zero, self.one):
                if abs(self.alpha[j] - bound) <= unit:
                    self.alpha[j] = bound
                    leaving.append(j)
        return leaving

    def single(self, touching: Sequence[int], leaving: Sequence[int]) -> bool:
        """Change the equations for one point; say whether the slopes then lead away from where it came.

        Proof: with independent equations the slopes are unique, and the signs hold, but for roundoff.
        """
        if touching:
            (i,) = touching
            if not self.enter(i):
                return False
            self.held = [*self.held, i]
            self.steer()
            if self.slopes[-1] * self.y[i] * self.side[i] <= 0:
                return False
            self.side[i] = EDGE
        else:
            (i,) = leaving
            place = self.held.index(i)
            if len(self.held) == 1:
                return False
            self.edge.drop(place)
            self.held = self.held[:place] + self.held[place + 1 :]
            self.steer()
            row = self.rows(i)
            rate = self.pace[i] - self.drift - dot([row[j] for j in self.held], self.slopes)
            to = LEFT if self.alpha[i] else RIGHT
            if rate * self.y[i] * to >= 0:
                self.held = [*self.held, i]
                return False
            self.side[i] = to
        return True

    def steer(self) -> None:
        """Compute the slopes from the equations of the edge.

        Cost      m² multiplications
        """
        self.drift, self.slopes = self.edge.solve(self.drain, [self.pace[i] for i in self.held])

    def several(self, touching: Sequence[int]) -> None:
        """Find the slopes of all points on the edge at once, and from them their sides."""
        on = sorted({*self.held, *touching})
        K = Matrix.of([Vector.of([row[j] for j in on]) for row in map(self.rows, on)])
        signs = [
            0 if 0 < a < 1 else 1 if (a > 0) == (self.y[i] > 0) else -1 for i, a in ((i, self.alpha[i]) for i in on)
        ]
        pace = Vector.of([self.pace[i] for i in on])
        a, drift = self.zero * pace, self.zero
        if self.drain == 0 or any(s == 0 or s * self.drain > 0 for s in signs):  # else none of these can move that way
            a, drift = slope.least(K, pace, self.drain, signs)
        unit = TIE * self.eps * max(map(abs, a))
        found = {i: v for i, v, sign in zip(on, a, signs) if sign == 0 or abs(v) > unit}
        for i in on:
            self.side[i] = EDGE if i in found else LEFT if self.alpha[i] else RIGHT
        self.settle(list(found))
        self.slopes, self.drift = list(found.values()), drift
        if self.regular and found:
            self.steer()

    # -- the intercept where no point is on the edge

    def close(self) -> Optional[Number]:
        """Move α₀ to where the interval that it is free in closes; return how far the parameter then has fallen.

        Positive points inside the band keep α₀ from rising, negative ones from falling; while the targets, ±λ, come
        closer, so do the two. The others' limits stand still or move apart.
        """
        above = [e for e, t, s in zip(self.residual, self.y, self.side) if s == LEFT and t > 0]
        below = [e for e, t, s in zip(self.residual, self.y, self.side) if s == LEFT and t < 0]
        self.slopes, self.drift = [], self.zero
        if not above or not below:
            return None
        most, least = min(above), max(below)
        self.shift((most + least) / 2)
        return (most - least) / 2

    def shift(self, amount: Number) -> None:
        """Let α₀ rise by the amount."""
        self.alpha0 = self.alpha0 + amount
        self.residual = [e - amount for e in self.residual]
