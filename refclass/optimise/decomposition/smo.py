"""Sequential minimal optimisation (Platt 1998; Fan, Chen and Lin 2005)  [MMST-11.6-smo] [MMST-11.41].

Two variables move at a time, in closed form (Platt). The pair is chosen by second-order information (Fan et al.). The
iteration ends when the maximal violating pair violates optimality by no more than a tolerance (Keerthi et al. 2001).

Solves    minimise ½xᵀQx + cᵀx subject to lower ≤ x ≤ upper and, with an intercept, Σ xᵢ = d
Given     a feasible point, or none
Yields    a feasible point after every step; the objective never rises

With m = −(Qx + c), raising xᵢ and lowering xⱼ by t keeps the sum and changes the objective by

    −(mᵢ − mⱼ)t + ½ηt²        η = Qᵢᵢ + Qⱼⱼ − 2Qᵢⱼ

The least value is at t = (mᵢ − mⱼ)/η, or where a bound is met; at a bound, too, if η ≤ 0. i is the variable of largest
mᵢ among those that can rise; j, among those with mⱼ < mᵢ that can fall, that of largest gain (mᵢ − mⱼ)²/2η  [GAP-10].
Without the sum one variable moves at a time, the one with the largest gain mᵢ²/2Qᵢᵢ.

Variables at a bound whose violation is far below that of the maximal pair are set aside while the others are solved
(shrinking, Joachims 1999); at the end the gradient is computed for all, and the iteration goes on if one of them
violates optimality after all.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Optional

from refclass.linear.vector import Vector
from refclass.number.field import Number
from refclass.number.tolerance import roundoff
from refclass.optimise.active_set import recession
from refclass.optimise.decomposition.working_pair import Pairs
from refclass.optimise.quadratic import box, box_bounds, box_rows
from refclass.optimise.quadratic import certificate as quadratic
from refclass.optimise.quadratic.box import State
from refclass.optimise.quadratic.certificate import Answer, Problem

certify = quadratic.certify

PER_VARIABLE = 30  # steps for each variable in which the objective must fall, and after which a ray is looked for
LIMIT = 100_000, 1000  # the most steps unless `max_steps` says: so many, and so many times the number of variables
PERIOD = 1000  # steps between two looks at which variables to set aside, fewer if there are fewer variables


def tolerance(problem: Problem) -> Number:
    """Return the violation at which the solvers stop without a `tol`: 10⁻¹¹ of the largest entry of c.

    The relative gap is then about as small: a machine's answer is proven to nine digits and more.
    """
    return (problem.c.largest() or problem.kind(1)) / 10**11


def steps(
    problem: Problem, *, tol: Optional[Number] = None, start: Optional[Iterable[Number]] = None
) -> Iterator[State]:
    """Yield the states of the iteration, its feasible start first; options as for `solve`."""
    iteration = Iteration(problem, tolerance(problem) if tol is None else tol, start)
    yield iteration.state(iteration.value)
    for previous in iteration:
        yield iteration.state(previous)


class Iteration:
    """The iteration: an iterator over its steps, each the objective before it."""

    def __init__(self, problem: Problem, tol: Number, start: Optional[Iterable[Number]]) -> None:
        self.paired = box.summed(problem, "smo")
        self.problem, self.tol = problem, tol
        self.x = box.start(problem, start)
        self.count, self.search = 0, PER_VARIABLE * problem.n
        self.mark: Optional[tuple[int, Number]] = None
        self.left: Optional[Number] = None
        self.value = self.unshrink()

    def unshrink(self) -> Number:
        """Take all variables in, with their gradient computed afresh; return the objective."""
        g = quadratic.gradient(self.problem, Vector.of(self.x))
        self.places = list(range(self.problem.n))
        m = [-v for v in g]
        p = self.problem
        self.pairs = Pairs(p.Q, self.x, m, p.lower, p.upper, paired=self.paired)
        return box.objective(p, self.x, g)

    def state(self, previous: Number) -> State:
        """Return where the iteration stands."""
        return State(self.problem, Vector.of(self.x), self.value, previous, self.pairs.violation())

    def __iter__(self) -> Iterator[Number]:
        while True:
            chosen = self.pairs.choose(self.tol)
            if chosen is None and len(self.places) == self.problem.n:
                return
            if chosen is None:
                self.unshrink()
                continue
            previous = self.value
            if not self.step(*chosen):
                return
            yield previous
            self.count += 1
            if self.stalls():
                return
            if self.count == self.search:
                recession.refuse(self.problem, self.x, "smo")
                self.search *= 2
            if self.count % min(PERIOD, self.problem.n) == 0:
                self.shrink()

    def stalls(self) -> bool:
        """Return whether the objective stood still and the violation was not halved for PER_VARIABLE·n steps.

        The objective stands still up to roundoff.

        Premise: the objective changes by the square of the violation: it stands still when half the digits are found.
        """
        unit = roundoff(type(self.value)) * abs(self.value)
        if not unit:
            return False
        if self.mark is None or self.value < self.mark[1] - unit:
            self.mark = self.count, self.value
        if self.count - self.mark[0] <= PER_VARIABLE * max(self.problem.n, PER_VARIABLE):
            return False
        before, self.left = self.left, self.pairs.violation()
        self.mark = self.count, self.value
        return before is not None and 2 * self.left > before

    def step(self, i: int, j: int) -> bool:
        """Make a step; say whether anything moved: one that roundoff swallows shows that the violation is roundoff."""
        pairs, before = self.pairs, self.pairs.value
        ray = pairs.step(i, j)
        if ray is not None:
            raise recession.refusal("smo", box.spread(self.problem.c, self.places, ray))
        self.value = self.value + (pairs.value - before)
        moved = False
        for k in (i, j):
            moved = moved or self.x[self.places[k]] != pairs.x[k]
            self.x[self.places[k]] = pairs.x[k]
        return moved

    def shrink(self) -> None:
        """Set the variables aside that will not move soon, if they are enough to be worth it."""
        movable = self.pairs.movable()
        if 10 * len(movable) > 9 * len(self.places) or len(movable) < 2:
            return
        self.places = [self.places[k] for k in movable]
        pick, here, p = box_rows.gatherer(movable), box_rows.gatherer(self.places), self.problem
        Q = box_rows.Restricted(p.Q, self.places)
        m, x = pick(self.pairs.m), pick(self.pairs.x)
        self.pairs = Pairs(Q, x, m, here(p.lower), here(p.upper), paired=self.paired)


def solve(
    problem: Problem,
    *,
    tol: Optional[Number] = None,
    start: Optional[Iterable[Number]] = None,
    max_steps: Optional[int] = None,
) -> Answer:
    """Return the minimum, up to violations of optimality of at most tol, with its multipliers.

    tol          see `tolerance`
    start        a point to start from; without it zero. The feasible point nearest to it is taken
    max_steps    how many steps to take at most; without it 100,000 and a thousand times n

    Exact        every step is; the iteration approaches the minimum without end, and stops at tol
    Cost         a step with n variables: 2n multiplications and n divisions, and two rows of Q
    Raises       InvalidInput for other constraints; NoAnswer when infeasible or unbounded (with a ray); NotConverged
                 after max_steps, and where roundoff leaves more than tol, with bounds on the least value

    Example
        >>> from refclass.linear.matrix import Matrix
        >>> K, y = Matrix([[1.0, -1.0], [-1.0, 1.0]]), Vector([1.0, -1.0])
        >>> E, d = Matrix([[1.0, 1.0]]), Vector([0.0])
        >>> solve(Problem(K, -y, (0.0, -2.0), (2.0, 0.0), E, d)).x
        Vector(0.5, -0.5)
    """
    most = LIMIT[0] + LIMIT[1] * problem.n if max_steps is None else max_steps
    state, count = box_bounds.last(steps(problem, tol=tol, start=start), "smo", most)
    return box_bounds.finished(problem, state, count, "smo", tol)
