"""An additive fit in its pieces: the problem, the curves, what is left over."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from operator import mul, sub
from typing import Any, Optional

from refclass.linear.factorisations import orthogonal_columns
from refclass.linear.factorisations.orthogonal_columns import Columns
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector
from refclass.number.field import Field, Number
from refclass.regress.linear import check as given
from refclass.regress.spline.curve import Curve
from refclass.regress.spline.smoother import Operator, Pooled, Smoother


def kind_of(lam: Any) -> str:
    """Return what a smoothing parameter makes of its variable: "excluded", "linear" or "smooth"."""
    if lam is None:
        return "excluded"
    return "linear" if isinstance(lam, float) and lam == math.inf else "smooth"


@dataclass(frozen=True)
class Problem:
    """A sample to be fitted additively, without its points of weight zero.

    smoothers    for each variable all that does not depend on the responses
    responses    y, one vector of n for each response
    weights      n numbers > 0
    """

    smoothers: tuple[Smoother, ...]
    responses: tuple[Vector, ...]
    weights: Vector

    @classmethod
    def of(cls, F: Field, X: Matrix, Y: Matrix, weights: Optional[Vector] = None) -> Problem:
        """Return the problem of the sample.  Raises InvalidInput if the sample does not fit together."""
        w = given.weights(F, "additive", X, Y, weights)
        keep = [i for i, v in enumerate(w) if v]
        w = w.pick(keep)
        smoothers = tuple(Smoother.of(column.pick(keep), w) for column in X.T)
        return cls(smoothers, tuple(y.pick(keep) for y in Y.T), w)

    @cached_property
    def n(self) -> Number:
        """The sum of the weights."""
        return self.weights.sum()

    @cached_property
    def means(self) -> tuple[Number, ...]:
        """For each variable the weighted mean."""
        return tuple(s.weights @ s.knots / self.n for s in self.smoothers)

    @cached_property
    def centred(self) -> tuple[Vector, ...]:
        """For each variable its values less their mean."""
        spread = ((s.spread(s.knots), m) for s, m in zip(self.smoothers, self.means))
        return tuple(Vector.of([v - m for v in x]) for x, m in spread)

    def lines(self, F: Field, used: tuple[int, ...]) -> tuple[Columns, list[int]]:
        """Return the centred variables made orthogonal, and which were independent of those before them."""
        if used not in self._lines:
            made, kept = orthogonal_columns.independent(F, self.weights, [self.centred[j] for j in used])
            self._lines[used] = made, [used[k] for k in kept]
        return self._lines[used]

    @cached_property
    def _lines(self) -> dict[tuple[int, ...], tuple[Columns, list[int]]]:
        return {}

    def residual(self, intercept: Vector, curves: Sequence[Optional[Curve]]) -> list[Vector]:
        """Return y − α − Σ f_j, one vector for each response."""
        left = [Vector.of([v - a for v in y]) for y, a in zip(self.responses, intercept)]
        for smoother, curve in zip(self.smoothers, curves):
            if curve is not None:
                left = [r - smoother.spread(g) for r, g in zip(left, curve.values)]
        return left

    def start(self) -> Fit:
        """Return the fit by the means alone."""
        means = Vector.of([self.weights @ y / self.n for y in self.responses])
        residual = tuple(Vector.of([v - a for v in y]) for y, a in zip(self.responses, means))
        nothing = (None,) * len(self.smoothers)
        return Fit(self, means, nothing, nothing, residual)


@dataclass(frozen=True)
class Fit:
    """Where a backfitting iteration stands: the functions, and for each response the residuals y − α − Σ f_j."""

    problem: Problem
    intercept: Vector
    operators: tuple[Optional[Operator], ...]
    curves: tuple[Optional[Curve], ...]
    residual: tuple[Vector, ...]

    @property
    def rss(self) -> Number:
        """The weighted sum of squared residuals over all responses."""
        return sum(self.square(r) for r in self.residual)

    @property
    def criterion(self) -> Number:
        """RSS + Σ λ_j ∫ f_j″² over all responses."""
        total = self.rss
        for operator, curve in zip(self.operators, self.curves):
            if operator is not None and curve is not None and kind_of(operator.lam) == "smooth":
                total = total + operator.lam * curve.roughness()
        return total

    def square(self, r: Sequence[Number]) -> Number:
        """Return Σ w r²."""
        return sum(map(mul, self.problem.weights, map(mul, r, r)))

    def values(self, j: int) -> Optional[list[Vector]]:
        """Return f_j at the points, one vector per response."""
        curve = self.curves[j]
        return None if curve is None else [self.problem.smoothers[j].spread(g) for g in curve.values]

    def partial(self, j: int) -> Pooled:
        """Return the residuals that f_j is fitted to: y − α − Σ_{k≠j} f_k."""
        left, curve = self.problem.smoothers[j].pooled(self.residual), self.curves[j]
        return left if curve is None else left.plus(curve.values)

    def replaced(self, j: int, operator: Optional[Operator], partial: Pooled) -> Fit:
        """Return the fit in which f_j is S_j applied to the partial residuals."""
        old, new, spread = self.curves[j], None, self.problem.smoothers[j].spread
        residual = self.residual
        if operator is not None:
            new = operator.curve(partial)
        if new is not None or old is not None:
            moves = _differences(old, new)
            residual = tuple(Vector.of(map(sub, r, spread(d))) for r, d in zip(residual, moves))
        operators = (*self.operators[:j], operator, *self.operators[j + 1 :])
        return Fit(self.problem, self.intercept, operators, (*self.curves[:j], new, *self.curves[j + 1 :]), residual)

    def straightened(self, F: Field) -> Fit:
        """Return the fit after f_j ← f_j + b_j (x_j − x̄_j) for all variables in use, b by least squares."""
        used = [j for j, o in enumerate(self.operators) if o is not None and len(o.smoother.knots) > 1]
        made, kept = self.problem.lines(F, tuple(used))
        slopes = [made.coefficients(made.coordinates(r)) for r in self.residual]
        curves, residual = list(self.curves), list(self.residual)
        for place, j in enumerate(kept):
            curves[j] = tilted(self.problem, j, curves[j], [b[place] for b in slopes])
            x = self.problem.centred[j]
            residual = [_less(r, b[place], x) for r, b in zip(residual, slopes)]
        return Fit(self.problem, self.intercept, self.operators, tuple(curves), tuple(residual))

    def update(self, j: int) -> Fit:
        """Return the fit after f_j ← S_j (y − α − Σ_{k≠j} f_k)."""
        operator = self.operators[j]
        if operator is None:
            return self
        return self.replaced(j, operator, self.partial(j))


def _differences(old: Optional[Curve], new: Optional[Curve]) -> Sequence[Sequence[Number]]:
    """Return new − old at the knots for each response, None being zero; not both are None."""
    if old is None and new is not None:
        return new.values
    if new is None and old is not None:
        return [-g for g in old.values]
    assert old is not None and new is not None
    return [list(map(sub, g, f)) for g, f in zip(new.values, old.values)]


def tilted(problem: Problem, j: int, curve: Optional[Curve], slopes: Sequence[Number]) -> Curve:
    """Return the curves of variable j, None being zero, with b (x_j − x̄_j) added, b for each response."""
    knots, mean = problem.smoothers[j].knots, problem.means[j]
    away = [mean - t for t in knots]
    if curve is None:
        flat = Vector.of([0 * t for t in knots])
        curve = Curve(knots, (flat,) * len(slopes), (flat,) * len(slopes))
    return Curve(knots, tuple(_less(g, b, away) for g, b in zip(curve.values, slopes)), curve.seconds)


def _less(y: Sequence[Number], b: Number, x: Sequence[Number]) -> Vector:
    """Return y − b x."""
    return Vector.of([v - b * t for v, t in zip(y, x)])
