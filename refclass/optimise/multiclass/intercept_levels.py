"""Intercepts that the optimality conditions of coupled sums allow: their ends, and a choice among them."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import compress
from typing import Optional

from refclass.number.field import Number

Columns = Sequence[Sequence[Number]]  # one sequence of n numbers for each class


End = Optional[Number]  # None stands for no end


def ends(m: Columns, rise: Sequence[Sequence[bool]], fall: Sequence[Sequence[bool]]) -> tuple[list[End], list[End]]:
    """Return for each class max m_ik over the entries that can rise, and min m_ik over those that can fall."""
    lows = [max(compress(own, up), default=None) for own, up in zip(m, rise)]
    highs = [min(compress(own, down), default=None) for own, down in zip(m, fall)]
    return lows, highs


def closed(ends: Sequence[End]) -> bool:
    """Return whether all ends exist."""
    return all(v is not None for v in ends)


def violation(lows: Sequence[End], highs: Sequence[End]) -> Number:
    """Return how far the best motion violates optimality: what the worst pair gains, or the worst tuple for each entry.

    max of 0, low_k − high_k for each k, (1/m) Σ low_k if every class can rise, −(1/m) Σ high_k if every class can fall
    """
    found = [a - b for a, b in zip(lows, highs) if a is not None and b is not None]
    if closed(lows):
        found.append(sum(lows) / len(lows))  # type: ignore[arg-type]
    if closed(highs):
        found.append(-sum(highs) / len(highs))  # type: ignore[arg-type]
    return max([v for v in found if v > 0], default=0)


def tightened(lows: Sequence[End], highs: Sequence[End]) -> tuple[list[End], list[End]]:
    """Return, for each k, the least and the largest ν_k of {ν : low_k ≤ ν_k ≤ high_k, Σ ν_k = 0}, which is not empty.

    Exact     yes
    """
    # Proof: ν_k = −Σ_{l≠k} ν_l, and the other terms reach every sum between those of their ends.
    out_low, out_high = [], []
    for k, (low, high) in enumerate(zip(lows, highs)):
        rest_low = [v for j, v in enumerate(lows) if j != k]
        rest_high = [v for j, v in enumerate(highs) if j != k]
        least = -sum(rest_high) if closed(rest_high) else None  # type: ignore[arg-type]
        most = -sum(rest_low) if closed(rest_low) else None  # type: ignore[arg-type]
        out_low.append(max([v for v in (low, least) if v is not None], default=None))
        out_high.append(min([v for v in (high, most) if v is not None], default=None))
    return out_low, out_high


def levels(lows: Sequence[End], highs: Sequence[End], zero: Number) -> list[Number]:
    """Return the chosen ν with low_k ≤ ν_k ≤ high_k and Σ ν_k = 0; where there is none, one that is as near as it can.

    Where all ends exist once tightened, the same share of the way from the lower to the upper ends; for two classes
    that is the middle. Where some do not exist, the ν nearest to zero. Ends out of order count as their middle, and
    what the sum lacks is divided among the classes.

    Exact     yes
    """
    ordered = [(a, b) if a is None or b is None or a <= b else ((a + b) / 2,) * 2 for a, b in zip(lows, highs)]
    low, high = [a for a, _ in ordered], [b for _, b in ordered]
    for side, sign in ((low, 1), (high, -1)):
        if closed(side) and sign * sum(side) > 0:  # type: ignore[arg-type]
            loose = [k for k, (a, b) in enumerate(ordered) if a is None or b is None or a != b] or range(len(low))
            excess = sum(side) / len(loose)  # type: ignore[arg-type]
            return [v - excess if k in loose else v for k, v in enumerate(side)]  # type: ignore[operator]
    low, high = tightened(low, high)
    if not (closed(low) and closed(high)):
        return _nearest_to_zero(low, high, zero)
    width = sum(high) - sum(low)  # type: ignore[arg-type]
    share = -sum(low) / width if width else zero  # type: ignore[arg-type]
    return [a + share * (b - a) for a, b in zip(low, high)]  # type: ignore[operator]


def _nearest_to_zero(low: Sequence[End], high: Sequence[End], zero: Number) -> list[Number]:
    """Return the ν nearest to zero: ν_k = t clipped to its ends, with the t that makes the sum zero."""

    def at(t: Number) -> list[Number]:
        clipped = [t if a is None or t > a else a for a in low]
        return [v if b is None or v < b else b for v, b in zip(clipped, high)]

    # Method: the sum rises with t, on straight pieces between the ends; the piece with the sign change holds t.
    knots = sorted({v for v in (*low, *high) if v is not None} | {zero})
    sums = [sum(at(t)) for t in knots]
    if sums[0] >= 0 or sums[-1] <= 0:
        t, s = (knots[0], sums[0]) if sums[0] >= 0 else (knots[-1], sums[-1])
        moving = sum((a is None) if s >= 0 else (b is None) for a, b in zip(low, high))
        return at(t - s / moving if s else t)
    j = next(j for j, s in enumerate(sums) if s >= 0)
    (p, q), (a, b) = knots[j - 1 : j + 1], sums[j - 1 : j + 1]
    return at(p - a * (q - p) / (b - a))
