"""The machines' constraints, a box and at most one sum, and what their solvers share  [MMST-11.6-smo] [ISML-27.3].

    minimise ½xᵀQx + cᵀx   subject to   lower ≤ x ≤ upper   and, with an intercept,   Σ xᵢ = d

With g = Qx + c write mᵢ = −gᵢ. A variable can rise if it lies below its upper bound, and fall if it lies above its
lower one. x is optimal if and only if some ν, the intercept, parts the two kinds:

    mᵢ ≤ ν for all i that can rise        ν ≤ mᵢ for all i that can fall        (without the sum: ν = 0)

so that a pair (i, j) with i able to rise, j able to fall and mᵢ > mⱼ violates optimality, by mᵢ − mⱼ.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import compress
from operator import itemgetter
from typing import Any, Optional

from refclass.certificate import ASKED
from refclass.errors import InvalidInput, NoAnswer, NotConverged
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector, dot
from refclass.number.field import Number
from refclass.number.tolerance import THRESHOLD, roundoff
from refclass.optimise.quadratic import certificate as quadratic
from refclass.optimise.quadratic.certificate import Answer, Problem
from refclass.optimise.quadratic.problem import lifted

TOGETHER = 16  # rows of the same weight that are summed before they are multiplied
MOST = 64  # rows that are held until then, and no more: the store they come from may have forgotten them


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


class Restricted:
    """The rows and columns of Q at some places, gathered when asked for."""

    def __init__(self, Q: Any, places: Sequence[int]) -> None:
        self.Q = Q
        self.places = places
        self.gather = gatherer(places)

    def __len__(self) -> int:
        return len(self.places)

    def row(self, k: int) -> Vector:
        """Return row k of the restriction."""
        return Vector.of(self.gather(self.Q.row(self.places[k])))

    def diagonal(self) -> Vector:
        """Return its diagonal."""
        return Vector.of(self.gather(self.Q.diagonal()))


def gatherer(places: Sequence[int]) -> Any:
    """Return the function that picks the entries at the places, one or more, out of a sequence, as a tuple."""
    if len(places) == 1:
        only = places[0]
        return lambda values: (values[only],)
    return itemgetter(*places)


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
        _fill(problem, point, problem.d[0] - sum(point))
    return point


def _fill(problem: Problem, x: list[Number], missing: Number) -> None:
    """Add to the entries of x, as far as each can go, until nothing is missing from their sum."""
    for i, v in enumerate(x):
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
    """Return x with the multipliers that its gradient g = Qx + c implies (see `quadratic.answer`)."""
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


def combine(total: Sequence[Number], weights: Iterable[Number], rows: Iterable[Sequence[Number]]) -> list[Number]:
    """Return total + Σ weightsₖ rowsₖ.

    Cost      n multiplications a row; of many rows of the same weight n additions
    """
    total, held = list(total), 0
    alike: dict[Number, list[Sequence[Number]]] = {}
    for w, row in zip(weights, rows):
        same = alike.setdefault(w, [])
        same.append(row)
        held += 1
        if len(same) == TOGETHER:
            total = [v + w * s for v, s in zip(total, map(sum, zip(*alike.pop(w))))]
            held -= TOGETHER
        elif held == MOST:
            total, held = _added(total, alike), 0
            alike.clear()
    return _added(total, alike)


def _added(total: list[Number], alike: dict[Number, list[Sequence[Number]]]) -> list[Number]:
    # Method: eight rows to a pass, so that each entry of the total is read and written once for eight products.
    left = [(w, row) for w, same in alike.items() for row in same]
    whole = len(left) - len(left) % 8
    for k in range(0, whole, 8):
        (a, b, c, d, e, f, g, h), some = zip(*left[k : k + 8])
        total = [
            v + (a * p + b * q + c * r + d * s) + (e * t + f * u + g * w + h * z)
            for v, p, q, r, s, t, u, w, z in zip(total, *some)
        ]
    for a, row in left[whole:]:
        total = [v + a * p for v, p in zip(total, row)]
    return total


def restrict(problem: Problem, places: Sequence[int], x: Sequence[Number], g: Sequence[Number]) -> Problem:
    """Return the problem of the entries at the places, the others held where they are in x.

    minimise ½zᵀQ_WW z + (g_W − Q_WW x_W)ᵀz,   Σ z = Σ x_W
    """
    Q = Restricted(problem.Q, places)
    pick = Q.gather
    held = pick(x)
    moved = [k for k, v in enumerate(held) if v]
    c = combine(pick(g), [-held[k] for k in moved], [Q.row(k) for k in moved])
    kind, ones, d = problem.kind, None, None
    if problem.E is not None:
        ones, d = Matrix.of([Vector.of([kind(1)] * len(places))]), Vector.of([sum(held, kind(0))])
    return Problem(Q, Vector.of(c), pick(problem.lower), pick(problem.upper), ones, d)


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
    g = quadratic.gradient(exact, point)
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


def spread(problem: Problem, places: Sequence[int], values: Sequence[Number]) -> Vector:
    """Return the vector with the values at the places and zeros elsewhere."""
    entries = dict(zip(places, values))
    return Vector.of([entries.get(i, problem.kind(0)) for i in range(problem.n)])
