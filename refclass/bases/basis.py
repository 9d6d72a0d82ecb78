"""What every basis provides: its values at a point, one row for each of many points, and how many functions it has."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, ClassVar

from refclass.errors import InvalidInput
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector
from refclass.number.field import Field, Number


@dataclass(frozen=True)
class Basis:
    """Functions h₁, …, h_M of a point  [ESL-12.3-basis] [ESL-12.42].

    exact    whether the values need nothing but + − × ÷ and <, so that they are exact on fractions
    """

    exact: ClassVar[bool]

    def __call__(self, F: Field, x: Any) -> Vector:
        """Return h(x) = (h₁(x), …, h_M(x))."""
        raise NotImplementedError

    def __len__(self) -> int:
        raise NotImplementedError

    def matrix(self, F: Field, points: Iterable[Any]) -> Matrix:
        """Return the matrix with the row h(x) for every point x."""
        return Matrix.of([self(F, x) for x in points])

    def _need(self, condition: bool, need: str, got: object) -> None:
        if not condition:
            raise InvalidInput(type(self).__module__.rpartition(".")[2], need=need, got=got)

    def _ascending(self, knots: Any, least: int = 1) -> None:
        self._need(isinstance(knots, Vector), "knots as a vector of numbers", type(knots).__name__)
        self._need(len(knots) >= least, f"at least {least} knots", len(knots))
        for i in range(len(knots) - 1):
            self._need(knots[i] < knots[i + 1], "knots in ascending order, all distinct", f"{knots[i]}, {knots[i + 1]}")


@dataclass(frozen=True)
class Univariate(Basis):
    """A basis of piecewise polynomials of one variable: a point is a number."""

    def derivative(self, F: Field, x: Number, order: int) -> Vector:
        """Return the derivatives of that order at x, each the one from the right where it jumps; order 0 is h(x)."""
        raise NotImplementedError

    def pieces(self) -> Vector:
        """Return the numbers, ascending, between which every function of the basis is one polynomial."""
        raise NotImplementedError

    def __call__(self, F: Field, x: Number) -> Vector:
        """Return h(x)."""
        return self.derivative(F, x, 0)

    @property
    def power(self) -> int:
        """The degree that no piece of a function of the basis exceeds."""
        raise NotImplementedError


def falling(n: int, order: int) -> int:
    """Return n(n − 1)…(n − order + 1), the factor that `order` derivatives bring before a power n.

    Example
        >>> falling(5, 2), falling(2, 3), falling(4, 0)
        (20, 0, 1)
    """
    total = 1
    for k in range(order):
        total *= n - k
    return total
