"""Enclosures of exponentials and roots of rational numbers: whole numbers of a fine grid on either side of them.

Decimal's exponential is correctly rounded, which the functions of a C library promise nowhere; so a grid coarser than
its digits has the true value between two of its lines.
"""

from __future__ import annotations

from decimal import MAX_EMAX, MIN_EMIN, ROUND_HALF_EVEN, Context, Decimal
from fractions import Fraction
from math import isqrt

GRID = 10**20  # ends are whole numbers of 1/GRID
CONTEXT = Context(prec=26, rounding=ROUND_HALF_EVEN, Emin=MIN_EMIN, Emax=MAX_EMAX, traps=[])
BEYOND = 50  # e^(−50) is less than 1/GRID
STEP = Decimal(GRID)

Ends = tuple[int, int]  # of a number v: low ≤ v·GRID ≤ high


def decaying(numerator: int, denominator: int) -> Ends:
    """Return an enclosure of e^(−t), t = numerator/denominator ≥ 0.

    Exact     the ends are: t ≤ 50 is rounded to 26 digits, its exponential and its multiple too, by less than 10⁻²³

    Example
        >>> decaying(0, 1), decaying(1, 1)
        ((100000000000000000000, 100000000000000000000), (36787944117144232158, 36787944117144232161))
    """
    if numerator == 0:
        return GRID, GRID
    if numerator > BEYOND * denominator:
        return 0, 1
    value = CONTEXT.exp(CONTEXT.divide(Decimal(-numerator), Decimal(denominator)))
    least = int(CONTEXT.multiply(value, STEP))
    return max(least - 1, 0), least + 2


def root(v: Fraction) -> tuple[Fraction, Fraction]:
    """Return an enclosure of √v for a rational v ≥ 0, exact where the root is a number of the grid.

    Example
        >>> root(Fraction(9, 4)), root(Fraction(2))[0] ** 2 < 2 < root(Fraction(2))[1] ** 2
        ((Fraction(3, 2), Fraction(3, 2)), True)
    """
    scaled = v.numerator * GRID * GRID
    least = isqrt(scaled // v.denominator)
    exact = least * least * v.denominator == scaled
    return Fraction(least, GRID), Fraction(least if exact else least + 1, GRID)
