"""The steps of BRUTO: degrees of freedom chosen by GCV, one variable after another."""

from __future__ import annotations

import math
from collections.abc import Generator, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Optional

from refclass.errors import NoAnswer, NotExact
from refclass.number.field import Field, Number
from refclass.regress.bruto.bruto_selection import Choices, Problem, beside, criterion_of, improve
from refclass.regress.spline import additive_representers, backfitting
from refclass.regress.spline.additive_fit import Fit, kind_of
from refclass.regress.spline.smoother import Operator

FIRST = 3  # sweeps of selection alone
BETWEEN = 2  # sweeps of backfitting after each later one, which costs about as much as three
TRIES = 4  # sweeps after which the score of another type must promise to be lower
ROUNDS = 30  # of steps of every λ, the types kept
PATIENCE = 12  # sweeps of selection after which the limit is looked for though the score still moves
TURNS = 7  # of sweeps and their limit, after which the lowest limit is taken: selection may go round in circles
SLOW = 16  # sweeps of backfitting after which functions of few points are computed in one step
FEW = (64, 250)  # points of which that takes less than half a second: in decimals, in doubles
EACH = (24, 100)  # points, and weight, of which each other smoothing is tried in one step: in decimals, in doubles
FACTORS = (Fraction(1, 2), 2, Fraction(4, 5), Fraction(5, 4))  # of the λ of a curve, to others that are tried beside it
MANY, EVEN = 1000, 600  # points, in doubles, of which it takes seconds: after n²/(600 p) sweeps, which take as long


