"""The general convex quadratic programme with sparse rows, in fractions.

    minimise ½xᵀPx + qᵀx   subject to   l ≤ Ax ≤ u,   lower ≤ x ≤ upper

Its Lagrangian, with a multiplier yᵢ for each row and zⱼ for each variable, is stationary where

    Px + q + Aᵀy + z = 0        yᵢ ≥ 0 where (Ax)ᵢ > lᵢ,   yᵢ ≤ 0 where (Ax)ᵢ < uᵢ,   z likewise

so that a positive multiplier presses against the upper side, a negative one against the lower side.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from operator import mul
from typing import Optional

from refclass.linear.common_denominator import cleared

ROUNDOFF = Fraction(1, 10**10)  # of the data: excess, wrong signs, concavity that answers in doubles take for roundoff

Row = dict[int, Fraction]
Bound = Optional[Fraction]


@dataclass(frozen=True)
class Programme:
    """Minimise ½xᵀPx + qᵀx + constant subject to l ≤ Ax ≤ u, lower ≤ x ≤ upper; None stands for no bound.

    P    symmetric, row by row: column -> entry other than zero
    A    row by row: column -> entry other than zero
    """

    P: Sequence[Row]
    q: Sequence[Fraction]
    A: Sequence[Row]
    l: Sequence[Bound]  # noqa: E741 - the letter that the field's solvers have
    u: Sequence[Bound]
    lower: Sequence[Bound]
    upper: Sequence[Bound]

    @property
    def n(self) -> int:
        """The number of variables."""
        return len(self.q)

    @property
    def m(self) -> int:
        """The number of rows."""
        return len(self.A)


@dataclass(frozen=True)
class Point:
    """A point x with the multipliers y of the rows and z of the bounds, in fractions."""

    x: list[Fraction]
    y: list[Fraction]
    z: list[Fraction]


def times(rows: Iterable[Row], x: Sequence[Fraction]) -> list[Fraction]:
    """Return the products of sparse rows and x.

    Cost      two multiplications of integers for each entry, one for each variable

    Example
        >>> times([{0: Fraction(2)}, {}], [Fraction(3)])
        [Fraction(6, 1), Fraction(0, 1)]
    """
    whole, common = cleared(x)
    found = []
    for row in rows:
        d = math.lcm(*[v.denominator for v in row.values()])
        total = sum([v.numerator * (d // v.denominator) * whole[j] for j, v in row.items()])
        found.append(Fraction(total, d * common))
    return found


def transposed_times(rows: Sequence[Row], y: Sequence[Fraction], n: int) -> list[Fraction]:
    """Return the combination Σ yᵢ rowᵢ of sparse rows, n numbers.

    Cost      two multiplications of integers for each entry, one for each row

    Example
        >>> transposed_times([{1: Fraction(2)}], [Fraction(3)], 2)
        [Fraction(0, 1), Fraction(6, 1)]
    """
    whole, common = cleared(y)
    d = math.lcm(*{v.denominator for row, c in zip(rows, whole) if c for v in row.values()})
    total = [0] * n
    for row, c in zip(rows, whole):
        if c:
            for j, v in row.items():
                total[j] += c * (v.numerator * (d // v.denominator))
    return [Fraction(v, d * common) for v in total]


def dot(u: Sequence[Fraction], v: Sequence[Fraction]) -> Fraction:
    """Return Σ uᵢvᵢ.

    Example
        >>> dot([Fraction(1, 2)], [Fraction(2, 3)])
        Fraction(1, 3)
    """
    (a, c), (b, d) = cleared(u), cleared(v)
    return Fraction(sum(map(mul, a, b)), c * d)
