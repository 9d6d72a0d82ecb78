"""Every solution of the soft-margin machine, from λ = ∞ to λ = 0  [ESL-12.33] [ESL-12.34] [ESL-12.3.5-path].

**Solves**  minimise Σ [1 − yᵢf(xᵢ)]₊ + (λ/2) ‖f‖² for every λ > 0, with f = (1/λ) (Σ αⱼyⱼK(·, xⱼ) + α₀)  [ESL-12.25]

**Given**   the Gram matrix K, or its rows when asked for, and labels ±1

**Yields**  a state for every λ at which a point joins or leaves the elbow, in falling order

The points are in three sets  [ESL-12.3.5-sets]: inside the band (left: yf < 1, α = 1), on its elbow (yf = 1), beyond it
(right: yf > 1, α = 0). While the sets stay, α and α₀ are linear in λ. They are continuous; where no point is on the
elbow, α stands still and α₀ is free within an interval, which closes at the next break point, where points of both
classes arrive together.

**Cost**    n m + m² multiplications a break point, for m points at the elbow; in exact arithmetic their numbers grow:
            100 points on two columns, 150 break points, take half a second, 500 points eight
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from typing import Any, Callable, Optional

from refclass.errors import InvalidInput, NoAnswer, NotConverged
from refclass.linear import combination
from refclass.linear.vector import Vector, dot
from refclass.number.field import Number
from refclass.number.tolerance import roundoff
from refclass.optimise.path import residuals, segments
from refclass.optimise.path.path_state import Problem, State
from refclass.optimise.path.residuals import ELBOW
from refclass.optimise.path.segments import PathFollowing, Place


@dataclass(frozen=True)
class Solution:
    """The machine of one λ.

    alpha       the multipliers in [0, 1]; those of cost C = 1/λ are αᵢ/λ
    alpha0      α₀ = λβ₀; the middle of its interval where it is not unique
    interval    the least and the largest α₀
    """

    lam: Number
    alpha: Vector
    alpha0: Number
    interval: tuple[Number, Number]


@dataclass(frozen=True)
class Path:
    """Every solution: the break points, and what lies above the first and below the last.

    states    the break points, λ falling; there may be none
    start     the multipliers above the first
    head      (slope, constant) of α₀ above the first; None where α₀ is free
    end       the multipliers and α₀ to which the segment below the last leads, at λ = 0
    least     below this λ roundoff or negative curvature hides the path, or it was not followed; zero where it is
              known to its end
    narrow    the least pivot of the elbow's equations, over the point's square: the relative error of a break point is
              some units of roundoff over this
    """

    problem: Problem
    states: tuple[State, ...]
    start: Vector
    head: Optional[tuple[Number, Number]]
    end: tuple[Vector, Number]
    least: Number
    narrow: Any = 1

    def at(self, lam: Number) -> Solution:
        """Return the solution at any λ > 0, linear between break points  [OPT-PATH.P1].

        Exact     yes
        Cost      2n multiplications; where α₀ is not unique n² more
        Raises    InvalidInput for λ ≤ 0; NotConverged for one that roundoff hides
        """
        if not lam > 0:
            raise InvalidInput("path", need="λ > 0", got=lam)
        if lam < self.least:
            raise NotConverged("path", need=f"λ ≥ {self.least}, below which it is not known", got=lam)
        above = bisect_left([-s.lam for s in self.states], -lam)
        here = self.states[above] if above < len(self.states) else None
        if here and here.lam == lam:
            return Solution(lam, here.alpha, here.alpha0, (here.alpha0, here.alpha0))
        if above == 0:
            alpha, alpha0 = self.start, self.head[0] * lam + self.head[1] if self.head else lam - lam
        else:
            upper = self.states[above - 1]
            low = here.lam if here else lam - lam
            w = (lam - low) / (upper.lam - low)
            alpha_low, alpha0_low = (here.alpha, here.alpha0) if here else self.end
            # Premise: a multiplier that stands still must not move by roundoff.
            alpha = Vector.of([u if u == v else w * u + (1 - w) * v for u, v in zip(upper.alpha, alpha_low)])
            alpha0 = w * upper.alpha0 + (1 - w) * alpha0_low
        if any(0 < a < 1 for a in alpha):
            return Solution(lam, alpha, alpha0, (alpha0, alpha0))
        interval = self._interval(lam, alpha)
        return Solution(lam, alpha, (interval[0] + interval[1]) / 2, interval)

    def _interval(self, lam: Number, alpha: Vector) -> tuple[Number, Number]:
        """Return the least and the largest α₀ where every multiplier is 0 or 1."""
        y, rows = self.problem.y, self.problem.K.row
        signed = alpha.times(y)
        gaps = [(lam * t - dot(signed, rows(i)), t if a else -t) for i, (a, t) in enumerate(zip(alpha, y))]
        return max(v for v, side in gaps if side < 0), min(v for v, side in gaps if side > 0)


def steps(problem: Problem) -> Iterator[State]:
    """Yield the break points, λ falling.

    Raises    NotConverged when roundoff hides the next one, or is found to have spoilt the last ones
    """
    with _roundoff_refused(problem):
        iteration = PathFollowing(problem.K, problem.y)
    return _states(problem, iteration)


def _states(problem: Problem, iteration: PathFollowing) -> Iterator[State]:
    with _roundoff_refused(problem):
        for place in iteration.go():
            yield State(problem, *place)


def _sound(problem: Problem, states: Iterable[State]) -> Iterator[State]:
    """Yield the states down to the first at which a point is on a wrong side by more than some roundoff.

    Method: Σⱼ Kᵢⱼ yⱼαⱼ is brought up to date from one state to the next, as few multipliers change.
    """
    y, rows, diagonal = problem.y, problem.K.row, problem.K.diagonal()
    one = y[0] / y[0]
    signed: Sequence[Number] = (one - one,) * len(y)
    values = signed
    for state in states:
        before, signed = signed, state.alpha.times(y)
        moved = [j for j, (v, w) in enumerate(zip(signed, before)) if v != w]
        shares = [one, *(signed[j] - before[j] for j in moved)]
        values = combination.total(shares, [values, *map(rows, moved)])
        residual = [state.lam * t - v - state.alpha0 for t, v in zip(y, values)]
        if residuals.violation(state.below, y, residual) > residuals.most(state.lam, state.alpha, diagonal):
            return
        yield state


def solve(problem: Problem, work: Optional[int] = None) -> Path:
    """Return the whole path, or as much of it as roundoff leaves and the work allows: see `Path.least`.

    work      the most units of work: n m + m² at a break point with m points at the elbow; without it as many as needed

    Raises    NotConverged when roundoff hides all of it, or K has negative curvature from its first break point on
    """
    with _roundoff_refused(problem):
        iteration = PathFollowing(problem.K, problem.y)
    states, least = _followed(problem, iteration, work)
    if least and not states and iteration.lam is not None:
        raise NotConverged("path", need="a break point", got="roundoff, or more work than is allowed")
    narrow = iteration.segment.narrow
    return Path(problem, tuple(states), iteration.start, iteration.head, iteration.end(), least, narrow)


def resumed(problem: Problem, path: Path, place: Place, work: Optional[int] = None) -> Path:
    """Return a path with its break points above a place, and what follows there.

    problem   that of the path, in an arithmetic of more digits

    Raises    NotConverged where the place is not within a segment; work and else as for `solve`
    """
    F = problem.y.kind
    with _roundoff_refused(problem):
        iteration = PathFollowing(problem.K, problem.y, place)
    states, least = _followed(problem, iteration, work)
    lifted = cache(F)  # most multipliers are 0 or 1, or stand still
    known = [_recast(problem, s, lifted) for s in path.states if s.lam > place.lam]
    if not states and least >= place.lam:
        least = known[-1].lam
    head = path.head and (F(path.head[0]), F(path.head[1]))
    return Path(problem, (*known, *states), Vector.of(map(lifted, path.start)), head, iteration.end(), least)


def _recast(problem: Problem, state: State, lifted: Callable[[Any], Any]) -> State:
    alpha = Vector.of(map(lifted, state.alpha))
    return State(problem, lifted(state.lam), alpha, lifted(state.alpha0), state.above, state.below)


def _followed(problem: Problem, iteration: PathFollowing, work: Optional[int]) -> tuple[list[State], Number]:
    """Return the break points from the present one on, and the least λ down to which they are known."""
    states: list[State] = []
    try:
        for state in _states(problem, iteration):
            states.append(state)
            work = None if work is None else work - iteration.cost()
            if work is not None and work < 0:
                return states, state.lam
    except NotConverged:
        known = iteration.segment.good
        clear = [s for s in states if known is not None and s.lam >= known]
        states = clear + list(_sound(problem, states[len(clear) :]))
        return states, states[-1].lam if states else iteration.lam
    return states, iteration.least


def cost(state: State) -> int:
    """Return the units of work that a break point takes at most: equal points may be at the elbow below it."""
    return segments.cost(len(state.below), state.below.count(ELBOW))


@contextmanager
def _roundoff_refused(problem: Problem) -> Iterator[None]:
    """Let what ends a path be NotConverged: roundoff, or negative curvature, where points are stationary above it."""
    try:
        yield
    except (ArithmeticError, InvalidInput) as reason:
        rounded = bool(roundoff(type(problem.y[0])))
        if not rounded and not isinstance(reason, NoAnswer):
            raise
        got = "roundoff" if rounded else "a direction of negative curvature"
        raise NotConverged("path", need="the next break point", got=got, reason=str(reason)) from None
