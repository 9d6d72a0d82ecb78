"""The machine with a linear kernel, solved where it has p + 1 variables: in (β, β₀), by long steps.

**Solves**  minimise ½‖β‖² + Σ Cᵢ [1 − yᵢ(xᵢᵀβ + β₀)]₊ over β and β₀  [ESL-12.8] [ESL-12.25] [ISML-27.2] [MMST-11.34]

**Given**   rows xᵢ, labels yᵢ = ±1, costs Cᵢ ≥ 0, or None for ∞: then no slack is allowed

**Yields**  a state after every line search, from β = 0 or from near the optimum; the objective never rises

The objective is a convex piecewise quadratic. At most p + 1 points are held on the margin, yᵢf(xᵢ) = 1. With those
held, and each other point on its side, the minimum solves one small linear system; the step goes towards it, and on
along the same line, through every break point at which a point changes side, to the least value on that line. Either
it stops at a break point, and that point is held from then on; or it arrives at the minimum with the points held, where
their multipliers αᵢ are known. If one is outside [0, Cᵢ], that point is dropped; if none is, this is the optimum, and
α its proof.

**Cost**    n p multiplications a step, and p² for the system, which is updated and not solved afresh
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from operator import mul
from typing import Any, Optional

from refclass.errors import InvalidInput, NoAnswer, NotConverged
from refclass.iteration import mapped
from refclass.linear.vector import Vector, dot
from refclass.number.field import Number
from refclass.number.tolerance import roundoff
from refclass.optimise.limits import ROUNDOFF_UNITS
from refclass.optimise.linear_svm import iteration, smoothed_start
from refclass.optimise.linear_svm.iterate import Iterate
from refclass.optimise.linear_svm.screened_points import Points

PRICE_FACTOR = 64  # how much dearer slack becomes from one attempt at a hard margin to the next


@dataclass(frozen=True)
class Problem:
    """Minimise ½‖β‖² + Σ Cᵢ [1 − yᵢ(xᵢᵀβ + β₀)]₊.

    X            n rows of p numbers
    y            n labels, 1 or −1
    costs        n numbers Cᵢ ≥ 0, None for ∞
    intercept    whether there is a β₀; without it β₀ = 0

    Raises    InvalidInput when lengths differ, a label is not ±1, or a cost is negative
    """

    X: Sequence[Vector]
    y: Vector
    costs: tuple[Optional[Number], ...]
    intercept: bool = True

    def __post_init__(self) -> None:
        n = len(self.X)
        for name, given in (("labels", self.y), ("costs", self.costs)):
            if len(given) != n:
                raise InvalidInput("long_step", need=f"{n} {name}, one for each row", got=len(given))
        if not set(self.y) <= {1, -1}:
            raise InvalidInput("long_step", need="labels 1 and −1", got=sorted(set(self.y) - {1, -1}))
        for i, c in enumerate(self.costs):
            if c is not None and c < 0:
                raise InvalidInput("long_step", need="costs ≥ 0", got=c, row=i)

    @property
    def kind(self) -> Any:
        """The type of the numbers."""
        return type(self.y[0])


@dataclass(frozen=True)
class Answer:
    """The optimum and its proof: β = Σ αᵢyᵢxᵢ, Σ αᵢyᵢ = 0 (with an intercept), 0 ≤ αᵢ ≤ Cᵢ."""

    beta: Vector
    beta0: Number
    alpha: Vector
    steps: int


@dataclass(frozen=True)
class State:
    """Where the iteration stands.

    active   the points held on the margin, at most p + 1
    alpha    the multipliers, at the end of the iteration; before it None
    moved    how far the margins are moved apart at most, against cycling
    """

    problem: Problem
    beta: Vector
    beta0: Number
    active: tuple[int, ...]
    alpha: Optional[Vector] = None
    moved: Any = 0

    @property
    def x(self) -> Vector:
        """β and, after it, β₀."""
        return Vector.of([*self.beta, self.beta0])

    def margins(self) -> list[Number]:
        """Return yᵢ f(xᵢ) for every point  [ESL-12.16]."""
        return [t * (dot(x, self.beta) + self.beta0) for x, t in zip(self.problem.X, self.problem.y)]

    @property
    def objective(self) -> Number:
        """½‖β‖² + Σ Cᵢ [1 − yᵢ f(xᵢ)]₊, points of infinite cost left out."""
        slack = sum(c * (1 - m) for m, c in zip(self.margins(), self.problem.costs) if c is not None and m < 1)
        return dot(self.beta, self.beta) / 2 + slack

    def check(self) -> None:
        """Assert that the points held are on the margin, and no more of them than variables."""
        p = len(self.beta)
        assert len(self.active) <= p + self.problem.intercept
        margins = self.margins()
        unit = ROUNDOFF_UNITS**3 * roundoff(self.problem.kind)  # on the way roundoff gathers
        for i in self.active:
            size = 1 + abs(self.beta0) + sum(map(abs, map(mul, self.beta, self.problem.X[i])))
            assert abs(margins[i] - 1) <= unit * size + self.moved, f"point {i} is held at margin {margins[i]}"


def steps(problem: Problem) -> Iterator[State]:
    """Yield the states to the optimum, from β = 0, or from near it (`smoothed_start`) with many points in doubles.

    Method: points of infinite cost get a finite one, which grows until none of them has slack, or until their
    multipliers show that slack there must be (see `_refuse_inseparable`).

    Raises    NoAnswer, with the witness, when points of infinite cost cannot be separated
    """
    live = [i for i, c in enumerate(problem.costs) if c is None or c]
    if not live:
        zeros = Vector.of([problem.kind(0)] * len(problem.y))
        yield State(problem, Vector.of([problem.kind(0)] * len(problem.X[0])), problem.kind(0), (), zeros)
        return
    finite = [c for c in problem.costs if c is not None]
    hard = [k for k, i in enumerate(live) if problem.costs[i] is None] if len(finite) < len(problem.costs) else []
    price = max([problem.kind(1), *finite])
    points = _points(problem, live, price)
    current = iteration.start(points, smoothed_start.near(points) if problem.kind is float else None)
    while True:
        current = yield from mapped(iteration.steps(points, current), lambda state: _state(problem, state, live))
        if not any(current.inside[k] for k in hard):
            break
        _refuse_inseparable(current, hard, live)
        if points.eps and price > 1 / points.eps**2:
            raise NotConverged("long_step", need="a hyperplane, or a proof that there is none", got="roundoff")
        price = PRICE_FACTOR * price
        points = _points(problem, live, price)
        current = Iterate(points, current.theta)
    alpha = current.alpha()
    if len(live) < len(problem.y):
        known = dict(zip(live, alpha))
        alpha = [known.get(i, problem.kind(0)) for i in range(len(problem.y))]
    yield replace(_state(problem, current, live), alpha=Vector.of(alpha))


def _points(problem: Problem, live: Sequence[int], price: Number) -> Points:
    X, y, costs = problem.X, problem.y, problem.costs
    if len(live) < len(y):
        X, y, costs = [X[i] for i in live], y.pick(live), tuple([costs[i] for i in live])
    return Points.of(X, y, [price if c is None else c for c in costs], problem.intercept)


def _state(problem: Problem, current: Iterate, live: Sequence[int]) -> State:
    theta, points = current.theta, current.points
    beta, beta0 = (theta[:-1], theta[-1]) if problem.intercept else (theta, problem.kind(0))
    held = tuple([live[points.places[k]] for k in current.active.members])
    return State(problem, Vector.of(beta), beta0, held, moved=max(points.margins) - 1)


def _refuse_inseparable(current: Iterate, hard: Sequence[int], live: Sequence[int]) -> None:
    """Raise NoAnswer if the iteration's end shows that no hyperplane separates the points of infinite cost.

    Proof: weights w ≥ 0, not all zero, with Σ wᵢyᵢ(xᵢ, 1) = 0 are a convex combination of each class, the same point
    of both hulls. If some (β, β₀) had yᵢf(xᵢ) ≥ 1 for all i, then 0 = Σ wᵢyᵢf(xᵢ) ≥ Σ wᵢ > 0. As the price grows the
    multipliers divided by it tend to such weights. In doubles they are weights to roundoff, which the caller proves.
    """
    points, held, zero = current.points, current.active.members, current.points.zero
    inside = [k for k in hard if current.inside[k]]
    inside_sum = [sum(column[k] for k in inside) + zero for column in points.columns]
    beta = tuple(inside_sum[: len(points.X[0])])
    _, a = current.active.solve(-inside_sum[-1], [-dot(points.X[k], beta) for k in held]) if held else (zero, [])
    weights = {**dict.fromkeys(inside, zero + 1), **{k: points.y[k] * v for k, v in zip(held, a)}}
    unit = points.eps * len(points.y) * len(inside) * len(points.columns) * max(points.sizes)
    least = min(weights.values())
    softest = max([abs(weights[k]) for k in held if k not in set(hard)], default=zero)
    total = [sum(w * column[k] for k, w in weights.items()) for column in points.columns]
    if least < -unit or softest > unit or max(map(abs, total)) > unit:
        return
    raise NoAnswer(
        "long_step",
        need="classes that a hyperplane separates",
        got="a point in the convex hulls of both",
        weights={live[k]: max(w, zero) for k, w in weights.items() if w > unit},
    )


def solve(problem: Problem, *, max_steps: Optional[int] = None) -> Answer:
    """Return the optimum, where the iteration ends.

    max_steps    how many steps to make at most

    Raises       NoAnswer as `steps`; NotConverged after max_steps, and when roundoff hides the optimum
    """
    count, state = -1, None
    for state in steps(problem):
        count += 1
        if count == max_steps and state.alpha is None:
            need, got = f"an optimum within {max_steps} steps", f"an objective of {state.objective}"
            raise NotConverged("long_step", need=need, got=got, x=state.x)
    if state is None or state.alpha is None:
        raise NotConverged("long_step", need="an optimum at the end of the iteration", got=state)
    return Answer(state.beta, state.beta0, state.alpha, count)
