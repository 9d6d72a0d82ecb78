"""Multipliers of few points in doubles or decimals: which points are few, and the numbers beside a rounding."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import islice
from typing import Any, Optional

from refclass.linear.vector import Vector
from refclass.losses.conjugate_pieces import within
from refclass.number.field import rational
from refclass.regress.kernel import kept_sums
from refclass.regress.kernel.machine import Machine

FEW = 20  # points up to which multipliers of any kernel are rounded together
FEWER = 9  # points up to which the numbers beside are tried: for each number some proofs are made
BITS = 2000  # of a kernel's value, up to which either is done: of 6,000, as denormals have, it took a second of two

Lift = Callable[[Fraction], Any]


def bounded(machine: Machine, most: int) -> bool:
    """Return whether a machine has at most so many points, and values of the kernel that are not long."""
    values = map(rational, machine.K.diagonal()) if len(machine.y) <= most else ()
    bits = [v.numerator.bit_length() + v.denominator.bit_length() for v in values]
    return bool(bits) and max(bits) <= BITS


def _allowed(machine: Machine, a: Vector, step: Mapping[int, Fraction]) -> bool:
    """Return whether a step leaves multipliers within their bounds."""
    return all(within(machine.pieces[j], rational(a[j]) + by) for j, by in step.items())


def beside(
    machine: Machine, a: Vector, coefficients: Optional[Vector], lift: Lift = float
) -> Iterator[tuple[Vector, Optional[Sequence[Fraction]]]]:
    """Yield the numbers of a rounding, one coefficient, one multiplier or two moved by a unit in the last place.

    Two multipliers keep their sum; the other is that of the largest last digit, of those whose bounds allow it. So a
    multiplier may leave zero that was far below that digit.
    """
    beta = None if coefficients is None else list(map(rational, coefficients))
    units = [kept_sums.unit(v) if v else Fraction(0) for v in a]
    order = sorted(range(len(units)), key=lambda i: units[i], reverse=True)
    for i, unit in enumerate(units):
        steps = [{i: unit}, {i: -unit}] if unit else []
        for way in (1, -1) if machine.intercept else ():
            pairs = (
                {i: way * max(unit, units[j]), j: -way * max(unit, units[j])} for j in order if j != i and units[j]
            )
            steps += islice((step for step in pairs if _allowed(machine, a, step)), 1)
        for step in steps:
            if _allowed(machine, a, step):
                yield Vector.of([lift(rational(v) + step[j]) if j in step else v for j, v in enumerate(a)]), beta
    for j, v in enumerate(coefficients or ()):
        for unit in (-kept_sums.unit(v), kept_sums.unit(v)) if v else ():
            yield a, [rational(w) + (unit if k == j else 0) for k, w in enumerate(coefficients or ())]
