"""Points of one class with equal rows of the Gram matrix, taken together.

Their slopes of least norm are equal, so that they join the elbow and leave it together. With w of them as one point,
whose multiplier is their sum, between 0 and w, the equations of the elbow do not follow from one another's because of
them. Two equal points of both classes are never at the elbow together, as yf = 1 of one is yf = −1 of the other.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from refclass.linear.vector import Vector
from refclass.optimise.quadratic.box_rows import Restricted, gatherer


class Gathered(Restricted):
    """The rows and columns of a matrix at some places, in its own numbers, each row kept once it is gathered."""

    def __init__(self, K: Any, places: Sequence[int]) -> None:
        super().__init__(K, places)
        self.rows: dict[int, Vector] = {}

    def row(self, k: int) -> Vector:
        """Return row k."""
        if k not in self.rows:
            self.rows[k] = super().row(k)
        return self.rows[k]


@dataclass(frozen=True)
class Distinct:
    """The points that differ.

    K         their Gram matrix
    y         their labels
    sizes     how many points each of them stands for
    firsts    the first of these, in order
    places    for every point the place of the one that stands for it
    """

    K: Any
    y: Vector
    sizes: Vector
    firsts: tuple[int, ...]
    places: tuple[int, ...]

    @classmethod
    def of(cls, K: Any, y: Vector) -> Distinct:
        """Return the points of a matrix and labels that differ.

        Method: rows are compared, and asked for, only of points that agree in their label, Kᵢᵢ and Kᵢ₁ with another.
        """
        keys = list(zip(y, K.diagonal(), K.row(0)))
        frequent = Counter(keys)
        equal: dict[Any, list[int]] = {}
        for i, key in enumerate(keys):
            equal.setdefault((key, tuple(K.row(i)) if frequent[key] > 1 else ()), []).append(i)
        firsts, sizes = tuple([group[0] for group in equal.values()]), map(len, equal.values())
        place = {i: k for k, group in enumerate(equal.values()) for i in group}
        if len(firsts) < len(y):
            K, y = Gathered(K, firsts), y.pick(firsts)
        return cls(K, y, Vector.of(map(y.kind, sizes)), firsts, tuple([place[i] for i in range(len(keys))]))

    def every(self, values: Sequence[Any]) -> tuple[Any, ...]:
        """Return for every point the value of the one that stands for it."""
        every: tuple[Any, ...] = gatherer(self.places)(values)
        return every

    def shares(self, alpha: Sequence[Any]) -> Vector:
        """Return the multipliers of all points: an equal share for each that one stands for."""
        if len(self.firsts) == len(self.places):
            return Vector.of(alpha)
        return Vector.of(self.every([a / w if a else a for a, w in zip(alpha, self.sizes)]))
