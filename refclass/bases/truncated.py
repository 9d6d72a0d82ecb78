"""Truncated powers: a polynomial, and at each knot one more function that is zero to its left."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from refclass.bases.basis import Univariate, falling
from refclass.linear.vector import Vector
from refclass.number.field import Field, Number


@dataclass(frozen=True)
class TruncatedPowers(Univariate):
    """The splines of degree d with knots ξ₁ < … < ξ_K, by powers  [ESL-12.42].

        1, x, …, x^d, (x − ξ₁)₊^d, …, (x − ξ_K)₊^d,   d + 1 + K functions

    They are d − 1 times continuously differentiable; (x − ξ)₊⁰ is 1 from ξ on.

    Exact    yes
    Cost     at most d multiplications for each function
    Raises   InvalidInput unless d ≥ 0 is an integer and the knots ascend

    Example
        >>> from refclass.number.rational import RATIONAL
        >>> TruncatedPowers(1, Vector(map(RATIONAL.lift, (1, 3))))(RATIONAL, RATIONAL.lift(2))
        Vector(1, 2, 1, 0)
    """

    degree: int
    knots: Vector
    exact: ClassVar[bool] = True

    def __post_init__(self) -> None:
        self._need(type(self.degree) is int and self.degree >= 0, "an integer degree ≥ 0", self.degree)
        self._ascending(self.knots)

    def __len__(self) -> int:
        return self.degree + 1 + len(self.knots)

    @property
    def power(self) -> int:
        """The degree d."""
        return self.degree

    def pieces(self) -> Vector:
        """Return the knots."""
        return self.knots

    def derivative(self, F: Field, x: Number, order: int) -> Vector:
        """Return the derivatives of that order at x."""
        zero, d = 0 * x, self.degree
        lead, rest = falling(d, order), max(0, d - order)
        powers = [zero + falling(k, order) * x ** max(0, k - order) for k in range(d + 1)]
        return Vector.of([*powers, *(zero + lead * (x - t) ** rest if x >= t else zero for t in self.knots)])
