"""The pair of multipliers that a step of SMO moves, and how far (Keerthi et al. 2001; Fan, Chen and Lin 2005)."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from itertools import compress
from typing import Any, Optional

from refclass.number.field import Number
from refclass.number.tolerance import roundoff
from refclass.optimise.limits import CURVATURE_UNITS
from refclass.optimise.quadratic import box

MOST_KEPT = 1 << 20  # curvatures of pairs: 8 MB of doubles, which are kept in arrays


class Pairs:
    """The iteration on the variables of a problem, all or some of them.

    x, m             the point, and −(Qx + c)
    lower, upper     the bounds, None where there is none
    rise, fall       whether an entry can rise, can fall
    value            how much the objective has changed
    """

    def __init__(
        self, Q: Any, x: Sequence[Number], m: Sequence[Number], lower: Any, upper: Any, *, paired: bool
    ) -> None:
        self.Q, self.paired = Q, paired
        self.x, self.m, self.lower, self.upper = list(x), list(m), lower, upper
        self.diagonal = tuple(Q.diagonal())
        self.rise = box.rising(self.x, upper)
        self.fall = box.falling(self.x, lower)
        self.zero = type(self.m[0])(0)
        self.value = self.zero
        self.curvatures: dict[int, Sequence[Number]] = {}
        self.floor = CURVATURE_UNITS * roundoff(type(self.zero)) * max(map(abs, self.diagonal))

    def violation(self) -> Number:
        """Return how far the worst pair violates optimality."""
        return box.violation(self.m, self.rise, self.fall, self.paired)

    def choose(self, tol: Number) -> Optional[tuple[int, int]]:
        """Return which variable rises and which falls, equal for one alone; None if no violation exceeds tol."""
        if not self.paired:
            return self._alone(tol)
        i = self._first()
        if i is None:
            return None
        top, zero = self.m[i], self.zero
        gains = [
            s * s / e if can and (s := top - v) > zero else zero
            for v, e, can in zip(self.m, self._curvatures(i), self.fall)
        ]
        best = max(gains)
        j = gains.index(best)
        if not best or (top - self.m[j] <= tol and self.violation() <= tol):
            return None
        return i, j

    def steepest(self, tol: Number) -> Optional[tuple[int, int]]:
        """Return the maximal violating pair, whatever the curvature; else as `choose`."""
        if not self.paired:
            return self._alone(tol)
        i, bottom = self._first(), min(compress(self.m, self.fall), default=None)
        if i is None or bottom is None or self.m[i] - bottom <= tol:
            return None
        j = self.m.index(bottom)
        while not self.fall[j]:
            j = self.m.index(bottom, j + 1)
        return i, j

    def _first(self) -> Optional[int]:
        """Return the entry of largest m that can rise, None if none can."""
        top = max(compress(self.m, self.rise), default=None)
        if top is None:
            return None
        i = self.m.index(top)
        while not self.rise[i]:
            i = self.m.index(top, i + 1)
        return i

    def _curvatures(self, i: int) -> Sequence[Number]:
        """Return the curvature along each pair of which variable i rises; kept, as i is chosen again and again."""
        known = self.curvatures.get(i)
        if known is None:
            square, floor = self.diagonal[i], self.floor or self._least_curvature()
            known = [e if (e := square + d - q - q) > floor else floor for d, q in zip(self.diagonal, self.Q.row(i))]
            known = array("d", known) if type(square) is float else known
            if len(self.curvatures) * len(known) > MOST_KEPT:
                self.curvatures.clear()
            self.curvatures[i] = known
        return known

    def _alone(self, tol: Number) -> Optional[tuple[int, int]]:
        if self.violation() <= tol:
            return None
        zero, floor = self.zero, self.floor or self._least_curvature()
        gains = [
            v * v / (d if d > floor else floor) if (up if v > 0 else down) else zero
            for v, d, up, down in zip(self.m, self.diagonal, self.rise, self.fall)
        ]
        i = gains.index(max(gains))
        return i, i

    def _least_curvature(self) -> Number:
        """Return what an exact curvature of zero or less counts as where gains are compared."""
        return (max(map(abs, self.diagonal)) or self.zero + 1) / 10**12

    def gap(self, i: int, j: int) -> Number:
        """Return how far a pair violates optimality, or a variable alone."""
        return abs(self.m[i]) if i == j else self.m[i] - self.m[j]

    def step(self, i: int, j: int) -> Optional[list[Number]]:
        """Go to the least value with xᵢ raised and xⱼ lowered (i = j: with xᵢ alone moved).

        Return the direction, if the objective falls along it for ever; nothing has changed then.
        """
        if i == j:
            return self._step_alone(i)
        first, second = self.Q.row(i), self.Q.row(j)
        slope, curvature = self.m[i] - self.m[j], first[i] + second[j] - first[j] - second[i]
        t = _least(slope, curvature, self.floor, _slack(self.x[i], self.upper[i]), _slack(self.lower[j], self.x[j]))
        if t is None:
            return [self.zero + (k == i) - (k == j) for k in range(len(self.x))]
        self.value += t * (curvature * t / 2 - slope)
        self.move(i, t)
        self.move(j, -t)
        self.m = [v - t * (p - q) for v, p, q in zip(self.m, first, second)]
        return None

    def _step_alone(self, i: int) -> Optional[list[Number]]:
        slope, row = self.m[i], self.Q.row(i)
        ahead = _slack(self.x[i], self.upper[i]) if slope > 0 else _slack(self.lower[i], self.x[i])
        t = _least(abs(slope), row[i], self.floor, ahead, None)
        if t is None:
            return [self.zero + (k == i) * (1 if slope > 0 else -1) for k in range(len(self.x))]
        self.value += t * (row[i] * t / 2 - abs(slope))
        t = t if slope > 0 else -t
        self.move(i, t)
        self.m = [v - t * q for v, q in zip(self.m, row)]
        return None

    def move(self, i: int, t: Number) -> None:
        """Raise xᵢ by t, within its bounds; m is left as it is."""
        # Premise: t leads to the bound or not so far; where it leads there but for roundoff, the bound itself is meant.
        v, low, high = self.x[i] + t, self.lower[i], self.upper[i]
        v = low if low is not None and v <= low else high if high is not None and v >= high else v
        self.x[i], self.rise[i], self.fall[i] = v, high is None or v < high, low is None or v > low

    def movable(self) -> list[int]:
        """Return the entries that may move soon: not at a bound, or within the range of the violations."""
        top, bottom = box.ends(self.m, self.rise, self.fall)
        if not self.paired:
            top = self.violation()
            bottom = -top
        return [
            k
            for k, (v, up, down) in enumerate(zip(self.m, self.rise, self.fall))
            if (up and down) or (up and (bottom is None or v >= bottom)) or (down and (top is None or v <= top))
        ]


def _slack(a: Optional[Number], b: Optional[Number]) -> Optional[Number]:
    return None if a is None or b is None else b - a


def _least(
    slope: Number, curvature: Number, floor: Number, slack: Optional[Number], other: Optional[Number]
) -> Optional[Number]:
    """Return the t ≥ 0 within both bounds at which −slope t + ½ curvature t² is least; None if it falls for ever.

    Premise: a curvature that roundoff hides is taken as the largest that it may be, so that no step goes too far.
    """
    limits = [r for r in (slack, other) if r is not None]
    if curvature > floor or (limits and floor):
        limits.append(slope / max(curvature, floor))
    return min(limits, default=None)
