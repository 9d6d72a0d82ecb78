"""Sums of long vectors with few weights, in as few passes as possible."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import repeat
from typing import Any

from refclass.linear.vector import dot
from refclass.number.field import Number

WIDE = 16 if hasattr(math, "sumprod") else math.inf  # so many vectors are better summed entry by entry, if C does it


def total(weights: Sequence[Number], vectors: Sequence[Sequence[Any]]) -> list[Number]:
    """Return Σ wₖ vₖ, entry by entry.

    Shapes    as many weights as vectors, at least one; the vectors of one length n
    Exact     yes
    Cost      n multiplications for each vector
    Example
        >>> total([2, 3], [(1, 0, 4), (1, 1, 1)])
        [5, 3, 11]
    """
    m, own = len(weights), getattr(type(weights[0]), "combination", None)
    if own is not None:
        return own(weights, vectors)  # type: ignore[no-any-return]
    if m > WIDE:
        return list(map(dot, repeat(tuple(weights)), zip(*vectors)))
    # Method: four vectors in one pass; a pass over one costs twice as much for each product.
    first = m % 4 or 4
    sums = _few(weights[:first], vectors[:first])
    for k in range(first, m, 4):
        a, b, c, d = weights[k : k + 4]
        rows = zip(sums, *vectors[k : k + 4])
        sums = [s + (a * t + b * u + c * v + d * w) for s, t, u, v, w in rows]
    return sums


def _few(weights: Sequence[Number], vectors: Sequence[Sequence[Any]]) -> list[Number]:
    if len(weights) == 1:
        (a,) = weights
        return [a * t for t in vectors[0]]
    if len(weights) == 2:
        a, b = weights
        return [a * t + b * u for t, u in zip(*vectors)]
    if len(weights) == 3:
        a, b, c = weights
        return [a * t + b * u + c * v for t, u, v in zip(*vectors)]
    a, b, c, d = weights
    return [a * t + b * u + c * v + d * w for t, u, v, w in zip(*vectors)]
