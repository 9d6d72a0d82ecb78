"""The factor A = L D Lᵀ in fixed-point integers, for definite systems (Golub and Van Loan 2013, section 4.1).

    vᵢⱼ = aᵢⱼ − Σₖ vᵢₖ lⱼₖ,   lᵢⱼ = vᵢⱼ/dⱼ,   dᵢ = aᵢᵢ − Σₖ vᵢₖ lᵢₖ        (k < j ≤ i)

Numbers are integers over a power of two. A sum of products of integers is one loop in C and exact; it is rounded down
once, to a multiple of 2^−bits. So a matrix whose condition exceeds the range of doubles is factored in a few more
digits, without the long integers of exact elimination.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Optional

from refclass.linear.vector import dot
from refclass.number.field import rational

Numbers = list[int]


def fixed(values: Iterable[Any], bits: int) -> Numbers:
    """Return the numbers as multiples of 2^−bits, rounded down.

    Example
        >>> fixed([0.75, -1], 4)
        [12, -16]
    """
    ratios = [rational(v).as_integer_ratio() for v in values]
    return [(p << bits) // q for p, q in ratios]


@dataclass(frozen=True)
class Factor:
    """A = L D Lᵀ, L with a unit diagonal.

    bits     the unit is 2^−bits
    lower    the rows of L below the diagonal
    pivots   the diagonal of D, all positive
    """

    bits: int
    lower: list[Numbers]
    pivots: Numbers

    def solve(self, b: Sequence[int]) -> Numbers:
        """Return the solution of A x = b.

        Cost    n² − n multiplications and n divisions
        """
        bits, z = self.bits, Numbers()
        for row, v in zip(self.lower, b):
            z.append(v - (dot(row, z) >> bits))
        x = [(v << bits) // d for v, d in zip(z, self.pivots)]
        for i in range(len(x) - 1, 0, -1):
            last = x[i]
            if last:
                for k, c in enumerate(self.lower[i]):
                    x[k] -= c * last >> bits
        return x

    def inverse_diagonal(self) -> Numbers:
        """Return the diagonal of A⁻¹: Σₖ (L⁻¹)ₖᵢ²/dₖ.

        Cost    n³/6 multiplications
        """
        bits, total = self.bits, [0] * len(self.pivots)
        for i in range(len(total)):
            column, square = [1 << bits], (1 << 2 * bits) // self.pivots[i]
            for k in range(i + 1, len(total)):
                v = -(dot(self.lower[k][i:], column) >> bits)
                column.append(v)
                square += v * v // self.pivots[k]
            total[i] = square
        return total


def factor(A: Iterable[Sequence[int]], bits: int) -> Optional[Factor]:
    """Return the factor of a symmetric matrix; None where a pivot is not positive.

    Shapes    A: n × n, or its lower triangle, in multiples of 2^−bits
    Cost      (n³ − n)/6 multiplications and n(n − 1)/2 divisions of integers

    Example
        >>> factor([[4 << 8], [2 << 8, 5 << 8]], 8).solve([6 << 8, 7 << 8]) == [1 << 8, 1 << 8]
        True
    """
    lower, pivots = list[Numbers](), Numbers()
    for i, a in enumerate(A):
        v, row = Numbers(), Numbers()
        for j in range(i):
            v.append(a[j] - (dot(v, lower[j]) >> bits))
            row.append((v[j] << bits) // pivots[j])
        pivot = a[i] - (dot(v, row) >> bits)
        if pivot <= 0:
            return None
        lower.append(row)
        pivots.append(pivot)
    return Factor(bits, lower, pivots)


SPARED = 128  # bits that a factor has fewer than the numbers that are refined with it
ROUNDS = 12  # corrections at most; each gains what the factor has beyond the condition of the table


@dataclass(frozen=True)
class Refined:
    """A factor in shorter numbers, and the table that its solutions are corrected for.

    rows      of the table, whole, in multiples of 2^−bits
    short     its factor in multiples of a larger unit
    """

    bits: int
    rows: list[Numbers]
    short: Factor

    def solve(self, b: Sequence[int]) -> Optional[Numbers]:
        """Return the solution of A x = b; None where corrections do not shrink.

        Cost      2n² − n multiplications of long integers a correction, and n² − n before
        Source    Iterative refinement (Wilkinson, 1963)
        """
        x, last = self.short.solve(b), None
        for _ in range(ROUNDS):
            # Method: the short factor takes integers in any unit, and returns them in the same.
            left = [v - (dot(row, x) >> self.bits) for row, v in zip(self.rows, b)]
            c = self.short.solve(left)
            x = [v + w for v, w in zip(x, c)]
            size = max(map(abs, c))
            if size >> SPARED // 8 == 0 or size << SPARED <= max(map(abs, x)):
                return x
            if last is not None and 16 * size > last:
                return None
            last = size
        return None


def refined(rows: list[Numbers], bits: int) -> Optional[Refined]:
    """Return a factor in numbers that are SPARED bits shorter; None where one of its pivots is not positive.

    Shapes    rows: n × n, symmetric, in multiples of 2^−bits
    """
    short = factor([[v >> SPARED for v in row[: i + 1]] for i, row in enumerate(rows)], bits - SPARED)
    return None if short is None else Refined(bits, rows, short)
