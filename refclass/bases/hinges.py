"""Hinges and their products: the reflected pairs of MARS."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce
from operator import mul
from typing import ClassVar

from refclass.bases.basis import Basis
from refclass.linear.vector import Vector
from refclass.number.field import Field, Number


@dataclass(frozen=True)
class Hinge:
    """One side of a reflected pair  [GAP-9].

        (x_j − t)₊ for sign 1,   (t − x_j)₊ for sign −1,   [u]₊ = max(0, u)

    variable    j, counted from 0
    sign        1 or −1
    knot        t
    """

    variable: int
    sign: int
    knot: Number

    def __call__(self, x: Sequence[Number]) -> Number:
        """Return the value at the point x."""
        u = x[self.variable] - self.knot
        u = u if self.sign > 0 else -u
        return u if u > 0 else u * 0


Term = tuple[Hinge, ...]


def pair(variable: int, knot: Number) -> tuple[Hinge, Hinge]:
    """Return (x_j − t)₊ and (t − x_j)₊.

    Laws    their sum is |x_j − t|, their difference x_j − t, their product 0
    """
    return Hinge(variable, 1, knot), Hinge(variable, -1, knot)


@dataclass(frozen=True)
class Products(Basis):
    """Products of hinges, the empty product being the constant  [GAP-9].

    Exact    yes
    Raises   InvalidInput unless there is a term, and every sign is 1 or −1

    Example
        >>> from refclass.number.rational import RATIONAL
        >>> up, down = pair(0, RATIONAL.lift(1))
        >>> Products(((), (up,), (up, Hinge(1, -1, RATIONAL.lift(5)))))(RATIONAL, Vector(map(RATIONAL.lift, (3, 2))))
        Vector(1, 2, 6)
    """

    terms: tuple[Term, ...]
    exact: ClassVar[bool] = True

    def __post_init__(self) -> None:
        self._need(bool(self.terms), "at least one term", "none")
        for term in self.terms:
            for hinge in term:
                self._need(hinge.sign in (1, -1), "signs 1 or −1", hinge.sign)

    def __len__(self) -> int:
        return len(self.terms)

    def __call__(self, F: Field, x: Sequence[Number]) -> Vector:
        """Return every product at the point x."""
        one = type(x[0])(1)
        return Vector.of([reduce(mul, (hinge(x) for hinge in term), one) for term in self.terms])
