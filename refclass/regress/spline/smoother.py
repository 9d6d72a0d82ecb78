"""Smoothing in one variable as a linear map: abscissae, the operator S_λ on them, and the curve it makes.

    minimise  Σᵢ wᵢ (yᵢ − f(xᵢ))² + λ ∫ f″(x)² dx   over all functions with a square-integrable second derivative

The minimiser is a natural cubic spline with a knot at every distinct x; points that share their x count as one, with
the mean of their y and the sum of their weights. λ = math.inf stands for the limit, the least-squares line.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from operator import add, itemgetter, mul, sub, truediv
from typing import Any

from refclass.bases import penalty
from refclass.errors import InvalidInput, NotExact
from refclass.linear.factorisations import pentadiagonal
from refclass.linear.vector import Vector, dot
from refclass.number.field import Number
from refclass.regress.spline.curve import Curve

UNEVEN = 10**4  # ratio of gaps beyond which doubles may have fewer than twelve digits of the trace
RAGGED = 10**7  # beyond which λ is searched for in decimals: doubles may have fewer than ten digits of GCV


@dataclass(frozen=True)
class Smoother:
    """All about the smoothing of points at given abscissae that does not depend on the responses.

    knots      the m distinct abscissae, ascending
    place      for each point the number of its knot
    weights    for each knot the sum of its points' weights, > 0
    points     for each point its own weight
    """

    knots: Vector
    place: tuple[int, ...]
    weights: Vector
    points: Vector

    @classmethod
    def of(cls, x: Sequence[Number], weights: Vector) -> Smoother:
        """Return the smoother of points at x with weights > 0."""
        knots = Vector.of(sorted(set(x)))
        number = {t: k for k, t in enumerate(knots)}
        place = tuple(number[t] for t in x)
        total = [weights[0] * 0] * len(knots)
        for k, w in zip(place, weights):
            total[k] = total[k] + w
        return cls(knots, place, Vector.of(total), weights)

    @cached_property
    def _bands(self) -> penalty.Bands:
        return penalty.bands(self.knots)

    @cached_property
    def _tridiagonal(self) -> pentadiagonal.Factor:
        made, zero = self._bands, self.weights[0] * 0
        return pentadiagonal.factor(made.diagonal, made.beside, [zero] * max(0, len(made.diagonal) - 2))

    @cached_property
    def _rows(self) -> list[tuple[Number, Number, Number]]:
        """The rows of Q: row i has its entries in columns i − 2, i − 1, i."""
        zero = self.weights[0] * 0
        h, last = self._bands.inverse, len(self.knots) - 1
        rows = []
        for i in range(last + 1):
            left, right = (h[i - 1] if i >= 2 else zero), (h[i] if i <= last - 2 else zero)
            middle = -(h[i - 1] + h[i]) if 0 < i < last else zero
            rows.append((left, middle, right))
        return rows

    @cached_property
    def _sorted(self) -> Any:
        """Return what puts one number for each point into the order of the knots."""
        return _picker(sorted(range(len(self.place)), key=self.place.__getitem__))

    @cached_property
    def _cuts(self) -> list[tuple[int, int]]:
        """For each knot where its points begin and end in that order."""
        counts = [0] * len(self.knots)
        for k in self.place:
            counts[k] += 1
        ends = list(accumulate(counts))
        return list(zip([0, *ends], ends))

    @cached_property
    def _tied(self) -> tuple[Any, list[int], list[Number]]:
        """What picks the points that share their knot; for each of them the number of its knot, and its weight."""
        several = {k for k, _, _ in self._shared}
        tied = [i for i, k in enumerate(self.place) if k in several]
        return _picker(tied), [self.place[i] for i in tied], [self.points[i] for i in tied]

    @cached_property
    def _spreader(self) -> Any:
        return _picker(self.place)

    @cached_property
    def _plain(self) -> bool:
        """Whether every point has weight 1."""
        return all(w == 1 for w in self.points)

    @cached_property
    def _shared(self) -> list[tuple[int, int, int]]:
        """The knots with several points, each with where these begin and end in the order of the knots."""
        return [(k, a, b) for k, (a, b) in enumerate(self._cuts) if b - a > 1]

    @cached_property
    def _first(self) -> Any:
        """Return what picks the first point of each knot out of the order of the knots."""
        return _picker([a for a, _ in self._cuts])

    def pool(self, y: Sequence[Number]) -> Vector:
        """Return the weighted mean of y at each knot."""
        if len(self.knots) == len(self.place):
            return Vector.of(self._sorted(y))
        values, zero = self._sorted(y if self._plain else tuple(map(mul, self.points, y))), self.weights[0] * 0
        totals = list(self._first(values))
        for k, a, b in self._shared:
            totals[k] = sum(values[a:b], zero)
        return Vector.of(map(truediv, totals, self.weights))

    def spread(self, values: Sequence[Number]) -> Vector:
        """Return the value at its knot for each point."""
        return Vector.of(self._spreader(values))

    def pooled(self, responses: Sequence[Sequence[Number]]) -> Pooled:
        """Return what the fit depends on of the responses: their means at the knots."""
        return Pooled(self, tuple(responses), tuple(self.pool(y) for y in responses))

    def at(self, lam: Number) -> Operator:
        """Return the smoothing operator S_λ; λ = math.inf, or fewer than three knots: the least-squares line.

        Exact    yes
        Raises   InvalidInput if λ < 0
        """
        if isinstance(lam, float) and lam == math.inf:
            return Line(self, lam)
        if lam < 0:
            raise InvalidInput("smoother", need="a smoothing parameter ≥ 0", got=lam)
        return Cubic(self, lam) if len(self.knots) > 2 else Line(self, lam)

    @cached_property
    def unevenness(self) -> Number:
        """The ratio of the largest gap to the least; 1 where there is none."""
        gaps = [b - a for a, b in zip(self.knots, self.knots[1:])]
        return max(gaps) / min(gaps) if gaps else 1

    @cached_property
    def unit(self) -> Number:
        """The λ at which roughness and weights balance: tr R / tr QᵀW⁻¹Q, natural to the scale of x and the weights."""
        squares = (sum(v * v for v in row) / w for row, w in zip(self._rows, self.weights))
        return sum(self._bands.diagonal) / sum(squares)


def _picker(places: Sequence[int]) -> Any:
    """Return what picks the entries at these places, as a tuple."""
    return itemgetter(*places) if len(places) > 1 else lambda values: (values[places[0]],)


@dataclass(frozen=True)
class Pooled:
    """Responses at the points of a smoother, up to a function of the abscissae, and their means at its knots.

        Σᵢ wᵢ(yᵢ − f(xᵢ))² = Σᵢ wᵢ(yᵢ − ȳ(xᵢ))² + Σ_knots W(ȳ − f)²

    The first part, within ties, no curve can change.
    """

    smoother: Smoother
    responses: tuple[Sequence[Number], ...]
    means: tuple[Vector, ...]

    def plus(self, values: Sequence[Vector]) -> Pooled:
        """Return the responses with a function of the abscissae added, given by its values at the knots."""
        larger = Pooled(
            self.smoother, self.responses, tuple(Vector.of(map(add, *two)) for two in zip(self.means, values))
        )
        larger.__dict__["within"] = self.within
        return larger

    @cached_property
    def solved(self) -> dict[str, Any]:
        """The last operator that was applied, and its γ."""
        return {}

    @cached_property
    def square(self) -> Number:
        """The sum of all squares, over all responses."""
        w = self.smoother.weights
        return self.within + sum(sum(map(mul, w, map(mul, g, g))) for g in self.means)

    @property
    def about_means(self) -> Number:
        """The sum of all squares about the mean of each response: the criterion of the best constants."""
        w = self.smoother.weights
        total = w.sum()
        return self.square - sum((w @ g) * (w @ g) / total for g in self.means)

    @cached_property
    def within(self) -> Number:
        """The part of the sums of squares, over all responses, that lies within ties."""
        total = self.smoother.weights[0] * 0
        if len(self.smoother.knots) < len(self.smoother.place):
            pick, places, w = self.smoother._tied
            for y, g in zip(self.responses, self.means):
                total = total + sum([u * (a - g[k]) * (a - g[k]) for u, a, k in zip(w, pick(y), places)])
        return total

    @cached_property
    def bends(self) -> tuple[Vector, ...]:
        """For each response Qᵀȳ, its changes of slope at the inner knots."""
        return tuple(self.smoother._bands.differences(y) for y in self.means)


@dataclass(frozen=True)
class Operator:
    """The linear map S_λ from the pooled responses to the values of the curve at the knots."""

    smoother: Smoother
    lam: Number

    @property
    def degrees_of_freedom(self) -> Number:
        """The trace of S_λ."""
        raise NotImplementedError

    def curve(self, pooled: Pooled) -> Curve:
        """Return the curves, one for each response."""
        raise NotImplementedError

    def residual(self, pooled: Pooled) -> Number:
        """Return the weighted sum of squared residuals over all responses."""
        total = pooled.within
        for y, g in zip(pooled.means, self.curve(pooled).values):
            away = list(map(sub, y, g))
            total = total + sum(map(mul, map(mul, self.smoother.weights, away), away))
        return total


@dataclass(frozen=True)
class Line(Operator):
    """The least-squares line; with one knot the mean, with two the line through both  [YANG-fda-smoother]."""

    @property
    def degrees_of_freedom(self) -> Number:
        """Two, or one when there is one knot."""
        return self.smoother.knots[0] * 0 + min(2, len(self.smoother.knots))

    def curve(self, pooled: Pooled) -> Curve:
        """Return the lines."""
        x, w = self.smoother.knots, self.smoother.weights
        total = w.sum()
        centre = w @ x / total
        away = Vector.of([t - centre for t in x])
        # Method: far from the origin the mean has lost digits that the differences have; they say how many.
        off = w @ away / total
        away = Vector.of([t - off for t in away])
        weighted = w.times(away)
        spread = weighted @ away
        values = []
        for y in pooled.means:
            mean = w @ y / total
            slope = weighted @ y / spread if len(x) > 1 else mean * 0
            values.append(Vector.of([mean + slope * t for t in away]))
        return Curve(x, tuple(values), tuple(Vector.of([0 * t for t in x]) for _ in values))

    def residual(self, pooled: Pooled) -> Number:
        """Return the weighted sum of squared residuals; responses far from the origin are measured from their first."""
        near = Pooled(self.smoother, (), tuple(Vector.of([v - y[0] for v in y]) for y in pooled.means))
        near.__dict__["within"] = pooled.within
        return super().residual(near)


@dataclass(frozen=True)
class Cubic(Operator):
    """The smoothing spline at λ < ∞, by Reinsch's banded equations  [YANG-fda-smoother].

        (R + λQᵀW⁻¹Q) γ = Qᵀy,   g = y − λW⁻¹Qγ,   tr S_λ = 2 + tr (R + λQᵀW⁻¹Q)⁻¹R

    Exact    yes
    Cost     O(m)
    """

    # Proof: the minimiser over values g of Σ w(y − g)² + λ gᵀQR⁻¹Qᵀg has W(y − g) = λQR⁻¹Qᵀg = λQγ, where Rγ = Qᵀg;
    # applying QᵀW⁻¹ gives the equations. S = I − λW⁻¹QB⁻¹Qᵀ with B = R + λG, G = QᵀW⁻¹Q, so that
    # tr S = m − tr B⁻¹λG = m − tr (I − B⁻¹R) = 2 + tr B⁻¹R.

    @cached_property
    def _factor(self) -> pentadiagonal.Factor:
        # Premise: λQᵀW⁻¹Q holds squares of 1/h; where some gaps are far smaller than others it must not be formed.
        found = pentadiagonal.gathered(self.smoother._tridiagonal, self._weighed)
        if any(d - d != 0 for d in found.pivots):
            raise NotExact("spline", need="a penalty over weights and gaps that doubles hold", got=self.lam)
        return found

    @cached_property
    def _weighed(self) -> list[pentadiagonal.Row]:
        return [(self.lam / w, *row) for w, row in zip(self.smoother.weights, self.smoother._rows)]

    @cached_property
    def degrees_of_freedom(self) -> Number:
        """The trace of S_λ: two and what the bends add."""
        return 2 + self._factor.trace_over(self.smoother._tridiagonal)

    @cached_property
    def remainder(self) -> Number:
        """The m − tr S_λ = tr (R + λG)⁻¹λG that smoothing takes from the interpolant, to its own leading digits."""
        return self._factor.trace_over_rows(self._weighed)

    def bends(self, pooled: Pooled) -> tuple[Vector, ...]:
        """Return γ for each response; kept with the responses, as residuals and curves both stand on it."""
        if pooled.solved.get("operator") is not self:
            pooled.solved.update(operator=self, gamma=tuple(map(self._factor.solve, pooled.bends)))
        found: tuple[Vector, ...] = pooled.solved["gamma"]
        return found

    def curve(self, pooled: Pooled) -> Curve:
        """Return the splines."""
        made, lam = self.smoother._bands, [u for u, *_ in self._weighed]
        values, seconds = [], []
        zero = self.smoother.knots[0] * 0
        for y, gamma in zip(pooled.means, self.bends(pooled)):
            values.append(Vector.of(map(sub, y, map(mul, lam, made.spread(gamma)))))
            seconds.append(Vector.of([zero, *gamma, zero]))
        return Curve(self.smoother.knots, tuple(values), tuple(seconds))

    def residual(self, pooled: Pooled) -> Number:
        """Return the weighted sum of squared residuals over all responses: λ(zᵀγ − γᵀRγ) for each, z = Qᵀy."""
        # Proof: y − g = λW⁻¹Qγ, so that Σ w(y − g)² = λ² γᵀGγ, and λGγ = z − Rγ.
        total = pooled.within
        for z, gamma in zip(pooled.bends, self.bends(pooled)):
            pulled, rough = dot(z, gamma), self.smoother._bands.energy(gamma)
            # Premise: near the interpolant the difference would cancel, near the line the squares would.
            part = self.lam * (pulled - rough) if 2 * rough < pulled else self.lam * self.lam * self._bent(gamma)
            total = total + part
        return total

    @cached_property
    def pace(self) -> Number:
        """The tr (R + λG)⁻¹G: for λ → 0 the rate at which m − tr S_λ grows with λ."""
        rows = [(1 / w, *row) for w, row in zip(self.smoother.weights, self.smoother._rows)]
        return self._factor.trace_over_rows(rows)

    def slope(self, pooled: Pooled) -> Number:
        """Return Σ γᵀGγ over the responses: λ² times it is RSS, less what lies within ties."""
        return sum(map(self._bent, self.bends(pooled)), self.smoother.weights[0] * 0)

    def _bent(self, gamma: Vector) -> Number:
        """Return γᵀGγ = Σ (Qγ)²/w."""
        u = self.smoother._bands.spread(gamma)
        return sum(map(truediv, map(mul, u, u), self.smoother.weights))
