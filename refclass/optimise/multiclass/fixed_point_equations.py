"""The equations of `newton_equations.ZeroSum` in fixed-point integers, for kernels that doubles hold too few digits of.

Columns of Z are divided by powers of two that leave them at most 1, a table λ + Σᵢ dᵢz̃ᵢz̃ᵢᵀ by powers of four near its
diagonal (Van der Sluis, 1969). Numbers of little more bits than its condition then have a factor, and solutions are
corrected for the equations in all bits (Wilkinson, 1963). Cholesky's method with pivoting leaves a column of Z without
entries in the rows that were chosen before it: sums begin after them.
"""

from __future__ import annotations

from collections.abc import Sequence
from operator import mul

from refclass.linear.factorisations import fixed_point
from refclass.linear.factorisations.fixed_point import Numbers
from refclass.linear.vector import dot
from refclass.number.field import Field, Number, rational
from refclass.optimise.limits import REFINEMENTS
from refclass.optimise.multiclass import newton_equations
from refclass.optimise.multiclass.newton_equations import Columns, Rows, moved

GAIN = 96  # bits of a factor beyond those of the size of K over λ: what a correction gains, nearly
FINE = 192  # bits of coordinates and functions beyond them
SOLVED = 40  # bits below the right side of a residual that needs no further correction


def power(x: Number) -> int:
    """Return an e with |x| < 2^e, one above the least at most; 0 for zero.

    Example
        >>> power(5), power(0.25), power(0)
        (3, -1, 0)
    """
    p, q = rational(x).as_integer_ratio()
    return abs(p).bit_length() - q.bit_length() + 1 if p else 0


class Points(newton_equations.Points):
    """Points with an intercept, in decimals, whose sums are those of integers.

    bits, short    the unit of coordinates is 2^−bits, that of factors 2^−short
    scale          the powers of two that columns are divided by
    order          of the rows: later ones have more columns
    first          for each column the place in this order from which on it has entries
    """

    def __init__(self, Z: Rows, F: Field, lam: Number) -> None:
        super().__init__(Z, True, F)
        powers = [power(max(map(abs, column))) for column in self.columns]
        largest, ridge = max(powers), max(-power(lam), 0)
        size = 2 * largest + ridge  # of K over λ
        self.bits, self.short = FINE + size, GAIN + size
        self.scale = [F.kind(2) ** e for e in powers]
        self.one, self.unit = F.kind(1 << self.bits), F.kind(1) / F.kind(1 << self.bits)
        self.integers = [self.fixed([v / s for v in own]) for own, s in zip(self.columns, self.scale)]
        self.integer_rows = list(zip(*self.integers))
        ends = [max([j for j, v in enumerate(z[:-1], 1) if v], default=0) for z in self.rows]
        self.order = sorted(range(len(ends)), key=ends.__getitem__)
        sorted_ends = [ends[i] for i in self.order]
        self.first = [sum(end <= j for end in sorted_ends) for j in range(self.size - 1)] + [0]
        self.ordered = [[own[i] for i in self.order[s:]] for own, s in zip(self.integers, self.first)]

    def fixed(self, values: Sequence[Number]) -> Numbers:
        """Return the numbers in units."""
        return [int(v * self.one) for v in values]

    def lifted(self, values: Sequence[int]) -> list[Number]:
        """Return sums of products of two numbers in units."""
        kind, unit, bits = self.F.kind, self.unit, self.bits
        return [kind(v >> bits) * unit for v in values]

    def values(self, v: Columns) -> Columns:
        """Return f_k at the points for the parameters of each class."""
        scaled = [self.fixed(list(map(mul, own, self.scale))) for own in v]
        return [self.lifted([dot(z, x) for z in self.integer_rows]) for x in scaled]

    def gathered(self, weights: Columns) -> Columns:
        """Return Σᵢ weight_ik z̃ᵢ for each class."""
        sums = [self.lifted([dot(column, x) for column in self.integers]) for x in map(self.fixed, weights)]
        return [list(map(mul, own, self.scale)) for own in sums]

    def equations(self, lam: Number, d: Columns) -> ZeroSum:
        """Return the factors of the equations with W = diag(d)."""
        return ZeroSum(self, lam, d)


