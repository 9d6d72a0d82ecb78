"""Integer systems by p-adic lifting: for exact solutions of many unknowns, where elimination drowns in long integers.

    A x = b modulo a prime p by elimination;  then, digit by digit,   y = A⁻¹r mod p,   x ← x + pᵏy,   r ← (r − A y)/p

so that A x = b modulo pᵏ for ever larger k. A rational solution whose numerators and denominator are small beside pᵏ is
determined by that, and is found by Euclid's algorithm. Every answer is checked: it is handed out only if A x = b.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import isqrt
from typing import Optional

from refclass.linear.vector import dot

# Primes below 2⁶⁰, so that a digit is two digits of Python's own integers.
PRIMES = (2**60 - 93, 2**60 - 107, 2**60 - 173)

Rows = Sequence[Sequence[int]]
Solution = tuple[list[int], int]
Triangles = tuple[list[list[int]], list[list[int]], list[int], list[int]]


def solve(A: Rows, sides: Rows, primes: Sequence[int] = PRIMES) -> Optional[list[Solution]]:
    """Return for each right side b integers x and d > 0 with A x = d b; None if A is singular modulo all the primes.

    Shapes    A: n × n; each b and x: n
    Exact     yes
    Cost      n(n − 1)(2n − 1)/6 multiplications modulo p, then for each right side and digit 2n² by a digit; for random
              systems about n (log₂ max |A| + ½ log₂ n) / 30 digits are needed
    Source    Dixon (1982)

    Example
        >>> solve([[2, 1], [1, 3]], [[1, 0], [0, 5]])
        [([3, -1], 5), ([-1, 2], 1)]
    """
    for p in primes:
        known = _factored(A, p)
        if known is not None:
            return [_lifted(A, b, p, known) for b in sides]
    return None


def _factored(A: Rows, p: int) -> Optional[Triangles]:
    """Return L and U without diagonals, 1 / diag U, and the order of the rows: P A = L U mod p; None if singular."""
    n = len(A)
    rows, order = [[v % p for v in row] for row in A], list(range(n))
    lower: list[list[int]] = [[] for _ in range(n)]
    upper: list[list[int]] = [[] for _ in range(n)]
    inverses: list[int] = []
    for k in range(n):
        candidates = [(rows[i][k] - dot(lower[i], upper[k])) % p for i in range(k, n)]
        at = next((i for i, v in enumerate(candidates, k) if v), None)
        if at is None:
            return None
        rows[k], rows[at], order[k], order[at] = rows[at], rows[k], order[at], order[k]
        lower[k], lower[at] = lower[at], lower[k]
        candidates[0], candidates[at - k] = candidates[at - k], candidates[0]
        inverses.append(pow(candidates[0], -1, p))
        for i in range(k + 1, n):
            lower[i].append(candidates[i - k] * inverses[k] % p)
        for j in range(k + 1, n):
            upper[j].append((rows[k][j] - dot(lower[k], upper[j])) % p)
    return lower, [[column[k] for column in upper[k + 1 :]] for k in range(n)], inverses, order


def _remainder(known: Triangles, r: Sequence[int], p: int) -> list[int]:
    """Return the y in 0 … p − 1 with A y = r mod p."""
    lower, upper, inverses, order = known
    y: list[int] = []
    for i, row in zip(order, lower):
        y.append((r[i] - dot(row, y)) % p)
    for k in range(len(y) - 1, -1, -1):
        y[k] = (y[k] - dot(upper[k], y[k + 1 :])) * inverses[k] % p
    return y


def _lifted(A: Rows, b: Sequence[int], p: int, known: Triangles) -> Solution:
    # Proof: by Cramer's rule and Hadamard's inequality the squares of numerators and denominator are at most
    # Π (‖aᵢ‖² + bᵢ²). As soon as pᵏ exceeds twice that, Euclid's algorithm finds them; it may find them before.
    enough = 2
    for row, c in zip(A, b):
        enough *= max(1, dot(row, row) + c * c)
    digits: list[list[int]] = []
    r, modulus, next_try = list(b), 1, p**4
    while True:
        digits.append(_remainder(known, r, p))
        r = [(c - dot(row, digits[-1])) // p for row, c in zip(A, r)]
        modulus *= p
        if modulus >= min(next_try, enough):
            found = _rational(_assembled(digits, p), modulus)
            if found and all(dot(row, found[0]) == found[1] * c for row, c in zip(A, b)):
                return found
            next_try = modulus * isqrt(modulus)


def _assembled(digits: list[list[int]], p: int) -> list[int]:
    """Return Σ pⁱ digits[i], pairs of neighbours first, so that long integers meet integers as long."""
    while len(digits) > 1:
        odd = digits[-1:] if len(digits) % 2 else []
        digits = [[a + p * c for a, c in zip(low, high)] for low, high in zip(digits[::2], digits[1::2])] + odd
        p *= p
    return digits[0]


def _rational(values: list[int], modulus: int) -> Optional[Solution]:
    """Return integers x and d > 0, small beside the modulus, with x = d · values modulo it; None if there are none."""
    x: list[int] = []
    bound, d = isqrt(modulus // 2), 1
    for value in values:
        v = value * d % modulus
        v = v - modulus if 2 * v > modulus else v
        if abs(v) > bound:
            v, more = _quotient(v % modulus, modulus, bound)
            d *= more
            if d > bound:
                return None
            x = [u * more for u in x]
        x.append(v)
    return x, d


def _quotient(v: int, modulus: int, bound: int) -> tuple[int, int]:
    """Return the first u and d > 0 of Euclid's algorithm with |u| ≤ bound and u = d v modulo the modulus."""
    r0, r1, t0, t1 = modulus, v, 0, 1
    while r1 > bound:
        q, r2 = divmod(r0, r1)
        r0, r1, t0, t1 = r1, r2, t1, t0 - q * t1
    return (r1, t1) if t1 > 0 else (-r1, -t1)
