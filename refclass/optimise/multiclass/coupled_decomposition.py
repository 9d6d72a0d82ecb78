"""Decomposition for centred problems: working sets of the free entries and the worst violators of each class.

Solves    minimise ½ Σ_k (α_k − ᾱ)ᵀK(α_k − ᾱ) + Σ_k c_kᵀα_k subject to 0 ≤ α_k ≤ u_k and equal sums, in doubles
Given     a feasible point, or none: then the iteration starts at zero
Yields    a feasible point after every working set; the objective never rises

It is decomposition [MMST-11.6-decomposition] with pairs and tuples inside (`tuples`), and an exact end (`level`). The
products Kα_k are brought up to date in one batch after each working set; rows of K are asked for only when an entry
moves for the first time, and K may forget them.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Optional

from refclass.errors import InvalidInput, NotConverged
from refclass.linear.vector import Vector
from refclass.number.tolerance import roundoff
from refclass.optimise.multiclass import coupled, coupled_newton
from refclass.optimise.multiclass.coupled import Answer, Columns, Problem, State
from refclass.optimise.multiclass.coupled_smo import Part
from refclass.optimise.quadratic import box

certify = coupled.certify

PRECISION = 1e-12  # violation of optimality at which to stop; this and the next in units of the largest entry of c
NEAR = 0.1  # violation below which working sets are solved to the end
CLOSER = 0.03  # part of the violation that a working set is solved to before
ENTER = 100  # entries that enter the working set at a time, all classes together
WHOLE = 4  # steps by pairs and tuples, for each entry of the working set, before the exact phase
INSIDE = 2  # the same for each free entry, near the end
PATIENCE = 5  # working sets without gain before the iteration ends


class Walk:
    """The iteration itself.

    alpha     the point, a list of n numbers for each class
    images    the products Kα_k
    g         the gradient
    value     the objective
    face      the free entries' factor
    """

    def __init__(self, problem: Problem, tol: Optional[float], start: Optional[Columns]) -> None:
        if problem.kind is not float:
            raise InvalidInput("balanced", need="doubles", got=problem.kind.__name__)
        self.problem, self.K = problem, problem.K
        self.scale = max(own.largest() for own in problem.c) or 1.0
        self.tol = PRECISION * self.scale if tol is None else tol
        self.alpha = [[0.0] * problem.n for _ in problem.c] if start is None else feasible(problem, start)
        self.root = math.sqrt(max(map(abs, self.K.diagonal())))
        self.face = coupled_newton.face(self.K, problem.classes)
        self.idle, self.count, self.fresh = 0, 0, False
        self.refresh()

    def refresh(self) -> None:
        """Compute products and gradient afresh."""
        zeros = [0.0] * self.problem.n
        self.images = []
        for own in self.alpha:
            moved = [i for i, v in enumerate(own) if v]
            self.images.append(box.combine(zeros, [own[i] for i in moved], [self.K.row(i) for i in moved]))
        self.g = self.problem.slopes(self.images)
        self.value = float(self.problem.objective(self.alpha, self.g))
        self.fresh = True

    def wishes(self) -> tuple[list[list[float]], list[list[bool]], list[list[bool]]]:
        """Return m = −g, and who can rise and who can fall."""
        m = [[-v for v in own] for own in self.g]
        rise = [[v < top for v, top in zip(own, most)] for own, most in zip(self.alpha, self.problem.upper)]
        return m, rise, [[v > 0.0 for v in own] for own in self.alpha]

    def violation(self) -> float:
        """Return how far the best motion violates optimality."""
        return float(coupled.violation(*coupled.ends(*self.wishes())))

    def done(self) -> bool:
        """Return whether the violation is at most tol, or no more than roundoff."""
        noise = roundoff(float) * self.root * self.root * sum(map(sum, self.alpha))
        if self.violation() > max(self.tol, noise):
            return self.idle >= PATIENCE
        if not self.fresh:
            self.refresh()
            return bool(self.violation() <= max(self.tol, noise))
        return True

    def advance(self) -> None:
        """Solve the problem on one working set."""
        m, rise, fall = self.wishes()
        worst = coupled.violation(*coupled.ends(m, rise, fall))
        places = self.working_set(m, rise, fall)
        part = Part(self.K, places, self.alpha, m, self.problem.upper)
        near = worst <= NEAR * self.scale
        target = self.tol / 2 if near else max(self.tol / 2, CLOSER * min(worst, self.scale))
        self.fit_steps(part, target, INSIDE * len(part.free()) + 20 if near else WHOLE * len(part.x))
        if part.violation() > target:
            coupled_newton.polish(part, self.face, target)
        self.update(part)

    def fit_steps(self, part: Part, target: float, most: int) -> None:
        """Iteration by pairs and tuples to the target, or so many steps at most."""
        for _ in range(most):
            motion = part.choose(target)
            if motion is None:
                return
            part.step(motion)

    def working_set(self, m: Columns, rise: list[list[bool]], fall: list[list[bool]]) -> list[list[int]]:
        """Return for each class the points of its free entries, and of those that most want to rise and to fall."""
        each = max(2, ENTER // (2 * self.problem.classes))
        chosen = []
        for own, ups, downs in zip(m, rise, fall):
            free = {i for i, (up, down) in enumerate(zip(ups, downs)) if up and down}
            up = sorted([i for i, can in enumerate(ups) if can], key=own.__getitem__, reverse=True)[:each]
            down = sorted([i for i, can in enumerate(downs) if can], key=own.__getitem__)[:each]
            chosen.append(sorted(free.union(up, down)))
        return chosen

    def update(self, part: Part) -> None:
        """Bring point, products and gradient up to date."""
        for k, (first, end) in enumerate(part.spans()):
            moved = [w for w in range(first, end) if part.x[w] != self.alpha[k][part.points[w]]]
            points = [part.points[w] for w in moved]
            weights = [part.x[w] - self.alpha[k][i] for w, i in zip(moved, points)]
            self.images[k] = box.combine(self.images[k], weights, [self.K.row(i) for i in points])
            for w, i in zip(moved, points):
                self.alpha[k][i] = part.x[w]
        self.g, self.fresh = self.problem.slopes(self.images), False
        before, self.value = self.value, float(self.problem.objective(self.alpha, self.g))
        self.idle = 0 if before - self.value > 4 * roundoff(float) * abs(self.value) else self.idle + 1
        self.count += 1

    def state(self, previous: float) -> State:
        """Return where the iteration stands."""
        return State(self.problem, tuple(map(Vector.of, self.alpha)), self.value, previous, self.violation())


def feasible(problem: Problem, start: Columns) -> list[list[float]]:
    """Return a feasible point near `start`: cut to its bounds, and each class scaled down to the least sum."""
    cut = [[min(max(float(v), 0.0), top) for v, top in zip(own, most)] for own, most in zip(start, problem.upper)]
    totals = list(map(math.fsum, cut))
    # Premise: sums that differ by roundoff are equal; scaling would move entries off their bounds for nothing.
    least, noise = min(totals), problem.n * roundoff(float) * max(totals)
    return [[v * (least / t) for v in own] if t > least + noise else own for own, t in zip(cut, totals)]


def steps(problem: Problem, *, tol: Optional[float] = None, start: Optional[Columns] = None) -> Iterator[State]:
    """Yield the states of the iteration, its feasible start first; options as for `solve`."""
    walk = Walk(problem, tol, start)
    yield walk.state(walk.value)
    while not walk.done():
        previous = walk.value
        walk.advance()
        yield walk.state(previous)


def solve(
    problem: Problem,
    *,
    tol: Optional[float] = None,
    start: Optional[Columns] = None,
    max_steps: Optional[int] = None,
) -> Answer:
    """Return the minimum, up to violations of optimality of at most tol, with its levels.

    tol          the largest violation allowed; without it 10⁻¹² of the largest entry of c
    start        a point to start from; a feasible point near it is taken
    max_steps    how many working sets to solve at most

    Cost         s rows of K, and some ns multiplications, for s entries that ever move; for the f that are free at the
                 end about f³/6 multiplications more
    Raises       InvalidInput for other numbers than doubles; NotConverged after max_steps

    Example
        >>> from refclass.linear.matrix import Matrix
        >>> K, c, u = Matrix([[1.0, -1.0], [-1.0, 1.0]]), Vector([-1.0, -1.0]), (Vector([0.0, 2.0]), Vector([2.0, 0.0]))
        >>> solve(Problem(K, (c, c), u)).alpha
        (Vector(0.0, 1.0), Vector(1.0, 0.0))
    """
    walk = Walk(problem, tol, start)
    while not walk.done():
        if walk.count == max_steps:
            need, got = f"an optimum within {max_steps} steps", f"a violation of {walk.violation()}"
            raise NotConverged("balanced", need=need, got=got, alpha=tuple(map(Vector.of, walk.alpha)))
        walk.advance()
    return Answer(tuple(map(Vector.of, walk.alpha)), coupled.choose(problem, walk.alpha, walk.g), walk.count)
