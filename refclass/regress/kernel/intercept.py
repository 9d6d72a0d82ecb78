"""The best intercepts for given values of f: where Σ Vᵢ(yᵢ − vᵢ − b) is least, exactly.

The intercept that a solver in doubles ends at is a difference of large numbers where points lie far from the origin.
The sum is convex in b; its slope falls in jumps and along lines, and the places where it is zero are an interval.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import isfinite, sqrt
from typing import Any, Optional

from refclass.linear import combination
from refclass.linear.common_denominator import Scaled
from refclass.linear.vector import Vector
from refclass.number.field import Number
from refclass.regress.kernel.fitted_machine import primal_objective
from refclass.regress.kernel.machine import Machine

ERROR = 2**-40  # of √(Kᵢᵢ Kⱼⱼ): more than doubles err by in entries of K and in products with it, for n and p ≤ 2¹²
MOST = 2**12  # points, and entries of a point, for which that holds

Jumps = dict[Fraction, tuple[Fraction, Fraction]]


def best(machine: Machine, values: Vector) -> tuple[Fraction, Fraction]:
    """Return the least and the largest intercept for which the primal is least, f being values plus the intercept.

    Points whose loss is infinite on one side bound the intercept; where they contradict each other, it is half-way
    between the bounds.

    Shapes    a machine in fractions; values: n fractions
    Exact     yes
    Cost      a sort of the places where some loss changes its parabola
    """
    if not machine.intercept:
        return Fraction(0), Fraction(0)
    low, high = _allowed(machine, values)
    if low is not None and high is not None and low > high:
        return ((low + high) / 2,) * 2
    first, last = _flat(*_slopes(machine, values))
    ends = []
    for b, given in ((first, low), (last, high)):
        b = given if b is None else b
        b = b if low is None or b is None else max(b, low)
        ends.append(b if high is None or b is None else min(b, high))
    found = [b for b in ends if b is not None] or [b for b in (low, high) if b is not None] or [Fraction(0)]
    return found[0], found[-1]


def constant(machine: Machine) -> Optional[Fraction]:
    """Return the least primal objective of a constant function; without an intercept that of zero.

    None where no constant keeps it finite.

    Shapes    a machine in fractions
    Exact     yes
    """
    zero = Fraction(0)
    low, high = best(machine, Vector.of([zero] * len(machine.y)))
    least: Optional[Fraction] = primal_objective(machine, zero, Vector.of([(low + high) / 2] * len(machine.y)))
    return least


def _allowed(machine: Machine, values: Vector) -> tuple[Optional[Fraction], Optional[Fraction]]:
    """Return the bounds on b of the points whose loss is infinite above or below some residual."""
    low: list[Fraction] = []
    high: list[Fraction] = []
    for own, t, v in zip(machine.pieces, machine.y, values):
        low += [t - v - p.slope for p in own if not p.curvature and p.high is None]
        high += [t - v - p.slope for p in own if not p.curvature and p.low is None]
    return max(low, default=None), min(high, default=None)


def _slopes(machine: Machine, values: Vector) -> tuple[Fraction, Fraction, Jumps]:
    """Return the slope of Σ V in its argument far below all places, how fast it falls there, and what each changes.

    As b rises a piece's part of the slope falls from its high end to its low one, along a line of slope 1/κ or at once.
    At each place b: by how much the slope jumps down, and by how much its rate changes.
    """
    level, rate, jumps = Fraction(0), Fraction(0), Jumps()

    def add(b: Fraction, drop: Fraction, bend: Fraction) -> None:
        before = jumps.get(b, (Fraction(0), Fraction(0)))
        jumps[b] = before[0] + drop, before[1] + bend

    for own, t, v in zip(machine.pieces, machine.y, values):
        for p in own:
            place, zero = t - v, Fraction(0)
            if not p.curvature:  # an infinite end is kept by the bounds on b
                low, high = p.low or zero, p.high or zero
                level += high
                add(place - p.slope, high - low, zero)
                continue
            k = 1 / p.curvature
            if p.high is not None:
                level += p.high
                add(place - p.slope - p.curvature * p.high, zero, k)
            else:  # the line goes on for ever: it is written as what it is at b = 0
                level += k * (place - p.slope)
                rate += k
            if p.low is not None:
                add(place - p.slope - p.curvature * p.low, zero, -k)
    return level, rate, jumps


def _flat(level: Fraction, rate: Fraction, jumps: Jumps) -> tuple[Optional[Fraction], Optional[Fraction]]:
    """Return the ends of the interval where the slope is zero; None for no end."""
    # Method: on each stretch between two places the slope is level − rate·b, and falls.
    first: Optional[Fraction] = None
    reached = not rate and level == 0
    for b in sorted(jumps):
        if rate and level < rate * b:
            break
        left, (drop, bend) = level - rate * b, jumps[b]
        if left <= drop and not reached:
            first, reached = b, True
        if left < drop:
            return first, b
        level, rate = level - drop + bend * b, rate + bend
    if not rate:
        return first, None
    zero = level / rate
    return (first if reached else zero), zero


def of_hinges(
    held: Any, y: Vector, alpha: Sequence[Number], cost: Fraction, near: Any = None
) -> tuple[Fraction, Fraction]:
    """Return the least and the largest best intercept of a machine whose hinge losses all cost C, of multipliers C α.

    The slope of Σ C[1 − yᵢ(vᵢ + b)]₊ in b, v the values of the function without its intercept, rises by C at each place
    yᵢ − vᵢ, from −C times the number of points with y = 1 on. It is zero between the place of that number, in ascending
    order, and the next.

    held     the Gram matrix with every entry at its exact worth
    near     the same in doubles, positive semidefinite, by which most points are seen to lie far from these places

    Shapes    y, alpha: n numbers
    Exact     yes
    """
    positive = y.count(1)
    below, looked = (0, range(len(y))) if near is None else _candidates(near, y, alpha, float(cost))
    signed = Scaled.of([a if t > 0 else -a for a, t in zip(alpha, y)])
    places = sorted([int(y[i]) - cost * (Scaled.of(held.row(i)) @ signed) for i in looked])
    return places[positive - 1 - below], places[positive - below]


def _candidates(near: Any, y: Vector, alpha: Sequence[Number], cost: float) -> tuple[int, Sequence[int]]:
    """Return how many places are surely below those asked for, and the points of which doubles do not say as much.

    Proof: each place errs by at most e; those below the least place asked for by more than 2e are below it.
    """
    weights = {i: a * t * cost for i, (a, t) in enumerate(zip(map(float, alpha), map(float, y))) if a}
    roots = list(map(sqrt, near.diagonal()))
    if not weights:
        return 0, range(len(y))
    values = combination.total(list(weights.values()), [near.row(i) for i in weights])
    places = [t - v for t, v in zip(y, values)]
    reach = 2 * ERROR * max(roots) * sum(abs(w) * roots[i] for i, w in weights.items())
    if not isfinite(sum(places) + reach) or max(len(y), *map(len, getattr(near, "X", ())[:1])) > MOST:
        return 0, range(len(y))
    order, positive = sorted(places), y.count(1)
    low, high = order[positive - 1] - reach, order[positive] + reach
    return sum([b < low for b in places]), [i for i, b in enumerate(places) if low <= b <= high]
