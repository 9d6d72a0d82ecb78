"""Whether doubles can hold the powers of the data that a regression forms."""

from __future__ import annotations

import math

from refclass.errors import InvalidInput
from refclass.linear.matrix import Matrix
from refclass.number.field import Field

EXPONENT = 900  # binary exponents from −900 to 900, which leaves a margin of 2^±122 for sums and quotients


def check(F: Field, module: str, X: Matrix, Y: Matrix, power: int) -> None:
    """Refuse a column of X whose spread to that power, or a response whose square, is beyond the doubles.

    Raises    InvalidInput, naming the column
    """
    if F.kind is not float:
        return
    for name, columns, exponent in (("X", X.T, power), ("y", Y.T, 2)):
        for j, column in enumerate(columns):
            size = max(column) - min(column) if name == "X" else column.largest()
            low, high = math.ldexp(1, -(EXPONENT // exponent)), math.ldexp(1, EXPONENT // exponent)
            if size != 0 and not low <= size <= high:
                need = f"column {j} of {name} of a size whose power {exponent} doubles can hold; scale it"
                raise InvalidInput(module, need=need, got=size)
