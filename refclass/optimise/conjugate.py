"""Conjugate gradients on the free variables: the exact phase where they are many and well conditioned.

A factor of f free variables takes f³/6 multiplications, a conjugate step f²; where the curvature differs little from
one direction to another, a few dozen steps do. A variable that meets a bound is left there, and the walk starts again
with the others; at the end those that violate optimality at their bounds join, until none does.
"""

from __future__ import annotations

import math
from itertools import compress
from typing import Optional

from refclass.linear.polar import Products
from refclass.linear.vector import dot
from refclass.optimise import box
from refclass.optimise.smo import Pairs

ROUNDS = 20  # times that violators join
TRIAL, PROGRESS = 16, 0.15  # after so many steps the residual must have fallen to that part, or there is no use


def descend(pairs: Pairs, tol: float, limit: int) -> bool:
    """Walk towards the minimum over the variables of `pairs` within `limit` steps.

    Return whether violations of optimality are at most tol.
    """
    for _ in range(ROUNDS):
        if pairs.violation() <= tol:
            return True
        nu = _level(pairs)
        if nu is None:
            return False
        wishes = [v - nu for v in pairs.m]
        active = [
            k
            for k, (w, up, down) in enumerate(zip(wishes, pairs.rise, pairs.fall))
            if (up and down) or (up and w > tol / 2) or (down and w < -tol / 2)
        ]
        before = list(pairs.x)
        limit -= _run(pairs, active, tol / 3, limit)
        moved = [k for k in active if pairs.x[k] != before[k]]
        pairs.m = box.combine(pairs.m, [before[k] - pairs.x[k] for k in moved], [pairs.Q.row(k) for k in moved])
        if limit <= 0 or not moved:
            break
    return bool(pairs.violation() <= tol)


def _level(pairs: Pairs) -> Optional[float]:
    """Return what m is on the free variables, on average; zero without the sum."""
    if not pairs.paired:
        return 0.0
    free = [v for v, up, down in zip(pairs.m, pairs.rise, pairs.fall) if up and down]
    return sum(free) / len(free) if free else None


def _run(pairs: Pairs, active: list[int], tol: float, limit: int) -> int:
    """Walk over the active variables until their m differ by less than tol; return the number of steps."""
    pick = box.gatherer(active)
    curvature = Products([pick(pairs.Q.row(k)) for k in active])
    m, moving = list(pick(pairs.m)), [True] * len(active)
    p: Optional[list[float]] = None
    rr = first = 0.0
    since = 0  # steps since a bound was met
    for count in range(limit):
        r = _residual(pairs, active, m, moving)
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
        part, hit = _first_bound(pairs, active, p, dot(r, p) / bend if bend > 0 else math.inf)
        if part == math.inf:
            return limit
        for k, v in zip(active, p):
            if v:
                pairs.move(k, part * v)
        m = [a - part * b for a, b in zip(m, image)]
        if hit is not None:
            k = active[hit]
            pairs.move(k, (pairs.upper[k] if p[hit] > 0 else pairs.lower[k]) - pairs.x[k])
            moving[hit], p = False, None
    return limit


def _residual(pairs: Pairs, active: list[int], m: list[float], moving: list[bool]) -> list[float]:
    """Return how m differs from its level among the moving; those at a bound that would leave the box move no more."""
    while True:
        level = sum(compress(m, moving)) / max(1, sum(moving)) if pairs.paired else 0.0
        r = [v - level if on else 0.0 for v, on in zip(m, moving)]
        out = [
            j
            for j, (w, k) in enumerate(zip(r, active))
            if (w > 0 and not pairs.rise[k]) or (w < 0 and not pairs.fall[k])
        ]
        if not out:
            return r
        for j in out:
            moving[j] = False


def _first_bound(pairs: Pairs, active: list[int], p: list[float], part: float) -> tuple[float, Optional[int]]:
    """Return how far one can go along p, at most `part` times, and who meets a bound there."""
    hit = None
    for j, (k, v) in enumerate(zip(active, p)):
        if v:
            bound = pairs.upper[k] if v > 0 else pairs.lower[k]
            if bound is not None and (bound - pairs.x[k]) / v < part:
                part, hit = (bound - pairs.x[k]) / v, j
    return part, hit
