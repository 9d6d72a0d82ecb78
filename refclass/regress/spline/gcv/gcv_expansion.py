"""Lower bounds of GCV over an interval of t = log λ, by Chebyshev interpolation of RSS and N² with bounds of its error.

Where GCV is constant but for a few parts in 10⁸ over decades of λ, bounds of second order need thousands of values. RSS
and N² are analytic for |Im t| < π, and interpolation in 24 Chebyshev points of an interval of length 3/2 is off by less
than 10⁻¹³ of them. That GCV ≥ nc is that the polynomial of RSS − cN² is positive, which subdivision decides without
another value of GCV (L. N. Trefethen 2013, Approximation Theory and Approximation Practice, theorem 8.2).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Callable

from refclass.number.field import Field, Number
from refclass.regress.spline.gcv.branch_and_bound import Point

# Proof of the error: u = 1/(1 + q), q = 1/(λd). At t + iy, |1 + q exp(−iy)| ≥ (1 + q) cos(y/2), as the squares differ
# by (1 − q)² sin²(y/2); and u(t + s) ≤ exp(s) u(t). So on an ellipse about the interval, its foci the ends, that
# reaches HEIGHT up and s beyond them, |RSS| ≤ g² RSS and |N| ≤ gN + (1 + g) max(0, −N(0)) with g = exp(s)/cos(1), RSS
# and N taken at the right end. With M a bound on the ellipse and ρ the sum of its half-axes over half the interval, an
# interpolant in K Chebyshev points is off by no more than 4Mρ^(1−K)/(ρ − 1), and by LEBESGUE times what values are off.

KNOTS = 24  # the points, three times a power of two, so that square roots give their cosines
HEIGHT = 2  # half the small axis of the ellipse, below π
COSINE = (54, 100)  # a lower bound of cos(HEIGHT/2), as a ratio
LEBESGUE = 4  # an upper bound of the Lebesgue constant of 24 Chebyshev points, 3.03
DEEPEST = 40  # times that an interval is halved


@dataclass(frozen=True)
class Expansion:
    """RSS and N² on an interval, as polynomials in Chebyshev's basis.

    ends       the interval
    rss        the coefficients of RSS
    squared    those of N²
    errors     how far these may be off
    basis      what depends on the number of points alone
    exp        an exponential
    """

    ends: tuple[Number, Number]
    rss: list[Number]
    squared: list[Number]
    errors: tuple[Number, Number]
    basis: Basis
    exp: Any

    def lowest(self, tolerance: Number) -> Number:
        """Return a place where RSS/N² is lowest but for the tolerance, if that is within and one between samples."""
        low, high = self.ends
        one = tolerance / tolerance
        width = 2 * one / KNOTS
        middle = min((k * width for k in range(-KNOTS // 2, KNOTS // 2 + 1)), key=self._ratio)
        a, b = max(middle - width, -one), min(middle + width, one)
        while (b - a) * (b - a) > tolerance:
            c, d = a + 3 * (b - a) / 8, a + 5 * (b - a) / 8
            a, b = (a, d) if self._ratio(c) <= self._ratio(d) else (c, b)
        return low + (high - low) * (1 + (a + b) / 2) / 2

    def _ratio(self, x: Number) -> Number:
        return _value(self.rss, x) / _value(self.squared, x)

    def above(self, value: Number) -> bool:
        """Return whether log RSS − 2 log N is proven to be no lower than a value over the interval."""
        c = self.exp(value)
        off = self.errors[0] + c * self.errors[1]
        stack = [(0, [a - c * b for a, b in zip(self.rss, self.squared)])]
        while stack:
            depth, own = stack.pop()
            if own[0] - sum(map(abs, own[1:])) > off:
                continue
            if depth == DEEPEST or not _value(own, 0 * c) > off:
                return False
            stack += [(depth + 1, half) for half in self.basis.halves(own)]
        return True


@dataclass(frozen=True)
class Basis:
    """Chebyshev polynomials of degree below K.

    cosines    cos(kπ/2K) for k < 4K
    half       row j: the coefficients of Tⱼ((x − 1)/2), j + 1 numbers
    """

    cosines: list[Number]
    half: list[list[Number]]

    @classmethod
    def of(cls, F: Field) -> Basis:
        """Return it in the numbers of a field."""
        one, angle = F.lift(1), F.pi() / (2 * KNOTS)
        half = [[one], [-one / 2, one / 2]]
        while len(half) < KNOTS:
            # T(j+1) = (x − 1)Tⱼ − T(j−1), xTᵢ = (T(i+1) + T|i−1|)/2
            before, last = half[-2], half[-1]
            made = [0 * one, *(v / 2 for v in last)]
            made[1] = made[1] + last[0] / 2
            for i, v in enumerate(last[1:]):
                made[i] = made[i] + v / 2
            for row in (before, last):
                for i, v in enumerate(row):
                    made[i] = made[i] - v
            half.append(made)
        return cls([F.cos(k * angle) for k in range(4 * KNOTS)], half)

    def places(self) -> list[Number]:
        """Return the Chebyshev points on [−1, 1]."""
        return [self.cosines[2 * i + 1] for i in range(KNOTS)]

    def coefficients(self, values: Sequence[Number]) -> list[Number]:
        """Return the polynomial through values at the points."""
        c, every, turn = self.cosines, range(KNOTS), 4 * KNOTS
        found = [2 * sum(v * c[j * (2 * i + 1) % turn] for i, v in enumerate(values)) / KNOTS for j in every]
        return [found[0] / 2, *found[1:]]

    def halves(self, own: Sequence[Number]) -> list[list[Number]]:
        """Return a polynomial on the left and on the right half of its interval, each over [−1, 1]."""
        zero = 0 * own[0]
        left, right = [zero] * KNOTS, [zero] * KNOTS
        for j, (c, row) in enumerate(zip(own, self.half)):
            for i, v in enumerate(row):
                left[i] = left[i] + c * v
                right[i] = right[i] + (c * v if (i + j) % 2 == 0 else -c * v)
        return [left, right]


@lru_cache(maxsize=8)
def basis(F: Field) -> Basis:
    """Return the polynomials in the numbers of a field, kept."""
    return Basis.of(F)


def expanded(F: Field, f: Callable[[Number], Point], a: Point, b: Point, least: Number) -> Expansion:
    """Return RSS and N² between two points of the criterion f, as polynomials of t, from KNOTS values of f.

    Given     N at λ = 0, from above
    """
    low, high, own = a.place, b.place, basis(F)
    found = [f(low + (high - low) * (1 + x) / 2).given for x in own.places()]
    half = (high - low) / 2
    long = F.sqrt(half * half + HEIGHT * HEIGHT)  # half the long axis
    growth = F.exp(long - half) * COSINE[1] / COSINE[0]
    ratio = (long + HEIGHT) / half
    share = 4 * ratio / ratio**KNOTS / (ratio - 1)
    module = growth * b.given.module[1] + (1 + growth) * max(0 * least, -least)
    sizes = growth * growth * b.given.rss[1], module * module
    parts = [g.rss for g in found], [(g.module[0] * g.module[0], g.module[1] * g.module[1]) for g in found]
    errors = [size * share + LEBESGUE * max(v - u for u, v in part) for size, part in zip(sizes, parts)]
    rss, squared = (own.coefficients([(u + v) / 2 for u, v in part]) for part in parts)
    return Expansion((low, high), rss, squared, (errors[0], errors[1]), own, F.exp)


def _value(coefficients: Sequence[Number], x: Number) -> Number:
    """Return Σ cⱼTⱼ(x), by Clenshaw's recurrence."""
    u = v = 0 * x
    for c in reversed(coefficients[1:]):
        u, v = c + 2 * x * u - v, u
    return coefficients[0] + x * u - v
