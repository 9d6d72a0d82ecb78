"""The engine for problems in blocks: block after block to its minimum, then all that is loose at once.

Solves    minimise ½ Σ_k x_kᵀQx_k + Σ_ik c_ik x_ik subject to Σ_k x_ik = 0, x_ik ≤ upper_ik, in doubles
Given     a `blocks.Problem`, and a feasible point or none: then the iteration starts at zero, which must be feasible
Yields    a feasible point after every round; the objective never rises

A round takes the blocks that violate optimality and those with exchanges, and minimises over one after another, by
sorting (`blocks.minimum`); only their own gradients are kept up to date meanwhile. That finds out which variables are
at their bounds, but draws near the minimum ever more slowly. So the round ends with Newton's method on all exchanges
among the loose variables (`exchange`), which ends at the minimum over them. As soon as the right ones are loose, that
is the optimum, up to roundoff. Rows of Q are asked for only when a block enters a round, and may be forgotten.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from operator import itemgetter
from typing import Optional

from refclass.errors import InvalidInput, NoAnswer, NotConverged
from refclass.number.tolerance import THRESHOLD, roundoff
from refclass.optimise.multiclass import zero_sum
from refclass.optimise.multiclass.zero_sum import Problem
from refclass.optimise.multiclass.zero_sum_newton import Exchanges, Move
from refclass.optimise.quadratic import box
from refclass.optimise.quadratic.certificate import Answer

certify = zero_sum.certify

PRECISION = 1e-10  # violation of optimality at which to stop, in units of the largest entry of c
MOST = 500  # blocks that violate optimality and enter a round
SWEEPS = 10  # times a round goes over its blocks
CLOSER = 0.1  # part of the violation to which a round brings its blocks before it ends
STABLE = 0.92  # share of the exchanges that must outlast a round before it ends with Newton's method
PATIENCE = 5  # rounds without gain before the iteration ends
ROUNDS = 1000  # rounds before it is given up


@dataclass(frozen=True)
class State:
    """A point of the iteration.

    x           K times n numbers
    violation   how far the worst block is from optimal
    objective   the value
    previous    the value before the round
    """

    problem: Problem
    x: tuple[tuple[float, ...], ...]
    violation: float
    objective: float
    previous: float

    def check(self) -> None:
        """Assert that x is feasible, and that the objective is x's and has not risen, up to roundoff."""
        for part, ends in zip(self.x, self.problem.upper):
            assert all(u is None or v <= u for v, u in zip(part, ends)), "no variable is above its bound"
        size = sum(sum(map(abs, part)) for part in self.x)
        assert max(abs(sum(block)) for block in zip(*self.x)) <= THRESHOLD * roundoff(float) * size, "blocks sum to 0"
        g = zero_sum.gradient(self.problem, self.x)
        floor = THRESHOLD * self.problem.n * roundoff(float) * (1 + size * (size * max(self.problem.Q.diagonal()) + 1))
        assert abs(zero_sum.objective(self.problem, self.x, g) - self.objective) <= floor, "the objective is that of x"
        assert self.objective - self.previous <= floor, "the objective does not rise"


