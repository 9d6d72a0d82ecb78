"""Exact solutions of linear systems by p-adic lifting: large systems of long integers, one right side.

With C = B⁻¹ modulo a prime p the solution of B x = b is found digit by digit in base p (Dixon, 1982),

    xₖ = C rₖ mod p        rₖ₊₁ = (rₖ − B xₖ) / p        r₀ = b        x = x₀ + x₁p + x₂p² + …

and read off as fractions as soon as there are enough digits. Elimination multiplies numbers as long as determinants m³
times; lifting multiplies short ones, m³ times to invert modulo p and 2m² times for each digit.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import isqrt
from typing import Optional

from refclass.linear.common_denominator import Scaled
from refclass.linear.vector import dot

PRIME = 2**127 - 1


def solve(B: Sequence[Sequence[int]], b: Sequence[int], p: int = PRIME) -> Optional[Scaled]:
    """Return the solution of B x = b in exact rationals; None if B is singular modulo p.

    Shapes    B: m × m integers; b: m integers
    Exact     yes: what is returned has been multiplied out
    Cost      about m³ multiplications modulo p, then 2m² for each digit: as many digits as numerator and denominator
              have together, and up to a third more

    Example
        >>> solve([[2, 1], [1, 3]], [1, 1]).fractions()
        [Fraction(2, 5), Fraction(1, 5)]
    """
    C = _inverse(B, p)
    if C is None:
        return None
    r, digits = list(b), list[list[int]]()
    enough = 2
    while True:
        while len(digits) < enough:
            x = [dot(row, r) % p for row in C]
            r = [(v - dot(row, x)) // p for v, row in zip(r, B)]
            digits.append(x)
        found = _rational(digits, p)
        if found is not None and all(dot(row, found.integers) == v * found.denominator for row, v in zip(B, b)):
            return found
        enough += enough // 3 + 1


def _inverse(B: Sequence[Sequence[int]], p: int) -> Optional[list[tuple[int, ...]]]:
    """Return B⁻¹ modulo p, by elimination of Gauss and Jordan in place; None if there is none."""
    m = len(B)
    rows = [[v % p for v in row] for row in B]
    order = list(range(m))
    for k in range(m):
        r = next((i for i in range(k, m) if rows[i][k]), None)
        if r is None:
            return None
        rows[k], rows[r], order[k], order[r] = rows[r], rows[k], order[r], order[k]
        unit = pow(rows[k][k], -1, p)
        rows[k][k] = 1
        pivot = rows[k] = [v * unit % p for v in rows[k]]
        for i, row in enumerate(rows):
            if i != k and row[k]:
                c, row[k] = row[k], 0
                rows[i] = [(v - c * w) % p for v, w in zip(row, pivot)]
    place = {column: k for k, column in enumerate(order)}
    return [tuple([row[place[j]] for j in range(m)]) for row in rows]


def rank(B: Sequence[Sequence[int]], p: int = PRIME) -> int:
    """Return the rank of B modulo p, which is at most its rank.

    Cost      about m³/3 multiplications modulo p for a square matrix of order m
    """
    rows, found = [[v % p for v in row] for row in B], 0
    while rows and rows[0]:
        r = next((i for i, row in enumerate(rows) if row[0]), None)
        if r is None:
            rows = [row[1:] for row in rows]
            continue
        pivot = rows.pop(r)
        unit, found = pow(pivot[0], -1, p), found + 1
        tail = [v * unit % p for v in pivot[1:]]
        rows = [[(v - row[0] * w) % p for v, w in zip(row[1:], tail)] for row in rows]
    return found


def _rational(digits: list[list[int]], p: int) -> Optional[Scaled]:
    """Return the rational vector of least denominator with these digits, if one is short enough to be told."""
    modulus = p ** len(digits)
    bound = isqrt(modulus // 2)
    denominator, numerators = 1, list[int]()
    for residue in _joined(digits, p):
        residue = residue * denominator % modulus
        if residue > bound and modulus - residue > bound:
            fraction = _reconstructed(residue, modulus, bound)
            if fraction is None or denominator * fraction.denominator > bound:
                return None
            numerators = [v * fraction.denominator for v in numerators]
            denominator *= fraction.denominator
            residue = fraction.numerator % modulus
        numerators.append(residue if residue <= bound else residue - modulus)
    return Scaled(tuple(numerators), denominator)


def _joined(digits: list[list[int]], p: int) -> list[int]:
    """Return Σ digitₖ pᵏ for each entry, joining neighbours first."""
    while len(digits) > 1:
        pairs = [
            [low + p * high for low, high in zip(*digits[k : k + 2])] if k + 1 < len(digits) else digits[k]
            for k in range(0, len(digits), 2)
        ]
        digits, p = pairs, p * p
    return digits[0]


def _reconstructed(residue: int, modulus: int, bound: int) -> Optional[Fraction]:
    """Return the fraction u/v ≡ residue with |u|, |v| ≤ bound, if there is one."""
    # Method: Euclid's algorithm on (modulus, residue), stopped half-way.
    u, v, s, t = modulus, residue, 0, 1
    while v > bound:
        q = u // v
        u, v, s, t = v, u - q * v, t, s - q * t
    return Fraction(v, t) if 0 < abs(t) <= bound else None
