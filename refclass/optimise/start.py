"""Where the path of a machine begins: its multipliers for every λ above the first break point  [ERR-ESL-04].

As λ grows the function becomes the constant that the majority votes for. Every point of the smaller class then has
α = 1, and Σ αᵢyᵢ = 0 leaves the larger class the same sum; among all such multipliers the optimum makes the norm of β
least:

    minimise ½ ‖Σ αᵢyᵢh(xᵢ)‖²   subject to   Σ αᵢ = n_minority over the majority, 0 ≤ αᵢ ≤ 1

This is solved as a path of its own: the sum falls from n_majority, where every αᵢ is 1, to n_minority.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from refclass.errors import NotConverged
from refclass.number.field import Number
from refclass.optimise.march import SMALL, March
from refclass.optimise.standing import LEFT

PATIENCE = 100  # times the number of points: segments after which roundoff must be at play


def multipliers(rows: Any, y: Sequence[Number]) -> list[Number]:
    """Return the multipliers in [0, 1] that are optimal for every λ large enough.

    Shapes    rows(i): row i of the Gram matrix; y: n labels ±1
    Exact     yes
    Cost      a segment for each majority point and a few more, n multiplications for each point on the edge
    """
    one, zero = y[0] / y[0], y[0] - y[0]
    positive = [i for i, t in enumerate(y) if t > 0]
    negative = [i for i, t in enumerate(y) if t < 0]
    alpha = [one] * len(y)
    if len(positive) == len(negative):
        return alpha
    many, few = sorted((positive, negative), key=len, reverse=True)
    place = {i: k for k, i in enumerate(many)}
    pull = [sum(row) for row in zip(*[_part(rows(i), many) for i in many])]
    push = [sum(row) for row in zip(*[_part(rows(i), many) for i in few])] or [zero] * len(many)
    label = y[many[0]]
    march = March(lambda k: _part(rows(many[k]), many), [label] * len(many), [zero] * len(many), label)
    left = zero + len(many) - len(few)
    march.begin([one] * len(many), [label * q for q in push], left, [label * p for p in pull], zero)
    _fall(march, max(map(abs, pull)))
    for i, k in place.items():
        alpha[i] = march.alpha[k]
    return alpha


def _part(row: Sequence[Number], places: Sequence[int]) -> tuple[Number, ...]:
    return tuple([row[j] for j in places])


def _fall(march: March, scale: Number) -> None:
    """Let the sum of the multipliers fall as far as the march's level says."""
    label = march.drain
    for _ in range(PATIENCE * len(march.y)):
        if not march.held:
            march.measure()
            edge = min(label * e for e, s in zip(march.residual, march.side) if s == LEFT)
            march.shift(label * edge)
            march.near(scale)
            march.junction(scale)
            continue
        left = march.level
        room, rates = march.room()
        if room is None or room >= left - SMALL * march.eps * left:
            march.advance(left, rates)
            march.snap()
            return
        march.advance(room, rates)
        march.junction(scale)
    raise NotConverged("path", need="the multipliers of the majority for large λ", got="roundoff")
