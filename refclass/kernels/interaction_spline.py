"""The interaction spline kernel: an analysis of variance by cubic splines."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from refclass.kernels.kernel import Kernel
from refclass.kernels.spline import Spline
from refclass.linear.vector import Vector
from refclass.number.field import Field, Number


@dataclass(frozen=True)
class InteractionSpline(Kernel):
    """The interaction spline kernel, on rows of numbers  [ESL-12.3.3-interaction].

        K(x, z) = Σ_{1 ≤ |S| ≤ d} Π_{j ∈ S} s(x_j − a, z_j − a)        s(u, v) = uv + k(u, v)

    k is the cubic spline's kernel in one variable (`Spline`), and s that of the functions that are zero at a. A
    function is a sum of one component for each set S of at most d variables, a product of cubic splines (Wahba 1990,
    chapter 10). d = 1 is the additive model with its lines penalised; without a limit on d the sum is Π (1 + s) − 1.

    Exact    yes
    Cost     p(d + 4) multiplications and p divisions
    Raises   InvalidInput unless d ≥ 1
    Laws     symmetric, positive semidefinite, Cauchy–Schwarz

    Example
        >>> from refclass.number.rational import RATIONAL
        >>> k = InteractionSpline(RATIONAL.lift(0), 2)
        >>> k(RATIONAL, RATIONAL.lift_all((1, 1)), RATIONAL.lift_all((1, 1)))  # 4/3 + 4/3 + 16/9
        Fraction(40, 9)
    """

    start: Number = 0
    order: int = 2
    exact: ClassVar[bool] = True

    def __post_init__(self) -> None:
        self._need(type(self.order) is int and self.order >= 1, "a whole order ≥ 1", self.order)

    def row(self, F: Field, x: Any, Z: Sequence[Any]) -> Vector:
        """Return the sum over the sets of variables for every z in Z."""
        a, spline = self.start, Spline(self.start)
        return Vector.of([self._sum(F, [(s - a) * (t - a) + spline(F, (s,), (t,)) for s, t in zip(x, z)]) for z in Z])

    def _sum(self, F: Field, values: Sequence[Number]) -> Number:
        # Method: the elementary symmetric polynomials e₁, …, e_d, a variable at a time: eᵣ ← eᵣ + v eᵣ₋₁.
        found = [F.kind(1), *[F.kind(0)] * self.order]
        for v in values:
            for r in range(self.order, 0, -1):
                found[r] = found[r] + v * found[r - 1]
        return sum(found[1:], F.kind(0))
