"""Exact linear systems by p-adic lifting (Dixon 1982): A x = b for integers A and b, with a rational solution.

    y = A⁻¹r mod p        x ← x + pᵏy        r ← (r − A y)/p        k = 0, 1, 2, …, beginning with x = 0, r = b

so that A x = b modulo pᵏ for growing k; A is eliminated once, modulo the prime p. A rational x whose numerators and
denominator are small beside pᵏ is determined by that, and Euclid's algorithm reconstructs it. An answer is returned
only after A x = b has been verified. Elimination multiplies integers as long as determinants n³ times; lifting
multiplies short ones, n³/3 times modulo p and 2n² times for each digit.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from math import isqrt
from typing import Optional

from refclass.linear.vector import dot

# The largest three primes of 60 bits: a residue then fills two of the 30-bit digits that Python's integers consist of.
# A matrix that is singular modulo one prime, but not over the integers, is tried modulo the next.
PRIMES = (2**60 - 93, 2**60 - 107, 2**60 - 173)
FIRST_TRY_DIGITS = 4  # digits in base p before the first reconstruction; each later one has half as many digits more

Rows = Sequence[Sequence[int]]
Solution = tuple[list[int], int]
Triangles = tuple[list[list[int]], list[list[int]], list[int], list[int]]


def solve(A: Rows, sides: Rows, primes: Sequence[int] = PRIMES) -> Optional[list[Solution]]:
    """Return for each right side b integers x and d > 0 with A x = d b; None if A is singular modulo all the primes.

    Shapes    A: n × n; each b and x: n
    Exact     yes
    Cost      n³/3 multiplications modulo p, then for each right side and digit 2n² by a digit; for random systems about
              n (log₂ max |A| + ½ log₂ n) / 30 digits are needed

    Example
        >>> solve([[2, 1], [1, 3]], [[1, 0], [0, 5]])
        [([3, -1], 5), ([-1, 2], 1)]
    """
    for p in primes:
        known = _factored(A, p)
        if known is not None:
            return [_lifted(A, b, p, known) for b in sides]
    return None


def solution(A: Rows, b: Sequence[int]) -> Optional[list[Fraction]]:
    """Return the solution of A x = b in fractions; None if A is singular modulo all the primes.

    Shapes    A: n × n, n ≥ 0; b, x: n
    Exact     yes
    Cost      that of `solve` for one right side

    Example
        >>> solution([[2, 1], [1, 3]], [1, 1])
        [Fraction(2, 5), Fraction(1, 5)]
    """
    found = solve(A, [b])
    if found is None:
        return None
    ((x, d),) = found
    return [Fraction(v, d) for v in x]


def rank(A: Rows, p: int = PRIMES[0]) -> int:
    """Return the rank of A modulo p: a lower bound for its rank, and equal to it unless p divides certain minors.

    Shapes    A: m × n
    Cost      about n³/3 multiplications modulo p for a square matrix of full rank

    Example
        >>> rank([[1, 2], [2, 4]]), rank([[7, 0], [0, 1]], 7)
        (1, 1)
    """
    return len(independent(A, p))


def independent(A: Rows, p: int = PRIMES[0]) -> list[int]:
    """Return the columns of A that are no combination of columns before them, modulo p.

    Shapes    A: m × n
    Cost      about n³/3 multiplications modulo p for a square matrix of full rank

    Example
        >>> independent([[1, 2, 0], [2, 4, 1]])
        [0, 2]
    """
    rows, found, column = [[v % p for v in row] for row in A], list[int](), 0
    while rows and rows[0]:
        r = next((i for i, row in enumerate(rows) if row[0]), None)
        if r is None:
            rows, column = [row[1:] for row in rows], column + 1
            continue
        pivot = rows.pop(r)
        found.append(column)
        inverse = pow(pivot[0], -1, p)
        tail = [v * inverse % p for v in pivot[1:]]
        rows, column = [[(v - row[0] * w) % p for v, w in zip(row[1:], tail)] for row in rows], column + 1
    return found


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
    """Return x and d > 0 with A x = d b, given the factor of A modulo p."""
    squares = [dot(row, row) for row in A]
    return lifted(lambda x: [dot(row, x) for row in A], lambda r: _remainder(known, r, p), squares, b, p)


def lifted(
    multiplied: Callable[[list[int]], Iterable[int]],
    remainder: Callable[[list[int]], list[int]],
    squares: Sequence[int],
    b: Sequence[int],
    p: int,
) -> Solution:
    """Return x and d > 0 with A x = d b, A being known by its products: the lifting itself, dense or sparse.

    multiplied    x -> A x
    remainder     r -> the y in 0 … p − 1 with A y = r mod p
    squares       the squared length of each row of A

    Cost          a call of each for every digit of the solution, and one of the first to check it
    """
    # Proof: by Cramer's rule and Hadamard's inequality the squares of numerators and denominator are at most
    # Π (‖aᵢ‖² + bᵢ²). As soon as pᵏ exceeds twice that, Euclid's algorithm finds them, and often before.
    enough = 2
    for square, c in zip(squares, b):
        enough *= max(1, square + c * c)
    digits: list[list[int]] = []
    r, modulus, next_try = list(b), 1, p**FIRST_TRY_DIGITS
    while True:
        digits.append(remainder(r))
        r = [(c - v) // p for v, c in zip(multiplied(digits[-1]), r)]
        modulus *= p
        if modulus >= min(next_try, enough):
            found = reconstructed(assembled(digits, p), modulus)
            if found and all(v == found[1] * c for v, c in zip(multiplied(found[0]), b)):
                return found
            next_try = modulus * isqrt(modulus)


def assembled(digits: list[list[int]], p: int) -> list[int]:
    """Return Σ pⁱ digits[i], by pairs of neighbours: products of long integers of equal length."""
    while len(digits) > 1:
        odd = digits[-1:] if len(digits) % 2 else []
        digits = [[a + p * c for a, c in zip(low, high)] for low, high in zip(digits[::2], digits[1::2])] + odd
        p *= p
    return digits[0]


def reconstructed(values: list[int], modulus: int) -> Optional[Solution]:
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
