"""BRUTO: an additive model that decides for each variable whether it is out, a line, or a smooth curve  [GAP-9].

    GCV = (RSS/n)/(1 − cost · Σ_j df_j/n)²,   df_j = 0 out, 1 line, tr S_j − 1 > 1 smooth;  the constant is not charged

Selection: variable after variable, the others held, f_j is given the smoothing of lowest GCV, and is fitted to what the
others leave; sweeps go on until one moves GCV by no more than a share `threshold` and changes no type. Then plain
backfitting with this smoothing, to its limit. (GCV need not fall from sweep to sweep: a spline minimises RSS plus
roughness, so that an update may let RSS rise. What settles is a point at which every f_j has the smoothing of lowest
GCV, given the others.)

Among equals the simpler wins: out before line before smooth. All responses share the smoothing of a variable; the
residuals of all of them count alike.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, Optional

from refclass.errors import InvalidInput, NotConverged, NotExact
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector
from refclass.number.field import Field, Number
from refclass.regress import additive, spline
from refclass.regress import gcv as score
from refclass.regress.additive import Fit
from refclass.regress.additive import Problem as Sample
from refclass.regress.smoother import Curve, Operator


@dataclass(frozen=True)
class Problem:
    """A sample with the options of BRUTO.

    cost           what a degree of freedom costs in GCV
    most           the most degrees of freedom of one term, None for no limit but that of GCV
    linear         whether the walk starts from the linear fit (if GCV can pay for it), or from the means
    threshold      selection ends when a sweep moves GCV by no more than this share
    """

    sample: Sample
    cost: Number = 2
    most: Optional[Number] = None
    linear: bool = True
    threshold: Number = 0


@dataclass(frozen=True)
class State:
    """Where the walk stands.

    phase      "selection" or "backfitting"
    sweep      the number of sweeps of this phase
    fit        the functions and residuals
    gcv        the score of the fit
    types      for each variable "excluded", "linear" or "smooth"
    degrees    for each variable its degrees of freedom
    change     how far the last sweep moved the functions (backfitting), or by which share it moved GCV (selection)
    """

    phase: str
    sweep: int
    fit: Fit
    gcv: Optional[Number]
    types: tuple[str, ...]
    degrees: tuple[Number, ...]
    change: Optional[Number]

    @property
    def x(self) -> tuple[Optional[Curve], ...]:
        """The functions."""
        return self.fit.curves

    @property
    def objective(self) -> Optional[Number]:
        """The score that selection lowers."""
        return self.gcv

    def check(self, F: Field) -> None:
        """Assert that the residuals are what the functions leave, and that types, degrees and score belong together."""
        additive.State(self.sweep, self.fit, None).check(F)
        for kind, df in zip(self.types, self.degrees):
            assert (df == 0) == (kind == "excluded") and (df == 1) == (kind == "linear") and (df >= 0)
        assert self.gcv is not None and self.gcv >= 0


@dataclass(frozen=True)
class Model(additive.Model):
    """A fitted BRUTO model: an additive model with its score.

    gcv    the score of the final fit
    """

    gcv: Optional[Number] = None


def state_of(problem: Problem, phase: str, sweep: int, fit: Fit, change: Optional[Number]) -> State:
    """Return the state of the walk at a fit."""
    zero = problem.sample.weights[0] * 0
    degrees = tuple(zero if o is None else o.degrees_of_freedom - 1 for o in fit.operators)
    types = tuple("excluded" if o is None else additive.kind_of(o.lam) for o in fit.operators)
    value = score.gcv(fit.rss, problem.sample.n, problem.cost * sum(degrees))
    return State(phase, sweep, fit, value, types, degrees, change)


def start(F: Field, problem: Problem) -> Fit:
    """Return the fit that the walk starts from: least squares on all variables that are not constant, or the means."""
    fit = problem.sample.start()
    lines = [s.at(math.inf) if len(s.knots) > 1 else None for s in problem.sample.smoothers]
    used = [j for j, o in enumerate(lines) if o is not None]
    if not problem.linear or not used or not problem.cost * len(used) < problem.sample.n:
        return fit
    return Fit(problem.sample, fit.intercept, tuple(lines), fit.curves, fit.residual).straightened(F)


def improve(F: Field, problem: Problem, fit: Fit, j: int, rungs: list[Operator]) -> Fit:
    """Return the fit in which variable j has the smoothing of lowest GCV, the others held.

    Among scores equal up to roundoff the simpler choice wins: out, then line, then smooth.
    """
    n, partial = problem.sample.n, fit.partial(j)
    others = sum(o.degrees_of_freedom - 1 for k, o in enumerate(fit.operators) if o is not None and k != j)

    def evaluate(operator: Operator) -> Optional[Number]:
        own = operator.degrees_of_freedom - 1
        charge = problem.cost * (others + own)
        if not charge < n or (problem.most is not None and own > problem.most):
            return None
        return score.gcv(operator.residual(partial), n, charge)

    best: Optional[Operator] = None
    value = score.gcv(sum(map(fit.square, partial.responses)), n, problem.cost * others)
    if len(partial.smoother.knots) > 1:
        own = fit.operators[j]
        tried = [*rungs, *([own] if own is not None and additive.kind_of(own.lam) == "smooth" else [])]
        operator, new = spline.choose(F, partial.smoother, evaluate, sorted(tried, key=_lam))
        if score.clearly_lower(F, new, value, len(partial.smoother.place)):
            best = operator
    return fit.replaced(j, best, partial)


def _lam(operator: Operator) -> Number:
    return operator.lam


def steps(F: Field, problem: Problem) -> Iterator[State]:
    """Return the walk: a state after the start and every sweep of selection, then of backfitting.

    Solves    GCV over the smoothing of every variable, by turns; then RSS + Σ λ_j ∫ f_j″² over the functions
    Given     Problem
    Yields    State; it ends only where backfitting no longer moves
    Cost      for n points, q responses and m distinct values of each of p variables, a sweep of selection takes O(pqm)
              operations for each of some 25 λ, a sweep of backfitting O(pqm)
    Raises    NotExact in an exact field: the λ of lowest GCV is not rational
    """
    if F.exact:
        raise NotExact("bruto", need="rounded arithmetic (the smoothing of lowest GCV is irrational)", got=F.name)
    ladders = [spline.ladder(F, s) for s in problem.sample.smoothers]
    state = state_of(problem, "selection", 0, start(F, problem), None)
    yield state
    settled = False
    while not settled:
        before, fit = state, state.fit
        for j, rungs in enumerate(ladders):
            fit = improve(F, problem, fit, j, rungs)
        state = state_of(problem, "selection", before.sweep + 1, fit, None)
        state = replace(state, change=_share(before.gcv, state.gcv))
        settled = state.types == before.types and state.change is not None and state.change <= problem.threshold
        yield state
    for walked in additive.steps(F, problem.sample, state.fit.operators, state.fit):
        if walked.sweep:
            yield state_of(problem, "backfitting", walked.sweep, walked.fit, walked.change)


def _share(before: Optional[Number], after: Optional[Number]) -> Optional[Number]:
    if before is None or after is None:
        return None
    return abs(before - after) / before if before != 0 else after


def solve(F: Field, problem: Problem, *, tol: Any = None, max_select: int = 100, max_backfit: int = 1000) -> State:
    """Return the state at which backfitting moves the functions by no more than tol, relative to the responses.

    Raises    NotConverged, with the last state, after max_select sweeps of selection or max_backfit of backfitting
    """
    bound = F.eps if tol is None else F.lift(tol) * F.lift(tol)
    scale = problem.sample.start().rss
    budget = {"selection": max_select, "backfitting": max_backfit}
    state = None
    for state in steps(F, problem):
        if state.phase == "backfitting" and state.change is not None and state.change <= bound * scale:
            break
        if state.sweep >= budget[state.phase] and not (state.phase == "selection" and _settles(problem, state)):
            need = f"the {state.phase} to settle within {state.sweep} sweeps"
            raise NotConverged("bruto", need=need, got=state.change, state=state)
    assert state is not None
    return state


def _settles(problem: Problem, state: State) -> bool:
    return state.change is not None and state.change <= problem.threshold


def asked(
    F: Field,
    X: Matrix,
    Y: Matrix,
    weights: Optional[Vector] = None,
    *,
    cost: Any = 2,
    most: Any = None,
    linear: bool = True,
    threshold: Any = Fraction(1, 100000),
) -> Problem:
    """Return the problem with its options checked and lifted into F.  Raises InvalidInput."""
    price, share = F.lift(cost), F.lift(threshold)
    if not price > 0 or share < 0:
        raise InvalidInput("bruto", need="a cost > 0 and a threshold ≥ 0", got=f"{cost} and {threshold}")
    return Problem(Sample.of(F, X, Y, weights), price, None if most is None else F.lift(most), linear, share)


def fit(
    F: Field,
    X: Matrix,
    Y: Matrix,
    weights: Optional[Vector] = None,
    *,
    tol: Any = None,
    max_select: int = 100,
    max_backfit: int = 1000,
    **options: Any,
) -> Model:
    """Return the BRUTO model of Y on X  [GAP-9] [CMP-BRUTO].

    Given     options as in Problem (cost 2, most None, linear True, threshold 1/100000); tol and budgets as in solve
    Shapes    X: n × p; Y: n × q; weights: n numbers ≥ 0, an integer weight standing for copies
    Exact     no
    Raises    InvalidInput; NotExact in an exact field; NotConverged
    """
    problem = asked(F, X, Y, weights, **options)
    return solved(F, problem, X, tol=tol, max_select=max_select, max_backfit=max_backfit)


def solved(F: Field, problem: Problem, X: Matrix, **budget: Any) -> Model:
    """Return the model at the end of the walk, X being the rows that its fitted values are for."""
    state = solve(F, problem, **budget)
    return Model(**vars(additive.model(state.fit, X, state.sweep)), gcv=state.gcv)
