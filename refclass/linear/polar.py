"""Inner products of doubles from distances, by polarisation: the standard library's fastest multiply-add before 3.12.

    ⟨x, y⟩ = (‖x‖² + ‖y‖² − ‖x − y‖²) / 2

`math.dist` is one loop in C over two tuples that creates no Python number on its way. The error is a few units of
roundoff of ‖x‖² + ‖y‖², not of ‖x‖‖y‖: so x and y are brought to norms of like size first. It is then that of any sum
of products.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import repeat

from refclass.linear.vector import dot

# Whether `math.dist` is a loop in C. Where functions of `math` have code of their own, which is compiled on the way
# (PyPy), it takes ten times as long as a sum of products.
IN_C = not hasattr(math.dist, "__code__")

# Ratio of the squared norms up to which distances are used: the error is then at most 500 times that of a sum.
MAX_SQUARED_NORM_RATIO = 1e6


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


class Products:
    """Rows, to be multiplied with one vector after another.

    Example
        >>> [round(v, 12) for v in Products([(3.0, 4.0), (1.0, 0.0)])((1.0, 2.0))]
        [11.0, 1.0]
    """

    def __init__(self, rows: Sequence[Sequence[float]]) -> None:
        self.rows = rows
        origin = (0.0,) * len(rows[0])
        self.squares = [d * d for d in map(math.dist, rows, repeat(origin))]
        self.size = math.sqrt(max(self.squares)) or 1.0

    def __call__(self, x: Sequence[float]) -> list[float]:
        """Return the product of each row with x.

        Cost      n multiplications a row
        """
        # Method: x is scaled to the norm of the largest row, and the products are scaled back. The error is then some
        # roundoff of that norm times ‖x‖, in the products of smaller rows, too.
        norm = math.hypot(*x)
        if norm == 0.0:
            return [0.0] * len(self.rows)
        scale = self.size / norm
        y = tuple([scale * v for v in x])
        yy, half = self.size * self.size, 0.5 / scale
        return [(s + yy - d * d) * half for s, d in zip(self.squares, map(math.dist, self.rows, repeat(y)))]
