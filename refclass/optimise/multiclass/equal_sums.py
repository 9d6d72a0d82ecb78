"""Decomposition for the dual of Lee, Lin and Wahba's machine: bounds, and sums that are equal for all classes.

Solves    minimise ½ Σ_k (α_k − ᾱ)ᵀK(α_k − ᾱ) + Σ_k c_kᵀα_k subject to 0 ≤ α_k ≤ u_k and equal sums, in doubles
Given     a feasible point, or none: then the iteration starts at zero
Yields    a feasible point after every working set; the objective never rises

The engine is `decomposition.solver`; here is what it needs of these constraints. Within a working set entries move by
pairs and tuples in closed form  [MMST-11.6-smo]: a pair is an entry that rises and one of the same class that falls, a
tuple an entry of each class that rises, or one of each that falls. Each keeps the sums equal, and some such motion
lowers the objective at every point that is not a minimum (see `coupled`).
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import chain
from typing import Any, Optional

from refclass.errors import InvalidInput, NoAnswer, NotConverged
from refclass.linear.vector import Vector, dot
from refclass.number.binary64 import NORMAL
from refclass.number.tolerance import roundoff
from refclass.optimise.decomposition.reduced_basis import COMMON
from refclass.optimise.decomposition.solver import Iteration
from refclass.optimise.multiclass import coupled, intercept_levels
from refclass.optimise.multiclass.coupled import Answer, Problem, State
from refclass.optimise.multiclass.coupled_working_set import Tuples
from refclass.optimise.multiclass.intercept_levels import Columns
from refclass.optimise.quadratic.box_rows import combine

certify = coupled.certify


class EqualSums:
    """The constraints; entry i of class k is variable kn + i (see `working_set.Constraints`)."""

    def __init__(self, problem: Problem) -> None:
        if problem.kind is not float:
            raise InvalidInput("equal_sums", need="doubles", got=problem.kind.__name__)
        self.problem, self.K, self.n = problem, problem.K, problem.n
        self.sums = self.common = problem.classes
        self.upper: list[float] = list(chain.from_iterable(problem.upper))
        self.lower = [0.0] * len(self.upper)
        self.scale = max([own.largest() for own in problem.c]) or 1.0
        share = 1 - 1 / problem.classes
        self.roots = [math.sqrt(share * abs(v)) for v in problem.K.diagonal()] * problem.classes

    def columns(self, x: Sequence[Any]) -> list[Sequence[Any]]:
        """Return the entries class by class."""
        return [x[k : k + self.n] for k in range(0, len(x), self.n)]

    def group(self, v: int) -> int:
        """Return the class of a variable."""
        return v // self.n

    def start(self, x: Any) -> list[float]:
        """Return a feasible point near x, or zero."""
        return [0.0] * len(self.upper) if x is None else list(chain.from_iterable(feasible(self.problem, x)))

    def gradient(self, x: Sequence[float]) -> list[float]:
        """Return K(α_k − ᾱ) + c_k, class by class."""
        moved = [v for v, t in enumerate(x) if t]
        return self.added(list(chain.from_iterable(self.problem.c)), moved, [x[v] for v in moved])

    def added(self, g: Sequence[float], moved: Sequence[int], steps: Sequence[float]) -> list[float]:
        """Return the gradient where these variables have risen by these steps."""
        images = []
        for k in range(self.common):
            own = [(self.K.row(v % self.n), s) for v, s in zip(moved, steps) if v // self.n == k]
            images.append(combine([0.0] * self.n, [s for _, s in own], [row for row, _ in own]))
        mean = [v / self.common for v in map(sum, zip(*images))]
        return [a + b - c for a, b, c in zip(g, chain.from_iterable(images), mean * self.common)]

    def objective(self, x: Sequence[float], g: Sequence[float]) -> float:
        """Return the objective at a point with its gradient."""
        c = tuple(chain.from_iterable(self.problem.c))
        return float(dot(tuple(x), tuple(g)) + dot(tuple(x), c)) / 2

    def violation(self, m: Sequence[float], rise: Sequence[bool], fall: Sequence[bool]) -> float:
        """Return how far the best motion violates optimality."""
        ends = intercept_levels.ends(self.columns(m), self.columns(rise), self.columns(fall))
        return float(intercept_levels.violation(*ends))

    def entering(
        self, m: Sequence[float], rise: Sequence[bool], fall: Sequence[bool], enter: int
    ) -> tuple[list[int], list[int]]:
        """Return the free variables, and of each class those at a bound with the largest violations, at either end."""
        state, key = list(zip(rise, fall)), m.__getitem__
        free = [v for v, (up, down) in enumerate(state) if up and down]
        half = max(2, max(enter, len(free) // 2) // (2 * self.common) + 1)
        found = []
        for first in range(0, len(state), self.n):
            own = range(first, first + self.n)
            found += sorted([v for v in own if state[v] == (True, False)], key=key, reverse=True)[:half]
            found += sorted([v for v in own if state[v] == (False, True)], key=key)[:half]
        return free, found

    def part(self, names: Sequence[int], x: Sequence[float], m: Sequence[float]) -> Tuples:
        """Return the working set of these variables."""
        return Tuples(self, names, x, m)

    def curvature(self, v: int, members: Sequence[int], reference: dict[int, int]) -> tuple[Sequence[float], float]:
        """Return the curvature between the direction of a variable and those of others, and along it.

            (K_ij − K_ib − K_aj + K_ab)([k = l] − 1/m)        v = (i, k), its reference (a, k); j, l; b likewise

        Where all references rise together: Σ_k (K_aj − K_ab)([k = l] − 1/m), and Σ_kl K_ab ([k = l] − 1/m).
        """
        n, share = self.n, 1 / self.common
        base = {k: b % n for k, b in reference.items()}
        if v == COMMON:
            rows = {k: self.K.row(b) for k, b in base.items()}
            mean = [sum([row[b] for row in rows.values()]) * share for b in base.values()]
            middle = dict(zip(base, mean))
            means = [sum(column) * share for column in zip(*rows.values())]
            entries = [
                (rows[w // n][w % n] - means[w % n]) - (rows[w // n][base[w // n]] - middle[w // n]) for w in members
            ]
            return entries, sum([rows[k][b] - middle[k] for k, b in base.items()])
        i, k = v % n, v // n
        differences = [a - b for a, b in zip(self.K.row(i), self.K.row(base[k]))]
        shift = {own: differences[b] for own, b in base.items()}
        entries = [(differences[w % n] - shift[w // n]) * ((w // n == k) - share) for w in members]
        return entries, (differences[i] - shift[k]) * (1 - share)

    def levels(self, part: Any, means: dict[Any, float]) -> dict[Any, float]:
        """Return the levels: the means of the free variables' m; of other classes such that all sum to zero."""
        lows, highs = part.ends()
        for k, mean in means.items():
            lows[k] = highs[k] = mean
        nu = {**dict(enumerate(intercept_levels.levels(lows, highs, 0.0))), **means}
        others = [k for k in nu if k not in means]
        excess = sum(nu.values()) / max(1, len(others))
        return {k: v if k in means else v - excess for k, v in nu.items()}

    def falls(self, p: dict[int, float]) -> bool:
        """Return whether the objective falls along a direction without curvature or bound: what joined violates."""
        return True

    def refuse(self, ray: dict[int, float], part: Any, x: Sequence[float]) -> None:
        """Raise NoAnswer: along a ray the bounds are left."""
        raise NoAnswer("equal_sums", need="finite upper bounds", got="an unbounded problem", ray=ray)

    def search(self, x: Sequence[float]) -> None:
        """Do nothing: the bounds are finite, and there is no ray."""


