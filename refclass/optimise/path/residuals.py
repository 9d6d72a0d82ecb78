"""The state of a path between two events: the residuals of all points, kept up to date.

residualᵢ = targetᵢ − Σⱼ Kᵢⱼ yⱼαⱼ − α₀        targetᵢ = fixedᵢ + level · dtargetᵢ
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from operator import mul
from typing import Any, Optional

from refclass.linear import combination
from refclass.number.field import Number
from refclass.number.tolerance import roundoff
from refclass.optimise.path.elbow_system import PIVOT_UNITS, negligible

LEFT, ELBOW, RIGHT = 1, 0, -1  # inside the band with the largest α; on its elbow; beyond it with α = 0
WRONG_UNITS = 2**33  # units of roundoff in a multiplier or in a residual: with more it is wrong
TIE_UNITS = 2**16  # units of roundoff between two events that count as one


def violation(side: Sequence[int], y: Sequence[Number], residual: Sequence[Number]) -> Number:
    """Return how far the worst point is on a wrong side, or off the elbow: no more than zero if none is.

    Example
        >>> violation([1, -1, 0], [1, 1, -1], [3, -2, 0])
        0
        >>> violation([1, -1, 0], [1, -1, -1], [3, -2, 0])
        2
    """
    return max([-s * t * e if s else abs(e) for s, t, e in zip(side, y, residual)])


def most(level: Number, alpha: Sequence[Number], diagonal: Sequence[Number]) -> Number:
    """Return the largest violation that roundoff explains where the level is the size of the residuals' targets."""
    eps = roundoff(type(level))
    return WRONG_UNITS * eps * abs(level) + PIVOT_UNITS * eps * sum(alpha) * max(diagonal)


def unseen(kind: Any, total: Number, largest: Number) -> Number:
    """Return the largest residual of multipliers of this sum that decimals do not tell from zero; zero of others.

    Premise: decimals have digits to spare. Doubles, whose break points are as small, tell ties by the parameter alone.

    Proof: it is as large as the terms of a residual together, and what it does to a machine does not grow with Σα.
    Where n residuals are wrong by ε = 2¹⁶u Σα M² at most, M² the largest Kᵢᵢ, each yf is wrong by ε/λ, the gap times λ
    by nε/λ; the objective times λ is at least ½Σα, so that the relative gap is at most 2¹⁷nuM²/λ.
    """
    return TIE_UNITS * roundoff(kind) * total * largest if hasattr(kind, "precision") else kind(0)


@dataclass(frozen=True)
class Data:
    """What no event of a path changes.

    rows        what gives row i of K
    dtarget     how fast each target changes with the parameter
    dsum        how fast Σ yⱼαⱼ does
    diagonal    Kᵢᵢ for every point
    upper       the most that each multiplier can be
    ones        a one for every point
    eps         the unit of roundoff; 0 where there is none
    largest     the largest |Kᵢᵢ|
    negligible  the share of Kᵢᵢ up to which a pivot counts as zero
    """

    rows: Any
    y: Sequence[Number]
    dtarget: Sequence[Number]
    dsum: Number
    diagonal: Any
    upper: Sequence[Number]
    zero: Number
    one: Number
    ones: Sequence[Number]
    eps: Any
    largest: Number
    negligible: Any

    @classmethod
    def of(
        cls,
        rows: Any,
        y: Sequence[Number],
        dtarget: Sequence[Number],
        dsum: Number,
        diagonal: Any,
        upper: Optional[Sequence[Number]] = None,
    ) -> Data:
        """Return the data of a path in the numbers of y; without upper bounds they are ones."""
        kind = type(y[0])
        ones = (kind(1),) * len(y)
        return cls(
            rows,
            y,
            tuple(dtarget),
            dsum,
            diagonal,
            upper=upper or ones,
            zero=kind(0),
            one=kind(1),
            ones=ones,
            eps=roundoff(kind),
            largest=max(map(abs, diagonal)),
            negligible=negligible(kind),
        )


class Residuals:
    """The point between two events; it changes in place.

    data        what no event changes
    fixed       the part of each target that does not depend on the parameter: targetᵢ = fixedᵢ + parameter · dtargetᵢ
    alpha       the multipliers, between 0 and their upper bounds
    balance     Σ yⱼαⱼ, which falls by dsum while the parameter falls by 1
    side        LEFT, ELBOW or RIGHT for every point
    held        the points at the elbow
    dalpha      their signed slopes aⱼ
    dalpha0     b₀, the slope of α₀
    residual    targetᵢ − Σⱼ Kᵢⱼ yⱼαⱼ − α₀ for every point
    """

    def __init__(self, data: Data) -> None:
        self.data = data
        self.held: list[int] = []
        self.dalpha: list[Number] = []
        self.dalpha0 = self.data.zero

    def start_at(
        self, alpha: Sequence[Number], fixed: Sequence[Number], level: Number, g: Sequence[Number], alpha0: Number
    ) -> None:
        """Start at these multipliers, with g = Σⱼ Kᵢⱼ yⱼαⱼ."""
        self.alpha, self.fixed, self.parameter, self.alpha0 = list(alpha), fixed, level, alpha0
        self.balance = sum(map(mul, self.alpha, self.data.y)) + self.data.zero
        self.side = [LEFT if a == c else RIGHT if a == 0 else ELBOW for a, c in zip(alpha, self.data.upper)]
        self.residual = [f + level * p - v - alpha0 for f, p, v in zip(fixed, self.data.dtarget, g)]

    def recompute(self) -> None:
        """Compute all residuals from the multipliers alone.

        Cost      n + 1 multiplications for each of them that is not zero, and 3n
        """
        data, support = self.data, [j for j, a in enumerate(self.alpha) if a]
        weights = [data.one, self.parameter, -self.alpha0, *(-data.y[j] * self.alpha[j] for j in support)]
        self.residual = combination.total(weights, [self.fixed, data.dtarget, data.ones, *map(data.rows, support)])

    # -- rates

    def less(self, start: Sequence[Number], level: Number, members: Sequence[int], weights: Sequence[Number]) -> Any:
        """Return startᵢ − level − Σⱼ Kᵢⱼ weightⱼ over the members, for every point.

        Cost      n multiplications for each member, and 2n
        """
        columns = map(self.data.rows, members)
        return combination.total([self.data.one, -level, *(-w for w in weights)], [start, self.data.ones, *columns])

    def rates(self) -> Any:
        """Return what each residual falls by while the parameter falls by 1: dtargetᵢ − Σⱼ Kᵢⱼaⱼ − b₀."""
        return self.less(self.data.dtarget, self.dalpha0, self.held, self.dalpha)

    def move(self, delta: Number, rates: Sequence[Number]) -> None:
        """Let the parameter fall by delta within the segment."""
        self.residual = [e - delta * v for e, v in zip(self.residual, rates)]
        for j, a in zip(self.held, self.dalpha):
            self.alpha[j] = self.alpha[j] - delta * self.data.y[j] * a
        self.alpha0 = self.alpha0 - delta * self.dalpha0
        self.parameter, self.balance = self.parameter - delta, self.balance - delta * self.data.dsum

    def correct(self, level: Number, members: Sequence[int], by: Sequence[Number]) -> None:
        """Add to α₀, and to the signed multipliers of members: what roundoff has left over."""
        for j, v in zip(members, by):
            self.alpha[j] = self.alpha[j] + self.data.y[j] * v
        self.alpha0 = self.alpha0 + level
        self.residual = self.less(self.residual, level, members, by)