@dataclass(frozen=True, repr=False)
class State:
    """Where the iteration stands.

    phase      "selection" or "backfitting"
    sweep      the number of sweeps of selection, or of backfitting since the last of them
    fit        the functions and residuals
    gcv        the score of the fit, an RSS of roundings counted as none; None if it is charged n or more
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

    def check(self, F: Field) -> None:
        """Assert that the residuals are what the functions leave, and that types, degrees and score belong together."""
        backfitting.State(self.sweep, self.fit, None).check(F)
        for kind, df in zip(self.types, self.degrees):
            assert (df == 0) == (kind == "excluded") and (df == 1) == (kind == "linear") and (df >= 0)
        assert self.gcv is not None and self.gcv >= 0


def state_of(problem: Problem, phase: str, sweep: int, fit: Fit, change: Optional[Number]) -> State:
    """Return the state of the iteration at a fit."""
    zero = problem.sample.weights[0] * 0
    spent = tuple(zero if o is None else o.degrees_of_freedom - 1 for o in fit.operators)
    types = tuple("excluded" if o is None else kind_of(o.lam) for o in fit.operators)
    value = problem.score(fit.rss, problem.cost * sum(spent))
    return State(phase, sweep, fit, value, types, spent, change)


def start(F: Field, problem: Problem) -> Fit:
    """Return the initial fit: least squares on all variables that are not constant, or the means."""
    fit = problem.sample.start()
    lines = [s.at(math.inf) if len(s.knots) > 1 else None for s in problem.sample.smoothers]
    used = [j for j, o in enumerate(lines) if o is not None]
    if not problem.linear or not used or not problem.cost * len(used) < problem.sample.n:
        return fit
    return Fit(problem.sample, fit.intercept, tuple(lines), fit.curves, fit.residual).straightened(F)


def steps(F: Field, problem: Problem) -> Iterator[State]:
    """Return the iteration: a state after the start, and after every sweep of selection or backfitting.

    Solves    GCV over the smoothing of every variable, by turns; RSS + Σ λ_j ∫ f_j″² over the functions
    Given     Problem
    Yields    State; the last is the lowest of those that settled
    Cost      for n points, q responses and m distinct values of each of p variables, a sweep of selection takes O(pqm)
              operations for each of some 5 λ, or 20 where it looks at all; a sweep of backfitting O(pqm)
    Raises    NotExact in an exact field: the λ of lowest GCV is not rational
    """
    if F.exact:
        raise NotExact("bruto", need="rounded arithmetic (the smoothing of lowest GCV is irrational)", got=F.name)
    run = Iteration(F, problem)
    state = state_of(problem, "selection", 0, start(F, problem), None)
    yield state
    best = yield from run.settle(state)
    while True:
        trial = yield from run.joint(best)
        if trial is None:
            break
        run.sweep = FIRST
        state = yield from run.settle(trial)
        best = min((trial, state), key=lambda s: math.inf if s.gcv is None else s.gcv)
    yield from _backfitted(F, problem, best.fit, problem.tol)


class Iteration:
    """The parts of the iteration; each yields its states and returns where it ends."""

    def __init__(self, F: Field, problem: Problem) -> None:
        self.F, self.problem, self.sweep = F, problem, 0
        self.choices = [Choices.of(F, problem, s) for s in problem.sample.smoothers]

    def selected(self, fit: Fit, look: str) -> State:
        """Return the state after one sweep of selection, and after the first few some of backfitting."""
        self.sweep += 1
        for j, choices in enumerate(self.choices):
            fit = improve(self.F, self.problem, fit, j, choices, look)
        for _ in range(BETWEEN if self.sweep > FIRST else 0):
            fit, _ = backfitting.swept(self.F, fit)
        return state_of(self.problem, "selection", self.sweep, fit, None)

    def settle(self, state: State) -> Generator[State, None, State]:
        """Sweep until the score stands, backfit to the limit, and again, until the limit stands under a search."""
        settled, look, found = None, "rungs", None
        lowest = state
        for _ in range(TURNS):
            for _ in range(PATIENCE):
                before = state
                state = self.selected(state.fit, look)
                yield state
                found = state if look == "everywhere" else found
                look = "rungs" if settled is None and self.sweep <= FIRST else "beside"
                # Premise: the limit is far closer than what the sweeps still move.
                if _stands(state, before, 10 * self.problem.threshold):
                    break
            state = yield from self.limit(state.fit)
            if settled is not None and _stands(state, settled, self.problem.threshold):
                # Premise: sweeps may lead back from what the search over all λ has found.
                if found is not None and self._lower(found, state):
                    kept = yield from self.kept(found.fit)
                    return kept if self._lower(kept, state) else state
                return state
            lowest = state if settled is None or self._lower(state, lowest) else lowest
            settled, look = state, "everywhere"
        kept = yield from self.kept(lowest.fit)
        return kept if self._lower(kept, lowest) else lowest

    def kept(self, fit: Fit) -> Generator[State, None, State]:
        """Backfit to the limit, move every λ towards its lowest score, and again, until the score stands."""
        state = lowest = yield from self.limit(fit)
        for sweep in range(1, ROUNDS + 1):
            before, fit = state, state.fit
            for j, choices in enumerate(self.choices):
                fit = beside(self.F, self.problem, fit, j, choices)
            yield state_of(self.problem, "selection", sweep, fit, None)
            state = yield from self.limit(fit.straightened(self.F))
            lowest = state if lowest.gcv is None or self._lower(state, lowest) else lowest
            if _near(state, before, self.problem.threshold):
                break
        return lowest

    def limit(self, fit: Fit) -> Generator[State, None, State]:
        """Backfit until what is left moves the score by far less than the threshold."""
        share, before = max(self.problem.threshold / 100, 16 * self.F.eps), None
        for state in _backfitted(self.F, self.problem, fit, self.problem.tol):
            yield state
            if before is not None and _settling(self.F, state, before, share):
                break
            before = state
        return state

    def joint(self, state: State) -> Generator[State, None, Optional[State]]:
        """Return a state of clearly lower score with another smoothing of one variable, all refitted, or None."""
        if not state.gcv:  # nothing is left, or nothing can be paid for
            return None
        few = self._is_small()
        found = (yield from self._searched(state)) if few else state
        if found is not state:
            return found
        for j, choices in enumerate(self.choices):
            for operator in self._others(state, j, choices):
                operators = (*state.fit.operators[:j], operator, *state.fit.operators[j + 1 :])
                trial = yield from self._refitted(replace(state.fit, operators=operators), j, state)
                if trial is not None:
                    return trial
        for j, choices in enumerate(self.choices if few else ()):
            trial = yield from self.kept(improve(self.F, self.problem, state.fit, j, choices))
            if self._lower(trial, state):
                return trial
        return None

    def _is_small(self) -> bool:
        """Return whether each other smoothing is tried, alike of a row of weight two and of two rows."""
        most, weights = EACH[self.F.kind is float], self.problem.sample.weights
        return bool(sum(map(bool, weights)) <= most and self.problem.sample.n <= most)

    def _searched(self, state: State) -> Generator[State, None, State]:
        """Return the state after other smoothings as long as these score clearly lower, all refitted in one step.

        One variable after another is left out, made a line, or given another λ, beside its own or on a rung.
        """
        lowest, j, since = state, 0, 0
        while since < len(self.choices):
            for operator in self._apart(lowest, j):
                trial = self._instead(lowest.fit, j, operator)
                if trial is not None and self._lower(trial, lowest):
                    lowest, since = trial, 0
                    yield trial
                    break
            else:
                j, since = (j + 1) % len(self.choices), since + 1
        return lowest

    def _instead(self, fit: Fit, j: int, operator: Optional[Operator]) -> Optional[State]:
        """Return the state with another smoothing of one variable, all functions refitted in one step."""
        other = replace(fit, operators=(*fit.operators[:j], operator, *fit.operators[j + 1 :]))
        found = _solved(self.F, other if operator is not None else other.replaced(j, None, other.partial(j)))
        return None if found is None else state_of(self.problem, "backfitting", 1, found, None)

    def _apart(self, state: State, j: int) -> list[Optional[Operator]]:
        """Return other smoothings of a variable: a curve with a λ on a rung, or beside its own, a line, or out."""
        smoother, own, choices = self.problem.sample.smoothers[j], state.fit.operators[j], self.choices[j]
        if len(smoother.knots) < 2:
            return []
        curves = list(choices.rungs)
        if own is not None and state.types[j] == "smooth" and own.lam > 0:
            beside = [smoother.at(own.lam * self.F.lift(c)) for c in FACTORS]
            curves += [o for o in beside if not choices.closed or o.lam >= choices.rungs[0].lam]
        others: list[Optional[Operator]] = [*curves, *([] if own is None else [None])]
        return others if state.types[j] == "linear" else [*others, smoother.at(math.inf)]

    def _others(self, state: State, j: int, choices: Choices) -> list[Optional[Operator]]:
        """Return what else a variable might be: out, a line, or the curve that scores lowest with the others held."""
        smoother, own = self.problem.sample.smoothers[j], state.types[j]
        if len(smoother.knots) < 2:
            return []
        others: list[Optional[Operator]] = []
        if own != "smooth":
            criterion = criterion_of(self.problem, state.fit, j)
            rungs = [(criterion(o), k) for k, o in enumerate(choices.rungs) if o.degrees_of_freedom > 3]
            scored = [(value, k) for value, k in rungs if value is not None]
            others = [choices.rungs[min(scored)[1]]] if scored else []
        if own != "linear":
            others.append(smoother.at(math.inf))
        return others if own == "excluded" else [*others, None]

    def _refitted(self, fit: Fit, j: int, than: State) -> Generator[State, None, Optional[State]]:
        """Backfit with each λ beside its own, and return the state if its score is clearly lower than another's."""
        if fit.operators[j] is None:
            fit = fit.replaced(j, None, fit.partial(j))
        last = state_of(self.problem, "backfitting", 0, than.fit, None)
        for sweep in range(1, TRIES + 1):
            for k, choices in enumerate(self.choices):
                fit = beside(self.F, self.problem, fit, k, choices) if sweep > 1 else fit.update(k)
            fit = fit.straightened(self.F)
            state = state_of(self.problem, "backfitting", sweep, fit, None)
            yield state
            if state.gcv is None or than.gcv is None:
                return None
            if sweep > 1 and last.gcv is not None and state.gcv - 2 * (last.gcv - state.gcv) > than.gcv:
                return None
            last = state
        state = yield from self.kept(fit)
        return state if self._lower(state, than) else None

    def _lower(self, state: State, than: State) -> bool:
        """Return whether a score is clearly lower than another one."""
        if state.gcv is None or than.gcv is None:
            return False
        return bool(state.gcv < than.gcv * (1 - self.problem.threshold))


