"""Convex piecewise quadratic functions by the pieces of their conjugates.

Of a convex piecewise quadratic V the conjugate V*(a) = sup ar − V(r) is one, too, and is written as pieces: a is a sum
of parts v, each between bounds of its own and paid for by a parabola,

    V*(a) = min { Σ sv + ½κv² : Σ v = a, low ≤ v ≤ high }        V(r) = Σ max { (r − s)v − ½κv² : low ≤ v ≤ high }

The pieces that rise from zero stand in the order of their slopes, then those that fall.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from fractions import Fraction
from math import ceil, floor
from typing import Any, NamedTuple, Optional, Union

from refclass.linear.common_denominator import Scaled
from refclass.number.field import Field, Number

Bound = Optional[Number]  # None stands for no bound
ROUNDED = 2**51  # one over the part that bounds are rounded by: a weight times C, such as 7/8 · 1/3, is rounded twice


class Piece(NamedTuple):
    """A part of a multiplier: low ≤ v ≤ high, low ≤ 0 ≤ high, at the cost slope·v + ½·curvature·v²."""

    slope: Number
    curvature: Number
    low: Bound
    high: Bound

    def clip(self, v: Number) -> Number:
        """Return v, brought between the bounds."""
        if self.low is not None and v < self.low:
            return self.low
        return self.high if self.high is not None and v > self.high else v

    def rises(self, v: Number) -> bool:
        """Return whether a number above v is allowed."""
        return self.high is None or bool(v < self.high)

    def falls(self, v: Number) -> bool:
        """Return whether a number below v is allowed."""
        return self.low is None or bool(v > self.low)

    def between(self, v: Number, most: Number) -> bool:
        """Return whether v lies between the bounds, and not at one of them but for roundoff.

        most    the largest part of the answer: where all are far smaller than the range, roundoff of it counts
        """
        ends = [b for b in (self.low, self.high) if b is not None]
        width = min(most, ends[1] - ends[0]) if len(ends) == 2 else most
        return self.rises(v) and self.falls(v) and all(abs(v - b) > width / ROUNDED for b in ends)

    def scaled(self, cost: Number) -> Piece:
        """Return the piece of cost · V: (cV)*(a) = c V*(a/c); nothing but zero is left at cost zero."""
        if not cost:
            return Piece(self.slope, 0 * self.curvature, cost, cost)
        low, high = (None if b is None else cost * b for b in (self.low, self.high))
        return Piece(self.slope, self.curvature / cost, low, high)

    def mirrored(self) -> Piece:
        """Return the piece of V(−r)."""
        low, high = (None if b is None else -b for b in (self.high, self.low))
        return Piece(-self.slope, self.curvature, low, high)

    def lifted(self, F: Field) -> Piece:
        """Return the piece with its numbers lifted into F."""
        return Piece(*[None if v is None else F.lift(v) for v in self])


Pieces = tuple[Piece, ...]


def mirrored(pieces: Pieces) -> Pieces:
    """Return the pieces of V(−r)."""
    return tuple([piece.mirrored() for piece in pieces])


def both(above: Pieces) -> Pieces:
    """Return the pieces of an even function, from those that rise."""
    return above + mirrored(above)


def scaled(pieces: Pieces, cost: Number) -> Pieces:
    """Return the pieces of cost · V."""
    return tuple([piece.scaled(cost) for piece in pieces])


class Conjugate(NamedTuple):
    """V* at one a: its value, and its slopes to the left and to the right, None where it is infinite beyond."""

    value: Number
    left: Bound
    right: Bound


def parts_of(pieces: Pieces, a: Number) -> list[Number]:
    """Return the parts that sum up to a at the least cost: the pieces are filled in their order.

    What no piece takes is put into the last: then a is not feasible, and its part shows by how much.
    """
    left, parts, last = a, [0 * a for _ in pieces], 0
    for k, piece in enumerate(pieces):
        ahead = piece.high if a > 0 else piece.low
        if left and (ahead is None or ahead != 0):
            parts[k], last = piece.clip(left), k
            left = left - parts[k]
    if left:
        parts[last] = parts[last] + left
    return parts


def within(pieces: Pieces, a: Number) -> bool:
    """Return whether V*(a) is finite: every part of a lies between its bounds."""
    return all(p.clip(v) == v for p, v in zip(pieces, parts_of(pieces, a)))


def conjugate(pieces: Pieces, a: Number) -> Conjugate:
    """Return V*(a) with its slopes.

    The residuals r at which a is a slope of V are those between left and right.

    Exact     yes
    Example
        >>> tube = (Piece(0.5, 0.0, 0.0, 1.0), Piece(-0.5, 0.0, -1.0, 0.0))
        >>> conjugate(tube, 0.25), conjugate(tube, 0.0)
        (Conjugate(value=0.125, left=0.5, right=0.5), Conjugate(value=0.0, left=-0.5, right=0.5))
    """
    parts = parts_of(pieces, a)
    paid = sum((p.slope * v + p.curvature * v * v / 2 for p, v in zip(pieces, parts)), 0 * a)
    slopes = [p.slope + p.curvature * v for p, v in zip(pieces, parts)]
    rising = [s for s, p, v in zip(slopes, pieces, parts) if p.rises(v)]
    falling = [s for s, p, v in zip(slopes, pieces, parts) if p.falls(v)]
    return Conjugate(paid, max(falling, default=None), min(rising, default=None))


def value(pieces: Pieces, r: Number) -> Number:
    """Return V(r) = Σ max (r − s)v − ½κv² over the pieces; None where it is infinite.

    Exact     yes

    Example
        >>> tube = (Piece(0.5, 0.0, 0.0, 1.0), Piece(-0.5, 0.0, -1.0, 0.0))
        >>> value(tube, 0.25), value(tube, -2.0)
        (0.0, 1.5)
    """
    total = 0 * r
    for piece in pieces:
        d = r - piece.slope
        if piece.curvature:
            v = piece.clip(d / piece.curvature)
        else:
            end = piece.high if d > 0 else piece.low
            if end is None and d != 0:
                return None
            v = 0 * r if end is None else end
        total = total + d * v - piece.curvature * v * v / 2
    return total


def nearest(pieces: Pieces, z: Number) -> Number:
    """Return the a that minimises ½(z − a)² + V*(a): then z − a is a residual at which a is a slope of V.

    So a is optimal for the residual r if and only if it is nearest to a + r.

    Exact     yes
    """
    # Method: the pieces are filled in their order until one is not full: there (1 + κ)v = z − (what is filled) − s.
    done = 0 * z
    for side in (1, -1):
        for piece in pieces:
            end = piece.high if side > 0 else piece.low
            if end is not None and end == 0:
                continue
            v = piece.clip((z - done - piece.slope) / (1 + piece.curvature))
            if v * side <= 0:
                break
            done = done + v
            if v != end:
                return done
        if done:
            return done
    return done


def total(
    losses: Sequence[Pieces], residuals: Union[Scaled, Sequence[Number]], *, allowed: bool = False
) -> Optional[Number]:
    """Return Σ Vᵢ(rᵢ), of exact numbers over the integers; None where it is infinite.

    Shapes    losses: for each residual the pieces of its Vᵢ, at their exact worth if the residuals are
    allowed   whether an infinite loss counts as none

    Exact     yes
    Cost      two comparisons of integers for each residual and piece of its loss
    """
    names = list(map(id, losses))
    groups: dict[int, list[Any]] = {name: [] for name in names}
    for name, r in zip(names, residuals.integers if isinstance(residuals, Scaled) else residuals):
        groups[name].append(r)
    known, result = dict(zip(names, losses)), 0 * residuals[0]
    for name, own in groups.items():
        for piece in known[name]:
            if isinstance(residuals, Scaled):
                part = _total(piece, Scaled(tuple(own), residuals.denominator), allowed)
            else:
                part = _rounded_total(piece, own, allowed)
            if part is None:
                return None
            result = result + part
    return result


def _rounded_total(piece: Piece, residuals: Sequence[Number], allowed: bool) -> Optional[Number]:
    """Return what `_total` does, of numbers that are summed with roundoff."""
    away = [r - piece.slope for r in residuals]
    if piece.curvature:
        parts = [(d, piece.clip(d / piece.curvature)) for d in away]
        return sum([d * v - piece.curvature * v * v / 2 for d, v in parts])
    result = 0 * away[0]
    for bound, beyond in ((piece.low, [d for d in away if d < 0]), (piece.high, [d for d in away if d > 0])):
        if beyond and bound is None and not allowed:
            return None
        if beyond and bound:
            result = result + bound * sum(beyond[1:], beyond[0])
    return result


def _total(piece: Piece, r: Scaled, allowed: bool) -> Optional[Fraction]:
    """Return Σ max { (rᵢ − s)v − ½κv² : low ≤ v ≤ high }: beyond a bend v is at its bound, between them (r − s)/κ."""
    s, curvature, low, high = piece
    below = above = None  # the integers at which r reaches the bends
    if low is not None or not curvature:
        below = ceil((s + curvature * (low or 0)) * r.denominator)
    if high is not None or not curvature:
        above = floor((s + curvature * (high or 0)) * r.denominator)
    result = Fraction(0)
    for bound, beyond in (
        (low, [k for k in r.integers if below is not None and k < below]),
        (high, [k for k in r.integers if above is not None and k > above]),
    ):
        if beyond and bound is None and not allowed:
            return None
        if beyond and bound:
            result += bound * (Fraction(sum(beyond), r.denominator) - len(beyond) * (s + curvature * bound / 2))
    if curvature:
        inside = Scaled(
            tuple([k for k in r.integers if (below is None or k >= below) and (above is None or k <= above)]),
            r.denominator,
        )
        away = inside.plus(-s)
        result += away @ away / (2 * curvature)
    return result


def alike(losses: Sequence[Pieces], a: Union[Scaled, Sequence[Any]]) -> list[tuple[Pieces, Any, list[int]]]:
    """Return the points sorted by loss and multiplier: the pieces, the multiplier, the places that have both."""
    groups: dict[tuple[int, Any], list[int]] = defaultdict(list)
    for i, key in enumerate(zip(map(id, losses), a.integers if isinstance(a, Scaled) else a)):
        groups[key].append(i)
    return [(losses[places[0]], a[places[0]], places) for places in groups.values()]


def each(what: Callable[[Pieces, Number], Any], losses: Sequence[Pieces], a: Sequence[Number]) -> list[Any]:
    """Return what(Vᵢ, aᵢ) for every point, computed once for points of the same loss and multiplier."""
    found: list[Any] = [None] * len(a)
    for own, v, places in alike(losses, a):
        value = what(own, v)
        for i in places:
            found[i] = value
    return found
