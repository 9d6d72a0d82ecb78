"""B-splines: the splines of smallest support, which are positive and sum to one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from refclass.bases.basis import Univariate
from refclass.linear.vector import Vector
from refclass.number.field import Field, Number


@dataclass(frozen=True)
class BSplines(Univariate):
    """The B-splines of degree d on a sequence of knots t₀ ≤ t₁ ≤ … ≤ t_{M+d}, by Cox and de Boor  [ESL-12.42].

        B_{i,0}(x) = 1 on [tᵢ, tᵢ₊₁), else 0
        B_{i,k}(x) = (x − tᵢ)/(tᵢ₊ₖ − tᵢ) B_{i,k−1}(x) + (tᵢ₊ₖ₊₁ − x)/(tᵢ₊ₖ₊₁ − tᵢ₊₁) B_{i+1,k−1}(x),   0/0 = 0

    M functions, the i-th zero outside [tᵢ, tᵢ₊d₊₁]; between t_d and t_M, the last end included, they sum to one. A
    knot that stands m times leaves d − m continuous derivatives. Outside the knots every function is zero.

    Exact    yes
    Raises   InvalidInput unless d ≥ 0 is an integer, the knots never descend, there are at least d + 2, no d + 2 equal

    Example
        >>> from refclass.number.rational import RATIONAL
        >>> B = clamped(2, Vector(map(RATIONAL.lift, (0, 1, 2))))
        >>> B(RATIONAL, RATIONAL.lift("1/2"))
        Vector(1/4, 5/8, 1/8, 0)
    """

    degree: int
    knots: Vector
    exact: ClassVar[bool] = True

    def __post_init__(self) -> None:
        d, t = self.degree, self.knots
        self._need(type(d) is int and d >= 0, "an integer degree ≥ 0", d)
        self._need(isinstance(t, Vector), "knots as a vector of numbers", type(t).__name__)
        self._need(len(t) >= d + 2, f"at least {d + 2} knots for degree {d}", len(t))
        for i in range(len(t) - 1):
            self._need(t[i] <= t[i + 1], "knots that never descend", f"{t[i]}, {t[i + 1]}")
        for i in range(len(self)):
            self._need(t[i] < t[i + d + 1], f"no knot more than {d + 1} times", f"{t[i]} {d + 2} times")

    def __len__(self) -> int:
        return len(self.knots) - self.degree - 1

    @property
    def power(self) -> int:
        """The degree d."""
        return self.degree

    def pieces(self) -> Vector:
        """Return the distinct knots."""
        return Vector.of(dict.fromkeys(self.knots))

    def derivative(self, F: Field, x: Number, order: int) -> Vector:
        """Return the derivatives of that order at x.

        B′_{i,k} = k (B_{i,k−1}/(tᵢ₊ₖ − tᵢ) − B_{i+1,k−1}/(tᵢ₊ₖ₊₁ − tᵢ₊₁))
        """
        t, d = self.knots, self.degree
        if order > d:
            return Vector.of([0 * x] * len(self))
        values = self._indicators(x)
        for k in range(1, d + 1):
            shares = [_share(v, t[i + k] - t[i]) for i, v in enumerate(values)]
            pairs = zip(shares, shares[1:])
            if k <= d - order:
                values = [(x - t[i]) * a + (t[i + k + 1] - x) * b for i, (a, b) in enumerate(pairs)]
            else:
                values = [k * (a - b) for a, b in pairs]
        return Vector.of(values)

    def _indicators(self, x: Number) -> list[Number]:
        # Premise: the last interval that is not empty includes its right end, so that the sum is one there, too.
        t, zero = self.knots, 0 * x
        values = [zero + int(t[i] <= x < t[i + 1]) for i in range(len(t) - 1)]
        if x == t[-1]:
            values[max(i for i in range(len(t) - 1) if t[i] < t[i + 1])] = zero + 1
        return values


def _share(value: Number, width: Number) -> Number:
    return value / width if width else value * 0  # a B-spline of empty support is zero


def clamped(degree: int, places: Any) -> BSplines:
    """Return the B-splines for a spline on [first, last], with the inner places as simple knots.

    The ends stand d + 1 times, so that there are d + len(places) − 1 functions and they sum to one on the interval.
    """
    low, *inner, high = places
    return BSplines(degree, Vector([*[low] * (degree + 1), *inner, *[high] * (degree + 1)]))
