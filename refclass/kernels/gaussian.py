"""The Gaussian (radial basis function) kernel."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import repeat
from math import dist
from typing import Any, ClassVar

from refclass.kernels.kernel import Kernel, decaying
from refclass.linear.geometry import squared_distances
from refclass.linear.polar import IN_C
from refclass.linear.vector import Vector
from refclass.number.field import Field, Number


@dataclass(frozen=True)
class Gaussian(Kernel):
    """The Gaussian kernel, on rows of numbers  [ESL-12.22] [KIM-3.70] [KIM-3.76] [ISML-27.4-gaussian].

        K(x, z) = exp(−γ‖x − z‖²)        γ = 1/(2σ²)  [MMST-T11.1]

        K(x, z) = exp(−γ‖x‖²) exp(2γ⟨x, z⟩) exp(−γ‖z‖²)  [KIM-3.4-factors]

    Stationary and isotropic  [MMST-11.3.4-stationary].

    Exact    no
    Cost     p + 1 multiplications and an exponential
    Raises   InvalidInput unless γ > 0
    Laws     symmetric, positive semidefinite, Cauchy–Schwarz, unit diagonal, stationary, isotropic, rotations

    Example
        >>> from refclass.number.binary64 import BINARY64
        >>> round(Gaussian(0.5)(BINARY64, (1.0, 2.0), (0.0, 1.0)), 6)
        0.367879
    """

    gamma: Number
    exact: ClassVar[bool] = False

    def __post_init__(self) -> None:
        self._need(self.gamma > 0, "gamma > 0", self.gamma)

    @classmethod
    def of_width(cls, sigma: Number) -> Gaussian:
        """Return the kernel exp(−‖x − z‖²/(2σ²)), the parameter of MMST (σ) and ISML (h)  [MMST-11.3.6-gamma].

        γ = 1/(2σ²)
        """
        return cls(1 / (2 * sigma * sigma))

    def row(self, F: Field, x: Any, Z: Sequence[Any]) -> Vector:
        """Return exp(−γ‖x − z‖²) for every z in Z."""
        exp, m = decaying(F), -self.gamma
        if F.kind is float and len(x) == 2:
            # Method: in the plane two differences written out take less time than a call.
            a, b = x
            return Vector.of([exp(m * ((s := u - a) * s + (t := v - b) * t)) for u, v in Z])
        if F.kind is float and IN_C:
            # Method: the distance is one call in C on two tuples, faster than any loop over differences.
            return Vector.of([exp(m * d * d) for d in map(dist, repeat(x), Z)])
        return Vector.of([exp(m * t) for t in squared_distances(F, x, Z)])

    def diagonal(self, F: Field, X: Sequence[Any]) -> Vector:
        """Return K(x, x) = 1 for every x in X."""
        return Vector.of([F.kind(1)] * len(X))