def feasible(problem: Problem, start: Columns) -> list[list[float]]:
    """Return a feasible point near `start`: clipped to its bounds, and each class scaled down to the least sum."""
    near = [[min(max(float(v), 0.0), top) for v, top in zip(own, most)] for own, most in zip(start, problem.upper)]
    totals = list(map(math.fsum, near))
    # Premise: sums that differ by roundoff are equal; scaling would move entries off their bounds for nothing.
    least, noise = min(totals), problem.n * roundoff(float) * max(totals)
    if least * roundoff(float) < NORMAL:  # scaled to such a sum, entries would lose their digits
        return [[0.0] * len(own) for own in near]
    return [[v * (least / t) for v in own] if t > least + noise else own for own, t in zip(near, totals)]


def _columns(constraints: EqualSums, x: Sequence[float]) -> tuple[Vector, ...]:
    return tuple(map(Vector.of, constraints.columns(x)))


def steps(problem: Problem, *, tol: Optional[float] = None, start: Optional[Columns] = None) -> Iterator[State]:
    """Yield the states of the iteration, its feasible start first; options as for `solve`."""
    constraints = EqualSums(problem)
    iteration = Iteration(constraints, tol, start)
    yield State(problem, _columns(constraints, iteration.x), iteration.value, iteration.value, iteration.violation)
    while not iteration.done():
        before = iteration.value
        iteration.advance()
        yield State(problem, _columns(constraints, iteration.x), iteration.value, before, iteration.violation)


def solve(
    problem: Problem,
    *,
    tol: Optional[float] = None,
    start: Optional[Columns] = None,
    max_steps: Optional[int] = None,
) -> Answer:
    """Return the minimum, up to violations of optimality of at most tol, with its levels.

    tol          the largest violation allowed; without it 10⁻¹⁴ of the largest entry of c, no less than roundoff
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
    constraints = EqualSums(problem)
    iteration = Iteration(constraints, tol, start)
    while not iteration.done():
        if iteration.count == max_steps:
            need, got = f"an optimum within {max_steps} steps", f"a violation of {iteration.violation}"
            raise NotConverged("equal_sums", need=need, got=got, alpha=_columns(constraints, iteration.x))
        iteration.advance()
    alpha = _columns(constraints, iteration.x)
    return Answer(alpha, coupled.choose(problem, alpha, constraints.columns(iteration.g)), iteration.count)
