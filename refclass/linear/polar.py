"""Inner products of doubles from distances, by polarisation: the standard library's fastest multiply-add.

    ⟨x, y⟩ = (‖x‖² + ‖y‖² − ‖x − y‖²) / 2

`math.dist` is one loop in C over two tuples that creates no Python number on its way. The error is a few units of
roundoff of ‖x‖² + ‖y‖², not of ‖x‖‖y‖: so x and y are brought to norms of like size first. It is then that of any sum
of products.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import repeat
from typing import Optional

from refclass.linear.vector import dot

# Whether `math.dist` is a loop in C. Where functions of `math` have code of their own, which is compiled on the way
# (PyPy), it takes ten times as long as a sum of products.
IN_C = not hasattr(math.dist, "__code__")

# A distance takes a quarter of the time of a sum of products, but three quarters of that of `math.sumprod`, which is
# there from 3.12 on: what distances cost besides is as much as they spare then, where vectors are short or few.
FASTER = IN_C and not hasattr(math, "sumprod")

# Ratio of the squared norms up to which distances are used: the error is then at most 500 times that of a sum.
MAX_SQUARED_NORM_RATIO = 1e6

MANY = 200  # numbers in a column from which on moments of doubles are computed from distances

LARGEST = 2.0**490  # norm of a column whose squares, and those of one of the inverse of that norm, are doubles


def product(x: Sequence[float], xx: float, y: Sequence[float], yy: float) -> float:
    """Return ⟨x, y⟩, given the squared norms xx and yy.

    Example
        >>> product((3.0, 4.0), 25.0, (1.0, 2.0), 5.0)
        11.0
    """
    if xx > MAX_SQUARED_NORM_RATIO * yy or yy > MAX_SQUARED_NORM_RATIO * xx:
        return dot(x, y)  # type: ignore[no-any-return]
    d = math.dist(x, y)
    return (xx + yy - d * d) / 2


def gram(columns: Sequence[Sequence[float]]) -> list[list[float]]:
    """Return the products of each column with itself and those before it: the lower half of their Gram matrix.

    Proof: columns are first scaled by powers of two, without any error, so that no norm is more than twice another.
    With u = eps/2 a difference errs by u, `math.dist` and `math.hypot` by one unit in their last place, 2u, hence ‖x‖²
    by 5u and ‖x − y‖² ≤ 2(‖x‖² + ‖y‖²) by 7u, relatively; with the roundoff of the sums the product errs by at most
    11u(‖x‖² + ‖y‖²) ≤ 14 eps ‖x‖‖y‖, however many numbers there are. A sum of n products may err by n eps/2 ‖x‖‖y‖.

    Columns whose squares leave the range of doubles are multiplied entry by entry.

    Cost      a distance, of n multiplications, for each pair of columns and for each column

    Example
        >>> gram([(3.0, 4.0), (0.0, 1.0)])
        [[25.0], [4.0, 1.0]]
    """
    known = Columns(columns)
    if known.units is None:
        return [[dot(x, y) for y in columns[: i + 1]] for i, x in enumerate(columns)]
    lower = []
    for i, (x, unit, xx) in enumerate(zip(known.scaled, known.units, known.squares)):
        lower.append([*known.by_distances(x, unit, xx, i), known.norms[i] * known.norms[i]])
    return lower


class Columns:
    """Columns, to be multiplied with one vector after another, with the error that `gram` proves.

    norms              of the columns
    units              the powers of two that bring these to like size; None where squares leave the range of doubles
    scaled, squares    the columns times these powers, and their squared norms

    Example
        >>> Columns([(3.0, 4.0), (1000.0, 0.0)])((1.0, 2.0))
        [11.0, 1000.0]
    """

    def __init__(self, columns: Sequence[Sequence[float]]) -> None:
        self.columns = columns
        self.norms = [math.hypot(*column) for column in columns]  # half the time of a distance from zero
        self.units: Optional[list[float]] = None
        if all(norm == 0 or 1 / LARGEST <= norm <= LARGEST for norm in self.norms):
            self.top = max((math.frexp(norm)[1] for norm in self.norms if norm), default=0)
            self.units = list(map(self.unit, self.norms))
            self.scaled = [_times(unit, column) for unit, column in zip(self.units, columns)]
            self.squares = [(unit * norm) * (unit * norm) for unit, norm in zip(self.units, self.norms)]

    def unit(self, norm: float) -> float:
        """Return the power of two that brings a norm to the size of the largest of the columns."""
        return 2.0 ** (self.top - math.frexp(norm)[1]) if norm else 1.0

    def __call__(self, x: Sequence[float]) -> list[float]:
        """Return the product of each column with x.

        Proof: that of `gram`, as x is brought to the size of the columns, too. Entries that fall below the doubles by
        that are less than eps² of the norm.

        Cost      a distance for each column, and 2n; n where x is of their size
        """
        norm = math.hypot(*x)
        if self.units is None or not 1 / LARGEST <= norm <= LARGEST:
            return [dot(x, column) for column in self.columns]
        unit = self.unit(norm)
        return self.by_distances(_times(unit, x), unit, (unit * norm) * (unit * norm), len(self.columns))

    def by_distances(self, x: Sequence[float], unit: float, xx: float, most: int) -> list[float]:
        """Return the products of the first columns with x, which has been scaled: by a unit, to the squared norm xx."""
        found = []
        for y, other, yy in zip(self.scaled[:most], self.units or (), self.squares):
            d = math.dist(x, y)
            found.append((xx + yy - d * d) / 2 / unit / other)
        return found


def _times(unit: float, column: Sequence[float]) -> Sequence[float]:
    return column if unit == 1 else tuple([unit * v for v in column])


class Products:
    """Rows, to be multiplied with one vector after another.

    Example
        >>> [round(v, 12) for v in Products([(3.0, 4.0), (1.0, 0.0)])((1.0, 2.0))]
        [11.0, 1.0]
    """

    def __init__(self, rows: Sequence[Sequence[float]]) -> None:
        self.rows = rows
        origin = (0.0,) * len(rows[0])
        norms = map(math.dist, rows, repeat(origin)) if IN_C else [math.sqrt(dot(row, row)) for row in rows]
        self.squares = [d * d for d in norms]
        self.size = math.sqrt(max(self.squares)) or 1.0

    def __call__(self, x: Sequence[float]) -> list[float]:
        """Return the product of each row with x.

        Cost      n multiplications a row, and 2n
        """
        if not IN_C:
            return [dot(row, x) for row in self.rows]
        # Method: x is scaled to the norm of the largest row, and the products are scaled back. The error is then some
        # roundoff of that norm times ‖x‖, in the products of smaller rows, too.
        norm = math.hypot(*x)
        if norm == 0.0:
            return [0.0] * len(self.rows)
        scale = self.size / norm
        y = tuple([scale * v for v in x])
        yy, half = self.size * self.size, 0.5 / scale
        return [(s + yy - d * d) * half for s, d in zip(self.squares, map(math.dist, self.rows, repeat(y)))]
