"""Natural cubic splines as functions: values and second derivatives at knots, straight beyond them."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from operator import mul, sub

from refclass.bases import penalty
from refclass.linear.vector import Vector
from refclass.number.field import Number


@dataclass(frozen=True)
class Curve:
    """Natural cubic splines, one for each response, through values at common knots.

    knots      x₀ < … < x_{m−1}
    values     for each response the m values at the knots
    seconds    for each response the m second derivatives at the knots, zero at both ends
    """

    knots: Vector
    values: tuple[Vector, ...]
    seconds: tuple[Vector, ...]

    def __call__(self, x: Number) -> Vector:
        """Return every response's value at x: cubic between the knots, straight beyond them.

            f(x) = a gᵢ + b gᵢ₊₁ + ((a³ − a) γᵢ + (b³ − b) γᵢ₊₁) h²/6,   a = (xᵢ₊₁ − x)/h, b = (x − xᵢ)/h

        Exact    yes
        """
        m, last = len(self.knots), self.knots[-1]
        if m == 1:
            return Vector.of([g[0] for g in self.values])
        if not self.knots[0] <= x <= last:
            end = 0 if x < last else -1
            away = x - self.knots[end]
            return Vector.of([g[end] + away * slopes[end] for g, slopes in zip(self.values, self.slopes)])
        i = min(max(bisect_right(self.knots, x) - 1, 0), m - 2)
        h = self.knots[i + 1] - self.knots[i]
        a, b = (self.knots[i + 1] - x) / h, (x - self.knots[i]) / h
        p, q = (a * a * a - a) * h * h / 6, (b * b * b - b) * h * h / 6
        return Vector.of([a * g[i] + b * g[i + 1] + p * c[i] + q * c[i + 1] for g, c in zip(self.values, self.seconds)])

    @cached_property
    def slopes(self) -> list[tuple[Number, Number]]:
        """For each response the slopes at the first and the last knot, of two knots or more."""
        h = list(map(sub, self.knots[1:], self.knots))
        bands, wide = penalty.bands(self.knots) if len(h) > 1 else None, self.knots[-1] - self.knots[0]
        found = []
        for g, c in zip(self.values, self.seconds):
            # Premise: f′ rises by Rγ from gap to gap. Where a gap at an end is small, its own slope has no digits: the
            # line through both ends, less what the rises add, has them, unless these are large themselves.
            rises = list(accumulate(bands.stretched(c[1:-1]), initial=0 * g[0])) if bands else [0 * g[0]]
            across = (g[-1] - g[0] - sum(map(mul, rises, h))) / wide
            rough = (max(abs(g[0]), abs(g[-1])) / wide) + max(map(abs, rises))
            near = (
                (g[1] - g[0]) / h[0] if max(abs(g[0]), abs(g[1])) <= rough * h[0] else across,
                (g[-1] - g[-2]) / h[-1] if max(abs(g[-1]), abs(g[-2])) <= rough * h[-1] else across + rises[-1],
            )
            found.append((near[0] - h[0] * c[1] / 6, near[1] + h[-1] * c[-2] / 6))
        return found

    def roughness(self) -> Number:
        """Return Σ over the responses of ∫ f″² = γᵀRγ."""
        zero = self.knots[0] * 0
        if len(self.knots) < 3:
            return zero
        made = penalty.bands(self.knots)
        total = zero
        for c in self.seconds:
            inner = c[1:-1]
            total = total + made.energy(inner)
        return total
