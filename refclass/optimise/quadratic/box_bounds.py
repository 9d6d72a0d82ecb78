"""Bounds on the optimum of a box problem with one sum, and what a solver says at its end."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Optional

from refclass.certificate import ASKED
from refclass.errors import NotConverged
from refclass.linear.vector import Vector
from refclass.number.field import Number
from refclass.number.tolerance import THRESHOLD, roundoff
from refclass.optimise.quadratic import certificate as quadratic
from refclass.optimise.quadratic.box import State, answer, intercept, objective, start
from refclass.optimise.quadratic.certificate import Answer, Problem
from refclass.optimise.quadratic.problem import lifted


def bounds(problem: Problem, x: Sequence[Number]) -> tuple[Number, Optional[Number]]:
    """Return the objective at a feasible point near x, and a number that it is nowhere less than, for convex problems.

        f(z) ≥ f(x) + gᵀ(z − x) = f(x) + Σ (gᵢ + ν)(zᵢ − xᵢ) ≥ f(x) − Σ max over the box of (gᵢ + ν)(xᵢ − zᵢ)

    None where a variable without the bound that its term needs leaves no such number.

    Exact     yes: rounded numbers are taken as the rationals that they are, and their sum is put right
    Cost      n multiplications of integers for each entry of x that is not zero
    """
    exact = lifted(problem)
    given = [Fraction(*v.as_integer_ratio()) for v in x]
    point = Vector.of(_balanced(exact, given))
    # Rows of doubles become integers faster than rows of fractions do.
    g = quadratic.product(problem.Q, point) + exact.c
    value = least = objective(exact, point, g)
    # Premise: what puts the sum right has moved a variable off its bound at most by roundoff: ν is read where x was.
    nu = intercept(exact, given, g) if exact.E is not None else Fraction(0)
    for v, slope, low, high in zip(point, g, exact.lower, exact.upper):
        pull = slope + nu
        end = low if pull > 0 else high
        if pull and end is None:
            return value, None
        least = least - pull * (v - end) if pull else least
    return value, least


def _balanced(problem: Problem, x: list[Fraction]) -> list[Fraction]:
    """Return x within the bounds, with the sum asked for, corrected where the bounds are furthest."""
    if problem.d is None:
        return start(problem, x)

    def slack(i: int) -> Fraction:
        ends = [abs(x[i] - end) for end in (problem.lower[i], problem.upper[i]) if end is not None]
        return min(ends, default=abs(x[i]) + 1)

    order = sorted(range(len(x)), key=slack, reverse=True)
    found = start(_reordered(problem, order), [x[i] for i in order])
    return [v for _, v in sorted(zip(order, found))]


def _reordered(problem: Problem, places: Sequence[int]) -> Problem:
    """Return the constraints of a problem with its variables in another order."""
    lower, upper = (tuple([ends[i] for i in places]) for ends in (problem.lower, problem.upper))
    return Problem(problem.Q, problem.c, lower, upper, problem.E, problem.d)


def unresolved(problem: Problem, x: Sequence[Number]) -> Number:
    """Return the violation that roundoff in the gradient explains, zero in exact arithmetic."""
    size = problem.c.largest() + max(map(abs, problem.Q.diagonal())) * sum(map(abs, x))
    return THRESHOLD * problem.n * roundoff(problem.kind) * size


def finished(problem: Problem, state: State, count: int, module: str, tol: Optional[Number]) -> Answer:
    """Return the answer of a solver that has stopped at a state.

    tol       the violation that was asked for; None: nine digits of the objective, or all that is to be had exactly

    Raises    NotConverged, with bounds on the least value, where roundoff leaves fewer digits; where variables without
              bounds leave none, where it does not explain the violation
    """
    good = state.violation <= tol if tol is not None else not roundoff(problem.kind)
    if not good:
        value, least = bounds(problem, state.x)
        if least is None:
            good = bool(state.violation <= unresolved(problem, state.x))
        else:
            good = (value - least) * 10**ASKED <= max(abs(value), abs(least))
        if not good:
            got = f"a violation of {state.violation}, the rest is roundoff"
            raise NotConverged(module, need="the minimum", got=got, x=state.x, primal=value, dual=least)
    return answer(problem, state.x, quadratic.gradient(problem, state.x), count)


def last(states: Iterator[State], module: str, max_steps: Optional[int]) -> tuple[State, int]:
    """Return the last state of a solver and how many steps led to it.

    Raises    NotConverged after max_steps steps, with the state reached and bounds on the least value
    """
    state = next(states)
    count = 0
    for count, state in enumerate(states, 1):
        if max_steps is not None and count > max_steps:
            value, least = bounds(state.problem, state.x)
            need, got = f"an optimum within {max_steps} steps", f"a violation of {state.violation}"
            raise NotConverged(module, need=need, got=got, x=state.x, primal=value, dual=least)
    return state, count
