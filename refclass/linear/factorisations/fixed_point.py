"""The factor A = L D Lᵀ in fixed-point integers, for definite systems (Golub and Van Loan 2013, section 4.1).

    vᵢⱼ = aᵢⱼ − Σₖ vᵢₖ lⱼₖ,   lᵢⱼ = vᵢⱼ/dⱼ,   dᵢ = aᵢᵢ − Σₖ vᵢₖ lᵢₖ        (k < j ≤ i)

Numbers are integers over a power of two. A sum of products of integers is one loop in C and exact; it is rounded down
once, to a multiple of 2^−bits. So a matrix whose condition exceeds the range of doubles is factored in a few more
digits, without the long integers of exact elimination. Columns of L stand side by side in one integer, so that one
multiplication takes a multiple of a column (Kronecker substitution: von zur Gathen and Gerhard 2013, section 8.4).
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
    size     the bits of the largest diagonal entry of A
    """

    bits: int
    lower: list[Numbers]
    pivots: Numbers
    size: int

    def leading(self, n: int) -> Factor:
        """Return the factor of the first n rows."""
        return Factor(self.bits, self.lower[:n], self.pivots[:n], self.size)

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

    def inverse(self) -> list[Numbers]:
        """Return the lower triangle of A⁻¹ = L⁻ᵀD⁻¹L⁻¹.

        Cost    n³/3 multiplications
        """
        bits, columns = self.bits, list[Numbers]()  # of L⁻¹, from the diagonal on
        for i in range(len(self.pivots)):
            column = [1 << bits]
            for row in self.lower[i + 1 :]:
                column.append(-(dot(row[i : i + len(column)], column) >> bits))
            columns.append(column)
        below = [[(v << bits) // d for v, d in zip(own, self.pivots[i:])] for i, own in enumerate(columns)]
        return [[dot(a, b[i - j :]) >> bits for j, b in enumerate(below[: i + 1])] for i, a in enumerate(columns)]

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


def factor(A: Iterable[Sequence[int]], bits: int, known: Optional[Factor] = None) -> Optional[Factor]:
    """Return the factor of a symmetric matrix; None where a pivot is not positive.

    known     the factor of its first rows

    Shapes    A: n × n, or its lower triangle, in multiples of 2^−bits; of the rows that are known, none
    Cost      (n − 1)² multiplications, half of them of columns, and n(n − 1)/2 divisions of integers

    Example
        >>> factor([[4 << 8], [2 << 8, 5 << 8]], 8).solve([6 << 8, 7 << 8]) == [1 << 8, 1 << 8]
        True
    """
    rows = [list(a) for a in A]
    lower, pivots, size = ([*known.lower], [*known.pivots], known.size) if known is not None else ([], [], 0)
    size = max([size, *[a[i].bit_length() for i, a in enumerate(rows, len(pivots))]])
    # Proof: after some pivots what is left of a definite matrix is so, and none of its entries exceeds its diagonal.
    place = size + bits + SPARE
    columns = Numbers()
    for row in lower:
        _append(columns, row, place)
    for i, a in enumerate(rows, len(pivots)):
        v = _substituted(a[:i], columns, bits, place)
        row = [(w << bits) // d for w, d in zip(v, pivots)]
        pivot = a[i] - (dot(v, row) >> bits)
        if pivot <= 0:
            return None
        _append(columns, row, place)
        lower.append(row)
        pivots.append(pivot)
    return Factor(bits, lower, pivots, size)


def _append(columns: Numbers, row: Numbers, place: int) -> None:
    """Append a row of L to its columns, of which the first number below the diagonal stands lowest."""
    up = 0
    for k in range(len(row) - 1, -1, -1):
        columns[k] += row[k] << up
        up += place
    columns.append(0)


def _substituted(a: Numbers, columns: Numbers, bits: int, place: int) -> Numbers:
    """Return the v with L v = a."""
    half, low, v, left = 1 << place - 1, (1 << place) - 1, Numbers(), 0
    for w in reversed(a):
        left = (left << place) + (w << bits) + half  # so that no number that is left is negative
    for column in columns:
        v.append(-(half - (left & low) >> bits))
        left = (left >> place) - v[-1] * column
    return v


SPARE = 8  # bits of room for roundoff between numbers that stand side by side
GAIN = 64  # bits that a short factor has beyond the condition of its table: what a correction gains, nearly
EXACT = 128  # bits to which a solution is corrected
ROUNDS = 12  # corrections at most


@dataclass(frozen=True)
class Table:
    """A symmetric matrix A + D.

    unit        that of A is 2^−unit: fewer bits than those of what it is multiplied by, where its entries are short
    rows        of A, whole
    bits        the unit of D and of vectors is 2^−bits
    diagonal    of D
    """

    unit: int
    rows: list[Numbers]
    bits: int
    diagonal: Numbers

    def __matmul__(self, x: Numbers) -> Numbers:
        """Return the product with a vector."""
        unit, bits = self.unit, self.bits
        return [(dot(row, x) >> unit) + (d * v >> bits) for row, d, v in zip(self.rows, self.diagonal, x)]

    def sizes(self) -> Numbers:
        """Return the diagonal of A + D in multiples of 2^−bits."""
        return [(row[i] << self.bits - self.unit) + d for i, (row, d) in enumerate(zip(self.rows, self.diagonal))]

    def length(self) -> int:
        """Return how many bits a short factor has, if A is semidefinite: the least share of D bounds the condition."""
        return GAIN + max([v.bit_length() - w.bit_length() for v, w in zip(self.sizes(), self.diagonal)], default=0)


@dataclass(frozen=True)
class Refined:
    """A factor in shorter numbers, and the table that its solutions are corrected for.

    halves    for each row of the table half the power of two of its diagonal entry
    short     the factor of the table whose diagonal these have made nearly one, in multiples of a larger unit
    """

    table: Table
    halves: Numbers
    short: Factor

    def near(self, b: Sequence[int]) -> Numbers:
        """Return the solution of A x = b to nearly GAIN bits."""
        scaled = [(v << self.table.bits) >> h for v, h in zip(b, self.halves)]
        # Method: the factor takes integers in any unit, and returns them in the same.
        spare = max(0, max([v.bit_length() for v in scaled], default=0) - self.short.bits - GAIN)
        x = self.short.solve([v >> spare for v in scaled])
        return [v << spare >> h for v, h in zip(x, self.halves)]

    def solve(self, b: Sequence[int], total: Optional[int] = None) -> Optional[tuple[Numbers, int]]:
        """Return x and β of A x + β1 = b, Σ x = total; without a total β = 0.  None where corrections do not shrink.

        Cost      2n² multiplications a correction, n² − n before, and for a total as many
        Source    Iterative refinement (Wilkinson, 1963)
        """
        n, beta, bits, last = len(b), 0, self.table.bits, None
        ones = None if total is None else self.near([1 << bits] * n)
        x, left, missing = [0] * n, list(b), 0 if total is None else total
        for _ in range(ROUNDS):
            c = self.near(left)
            if ones is not None:
                rise = ((sum(c) - missing) << bits) // sum(ones)
                c, beta = [v - (rise * w >> bits) for v, w in zip(c, ones)], beta + rise
            x = [v + w for v, w in zip(x, c)]
            size = max(map(abs, c))
            if size >> GAIN // 4 == 0 or size << EXACT <= max(map(abs, x)):
                return x, beta
            if last is not None and size << 4 > last:
                return None
            left, last = [v - w - beta for v, w in zip(b, self.table @ x)], size
            missing = 0 if total is None else total - sum(x)
        return None


def refined(table: Table, known: Optional[Factor] = None) -> Optional[Refined]:
    """Return a table with its short factor; None where a pivot is not positive, or where it is not shorter.

    known     a short factor of the first rows
    """
    sizes, own = table.sizes(), table.length()
    if own + GAIN > table.bits or min(sizes) <= 0:
        return None
    known = known if known is not None and known.bits >= own else None
    own, first = (known.bits, len(known.pivots)) if known else (own, 0)
    halves, up = [v.bit_length() // 2 for v in sizes], table.bits - table.unit + own
    scaled = ([v << up >> halves[i] + k for v, k in zip(table.rows[i][:i], halves)] for i in range(first, len(sizes)))
    rows = ([*row, sizes[i] << own >> 2 * halves[i]] for i, row in enumerate(scaled, first))
    short = factor(rows, own, known)
    return None if short is None else Refined(table, halves, short)
