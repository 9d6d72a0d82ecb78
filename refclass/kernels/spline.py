"""The additive cubic-spline kernel."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from refclass.kernels.kernel import Kernel
from refclass.linear.vector import Vector
from refclass.number.field import Field, Number


@dataclass(frozen=True)
class Spline(Kernel):
    """The additive cubic-spline kernel, on rows of numbers  [ESL-12.3.3-additive].

        K(x, z) = Σ_j k(x_j − a, z_j − a)
        k(s, t) = ∫₀^∞ (s − u)₊ (t − u)₊ du = m²(3M − m)/6        m = min(s, t)₊, M = max(s, t)

    Its norm is J(f) = Σ_j ∫ f_j″² over [a, ∞) [ESL-12.30], so that the constant and the linear functions, which cost
    nothing, are not in its space: they are to be added unpenalised. Then a, `start`, does not matter as long as no x_j
    lies left of it.

    Exact    yes
    Cost     3p multiplications and p divisions
    Laws     symmetric, positive semidefinite, Cauchy–Schwarz

    Example
        >>> from refclass.number.binary64 import BINARY64
        >>> Spline()(BINARY64, (1.0, 2.0), (1.0, 3.0))  # 1/3 + 14/3
        5.0
    """

    start: Number = 0
    exact: ClassVar[bool] = True

    def row(self, F: Field, x: Any, Z: Sequence[Any]) -> Vector:
        """Return Σ_j k(x_j − a, z_j − a) for every z in Z."""
        a, zero = self.start, F.kind(0)
        return Vector.of([sum((_in_one(s - a, t - a, zero) for s, t in zip(x, z)), zero) for z in Z])


def _in_one(s: Number, t: Number, zero: Number) -> Number:
    # Proof: for 0 ≤ s ≤ t, ∫₀^s (s − u)(t − u) du = s²t/2 − s³/6.
    low, high = (s, t) if s < t else (t, s)
    return low * low * (3 * high - low) / 6 if low > 0 else zero
