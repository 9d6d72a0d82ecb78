"""Backfitting: one smooth function of each variable, by turns, until none moves.

    minimise  Σᵢ wᵢ (yᵢ − α − Σ_j f_j(x_ij))² + Σ_j λ_j ∫ f_j″²,   every f_j with weighted mean zero

    for j = 1 … p:   f_j ← S_j (y − α − Σ_{k≠j} f_k)
    then             f_j ← f_j + b_j (x_j − x̄_j),   b the least squares of the residuals on all variables in use

again and again. S_j is the smoothing spline of variable j at λ_j, the least-squares line where λ_j = math.inf, nothing
where it is None. All responses share the λ_j. Each update minimises the criterion over a part of the functions, so that
it never rises; the second costs nothing in roughness, and spares correlated variables the many sweeps in which they
would move straight lines from one to another. In rounded arithmetic every few sweeps are extrapolated.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from operator import add, mul, sub
from typing import Any, Optional

from refclass.errors import NoAnswer, NotConverged
from refclass.linear.factorisations import elimination
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector, dot
from refclass.number.field import Field, Number
from refclass.number.tolerance import near
from refclass.regress.spline.additive_fit import Fit, Problem
from refclass.regress.spline.curve import Curve
from refclass.regress.spline.smoother import Operator

SLIGHT = 10**6  # how much less than a bound a squared move is that is taken for roundoff, or for one near the limit
DEPTH = 4  # sweeps from one extrapolation to the next
PARTS = ("values", "seconds")  # of a curve


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


def settles(F: Field, change: Number, before: Optional[Number], bound: Number) -> bool:
    """Return whether sweeps that go on as the last two did move the functions by a square of no more than a bound.

    Given     the squared moves of the last sweep and of the one before it, None where there is none
    """
    # Proof: moves that shrink by a rate r add up to r/(1 − r) of the last one. Those of roundoff do not shrink.
    if before is None or not change < before:
        return bool(change * SLIGHT <= bound)
    rest = 1 - F.sqrt(change / before)
    return bool(change <= bound * rest * rest)


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


Reached = tuple[State, Optional[NotConverged]]


def reached(F: Field, problem: Problem, operators: Sequence[Optional[Operator]], *, max_sweeps: int) -> Reached:
    """Return the state that `solve` returns or refuses, and its refusal; in place of one that diverges the means."""
    try:
        return solve(F, problem, operators, max_sweeps=max_sweeps), None
    except NotConverged as refusal:
        state: State = refusal.witness["state"]
        start, curves = problem.start(), []
        if state.fit.criterion <= start.rss:  # no sweep raises it, but for roundoff
            return state, refusal
        for smoother, operator in zip(problem.smoothers, operators):
            zeros = (Vector.of([0 * t for t in smoother.knots]),) * len(problem.responses)
            curves.append(None if operator is None else Curve(smoother.knots, zeros, zeros))
        fit = Fit(problem, start.intercept, tuple(operators), tuple(curves), start.residual)
        return State(state.sweep, fit, None), refusal
