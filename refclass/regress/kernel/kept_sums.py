"""Multipliers of a linear kernel rounded so that the function stays: Σ aᵢ and Σ aᵢxᵢ keep their values, nearly.

The nearest doubles move f by the last digits of the multipliers times the products of the points, which on large
columns is all there is of f. Of n multipliers only p + 1 sums matter: among the roundings that are some thousands of
units in the last place away there are such whose errors cancel. They are the points of a lattice near to a target
(`linear.exact.lattice`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from math import ulp
from operator import mul
from typing import Any, Optional

from refclass.linear.exact import lattice
from refclass.number.field import Number, rational

MANY = 5  # multipliers moved, for each sum that is kept
BITS = 90  # of what the largest unit moves a sum by
NEAR = 60  # of these at most lost to how far multipliers are moved
FEW = 20  # bits by which a multiplier is moved at most, about
FINE = 2**20  # least size of a multiplier that is moved, in units of the largest


def balanced(
    points: Sequence[Sequence[Number]], columns: Sequence[Sequence[Fraction]], lift: Callable[[Fraction], Any]
) -> list[list[Any]]:
    """Return the same for each of several classes, whose multipliers at each point sum to zero.

    Those of a point are multiples of one unit, the last digit of the largest, so that their sum is zero exactly.

    Shapes    points: n × p; columns: K of n
    """
    units = [max([unit(lift(v)) for v in row]) for row in zip(*columns)]
    known = [rounded(points, own, lift, units) for own in columns[:-1]]
    last = [lift(-sum(map(rational, row), Fraction(0))) for row in zip(*known)]
    return [*known, last]


def rounded(
    points: Sequence[Sequence[Number]],
    a: Sequence[Fraction],
    lift: Callable[[Fraction], Any],
    units: Optional[Sequence[Fraction]] = None,
) -> list[Any]:
    """Return numbers near to exact multipliers, with which Σ aᵢ and Σ aᵢxᵢ are what they are, nearly.

    units    of which they are to be multiples; none: as many digits as they have

    Shapes    points: n × p; a: n
    """
    if units is None:
        found = list(map(lift, a))
        units = list(map(unit, found))
    else:
        found = [lift(round(v / u) * u) for v, u in zip(a, units)]
    most = max(units)
    rows = _rows(points)
    order = sorted([i for i, v in enumerate(a) if v and abs(v) >= FINE * most], key=lambda i: abs(a[i]))
    chosen = order[: MANY * len(rows[0])]
    if len(chosen) <= len(rows[0]):
        return found
    missing = [rational(v) - w for v, w in zip(found, a)]
    target = [sum(map(mul, missing, column), Fraction(0)) / most for column in zip(*rows)]
    held = BITS - min(NEAR, FEW * len(chosen) // len(rows[0]))
    basis = []
    for place, i in enumerate(chosen):
        share = units[i] / most
        own = [0] * len(chosen)
        own[place] = max(1, round(share * 2**held))
        basis.append([*own, *(round(v * share * 2**BITS) for v in rows[i])])
    left = lattice.nearest(basis, [0] * len(chosen) + [round(v * 2**BITS) for v in target])
    for place, i in enumerate(chosen):
        found[i] = lift(rational(found[i]) + left[place] // basis[place][place] * units[i])
    return found


def _rows(points: Sequence[Sequence[Number]]) -> list[list[Fraction]]:
    """Return columns less their means, scaled, and ones, which weigh as much as the means do beside the columns.

    Proof: the function at z is moved by Σⱼ zⱼ(cⱼ + mⱼs) for errors cⱼ of the centred sums, mⱼ the means and s of Σ aᵢ.
    """
    columns = [list(map(rational, column)) for column in zip(*points)]
    means = [sum(column, Fraction(0)) / len(column) for column in columns]
    centred = [[v - m for v in column] for column, m in zip(columns, means)]
    sizes = [max(map(abs, column)) for column in centred]
    largest = max([s * s for s in sizes]) or Fraction(1)
    scaled = [[v * s / largest for v in column] for column, s in zip(centred, sizes)]
    ones = max([Fraction(1), *[s * abs(m) / largest for s, m in zip(sizes, means)]])
    return [[ones, *row] for row in zip(*scaled)]


def unit(v: Any) -> Fraction:
    """Return the unit in the last place of a double or of a decimal."""
    if isinstance(v, float):
        return Fraction(ulp(v))
    places: int = v.adjusted() - v.precision + 1
    return Fraction(10) ** places
