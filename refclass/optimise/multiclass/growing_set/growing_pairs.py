"""Interior point method on a growing set of constraints (Tsochantaridis, Joachims, Hofmann and Altun, 2005).

A machine of many classes has a constraint for each point and class. Those of some pairs, near to what doubles found,
are taken first; at the optimum over these pairs the most violated constraint of each point is taken in, until none is
left. The dual value of a set bounds the optimum of all from below.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from refclass.errors import NotConverged
from refclass.number.field import Number
from refclass.optimise.multiclass import interior_point

LOOSE = 1000  # 1 / the relative gap at which a set of pairs is left for a larger one


def solve(start: Any, chosen: Sequence[set[int]], close: Number) -> Any:
    """Return the path over so many pairs that no other is violated, and its iterate of the least gap.

    start    what makes a path of pairs, with `state`, `violated` and `grow`, to be followed by `interior_point`
    close    the relative gap that is asked for; of a path that does not come so far it is what it comes to

    Raises    NotConverged where a path comes nowhere near its end
    """
    path = start(chosen)
    loose = path.kind(1) / LOOSE
    while True:
        for gap in (max(close, loose), close):
            state = interior_point.solve(path, gap)
            more = path.violated(state.v, close * abs(state.primal) / len(chosen))
            if more:
                break
        if state.gap > loose:
            raise NotConverged(
                "growing_pairs", need="the end of a path", got=f"a relative gap of {float(state.gap):.3g}"
            )
        if not more:
            return path, state
        chosen = [set(own) for own in chosen]
        for i, k in more:
            chosen[i].add(k)
        before, path = path.chosen.flat, start(chosen)
        path.grow(before, state)
