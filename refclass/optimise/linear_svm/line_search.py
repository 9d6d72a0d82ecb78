"""Exact line search: a convex piecewise quadratic of one variable, its break points sorted, its slope followed.

φ′(t) = slope + curvature · t + Σ { jumpᵢ : tᵢ < t }        curvature ≥ 0, jumpᵢ ≥ 0

A point changes side at tᵢ = slackᵢ/speedᵢ, and the slope jumps there by Cᵢ|speedᵢ| (Keerthi and DeCoste 2005).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Optional

from refclass.number.field import Number
from refclass.optimise.linear_svm.iterate import Iterate


def breaks(state: Iterate, speed: Sequence[Number], still: Any, bounded: bool) -> list[tuple[Number, Number, int]]:
    """Return (tᵢ, jump of the slope, i) for the points that change side; if bounded, before t = 1.

    speed    how fast the slack of each point falls along the direction
    still    speeds up to this one are roundoff
    """
    held, slack, costs = state.dependent.union(state.active.members), state.slack, state.points.costs
    if bounded:
        found = [i for i, (here, e, s) in enumerate(zip(state.inside, slack, speed)) if here != (e > s)]
    else:
        found = [i for i, (here, s) in enumerate(zip(state.inside, speed)) if here == (s > 0)]
    zero = state.points.zero
    return [
        (max(slack[i] / speed[i], zero), costs[i] * abs(speed[i]), i)
        for i in found
        if i not in held and abs(speed[i]) > still
    ]


def least(
    slope: Number, curvature: Number, breaks: Iterable[tuple[Number, Number, int]]
) -> tuple[Optional[Number], list[int], Optional[int]]:
    """Return the least t ≥ 0 at which φ is least, the points passed on the way, and the point it stops at.

    Yields    (None, …) when φ falls for ever; (t, passed, None) when φ′(t) = 0 between break points; (tᵢ, passed, i)
              when φ′ changes sign at tᵢ. Points that share tᵢ and come after i are not passed.
    Shapes    breaks: (tᵢ, jumpᵢ, i) with tᵢ ≥ 0, in any order
    Exact     yes
    Cost      a sort, and a multiplication for each break point passed and for the next one

    Example
        >>> least(-4, 1, [(1, 1, 0), (2, 5, 1), (4, 1, 2)])
        (2, [0], 1)
        >>> least(-3, 0, [(1, 1, 0)])
        (None, [0], None)
    """
    passed: list[int] = []
    for t, jump, i in sorted(breaks):
        here = slope + curvature * t
        if here >= 0:
            break
        if here + jump >= 0:
            return t, passed, i
        slope = slope + jump
        passed.append(i)
    if curvature == 0:
        return (None if slope < 0 else slope - slope), passed, None
    return -slope / curvature if slope < 0 else slope - slope, passed, None
