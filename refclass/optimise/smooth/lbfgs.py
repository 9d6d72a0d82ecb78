"""Limited-memory BFGS (Nocedal 1980; Liu and Nocedal 1989), for smooth functions of many variables.

Solves    minimise f(x), f differentiable, x without constraints; a stationary point, where f is not convex
Given     f with its gradient, and a starting point
Yields    points of falling value, and then of falling gradient

    D = −H∇f(x), H an inverse Hessian made of the last steps s and changes of gradient y
    x ← x + t D,  t = 1, or less: the first for which f falls by t|∇f(x)ᵀD|/10000 or more

Near a minimum f changes by the square of the step, and its roundoff hides that long before the gradient is zero: from
there on steps count that leave f the same but for roundoff, and the gradient smaller (as Hager and Zhang 2005).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Callable, Optional

from refclass.certificate import Certificate
from refclass.linear.vector import Vector
from refclass.number.field import Field, Number
from refclass.number.tolerance import THRESHOLD
from refclass.optimise.limits import HALVINGS

MEMORY = 20  # pairs (s, y) that H is made of: from 3 to 20 are usual (Nocedal and Wright 2006, section 7.2)
SHORTER = 8  # halvings of a step that is to make the gradient smaller
ENOUGH = 10000  # a step must make good one part in so many of what the slope predicts

Pair = tuple[Vector, Vector, Number]  # s, y and sᵀy > 0


@dataclass(frozen=True)
class Problem:
    """A differentiable function.

    evaluate    x -> f(x), ∇f(x)
    units       numbers > 0, whose squares are about the inverses of the second derivatives; None where nothing is known
    roundoff    the part of f that its roundoff is
    """

    evaluate: Callable[[Vector], tuple[Number, Vector]]
    units: Optional[Vector] = None
    roundoff: Number = 0

    def same(self, value: Number, other: Number) -> bool:
        """Return whether two values differ by roundoff at the most."""
        return bool(abs(value - other) <= self.roundoff * abs(other))


@dataclass(frozen=True)
class State:
    """A point of the iteration.

    step        the number of steps
    value       f(x)
    gradient    ∇f(x)
    previous    the value before the step, None at the start
    length      the length t of the step that led here, 0 at the start
    """

    problem: Problem
    step: int
    x: Vector
    value: Number
    gradient: Vector
    previous: Optional[Number]
    length: Number

    @property
    def objective(self) -> Number:
        """f(x), which falls."""
        return self.value

    def check(self) -> None:
        """Assert that value and gradient are those of the point, and that the value has fallen, but for roundoff."""
        assert (self.value, self.gradient) == self.problem.evaluate(self.x)
        before = self.previous
        assert before is None or self.value < before or self.problem.same(self.value, before)


def steps(F: Field, problem: Problem, x: Vector) -> Iterator[State]:
    """Yield the states of the iteration from x; it ends where the gradient is zero, or no step makes it or f fall.

    Cost      (4·MEMORY + 6)n multiplications and an evaluation for each step, mostly
    """
    value, gradient = problem.evaluate(x)
    state = State(problem, 0, x, value, gradient, None, F.kind(0))
    pairs: list[Pair] = []
    level = False
    while True:
        yield state
        if not any(state.gradient):
            return
        direction = _direction(state, pairs)
        following = None if level else _stepped(F, state, direction)
        if following is None:
            following = _settled(F, state, direction)
            level = following is not None
        if following is None and pairs:
            pairs = []
            following = _stepped(F, state, _direction(state, pairs))
        if following is None:
            return
        s, y = following.x - state.x, following.gradient - state.gradient
        curvature = s @ y
        # Premise: a pair whose curvature is lost in roundoff, or negative, would make H indefinite.
        if curvature > THRESHOLD * F.eps * (y @ y):
            pairs = [*pairs[1 - MEMORY :], (s, y, curvature)]
        state = following


def _direction(state: State, pairs: list[Pair]) -> Vector:
    """Return −H∇f: two sweeps over the pairs, H begun as the multiple of diag(units²) that fits the last pair."""
    q, parts, units = state.gradient, [], state.problem.units
    for s, y, c in reversed(pairs):
        a = (s @ q) / c
        parts.append(a)
        q = q - a * y
    if pairs:
        _, y, c = pairs[-1]
        own = y if units is None else y.times(units)
        q = c / (own @ own) * (q if units is None else q.times(units).times(units))
    else:
        q = q / sum(map(abs, q)) if units is None else q.times(units).times(units)
    for (s, y, c), a in zip(pairs, reversed(parts)):
        q = q + (a - (y @ q) / c) * s
    downhill: Vector = -q
    return downhill


def _stepped(F: Field, state: State, direction: Vector) -> Optional[State]:
    slope = state.gradient @ direction
    if not slope < 0:
        return None
    t = F.kind(1)
    for _ in range(HALVINGS):
        x = state.x + t * direction
        value, gradient = state.problem.evaluate(x)
        if value < state.value and ENOUGH * (state.value - value) >= -t * slope:
            return State(state.problem, state.step + 1, x, value, gradient, state.value, t)
        # Method: the parabola through f, its slope and f(x + tD) has its lowest point at t' = −slope t²/2(f(t) − f − t
        # slope); a step between a tenth and a half of the last one is taken.
        bend = 2 * (value - state.value - t * slope)
        best = -slope * t * t / bend if bend > 0 else t / 2
        t = min(max(best, t / 10), t / 2)
    return None


def _settled(F: Field, state: State, direction: Vector) -> Optional[State]:
    """Return a state of the same value but for roundoff, and of a smaller gradient; None where none is found."""
    t, size = F.kind(1), state.gradient.largest()
    for _ in range(SHORTER if state.problem.roundoff else 0):
        x = state.x + t * direction
        value, gradient = state.problem.evaluate(x)
        if state.problem.same(value, state.value) and gradient.largest() < size:
            return State(state.problem, state.step + 1, x, value, gradient, state.value, t)
        t = t / 2
    return None


def certify(problem: Problem, x: Vector) -> Certificate:
    """Return how far the point is from a stationary one: the largest entry of its gradient, as computed.

    Status "stationary" if it is zero, "feasible" otherwise; never "optimal": f need not be convex.
    """
    value, gradient = problem.evaluate(x)
    worst = gradient.largest()
    place = max(range(len(gradient)), key=lambda i: abs(gradient[i]))
    where = f"gradient, variable {place}" if worst else ""
    status, premise = "feasible" if worst else "stationary", "f and its gradient as computed; f need not be convex"
    return Certificate(status, value, None, None, worst, where, {"x": None}, premise)
