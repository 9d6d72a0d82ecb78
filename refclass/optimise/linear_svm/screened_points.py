"""The problem of the active-set iteration: the points with finite costs, all of them or those near the margin.

    minimise ½‖β‖² − qᵀθ + Σ Cᵢ [marginᵢ − zᵢᵀθ]₊        θ = (β, β₀), zᵢ = yᵢ(xᵢ, 1), Cᵢ > 0 finite

q = 0 and marginᵢ = 1, except that margins are perturbed for a while against cycling, and that points far from the
margin are left out (shrinking, Joachims 1999): those inside it contribute q = Σ Cᵢzᵢ, those beyond it nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import compress
from operator import itemgetter, mul
from typing import Any

from refclass.errors import InvalidInput
from refclass.linear import combination
from refclass.linear.vector import dot
from refclass.number.field import Number
from refclass.number.tolerance import roundoff
from refclass.optimise.limits import ROUNDOFF_UNITS

MIN_SCREENED = 60  # so few points are never left out
LARGEST = 2**490  # entry of a point of doubles: sums of squares of larger ones, or one over them, may leave the range


@dataclass(frozen=True)
class Points:
    """The points that may change side.

    X, y, costs    their rows xᵢ, labels yᵢ = ±1, and costs Cᵢ
    columns        the columns of z, with an intercept y as the last
    margins        the margin of each: 1, unless perturbed
    q              Σ Cᵢzᵢ over the points left out that are inside the margin
    places         where each stands among all points
    intercept      whether there is a β₀
    sizes          the largest entry of each column, over all points
    total_cost     Σ Cᵢ over all points
    zero           the zero of the numbers
    eps            a relative difference that may be roundoff; 0 where there is none
    sides          whether each of all points was inside the margin where some were left out

    Raises    InvalidInput for doubles whose squares leave their range
    """

    X: Sequence[Any]
    y: Sequence[Number]
    costs: Sequence[Number]
    columns: Sequence[Sequence[Number]]
    margins: Sequence[Number]
    q: Sequence[Number]
    places: Sequence[int]
    intercept: bool
    sizes: Sequence[Number]
    total_cost: Number
    zero: Number
    eps: Any
    sides: Sequence[bool] = ()

    @classmethod
    def of(cls, X: Sequence[Any], y: Sequence[Number], costs: Sequence[Number], intercept: bool) -> Points:
        """Return all points as a problem."""
        zero, one, n = y[0] - y[0], y[0] / y[0], len(y)
        columns = [tuple(map(mul, y, column)) for column in zip(*X)] + ([tuple(y)] if intercept else [])
        sizes = [max(max(column), -min(column)) for column in columns]
        eps = ROUNDOFF_UNITS * roundoff(type(zero))
        if eps and max(sizes) > LARGEST:
            need, got = f"entries up to {LARGEST:.0e}, whose squares doubles hold", max(sizes)
            raise InvalidInput("long_step", need=need, got=got, column=sizes.index(got))
        q = [zero] * len(columns)
        return cls(X, y, costs, columns, (one,) * n, q, range(n), intercept, sizes, sum(costs), zero, eps)

    def slack(self, theta: Sequence[Number]) -> list[Number]:
        """Return marginᵢ − zᵢᵀθ for every point  [ESL-12.16].

        Cost      n multiplications for each column
        """
        return [m - v for m, v in zip(self.margins, combination.total(theta, self.columns))]

    def terms(self, theta: Sequence[Number]) -> Number:
        """Return Σ |θⱼ| sizeⱼ: a bound on the terms that a slack is summed from, but for the margin."""
        return sum(map(mul, map(abs, theta), self.sizes))

    def weighed(self, chosen: Sequence[bool]) -> list[Number]:
        """Return q + Σ Cᵢzᵢ over the points chosen."""
        costs = tuple(compress(self.costs, chosen))
        return [dot(costs, tuple(compress(column, chosen))) + v for column, v in zip(self.columns, self.q)]

    def near(self, slack: Sequence[Number], width: Any) -> Points:
        """Return the points whose slack is at most `width` in size; all if that leaves out less than half.

        All, too, where the others would make the objective fall without end along the intercept.
        """
        n = len(self.y)
        places = [i for i, e in enumerate(slack) if -width <= e <= width]
        if n <= MIN_SCREENED or len(places) < 2 or 2 * len(places) > n:
            return self
        sides, pick = [e > width for e in slack], itemgetter(*places)
        q = self.weighed(sides)
        y, costs = pick(self.y), pick(self.costs)
        if self.intercept and not all(sum(compress(costs, [s * t < 0 for t in y])) > s * q[-1] for s in (1, -1)):
            return self
        columns, margins = [pick(column) for column in self.columns], pick(self.margins)
        some = replace(self, X=pick(self.X), y=y, costs=costs, columns=columns, margins=margins, q=q)
        return replace(some, places=places, sides=sides)

    def perturbed(self, amount: Number) -> Points:
        """Return the points with margins moved apart by about `amount`, each by another one, against cycling.

        Proof: with the margins in general position no step has length zero, so that the objective falls at each, no
        minimum with points held comes twice, and the iteration ends. The conditions of optimality are closed: sides and
        points held that are optimal for arbitrarily small amounts are optimal for none.
        """
        return replace(self, margins=[1 + amount * (1 + (7919 * i + 1) % 10007) / 10007 for i in self.places])
