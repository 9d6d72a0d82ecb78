"""The Dirichlet kernel: inner products of truncated Fourier series."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Callable, ClassVar, Optional

from refclass.kernels.kernel import Kernel
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector
from refclass.number.field import Field


@dataclass(frozen=True)
class Dirichlet(Kernel):
    """The Dirichlet kernel, on rows of one number  [MMST-Ex11.7].

        K(x, z) = ½ + Σ_(j=1…m) cos jδ = sin((m + ½)δ)/(2 sin(δ/2))        δ = x − z

    The quotient is 0/0 at the multiples of 2π, where K = m + ½; the sum is what is computed. m is `order`.

    Exact    no
    Cost     m multiplications and m cosines, and a division
    Raises   InvalidInput unless m is an integer ≥ 0, and for rows of more than one number
    Laws     symmetric, positive semidefinite, Cauchy–Schwarz, stationary
    """

    order: int
    exact: ClassVar[bool] = False

    def __post_init__(self) -> None:
        self._need(type(self.order) is int and self.order >= 0, "order an integer ≥ 0", self.order)

    def points(
        self, F: Field, X: Any, rows: Callable[..., Matrix], training: Optional[Sequence[Any]] = None
    ) -> Sequence[Any]:
        """Return the rows of X, of one number each."""
        return rows(F, X, columns=1)

    def row(self, F: Field, x: Any, Z: Sequence[Any]) -> Vector:
        """Return ½ + Σ cos jδ for every z in Z."""
        self._need(len(x) == 1, "rows of one number", len(x))
        half, cos, m = F.kind(1) / 2, F.cos, self.order
        return Vector.of([sum((cos(j * (x[0] - z[0])) for j in range(1, m + 1)), half) for z in Z])
