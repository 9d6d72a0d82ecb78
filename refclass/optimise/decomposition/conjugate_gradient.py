"""Conjugate gradients on the free variables: the exact phase where they are many and well conditioned.

A factor of f free variables takes f³/6 multiplications, a conjugate step f²; where the curvature differs little from
one direction to another, a few dozen steps do. A variable that meets a bound is left there, and the iteration starts
again with the others; at the end those that violate optimality at their bounds join, until none does.
"""

from __future__ import annotations

import math
from itertools import compress
from typing import Optional

from refclass.linear.polar import Products
from refclass.linear.vector import dot
from refclass.optimise.decomposition.smo import Pairs
from refclass.optimise.quadratic import box

ROUNDS = 20  # turns, between which variables at a bound may join
SHORT = 30  # part of the violation that the first turn leaves
TRIAL, PROGRESS = 16, 0.15  # after so many steps the residual must have fallen to that part, or there is no use


def descend(pairs: Pairs, tol: float, limit: int) -> bool:
    """Iteration towards the minimum over the variables of `pairs` within `limit` steps.

    Return whether violations of optimality are at most tol.
    """
    members: list[int] = []
    curvature = None
    for turn in range(ROUNDS):
        worst = pairs.violation()
        nu = _level(pairs)
        if worst <= tol or nu is None:
            break
        active = _active(pairs, nu, tol / 2)
        if curvature is None or not active <= set(members):
            members = sorted(active)
            curvature = Products(_copies(pairs, members))
        before = list(pairs.x)
        # Method: bounds met in the first steps may turn out wrong, so that the first turn is a short one.
        target = max(tol / 3, worst / SHORT if turn == 0 else 0.0)
        limit -= _run(pairs, members, curvature, [k in active for k in members], target, limit)
        moved = [k for k in members if pairs.x[k] != before[k]]
        pairs.m = box.combine(pairs.m, [before[k] - pairs.x[k] for k in moved], [pairs.Q.row(k) for k in moved])
        if limit <= 0 or not moved:
            break
    return bool(pairs.violation() <= tol)


def _active(pairs: Pairs, nu: float, tol: float) -> set[int]:
    """Return the free variables, and those at a bound that want to leave it by more than tol."""
    return {
        k
        for k, (v, up, down) in enumerate(zip(pairs.m, pairs.rise, pairs.fall))
        if (up and down) or (up and v - nu > tol) or (down and v - nu < -tol)
    }


def _copies(pairs: Pairs, members: list[int]) -> list[tuple[float, ...]]:
    """Return the rows and columns of Q for the members, copied."""
    # Method: numbers just made lie side by side in memory; those picked out of rows are scattered, and slower to read.
    pick = box.gatherer(members)
    return [tuple([1.0 * v for v in pick(pairs.Q.row(k))]) for k in members]


def _level(pairs: Pairs) -> Optional[float]:
    """Return what m is on the free variables, on average; zero without the sum."""
    if not pairs.paired:
        return 0.0
    free = [v for v, up, down in zip(pairs.m, pairs.rise, pairs.fall) if up and down]
    return sum(free) / len(free) if free else None


def _run(pairs: Pairs, members: list[int], curvature: Products, moving: list[bool], tol: float, limit: int) -> int:
    """Iteration over those members that move until their m differ by less than tol; return the number of steps."""
    m = list(box.gatherer(members)(pairs.m))
    p: Optional[list[float]] = None
    rr = first = 0.0
    since = 0  # steps since a bound was met
    for count in range(limit):
        before = sum(moving)
        r = _residual(pairs, members, m, moving)
        if sum(moving) < before:
            p = None
        worst = max(map(abs, r))
        if worst <= tol:
            return count
        first = max(first, worst)
        since = 0 if p is None else since + 1
        if (since == TRIAL or count == 2 * TRIAL) and worst > PROGRESS * first:
            return limit
        old, rr = rr, dot(r, r)
        p = r if p is None else [a + rr / old * b for a, b in zip(r, p)]
        image = curvature(p)
        bend = dot(p, image)
        part, hit = _first_bound(pairs, members, p, dot(r, p) / bend if bend > 0 else math.inf)
        if part == math.inf:
            return limit
        for k, v in zip(members, p):
            if v:
                pairs.move(k, part * v)
        m = [a - part * b for a, b in zip(m, image)]
        if hit is not None:
            k = members[hit]
            pairs.move(k, (pairs.upper[k] if p[hit] > 0 else pairs.lower[k]) - pairs.x[k])
            moving[hit], p = False, None
    return limit


def _residual(pairs: Pairs, members: list[int], m: list[float], moving: list[bool]) -> list[float]:
    """Return how m differs from its level among the moving; those at a bound that would leave the box move no more."""
    while True:
        level = sum(compress(m, moving)) / max(1, sum(moving)) if pairs.paired else 0.0
        r = [v - level if on else 0.0 for v, on in zip(m, moving)]
        out = [
            j
            for j, (w, k) in enumerate(zip(r, members))
            if (w > 0 and not pairs.rise[k]) or (w < 0 and not pairs.fall[k])
        ]
        if not out:
            return r
        for j in out:
            moving[j] = False


def _first_bound(pairs: Pairs, members: list[int], p: list[float], part: float) -> tuple[float, Optional[int]]:
    """Return how far one can go along p, at most `part` times, and who meets a bound there."""
    hit = None
    for j, (k, v) in enumerate(zip(members, p)):
        if v:
            bound = pairs.upper[k] if v > 0 else pairs.lower[k]
            if bound is not None and (bound - pairs.x[k]) / v < part:
                part, hit = (bound - pairs.x[k]) / v, j
    return part, hit
