"""An exact point in doubles: rounded, and its duality gap made small again.

Rounding x and y leaves residuals r = Px + q + Aᵀy and s, what rows miss of the sides that multipliers press against.
The gap, xᵀPx + qᵀx + Σ yᵢ sideᵢ, is then xᵀr − yᵀs: small residuals times large numbers. It is linear in y. A
multiplier moved by δ moves the gap by δ sideᵢ and stationarity by δ times the entries of its row, so that a row of a
large side takes the gap away at next to no cost.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from refclass.number.rational import ZERO
from refclass.optimise.programme.problem import Programme


def doubles(v: Sequence[Fraction]) -> list[Fraction]:
    """Return the nearest doubles, as fractions."""
    return [Fraction(float(a)) for a in v]


def multipliers(p: Programme, y: Sequence[Fraction]) -> list[Fraction]:
    """Return the nearest doubles to the multipliers of the rows, zero where a row has no side that they press against.

    Roundoff leaves such multipliers in an iterate; the dual value of any that is not zero is −∞.
    """
    pressed = [high if w > 0 else low for w, low, high in zip(y, p.l, p.u)]
    return [v if side is not None else ZERO for v, side in zip(doubles(y), pressed)]


def balanced(p: Programme, y: Sequence[Fraction], gap: Fraction) -> list[Fraction]:
    """Return doubles near the multipliers y with a gap near zero, for the gap that y have now.

    Cost      two divisions of fractions for each row
    """
    moved, sides = list(y), [high if w > 0 else low for w, low, high in zip(y, p.l, p.u)]
    rows = [(i, side) for i, side in enumerate(sides) if y[i] and side]
    rows.sort(key=lambda row: max(map(abs, p.A[row[0]].values()), default=ZERO) / abs(row[1]))
    for i, side in rows:
        new = Fraction(float(moved[i] - gap / side))
        if new * moved[i] > 0:
            gap += (new - moved[i]) * side
            moved[i] = new
    return moved
