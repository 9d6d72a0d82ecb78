"""Newton's method with backtracking (Nocedal and Wright 2006, section 3.3, algorithm 3.1), for smooth convex functions.

Solves    minimise f(x), f convex and twice differentiable, x without constraints
Given     f, its gradient, the solution of its Hessian's equations, and a starting point
Yields    points of falling value; the last is the minimum up to roundoff

    p = −H(x)⁻¹ ∇f(x)        x ← x + t p,  t = 1, ½, ¼, …  the first with f(x + t p) ≤ f(x) − t δ/4
    δ = ∇f(x)ᵀ H(x)⁻¹ ∇f(x),  the decrement: f falls by about δ/2

The proof that an end is near the minimum comes from strong convexity: if H(x) − m I is nowhere negative,

    f(x) − min f ≤ ‖∇f(x)‖² / 2m        ‖x − argmin f‖ ≤ ‖∇f(x)‖ / m
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Callable, Optional

from refclass.certificate import Certificate
from refclass.errors import NoAnswer, NotConverged
from refclass.linear.vector import Vector
from refclass.number.field import Field, Number
from refclass.number.tolerance import THRESHOLD
from refclass.optimise.limits import HALVINGS


@dataclass(frozen=True)
class Problem:
    """A smooth convex function.

    value      x -> f(x)
    gradient   x -> ∇f(x)
    solve      x, g -> H(x)⁻¹ g
    modulus    m > 0 such that H(x) − m I is positive semidefinite at every x; None if none is known
    resolved   x -> whether ∇f(x) is more than the roundoff of its terms; None if that is not known
    """

    value: Callable[[Vector], Number]
    gradient: Callable[[Vector], Vector]
    solve: Callable[[Vector, Vector], Vector]
    modulus: Optional[Number] = None
    resolved: Optional[Callable[[Vector], bool]] = None


@dataclass(frozen=True)
class State:
    """A point of the iteration.

    value       f(x)
    gradient    ∇f(x)
    direction   −H(x)⁻¹ ∇f(x)
    previous    the value before the step
    length      the length t of the step that led here, 0 at the start
    eps         the unit of roundoff
    """

    x: Vector
    value: Number
    gradient: Vector
    direction: Vector
    previous: Number
    length: Number
    eps: Number

    @property
    def decrement(self) -> Number:
        """∇f(x)ᵀ H(x)⁻¹ ∇f(x)."""
        return -(self.gradient @ self.direction)

    def check(self) -> None:
        """Assert that the value has not risen, up to roundoff, and that the direction leads down."""
        assert self.value - self.previous <= THRESHOLD * self.eps * (abs(self.value) + abs(self.previous))
        assert self.decrement >= -THRESHOLD * self.eps * self.gradient.largest() * self.direction.largest()


STEEP = 10  # a slope at the end of a step is steep that is more than this share of the one at its beginning
Tried = tuple[Number, Vector, Number]  # the length of a step, the point where it leads, the value there


@dataclass(frozen=True)
class Answer:
    """The point where the iteration ended, and the number of its steps."""

    x: Vector
    steps: int


def steps(F: Field, problem: Problem, x: Vector, *, max_steps: int = 200, lengthened: bool = False) -> Iterator[State]:
    """Yield the states of the iteration from x.

    lengthened    whether a full step is doubled, its factor squared every time, while the value goes on falling there:
                  where f is exp(−t) + at, a small, a Newton step adds one to t, and log 1/a lead to the minimum;
                  and a step that is too long is shortened as fast, and to where the slope changes

    It ends when the decrement is lost in the roundoff of the value and stops falling; on fractions when it is zero.
    """
    state = _state(F, problem, x, problem.value(x), None, F.kind(0))
    yield state
    for count in itertools.count():
        following = _stepped(F, problem, state, lengthened) if state.decrement else None
        if following is None:
            return
        if count == max_steps:
            got, bound = f"a decrement of {state.decrement} after {max_steps} steps", certify(problem, state.x).gap
            raise NotConverged("newton", need="a minimum", got=got, x=state.x, gap=bound)
        state = following
        yield state


def solve(F: Field, problem: Problem, x: Vector, *, max_steps: int = 200) -> Answer:
    """Return the minimum up to roundoff.

    Exact     a quadratic function on fractions: yes, in one step
    Cost      a gradient and a solution for each step, a value for each of them and for each halving
    Raises    NoAnswer with the direction when one leads up or the value never falls along it: the function is not
              convex, or its derivatives are wrong; NotConverged with the last point after max_steps, as when there is
              no minimum

    Example
        >>> from refclass.number.binary64 import BINARY64
        >>> f = Problem(lambda x: x @ x - 2 * x[0], lambda x: 2 * x - Vector([2.0]), lambda x, g: g / 2)
        >>> solve(BINARY64, f, Vector([5.0]))
        Answer(x=Vector(1.0), steps=1)
    """
    count, last = -1, x
    for state in steps(F, problem, x, max_steps=max_steps):
        count, last = count + 1, state.x
    return Answer(last, count)


def _state(F: Field, problem: Problem, x: Vector, value: Number, previous: Optional[Number], length: Number) -> State:
    g = problem.gradient(x)
    before = value if previous is None else previous
    return State(x, value, g, -problem.solve(x, g), before, length, F.eps)


def _stepped(F: Field, problem: Problem, state: State, lengthened: bool) -> Optional[State]:
    """Return the state after the next step; None when roundoff leaves nothing to gain."""
    delta, noise = state.decrement, F.eps * (abs(state.value) + abs(state.previous))
    if all(abs(d) <= F.eps * abs(v) for d, v in zip(state.direction, state.x)):  # Premise: units may differ.
        return None
    if abs(delta) <= THRESHOLD * noise:
        # Method: the value resolves no step, but the gradient does; full steps go on while the decrement halves, or f
        # is steep at their end still, and no roundoff. Proof: f is convex, and falls along a direction as long as its
        # slope is below zero.
        x = state.x + state.direction
        last = _state(F, problem, x, problem.value(x), state.value, F.kind(1))
        if 0 <= 2 * last.decrement < delta:
            return last
        told = problem.resolved is not None and problem.resolved(x)
        return last if told and last.gradient @ state.direction * STEEP < -delta else None
    if delta < 0:
        raise NoAnswer("newton", need="a convex function", got="a Newton step that leads up", direction=state.direction)
    t, before, factor = F.kind(1), F.kind(1), 2
    for _ in range(HALVINGS):
        if t * delta <= noise:
            break
        x = state.x + t * state.direction
        value = _value(problem, x)
        if value is not None and 4 * (state.value - value) >= t * delta:
            found = t, x, value
            if lengthened:
                found = (
                    _farther(F, problem, state, found, noise) if t >= 1 else _between(F, problem, state, found, before)
                )
            t, x, value = found
            return _state(F, problem, x, value, state.value, t)
        before, t = t, t / factor
        factor = factor * factor if lengthened else factor
    got = f"none down to {t} of it"
    raise NoAnswer("newton", need="a value that falls along the Newton step", got=got, direction=state.direction)


def _farther(F: Field, problem: Problem, state: State, found: Tried, noise: Number) -> Tried:
    """Return a step of twice the length, or more, while the value goes on falling there; else the step itself.

    No step is longer than log 1/ε: exp(−t) is roundoff beyond, and with it all that the direction was for.
    """
    t, x, value = found
    factor, most = 2, -F.log(F.eps)
    while factor * t <= most or factor > 2:
        farther = state.x + factor * t * state.direction
        other = _value(problem, farther) if factor * t <= most else None
        # Premise: beyond the minimum along the direction the terms that grow may hide those that vanish.
        if other is not None and value - other > noise and problem.gradient(farther) @ state.direction < 0:
            t, x, value, factor = factor * t, farther, other, factor * factor
        elif factor == 2:
            break
        else:
            factor = 2
    return t, x, value


def _between(F: Field, problem: Problem, state: State, found: Tried, above: Number) -> Tried:
    """Return a step between two lengths at whose end the slope is at most half of that at its start.

    A shortened step ends before a point where the slope jumps, be it in a width of 10⁻¹⁰⁰ of the step; the next
    direction is no other until the jump is seen. The interval is halved, of unlike ends in their logarithms, until one
    lies where the slope changes: f falls there, and is as steep at most (Nocedal and Wright's section 3.1).
    """
    # Proof: f is convex along the direction. A slope below −δ/2 at t means a fall by more than tδ/2 up to there, and
    # where f has not fallen by tδ/4 the slope is above −δ/4: the ends of the interval stay on either side. A step at
    # whose end the slope is no longer so steep is long enough.
    low, delta = found, state.decrement
    if 2 * (problem.gradient(found[1]) @ state.direction) > -delta:
        return found
    while above - low[0] > F.eps * above:
        t = F.sqrt(low[0]) * F.sqrt(above) if above > 4 * low[0] else (low[0] + above) / 2
        x = state.x + t * state.direction
        value = _value(problem, x)
        if value is None or 4 * (state.value - value) < t * delta:
            above = t
            continue
        slope = problem.gradient(x) @ state.direction
        if abs(slope) <= delta / 2:
            return t, x, value
        low, above = ((t, x, value), above) if slope < 0 else (low, t)
    return low


def _value(problem: Problem, x: Vector) -> Optional[Number]:
    """Return f(x); None where it is beyond the range of the numbers."""
    try:
        return problem.value(x)
    except OverflowError:
        return None


def certify(problem: Problem, x: Vector) -> Certificate:
    """Return the proof: a bound on how far f(x) lies above the minimum, from strong convexity.

        dual = f(x) − ‖∇f(x)‖² / 2m ≤ min f

    Without a modulus m there is no bound, and at best the answer is stationary.

    Exact     f and its gradient are taken as computed: the bound holds up to their roundoff
    """
    # Proof: f(z) ≥ f(x) + ∇f(x)ᵀ(z − x) + (m/2)‖z − x‖² for all z; the right side is least at z = x − ∇f(x)/m.
    g, value = problem.gradient(x), problem.value(x)
    worst = g.largest()
    place = max(range(len(g)), key=lambda i: abs(g[i]))
    where = f"gradient, variable {place}" if worst else ""
    if problem.modulus is None:
        return Certificate("feasible" if worst else "stationary", value, None, None, worst, where)
    gap = g @ g / (2 * problem.modulus)
    premise = "f and its gradient as computed; the Hessian nowhere below the modulus"
    status, unique = "feasible" if worst else "optimal", {"x": True}
    return Certificate(status, value, value - gap, gap, worst, where, unique, premise)
