"""BRUTO: an additive model that decides for each variable whether it is out, a line, or a smooth curve  [GAP-9].

    GCV = (RSS/n)/(1 − cost · Σ_j df_j/n)²,   df_j = 0 out, 1 line, tr S_j − 1 > 1 smooth;  the constant is not charged

Selection: variable after variable, the others held, f_j is given the smoothing of lowest GCV, and is fitted to what the
others leave. Once a sweep changes no type, plain backfitting with the smoothing in use goes to its limit after every
sweep, and all ends when this has moved GCV, from one limit to the next, by no more than a share `threshold`.

GCV need not fall from sweep to sweep: a spline minimises RSS plus roughness, so that an update may let RSS rise. What
settles is a point at which every f_j is the spline of what the others leave, with the smoothing of lowest GCV given the
others. There may be several such points. Among equals the simpler type wins: out before line before smooth. All
responses share the smoothing of a variable; the residuals of all of them count alike.
"""

from __future__ import annotations

import math
from collections.abc import Generator, Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Optional

from refclass.errors import InvalidInput, NotConverged, NotExact
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector
from refclass.number.field import Field, Number
from refclass.optimise.ending import ending
from refclass.regress import additive, backfitting, spline
from refclass.regress import gcv as score
from refclass.regress.backfitting import Fit, kind_of
from refclass.regress.backfitting import Problem as Sample
from refclass.regress.smoother import Curve, Operator


@dataclass(frozen=True)
class Problem:
    """A sample with the options of BRUTO.

    cost           what a degree of freedom costs in GCV
    most           the most degrees of freedom of one term; None for two thirds of its distinct values. (Where a degree
                   of freedom costs little, interpolation would score best: its RSS is zero, the constant is free.)
    linear         whether the walk starts from the linear fit (if GCV can pay for it), or from the means
    threshold      the walk ends when GCV moves by no more than this share from one limit of backfitting to the next
    tol            backfitting ends when a sweep moves the functions by no more than this, relative to the responses
    """

    sample: Sample
    cost: Number
    most: Optional[Number]
    linear: bool
    threshold: Number
    tol: Number


@dataclass(frozen=True, repr=False)
class State:
    """Where the walk stands.

    phase      "selection" or "backfitting"
    sweep      the number of sweeps of selection, or of backfitting since the last of them
    fit        the functions and residuals
    gcv        the score of the fit; None if it is charged n or more
    types      for each variable "excluded", "linear" or "smooth"
    degrees    for each variable its degrees of freedom
    change     how far the last sweep of backfitting moved the functions (squared); None after selection
    """

    phase: str
    sweep: int
    fit: Fit
    gcv: Optional[Number]
    types: tuple[str, ...]
    degrees: tuple[Number, ...]
    change: Optional[Number]

    def __repr__(self) -> str:
        return f"State({self.phase} {self.sweep}, types {', '.join(self.types)})"

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
        backfitting.State(self.sweep, self.fit, None).check(F)
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
    types = tuple("excluded" if o is None else kind_of(o.lam) for o in fit.operators)
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

    limit = (n * 0 + 2 * len(partial.smoother.knots)) / 3 if problem.most is None else problem.most

    def evaluate(operator: Operator) -> Optional[Number]:
        own = operator.degrees_of_freedom - 1
        charge = problem.cost * (others + own)
        if not charge < n or own > limit:
            return None
        return score.gcv(operator.residual(partial), n, charge)

    best: Optional[Operator] = None
    value = score.gcv(sum(map(fit.square, partial.responses)), n, problem.cost * others)
    if len(partial.smoother.knots) > 1:
        own = fit.operators[j]
        tried = [*rungs, *([own] if own is not None and kind_of(own.lam) == "smooth" else [])]
        operator, new = spline.choose(F, partial.smoother, evaluate, sorted(tried, key=_lam))
        if score.clearly_lower(F, new, value, len(partial.smoother.place)):
            best = operator
    return fit.replaced(j, best, partial)


def _lam(operator: Operator) -> Number:
    return operator.lam