class Walk:
    """The iteration itself: the point x, its gradient g, and its value."""

    def __init__(self, problem: Problem, tol: Optional[float], start: Optional[Sequence[Sequence[float]]]) -> None:
        if problem.kind is not float:
            raise InvalidInput("blockwise", need="doubles", got=problem.kind.__name__)
        self.problem, self.Q = problem, problem.Q
        self.upper = [[math.inf if u is None else u for u in part] for part in problem.upper]
        self.x = [list(part) for part in start] if start is not None else [[0.0] * problem.n for _ in problem.c]
        if any(v > u for part, ends in zip(self.x, self.upper) for v, u in zip(part, ends)):
            raise InvalidInput("blockwise", need="a feasible start", got="one above its bounds")
        self.scale = max(part.largest() for part in problem.c) or 1.0
        self.tol = PRECISION * self.scale if tol is None else tol
        self.diagonal = list(problem.Q.diagonal())
        self.exchanges = Exchanges(self.Q, problem.c, self.x, self.upper)
        self.idle, self.count, self.ended = 0, problem.n * problem.size, tol is not None
        self.g = zero_sum.gradient(problem, self.x)
        self.value = zero_sum.objective(problem, self.x, self.g)
        self.wrong = self.violations()
        self.worst = max(self.wrong)

    def violations(self) -> list[float]:
        """Return how far each block is from optimal."""
        masked = [
            [v if w < u else math.inf for v, w, u in zip(own, part, ends)]
            for own, part, ends in zip(self.g, self.x, self.upper)
        ]
        return [a - b if b < a else 0.0 for a, b in zip(map(max, *self.g), map(min, *masked))]

    def noise(self) -> float:
        """Return the roundoff that the violation may carry."""
        size = max(sum(map(abs, part)) for part in self.x) * max(map(abs, self.diagonal))
        return float(roundoff(float) * (self.scale + size))

    def done(self) -> bool:
        """Return whether x is optimal, as far as asked for and as far as doubles can tell."""
        return self.worst <= self.noise() or self.idle >= PATIENCE or (self.worst <= self.tol and self.ended)

    def advance(self) -> None:
        """Iterate on by one round."""
        before, value = self.worst, self.value
        if before <= self.tol:
            self.newton()
            self.ended = self.worst > 0.5 * before
            return
        old = [list(part) for part in self.x]
        order = sorted((i for i, v in enumerate(self.wrong) if v > self.tol), key=self.wrong.__getitem__, reverse=True)
        places = order[:MOST]
        inside = set(places)
        places += [i for i in range(self.problem.n) if i not in inside and len(self.exchanges.loose(i)) > 1]
        self.sweep(places, CLOSER * before)
        self.refresh(old)
        count = sum(len(self.exchanges.loose(i)) - 1 for i in range(self.problem.n))
        if count >= STABLE * self.count or self.worst <= self.tol:
            self.newton()
        self.count = count
        self.idle = 0 if self.worst < 0.5 * before or value - self.value > 1e-15 * abs(value) else self.idle + 1

    def sweep(self, places: Sequence[int], goal: float) -> None:
        """Minimise over one block after another, until none of them violates optimality by more than the goal."""
        pick = itemgetter(*places) if len(places) > 1 else lambda values: (values[places[0]],)
        rows = [pick(self.Q.row(i)) for i in places]
        g, size = [list(pick(own)) for own in self.g], range(self.problem.size)
        for _ in range(SWEEPS):
            calm = True
            for j, (i, row) in enumerate(zip(places, rows)):
                own, x = [part[j] for part in g], [part[i] for part in self.x]
                ends = [part[i] for part in self.upper]
                if max(own) - min(v for v, w, u in zip(own, x, ends) if w < u) <= goal:
                    continue
                calm, a = False, self.diagonal[i]
                new = self.minimum(i, [v - a * w for v, w in zip(own, x)])
                for k in size:
                    step = new[k] - x[k]
                    if step:
                        self.x[k][i] = new[k]
                        g[k] = [v + step * w for v, w in zip(g[k], row)]
            if calm:
                return

    def minimum(self, i: int, b: list[float]) -> list[float]:
        """Return the minimum over block i, its sum made zero to the last digit."""
        found = zero_sum.minimum(self.diagonal[i], b, [part[i] for part in self.problem.upper])
        if found is None:
            raise unbounded({i: self.falling(i, b)}, self.x)
        k = max(range(len(b)), key=lambda k: self.upper[k][i] - found[k])
        found[k] = found[k] - sum(found)
        return found

    def falling(self, i: int, b: list[float]) -> list[float]:
        """Return the direction of a block without curvature and without an end along which the objective falls."""
        up = min((k for k in range(len(b)) if self.upper[k][i] == math.inf), key=b.__getitem__)
        down = b.index(max(b))
        return [float(k == up) - float(k == down) for k in range(len(b))]

    def refresh(self, old: Sequence[Sequence[float]]) -> None:
        """Bring gradient, value and violations up to date where x has moved from the old point."""
        for k, (part, was) in enumerate(zip(self.x, old)):
            moved = [i for i, (v, w) in enumerate(zip(part, was)) if v != w]
            if moved:
                self.g[k] = box.combine(self.g[k], [part[i] - was[i] for i in moved], [self.Q.row(i) for i in moved])
        self.value = zero_sum.objective(self.problem, self.x, self.g)
        self.wrong = self.violations()
        self.worst = max(self.wrong)

    def newton(self) -> None:
        """Go to the minimum over all that is loose."""
        for _ in range(3):
            old = [list(part) for part in self.x]
            ray = self.exchanges.settle(self.g)
            if ray is not None:
                raise unbounded(self.directions(ray), self.x)
            self.exchanges.newton()
            self.refresh(old)
            loose = self.exchanges.reference
            if max((self.wrong[i] for i in loose), default=0.0) <= max(self.tol, self.noise()):
                return

    def directions(self, ray: Move) -> dict[int, list[float]]:
        """Return the ray as a direction for each block that it moves."""
        size = self.problem.size
        found: dict[int, list[float]] = {}
        for v, t in ray.items():
            i, k = divmod(v, size)
            block = found.setdefault(i, [0.0] * size)
            block[k] += t
            block[self.exchanges.reference[i]] -= t
        return found

    def state(self, previous: float) -> State:
        """Return where the iteration stands."""
        return State(self.problem, tuple(map(tuple, self.x)), self.worst, self.value, previous)


def unbounded(directions: dict[int, list[float]], x: list[list[float]]) -> NoAnswer:
    """Return the refusal of a problem whose objective falls for ever along a direction of some blocks, from x on."""
    return NoAnswer("blockwise", need="an objective bounded below", got="an unbounded one", ray=directions, x=x)


def steps(
    problem: Problem, tol: Optional[float] = None, start: Optional[Sequence[Sequence[float]]] = None
) -> Iterator[State]:
    """Yield the states of the iteration, its start first; options as for `solve`."""
    walk = Walk(problem, tol, start)
    yield walk.state(walk.value)
    while not walk.done():
        value = walk.value
        walk.advance()
        yield walk.state(value)


def solve(
    problem: Problem,
    tol: Optional[float] = None,
    start: Optional[Sequence[Sequence[float]]] = None,
    max_steps: Optional[int] = None,
) -> Answer:
    """Return the minimum with its multipliers, x_ik as variable kn + i.

    tol        violation at which to stop; by default 1e-10 of the largest entry of c. Below roundoff none is asked for
    start      K times n numbers to start from
    max_steps  the most rounds to iteration

    Cost       a sweep over w blocks: w² multiplications for each variable of a block that moves; an end over d
               exchanges: d³/6; a round: n multiplications for each variable that has moved
    Raises     NoAnswer with a ray when the objective falls for ever; NotConverged with the point after max_steps
    """
    walk, taken = Walk(problem, tol, start), 0
    while not walk.done():
        if taken == (ROUNDS if max_steps is None else max_steps):
            need, got = f"an optimum within {taken} rounds", f"a violation of {walk.worst}"
            raise NotConverged("blockwise", need=need, got=got, x=walk.state(walk.value).x)
        walk.advance()
        taken += 1
    walk.g = zero_sum.gradient(problem, walk.x)
    return zero_sum.answer(problem, walk.x, walk.g, taken)
