"""A machine's optimum while a parameter falls: the sides of the points, the points on the edge, and one segment.

    targetᵢ − Σⱼ Kᵢⱼ yⱼαⱼ − α₀ = residualᵢ        yᵢ residualᵢ ≥ 0 if αᵢ = 1, = 0 on the edge, ≤ 0 if αᵢ = 0
    Σ yⱼαⱼ = balance

While the parameter falls by δ the targets fall by δ · pace and the balance by δ · drain; the multipliers of the points
on the edge follow, αⱼ(δ) = αⱼ − δ yⱼaⱼ, α₀(δ) = α₀ − δ b₀, so that they stay there  [ESL-12.3.5-path]:

    Σⱼ Kᵢⱼ aⱼ + b₀ = paceᵢ for i on the edge,   Σ aⱼ = drain
"""

from __future__ import annotations

from collections.abc import Sequence
from operator import add, mul
from typing import Any, Optional

from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector, dot
from refclass.number.field import Number
from refclass.number.near import roundoff
from refclass.optimise import slope, weighted
from refclass.optimise.edge import Edge

LEFT, EDGE, RIGHT = 1, 0, -1  # inside the band with α = 1; on its edge; beyond it with α = 0
TIE = 2**16  # units of roundoff between two events that count as one
SMALL = 2**12  # units of roundoff in a pivot that counts as zero, and in what is put right
OFTEN = 32  # after so many segments the residuals on the edge are computed anew


