"""The state of a path between two events: the residuals of all points, kept up to date.

residualᵢ = targetᵢ − Σⱼ Kᵢⱼ yⱼαⱼ − α₀        targetᵢ = fixedᵢ + level · paceᵢ
"""

from __future__ import annotations

from collections.abc import Sequence
from operator import mul
from typing import Any

from refclass.linear import combination
from refclass.number.field import Number
from refclass.number.tolerance import roundoff

LEFT, EDGE, RIGHT = 1, 0, -1  # inside the band with α = 1; on its edge; beyond it with α = 0
GROSS = 2**33  # units of roundoff in a multiplier or in a residual: with more it is wrong
ROUGH = 2**14  # units of roundoff, of the largest sum of terms, that a residual may be off


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
    eps = roundoff(type(level))
    return GROSS * eps * abs(level) + ROUGH * eps * sum(alpha) * max(diagonal)


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
    residual    targetᵢ − Σⱼ Kᵢⱼ yⱼαⱼ − α₀ for every point
    diagonal    Kᵢᵢ for every point
    """

    def __init__(self, rows: Any, y: Sequence[Number], pace: Sequence[Number], drain: Number, diagonal: Any) -> None:
        kind = type(y[0])
        self.rows, self.y, self.pace, self.drain = rows, y, tuple(pace), drain
        self.zero, self.one = kind(0), kind(1)
        self.ones = (self.one,) * len(y)
        self.eps = roundoff(kind)
        self.diagonal = diagonal
        self.held: list[int] = []
        self.slopes: list[Number] = []
        self.drift = self.zero

    def stand(
        self, alpha: Sequence[Number], fixed: Sequence[Number], level: Number, g: Sequence[Number], alpha0: Number
    ) -> None:
        """Stand at these multipliers, with g = Σⱼ Kᵢⱼ yⱼαⱼ."""
        self.alpha, self.fixed, self.level, self.alpha0 = list(alpha), fixed, level, alpha0
        self.balance = sum(map(mul, self.alpha, self.y)) + self.zero
        self.side = [LEFT if a == 1 else RIGHT if a == 0 else EDGE for a in alpha]
        self.residual = [f + level * p - v - alpha0 for f, p, v in zip(fixed, self.pace, g)]

    def anew(self) -> None:
        """Compute all residuals from the multipliers alone.

        Cost      n multiplications for each of them that is not zero
        """
        support = [j for j, a in enumerate(self.alpha) if a]
        weights = [self.one, self.level, -self.alpha0, *(-self.y[j] * self.alpha[j] for j in support)]
        self.residual = combination.total(weights, [self.fixed, self.pace, self.ones, *map(self.rows, support)])

    # -- rates

    def less(self, start: Sequence[Number], level: Number, members: Sequence[int], weights: Sequence[Number]) -> Any:
        """Return startᵢ − level − Σⱼ Kᵢⱼ weightⱼ over the members, for every point.

        Cost      n multiplications for each member
        """
        columns = map(self.rows, members)
        return combination.total([self.one, -level, *(-w for w in weights)], [start, self.ones, *columns])

    def rates(self) -> Any:
        """Return what each residual falls by while the parameter falls by 1: paceᵢ − Σⱼ Kᵢⱼaⱼ − b₀."""
        return self.less(self.pace, self.drift, self.held, self.slopes)

    def move(self, delta: Number, rates: Sequence[Number]) -> None:
        """Let the parameter fall by delta within the segment."""
        self.residual = [e - delta * v for e, v in zip(self.residual, rates)]
        for j, a in zip(self.held, self.slopes):
            self.alpha[j] = self.alpha[j] - delta * self.y[j] * a
        self.alpha0 = self.alpha0 - delta * self.drift
        self.level, self.balance = self.level - delta, self.balance - delta * self.drain

    def correct(self, level: Number, members: Sequence[int], by: Sequence[Number]) -> None:
        """Add to α₀, and to the signed multipliers of members: what roundoff has left over."""
        for j, v in zip(members, by):
            self.alpha[j] = self.alpha[j] + self.y[j] * v
        self.alpha0 = self.alpha0 + level
        self.residual = self.less(self.residual, level, members, by)
