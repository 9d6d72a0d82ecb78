"""Natural cubic splines: cubic between the knots, straight beyond them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from refclass.bases.basis import Univariate, falling
from refclass.linear.vector import Vector
from refclass.number.field import Field, Number


@dataclass(frozen=True)
class NaturalSplines(Univariate):
    """The natural cubic splines with knots ξ₁ < … < ξ_K  [ESL-12.42].

        1,   x,   d_k(x) − d_{K−1}(x) for k = 1 … K − 2,   d_k(x) = ((x − ξ_k)₊³ − (x − ξ_K)₊³)/(ξ_K − ξ_k)

    K functions, twice continuously differentiable, with second derivative zero outside (ξ₁, ξ_K).

    Exact    yes
    Raises   InvalidInput unless the knots ascend

    Example
        >>> from refclass.number.rational import RATIONAL
        >>> NaturalSplines(Vector(map(RATIONAL.lift, (0, 1, 2))))(RATIONAL, RATIONAL.lift(3))
        Vector(1, 3, 6)
    """

    knots: Vector
    exact: ClassVar[bool] = True

    def __post_init__(self) -> None:
        self._ascending(self.knots)

    def __len__(self) -> int:
        return len(self.knots)

    @property
    def power(self) -> int:
        """Three: the pieces are cubics."""
        return 3

    def pieces(self) -> Vector:
        """Return the knots."""
        return self.knots

    def derivative(self, F: Field, x: Number, order: int) -> Vector:
        """Return the derivatives of that order at x."""
        zero, last = 0 * x, self.knots[-1]
        line = [zero + int(order == 0), x if order == 0 else zero + int(order == 1)][: len(self)]
        lead, rest = falling(3, order), max(0, 3 - order)

        def cube(t: Number) -> Number:
            return lead * (x - t) ** rest if x >= t else zero

        slopes = [(cube(t) - cube(last)) / (last - t) for t in self.knots[:-1]]
        return Vector.of([*line, *(s - slopes[-1] for s in slopes[:-1])])
