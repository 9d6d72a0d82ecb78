"""The points that the linear solver holds, and the vectors that take their equations apart.

With x̃ᵢ = (xᵢ, s), s the same for all points, and vectors wᵢ in the span of those of the points held so that

    wᵢᵀx̃ⱼ = 1 if i = j, else 0

v = Σ valueᵢ wᵢ is the shortest vector with vᵀx̃ᵢ = valueᵢ, and v = Σ aᵢx̃ᵢ for aᵢ = wᵢᵀv. With an intercept b, a solves

    Σⱼ xᵢᵀxⱼ aⱼ + b = valueᵢ,   Σ aᵢ = balance

if v − b′u takes the place of v, u = Σ wᵢ, b = b′ + s² balance, b′ such that the sum comes out right. Without an
intercept s = 0, and it is left out.

The vectors wᵢ are the rows of the pseudo-inverse. An inverse of the points' inner products would do the same, but the
numbers in it are squares, and where the variables are of different sizes it loses twice as many digits.
"""

from __future__ import annotations

from collections.abc import Sequence
from operator import add, sub
from typing import Any

from refclass.linear import combination
from refclass.linear.vector import dot
from refclass.number.field import Number

CANCELLATION_RATIO = 2**10  # if less than one part in so many of a point's square is left, digits have cancelled


class DualBasis:
    """The points held and the vectors that take them apart.

    members    their numbers
    points     their x̃ᵢ
    duals      their wᵢ
    level      s; None without an intercept
    fresh      whether no member was dropped, which loses digits

    Exact      yes
    Example
        >>> basis = DualBasis(1.0)
        >>> basis.take(0, (0.0,), 0), basis.take(1, (2.0,), 0), basis.take(2, (1.0,), 0)
        (True, True, False)
        >>> basis.solve(0.0, [1.0, -1.0])
        (1.0, [0.5, -0.5])
    """

    def __init__(self, level: Any = None) -> None:
        self.level, self.fresh = level, True
        self.members: list[int] = []
        self.points: list[tuple[Number, ...]] = []
        self.duals: list[tuple[Number, ...]] = []

    def take(self, i: int, x: Sequence[Number], least: Any) -> bool:
        """Hold point i, unless what of x̃ is outside the span of those held is at most `least` of x̃, both squared.

        Method: the part within the span is taken away once, and where most of x̃ went with it, once more: what is left
        keeps its digits.

        Cost      3m + 3 vectors' worth of multiplications and one of divisions for m members, 5m + 3 where digits have
                  cancelled; and 2 multiplications
        """
        whole = tuple(x) if self.level is None else (*x, self.level)
        square = dot(whole, whole)
        rest, shares = whole, [dot(w, whole) for w in self.duals]
        if shares:
            rest = tuple(map(sub, whole, combination.total(shares, self.points)))
            if dot(rest, rest) * CANCELLATION_RATIO <= square:
                more = [dot(w, rest) for w in self.duals]
                rest = tuple(map(sub, rest, combination.total(more, self.points)))
                shares = list(map(add, shares, more))
        pivot = dot(rest, rest)
        if pivot <= least * square:
            return False
        own = tuple([v / pivot for v in rest])
        self.duals = [tuple([v - c * w for v, w in zip(dual, own)]) for dual, c in zip(self.duals, shares)]
        self.duals.append(own)
        self.points.append(whole)
        self.members.append(i)
        return True

    def drop(self, place: int) -> None:
        """Let the member at that place go.

        Cost      2m − 1 vectors' worth of multiplications and m − 1 divisions
        """
        gone, self.fresh = self.duals.pop(place), False
        del self.members[place], self.points[place]
        square = dot(gone, gone)
        shares = [dot(w, gone) / square for w in self.duals]
        self.duals = [tuple([v - c * g for v, g in zip(w, gone)]) for w, c in zip(self.duals, shares)]

    def solve(self, balance: Number, values: Sequence[Number]) -> tuple[Number, list[Number]]:
        """Return the intercept b and the multipliers a of at least one member; b is zero without an intercept.

        Cost      2m vectors' worth of multiplications; with an intercept three more, that of `middle` and a division
        """
        v = tuple(combination.total(values, self.duals))
        if self.level is None:
            return balance - balance, [dot(w, v) for w in self.duals]
        u = self.middle
        b = (dot(u, v) - balance) / dot(u, u)
        v = tuple([p - b * q for p, q in zip(v, u)])
        return b + self.level * self.level * balance, [dot(w, v) for w in self.duals]

    @property
    def middle(self) -> tuple[Number, ...]:
        """Return u = Σ wᵢ."""
        return tuple(map(sum, zip(*self.duals)))

    def inverse_diagonal(self) -> list[Number]:
        """Return for each member what a unit of its multiplier costs to move away: the diagonal of the inverse.

        wᵢᵀwᵢ, and with an intercept ‖wᵢ − (uᵀwᵢ/uᵀu) u‖²: a sum of squares, which roundoff never makes negative

        Cost      m vectors' worth of multiplications for m members, with an intercept 3m + 1
        """
        if self.level is None:
            return [dot(w, w) for w in self.duals]
        u = self.middle
        square = dot(u, u)
        shares = [dot(u, w) / square for w in self.duals]
        rests = [tuple([v - c * t for v, t in zip(w, u)]) for w, c in zip(self.duals, shares)]
        return [dot(rest, rest) for rest in rests]
