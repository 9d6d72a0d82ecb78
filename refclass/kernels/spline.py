"""The additive cubic-spline kernel."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar

from refclass.kernels.kernel import Kernel
from refclass.linear.common_denominator import Scaled
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
    Cost     3p multiplications and a division
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
        a, p = self.start, len(x)
        values: Sequence[Any] = [t - a if a else t for point in (x, *Z) for t in point]
        unit = 1
        if F.kind is Fraction:  # Method: integers over one denominator D; the kernel is an integer over 6D³.
            scaled = Scaled.of(values)
            values, unit = scaled.integers, scaled.denominator
        by = F.kind(6 * unit**3)
        return Vector.of([sum(map(_six_times, values, values[i : i + p])) / by for i in range(p, len(values), p)])


def _six_times(s: Number, t: Number) -> Number:
    # Proof: for 0 ≤ s ≤ t, ∫₀^s (s − u)(t − u) du = s²t/2 − s³/6.
    low, high = (s, t) if s < t else (t, s)
    return low * low * (3 * high - low) if low > 0 else 0
