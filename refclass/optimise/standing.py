"""Where a march stands: the residuals, kept up to date for the points that are near the edge of the band.

    residualᵢ = originᵢ − fall · paceᵢ − rise − Σⱼ Kᵢⱼ cⱼ        over the points j whose multipliers have changed

since all residuals were last measured, while the level fell by `fall`, α₀ rose by `rise` and yⱼαⱼ by cⱼ. So the others'
residuals can be had when they are asked for, and `watch` says for how long that is not needed.
"""

from __future__ import annotations

from collections.abc import Sequence
from operator import itemgetter, mul
from typing import Any, Optional

from refclass.number.field import Number
from refclass.number.near import roundoff
from refclass.optimise import weighted
from refclass.optimise.watch import DOWN, Watch, fit

LEFT, EDGE, RIGHT = 1, 0, -1  # inside the band with α = 1; on its edge; beyond it with α = 0
FEW = 60  # with so many points, all of them are always looked at
SHARE = 5  # one in so many points is worth being looked at in every segment
AHEAD = 12  # so many segments of the present length should be covered by them

GROSS = 2**33  # units of roundoff in a multiplier or in a residual: with more it is wrong


def amiss(side: Sequence[int], y: Sequence[Number], residual: Sequence[Number]) -> Number:
    """Return how far the worst point is on a wrong side, or off the edge: no more than zero if none is.

    Example
        >>> amiss([1, -1, 0], [1, 1, -1], [3, -2, 0])
        0
        >>> amiss([1, -1, 0], [1, -1, -1], [3, -2, 0])
        2
    """
    return max([-s * t * e if s else abs(e) for s, t, e in zip(side, y, residual)])


def most(level: Number, alpha: Sequence[Number], diagonal: Sequence[Number]) -> Number:
    """Return the most that may be amiss where the level is the size of the residuals' targets."""
    unit = GROSS * roundoff(type(level))
    return unit * (abs(level) + unit * sum(alpha) * max(diagonal))


