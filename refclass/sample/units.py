"""Units in which the squares of numbers stay within their range: powers of the base, so that a change is exact.

A double of 10^−160 has no square. Divided by a power of two near its column's size it has, and nothing is rounded.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import dist, hypot

from refclass.errors import InvalidInput
from refclass.linear.vector import Vector
from refclass.number.field import Number
from refclass.number.tolerance import magnitude
from refclass.sample.observations import Sample

FEW = Fraction(1, 2**100)  # what is larger, and smaller than its inverse, has fourth powers, and products of these
LEAST = Fraction(1, 2**490)  # the same for squares alone


def units(columns: Sequence[Sequence[Number]]) -> Vector:
    """Return for each column a power of the base near its largest number, 1 where that is neither tiny nor huge.

    Exact     yes: only doubles have units other than 1
    Raises    InvalidInput, naming the column, for an infinite number

    Example
        >>> [u > 1e100 for u in units([[1.0, -2.0], [1e200, 3.0]])]
        [False, True]
    """
    found = []
    for j, column in enumerate(columns):
        size = max(map(abs, column))
        if size - size != 0:
            raise InvalidInput("data", need="columns whose differences are doubles", got="one beyond them", column=j)
        extreme = type(size) is float and size and not FEW <= size <= 1 / FEW
        found.append(magnitude(size) if extreme else type(size)(1))
    return Vector.of(found)


def representable(sample: Sample, name: str) -> None:
    """Raises InvalidInput, naming a column whose variances leave the range of doubles, above or below."""
    if sample.kind is not float:
        return
    for j, first in enumerate(sample.X[0]):
        parts = [block.columns[j] for block in sample.blocks]
        # Proof: the norm of n differences xᵢ − x₁ is between the largest of them and √n times that, the spread between
        # the largest and twice that.
        norm = hypot(*[dist(part, (first,) * len(part)) for part in parts])
        if LEAST * sample.n <= norm <= 1 / LEAST / 2:
            continue
        spread = max(map(max, parts)) - min(map(min, parts))
        if spread and not LEAST <= spread <= 1 / LEAST:
            need = "columns whose squares are within the range of doubles (scale them, or use exact arithmetic)"
            raise InvalidInput(name, need=need, got=f"a spread of {spread:.3g}", column=j)
        if not spread and abs(first) > 1 / LEAST:
            raise InvalidInput(name, need="columns whose squares are doubles", got=first, column=j)
