"""The degrees of freedom of kernel ridge regression: a trace, from the inverse of its system in decimals  [ESL-12.35].

tr S = n − λ Σ Gᵢᵢ/wᵢ,   G the upper block of the inverse of [K + λW⁻¹, 1; 1ᵀ, 0]
"""

from __future__ import annotations

from decimal import Context, Decimal
from fractions import Fraction
from typing import Optional

from refclass.oracle import kernel

SMALL = 60  # rows up to which a trace is computed, for which a system is solved
PLACES = 60  # digits of the decimals of a trace, besides those that its system loses


def degrees_of_freedom(own: kernel.Problem) -> Optional[Fraction]:
    """Return them; None of more rows than a system is solved for, and where a row has no weight."""
    if own.n > SMALL or min(own.w) <= 0:
        return None
    free = own.get("intercept", True)
    table = kernel.gram(own, int(isinstance(free, str)))
    shrink, K = [own.lam / w for w in own.w], [[Fraction(v, table.q) for v in table.row(j)] for j in range(own.n)]
    # Proof: an eigenvalue of K + λW⁻¹ is no less than the least λ/w, and no larger than its trace.
    spread = (sum((row[i] for i, row in enumerate(K)), sum(shrink, kernel.ZERO))) / min(shrink)
    numbers = Context(prec=PLACES + max(0, spread.numerator.bit_length() - spread.denominator.bit_length()) * 3 // 10)
    A = [[_decimal(v + shrink[i] * (i == j), numbers) for j, v in enumerate(row)] for i, row in enumerate(K)]
    if free is True:
        A = [*[[*row, Decimal(1)] for row in A], [*[Decimal(1)] * own.n, Decimal(0)]]
    spent = [v * Fraction(row[i]) for i, (v, row) in enumerate(zip(shrink, _inverse(A, numbers)))]
    return own.n - sum(spent, kernel.ZERO)


def _decimal(value: Fraction, numbers: Context) -> Decimal:
    return numbers.divide(Decimal(value.numerator), Decimal(value.denominator))


def _inverse(A: list[list[Decimal]], numbers: Context) -> list[list[Decimal]]:
    """Return the inverse, by elimination with the largest pivot of each column."""
    m = len(A)
    rows = [[*row, *[Decimal(int(i == j)) for j in range(m)]] for i, row in enumerate(A)]
    for k in range(m):
        best = max(range(k, m), key=lambda i: abs(rows[i][k]))
        rows[k], rows[best] = rows[best], rows[k]
        pivot = rows[k][k]
        rows[k] = [numbers.divide(v, pivot) for v in rows[k]]
        for i in range(m):
            share = rows[i][k]
            if i != k and share:
                rows[i] = [numbers.fma(share.copy_negate(), w, v) for v, w in zip(rows[i], rows[k])]
    return [row[m:] for row in rows]
