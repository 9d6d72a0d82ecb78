"""The polynomial kernel: all monomials up to a degree, without writing them down."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf
from typing import Any, ClassVar

from refclass.errors import InvalidInput
from refclass.kernels.kernel import Kernel
from refclass.linear.geometry import inner_products
from refclass.linear.vector import Vector
from refclass.number.field import Field, Number


@dataclass(frozen=True)
class Polynomial(Kernel):
    """The polynomial kernel, on rows of numbers  [ESL-12.22] [MMST-11.55] [ISML-27.4-polynomial] [YANG-kernels].

        K(x, z) = (s⟨x, z⟩ + c)^d        [KIM-3.4-polynomial]

    c = 0 is the homogeneous kernel of the monomials of degree d exactly [MMST-Ex11.8] [KIM-4.2-cubic]. The defaults are
    d = 3, c = 1, s = 1.

    Exact    yes
    Cost     p + 1 multiplications and a power
    Raises   InvalidInput unless d is an integer ≥ 1, c ≥ 0, s > 0
    Laws     symmetric, positive semidefinite, Cauchy–Schwarz, rotations

    Example
        >>> from refclass.number.rational import RATIONAL
        >>> Polynomial(degree=2, c=1)(RATIONAL, (1, 2), (3, 4))
        144
    """

    degree: int = 3
    c: Number = 1
    scale: Number = 1
    exact: ClassVar[bool] = True

    def __post_init__(self) -> None:
        self._need(type(self.degree) is int and self.degree >= 1, "degree an integer ≥ 1", self.degree)
        self._need(self.c >= 0, "c ≥ 0", self.c)
        self._need(self.scale > 0, "scale > 0", self.scale)

    def row(self, F: Field, x: Any, Z: Sequence[Any]) -> Vector:
        """Return (s⟨x, z⟩ + c)^d for every z in Z."""
        d, c, s = self.degree, self.c, self.scale
        try:
            values = [(s * t + c) ** d for t in inner_products(x, Z)]
        except OverflowError:
            values = [inf]
        if F.kind is float and inf in map(abs, values):  # Premise: where a power is too large, PyPy may return infinity
            raise InvalidInput("polynomial", need="values within the range of doubles", got=f"a power {d} beyond it")
        return Vector.of(values)