class Standing:
    """Where the march stands; it changes in place.

    rows        what gives row i of K
    fixed       the part of each target that does not depend on the parameter: targetᵢ = fixedᵢ + level · paceᵢ
    level       the parameter
    alpha       the multipliers, between 0 and 1
    side        LEFT, EDGE or RIGHT for every point
    held        the points on the edge
    slopes      their signed slopes aⱼ
    drift       b₀, the slope of α₀
    nearby      the points looked at, among them those on the edge; place: where they are in `nearby`
    residual    targetᵢ − Σⱼ Kᵢⱼ yⱼαⱼ − α₀ for each of them
    changed     the points whose multipliers may have changed since all residuals were last measured
    diagonal    Kᵢᵢ for every point
    watch       what says for how long the others need no look; None where all points are always looked at
    stride      how long segments are, about
    """

    def __init__(self, rows: Any, y: Sequence[Number], pace: Sequence[Number], drain: Number) -> None:
        kind = type(y[0])
        self.rows, self.y, self.pace, self.drain = rows, y, tuple(pace), drain
        self.zero, self.one = kind(0), kind(1)
        self.ones = (self.one,) * len(y)
        self.eps = roundoff(kind)
        self.diagonal = [rows(i)[i] for i in range(len(y))]
        self.watch: Optional[Watch] = None
        if len(y) > FEW and fit(self.diagonal):
            self.watch = Watch(rows, y, self.pace, self.diagonal)
        self.held: list[int] = []
        self.slopes: list[Number] = []
        self.drift, self.stride = self.zero, float(0)

    def stand(
        self, alpha: Sequence[Number], fixed: Sequence[Number], level: Number, g: Sequence[Number], alpha0: Number
    ) -> None:
        """Stand at these multipliers, with g = Σⱼ Kᵢⱼ yⱼαⱼ."""
        self.alpha, self.fixed, self.level, self.alpha0 = list(alpha), fixed, level, alpha0
        self.balance = sum(map(mul, self.alpha, self.y)) + self.zero
        self.side = [LEFT if a == 1 else RIGHT if a == 0 else EDGE for a in alpha]
        self._measured([f + level * p - v - alpha0 for f, p, v in zip(fixed, self.pace, g)])

    # -- the points that are looked at

    def _measured(self, residual: list[Number]) -> None:
        self.origin = residual, tuple(map(mul, self.alpha, self.y)), self.level, self.alpha0
        self.changed: dict[int, None] = {}
        self.nearby = list(range(len(residual)))
        self.residual, self.place = residual, dict(enumerate(self.nearby))
        self.near_pace: Sequence[Number] = self.pace
        self.columns: dict[int, Sequence[Number]] = {}

    @property
    def whole(self) -> bool:
        """Whether all points are looked at."""
        return len(self.nearby) == len(self.y)

    def measure(self) -> None:
        """Bring all residuals up to date.

        Cost      n multiplications for each point whose multiplier has changed since this was done
        """
        if self.whole:
            self._measured(self.residual)
            return
        residual, signed, level, alpha0 = self.origin
        changes = [signed[j] - self.y[j] * self.alpha[j] for j in self.changed]
        shares = [self.one, self.level - level, alpha0 - self.alpha0, *changes]
        found = weighted.total(shares, [residual, self.pace, self.ones, *map(self.rows, self.changed)])
        for i, e in zip(self.nearby, self.residual):
            found[i] = e
        self._measured(found)

    def anew(self) -> None:
        """Compute all residuals from the multipliers alone.

        Cost      n multiplications for each of them that is not zero
        """
        support = [j for j, a in enumerate(self.alpha) if a]
        weights = [self.one, self.level, -self.alpha0, *(-self.y[j] * self.alpha[j] for j in support)]
        self._measured(weighted.total(weights, [self.fixed, self.pace, self.ones, *map(self.rows, support)]))

    def narrow(self, watch: Watch, rates: Sequence[Number], fall: float) -> list[Number]:
        """Look only at points that may soon come to the edge; return their rates.

        Shapes    rates: n; fall: the length of this segment

        Proof: a residual that its rate leads no closer to zero than to a certain distance, now and when the parameter
        has fallen as far as it may, is not zero before it can have strayed that far.
        """
        fall, on = max(AHEAD * self.stride, 2 * fall), set(self.held)
        pairs = zip(map(float, self.residual), map(float, rates))
        closest = [min(e, e - fall * v) if e > 0 else min(-e, fall * v - e) for e, v in pairs]
        apart = sorted(closest)
        stray = max(apart[min(len(on) + len(apart) // SHARE, len(apart) - 1)], 0)
        near = [i for i, c in enumerate(closest) if c <= stray or i in on]
        watch.refer(self.drift, self.held, self.slopes, [self.pace[j] for j in self.held])
        watch.allow(DOWN * fall, DOWN * stray)
        pick = itemgetter(*near)
        self.nearby, self.place = near, {i: k for k, i in enumerate(near)}
        self.residual, self.near_pace, self.columns = list(pick(self.residual)), pick(self.pace), {}
        self.pick = pick
        return list(pick(rates))

    # -- rates

    def less(self, start: Sequence[Number], level: Number, members: Sequence[int], weights: Sequence[Number]) -> Any:
        """Return startᵢ − level − Σⱼ Kᵢⱼ weightⱼ over the members, for the points looked at.

        Cost      a multiplication for each of them and each member
        """
        if self.whole:
            columns = list(map(self.rows, members))
        else:
            for j in members:
                if j not in self.columns:
                    self.columns[j] = self.pick(self.rows(j))
            columns = [self.columns[j] for j in members]
        ones = self.ones[: len(self.nearby)]
        return weighted.total([self.one, -level, *(-w for w in weights)], [start, ones, *columns])

    def rates(self) -> Any:
        """Return what each residual falls by while the parameter falls by 1: paceᵢ − Σⱼ Kᵢⱼaⱼ − b₀."""
        return self.less(self.near_pace, self.drift, self.held, self.slopes)

    def move(self, delta: Number, rates: Sequence[Number]) -> None:
        """Let the parameter fall by delta within the segment."""
        if self.watch is not None:
            self.watch.advance(float(delta))
            self.stride = (self.stride + float(delta)) / 2
        self.residual = [e - delta * v for e, v in zip(self.residual, rates)]
        for j, a in zip(self.held, self.slopes):
            self.alpha[j] = self.alpha[j] - delta * self.y[j] * a
        self.changed.update(dict.fromkeys(self.held))
        self.alpha0 = self.alpha0 - delta * self.drift
        self.level, self.balance = self.level - delta, self.balance - delta * self.drain

    def correct(self, level: Number, members: Sequence[int], by: Sequence[Number]) -> None:
        """Add to α₀, and to the signed multipliers of members: what roundoff has left over."""
        for j, v in zip(members, by):
            self.alpha[j] = self.alpha[j] + self.y[j] * v
        self.alpha0 = self.alpha0 + level
        self.changed.update(dict.fromkeys(members))
        if self.watch is not None:
            self.watch.disturb(abs(float(level)) + self.watch.size**2 * float(sum(map(abs, by))))
        self.residual = self.less(self.residual, level, members, by)
