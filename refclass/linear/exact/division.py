"""Exact quotients of many integers by one: for long ones by its reciprocal (Barrett 1986).

Python divides long integers in quadratic time, and multiplies them in less, by Karatsuba's method: one division for the
reciprocal, and one multiplication for each quotient.
"""

from __future__ import annotations

from collections.abc import Sequence

LONG = 4000  # bits of a divisor from which on its reciprocal is faster: twice at 8,000, four times at 45,000
GUARD = 3  # bits more than quotients need


def quotients(rows: Sequence[Sequence[int]], d: int) -> list[list[int]]:
    """Return rows of integers divided by d ≠ 0, which divides them all.

    Exact     yes

    Example
        >>> quotients([[6, -9], [0, 12]], -3)
        [[-2, 3], [0, -4]]
    """
    length = d.bit_length()
    if length < LONG:
        return [[v // d for v in row] for row in rows]
    most = max([1, *[v.bit_length() - length + 1 for row in rows for v in row]])
    # Proof: let v = qd, |q| < 2^most, k and s the two shifts, ρ the reciprocal rounded down. Then v/2^k and 2^s/d are
    # rounded by less than one unit each, and ρ⌊v/2^k⌋/2^(s − k) differs from q by less than 2^k/|d| ≤ ¼ and |qd|/2^s
    # ≤ ¼, together less than ½.
    k, s = max(length - GUARD, 0), length + most + GUARD
    reciprocal, shift = (1 << s) // d, s - k
    half = 1 << (shift - 1)
    return [[((v >> k) * reciprocal + half) >> shift for v in row] for row in rows]
