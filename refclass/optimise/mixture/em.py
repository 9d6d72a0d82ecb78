"""The EM algorithm (Dempster, Laird and Rubin 1977) for mixtures of normal subclasses (Hastie and Tibshirani 1996).

Solves    maximise ℓ = Σₖ Σ_{i∈Iₖ} wᵢ log{Πₖ Σᵣ πₖᵣ φ(xᵢ; μₖᵣ, Σ)},    Σᵣ πₖᵣ = 1        [YANG-mda-likelihood]
Given     points with their classes, and how far each belongs to each subclass of its class at the start
Yields    mixtures of rising ℓ; the last is a stationary point up to roundoff, and no more: ℓ is not concave

The slides print "minimise"; ℓ is maximised [ERR-YANG-06]. Every step is an M-step and an E-step:

    μₖᵣ = Σ wᵢρᵢₖᵣxᵢ / Σ wᵢρᵢₖᵣ,   πₖᵣ = Σ wᵢρᵢₖᵣ / Σ_{Iₖ} wᵢ,   Σ = (1/n) ΣΣΣ wᵢρᵢₖᵣ(xᵢ − μₖᵣ)(xᵢ − μₖᵣ)ᵀ
    ρᵢₖᵣ = πₖᵣφ(xᵢ; μₖᵣ, Σ) / Σₛ πₖₛφ(xᵢ; μₖₛ, Σ)

With x measured from the mean of its class, log φ is linear in x but for a term that all subclasses share, and Σ is the
scatter within the classes less that of the subclass means: a step costs 2n(R − 1)p multiplications, not n·R·p².
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from operator import sub
from typing import Any, Optional

from refclass.errors import NotConverged, NotExact
from refclass.iteration import ending
from refclass.number.field import Field, Number
from refclass.number.tolerance import THRESHOLD
from refclass.optimise.mixture.em_steps import expected, maximised, reach
from refclass.optimise.mixture.likelihood import (
    Mixture,
    Problem,
    Shares,
    log_likelihood,
)

SMALL = 10**9  # one over the changes of shares that are looked at for no longer falling
TURNS = 50  # steps in which changes must have fallen, or grown, not to be roundoff
GROWN = 10  # by what factor they must have grown


@dataclass(frozen=True)
class State:
    """The iterate after an M-step and an E-step.

    step           the number of steps
    x              the mixture
    shares         ρ under the mixture
    value          ℓ of the mixture
    previous       ℓ of the mixture before, None at the start
    before         ρ that the mixture was made from
    bound          a bound of `noise`
    scale          the size of the sums that make ℓ
    """

    problem: Problem
    field: Field
    step: int
    x: Mixture
    shares: Shares
    value: Number
    previous: Optional[Number]
    before: Shares
    bound: Number
    scale: Number

    @cached_property
    def change(self) -> Number:
        """The largest change of a share in this step."""
        return max(self._changes())

    def _changes(self) -> Iterator[Number]:
        """Yield the largest change of a share of each subclass."""
        for old, new in zip(self.before, self.shares):
            yield from (max(map(abs, map(sub, *pair)), default=self.field.kind(0)) for pair in zip(old, new))

    def within(self, most: Number) -> bool:
        """Return whether no share has changed by more in this step, at the first subclass where one has."""
        return all(change <= most for change in self._changes())

    @cached_property
    def noise(self) -> Number:
        """What of a change roundoff alone could make."""
        return THRESHOLD * self.field.eps * reach(self.field, self.problem, self.x) * len(self.problem.X[0])

    @property
    def settled(self) -> bool:
        """Whether roundoff alone could make the changes of the step."""
        return self.within(self.bound) and bool(self.change <= self.noise)

    def check(self) -> None:
        """Assert that shares and weights sum to one, that ℓ is that of the formula, and that it has not fallen."""
        unit = THRESHOLD * self.field.eps * len(self.problem.X)
        for pi, shares in zip(self.x.weights, self.shares):
            assert abs(pi.sum() - 1) <= unit and min(pi) > 0
            assert all(abs(sum(rho) - 1) <= unit and min(rho) >= 0 for rho in zip(*shares))
        self.x.covariance.symmetric()
        assert abs(self.value - log_likelihood(self.field, self.problem, self.x)) <= unit * self.scale
        assert self.previous is None or self.value >= self.previous - unit * self.scale


@dataclass(frozen=True)
class Answer:
    """The end of an iteration: the mixture, and ℓ after each step, the start among them."""

    x: Mixture
    values: tuple[Number, ...]
    shares: Shares

    @property
    def value(self) -> Number:
        """ℓ of the mixture."""
        return self.values[-1]


Iterate = Callable[[Field, Problem, Shares], Iterator[State]]


def steps(F: Field, problem: Problem, start: Shares) -> Iterator[State]:
    """Yield the states, the first after the M-step from the start, until roundoff makes the changes.

    Cost      2n(R − 1)p multiplications and n(R − 1) exponentials for each step, n·R where one is out of range
    Raises    NoAnswer if Σ becomes singular, or for a subclass that has lost its points (unless it is to be dropped)
    """
    state = started(F, problem, start)
    yield state
    while not state.settled:
        state = advanced(state)
        yield state


def started(F: Field, problem: Problem, start: Shares) -> State:
    """Return the state after the M-step from the start."""
    shares = _kept(F, problem, start) if problem.drop else start
    return _state(F, problem, maximised(F, problem, shares), shares, None, 0)


def advanced(state: State) -> State:
    """Return the state after one more step."""
    F, problem = state.field, state.problem
    shares = _kept(F, problem, state.shares) if problem.drop else state.shares
    before = state.x if shares is state.shares else None
    return _state(F, problem, maximised(F, problem, shares, before), shares, state.value, state.step + 1)


def after(state: State, shares: Shares) -> State:
    """Return the state after a step from other shares than those of a state."""
    F, problem = state.field, state.problem
    return _state(F, problem, maximised(F, problem, shares), shares, state.value, state.step + 1)


def _state(
    F: Field, problem: Problem, mixture: Mixture, before: Shares, previous: Optional[Number], step: int
) -> State:
    found = expected(F, problem, mixture)
    # Premise: the weighted mean of the slopes of a class is zero, so that an exponent, its height aside, is at most
    # twice as large as the largest difference from the first.
    bound = 3 * THRESHOLD * F.eps * found.reach * len(problem.X[0])
    return State(problem, F, step, mixture, found.shares, found.value, previous, before, bound, found.scale)


def _kept(F: Field, problem: Problem, shares: Shares) -> Shares:
    """Return the shares without subclasses that have lost their points, what these had given to the others."""
    found = []
    for group, columns in zip(problem.groups, shares):
        keep = [c for c in columns if sum(group.pulled(c)) > THRESHOLD * F.eps * group.size]
        if len(keep) < len(columns):
            totals = list(map(sum, zip(*keep)))
            even = F.kind(1) / len(keep)  # of a point whose share was all theirs that are left out
            keep = [tuple([v / t if t else even for v, t in zip(c, totals)]) for c in keep]
        found.append(tuple(keep) if len(keep) < len(columns) else columns)
    return tuple(found) if any(len(a) < len(b) for a, b in zip(found, shares)) else shares


def fit_steps(
    F: Field, problem: Problem, start: Shares, *, tol: Any = None, max_iter: int = 10000, iterate: Iterate = steps
) -> Generator[State, None, Answer]:
    """Yield the states, and return the answer once no share changes by more than tol, or than roundoff.

    What roundoff makes of a change is bounded for free means only; in a plane it is more, and seen where changes of
    less than 10⁻⁹ no longer fall.

    Given     iterate: `steps`, or an iteration with the same fixed points
    Exact     where every class has one subclass: means and W/n, without a step; ℓ is not computed
    Raises    NoAnswer as `steps`; NotConverged with the last mixture after max_iter steps
    """
    if F.exact:
        if any(len(columns) > 1 for columns in start):
            raise NotExact("em", need="one subclass for each class in exact arithmetic", got="several")
        return Answer(maximised(F, problem, start), (), start)
    values, changes = list[Number](), list[Number]()
    for state in iterate(F, problem, start):
        yield state
        values.append(state.value)
        changes.append(state.change)
        if state.settled or (tol is not None and state.change <= tol) or _wandering(changes):
            return Answer(state.x, tuple(values), state.shares)
        if state.step >= max_iter:
            need, got = f"shares that settle within {max_iter} steps", f"a change of {state.change}"
            raise NotConverged("em", need=need, got=got, state=state.x, log_likelihood=state.value)
    raise AssertionError("an iteration ends in a state that has settled")


def _wandering(changes: Sequence[Number]) -> bool:
    """Return whether the largest changes of shares, all small, neither fall nor grow: roundoff makes them.

    Towards a fixed point they fall however slowly, and away from a saddle they grow.
    """
    last, before = changes[-TURNS:], changes[-2 * TURNS : -TURNS]
    if len(before) < TURNS or SMALL * last[-1] > 1:
        return False
    bounded = SMALL * max(*last, *before) <= 1
    return bounded and min(last) >= min(before) and bool(max(last) <= GROWN * max(before))


def solve(F: Field, problem: Problem, start: Shares, *, tol: Any = None, max_iter: int = 10000) -> Answer:
    """Return the answer at the end of the iteration, its steps unseen."""
    return ending(fit_steps(F, problem, start, tol=tol, max_iter=max_iter))
