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

from refclass.errors import NotConverged
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector, dot
from refclass.number.field import Number
from refclass.optimise.path import degenerate
from refclass.optimise.path.elbow_system import Edge
from refclass.optimise.path.residuals import EDGE, GROSS, LEFT, RIGHT, Standing, amiss, most

TIE = 2**16  # units of roundoff between two events that count as one
SMALL = 2**12  # units of roundoff in a pivot that counts as zero, and in what is put right
ROUGH = 8  # units of roundoff, of the terms that a rate is summed from, that no correction can put right
AGAIN = 3  # how often slopes are put right, at most, before the rates of all points are computed
OFTEN = 64  # after so many segments the residuals are computed anew, and verified


class March(Standing):
    """A standing from which to march on; it changes in place.

    edge        the equations of the points on the edge
    regular     whether they are independent
    stiff       whether roundoff had to be put right in the slopes last time
    snapped     whether roundoff was cut off a multiplier, and no other took it, since the balance was last put right
    touching    the points that the present segment brings to the edge
    largest     the largest |Kᵢᵢ|
    verified    after so many steps the residuals were verified last, and good is what the level was then
    resting     points found on the edge with their multipliers at a bound
    parting     points that have just left the edge: their residuals are zero
    """

    def __init__(self, rows: Any, y: Sequence[Number], pace: Sequence[Number], drain: Number, diagonal: Any) -> None:
        super().__init__(rows, y, pace, drain, diagonal)
        self.edge = Edge(type(self.zero))
        self.steps, self.verified, self.snapped, self.stiff = 0, 0, False, False
        self.largest = max(map(abs, self.diagonal))
        self.good: Optional[Number] = None
        self.resting: list[int] = []
        self.parting: list[int] = []
        self.touching: list[int] = []

    def begin(
        self, alpha: Sequence[Number], fixed: Sequence[Number], level: Number, g: Sequence[Number], alpha0: Number
    ) -> None:
        """Stand at these multipliers, with g = Σⱼ Kᵢⱼ yⱼαⱼ."""
        self.stand(alpha, fixed, level, g, alpha0)
        self.settle([i for i, s in enumerate(self.side) if s == EDGE])
        if self.regular and self.held:
            self.steer()

    def settle(self, held: Sequence[int]) -> None:
        """Let these be the points on the edge; build up their equations, as far as they are independent."""
        self.held = list(held)
        self.edge = Edge(type(self.zero))
        taken = [self.enter(i) for i in held]
        self.regular = all(taken)

    def enter(self, i: int) -> bool:
        """Take the equation of point i in, unless it follows from the others."""
        row = self.rows(i)
        return self.edge.append(i, [row[j] for j in self.edge.members], row[i], SMALL * self.eps * row[i])

    # -- a segment

    def certain(self) -> Any:
        """Return the rates of the residuals; those on the edge are zero, and what roundoff makes of that is put right.

        Cost      n multiplications for each point on the edge
        """
        rough = self.eps and self.regular and self.held
        if rough:
            self.straighten()
            if self.stiff:
                self.sharpen()
        rates = self.rates()
        if rough and self.put_right([rates[j] for j in self.held]):
            self.stiff = True
            rates = self.rates()
        return rates

    def sharpen(self) -> None:
        """Put the slopes right before the rates of all points are computed, if those on the edge are other than zero.

        Cost      m² multiplications, and m² more where there is something to put right
        """
        block = [tuple([row[j] for j in self.held]) for row in map(self.rows, self.held)]
        self.stiff = False
        for _ in range(AGAIN):
            missing = [self.pace[j] - self.drift - dot(self.slopes, row) for j, row in zip(self.held, block)]
            if not self.put_right(missing):
                break
            self.stiff = True

    def put_right(self, missing: Sequence[Number]) -> bool:
        """Take from the slopes what makes these the rates of the points on the edge; say whether it was too much."""
        size = sum(map(abs, self.slopes)) * self.largest
        if max(map(abs, missing)) <= self.eps * max(SMALL, ROUGH * size):
            return False
        more, extra = self.edge.solve(self.drain - sum(self.slopes), missing)
        self.change([more, *extra])
        self.keep_sum()
        return True

    def room(self) -> tuple[Optional[Number], list[Number]]:
        """Return how far the parameter can fall before a point changes side, None for ever, and the rates until then.

        Cost      n multiplications for each point on the edge, at most
        """
        rates = self.certain()
        fall = self.first(rates)
        return (None if fall > self.level * 2 else fall), rates

    def first(self, rates: Sequence[Number]) -> Number:
        """Return how far the parameter can fall before a point changes side; keep those that then touch the edge."""
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
        limit = least + TIE * self.eps * self.level
        while first <= limit and first < far:
            k = ahead.index(first)
            self.touching.append(k)
            ahead[k] = far
            first = min(ahead)
        return max(least, self.zero)

    def advance(self, delta: Number, rates: Sequence[Number]) -> None:
        """Let the parameter fall by delta within the segment."""
        self.move(delta, rates)
        self.steps += 1

    def straighten(self) -> None:
        """Put right what roundoff has gathered: the residuals on the edge, which should be zero, and the balance."""
        if self.steps >= self.verified + OFTEN:
            self.verify()
        amiss = [self.residual[j] for j in self.held]
        if max(map(abs, amiss)) <= SMALL * self.eps * abs(self.level) and not self.snapped:
            return
        self.snapped = False
        lack = self.balance - sum(map(mul, self.alpha, self.y))
        more, extra = self.edge.solve(lack, amiss)
        self.correct(more, self.held, _summing_to(lack, extra))
        for i in self.parting:
            self.residual[i] = self.zero

    def verify(self) -> None:
        """Compute all residuals from the multipliers alone.

        Cost      n multiplications for each support vector
        Raises    NotConverged when roundoff has brought points to a wrong side
        """
        self.anew()
        worst = amiss(self.side, self.y, self.residual)
        if worst > most(self.level, self.alpha, self.diagonal):
            raise NotConverged("path", need="points on their sides", got="roundoff", amiss=worst, level=self.level)
        self.verified, self.good = self.steps, self.level
        for i in [*self.parting, *self.resting]:  # they start from zero, and roundoff must not bring them back
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
        still = [i for i in self.resting if i not in self.touching]
        self.resting = [i for i in still if abs(self.residual[i]) <= unit]
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
                bound = self.one if a > unit else self.zero
                leaving.append(j)
                if abs(a - bound) > GROSS * self.eps > 0:
                    raise NotConverged("path", need="multipliers within their bounds", got=a, level=self.level)
                if a != bound:
                    self.cut(j, bound)
        return leaving

    def cut(self, j: int, bound: Number) -> None:
        """Set a multiplier to its bound; the point on the edge with the most room takes over what that cuts off."""
        members, by = [j], [(bound - self.alpha[j]) * self.y[j]]
        room, i = max([(min(self.alpha[i], 1 - self.alpha[i]), i) for i in self.held if i != j], default=(0, j))
        if room > abs(by[0]):
            members, by = [j, i], [by[0], -by[0]]
        self.snapped = self.snapped or len(members) == 1
        if abs(by[0]) > SMALL * self.eps:
            self.correct(self.zero, members, by)
        else:
            for i, v in zip(members, by):
                self.alpha[i] = self.alpha[i] + self.y[i] * v
        self.alpha[j] = bound

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
            rate = self.pace[i] - self.drift - dot([row[j] for j in self.held], self.slopes)
            slope_of = rate / pivot
            self.edge.extend(i, w, pivot)
            self.change([-slope_of * v for v in w])
            self.held, self.slopes = [*self.held, i], [*self.slopes, slope_of]
            self.side[i] = EDGE
            self.keep_sum()
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
        self.keep_sum()
        return True

    def change(self, by: Sequence[Number]) -> None:
        """Add to the slope of the intercept and to those of the points on the edge."""
        self.drift, self.slopes = self.drift + by[0], list(map(add, self.slopes, by[1:]))

    def keep_sum(self) -> None:
        """Let Σ aⱼ = drain hold again: slopes that once were large leave their roundoff."""
        if self.eps:
            self.slopes = _summing_to(self.drain, self.slopes)

    def steer(self) -> None:
        """Compute the slopes from the equations of the edge.

        Cost      m² multiplications
        """
        self.drift, self.slopes = self.edge.solve(self.drain, [self.pace[i] for i in self.held])
        self.keep_sum()

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
            a, drift = degenerate.least(K, pace, self.drain, signs)
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
        self.correct(amount, (), ())


def _summing_to(total: Number, values: Sequence[Number]) -> list[Number]:
    """Return the values with that sum: what is missing, roundoff of the largest of them, is added to it."""
    k = max(range(len(values)), key=lambda k: abs(values[k]))
    return [*values[:k], values[k] + (total - sum(values)), *values[k + 1 :]]
