"""Symmetric positive definite matrices with two bands beside the diagonal: A = L D Lᵀ without roots, in linear time.

    Aᵢᵢ = diagonal[i]    Aᵢ,ᵢ₊₁ = first[i]    Aᵢ,ᵢ₊₂ = second[i]    all else zero

Smoothing splines lead to such systems, one for each smoothing parameter, and need the same five bands of the inverse
for their degrees of freedom; the inverse itself is full and is never formed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from operator import truediv
from typing import Any

from refclass.errors import InvalidInput, NoAnswer
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector
from refclass.number.field import Number

Bands = tuple[Sequence[Number], Sequence[Number], Sequence[Number]]


@dataclass(frozen=True)
class Factor:
    """A = L D Lᵀ with Lᵢᵢ = 1, the bands of L padded with zeros so that all have n entries.

    pivots    Dᵢ > 0
    first     Lᵢ,ᵢ₋₁
    second    Lᵢ,ᵢ₋₂
    """

    pivots: tuple[Number, ...]
    first: tuple[Number, ...]
    second: tuple[Number, ...]

    def solve(self, b: Vector | Matrix) -> Any:
        """Return x with A x = b, for a vector b or the columns of a matrix.

        Exact    yes
        Cost     4n multiplications and n divisions for each column
        Raises   InvalidInput if b has another length
        """
        if len(b) != len(self.pivots):
            raise InvalidInput("pentadiagonal", need=f"a right side of {len(self.pivots)} rows", got=len(b))
        if isinstance(b, Matrix):
            return Matrix.of([self.solve(column) for column in b.T]).T
        zero = b.kind(0)
        z: list[Number] = []
        last = before = zero
        for v, c, e in zip(b, self.first, self.second):  # L z = b
            last, before = v - c * last - e * before, last
            z.append(last)
        x: list[Number] = []
        last = before = zero
        for v, c, e in zip(map(truediv, reversed(z), reversed(self.pivots)), *self._below()):  # Lᵀ x = D⁻¹z
            last, before = v - c * last - e * before, last
            x.append(last)
        return Vector.of(reversed(x))

    def _below(self) -> tuple[Iterator[Number], Iterator[Number]]:
        zero = type(self.pivots[0])(0)
        return reversed((*self.first[1:], zero)), reversed((*self.second[2:], zero, zero)[: len(self.pivots)])

    def inverse(self) -> Bands:
        """Return the five central bands of A⁻¹: its diagonal, first and second band.

        Exact    yes
        Cost     6n multiplications, n divisions
        """
        # Proof: A⁻¹ = D⁻¹L⁻¹ + (I − Lᵀ)A⁻¹, and D⁻¹L⁻¹ is lower triangular with diagonal D⁻¹; so every entry on or
        # above the diagonal follows from entries further down, within the same bands.
        zero = type(self.pivots[0])(0)
        diagonal, first, second = [], [], []
        d1, d2, s1 = zero, zero, zero  # A⁻¹ at (i+1, i+1), (i+2, i+2), (i+1, i+2)
        for d, c, e in zip(reversed(self.pivots), *self._below()):
            far = -(c * s1 + e * d2)
            near = -(c * d1 + e * s1)
            diagonal.append(1 / d - c * near - e * far)
            first.append(near)
            second.append(far)
            d1, d2, s1 = diagonal[-1], d1, near
        return diagonal[::-1], first[:0:-1], second[:1:-1]


def factor(diagonal: Sequence[Number], first: Sequence[Number], second: Sequence[Number]) -> Factor:
    """Return the factor of the matrix with these bands.

    Shapes    diagonal: n ≥ 1; first: n − 1; second: n − 2, or none for n = 1
    Exact     yes
    Cost      4n multiplications, 2n divisions
    Raises    InvalidInput if the bands do not fit; NoAnswer if the matrix is not positive definite

    Example
        >>> from fractions import Fraction
        >>> half = Fraction(1, 2)
        >>> f = factor([2 * half, 5 * half], [half], [])
        >>> f.pivots, f.solve(Vector([half, 0 * half]))
        ((Fraction(1, 1), Fraction(9, 4)), Vector(5/9, -1/9))
    """
    n = len(diagonal)
    if not n or len(first) != n - 1 or len(second) != max(0, n - 2):
        got = f"{n}, {len(first)}, {len(second)}"
        raise InvalidInput("pentadiagonal", need="bands of n ≥ 1, n − 1 and n − 2 numbers", got=got)
    kind = type(diagonal[0])
    zero = kind(0)
    pivots: list[Number] = []
    one: list[Number] = []
    two: list[Number] = []
    d1, d2, row1 = kind(1), kind(1), zero  # D at i−1 and i−2; Lᵢ₋₁,ᵢ₋₂
    for i, (a, b, c) in enumerate(zip(diagonal, (zero, *first), (zero, zero, *second))):
        e = c / d2
        row1 = (b - c * row1) / d1
        pivot = a - row1 * row1 * d1 - c * e
        if not pivot > 0:
            raise NoAnswer("pentadiagonal", need="a positive pivot", got=pivot, pivot=i)
        pivots.append(pivot)
        one.append(row1)
        two.append(e)
        d1, d2 = pivot, d1
    return Factor(tuple(pivots), tuple(one), tuple(two))


def product(bands: Bands, x: Vector) -> Vector:
    """Return A x for the matrix with these bands."""
    diagonal, first, second = bands
    total = [d * v for d, v in zip(diagonal, x)]
    for width, band in ((1, first), (2, second)):
        for i, a in enumerate(band):
            total[i] = total[i] + a * x[i + width]
            total[i + width] = total[i + width] + a * x[i]
    return Vector.of(total)


def certify(bands: Bands, f: Factor) -> Number:
    """Return the largest residual of the claim A = L D Lᵀ."""
    zero = 0 * f.pivots[0]
    before = (zero, *f.pivots)  # Dᵢ₋₁
    earlier = (zero, zero, *f.pivots)  # Dᵢ₋₂
    worst = zero
    rows = zip(bands[0], (zero, *bands[1]), (zero, zero, *bands[2]), f.pivots, f.first, f.second)
    for i, (a, b, c, d, one, two) in enumerate(rows):
        residuals = (
            a - (d + one * one * before[i] + two * two * earlier[i]),
            b - (one * before[i] + two * earlier[i] * (f.first[i - 1] if i else zero)),
            c - two * earlier[i],
        )
        worst = max(worst, *map(abs, residuals))
    return worst
