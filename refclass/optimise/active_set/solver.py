"""The primal active-set method for convex quadratic problems, exact on fractions  [ISML-27.2-qp].

Solves    minimise ½xᵀQx + cᵀx subject to Ex = d, Gx ≤ h, lower ≤ x ≤ upper, for Q positive semidefinite, also
          singular, where Ex = 0
Given     a feasible point, or none: then one is found, or proven not to exist
Yields    feasible points of falling objective, each the minimum over its free variables; the last is the minimum

The working set is a set of free variables and of active rows whose matrix B (see `kkt_system`) is not singular. The
gradient, with the rows' multipliers, vanishes on the free variables. One constraint whose multiplier has the wrong sign
drives the iteration: its variable leaves its bound, or its row its edge, and the free variables follow so that they
stay stationary. The motion ends where the multiplier has become zero (the driver joins the working set), or earlier,
where a free variable meets a bound or another row its edge: that one changes sides, and the driver drives on. Where
changing sides alone would leave B singular, the driver joins at the same time: the exchange of linear programming.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Optional

from refclass.errors import InvalidInput, NoAnswer, NotConverged
from refclass.linear.vector import Vector, dot
from refclass.number.field import Number
from refclass.number.tolerance import THRESHOLD, roundoff
from refclass.optimise.active_set.iteration import MODULE, ActiveSetIteration
from refclass.optimise.active_set.kkt_system import entry_size
from refclass.optimise.quadratic import certificate as quadratic
from refclass.optimise.quadratic import phase_one
from refclass.optimise.quadratic.certificate import Answer, Problem
from refclass.optimise.quadratic.convexity import refuse_concave

certify = quadratic.certify


@dataclass(frozen=True)
class State:
    """A step of the iteration.

    x            the feasible point
    objective    its value
    previous     the value before the step
    free         the variables that follow a driver; the gradient vanishes on them
    active       the active rows among them: row i of E is i, row i of G is m + i
    event        what happened, in words
    """

    problem: Problem
    x: Vector
    objective: Number
    previous: Number
    free: tuple[int, ...]
    active: tuple[int, ...]
    event: str

    def check(self) -> None:
        """Assert that x is feasible, that the objective is x's, and that it has not risen, up to roundoff."""
        p, x = self.problem, self.x
        floor = _floor(p, x, entry_size(p.Q))
        assert all(low is None or v >= low for v, low in zip(x, p.lower)), "x lies above its lower bounds"
        assert all(high is None or v <= high for v, high in zip(x, p.upper)), "x lies below its upper bounds"
        assert phase_one.meets(p, x), "x meets the equalities and the inequalities"
        assert abs(quadratic.objective(p, x) - self.objective) <= floor, "the objective is that of x"
        assert self.objective - self.previous <= floor, "the objective does not rise"


def _floor(problem: Problem, x: Vector, entries: Number) -> Number:
    """Return a bound on the roundoff that the objective at x may carry, by the size of what it is summed from."""
    total = sum(map(abs, x), problem.kind(0))
    size = total * (entries * total + problem.c.largest())
    return THRESHOLD * problem.n * roundoff(problem.kind) * size


def steps(problem: Problem, **options: Any) -> Iterator[State]:
    """Yield the states of the iteration, its feasible start first; options as for `solve`."""
    iteration = begin(problem, **options)
    yield _state(problem, iteration, None, "start")
    value = problem.kind(iteration.at.value)
    for event in iteration:
        yield _state(problem, iteration, value, event)
        value = problem.kind(iteration.at.value)


def _state(problem: Problem, iteration: ActiveSetIteration, previous: Optional[Number], event: str) -> State:
    value = problem.kind(iteration.at.value)
    kind, (free, active) = problem.kind, iteration.working()
    return State(
        problem=problem,
        x=Vector.of([kind(v) for v in iteration.at.x]),
        objective=value,
        previous=value if previous is None else previous,
        free=free,
        active=active,
        event=event,
    )


