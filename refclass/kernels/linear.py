"""The linear kernel: the inner product itself."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from refclass.kernels.kernel import Kernel
from refclass.linear.geometry import inner_products
from refclass.linear.vector import Vector, dot
from refclass.number.field import Field


@dataclass(frozen=True)
class Linear(Kernel):
    """The linear kernel, on rows of numbers  [ESL-12.21] [MMST-11.52].

        K(x, z) = ⟨x, z⟩

    Exact    yes
    Cost     p multiplications
    Laws     symmetric, positive semidefinite, Cauchy–Schwarz, rotations

    Example
        >>> from refclass.number.binary64 import BINARY64
        >>> Linear()(BINARY64, (1.0, 2.0), (3.0, 4.0))
        11.0
    """

    exact: ClassVar[bool] = True

    def row(self, F: Field, x: Any, Z: Sequence[Any]) -> Vector:
        """Return ⟨x, z⟩ for every z in Z."""
        return Vector.of(inner_products(x, Z))

    def diagonal(self, F: Field, X: Sequence[Any]) -> Vector:
        """Return ⟨x, x⟩ for every x in X."""
        return Vector.of(map(dot, X, X))
