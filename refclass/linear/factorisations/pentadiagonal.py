"""Symmetric positive definite matrices of five diagonals: A = L D Lᵀ without roots, and traces, in linear time.

    Aᵢᵢ = diagonal[i]    Aᵢ,ᵢ₊₁ = first[i]    Aᵢ,ᵢ₊₂ = second[i]    all else zero

Smoothing splines lead to such systems, one for each smoothing parameter, and need traces over the inverse for their
degrees of freedom (Reinsch 1967; Hutchinson and de Hoog 1985); the inverse itself is full and is never formed.
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
Row = tuple[Number, Number, Number, Number]


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

    def trace_over(self, other: Factor) -> Number:
        """Return tr A⁻¹M for a tridiagonal M, given by its factor.

        Exact    yes
        Cost     13n multiplications, 3n divisions
        """
        # Method: let x be normal with covariance A⁻¹; then xᵢ = −Lᵢ₊₁,ᵢ xᵢ₊₁ − Lᵢ₊₂,ᵢ xᵢ₊₂ + noise of variance 1/Dᵢ.
        # From the last i to the first, xᵢ₊₁ = r xᵢ + rest, p the variance of xᵢ and q that of the rest;
        # tr A⁻¹M is the sum over M's pivots of mᵢ var(xᵢ + lᵢ xᵢ₊₁). Variances only add, so that nothing cancels.
        zero = type(self.pivots[0])(0)
        p, q, r, total = zero, zero, zero, zero
        mine, theirs = zip(reversed(self.pivots), *self._below()), zip(reversed(other.pivots), other._below()[0])
        for (d, c, e), (m, l) in zip(mine, theirs):  # noqa: E741
            slope, own = c + e * r, e * e * q + 1 / d
            variance = slope * slope * p + own
            r, q, p = -(slope * p) / variance, p * own / variance, variance
            both = 1 + l * r
            total = total + m * (both * both * p + l * l * q)
        return total

    def trace_over_rows(self, rows: Sequence[Row]) -> Number:
        """Return tr A⁻¹M for M = Σᵢ uᵢ aᵢaᵢᵀ, given by its rows as in `gathered`.

        Exact    yes
        Cost     17n + 9 multiplications, 3n divisions
        """
        # Method: as in `trace_over`; every term is u var(aᵀx), the variance of a sum of three independent parts.
        zero = type(self.pivots[0])(0)
        p, q, r, total = zero, zero, zero, zero
        for (d, c, e), (u, x, y, z) in zip(zip(reversed(self.pivots), *self._below()), reversed(rows)):
            slope, noise = c + e * r, 1 / d
            along, beside = y + z * r - x * slope, z - x * e
            total = total + u * (along * along * p + beside * beside * q + x * x * noise)
            own = e * e * q + noise
            variance = slope * slope * p + own
            r, q, p = -(slope * p) / variance, p * own / variance, variance
        (first, _, _, end), (second, _, y, z) = rows[:2]
        along = y + z * r
        return total + second * (along * along * p + z * z * q) + first * end * end * p

    def _below(self) -> tuple[Iterator[Number], Iterator[Number]]:
        zero = type(self.pivots[0])(0)
        return reversed((*self.first[1:], zero)), reversed((*self.second[2:], zero, zero)[: len(self.pivots)])


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


def gathered(base: Factor, rows: Sequence[Row]) -> Factor:
    """Return the factor of A + Σᵢ uᵢ aᵢaᵢᵀ for a tridiagonal A, from the rows aᵢ themselves.

    The sum is never formed: where its terms differ much in size, forming it would cancel the digits of the small ones,
    twice as many as rotations of the rows without roots (Gentleman 1973) lose.

    Given     A's factor; for i = 0 … n + 1 the row (uᵢ, x, y, z) with uᵢ ≥ 0 and aᵢ zero but for x, y, z in columns
              i − 2, i − 1, i; what lies outside the columns 0 … n − 1 is zero
    Exact     yes
    Cost      18 multiplications and 6 divisions for each column
    Raises    InvalidInput unless there are n + 2 rows

    Example
        >>> from fractions import Fraction
        >>> one, nil = Fraction(1), Fraction(0)
        >>> A = factor([one, one], [nil], [])
        >>> rows = [(one, nil, nil, one), (one, nil, -2 * one, one), (one, one, -2 * one, nil), (one, one, nil, nil)]
        >>> f = gathered(A, rows)
        >>> f.pivots == factor([7 * one, 7 * one], [-4 * one], []).pivots
        True
    """
    n = len(base.pivots)
    if len(rows) != n + 2:
        raise InvalidInput("pentadiagonal", need=f"{n + 2} rows", got=len(rows))
    zero = type(base.pivots[0])(0)
    found: list[tuple[Number, Number, Number]] = []
    # Premise: before column k the rows so far have been reduced to two, d (1, a) from column k on and e (0, 1).
    d, a, e = _reduced((zero, zero, zero), (rows[0][0], rows[0][3], zero))
    d, a, e = _reduced((d, a, e), (rows[1][0], rows[1][2], rows[1][3]))
    # Method: three rotations a column, written out for speed; the third row's weight and entries are u, x, y, z.
    for pivot, below, (u, x, y, z) in zip(base.pivots, (*base.first[1:], zero), rows[2:]):
        total = d + pivot  # with A's own row, pivot (1, below)
        c, s = d / total, pivot / total
        gap = below - a
        e, a, d = e + pivot * c * gap * gap, c * a + s * below, total
        t = u * x  # with the new row
        total = d + t * x
        c, s = d / total, t / total
        u, y, a, b, d = u * c, y - x * a, c * a + s * y, s * z, total
        found.append((d, a, b))
        t = u * y  # what is left of it, with e (0, 1)
        total = e + t * y
        if total == 0:
            d, a, e = e, zero, u * z * z
        else:
            d, a, e = total, t * z / total, u * e / total * z * z
    pivots, first, second = zip(*found)
    return Factor(pivots, (zero, *first[:-1]), (zero, zero, *second[:-2])[:n])


def _reduced(kept: tuple[Number, Number, Number], row: tuple[Number, Number, Number]) -> tuple[Number, Number, Number]:
    """Return d, a, e of the rows d (1, a) and e (0, 1) after the rotation of a third, w (x, y), into them."""
    d, a, e = kept
    (d, a, _), (w, y, _) = _rotated((d, a, a * 0), (*row, a * 0))
    return d, a, e + w * y * y


def _rotated(kept: tuple[Number, Number, Number], row: Row) -> tuple[tuple[Number, ...], tuple[Number, ...]]:
    """Return d′ (1, a′, b′) and w′ (0, y′, z′) with the sum of squares of d (1, a, b) and w (x, y, z)."""
    # Proof: with d′ = d + wx², c = d/d′ and s = wx/d′ the entries agree: d + wx² = d′, da + wxy = d′(ca + sy), and
    # da² + wy² = d′(ca + sy)² + wc (y − xa)². Every weight stays ≥ 0, and no root is needed.
    (d, a, b), (w, x, y, z) = kept, row
    t = w * x
    total = d + t * x
    if total == 0:
        return kept, (w, y, z)
    c, s = d / total, t / total
    return (total, c * a + s * y, c * b + s * z), (w * c, y - x * a, z - x * b)


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