def solve(problem: Problem, **options: Any) -> Answer:
    """Return the minimum with its multipliers.

    start      a point to start from; without it zero, or the nearest within the bounds. If it is not feasible, a
               feasible point is found first
    free       variables to take as free at the start
    convex     the caller's word that Q is positive semidefinite where Ex = 0, but for the rounding of its entries;
               otherwise that is tested first. If it is not so, the answer is stationary, not the minimum
    max_steps  how many steps to take at most

    Exact      yes: on fractions every optimality condition holds with ==
    Cost       a step with f free variables: nf + 2f² multiplications; Q is asked for rows of free variables only,
               except for the test of convexity
    Raises     NoAnswer when infeasible (with multipliers that contradict, see `phase_one.contradiction`), unbounded
               (with a ray) or not convex (with a direction of negative curvature); NotConverged after max_steps, or
               where roundoff makes the objective lower than convexity allows

    Example
        >>> from refclass.linear.matrix import Matrix
        >>> Q, c = Matrix([[2.0, 0.0], [0.0, 2.0]]), Vector([-2.0, -6.0])
        >>> solve(Problem(Q, c, (0.0, 0.0), (None, 2.0))).x
        Vector(1.0, 2.0)
    """
    return ended(begin(problem, **options), convex=not any(problem.d or ())).answer()


def begin(
    problem: Problem,
    *,
    start: Optional[Vector] = None,
    free: Iterable[int] = (),
    convex: bool = False,
    max_steps: Optional[int] = None,
) -> ActiveSetIteration:
    """Return the iteration at its start, a feasible point; options as for `solve`."""
    if not convex:
        refuse_concave(problem, MODULE)
    if start is not None and len(start) != problem.n:
        raise InvalidInput(MODULE, need=f"a start of length {problem.n}", got=len(start))
    x = phase_one.within(problem, start) if start is not None else phase_one.nearest_to_zero(problem)
    if not phase_one.meets(problem, x):
        x = _feasible(problem, x, max_steps)
    return ActiveSetIteration(problem, x, free, max_steps)


def ended(iteration: ActiveSetIteration, convex: bool = False) -> ActiveSetIteration:
    """Return the iteration at its end.

    convex    whether xᵀQx ≥ 0 at every feasible x, so that no objective is below cᵀx

    Raises    NotConverged where doubles left their range on the way, cancellation left zero for a divisor, or roundoff
              made the objective lower than convexity allows
    """
    try:
        for _ in iteration:
            if convex and iteration.equations.eps:
                _check_convex(iteration)
    except ZeroDivisionError:
        need, got = "divisors that roundoff leaves other than zero", "zero"
        raise NotConverged(MODULE, need=need, got=got, steps=iteration.taken) from None
    for i, v in enumerate(iteration.at.x):
        if v - v != 0:
            raise NotConverged(MODULE, need="an iteration within the range of doubles", got=v, variable=i)
    return iteration


def _check_convex(iteration: ActiveSetIteration) -> None:
    """Raises NotConverged where ½xᵀQx is negative beyond the roundoff of its terms: what follows is roundoff."""
    problem, at = iteration.problem, iteration.at
    if at.value - dot(problem.c, at.x) < -_floor(problem, Vector.of(at.x), iteration.equations.size):
        need, got = "xᵀQx ≥ 0 but for roundoff", "less: a step along roundoff of a singular Q"
        raise NotConverged(MODULE, need=need, got=got, x=iteration.answer().x, steps=iteration.taken)


def _feasible(problem: Problem, x: Vector, max_steps: Optional[int]) -> Vector:
    """Return a feasible point.  Raises NoAnswer with multipliers that contradict when there is none."""
    found = ended(ActiveSetIteration(*phase_one.relaxed(problem, x), max_steps=max_steps)).answer()
    x = phase_one.within(problem, Vector.of(found.x[: problem.n]))
    if phase_one.meets(problem, x):
        return x
    raise NoAnswer(MODULE, need="a point that meets all constraints", got="none", nu=found.nu, mu=found.mu)
