"""The engine for machines with any kernel: working sets of the free variables and the worst violators.

Solves    minimise ½xᵀQx + cᵀx subject to lower ≤ x ≤ upper and, with an intercept, Σ xᵢ = d, in doubles
Given     a feasible point, or none: then the iteration starts at zero, or at a guess (see `sketch`)
Yields    a feasible point after every working set; the objective never rises

It is decomposition [MMST-11.6-decomposition] with pairs [MMST-11.6-smo] inside, and an end. An iteration of pairs
brings most variables of the working set to their bounds. What is left is solved exactly, by Newton steps with an
updated factor (`polish`), or by conjugate gradients where very many variables are free and their curvature is even
(`conjugate`). The gradient of all n variables is then brought up to date in one batch. Rows of Q are asked for only
when a variable moves for the first time, and Q may forget them.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from operator import mul
from typing import Any, Optional

from refclass.errors import InvalidInput, NotConverged
from refclass.linear.vector import Vector
from refclass.number.tolerance import roundoff
from refclass.optimise.active_set import recession
from refclass.optimise.decomposition import conjugate_gradient, smo, warm_start
from refclass.optimise.decomposition.reduced_cholesky import Face
from refclass.optimise.decomposition.reduced_newton import polish
from refclass.optimise.quadratic import box
from refclass.optimise.quadratic import certificate as quadratic
from refclass.optimise.quadratic.box import State
from refclass.optimise.quadratic.certificate import Answer, Problem

certify = quadratic.certify

PRECISION = 1e-14  # violation at which to stop; this and the next three in units of the largest entry of c
WIDE = 1e-12  # the same where conjugate gradients must reach it
NEAR = 0.3  # violation below which working sets are solved to the end
ROUGH = 0.1  # violation at which the problem on a sample is left
CLOSER = 0.1  # part of the violation that a working set is solved to before
ENTER, MOST = 150, 1000  # variables that enter the working set at a time: at first, and at most
INSIDE, FEW = 1, 20  # steps by pairs that meet no bound, for each free variable and in any case, before the exact phase
SOON = 0.25  # part of the violation at which these steps are counted anew
WHOLE = 8  # steps by pairs, for each variable of the working set, before it does in any case
MANY = 200  # free variables beyond which conjugate gradients are tried first
LONG = 10  # working sets after which twice as many may enter
FALSE = 10  # records of the objective that were roundoff, after which the iteration ends
PATIENCE = 5  # working sets without gain before the iteration ends
LOOK = 50  # working sets after which a ray is looked for


class Block(box.Restricted):
    """Rows of Q restricted to the working set, kept while it lasts."""

    def __init__(self, Q: Any, places: Sequence[int]) -> None:
        super().__init__(Q, places)
        self.kept: dict[int, Vector] = {}

    def row(self, k: int) -> Vector:
        """Return row k of the restriction."""
        row = self.kept.get(k)
        if row is None:
            row = self.kept[k] = super().row(k)
        return row


class Walk:
    """The iteration itself.

    x, g      the point and its gradient Qx + c
    value     the objective; best: the least so far
    withdrawn   how often the least so far was none, once the gradient was computed afresh
    m, rise, fall, violation    −g, who can rise, who can fall, and by how much the worst pair violates optimality
    undecided   the variables of the first working set, where the start is a guess
    face      the free variables' factor
    enter     how many variables enter the next working set
    """

    def __init__(
        self,
        problem: Problem,
        tol: Optional[float],
        start: Optional[Iterable[float]],
        undecided: Optional[list[int]] = None,
    ) -> None:
        if problem.kind is not float:
            raise InvalidInput("working_set", need="doubles", got=problem.kind.__name__)
        self.paired = box.summed(problem, "working_set")
        self.problem, self.Q = problem, problem.Q
        self.scale = problem.c.largest() or 1.0
        self.tol, self.wide = (PRECISION * self.scale, WIDE * self.scale) if tol is None else (tol, tol)
        self.roots = [math.sqrt(abs(v)) for v in self.Q.diagonal()]
        self.face = Face(self.Q.row, 2.0 * max(self.roots) ** 2 or 1.0 if self.paired else 0.0)
        self.enter, self.stiff, self.idle, self.count = ENTER, False, 0, 0
        self.best, self.withdrawn = math.inf, 0
        self.undecided = undecided or []
        if start is None and undecided is None and warm_start.possible(problem):
            start, self.undecided = self.sketched()
        self.x = box.start(problem, start)
        self.refresh()

    def sketched(self) -> tuple[Optional[list[float]], list[int]]:
        """Return a guess at the solution and the variables it leaves undecided; None if a sample gives no good one."""
        guess: Optional[list[float]] = None
        undecided: list[int] = []
        for whole, part, places in warm_start.samples(self.problem):
            walk = Walk(part, ROUGH * self.scale, guess, undecided)
            while not walk.done():
                walk.advance()
            if warm_start.share_between(part, walk.x) > (
                warm_start.TIGHT if whole is self.problem else warm_start.LOOSE
            ):
                return None, []
            nu = box.intercept(part, walk.x, walk.g) if self.paired else 0.0
            guess, undecided = warm_start.extend(whole, places, walk.x, nu)
        return guess, undecided

    def refresh(self) -> None:
        """Compute the gradient afresh."""
        moved = [i for i, v in enumerate(self.x) if v]
        self.g = box.combine(self.problem.c, [self.x[i] for i in moved], map(self.Q.row, moved))
        self.value = box.objective(self.problem, self.x, self.g)
        self.withdrawn += self.value - self.best > 4 * roundoff(float) * abs(self.value)
        self.best = self.value
        self.wear = self.weight()
        self.look()

    def look(self) -> None:
        """See what each variable wants and can, m = −g, rise and fall, and how far the worst pair violates that."""
        self.m = [-v for v in self.g]
        self.rise, self.fall = box.rising(self.x, self.problem.upper), box.falling(self.x, self.problem.lower)
        self.violation = float(box.violation(self.m, self.rise, self.fall, self.paired))

    def weight(self) -> float:
        """Return Σ |xᵢ| √Qᵢᵢ: times √Qⱼⱼ, a bound on the terms that gⱼ is summed from."""
        return float(sum(map(mul, map(abs, self.x), self.roots)))

    def done(self) -> bool:
        """Return whether the violation is at most tol, or no more than roundoff."""
        unit = roundoff(float) * max(self.roots)
        if self.violation > max(self.tol, unit * self.weight()):
            return self.idle >= PATIENCE or self.withdrawn >= FALSE
        if self.wear > PATIENCE * self.weight():
            # Premise: the gradient was brought up to date with larger numbers than it is made of; so is its roundoff.
            self.refresh()
            return bool(self.violation <= max(self.tol, unit * self.weight()))
        return True

    # -- one working set

    def advance(self) -> None:
        """Solve the problem on one working set."""
        free, entering = ([], self.undecided) if self.undecided else self.working_set()
        self.undecided = []
        places = free + entering
        block, p = Block(self.Q, places), self.problem
        pick = block.gather
        pairs = smo.Pairs(block, pick(self.x), pick(self.m), pick(p.lower), pick(p.upper), paired=self.paired)
        near = self.violation <= NEAR * self.scale
        if len(free) > MANY and not self.stiff:
            self.tol = max(self.tol, self.wide)
        target = self.tol / 2 if near else max(self.tol / 2, CLOSER * min(self.violation, self.scale))
        ray = self.walk_pairs(pairs, target, 0 if near else INSIDE)
        if ray is None and pairs.violation() > target:
            ray = self.exactly(pairs, places, len(free), target)
        if ray is not None:
            r = Vector.of(ray)
            if not recession.flat(r, quadratic.product(block, r), recession.largest(block)):
                raise self.unresolved("curvature that doubles can tell from none", "roundoff")
            raise recession.refusal("working_set", box.spread(p, places, ray))
        self.update(pairs, places, len(free))

    def unresolved(self, need: str, got: str) -> NotConverged:
        """Return the refusal of an iteration that ends early, with bounds on the least value."""
        value, least = box.bounds(self.problem, self.x)
        return NotConverged("working_set", need=need, got=got, x=Vector.of(self.x), primal=value, dual=least)

    def working_set(self) -> tuple[list[int], list[int]]:
        """Return the free variables, and those at a bound that most want to leave it, half of them from either end."""
        wish = self.m.__getitem__
        state = list(zip(self.rise, self.fall))
        free = [i for i, (up, down) in enumerate(state) if up and down]
        up = sorted([i for i, s in enumerate(state) if s == (True, False)], key=wish, reverse=True)
        down = sorted([i for i, s in enumerate(state) if s == (False, True)], key=wish)
        half = max(self.enter, len(free) // 2) // 2 + 1
        return free, up[:half] + down[:half]

    def walk_pairs(self, pairs: smo.Pairs, target: float, patience: int) -> Optional[Sequence[float]]:
        """Iteration by pairs to the target, or until too many steps meet no bound; return a ray if there is one.

        Whenever the violation has fallen by much the steps are counted anew: pairs do well then.
        """
        between = sum(map(mul, pairs.rise, pairs.fall))
        inside, least = 0, math.inf
        for _ in range(WHOLE * len(pairs.x)):
            chosen = pairs.steepest(target)
            if chosen is None or inside > patience * between + FEW:
                return None
            if pairs.gap(*chosen) < SOON * least:
                inside, least = 0, pairs.gap(*chosen)
            before = sum(pairs.rise[k] and pairs.fall[k] for k in chosen)
            ray = pairs.step(*chosen)
            if ray is not None:
                return ray
            after = sum(pairs.rise[k] and pairs.fall[k] for k in chosen)
            between += after - before
            inside += before == after == 2
        return None

    def exactly(self, pairs: smo.Pairs, places: list[int], free: int, target: float) -> Optional[Sequence[float]]:
        """Solve the problem on the working set down to the target; return a ray if there is one."""
        if free > MANY and not self.stiff:
            self.stiff = not conjugate_gradient.descend(pairs, target, free // 4)
            if not self.stiff:
                return None
        ray = polish(pairs, places, self.face, target)
        return None if ray is None else [ray.get(i, 0.0) for i in places]

    def update(self, pairs: smo.Pairs, places: list[int], free: int) -> None:
        """Bring point and gradient up to date, and choose the size of the next working set."""
        moved = [k for k, i in enumerate(places) if pairs.x[k] != self.x[i]]
        weights = [pairs.x[k] - self.x[places[k]] for k in moved]
        self.g = box.combine(self.g, weights, (self.Q.row(places[k]) for k in moved))
        for k in moved:
            self.x[places[k]] = pairs.x[k]
        self.wear += sum(abs(w) * self.roots[places[k]] for w, k in zip(weights, moved))
        self.value = box.objective(self.problem, self.x, self.g)
        self.look()
        # Premise: where terms cancel, roundoff moves the value up and down, but it sets no record many times.
        self.idle = 0 if self.best - self.value > 4 * roundoff(float) * abs(self.value) else self.idle + 1
        self.best = min(self.best, self.value)
        share = sum(k >= free for k in moved) / max(1, len(places) - free)
        if self.idle:
            self.enter = min(4 * self.enter, len(self.x))
        elif share < 1 / 3:
            self.enter = min(2 * self.enter, max(ENTER, min(len(self.x) // 5, MOST) << self.count // LONG))
        elif share > 2 / 3:
            self.enter = max(ENTER, self.enter // 2)
        self.count += 1
        if self.count % LOOK == 0:
            recession.refuse(self.problem, self.x, "working_set")


def steps(problem: Problem, *, tol: Optional[float] = None, start: Optional[Iterable[float]] = None) -> Iterator[State]:
    """Yield the states of the iteration, its feasible start first; options as for `solve`."""
    walk = Walk(problem, tol, start)
    previous = walk.value
    yield State(problem, Vector.of(walk.x), walk.value, previous, walk.violation)
    while not walk.done():
        previous = walk.value
        walk.advance()
        yield State(problem, Vector.of(walk.x), walk.value, previous, walk.violation)


def solve(
    problem: Problem,
    *,
    tol: Optional[float] = None,
    start: Optional[Iterable[float]] = None,
    max_steps: Optional[int] = None,
) -> Answer:
    """Return the minimum, up to violations of optimality of at most tol, with its multipliers.

    tol          the largest violation allowed; without it 10⁻¹⁴ of the largest entry of c, 10⁻¹² where more than 200
                 variables are free, and in any case no less than roundoff
    start        a point to start from. The feasible point nearest to it is taken
    max_steps    how many working sets to solve at most

    Cost         s rows of Q, and some ns multiplications, for s variables that ever move; for the f that are free at
                 the end about f³/6 multiplications more
    Raises       InvalidInput for other constraints and for other numbers than doubles; NoAnswer when infeasible or
                 unbounded (with a ray); NotConverged after max_steps, and where the curvature along what may be
                 a ray is neither roundoff on all rows of Q nor more than that on those of the working set

    Example
        >>> from refclass.linear.matrix import Matrix
        >>> K, y = Matrix([[1.0, -1.0], [-1.0, 1.0]]), Vector([1.0, -1.0])
        >>> E, d = Matrix([[1.0, 1.0]]), Vector([0.0])
        >>> solve(Problem(K, -y, (0.0, -2.0), (2.0, 0.0), E, d)).x
        Vector(0.5, -0.5)
    """
    walk = Walk(problem, tol, start)
    while not walk.done():
        if walk.count == max_steps:
            need, got = f"an optimum within {max_steps} steps", f"a violation of {walk.violation}"
            raise walk.unresolved(need, got)
        walk.advance()
    return box.answer(problem, walk.x, walk.g, walk.count)
