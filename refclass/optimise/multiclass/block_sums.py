"""Decomposition for the dual of Crammer and Singer's machine: upper bounds, and blocks that sum to zero.

Solves    minimise ½ Σ_k x_kᵀQx_k + Σ_ik c_ik x_ik subject to Σ_k x_ik = 0, x_ik ≤ upper_ik, in doubles
Given     a `zero_sum.Problem`, and a feasible point or none: then the iteration starts at zero, which must be feasible
Yields    a feasible point after every working set; the objective never rises

The engine is `decomposition.solver`; here is what it needs of these constraints. Within a working set one block after
another is minimised over by sorting (`zero_sum.minimum`; Crammer and Singer 2001, section 5). That finds out which
variables are at their bounds, but draws near the minimum ever more slowly; the Newton steps of the engine do the rest.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import chain
from typing import Any, Optional

from refclass.errors import InvalidInput, NoAnswer, NotConverged
from refclass.linear.vector import dot
from refclass.optimise.decomposition.solver import Iteration
from refclass.optimise.limits import FLAT_RTOL, MOST_STEPS
from refclass.optimise.multiclass import zero_sum
from refclass.optimise.multiclass.block_working_set import Blocks
from refclass.optimise.multiclass.zero_sum import Problem, State
from refclass.optimise.quadratic.box_rows import combine
from refclass.optimise.quadratic.certificate import Answer

certify = zero_sum.certify

MAX_BLOCKS = 500  # blocks that violate optimality and enter a working set


class BlockSums:
    """The constraints; entry k of point i is variable kn + i (see `working_set.Constraints`)."""

    common = 0

    def __init__(self, problem: Problem) -> None:
        if problem.kind is not float:
            raise InvalidInput("block_sums", need="doubles", got=problem.kind.__name__)
        self.problem, self.n, self.size = problem, problem.n, problem.size
        self.sums = problem.size  # of the n sums as many as there are classes compete for a point's entries
        self.c = list(chain.from_iterable(problem.c))
        self.upper = list(chain.from_iterable(problem.upper))
        self.lower = [None] * len(self.upper)
        self.scale = max([part.largest() for part in problem.c]) or 1.0
        self.diagonal = list(problem.Q.diagonal())
        self.roots = [math.sqrt(abs(v)) for v in self.diagonal] * self.size

    def columns(self, x: Sequence[Any]) -> list[Any]:
        """Return the entries class by class."""
        return [x[k : k + self.n] for k in range(0, len(x), self.n)]

    def group(self, v: int) -> int:
        """Return the point of a variable."""
        return v % self.n

    def start(self, x: Any) -> list[float]:
        """Return a feasible point as it is, or zero.  Raises InvalidInput."""
        point = [0.0] * len(self.upper) if x is None else list(chain.from_iterable(x))
        if any(u is not None and v > u for v, u in zip(point, self.upper)):
            raise InvalidInput("block_sums", need="a feasible start", got="one above its bounds")
        return point

    def gradient(self, x: Sequence[float]) -> list[float]:
        """Return Qx_k + c_k, class by class."""
        moved = [v for v, t in enumerate(x) if t]
        return self.added(self.c, moved, [x[v] for v in moved])

    def added(self, g: Sequence[float], moved: Sequence[int], steps: Sequence[float]) -> list[float]:
        """Return the gradient where these variables have risen by these steps."""
        out: list[float] = []
        for k, own in enumerate(self.columns(g)):
            mine = [(v % self.n, s) for v, s in zip(moved, steps) if v // self.n == k]
            out += combine(own, [s for _, s in mine], [self.problem.Q.row(i) for i, _ in mine])
        return out

    def objective(self, x: Sequence[float], g: Sequence[float]) -> float:
        """Return the objective at a point with its gradient."""
        return float(dot(tuple(x), tuple(g)) + dot(tuple(x), tuple(self.c))) / 2

    def violations(self, m: Sequence[float], rise: Sequence[bool]) -> list[float]:
        """Return how far each block is from optimal."""
        masked = [v if up else -math.inf for v, up in zip(m, rise)]
        tops, bottoms = map(max, *self.columns(masked)), map(min, *self.columns(m))
        return [a - b if a > b else 0.0 for a, b in zip(tops, bottoms)]

    def violation(self, m: Sequence[float], rise: Sequence[bool], fall: Sequence[bool]) -> float:
        """Return how far the worst block is from optimal."""
        return max(self.violations(m, rise))

    def entering(
        self, m: Sequence[float], rise: Sequence[bool], fall: Sequence[bool], enter: int
    ) -> tuple[list[int], list[int]]:
        """Return the variables of blocks with several below their bounds, and of those that violate optimality most."""
        found = self.violations(m, rise)
        inside = [i for i, ups in enumerate(zip(*self.columns(rise))) if sum(ups) > 1]
        known = set(inside)
        order = sorted([i for i, v in enumerate(found) if v > 0.0 and i not in known], key=found.__getitem__)
        own = range(0, len(m), self.n)
        return [k + i for i in inside for k in own], [k + i for i in order[-MAX_BLOCKS:] for k in own]

    def part(self, names: Sequence[int], x: Sequence[float], m: Sequence[float]) -> Blocks:
        """Return the working set of the blocks that these variables are of, the worst first."""
        points = sorted({v % self.n for v in names})
        return Blocks(self, points, x, m)

    def curvature(self, v: int, members: Sequence[int], reference: dict[int, int]) -> tuple[Sequence[float], float]:
        """Return the curvature between the direction of a variable and those of others, and along it.

        Q_ij ([k = l] − [k = b] − [a = l] + [a = b])        v = (i, k), its reference (i, a); so (j, l), (j, b)
        """
        n = self.n
        i, k = v % n, v // n
        a, row = reference[i] // n, self.problem.Q.row(i)
        entries = []
        for w in members:
            j, own = w % n, w // n
            b = reference[j] // n
            sign = (k == own) - (k == b) - (a == own) + (a == b)
            entries.append(sign * row[j] if sign else 0.0)
        return entries, 2 * row[i]

    def levels(self, part: Any, means: dict[Any, float]) -> dict[Any, float]:
        """Return the levels of m in the blocks: its mean on their free variables."""
        return means

    def falls(self, p: dict[int, float]) -> bool:
        """Return whether the objective falls along a direction that Q does not see, by more than roundoff."""
        terms = [t * self.c[v] for v, t in p.items()]
        return bool(sum(terms) < -FLAT_RTOL * sum(map(abs, terms)))

    def refuse(self, ray: dict[int, float], part: Any, x: Sequence[float]) -> None:
        """Raise NoAnswer: from x the objective falls for ever along a ray, a direction for each block it moves."""
        found: dict[int, list[float]] = {}
        for v, t in ray.items():
            found.setdefault(v % self.n, [0.0] * self.size)[v // self.n] = t
        point = list(map(list, self.columns(x)))
        raise NoAnswer("block_sums", need="an objective bounded below", got="an unbounded one", ray=found, x=point)

    def search(self, x: Sequence[float]) -> None:
        """Do nothing: a block or a Newton step without an end shows a ray."""


def _state(iteration: Iteration, constraints: BlockSums, previous: float) -> State:
    x = tuple(map(tuple, constraints.columns(iteration.x)))
    return State(constraints.problem, x, iteration.violation, iteration.value, previous)


def steps(
    problem: Problem, tol: Optional[float] = None, start: Optional[Sequence[Sequence[float]]] = None
) -> Iterator[State]:
    """Yield the states of the iteration, its start first; options as for `solve`."""
    constraints = BlockSums(problem)
    iteration = Iteration(constraints, tol, start)
    yield _state(iteration, constraints, iteration.value)
    while not iteration.done():
        before = iteration.value
        iteration.advance()
        yield _state(iteration, constraints, before)


def solve(
    problem: Problem,
    tol: Optional[float] = None,
    start: Optional[Sequence[Sequence[float]]] = None,
    max_steps: Optional[int] = None,
) -> Answer:
    """Return the minimum with its multipliers, x_ik as variable kn + i.

    tol        violation at which to stop; by default 10⁻¹⁴ of the largest entry of c. Below roundoff none is asked for
    start      K times n numbers to start from
    max_steps  the most working sets

    Cost       a sweep over w blocks: w² multiplications for each variable of a block that moves; an end over d
               directions: d³/6; a working set: n multiplications for each variable that has moved
    Raises     NoAnswer with a ray when the objective falls for ever; NotConverged with the point after max_steps
    """
    constraints = BlockSums(problem)
    iteration = Iteration(constraints, tol, start)
    while not iteration.done():
        if iteration.count == (MOST_STEPS if max_steps is None else max_steps):
            need, got = f"an optimum within {iteration.count} working sets", f"a violation of {iteration.violation}"
            raise NotConverged("block_sums", need=need, got=got, x=constraints.columns(iteration.x))
        iteration.advance()
    x = constraints.columns(iteration.x)
    return zero_sum.answer(problem, x, zero_sum.gradient(problem, x), iteration.count)