def _solved(F: Field, fit: Fit) -> Optional[Fit]:
    """Return the fit of least criterion, all functions computed in one step; None where rounding spoils it."""
    used = tuple(j for j, o in enumerate(fit.operators) if o is not None and len(o.smoother.knots) > 1)
    try:
        found = additive_representers.solve(fit.problem, fit.operators, fit.problem.lines(F, used)[1])
    except NoAnswer:
        return None
    return found if found.criterion <= fit.criterion else None


def _backfitted(F: Field, problem: Problem, fit: Fit, tol: Number) -> Iterator[State]:
    """Yield states of backfitting, to a sweep that moves the functions by no more than tol, or to their limit at once.

    Premise: where sweeps go on, as between variables that depend on each other, what they still move may be far more
    than what one of them moves.
    """
    bound, n = tol * tol * problem.sample.start().rss, len(fit.problem.weights)
    turn = SLOW if n <= FEW[F.kind is float] else n * n // (EVEN * len(fit.operators))
    possible = n <= FEW[F.kind is float] or (F.kind is float and n <= MANY)
    for state in backfitting.steps(F, problem.sample, fit.operators, fit):
        if state.change is None:
            continue
        yield state_of(problem, "backfitting", state.sweep, state.fit, state.change)
        if state.change <= bound:
            return
        solved = _solved(F, state.fit) if state.sweep == turn and possible else None
        if solved is not None:
            yield state_of(problem, "backfitting", turn + 1, solved, backfitting.moved(state.fit, solved))
            return


def _stands(state: State, before: State, share: Number) -> bool:
    return state.types == before.types and _near(state, before, share)


def _settling(F: Field, state: State, before: State, share: Number) -> bool:
    """Return whether sweeps that go on as the last two did move the score by ten times the share at most."""
    if state.gcv is None or before.gcv is None:
        return _near(state, before, share)
    rate = F.sqrt(state.change / before.change) if state.change < before.change else 1  # type: ignore[operator]
    return bool(abs(state.gcv - before.gcv) * rate <= 10 * share * before.gcv * (1 - rate))


def _near(state: State, before: State, share: Number) -> bool:
    if state.gcv is None or before.gcv is None:
        return state.gcv is before.gcv
    return bool(abs(state.gcv - before.gcv) <= share * before.gcv)
