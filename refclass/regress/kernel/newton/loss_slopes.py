"""Slopes of losses in fixed-point numbers: which multiplier a residual calls for, and how fast it changes with it.

    a(r) = argmax { a r − V*(a) − ½σ(a − c)² }        da/dr = 1/Δ, or 0 where a stays at a bound or in a kink

With σ = 0 that is V′(r). A proximal term σ > 0 about a centre c makes it a continuous function where V has kinks
(Rockafellar, 1976; Li, Sun and Toh, 2018).
"""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from decimal import Context, Decimal
from fractions import Fraction
from typing import Any, ClassVar, NamedTuple, Optional, TypeVar

from refclass.linear.factorisations.fixed_point import fixed
from refclass.number.exponential import exponential

POWER_DIGITS = 45  # of powers: those to which equations have to hold, and fifteen more

Own = TypeVar("Own", bound="OfPoints")


class Slope(NamedTuple):
    """A multiplier a(r), and Δ = dr/da there; Δ = 0 says that a does not change with r."""

    a: int
    delta: int


class Side(NamedTuple):
    """A piece as it is filled on one side of zero: slope s, curvature κ, the bound, and whether it has another side."""

    slope: int
    curvature: int
    end: Optional[int]
    both: bool


class OfPoints:
    """Slopes of the losses of some points: every list has an entry for each."""

    def part(self: Own, places: Sequence[int]) -> Own:
        """Return the slopes of some of the points."""
        own = copy(self)
        lists = {name: held for name, held in vars(self).items() if isinstance(held, list)}
        vars(own).update({name: [held[i] for i in places] for name, held in lists.items()})
        return own


class Piecewise(OfPoints):
    """The slopes of convex piecewise quadratic losses  [MMST-11.5.1-linear] [ESL-12.38].

    bits      the unit is 2^−bits
    pieces    of each point the pieces of its V* (see `machine`), their numbers of any kind
    sigma     the weight σ of the proximal term, in units
    centre    its centre c, in units
    unbounded whether no multiplier has a bound but zero
    work      as many multiplications of integers of 128 bits as a slope takes time, about
    """

    work: ClassVar[int] = 40

    def __init__(self, bits: int, pieces: Sequence[Any]) -> None:
        self.bits, self.sigma, self.centre = bits, 0, [0] * len(pieces)
        known: dict[Any, tuple[list[Side], list[Side]]] = {}
        for own in pieces:
            if own not in known:
                known[own] = ([], [])
                for piece in own:
                    self._split(piece, *known[own])
        self.sides = [known[own] for own in pieces]
        self.unbounded = all(side.end is None for sides in known.values() for own in sides for side in own)

    def _split(self, piece: Any, rising: list[Side], falling: list[Side]) -> None:
        s, k = fixed([piece.slope, piece.curvature], self.bits)
        low, high = (None if b is None else fixed([b], self.bits)[0] for b in (piece.low, piece.high))
        both = low != 0 and high != 0
        if high != 0:
            rising.append(Side(s, k, high, both))
        if low != 0:
            falling.append(Side(-s, k, None if low is None else -low, both))

    def __call__(self, i: int, r: int) -> Slope:
        """Return a(r) of point i."""
        rising, falling = self.sides[i]
        z = r + (self.sigma * self.centre[i] >> self.bits)
        found = self._filled(rising, z)
        if found is None:
            found = self._filled(falling, -z)
            return Slope(0, 0) if found is None else Slope(-found.a, found.delta)
        return found

    def _filled(self, sides: list[Side], z: int) -> Optional[Slope]:
        """Return what the pieces of one side take, in their order; None where that is nothing."""
        # Method: where the pieces before it are full, (κ + σ)v = z − s − σ·(what is filled).
        done, some = 0, False
        for side in sides:
            left, delta = z - side.slope - (self.sigma * done >> self.bits), side.curvature + self.sigma
            if left < 0 or (left == 0 and not side.both):
                break
            v = (left << self.bits) // delta
            if side.end is None or v < side.end:
                return Slope(done + v, delta)
            done, some = done + side.end, True
        return Slope(done, 0) if some else None


class Logistic(OfPoints):
    """The slopes of the binomial deviance over λ: a(f) = wy/(λ(1 + e^(yf))), as a function of r = y − f  [ESL-12.31].

    bits      the unit is 2^−bits
    y         labels ±1
    costs     w/λ
    work      as of `Piecewise`
    """

    work: ClassVar[int] = 200

    def __init__(self, bits: int, y: Sequence[Any], costs: Sequence[Any]) -> None:
        self.bits, self.y = bits, [1 if t > 0 else -1 for t in y]
        self.costs = fixed(costs, bits)
        self.sigma, self.centre = 0, [0] * len(self.y)

    def __call__(self, i: int, r: int) -> Slope:
        """Return a(r) of point i."""
        bits, t, one = self.bits, self.y[i], 1 << self.bits
        m = t * ((t << bits) - r)
        e = exponential(abs(m), bits)
        p = (one << bits) // (one + e)  # of the larger of the two probabilities
        rare = one - p if e * 4 > one else (e * p) >> bits
        a = self.costs[i] * (rare if m >= 0 else p) >> bits
        curvature = (self.costs[i] * rare >> bits) * p >> bits
        # Premise: what changes by less than the square root of a unit is taken as a constant.
        delta = (one << bits) // curvature if curvature.bit_length() * 2 > bits else 0
        return Slope(t * a, delta)


class Power(OfPoints):
    """The slopes of the hinge to the power of p over λ: a = cpd^(p−1) for a slack d = yr > 0, c = w/λ  [KIM-3.33].

    bits      the unit is 2^−bits
    y         labels ±1
    tops      cp for costs c = w/λ
    p         the exponent, above 1
    work      as of `Piecewise`
    """

    work: ClassVar[int] = 200

    def __init__(self, bits: int, y: Sequence[Any], costs: Sequence[Any], p: Fraction) -> None:
        self.bits, self.y, self.p = bits, [1 if t > 0 else -1 for t in y], p
        self.tops = fixed([c * p for c in costs], bits)
        self.sigma, self.centre = 0, [0] * len(self.y)
        self.context, self.one = Context(prec=POWER_DIGITS), Decimal(1 << bits)
        self.flat = self.context.divide(*map(Decimal, (p - 1).as_integer_ratio()))

    def __call__(self, i: int, r: int) -> Slope:
        """Return a(r) of point i."""
        x, cx = self.y[i] * r, self.context
        if x <= 0:
            return Slope(0, 0)
        d = cx.divide(Decimal(x), self.one)
        a = cx.multiply(Decimal(self.tops[i]), cx.exp(cx.multiply(self.flat, cx.ln(d))))
        delta = int(cx.multiply(cx.divide(cx.multiply(d, self.one), cx.multiply(self.flat, a)), self.one))
        # Premise: what changes by less than a unit of the slope is taken as a constant, at zero as steep as a unit.
        return Slope(self.y[i] * int(a), 0 if delta >> 2 * self.bits else max(delta, 1))