def steps(F: Field, problem: Problem) -> Iterator[State]:
    """Return the walk: a state after the start, and after every sweep of selection or backfitting.

    Solves    GCV over the smoothing of every variable, by turns; RSS + Σ λ_j ∫ f_j″² over the functions
    Given     Problem
    Yields    State
    Cost      for n points, q responses and m distinct values of each of p variables, a sweep of selection takes O(pqm)
              operations for each of some 20 λ, a sweep of backfitting O(pqm)
    Raises    NotExact in an exact field: the λ of lowest GCV is not rational
    """
    if F.exact:
        raise NotExact("bruto", need="rounded arithmetic (the smoothing of lowest GCV is irrational)", got=F.name)
    ladders = [spline.ladder(F, s) for s in problem.sample.smoothers]
    state = state_of(problem, "selection", 0, start(F, problem), None)
    yield state
    sweep, settled = 0, None
    while True:
        before, fit, sweep = state.types, state.fit, sweep + 1
        for j, rungs in enumerate(ladders):
            fit = improve(F, problem, fit, j, rungs)
        state = state_of(problem, "selection", sweep, fit, None)
        yield state
        if state.types != before:
            settled = None
            continue
        for state in _backfitted(F, problem, fit):
            yield state
        if settled is not None and _near(state, settled, problem.threshold):
            return
        settled = state


def _backfitted(F: Field, problem: Problem, fit: Fit) -> Iterator[State]:
    bound = problem.tol * problem.tol * problem.sample.start().rss
    for walked in backfitting.steps(F, problem.sample, fit.operators, fit):
        if walked.change is not None:
            yield state_of(problem, "backfitting", walked.sweep, walked.fit, walked.change)
            if walked.change <= bound:
                return


def _near(state: State, before: State, share: Number) -> bool:
    if state.gcv is None or before.gcv is None:
        return state.gcv is before.gcv
    return bool(abs(state.gcv - before.gcv) <= share * before.gcv)


def _within(
    F: Field, problem: Problem, max_select: int = 100, max_backfit: int = 1000
) -> Generator[State, None, State]:
    """Yield the states of the walk, and return the last one, if the budget reaches so far."""
    budget = {"selection": max_select, "backfitting": max_backfit}
    state = None
    for state in steps(F, problem):
        yield state
        if state.sweep > budget[state.phase]:
            need = f"the {state.phase} to settle within {budget[state.phase]} sweeps"
            raise NotConverged("bruto", need=need, got=f"GCV {state.gcv}", state=state)
    assert state is not None
    return state


def solve(F: Field, problem: Problem, *, max_select: int = 100, max_backfit: int = 1000) -> State:
    """Return the last state of the walk.

    Raises    NotConverged, with the last state, if the walk is not at its end after max_select sweeps of selection, or
              one run of backfitting not after max_backfit sweeps
    """
    return ending(_within(F, problem, max_select, max_backfit))


def walk(F: Field, problem: Problem, X: Matrix, **budget: int) -> Generator[State, None, Model]:
    """Yield the states of the walk, and return the model at its end, X being the rows that its fitted values are for.

    Raises    NotConverged as `solve`
    """
    state = yield from _within(F, problem, **budget)
    return Model(**vars(additive.model(state.fit, X, state.sweep)), gcv=state.gcv)


def asked(
    F: Field,
    X: Matrix,
    Y: Matrix,
    weights: Optional[Vector] = None,
    *,
    cost: Any = 2,
    most: Any = None,
    linear: bool = True,
    threshold: Any = Fraction(1, 10000),
    tol: Any = None,
) -> Problem:
    """Return the problem with its options checked and lifted into F.  Raises InvalidInput."""
    price, share = F.lift(cost), F.lift(threshold)
    if not price > 0 or share < 0:
        raise InvalidInput("bruto", need="a cost > 0 and a threshold ≥ 0", got=f"{cost} and {threshold}")
    least = F.sqrt(F.eps) if tol is None else F.lift(tol)
    return Problem(Sample.of(F, X, Y, weights), price, None if most is None else F.lift(most), linear, share, least)


def fit(
    F: Field,
    X: Matrix,
    Y: Matrix,
    weights: Optional[Vector] = None,
    *,
    max_select: int = 100,
    max_backfit: int = 1000,
    **options: Any,
) -> Model:
    """Return the BRUTO model of Y on X  [GAP-9] [CMP-BRUTO].

    Given     options as in Problem (cost 2, most None, linear True, threshold 1/10000, tol √eps)
    Shapes    X: n × p; Y: n × q; weights: n numbers ≥ 0, an integer weight standing for copies
    Exact     no
    Raises    InvalidInput; NotExact in an exact field; NotConverged
    """
    problem = asked(F, X, Y, weights, **options)
    return solved(F, problem, X, max_select=max_select, max_backfit=max_backfit)


def solved(F: Field, problem: Problem, X: Matrix, **budget: int) -> Model:
    """Return the model at the end of the walk, its steps unseen."""
    return ending(walk(F, problem, X, **budget))
