"""The machines' constraints, a box and at most one sum, and what their solvers share  [MMST-11.6-smo] [ISML-27.3].

    minimise ½xᵀQx + cᵀx   subject to   lower ≤ x ≤ upper   and, with an intercept,   Σ xᵢ = d

With g = Qx + c write mᵢ = −gᵢ. A variable can rise if it lies below its upper bound, and fall if it lies above its
lower one. x is optimal if and only if some ν, the intercept, parts the two kinds:

    mᵢ ≤ ν for all i that can rise        ν ≤ mᵢ for all i that can fall        (without the sum: ν = 0)

so that a pair (i, j) with i able to rise, j able to fall and mᵢ > mⱼ violates optimality, by mᵢ − mⱼ.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import compress
from typing import Optional

from refclass.errors import InvalidInput, NoAnswer
from refclass.linear.vector import Vector, dot
from refclass.number.field import Number
from refclass.number.tolerance import THRESHOLD, roundoff
from refclass.optimise.quadratic import certificate as quadratic
from refclass.optimise.quadratic.certificate import Answer, Problem


@dataclass(frozen=True)
class State:
    """A step of a machine solver's iteration.

    x            the feasible point
    objective    its value
    previous     the value before the step
    violation    how far the worst pair violates optimality; 0 when x is optimal
    """

    problem: Problem
    x: Vector
    objective: Number
    previous: Number
    violation: Number

    def check(self) -> None:
        """Assert that x is feasible and that the objective is x's and has not risen; in floats up to roundoff."""
        p, x, kind = self.problem, self.x, self.problem.kind
        total = sum(map(abs, x), kind(0))
        unit = THRESHOLD * p.n * roundoff(kind)
        floor = unit * total * (max(map(abs, p.Q.diagonal())) * total + p.c.largest())
        assert all(low is None or v >= low for v, low in zip(x, p.lower)), "x lies above its lower bounds"
        assert all(high is None or v <= high for v, high in zip(x, p.upper)), "x lies below its upper bounds"
        assert p.d is None or abs(x.sum() - p.d[0]) <= unit * (total + abs(p.d[0])), "x has the sum asked for"
        assert abs(quadratic.objective(p, x) - self.objective) <= floor, "the objective is that of x"
        assert self.objective <= self.previous + floor, "the objective does not rise"


def summed(problem: Problem, module: str) -> bool:
    """Return whether the problem has the one sum.

    Raises    InvalidInput, in the name of the module, for any other constraint than bounds and one row of ones
    """
    if problem.G is not None:
        raise InvalidInput(module, need="bounds and at most one sum as constraints", got="inequalities")
    if problem.E is None:
        return False
    if len(problem.E) != 1 or set(problem.E[0]) != {problem.kind(1)}:
        raise InvalidInput(module, need="one row of ones as equality, or none", got=f"{len(problem.E)} rows")
    return True


def start(problem: Problem, x: Optional[Iterable[Number]] = None) -> list[Number]:
    """Return a feasible point near x, or near zero.

    Raises    NoAnswer when the bounds leave no point with the sum asked for; `reach` is the sum nearest to it
    """
    zero = problem.kind(0)
    point = []
    for v, low, high in zip([zero] * problem.n if x is None else x, problem.lower, problem.upper):
        v = low if low is not None and v < low else v
        point.append(high if high is not None and v > high else v)
    if problem.d is not None:
        # Premise: what roundoff leaves of a sum is put into one entry.
        _fill(problem, point, problem.d[0] - (math.fsum(point) if problem.kind is float else sum(point)))
    return point


def _fill(problem: Problem, x: list[Number], missing: Number) -> None:
    """Add to the entries of x, those between their bounds first, as far as each can go, until their sum is complete."""
    # Premise: what roundoff leaves is not to make an entry at its bound free.
    order = [*enumerate(x)] if missing else []
    order.sort(key=lambda entry: entry[1] in (problem.lower[entry[0]], problem.upper[entry[0]]))
    for i, v in order:
        if missing == 0:
            return
        bound = problem.upper[i] if missing > 0 else problem.lower[i]
        whole = bound is None or abs(bound - v) >= abs(missing)
        x[i] = v + missing if whole else bound
        missing = missing - missing if whole else missing - (bound - v)
    size = sum(map(abs, x)) + abs(missing)
    if abs(missing) > THRESHOLD * len(x) * roundoff(problem.kind) * size:
        raise NoAnswer("box", need="bounds that leave a point with the sum asked for", got="none", reach=sum(x))


