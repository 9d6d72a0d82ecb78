"""The primal active-set method with exact line search (Nocedal and Wright 2006, section 16.5; Fletcher 1987).

Each step goes from the iterate towards the minimum with the points held and the others on their sides, as far along
that line as the objective falls. At the minimum the point of the worst multiplier is dropped; if none is outside
[0, Cᵢ], the minimum is confirmed on all points.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from operator import sub
from typing import Any, Optional

from refclass.errors import NotConverged
from refclass.linear import combination
from refclass.linear.vector import dot
from refclass.number.field import Number
from refclass.optimise.limits import PATIENCE, ROUNDOFF_UNITS, most_steps
from refclass.optimise.linear_svm import line_search
from refclass.optimise.linear_svm.iterate import INACCURATE_RATIO, Iterate
from refclass.optimise.linear_svm.screened_points import Points

IDLE_STEPS_PER_UNKNOWN = 4  # steps without a gain, or without arriving, before steps are shortened


def start(points: Points, near: Optional[tuple[Sequence[Number], Any, Sequence[Number]]] = None) -> Iterate:
    """Return the iterate at θ = 0; or at a known θ, with the points further from the margin left out until the end.

    near    θ, how near the margin the points are there that may change side on the way to the optimum, and all slack
    """
    if near is None:
        return Iterate(points, [points.zero] * len(points.columns))
    theta, width, slack = near
    return Iterate(points.near(slack, width), theta)


def steps(points: Points, state: Iterate) -> Generator[Iterate, None, Iterate]:
    """Yield the iterate after each step; return the optimum, on all points.

    Method: long steps; after many that arrived nowhere, short ones until the minimum with some points held is reached,
    which can happen only finitely often with the objective falling; after many of length zero, the margins are
    perturbed, by less and less.

    state     where to start: on these points, or on those near the margin or with perturbed margins

    Raises    NotConverged when roundoff hides the optimum
    """
    patience = IDLE_STEPS_PER_UNKNOWN * (len(state.theta) + 2)
    restarts = unreached = idle = count = 0
    while True:
        if points.eps and count > most_steps(len(points.y) + len(state.theta)):
            raise NotConverged("long_step", need="an optimum", got=f"none after {count} steps")
        before, count = state.theta, count + 1
        reached = step(state, short=unreached > patience)
        yield state
        unreached = 0 if reached else unreached + 1
        far = max(map(abs, map(sub, state.theta, before)))
        idle = idle + 1 if far <= ROUNDOFF_UNITS * points.eps * max(map(abs, before)) else 0
        if reached and state.inaccurate():
            state = Iterate(state.points, state.theta, state.active.members, state.inside)
        elif reached and not release(state):
            state, optimal = confirm(points, state)
            if optimal:
                return state
            idle += 1
        if idle > patience:
            restarts, idle = restarts + 1, 0
            if points.eps and restarts > PATIENCE:
                raise NotConverged("long_step", need="a step that lowers the objective", got="roundoff")
            state = Iterate(state.points.perturbed((points.zero + 1) / 2 ** (12 * restarts)), state.theta)


def step(state: Iterate, short: bool = False) -> bool:
    """Go to the least value along the direction; return whether the minimum with the points held is reached.

    short    stop at the first break point, even where the objective falls beyond it
    """
    points = state.points
    d, slope, curvature = direction(state)
    if slope == 0 or len(state.active.members) == len(d):
        return True
    unit = INACCURATE_RATIO * points.eps * (1 + points.terms(state.theta))
    if state.active.members and points.terms(d) <= unit:
        return True  # Premise: no slack would change by more than roundoff
    speed = combination.total(d, points.columns)
    breaks = line_search.breaks(state, speed, points.eps * points.terms(d), bounded=bool(curvature))
    t, passed, stop = line_search.least(slope, curvature, breaks)
    if short and breaks:
        t, _, stop = min(breaks)
        passed = []
    elif t is None:  # Premise: the jumps along the intercept add up to |inside_sum₀|, in floats up to roundoff
        if not passed:
            raise NotConverged("long_step", need="numbers whose squares differ", got="roundoff, overflow")
        stop = passed.pop()
        t = max(breaks)[0]
    state.move(d, speed, t)
    state.toggle(passed)
    if stop is not None:
        state.hold(stop)
    for i in state.active.members:
        state.slack[i] = points.zero
    return not breaks


def direction(state: Iterate) -> tuple[list[Number], Number, Number]:
    """Return the direction to the minimum with the points held, and the objective's slope and curvature along it.

    Proof: the objective is quadratic with the identity as Hessian in β and linear in β₀, so that at the step d to
    its minimum the slope is −‖d_β‖² and the curvature ‖d_β‖².
    """
    zero = state.points.zero
    if state.unbalanced():
        fall = abs(state.inside_sum[-1])
        return [zero] * (len(state.theta) - 1) + [state.inside_sum[-1] / fall], -fall, zero
    d = list(map(sub, state.minimum(), state.theta))
    along = d[:-1] if state.points.intercept else d
    curvature = dot(along, along) + zero
    return d, -curvature, curvature


def release(state: Iterate) -> bool:
    """At the minimum with the points held, drop the one of the worst multiplier; return whether there is one."""
    out = state.furthest_out()
    if out is None:
        return False
    place, inward = out
    i = state.active.members[place]
    state.active.drop(place)
    state.dependent.clear()
    if inward:
        state.toggle([i])
    return True


def confirm(points: Points, state: Iterate) -> tuple[Iterate, bool]:
    """Compute the minimum with the points held afresh, on all points and the true margin; say whether it is optimal.

    If it is not, the iteration can go on from there.
    """
    places, sides = state.points.places, list(state.points.sides) or [False] * len(points.y)
    for i, here in zip(places, state.inside):
        sides[i] = here
    whole = Iterate(points, state.theta, [places[k] for k in state.active.members], sides, slack=[])
    if whole.unbalanced():
        return Iterate(points, state.theta, (), sides), False
    whole.theta = whole.minimum()
    whole.refine()
    whole.check_digits()
    wrong = whole.correct_sides()
    return whole, not wrong and whole.furthest_out() is None