class Scaled:
    """A table with its factor.

    halves    for each row half the power of two that its diagonal entry is divided by
    rows      of the lower triangle, divided, in multiples of 2^−bits

    Raises    ArithmeticError where a pivot is not positive
    """

    def __init__(self, F: Field, halves: Numbers, rows: Sequence[Numbers], bits: int) -> None:
        factor = fixed_point.factor(rows, bits)
        if factor is None:
            raise ArithmeticError("a table that is not definite to so many bits")
        self.F, self.halves, self.factor = F, halves, factor
        self.down = [F.kind(2) ** -h for h in halves]

    def solve(self, r: Sequence[Number]) -> list[Number]:
        """Return the solution."""
        kind, x = self.F.kind, list(map(mul, r, self.down))
        unit = kind(1 << self.factor.bits + GAIN) / (max(map(abs, x)) or kind(1))
        y = self.factor.solve([int(v * unit) for v in x])
        return [kind(v) / unit * s for v, s in zip(y, self.down)]


class ZeroSum(newton_equations.ZeroSum):
    """Those of `newton_equations.ZeroSum`, of parameters that are multiplied by the powers of two of their columns.

    Raises    ArithmeticError where a table is not definite to so many bits
    """

    def __init__(self, points: Points, lam: Number, d: Columns) -> None:
        self.points, self.lam, self.d = points, lam, d
        self.scale = points.scale
        self.factors = factors = [table(points, lam, own) for own in d]
        least = [min(column) for column in zip(*[own.halves for own in factors])]
        sums = [[0] * (a + 1) for a in range(points.size)]
        for own in factors:
            up = [a - b for a, b in zip(own.halves, least)]
            for row, inverse, s in zip(sums, own.factor.inverse(), up):
                row[:] = [v + (w >> s + t) for v, w, t in zip(row, inverse, up)]
        bits = points.short
        halves = [(row[-1].bit_length() - bits) // 2 for row in sums]
        rows = [[shifted(v, h + t) for v, t in zip(row, halves)] for row, h in zip(sums, halves)]
        self.common = Scaled(points.F, [h - e for h, e in zip(halves, least)], rows, bits)

    def solve(self, r: Columns) -> Columns:
        """Return the parameters of each class, which sum to zero."""
        found = super().solve([[v / s for v, s in zip(own, self.scale)] for own in r])
        return [[v / s for v, s in zip(own, self.scale)] for own in found]

    def refined(self, r: Columns) -> Columns:
        """Return the solution, corrected until its residual is small.

        Raises    ArithmeticError where corrections do not make it so
        """
        x, left, asked = self.solve(r), r, self.size(r) / (1 << SOLVED)
        for _ in range(REFINEMENTS):
            left = moved(r, -1, self.apply(x))
            if self.size(left) <= asked:
                return x
            x = moved(x, 1, self.solve(left))
        raise ArithmeticError("corrections that do not converge")

    def size(self, r: Columns) -> Number:
        """Return the largest entry of what the classes do not have in common, each in the unit of its column."""
        most = self.points.F.kind(0)
        for s, column in zip(self.scale, zip(*r)):
            mean = sum(column) / len(column)
            most = max([most, *[abs(v - mean) / s for v in column]])
        return most


def shifted(v: int, down: int) -> int:
    """Return v/2^down, rounded down."""
    return v >> down if down >= 0 else v << -down


def table(points: Points, lam: Number, d: Sequence[Number]) -> Scaled:
    """Return the table λ + Σᵢ dᵢz̃ᵢz̃ᵢᵀ of scaled parameters with its factor."""
    bits, short, first = points.bits, points.short, points.first
    roots = points.fixed([points.F.sqrt(d[i]) for i in points.order])
    ridges = [lam / (s * s) for s in points.scale[:-1]] + [points.F.kind(0)]
    columns, halves, diagonal = [], [], Numbers()
    for column, start, ridge in zip(points.ordered, first, points.fixed(ridges)):
        own = [a * b >> bits for a, b in zip(column, roots[start:])]
        size = dot(own, own) + (ridge << bits)  # in multiples of 2^−2·bits
        half = size.bit_length() // 2
        columns.append([shifted(v, half - short) for v in own])
        halves.append(half)
        diagonal.append(shifted(size, 2 * half - short))
    rows = []
    for j, (a, start) in enumerate(zip(columns, first)):
        pairs = ((a[max(t - start, 0) :], b[max(start - t, 0) :]) for b, t in zip(columns[:j], first))
        rows.append([*[dot(x, y) >> short for x, y in pairs], diagonal[j]])
    return Scaled(points.F, [h - bits for h in halves], rows, short)
