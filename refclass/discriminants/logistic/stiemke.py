"""Stiemke's alternative, decided over the integers: positive weights that balance the rows, or a direction.

For rows a₁ … a_m exactly one of these exists:

    u with all uⱼ > 0 and Σ uⱼaⱼ = 0            d with all aⱼ·d ≥ 0 and some aⱼ·d > 0
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from operator import mul
from typing import Optional

from refclass.linear.vector import dot

Row = Sequence[int]


@dataclass(frozen=True)
class Answer:
    """One of the two: weights u, or a direction d (of integers)."""

    weights: Optional[tuple[Fraction, ...]]
    direction: Optional[tuple[int, ...]]


def decide(rows: Sequence[Row]) -> Answer:
    """Return weights that balance the rows, or a direction that none of them opposes.

    Shapes    rows: m × q integers
    Exact     yes
    Laws      the answer is its own proof: Σ uⱼaⱼ = 0 with u > 0, or A d ≥ 0, A d ≠ 0

    Example
        >>> decide([(1, 0), (-1, 0)]).weights, decide([(1, 0), (0, 1)]).direction
        ((Fraction(1, 1), Fraction(1, 1)), (1, 1))
    """
    # Proof: u = 1 + v turns the first alternative into Σ vⱼaⱼ = b, v ≥ 0, with b = −Σ aⱼ. The first phase of the
    # simplex method finds such a v, or ends with multipliers y for which y·aⱼ ≤ 0 and y·b > 0: d = −y has aⱼ·d ≥ 0 and
    # Σ aⱼ·d = y·b > 0. Bland's rule, put in force while nothing is gained, makes it end.
    b = [-sum(column) for column in zip(*rows)]
    tableau = _Tableau(b)
    idle = 0
    while tableau.value() > 0:
        y = tableau.multipliers()
        prices = [dot(y, row) for row in rows]
        entering = _entering(prices, rows, bland=idle > 2 * len(b))
        if entering is None:
            return Answer(None, tuple(-v for v in y))
        before = Fraction(tableau.value(), tableau.denominator)
        tableau.enter(entering, rows[entering])
        idle = 0 if Fraction(tableau.value(), tableau.denominator) < before else idle + 1
    weights = [Fraction(1)] * len(rows)
    for j, v in tableau.solution():
        weights[j] += v
    return Answer(tuple(weights), None)


def _entering(prices: list[int], rows: Sequence[Row], bland: bool) -> Optional[int]:
    """Return the row to enter: the first of a positive price, or the one of the highest price for its length."""
    candidates = [j for j, price in enumerate(prices) if price > 0]
    if not candidates:
        return None
    if bland:
        return candidates[0]
    return max(candidates, key=lambda j: Fraction(prices[j] ** 2, dot(rows[j], rows[j])))


class _Tableau:
    """The inverse of a basis, and the values of its variables, as integers over one denominator.

    Row i of `rows` holds row i of the inverse, and last the value of the i-th basic variable; basis[i] is the number of
    that variable, or None for the i-th artificial one.
    """

    def __init__(self, b: list[int]) -> None:
        q = len(b)
        self.denominator = 1
        self.basis: list[Optional[int]] = [None] * q
        signs = [1 if v >= 0 else -1 for v in b]
        self.rows = [[signs[i] * int(i == j) for j in range(q)] + [abs(b[i])] for i in range(q)]

    def value(self) -> int:
        """Return the sum of the artificial variables, times the denominator."""
        return sum(row[-1] for row, j in zip(self.rows, self.basis) if j is None)

    def multipliers(self) -> list[int]:
        """Return the multipliers y, times the denominator."""
        artificial = [row[:-1] for row, j in zip(self.rows, self.basis) if j is None]
        return [sum(column) for column in zip(*artificial)]

    def solution(self) -> list[tuple[int, Fraction]]:
        """Return the basic variables with their values."""
        return [(j, Fraction(row[-1], self.denominator)) for row, j in zip(self.rows, self.basis) if j is not None]

    def enter(self, j: int, a: Row) -> None:
        """Take variable j, of column a, into the basis; the first variable that it drives to zero leaves."""
        column = [sum(map(mul, row[:-1], a)) for row in self.rows]
        ratios = [
            (Fraction(row[-1], c), -1 if k is None else k, i)
            for i, (row, c, k) in enumerate(zip(self.rows, column, self.basis))
            if c > 0
        ]
        _, _, r = min(ratios)
        pivot, chosen = column[r], self.rows[r]
        for i, (row, c) in enumerate(zip(self.rows, column)):
            if i != r:
                # Proof: the entries are minors of the basis, so that the division by the old denominator is exact.
                self.rows[i] = [(pivot * v - c * w) // self.denominator for v, w in zip(row, chosen)]
        self.denominator, self.basis[r] = pivot, j
