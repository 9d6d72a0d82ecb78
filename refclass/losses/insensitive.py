"""The losses that forgive a small residual: linear, squared, and quadratic as MMST prints it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Optional

from refclass.errors import NoAnswer
from refclass.losses.conjugate_pieces import Piece, Pieces, both
from refclass.losses.loss import Loss
from refclass.number.field import Field, Number


@dataclass(frozen=True)
class Insensitive(Loss):
    """The linear ε-insensitive loss  [ESL-12.37] [MMST-11.5.1-linear].

        V(r) = max(0, |r| − ε)

    Exact    yes
    Raises   InvalidInput unless ε ≥ 0
    Laws     convex, even

    Example
        >>> from refclass.number.binary64 import BINARY64
        >>> [Insensitive(0.5)(BINARY64, r) for r in (-2.0, 0.25, 1.0)]
        [1.5, 0.0, 0.5]
    """

    epsilon: Number
    name: ClassVar[str] = "epsilon_insensitive"
    exact: ClassVar[bool] = True
    smooth: ClassVar[bool] = False
    quadratic: ClassVar[bool] = True

    def __post_init__(self) -> None:
        self._need(self.epsilon >= 0, "epsilon ≥ 0", self.epsilon)

    def value(self, F: Field, t: Number) -> Number:
        """Return max(0, |r| − ε)."""
        return abs(t) - self.epsilon if abs(t) > self.epsilon else F.kind(0)

    def slopes(self, F: Field, t: Number) -> tuple[Number, Number]:
        """Return −1 below the tube, 0 in it, 1 above it, and both at an edge."""
        e = self.epsilon
        return F.kind((t > e) - (t <= -e)), F.kind((t >= e) - (t < -e))

    def conjugate(self, F: Field, s: Number) -> Number:
        """Return ε|s| for −1 ≤ s ≤ 1."""
        self._slope_between(s, -1, 1)
        return self.epsilon * abs(s)

    def pieces(self, F: Field) -> Optional[Pieces]:
        """Return ε|a| for |a| ≤ 1  [ESL-12.37] [MMST-11.5.1-linear]."""
        zero, one = F.kind(0), F.kind(1)
        if not self.epsilon:
            return (Piece(zero, zero, -one, one),)
        return both((Piece(self.epsilon, zero, zero, one),))


@dataclass(frozen=True)
class SquaredInsensitive(Loss):
    """The squared ε-insensitive loss: the excess over ε, squared  [MMST-11.5.1-squared].

        V(r) = max(0, |r| − ε)²

    This is the loss of the slack formulation with Σξ².

    Exact    yes
    Raises   InvalidInput unless ε ≥ 0
    Laws     convex, even, smooth
    """

    epsilon: Number
    name: ClassVar[str] = "squared_epsilon_insensitive"
    exact: ClassVar[bool] = True
    quadratic: ClassVar[bool] = True

    def __post_init__(self) -> None:
        self._need(self.epsilon >= 0, "epsilon ≥ 0", self.epsilon)

    def value(self, F: Field, t: Number) -> Number:
        """Return max(0, |r| − ε)²."""
        excess = abs(t) - self.epsilon
        return excess * excess if excess > 0 else F.kind(0)

    def slopes(self, F: Field, t: Number) -> tuple[Number, Number]:
        """Return 2(|r| − ε)₊ with the sign of r, twice."""
        excess = abs(t) - self.epsilon
        s = F.kind(0) if excess <= 0 else 2 * excess if t > 0 else -2 * excess
        return s, s

    def curvature(self, F: Field, t: Number) -> Number:
        """Return 0 inside the tube, 2 from its edges on."""
        return F.kind(2 if abs(t) >= self.epsilon else 0)

    def conjugate(self, F: Field, s: Number) -> Number:
        """Return ε|s| + s²/4."""
        return self.epsilon * abs(s) + s * s / 4

    def pieces(self, F: Field) -> Optional[Pieces]:
        """Return ε|a| + a²/4  [MMST-11.5.1-squared]."""
        zero, half = F.kind(0), F.kind(1) / 2
        if not self.epsilon:
            return (Piece(zero, half, None, None),)
        return both((Piece(self.epsilon, half, zero, None),))


@dataclass(frozen=True)
class QuadraticInsensitive(Loss):
    """The quadratic ε-insensitive loss, as MMST prints it  [MMST-11.5.1-quadratic].

        V(r) = max(0, r² − ε)

    It forgives |r| ≤ √ε, and rises from there with a kink of slope 2√ε.

    Exact    yes, but for the conjugate, which takes √ε
    Raises   InvalidInput unless ε ≥ 0
    Laws     convex, even
    """

    epsilon: Number
    name: ClassVar[str] = "quadratic_epsilon_insensitive"
    exact: ClassVar[bool] = True
    smooth: ClassVar[bool] = False
    quadratic: ClassVar[bool] = True

    def __post_init__(self) -> None:
        self._need(self.epsilon >= 0, "epsilon ≥ 0", self.epsilon)

    def value(self, F: Field, t: Number) -> Number:
        """Return max(0, r² − ε)."""
        return t * t - self.epsilon if t * t > self.epsilon else F.kind(0)

    def slopes(self, F: Field, t: Number) -> tuple[Number, Number]:
        """Return 2r outside the tube, 0 in it, and both at an edge."""
        excess, zero = t * t - self.epsilon, F.kind(0)
        if excess > 0 or self.epsilon == 0:
            return 2 * t, 2 * t
        if excess < 0:
            return zero, zero
        return (zero, 2 * t) if t > 0 else (2 * t, zero)

    def curvature(self, F: Field, t: Number) -> Number:
        """Return 2 outside the tube, 0 inside.  Raises NoAnswer at its edges."""
        if t * t == self.epsilon and t != 0:
            raise NoAnswer("insensitive", need="a residual off the edges of the tube", got=t)
        return F.kind(2 if t * t >= self.epsilon else 0)

    def conjugate(self, F: Field, s: Number) -> Number:
        """Return |s|√ε for s² ≤ 4ε, where the supremum is at an edge, otherwise s²/4 + ε."""
        if s * s <= 4 * self.epsilon:
            return abs(s) * F.sqrt(self.epsilon)
        return s * s / 4 + self.epsilon

    def pieces(self, F: Field) -> Optional[Pieces]:
        """Return √ε|a| for |a| ≤ 2√ε, then parabolas from there  [MMST-11.5.1-quadratic]."""
        zero, half = F.kind(0), F.kind(1) / 2
        if not self.epsilon:
            return (Piece(zero, half, None, None),)
        edge = F.sqrt(self.epsilon)
        return both((Piece(edge, zero, zero, 2 * edge), Piece(edge, half, zero, None)))
