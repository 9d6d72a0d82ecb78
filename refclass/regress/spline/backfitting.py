"""Backfitting: one smooth function of each variable, by turns, until none moves.

    minimise  Σᵢ wᵢ (yᵢ − α − Σ_j f_j(x_ij))² + Σ_j λ_j ∫ f_j″²,   every f_j with weighted mean zero

    for j = 1 … p:   f_j ← S_j (y − α − Σ_{k≠j} f_k)
    then             f_j ← f_j + b_j (x_j − x̄_j),   b the least squares of the residuals on all variables in use

again and again. S_j is the smoothing spline of variable j at λ_j, the least-squares line where λ_j = math.inf, nothing
where it is None. All responses share the λ_j. Each update minimises the criterion over a part of the functions, so that
it never rises; the second costs nothing in roughness, and spares correlated variables the many sweeps in which they
would trade straight lines. In rounded arithmetic every few sweeps are extrapolated.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from operator import add, mul, sub
from typing import Any, Optional

from refclass.errors import NoAnswer, NotConverged
from refclass.linear.factorisations import elimination
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector, dot
from refclass.number.field import Field, Number
from refclass.number.tolerance import near
from refclass.regress.linear import check as given
from refclass.regress.linear import orthogonal_columns
from refclass.regress.linear.orthogonal_columns import Columns
from refclass.regress.spline.smoother import Curve, Operator, Pooled, Smoother

DEPTH = 4  # sweeps from one extrapolation to the next
PARTS = ("values", "seconds")  # of a curve


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
            tilted = _tilted(self.problem, j, curves[j], [b[place] for b in slopes])
            curves[j] = tilted
            residual = [r - b[place] * self.problem.centred[j] for r, b in zip(residual, slopes)]
        return Fit(self.problem, self.intercept, self.operators, tuple(curves), tuple(residual))

    def update(self, j: int) -> Fit:
        """Return the fit after f_j ← S_j (y − α − Σ_{k≠j} f_k)."""
        operator = self.operators[j]
        if operator is None:
            return self
        return self.replaced(j, operator, self.partial(j))


@dataclass(frozen=True, repr=False)
class State:
    """Backfitting after a number of sweeps.

    fit         the functions and residuals
    change      Σ_j Σᵢ wᵢ (new f_j − old f_j)² over all responses in the last sweep; None before the first
    """

    sweep: int
    fit: Fit
    change: Optional[Number]

    def __repr__(self) -> str:
        return f"State(sweep {self.sweep})"

    @property
    def x(self) -> tuple[Optional[Curve], ...]:
        """The functions."""
        return self.fit.curves

    @property
    def objective(self) -> Number:
        """RSS + Σ λ_j ∫ f_j″²."""
        return self.fit.criterion

    def check(self, F: Field) -> None:
        """Assert that the residuals are what the functions leave, and that every function has mean zero."""
        problem, count = self.fit.problem, len(self.fit.problem.weights) * (self.sweep + 1)
        left = problem.residual(self.fit.intercept, self.fit.curves)
        for q, y in enumerate(problem.responses):
            for j in range(len(problem.smoothers)):
                own = self.fit.values(j)
                if own is not None:
                    assert near(F, problem.weights @ own[q], 0, y.largest() * problem.n, count)
            assert all(near(F, a, b, y.largest(), count) for a, b in zip(left[q], self.fit.residual[q]))


def _differences(old: Optional[Curve], new: Optional[Curve]) -> Sequence[Sequence[Number]]:
    """Return new − old at the knots for each response, None being zero; not both are None."""
    if old is None and new is not None:
        return new.values
    if new is None and old is not None:
        return [-g for g in old.values]
    assert old is not None and new is not None
    return [list(map(sub, g, f)) for g, f in zip(new.values, old.values)]


def _tilted(problem: Problem, j: int, curve: Optional[Curve], slopes: Sequence[Number]) -> Curve:
    knots, mean = problem.smoothers[j].knots, problem.means[j]
    away = Vector.of([t - mean for t in knots])
    if curve is None:
        flat = Vector.of([0 * t for t in knots])
        curve = Curve(knots, (flat,) * len(slopes), (flat,) * len(slopes))
    return Curve(knots, tuple(g + b * away for g, b in zip(curve.values, slopes)), curve.seconds)


def steps(
    F: Field, problem: Problem, operators: Sequence[Optional[Operator]], start: Optional[Fit] = None
) -> Iterator[State]:
    """Yield a state after every sweep of backfitting at fixed smoothing, until nothing changes.

    Solves    RSS + Σ λ_j ∫ f_j″² over f_1, …, f_p, by turns
    Given     for each variable its operator S_j, or None; the fit to start from (default: the means)
    Yields    State
    """
    first = start if start is not None else problem.start()
    fit = Fit(problem, first.intercept, tuple(operators), first.curves, first.residual)
    yield State(0, fit, None)
    sweep, recent = 0, [fit]
    while True:
        sweep += 1
        fit, change = swept(F, fit)
        yield State(sweep, fit, change)
        if change == 0:
            return
        recent.append(fit)
        if len(recent) > DEPTH and not F.exact:
            fit = extrapolated(recent)
            recent = [fit]


def extrapolated(fits: Sequence[Fit]) -> Fit:
    """Return the affine combination of successive fits whose next move would be shortest, if that is better.

    Reduced rank extrapolation (Eddy 1979; Mesinger 1977): a sweep is an affine map, so that γ₀ fit₀ + … + γ_k fit_k
    moves by Σ γᵢ (fitᵢ₊₁ − fitᵢ); Σ γᵢ = 1 and the shortest residuals of the move determine γ.
    """
    moves = [[list(map(sub, b, a)) for a, b in zip(old.residual, new.residual)] for old, new in zip(fits, fits[1:])]
    weights = fits[0].problem.weights
    pulled = [[tuple(map(mul, weights, r)) for r in move] for move in moves]
    gram = Matrix.of([Vector.of([sum(map(dot, u, v)) for v in moves]) for u in pulled])
    try:
        shares = elimination.solve(gram, Vector.of([weights[0] / weights[0]] * len(moves)))
    except NoAnswer:
        return fits[-1]
    total = sum(shares)
    if not total > 0:
        return fits[-1]
    found = _combined(fits[1:], [c / total for c in shares])
    return found if found.criterion < fits[-1].criterion else fits[-1]


def _combined(fits: Sequence[Fit], shares: Sequence[Number]) -> Fit:
    """Return Σ shares · fits, the shares adding up to 1."""
    last = fits[-1]
    curves: list[Optional[Curve]] = []
    for own in zip(*(fit.curves for fit in fits)):
        if any(c is None for c in own):
            curves.append(own[-1])
            continue
        values, seconds = ([_sum(shares, rows) for rows in zip(*(getattr(c, name) for c in own))] for name in PARTS)
        curves.append(Curve(own[-1].knots, tuple(values), tuple(seconds)))
    residual = last.problem.residual(last.intercept, curves)
    return Fit(last.problem, last.intercept, last.operators, tuple(curves), tuple(residual))


def _sum(shares: Sequence[Number], rows: Sequence[Vector]) -> Vector:
    total: Any = map(shares[0].__mul__, rows[0])
    for c, row in zip(shares[1:], rows[1:]):
        total = map(add, total, map(c.__mul__, row))
    return Vector.of(total)


def swept(F: Field, fit: Fit) -> tuple[Fit, Number]:
    """Return the fit after one sweep of updates, and the sum of the squared lengths of its moves."""
    change = fit.problem.weights[0] * 0
    for j in range(len(fit.operators)):
        before, fit = fit, fit.update(j)
        change = change + moved(before, fit)
    before, fit = fit, fit.straightened(F)
    return fit, change + moved(before, fit)


def moved(before: Fit, after: Fit) -> Number:
    """Return Σ w (difference of the residuals)² over all responses: how far one update moved the fit."""
    if before is after:
        return before.problem.weights[0] * 0
    return sum(after.square(list(map(sub, a, b))) for a, b in zip(after.residual, before.residual))


def solve(
    F: Field,
    problem: Problem,
    operators: Sequence[Optional[Operator]],
    *,
    start: Optional[Fit] = None,
    tol: Any = None,
    max_sweeps: int = 1000,
) -> State:
    """Return the first state whose sweep moved the functions by no more than tol, relative to the responses.

        Σ_j ‖new f_j − old f_j‖² ≤ tol² Σ ‖y − ȳ‖²,   weighted norms over all responses; tol defaults to √eps

    Raises    NotConverged, with the last state, after max_sweeps sweeps; in an exact field without a tol, unless a
              fixed point is reached
    """
    bound = F.eps if tol is None else F.lift(tol) * F.lift(tol)
    scale = problem.start().rss
    state = None
    for state in steps(F, problem, operators, start):
        if state.change is not None and state.change <= bound * scale:
            return state
        if state.sweep >= max_sweeps:
            break
    assert state is not None
    raise NotConverged(
        "backfitting", need=f"a smaller change within {max_sweeps} sweeps", got="a larger one", state=state
    )
