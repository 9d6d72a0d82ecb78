"""Decomposition (Osuna, Freund and Girosi 1997; Joachims 1999) with reduced Newton steps: the engine for any kernel.

Solves    minimise ½xᵀQx + cᵀx subject to bounds and sums, in doubles
Given     the constraints (`working_set.Constraints`), and a feasible point or none: then the iteration starts at zero
Yields    a feasible point after every working set; the objective never rises

It is decomposition [MMST-11.6-decomposition] with steps in closed form inside [MMST-11.6-smo], and an end. Those steps
bring most variables of the working set, the free ones and the worst violators, to their bounds; far from the optimum
they are enough. What is left is solved exactly, by Newton steps with an updated factor (`reduced_newton`), or, with one
sum at most, by conjugate gradients where very many variables are free and their curvature is even
(`conjugate_gradient`). The gradient of all variables is then brought up to date in one batch. Rows of Q are asked for
only when a variable moves for the first time, and Q may forget them.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from operator import mul
from typing import Any, Optional

from refclass.linear.vector import Vector
from refclass.number.tolerance import roundoff
from refclass.optimise.decomposition import conjugate_gradient, low_rank_start, sparse_start, warm_start
from refclass.optimise.decomposition.one_sum import MODULE, OneSum
from refclass.optimise.decomposition.reduced_basis import Basis
from refclass.optimise.decomposition.reduced_newton import polish
from refclass.optimise.decomposition.working_set import Constraints, WorkingSet
from refclass.optimise.limits import PATIENCE
from refclass.optimise.quadratic import box, box_bounds
from refclass.optimise.quadratic import certificate as quadratic
from refclass.optimise.quadratic.box import State
from refclass.optimise.quadratic.certificate import Answer, Problem

certify = quadratic.certify

TOL_PER_COST = 1e-14  # violation at which to stop; this and the next in units of the largest entry of c
ROUGH_SHARE = 0.2  # part of the violation to which working sets are solved, and of the costs below which to the end
PAIRS_SHARE = 0.5  # the same where pairs alone are to bring them
OTHERS_SHARE = 0.2  # part of all variables' violation below which pairs alone do not go on with some of them
MIN_ENTERING, MAX_ENTERING = 150, 1000  # variables that enter the working set at a time; more take memory (0041)
WEAR_RATIO = 5  # times as large as its terms may be what a gradient was updated with before it is computed afresh
MIN_CONJUGATE, MAX_CONJUGATE = 400, 2000  # free variables: conjugate gradients are tried; their rows fit in 160 MB
MOST_DRIFT = 100  # working sets in a row whose gains are within the roundoff of the terms
RAY_PERIOD = 50  # working sets after which a ray is looked for


@dataclass
class Progress:
    """Whether an iteration still gains.

    best         the least objective so far
    withdrawn    how often it was none, once the gradient was computed afresh
    idle, drift  how many working sets in a row gained nothing, and nothing that roundoff of the terms may not be
    """

    best: float = math.inf
    withdrawn: int = 0
    idle: int = 0
    drift: int = 0

    def restate(self, value: float) -> None:
        """Take the objective as it is computed afresh."""
        self.withdrawn += value - self.best > 4 * roundoff(float) * abs(value)
        self.best = value

    def record(self, value: float, weight: float) -> None:
        """Take the objective after a working set; weight bounds the terms of the gradient."""
        # Premise: where terms cancel, roundoff moves the value up and down, and may lower it on and on by less than it
        # hides of the terms; it does not set a record larger than that.
        gain, unit = self.best - value, roundoff(float)
        self.idle = 0 if gain > 4 * unit * abs(value) else self.idle + 1
        self.drift = 0 if gain > unit * weight**2 else self.drift + 1
        self.best = min(self.best, value)

    def ended(self) -> bool:
        """Return whether roundoff is all that is left to gain."""
        return max(self.idle, self.withdrawn) >= PATIENCE or self.drift >= MOST_DRIFT


class Iteration:
    """The iteration.

    constraints    the problem
    x, g, value    the point, its gradient and its objective
    m, rise, fall, violation    −g, which can rise, which can fall, and by how much the worst motion violates optimality
    wear           Σ |xᵢ| √Qᵢᵢ when the gradient was computed afresh, and of all steps since
    basis          the free variables' directions and their factor
    enter          how many variables enter the next working set
    uneven         whether conjugate gradients, or pairs, took too many steps
    """

    def __init__(self, constraints: Constraints, tol: Optional[float] = None, start: Any = None) -> None:
        self.constraints = constraints
        self.tol = TOL_PER_COST * constraints.scale if tol is None else tol
        self.basis = Basis(constraints)
        self.progress, self.enter, self.count = Progress(), MIN_ENTERING, 0
        self.uneven = False
        self.x = constraints.start(start)
        self.refresh()

    def refresh(self) -> None:
        """Compute the gradient afresh."""
        self.g = self.constraints.gradient(self.x)
        self.value = self.constraints.objective(self.x, self.g)
        self.progress.restate(self.value)
        self.wear = self.weight()
        self.measure()

    def measure(self) -> None:
        """Compute m, which variables can rise and fall, and the violation."""
        self.m = [-v for v in self.g]
        self.rise, self.fall = (
            box.rising(self.x, self.constraints.upper),
            box.falling(self.x, self.constraints.lower),
        )
        self.violation = self.constraints.violation(self.m, self.rise, self.fall)

    def weight(self) -> float:
        """Return Σ |xᵢ| √Qᵢᵢ: times √Qⱼⱼ, a bound on the terms that gⱼ is summed from."""
        return float(sum(map(mul, map(abs, self.x), self.constraints.roots)))

    def done(self) -> bool:
        """Return whether the violation is at most tol, or no more than roundoff, or no work is left."""
        unit = roundoff(float) * max(self.constraints.roots)
        if self.violation > max(self.tol, unit * self.weight()):
            return self.progress.ended() or self.basis.exhausted()
        if self.wear > WEAR_RATIO * self.weight():
            # Premise: the gradient was brought up to date with larger numbers than it is made of; so is its roundoff.
            self.refresh()
            return bool(self.violation <= max(self.tol, unit * self.weight()))
        return True

    def advance(self) -> None:
        """Solve the problem on one working set."""
        free, entering = self.constraints.entering(self.m, self.rise, self.fall, self.enter)
        part = self.constraints.part(free + entering, self.x, self.m)
        alone = self.alone(len(free))
        rough = PAIRS_SHARE if alone else ROUGH_SHARE
        near = self.violation <= rough * self.constraints.scale
        target = max(self.tol / 2, 0.0 if near else rough * min(self.violation, self.constraints.scale))
        if alone and not near:
            target = max(target, OTHERS_SHARE * self.violation)
        ray = part.descend(target, alone and not near, len(self.basis.held()))
        self.uneven = self.uneven or (alone and not near and part.steps > len(part.names))
        if ray is None and part.violation() > target:
            count = sum(map(mul, part.rise, part.fall))
            if not self.conjugate(part, count, target):
                ray = polish(part, self.basis, target)
        if ray is not None:
            self.constraints.refuse(ray, part, self.x)
        self.update(part, set(entering))

    def alone(self, free: int) -> bool:
        """Return whether pairs alone may be enough far from the optimum: no factor is there, nor conjugate steps."""
        few = self.uneven or free < MIN_CONJUGATE
        return few and self.constraints.sums == 1 and not self.basis.held()

    def conjugate(self, part: Any, free: int, target: float) -> bool:
        """Solve the problem on a working set by conjugate gradients where that is likely to take less than a factor."""
        if not MIN_CONJUGATE <= free <= MAX_CONJUGATE or self.constraints.sums > 1 or self.uneven:
            return False
        target = max(target, roundoff(float) * max(self.constraints.roots) * self.weight() / 2)
        # Method: a factor takes f³/6 multiplications and as long again to be changed, a conjugate step f².
        self.uneven = not conjugate_gradient.descend(part, target, free // 4)
        return not self.uneven

    def update(self, part: WorkingSet, entering: set[int]) -> None:
        """Bring point and gradient up to date, and choose the size of the next working set."""
        names, roots = part.names, self.constraints.roots
        moved = [k for k, v in enumerate(names) if part.x[k] != self.x[v]]
        steps = [part.x[k] - self.x[names[k]] for k in moved]
        self.g = self.constraints.added(self.g, [names[k] for k in moved], steps)
        for k in moved:
            self.x[names[k]] = part.x[k]
        self.wear += sum(abs(s) * roots[names[k]] for s, k in zip(steps, moved))
        self.value = self.constraints.objective(self.x, self.g)
        self.measure()
        self.progress.record(self.value, self.weight())
        share = sum([names[k] in entering for k in moved]) / max(1, len(entering))
        if self.progress.idle:
            self.enter = min(4 * self.enter, len(self.x))
        elif share < 1 / 3:
            most = max(MIN_ENTERING, min(len(self.x) // 5, MAX_ENTERING))
            self.enter = min(2 * self.enter, most, len(self.x))
        elif share > 2 / 3:
            self.enter = max(MIN_ENTERING, self.enter // 2)
        self.count += 1
        if self.count % RAY_PERIOD == 0:
            self.constraints.search(self.x)


def _state(iteration: Iteration, problem: Problem, previous: float) -> State:
    return State(problem, Vector.of(iteration.x), iteration.value, previous, iteration.violation)


def steps(problem: Problem, *, tol: Optional[float] = None, start: Optional[Iterable[float]] = None) -> Iterator[State]:
    """Yield the states of the iteration, its feasible start first; options as for `solve`."""
    iteration = Iteration(OneSum(problem), tol, start)
    yield _state(iteration, problem, iteration.value)
    while not iteration.done():
        previous = iteration.value
        iteration.advance()
        yield _state(iteration, problem, previous)


def solve(
    problem: Problem,
    *,
    tol: Optional[float] = None,
    start: Optional[Iterable[float]] = None,
    max_steps: Optional[int] = None,
) -> Answer:
    """Return the minimum, up to violations of optimality of at most tol, with its multipliers.

    tol          the largest violation allowed; without it 10⁻¹⁴ of the largest entry of c
    start        a point to start from. The feasible point nearest to it is taken
    max_steps    how many working sets to solve at most

    Cost         s rows of Q, and some ns multiplications, for s variables that ever move; for the f that are free at
                 the end about f³/6 multiplications more, or f² a step where conjugate gradients do
    Raises       InvalidInput for other constraints and for other numbers than doubles; NoAnswer when infeasible or
                 unbounded (with a ray); NotConverged, with bounds on the least value, after max_steps, where roundoff
                 ends the iteration before nine digits are proven, and where the curvature along what may be a ray is
                 neither roundoff on all rows of Q nor more than that on those of the working set

    Example
        >>> from refclass.linear.matrix import Matrix
        >>> K, y = Matrix([[1.0, -1.0], [-1.0, 1.0]]), Vector([1.0, -1.0])
        >>> E, d = Matrix([[1.0, 1.0]]), Vector([0.0])
        >>> solve(Problem(K, -y, (0.0, -2.0), (2.0, 0.0), E, d)).x
        Vector(0.5, -0.5)
    """
    iteration = _iterated(problem, tol, start, max_steps)
    return box_bounds.finished(
        problem, _state(iteration, problem, iteration.value), iteration.count, MODULE, iteration.tol
    )


def ended(
    problem: Problem,
    *,
    tol: Optional[float] = None,
    start: Optional[Iterable[float]] = None,
    max_steps: Optional[int] = None,
) -> Answer:
    """Return where the iteration ends, also where roundoff ends it: for callers that judge what they are given.

    Options, cost and refusals as for `solve`.
    """
    iteration = _iterated(problem, tol, start, max_steps)
    return box.answer(problem, iteration.x, iteration.g, iteration.count)


def _guess(problem: Problem) -> Optional[list[float]]:
    """Return a guess at the solution of a large problem, None where samples give no good one."""
    guess = None
    for whole, part, places in warm_start.samples(problem) if warm_start.possible(problem) else ():
        iteration = Iteration(OneSum(part), ROUGH_SHARE * (problem.c.largest() or 1.0), guess)
        while not iteration.done():
            iteration.advance()
        if not warm_start.trusted(part, iteration.x, whole is problem):
            return None
        guess = warm_start.extend(whole, places, iteration.x, box.intercept(part, iteration.x, iteration.g))
    return guess


def _iterated(
    problem: Problem, tol: Optional[float], start: Optional[Iterable[float]], max_steps: Optional[int]
) -> Iteration:
    constraints = OneSum(problem)
    if start is None:
        start = sparse_start.found(problem, constraints.paired)
    if start is None:
        start = low_rank_start.found(problem, constraints.paired)
    if start is None and max_steps is None:
        start = _guess(problem)
    iteration = Iteration(constraints, tol, start)
    while not iteration.done():
        if iteration.count == max_steps:
            need, got = f"an optimum within {max_steps} steps", f"a violation of {iteration.violation}"
            raise constraints.unresolved(iteration.x, need, got)
        iteration.advance()
    return iteration
