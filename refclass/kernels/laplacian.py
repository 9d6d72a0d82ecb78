"""The Laplacian kernel: exponential in the distance, not in its square."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from refclass.kernels.kernel import Kernel, decaying
from refclass.linear.geometry import distances
from refclass.linear.vector import Vector
from refclass.number.field import Field, Number


@dataclass(frozen=True)
class Laplacian(Kernel):
    """The Laplacian kernel, on rows of numbers  [MMST-T11.1].

        K(x, z) = exp(−‖x − z‖/σ)        ‖·‖ the Euclidean norm

    Elsewhere the name is given to the product of one-dimensional Laplacians, exp(−‖x − z‖₁/σ).

    Exact    no
    Cost     p multiplications, a division, a root and an exponential
    Raises   InvalidInput unless σ > 0
    Laws     symmetric, positive semidefinite, Cauchy–Schwarz, unit diagonal, stationary, isotropic, rotations
    """

    sigma: Number
    exact: ClassVar[bool] = False

    def __post_init__(self) -> None:
        self._need(self.sigma > 0, "sigma > 0", self.sigma)

    def row(self, F: Field, x: Any, Z: Sequence[Any]) -> Vector:
        """Return exp(−‖x − z‖/σ) for every z in Z."""
        exp, s = decaying(F), self.sigma
        return Vector.of([exp(-d / s) for d in distances(F, x, Z)])
