"""Bounds and one sum, or none: the constraints of a machine of two classes, in doubles."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Any, Optional

from refclass.errors import InvalidInput, NotConverged
from refclass.linear.vector import Vector
from refclass.optimise.active_set import recession
from refclass.optimise.decomposition import working_pair, working_set
from refclass.optimise.quadratic import box, box_bounds, box_rows
from refclass.optimise.quadratic import certificate as quadratic
from refclass.optimise.quadratic.certificate import Problem

MODULE = "working_set"


class Pairs(working_pair.Pairs):
    """A working set that moves by pairs, or, without the sum, one variable at a time  [MMST-11.6-smo]."""

    def __init__(self, names: Sequence[int], *args: Any, paired: bool) -> None:
        super().__init__(*args, paired=paired)
        self.names, self.steps, self.alone = names, 0, False

    def steepest(self, tol: float) -> Optional[tuple[int, int]]:
        """Return the pair to move: that of largest violation, or of largest gain where pairs alone are to reach tol.

        Where Newton's method or conjugate gradients follow, gains are not looked at: pairs of little curvature would go
        to their bounds.
        """
        return self.choose(tol) if self.alone else super().steepest(tol)

    def add(self, moved: Sequence[int], steps: Sequence[float]) -> None:
        """Bring m up to date where these entries have risen by these steps."""
        self.m = box_rows.combine(self.m, [-s for s in steps], [self.Q.row(k) for k in moved])

    def entries(self, motion: tuple[int, int]) -> Iterable[int]:
        """Return the entries that a motion moves: two, or one twice."""
        return motion

    def take(self, motion: tuple[int, int]) -> Any:
        """Go to the least value along a motion; return a ray if there is one."""
        return self.step(*motion)

    def descend(self, target: float, alone: bool, held: int) -> Optional[dict[int, float]]:
        """Move by pairs towards violations of at most the target; return a ray if there is one."""
        self.alone = alone
        ray = working_set.descend(self, target, alone, held)
        return None if ray is None else {v: t for v, t in zip(self.names, ray) if t}


class OneSum:
    """The problem  minimise ½xᵀQx + cᵀx subject to lower ≤ x ≤ upper and, with a sum, Σ xᵢ = d."""

    common = 0

    def __init__(self, problem: Problem) -> None:
        if problem.kind is not float:
            raise InvalidInput(MODULE, need="doubles", got=problem.kind.__name__)
        self.paired = box.summed(problem, MODULE)
        self.problem, self.Q, self.sums = problem, problem.Q, int(self.paired)
        self.lower, self.upper = problem.lower, problem.upper
        self.scale = problem.c.largest() or 1.0
        self.roots = [math.sqrt(abs(v)) for v in problem.Q.diagonal()]

    def group(self, v: int) -> Optional[int]:
        """Return the one group of all variables, where there is a sum."""
        return 0 if self.paired else None

    def start(self, x: Any) -> list[float]:
        """Return a feasible point near x, or near zero."""
        return box.start(self.problem, x)

    def gradient(self, x: Sequence[float]) -> list[float]:
        """Return Qx + c."""
        # Method: rows with weights of either sign by turns, so that the partial sums of a smooth kernel stay small.
        # Where those of one class come first they are as large as Σ |xᵢ|/2, and so is their roundoff.
        moved = box_rows.balanced(x)
        return self.added(self.problem.c, moved, [x[i] for i in moved])

    def added(self, g: Sequence[float], moved: Sequence[int], steps: Sequence[float]) -> list[float]:
        """Return the gradient where these variables have risen by these steps."""
        return box_rows.combine(g, steps, map(self.Q.row, moved))

    def objective(self, x: Sequence[float], g: Sequence[float]) -> float:
        """Return the objective at a point with its gradient."""
        return float(box.objective(self.problem, x, g))

    def violation(self, m: Sequence[float], rise: Sequence[bool], fall: Sequence[bool]) -> float:
        """Return how far the worst pair violates optimality, or the worst variable without the sum."""
        return float(box.violation(m, rise, fall, self.paired))

    def entering(
        self, m: Sequence[float], rise: Sequence[bool], fall: Sequence[bool], enter: int
    ) -> tuple[list[int], list[int]]:
        """Return the free variables, and those at a bound with the largest violations, half of them from either end."""
        state, key = list(zip(rise, fall)), m.__getitem__
        free = [i for i, (up, down) in enumerate(state) if up and down]
        up = sorted([i for i, s in enumerate(state) if s == (True, False)], key=key, reverse=True)
        down = sorted([i for i, s in enumerate(state) if s == (False, True)], key=key)
        half = max(enter, len(free) // 4) // 2 + 1
        return free, up[:half] + down[:half]

    def part(self, names: Sequence[int], x: Sequence[float], m: Sequence[float]) -> Pairs:
        """Return the working set of these variables."""
        rows = box_rows.Kept(self.Q, names)
        pick = rows.gather
        return Pairs(names, rows, pick(x), pick(m), pick(self.lower), pick(self.upper), paired=self.paired)

    def curvature(self, v: int, members: Sequence[int], reference: dict[int, int]) -> tuple[Sequence[float], float]:
        """Return Q_vj − Q_bj − Q_vb + Q_bb, b the reference, for every member j and for v; without the sum Q_vj."""
        row = self.Q.row(v)
        if not self.paired:
            return [row[j] for j in members], row[v]
        b = reference[0]
        other = self.Q.row(b)
        shift = other[b] - row[b]
        return [row[j] - other[j] + shift for j in members], row[v] - other[v] + shift

    def levels(self, part: Any, means: dict[Any, float]) -> dict[Any, float]:
        """Return the level of m on the free variables: their mean; zero without the sum."""
        return means if self.paired else {None: 0.0}

    def falls(self, p: dict[int, float]) -> bool:
        """Return whether the objective falls along a direction without curvature or bound: what joined violates."""
        return True

    def refuse(self, ray: dict[int, float], part: Any, x: Sequence[float]) -> None:
        """Raise NoAnswer where the objective falls for ever along a ray, NotConverged where roundoff hides whether."""
        r = Vector.of([ray.get(v, 0.0) for v in part.names])
        if not recession.flat(r, quadratic.product(part.Q, r), recession.largest(part.Q)):
            raise self.unresolved(x, "curvature that doubles distinguish from none", "roundoff")
        raise recession.refusal(MODULE, box.spread(self.problem.c, part.names, r))

    def search(self, x: Sequence[float]) -> None:
        """Raise NoAnswer if a ray is found from x."""
        recession.refuse(self.problem, x, MODULE)

    def unresolved(self, x: Sequence[float], need: str, got: str) -> NotConverged:
        """Return the refusal of an iteration that ends early, with bounds on the least value."""
        value, least = box_bounds.bounds(self.problem, x)
        return NotConverged(MODULE, need=need, got=got, x=Vector.of(x), primal=value, dual=least)
