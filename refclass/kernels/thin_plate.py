"""The thin-plate spline function: a kernel only on contrasts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from refclass.kernels.kernel import Kernel
from refclass.linear.geometry import squared_distances
from refclass.linear.vector import Vector
from refclass.number.field import Field, Number


@dataclass(frozen=True)
class ThinPlate(Kernel):
    """The thin-plate spline, on rows of numbers  [MMST-T11.1].

        K(x, z) = (r/σ)² log(r/σ)        r = ‖x − z‖, and 0 at r = 0

    It is no Mercer kernel: its trace is zero. In the plane uᵀKu ≥ 0 for the u with Σuᵢ = 0 and Σuᵢxᵢ = 0 only.

    Exact    no
    Cost     p + 1 multiplications, two divisions and a logarithm
    Raises   InvalidInput unless σ > 0
    Laws     symmetric, stationary, isotropic, rotations, conditionally positive in the plane
    """

    sigma: Number
    exact: ClassVar[bool] = False
    positive: ClassVar[bool] = False

    def __post_init__(self) -> None:
        self._need(self.sigma > 0, "sigma > 0", self.sigma)

    def row(self, F: Field, x: Any, Z: Sequence[Any]) -> Vector:
        """Return (r/σ)² log(r/σ) for every z in Z."""
        # Method: with t = (r/σ)² it is ½ t log t, and no root is taken.
        log, s = F.log, self.sigma * self.sigma
        scaled = [t / s for t in squared_distances(F, x, Z)]
        return Vector.of([t * log(t) / 2 if t else t for t in scaled])