def rising(x: Sequence[Number], upper: Sequence[Optional[Number]]) -> list[bool]:
    """Return which entries can rise."""
    return [high is None or v < high for v, high in zip(x, upper)]


def falling(x: Sequence[Number], lower: Sequence[Optional[Number]]) -> list[bool]:
    """Return which entries can fall."""
    return [low is None or v > low for v, low in zip(x, lower)]


def ends(m: Sequence[Number], rise: Sequence[bool], fall: Sequence[bool]) -> tuple[Optional[Number], Optional[Number]]:
    """Return max mᵢ over the entries that can rise and min mᵢ over those that can fall; None where there are none."""
    return max(compress(m, rise), default=None), min(compress(m, fall), default=None)


def violation(m: Sequence[Number], rise: Sequence[bool], fall: Sequence[bool], paired: bool) -> Number:
    """Return how far the worst pair violates optimality; without the sum, the worst variable; 0 at an optimum."""
    zero = type(m[0])(0)
    top, bottom = ends(m, rise, fall)
    if paired:
        return zero if top is None or bottom is None else max(top - bottom, zero)
    return max(zero if top is None else top, zero if bottom is None else -bottom, zero)


def interval(problem: Problem, x: Sequence[Number], g: Sequence[Number]) -> tuple[Optional[Number], Optional[Number]]:
    """Return the least and the largest optimal ν at a minimum x with gradient g = Qx + c  [ISML-27.4] [KIM-3.49].

        max {−gᵢ : xᵢ can rise} ≤ ν ≤ min {−gᵢ : xᵢ can fall}

    None where there is no end. The two are equal if some variable lies strictly between its bounds; at a point that is
    not a minimum they are out of order.

    Exact     yes
    Example
        >>> from refclass.linear.matrix import Matrix
        >>> K, y = Matrix([[1.0, -1.0], [-1.0, 1.0]]), Vector([1.0, -1.0])
        >>> E, d = Matrix([[1.0, 1.0]]), Vector([0.0])
        >>> interval(Problem(K, -y, (0.0, -0.25), (0.25, 0.0), E, d), (0.25, -0.25), (-0.5, 0.5))
        (-0.5, 0.5)
    """
    return ends([-v for v in g], rising(x, problem.upper), falling(x, problem.lower))


def intercept(problem: Problem, x: Sequence[Number], g: Sequence[Number]) -> Number:
    """Return the middle of the interval of optimal ν, its only end if there is but one, else zero."""
    low, high = interval(problem, x, g)
    if low is None or high is None:
        return next((v for v in (low, high) if v is not None), problem.kind(0))
    return (low + high) / 2


def answer(problem: Problem, x: Sequence[Number], g: Sequence[Number], steps: int) -> Answer:
    """Return x with the multipliers that its gradient g = Qx + c implies (see `exact_data.answer`)."""
    kind = problem.kind
    nu = None if problem.E is None else Vector.of([intercept(problem, x, g)])
    pull = kind(0) if nu is None else nu[0]
    reduced = [v + pull for v in g]
    at_lower = [v if v > 0 and low is not None else kind(0) for v, low in zip(reduced, problem.lower)]
    at_upper = [-v if v < 0 and high is not None else kind(0) for v, high in zip(reduced, problem.upper)]
    return Answer(Vector.of(x), nu, None, Vector.of(at_lower), Vector.of(at_upper), steps)


def objective(problem: Problem, x: Sequence[Number], g: Sequence[Number]) -> Number:
    """Return ½xᵀQx + cᵀx from the gradient g = Qx + c: ½xᵀ(g + c)."""
    return (dot(tuple(x), tuple(g)) + dot(tuple(x), problem.c)) / 2


def spread(like: Vector, places: Sequence[int], values: Sequence[Number]) -> Vector:
    """Return a vector as long as another, with the values at the places and zeros of its kind elsewhere."""
    entries = dict(zip(places, values))
    return Vector.of([entries.get(i, like.kind(0)) for i in range(len(like))])
