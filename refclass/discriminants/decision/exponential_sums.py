"""The sign of a sum of exponentials of rational numbers, decided beyond doubt.

Gaussian rules compare numbers of the form √s·exp(r) with rational r and s: rationals with logarithms of rationals.
Rounding can never show that two such numbers are equal, but theory can say when they are, and then every other
comparison ends at some finite number of digits.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from math import isqrt
from typing import Optional

from refclass.number.decimals import decimal
from refclass.number.field import Number, rational

Term = tuple[Number, Number, Number]  # (a, r, s) stands for a·√s·exp(r)


def sign(terms: Iterable[Term]) -> int:
    """Return the sign, −1, 0 or 1, of Σ aⱼ √sⱼ exp(rⱼ) for rational aⱼ, rⱼ and sⱼ ≥ 0.

    Exact     yes, for terms of any length

    Example
        >>> sign([(1, 1, 1), (-1, 0, 7)])  # e against √7 = 2.6457…
        1
        >>> sign([(1, Fraction(1, 3), 8), (-2, Fraction(1, 3), 2)])  # √8 = 2√2
        0
    """
    # Proof: exponentials of distinct rationals are linearly independent over the algebraic numbers (Lindemann and
    # Weierstrass), and square roots of rationals whose ratios are no squares over the rationals. So a sum in which like
    # terms have been collected is zero only if no term is left; a sum that is not zero exceeds its error bound once
    # enough digits are carried.
    left = _collected((rational(a), rational(r), rational(s)) for a, r, s in terms)
    if not left:
        return 0
    signs = {a > 0 for a, _, _ in left}
    if len(signs) == 1:
        return 1 if signs.pop() else -1
    digits = 30
    while True:
        total, bound = _approximate(left, digits)
        if abs(total) > bound:
            return 1 if total > 0 else -1
        digits *= 2


def _collected(terms: Iterable[tuple[Fraction, Fraction, Fraction]]) -> list[tuple[Fraction, Fraction, Fraction]]:
    """Return the terms with like ones added up and zeros left out."""
    kept: dict[tuple[Fraction, Fraction], Fraction] = {}
    for a, r, s in terms:
        if a == 0 or s == 0:
            continue
        for (exponent, square), c in kept.items():
            if exponent == r and (ratio := _root(s / square)) is not None:
                kept[exponent, square] = c + a * ratio
                break
        else:
            kept[r, s] = a
    return [(a, r, s) for (r, s), a in kept.items() if a]


def _root(x: Fraction) -> Optional[Fraction]:
    """Return √x if it is rational."""
    p, q = isqrt(x.numerator), isqrt(x.denominator)
    return Fraction(p, q) if p * p == x.numerator and q * q == x.denominator else None


def _approximate(terms: list[tuple[Fraction, Fraction, Fraction]], digits: int) -> tuple[Number, Number]:
    """Return the sum, divided by the exponential of the largest exponent, and a bound of its error."""
    # Proof: lift, √, exp, · and + each err by a relative eps/2 at most; exp magnifies the error of its argument by
    # |r| ≥ 0. So a term errs by less than (|r| + 4)·eps of its size, and the sum of m terms by m·eps of the sizes more.
    # Ten times that is taken.
    F = decimal(digits)
    top = max(r for _, r, _ in terms)
    total, bound = F.kind(0), F.kind(0)
    for a, r, s in terms:
        exponent = F.lift(r - top)
        term = F.lift(a) * F.sqrt(F.lift(s)) * F.exp(exponent)
        total = total + term
        bound = bound + abs(term) * (abs(exponent) + 4 + len(terms)) * F.eps * 10
    return total, bound
