"""Which of K linear functions is the largest at each of many points, by distances: power diagrams (Aurenhammer 1987).

The region in which one of wₖ·x + cₖ is the largest is a cell of the power diagram of the sites uₖ = t wₖ, t > 0:

    wₖ·x + cₖ = bₖ − ‖x − uₖ‖²/(2t) + ‖x‖²/(2t)        bₖ = cₖ + ‖uₖ‖²/(2t)

and the last term is the same for all k. A point where roundoff could change the order is left to the caller.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import repeat
from typing import Callable, Optional

from refclass.linear import polar
from refclass.linear.vector import Vector

MANY = 100  # points from which on a diagram is worth its making
UNIT = 2.0**-53  # the largest relative error of one operation on doubles
SAMPLED = 20  # points whose norms choose t


def worthwhile(points: Sequence[Vector]) -> bool:
    """Return whether a diagram is the faster way to the largest functions at that many points, of doubles."""
    return polar.IN_C and len(points) >= MANY and type(points[0][0]) is float


@dataclass(frozen=True)
class Diagram:
    """Linear functions as sites and heights.

    sites      K points t wₖ
    heights    K numbers bₖ
    half       1/(2t), a power of two: the sites have no roundoff
    reach      the norm of the farthest site
    size       the largest sum of what is added up to a cₖ, in absolute values
    """

    sites: tuple[tuple[float, ...], ...]
    heights: tuple[float, ...]
    half: float
    reach: float
    size: float

    def largest(
        self,
        points: Sequence[Sequence[float]],
        others: Callable[[float], float],
        apart: Optional[Sequence[float]] = None,
    ) -> list[Optional[int]]:
        """Return for each point the number of the largest function, None where it is not certain.

        others    how far the values of the functions with which another would decide are from wₖ·x + cₖ, at most, at
                  points whose norm is at most what it is given: that decision is then the same
        apart     for each point by how much two of those values may differ besides; None: by nothing
        """
        # Premise: with u for the unit roundoff, differences, their norm and its square have a relative error of
        # (2p + 10) u at most, and so have ‖uₖ‖²; sums of two terms add 4u. Hence the error of a value is no more than
        # (2p + 14) u ((‖x − uₖ‖² + ‖uₖ‖²)/(2t) + |cₖ|), and both norms are at most r below.
        columns = [list(map(math.dist, points, repeat(site))) for site in self.sites]
        r = max(map(max, columns)) + self.reach
        error = (2 * len(self.sites[0]) + 14) * UNIT * (2 * r * r * self.half + self.size)
        doubt = 2.1 * (error + others(r))
        if not doubt < math.inf:
            return [None] * len(points)
        half = self.half
        values = [[b - v * v * half for v in column] for b, column in zip(self.heights, columns)]
        scores = list(zip(*values))
        order = map(sorted, scores)
        if apart is None:
            return [s.index(o[-1]) if o[-1] - o[-2] > doubt else None for s, o in zip(scores, order)]
        return [s.index(o[-1]) if o[-1] - o[-2] > doubt + a else None for s, o, a in zip(scores, order, apart)]


def diagram(
    weights: Sequence[Sequence[float]],
    constants: Sequence[float],
    sizes: Sequence[float],
    points: Sequence[tuple[float, ...]],
) -> Optional[Diagram]:
    """Return the power diagram of the functions wₖ·x + cₖ, with t such that sites are as far as points.

    sizes      K sums of absolute values of what was added up to each cₖ
    Returns    None where the doubles hold no such t, and for a single function

    Shapes    weights: K × p; constants: K; points: n × p, of which some are looked at
    """
    if len(weights) < 2:
        return None
    origin = (0.0,) * len(weights[0])
    steepest = max(math.dist(w, origin) for w in weights)
    far = max(math.dist(x, origin) for x in points[:SAMPLED])
    if not (1e-100 < steepest < 1e100 and 1e-100 < far < 1e100):
        return None
    t = 2.0 ** round(math.log2(far / steepest))
    sites = tuple(tuple([t * v for v in w]) for w in weights)
    norms = [math.dist(u, origin) for u in sites]
    half = 0.5 / t
    heights = tuple([c + v * v * half for c, v in zip(constants, norms)])
    return Diagram(sites, heights, half, max(norms), max(sizes))
