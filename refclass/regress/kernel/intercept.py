"""The best intercepts for given values of f: where Σ Vᵢ(yᵢ − vᵢ − b) is least, exactly.

The intercept that a solver in doubles ends at is a difference of large numbers where points lie far from the origin.
The sum is convex in b; its slope falls in jumps and along lines, and the places where it is zero are an interval.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Optional

from refclass.linear.vector import Vector
from refclass.regress.kernel.fitted_machine import primal_objective
from refclass.regress.kernel.machine import Machine

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
