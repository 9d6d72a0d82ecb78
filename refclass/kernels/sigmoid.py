"""The sigmoid function of neural networks, used as a kernel, which in general it is not."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from refclass.kernels.kernel import Kernel
from refclass.linear.geometry import inner_products
from refclass.linear.vector import Vector
from refclass.number.field import Field, Number


@dataclass(frozen=True)
class Sigmoid(Kernel):
    """The sigmoid "kernel", on rows of numbers  [ESL-12.22] [MMST-T11.1] [YANG-kernels].

        K(x, z) = tanh(a⟨x, z⟩ + b)

    It is positive semidefinite for some a, b and some points only: for b < 0 even K(0, 0) < 0.

    Exact    no
    Cost     p + 1 multiplications and a hyperbolic tangent
    Laws     symmetric, rotations
    """

    a: Number
    b: Number
    exact: ClassVar[bool] = False
    positive: ClassVar[bool] = False

    def row(self, F: Field, x: Any, Z: Sequence[Any]) -> Vector:
        """Return tanh(a⟨x, z⟩ + b) for every z in Z."""
        tanh, a, b = F.tanh, self.a, self.b
        return Vector.of([tanh(a * t + b) for t in inner_products(x, Z)])
