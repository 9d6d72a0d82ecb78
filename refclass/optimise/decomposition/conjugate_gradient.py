"""Conjugate gradients on the free variables (Hestenes and Stiefel 1952; with bounds Moré and Toraldo 1991).

A factor of f free variables takes f³/6 multiplications, a conjugate step f²; where the curvature differs little from
one direction to another, a few dozen steps suffice. A variable that meets a bound is left there, and the iteration
starts again with the others; at the end those that violate optimality at their bounds join, until none does.
"""

from __future__ import annotations

import math
from itertools import compress
from typing import Optional

from refclass.linear.polar import Products
from refclass.linear.vector import dot
from refclass.optimise.decomposition.one_sum import Pairs
from refclass.optimise.quadratic import box_rows

TRIAL_STEPS, TRIAL_SHARE = 16, 0.15  # after so many steps at most that part of the residual may be left


def descend(part: Pairs, tol: float, limit: int) -> bool:
    """Iterate towards the minimum over the variables of the working set, in at most `limit` steps.

    Return whether violations of optimality are at most tol; the objective has not risen in any case.

    Cost      f² multiplications a step, for f variables that are free or violate optimality at a bound
    """
    members: list[int] = []
    curvature = None
    while limit > 0:
        level = _level(part)
        if level is None or part.violation() <= tol:
            break
        active = _active(part, level, tol / 2)
        if curvature is None or not active <= set(members):
            members, curvature = sorted(active), None  # the old copies are free before there are new ones
            curvature = Products(_copies(part, members))
        before = list(part.x)
        run = _Run(part, members, curvature, [k in active for k in members])
        limit -= run.descend(tol / 3, limit)
        moved = [k for k in members if part.x[k] != before[k]]
        if not moved:
            break
        _refresh(part, moved, [part.x[k] - before[k] for k in moved])
    return bool(part.violation() <= tol)


def _active(part: Pairs, level: float, tol: float) -> set[int]:
    """Return the free variables, and those at a bound that violate optimality by more than tol."""
    return {
        k
        for k, (v, up, down) in enumerate(zip(part.m, part.rise, part.fall))
        if (up and down) or (up and v - level > tol) or (down and v - level < -tol)
    }


def _copies(part: Pairs, members: list[int]) -> list[tuple[float, ...]]:
    """Return the rows and columns of Q for the members, copied."""
    # Method: numbers just made lie side by side in memory; those picked out of rows are scattered, and slower to read.
    pick = box_rows.gatherer(members)
    return [tuple([1.0 * v for v in pick(part.Q.row(k))]) for k in members]


def _level(part: Pairs) -> Optional[float]:
    """Return the mean of m over the free variables, None where there is none; zero without the sum."""
    if not part.paired:
        return 0.0
    free = [v for v, up, down in zip(part.m, part.rise, part.fall) if up and down]
    return sum(free) / len(free) if free else None


def _refresh(part: Pairs, moved: list[int], steps: list[float]) -> None:
    """Bring m and the objective up to date where these entries have risen by these steps."""
    before = [part.m[k] for k in moved]
    part.add(moved, steps)
    part.value -= sum([s * (a + part.m[k]) for s, a, k in zip(steps, before, moved)]) / 2


class _Run:
    """Conjugate steps from one point.

    members      the variables, by their places in the working set
    curvature    the product of their part of Q with a vector
    moving       which of them move
    m            minus the gradient at them
    """

    def __init__(self, part: Pairs, members: list[int], curvature: Products, moving: list[bool]) -> None:
        self.part, self.members, self.curvature, self.moving = part, members, curvature, moving
        self.m = list(box_rows.gatherer(members)(part.m))

    def descend(self, tol: float, limit: int) -> int:
        """Iterate until the m of those that move differ from their level by at most tol; return the number of steps.

        Where the residual falls too slowly `limit` is returned: no more steps are worth their cost.
        """
        p: Optional[list[float]] = None
        rr = first = 0.0
        since = 0  # steps since a bound was met
        for count in range(limit):
            before = sum(self.moving)
            r = self.residual()
            if sum(self.moving) < before:
                p = None
            worst = max(map(abs, r))
            if worst <= tol:
                return count
            first, since = max(first, worst), 0 if p is None else since + 1
            if (since == TRIAL_STEPS or count == 2 * TRIAL_STEPS) and worst > TRIAL_SHARE * first:
                return limit
            old, rr = rr, dot(r, r)
            p = r if p is None else [a + rr / old * b for a, b in zip(r, p)]
            image = self.curvature(p)
            bend = dot(p, image)
            length, hit = self.first_bound(p, dot(r, p) / bend if bend > 0 else math.inf)
            if length == math.inf:
                return limit
            self.go(p, length, image, hit)
            p = None if hit is not None else p
        return limit

    def residual(self) -> list[float]:
        """Return how m differs from its level over those that move; those that would leave the bounds move no more."""
        part = self.part
        while True:
            level = sum(compress(self.m, self.moving)) / max(1, sum(self.moving)) if part.paired else 0.0
            r = [v - level if on else 0.0 for v, on in zip(self.m, self.moving)]
            out = [
                j
                for j, (w, k) in enumerate(zip(r, self.members))
                if (w > 0 and not part.rise[k]) or (w < 0 and not part.fall[k])
            ]
            if not out:
                return r
            for j in out:
                self.moving[j] = False

    def first_bound(self, p: list[float], length: float) -> tuple[float, Optional[int]]:
        """Return how many times one can go along p, at most `length`, and the member that meets a bound there."""
        part, hit = self.part, None
        for j, (k, v) in enumerate(zip(self.members, p)):
            if v:
                bound = part.upper[k] if v > 0 else part.lower[k]
                if bound is not None and (bound - part.x[k]) / v < length:
                    length, hit = (bound - part.x[k]) / v, j
        return length, hit

    def go(self, p: list[float], length: float, image: list[float], hit: Optional[int]) -> None:
        """Go along p; what meets its bound is set to it and moves no more."""
        part = self.part
        for k, v in zip(self.members, p):
            if v:
                part.move(k, length * v)
        self.m = [a - length * b for a, b in zip(self.m, image)]
        if hit is not None:
            k = self.members[hit]
            part.move(k, (part.upper[k] if p[hit] > 0 else part.lower[k]) - part.x[k])
            self.moving[hit] = False
