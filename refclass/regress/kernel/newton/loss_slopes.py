"""Slopes of losses in fixed-point numbers: which multiplier a residual calls for, and how fast it changes with it.

    a(r) = argmax { a r − V*(a) − ½σ(a − c)² }        da/dr = 1/Δ, or 0 where a stays at a bound or in a kink

With σ = 0 that is V′(r). A proximal term σ > 0 about a centre c makes it a continuous function where V has kinks
(Rockafellar, 1976; Li, Sun and Toh, 2018).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from copy import copy
from decimal import Context, Decimal
from fractions import Fraction
from typing import Any, ClassVar, NamedTuple, Optional, TypeVar

from refclass.linear.factorisations.fixed_point import fixed
from refclass.number.exponential import exponential

POWER_DIGITS = 45  # of powers: those to which Newton's method has to hold its equations, and fifteen more
NEWTON_STEPS = 60  # most steps of a scalar equation in doubles; from its bounds it takes five to ten
NEAR_DOUBLES = 45  # bits of a logarithm that doubles find
DOUBLINGS = 2  # steps in decimals, each of which doubles the digits: from ten, of 1000 log u, to forty

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

    Below p = 2 they are steep without bound where d is small. With the proximal term about a centre, u = ya/(cp) solves

        u^(1/(p−1)) + σcpu = y(r + σ centre)

    whose logarithm, as a function of log u, has slopes between 1 and 1/(p − 1): Newton's method ends from anywhere.

    bits      the unit is 2^−bits
    y         labels ±1
    costs     w/λ
    p         the exponent, above 1
    work      as of `Piecewise`
    """

    work: ClassVar[int] = 500

    def __init__(self, bits: int, y: Sequence[Any], costs: Sequence[Any], p: Fraction) -> None:
        self.bits, self.y = bits, [1 if t > 0 else -1 for t in y]
        self.tops = fixed([c * p for c in costs], bits)
        self.sigma, self.centre = 0, [0] * len(self.y)
        self.context, self.one = Context(prec=POWER_DIGITS), Decimal(1 << bits)
        self.power = self.context.divide(Decimal((p - 1).denominator), Decimal((p - 1).numerator))

    def __call__(self, i: int, r: int) -> Slope:
        """Return a(r) of point i."""
        t, top, cx = self.y[i], self.tops[i], self.context
        x = t * (r + (self.sigma * self.centre[i] >> self.bits))
        if x <= 0:
            return Slope(0, 0)
        u, steep = self._solved(x, self.sigma * top >> self.bits)
        a = cx.multiply(u, Decimal(top))
        rate = cx.divide(cx.multiply(cx.multiply(self.power, steep), self.one), a)
        delta = int(cx.multiply(rate, self.one)) + self.sigma
        # Premise: what changes by less than a unit of the slope is taken as a constant, at zero as steep as a unit.
        return Slope(t * int(a), 0 if delta >> 2 * self.bits else max(delta, 1))

    def _solved(self, x: int, weight: int) -> tuple[Decimal, Decimal]:
        """Return u and u^power, in decimals, of u^power + weight u = x, both in units."""
        cx, s = self.context, self.power
        right, factor = cx.divide(Decimal(x), self.one), cx.divide(Decimal(weight), self.one)
        if not weight:
            return cx.exp(cx.divide(cx.ln(right), s)), right
        log = Decimal(self._logarithm(math.log(x), math.log(weight)))
        u, steep, change = cx.exp(log), cx.exp(cx.multiply(s, log)), Decimal(0)
        for _ in range(DOUBLINGS):  # log u + change, by series
            flat, rising = cx.multiply(factor, _series(cx, u, change)), _series(cx, steep, cx.multiply(s, change))
            missing = cx.subtract(right, cx.add(flat, rising))
            change = cx.add(change, cx.divide(missing, cx.add(flat, cx.multiply(s, rising))))
        return _series(cx, u, change), _series(cx, steep, cx.multiply(s, change))

    def _logarithm(self, log_x: float, log_weight: float) -> float:
        """Return log u in doubles, for the logarithms of x and weight in units."""
        s, unit = float(self.power), self.bits * math.log(2)
        goal, shift = log_x - unit, log_weight - unit
        w = min(goal / s, goal - shift)
        for _ in range(NEWTON_STEPS):
            g, h = s * w, w + shift
            most = max(g, h)
            left, right = math.exp(g - most), math.exp(h - most)
            step = (most + math.log(left + right) - goal) * (left + right) / (s * left + right)
            w -= step
            if abs(step) * 2**NEAR_DOUBLES < max(1, abs(w)):
                break
        return w


def _series(context: Context, v: Decimal, x: Decimal) -> Decimal:
    """Return v e^x for an x near zero: five terms of the series."""
    total = term = v
    for k in range(1, 5):
        term = context.divide(context.multiply(term, x), Decimal(k))
        total = context.add(total, term)
    return total