class March:
    """Where the march stands; it changes in place.

    rows        what gives row i of K
    fixed       the part of each target that does not depend on the parameter: targetᵢ = fixedᵢ + level · paceᵢ
    level       the parameter
    alpha       the multipliers, between 0 and 1
    residual    targetᵢ − Σⱼ Kᵢⱼ yⱼαⱼ − α₀
    side        LEFT, EDGE or RIGHT for every point
    held        the points on the edge
    slopes      their signed slopes aⱼ
    drift       b₀, the slope of α₀
    regular     whether their equations are independent
    speeds      the rates of the residuals along the last segment
    snapped     whether roundoff was cut off a multiplier since the balance was last put right
    parting     points off the edge whose residuals are zero, or were at the last event
    resting     points found on the edge with their multipliers at a bound
    """

    def __init__(self, rows: Any, y: Sequence[Number], pace: Sequence[Number], drain: Number) -> None:
        kind = type(y[0])
        self.rows, self.y, self.pace, self.drain = rows, y, tuple(pace), drain
        self.zero, self.one = kind(0), kind(1)
        self.ones = (self.one,) * len(y)
        self.eps = roundoff(kind)
        self.edge = Edge(kind, border=True)
        self.regular, self.held, self.resting = True, [], []  # type: ignore[var-annotated]
        self.slopes: list[Number] = []
        self.drift = self.zero
        self.speeds: list[Number] = []
        self.steps, self.snapped = 0, False
        self.parting: list[int] = []

    def begin(
        self, alpha: Sequence[Number], fixed: Sequence[Number], level: Number, g: Sequence[Number], alpha0: Number
    ) -> None:
        """Stand at these multipliers, with g = Σⱼ Kᵢⱼ yⱼαⱼ."""
        self.alpha, self.fixed, self.level, self.alpha0 = list(alpha), fixed, level, alpha0
        self.balance = sum(map(mul, self.alpha, self.y)) + self.zero
        self.residual = [f + level * p - v - alpha0 for f, p, v in zip(fixed, self.pace, g)]
        self.side = [LEFT if a == 1 else RIGHT if a == 0 else EDGE for a in alpha]
        self.settle([i for i, s in enumerate(self.side) if s == EDGE])
        if self.regular and self.held:
            self.steer()
            self.speeds = self.combined(self.pace, self.drift, self.slopes)

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

        For the points on the edge that is zero; what roundoff makes of it is put right once.

        Cost      n multiplications for each point on the edge
        """
        rough = self.eps and self.regular and self.held
        if rough:
            self.straighten()
        rates = self.combined(self.pace, self.drift, self.slopes)
        if rough:
            missing = [rates[j] for j in self.held]
            if max(map(abs, missing)) > SMALL * self.eps:
                more, extra = self.edge.solve(self.drain - sum(self.slopes), missing)
                self.drift, self.slopes = self.drift + more, list(map(add, self.slopes, extra))
                rates = self.combined(self.pace, self.drift, self.slopes)
        self.speeds = rates
        return rates

    def combined(self, start: Sequence[Number], level: Number, weights: Sequence[Number]) -> list[Number]:
        """Return startᵢ − level − Σⱼ Kᵢⱼ weightⱼ over the points on the edge."""
        rows = [self.rows(j) for j in self.held]
        return weighted.total([self.one, -level, *(-a for a in weights)], [start, self.ones, *rows])

    def room(self, rates: Sequence[Number]) -> Optional[Number]:
        """Return how far the parameter can fall before a point changes side, None for ever; keep who then touches."""
        far = self.level * 2 + self.one
        ahead = [e / v if e * v > 0 else far for e, v in zip(self.residual, rates)]
        for j in self.held:
            ahead[j] = far
        least = first = min(ahead)
        for j, a in zip(self.held, self.slopes):
            b = self.y[j] * a
            if b:
                least = min(least, (self.alpha[j] if b > 0 else self.alpha[j] - 1) / b)
        self.touching = []
        if least >= far:
            return None
        limit = least + TIE * self.eps * self.level
        while first <= limit and first < far:
            i = ahead.index(first)
            self.touching.append(i)
            ahead[i] = far
            first = min(ahead)
        return max(least, self.zero)

    def advance(self, delta: Number, rates: Sequence[Number]) -> None:
        """Let the parameter fall by delta within the segment."""
        self.residual = [e - delta * v for e, v in zip(self.residual, rates)]
        for j, a in zip(self.held, self.slopes):
            self.alpha[j] = self.alpha[j] - delta * self.y[j] * a
        self.alpha0 = self.alpha0 - delta * self.drift
        self.level, self.balance = self.level - delta, self.balance - delta * self.drain
        self.steps += 1

    def straighten(self) -> None:
        """Put right what roundoff has gathered: the residuals on the edge, which should be zero, and the balance."""
        anew = self.steps % OFTEN == 0
        if anew:
            signed = tuple(map(mul, self.alpha, self.y))
            for j in self.held:
                target = self.fixed[j] + self.level * self.pace[j]
                self.residual[j] = target - dot(signed, self.rows(j)) - self.alpha0
        amiss = [self.residual[j] for j in self.held]
        if max(map(abs, amiss)) <= SMALL * self.eps * abs(self.level) and not anew and not self.snapped:
            return
        self.snapped = False
        lack = self.balance - sum(map(mul, self.alpha, self.y))
        more, extra = self.edge.solve(lack, amiss)
        self.alpha0 = self.alpha0 + more
        for j, a in zip(self.held, extra):
            self.alpha[j] = self.alpha[j] + self.y[j] * a
        self.residual = self.combined(self.residual, more, extra)
        for i in self.parting:  # they start from zero, and roundoff must not bring them back
            self.residual[i] = self.zero

    # -- where segments join

    def near(self, scale: Number) -> None:
        """Find the points off the edge whose residuals are zero."""
        unit = TIE * self.eps * scale
        self.touching = [i for i, (e, s) in enumerate(zip(self.residual, self.side)) if s and abs(e) <= unit]

    def junction(self, scale: Number) -> bool:
        """Find the points on the edge after an event, from those that touch it; say whether any changed side.

        scale    the size of the residuals' targets
        """
        leaving, self.parting = self.snap(), []
        unit = TIE * self.eps * scale
        self.resting = [i for i in self.resting if i not in self.touching and abs(self.residual[i]) <= unit]
        alone = self.regular and not self.resting and len(self.touching) + len(leaving) == 1
        if alone and self.single(self.touching, leaving):
            return True
        return self.several([*self.touching, *self.resting])

    def snap(self) -> list[int]:
        """Return the points on the edge whose multipliers have reached a bound, set to it."""
        unit, leaving = TIE * self.eps, []
        for j in self.held:
            a = self.alpha[j]
            if a <= unit or a >= 1 - unit:
                self.alpha[j] = bound = self.one if a > unit else self.zero
                leaving.append(j)
                if abs(a - bound) > SMALL * self.eps:
                    self.snapped = True
                    change = (bound - a) * self.y[j]
                    self.residual = weighted.total([self.one, -change], [self.residual, self.rows(j)])
        return leaving

    def single(self, touching: Sequence[int], leaving: Sequence[int]) -> bool:
        """Let one point join the edge or leave it; say whether that could be done, and led away from where it came.

        Proof: with independent equations the slopes are unique. With w the row that eliminates the new point and v the
        rate of its residual, they change by (v / pivot) (−w, 1): the sign of the new slope is that of v, so that the
        point moves off its bound inwards. Where one leaves, its column of the inverse, times its slope over the entry
        on the diagonal, is taken away: its residual then falls at the rate of that quotient, away from zero.
        """
        if touching:
            (i,) = touching
            row = self.rows(i)
            pivot, w = self.edge.eliminated([row[j] for j in self.held], row[i])
            if not self.held or pivot <= SMALL * self.eps * row[i]:
                return False
            slope_of = self.speeds[i] / pivot
            self.edge.extend(i, w, pivot)
            self.change([-slope_of * v for v in w])
            self.held, self.slopes = [*self.held, i], [*self.slopes, slope_of]
            self.side[i] = EDGE
            return True
        (i,) = leaving
        place = self.held.index(i)
        if len(self.held) == 1 or self.edge.stiffness(place) <= 0:
            return False
        column = self.edge.inverse[place + 1]
        share = self.slopes[place] / column[place + 1]
        self.change([-share * v for v in column])
        self.edge.drop(place)
        for members in (self.held, self.slopes):
            del members[place]
        self.side[i], self.residual[i] = LEFT if self.alpha[i] else RIGHT, self.zero
        self.parting = [i]
        return True

    def change(self, by: Sequence[Number]) -> None:
        """Add to the slope of the intercept and to those of the points on the edge."""
        self.drift, self.slopes = self.drift + by[0], list(map(add, self.slopes, by[1:]))

    def steer(self) -> None:
        """Compute the slopes from the equations of the edge.

        Cost      m² multiplications
        """
        self.drift, self.slopes = self.edge.solve(self.drain, [self.pace[i] for i in self.held])

    def several(self, touching: Sequence[int]) -> bool:
        """Find the slopes of all points on the edge at once, and from them their sides; say whether any changed."""
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
        before = [self.side[i] for i in on]
        self.resting = self.parting = [i for i in on if i not in found]
        for i in on:
            self.side[i] = EDGE
        for i in self.resting:
            self.side[i], self.residual[i] = LEFT if self.alpha[i] else RIGHT, self.zero
        self.settle(list(found))
        self.slopes, self.drift = list(found.values()), drift
        if self.regular and found:
            self.steer()
        return before != [self.side[i] for i in on]

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
        return (most - least) / 2 + self.zero

    def shift(self, amount: Number) -> None:
        """Let α₀ rise by the amount."""
        self.alpha0 = self.alpha0 + amount
        self.residual = [e - amount for e in self.residual]
