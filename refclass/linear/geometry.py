"""Inner products and distances of one point and many, each one loop in C where the numbers are doubles."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import repeat
from math import dist
from operator import mul, sub
from typing import Any

from refclass.linear.polar import IN_C
from refclass.linear.vector import dot
from refclass.number.field import Field, Number


def inner_products(x: Sequence[Any], Z: Sequence[Sequence[Any]]) -> list[Number]:
    """Return ⟨x, z⟩ for every z in Z.

    Cost    p multiplications for each z
    """
    # Method: up to three variables the sum is written out, four times as fast as a loop over so few.
    if len(x) == 1:
        (a,) = x
        return [a * u for (u,) in Z]
    if len(x) == 2:
        a, b = x
        return [a * u + b * v for u, v in Z]
    if len(x) == 3:
        a, b, c = x
        return [a * u + b * v + c * w for u, v, w in Z]
    return list(map(dot, repeat(x), Z))


def squared_distances(F: Field, x: Sequence[Any], Z: Sequence[Sequence[Any]]) -> list[Number]:
    """Return ‖x − z‖² for every z in Z.

    Cost    p multiplications for each z
    """
    if F.kind is float:
        return [d * d for d in map(dist, repeat(x), Z)] if IN_C else [_square_of_distance(x, z) for z in Z]
    return [sum(map(mul, u, u)) for u in (tuple(map(sub, x, z)) for z in Z)]


def _square_of_distance(x: Sequence[float], z: Sequence[float]) -> float:
    total = float(0)
    for a, b in zip(x, z):
        total += (a - b) * (a - b)
    return total


def distances(F: Field, x: Sequence[Any], Z: Sequence[Sequence[Any]]) -> list[Number]:
    """Return ‖x − z‖ for every z in Z.  Raises NotExact where a root is irrational in an exact field."""
    if F.kind is float:
        return list(map(dist, repeat(x), Z))
    return list(map(F.sqrt, squared_distances(F, x, Z)))
