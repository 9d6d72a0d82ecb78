"""The exponential of fixed-point numbers: integers over a power of two."""

from __future__ import annotations

from decimal import Context, Decimal
from functools import cache

HALVED = 8  # how often an argument of exp is halved before its series


@cache
def _log2(bits: int) -> int:
    context = Context(prec=bits // 3 + 10)
    return int(context.multiply(context.ln(Decimal(2)), Decimal(2**bits)))


def exponential(x: int, bits: int) -> int:
    """Return e^(−x) for x ≥ 0, both in multiples of 2^−bits, to within 2^−bits.

    Method: x = k log 2 + 2⁸s, the series of e^(−s), squared eight times, with 32 bits more than are handed out.

    Example
        >>> exponential(1 << 20, 20) / 2**20
        0.36787891387939453
    """
    wide = bits + 32
    x <<= 32
    k = x // _log2(wide)
    s = (x - k * _log2(wide)) >> HALVED
    total = term = 1 << wide
    n = 1
    while abs(term) > 1:
        term = -(term * s >> wide) // n
        total, n = total + term, n + 1
    for _ in range(HALVED):
        total = total * total >> wide
    return total >> (k + 32)
