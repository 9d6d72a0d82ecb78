"""Logarithms of data that hold zeros  [LOG-ZERO].

    x ↦ log x,   and for x = 0:   log(m/2),   m the least positive value of the column among the training rows

so that a zero, a value below what the instrument shows, comes below all that is seen and not infinitely far.
"""

from __future__ import annotations

from dataclasses import dataclass

from refclass.errors import InvalidInput
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector
from refclass.number.field import Field


@dataclass(frozen=True)
class Logarithms:
    """The transformation that training rows have set.

    zeros    for each column what stands for zero: half its least positive value
    """

    zeros: Vector

    def __call__(self, F: Field, X: Matrix) -> Matrix:
        """Return the logarithms of some rows.  Raises InvalidInput for a negative number."""
        rows = []
        for i, row in enumerate(X):
            for j, value in enumerate(row):
                if value < 0:
                    raise InvalidInput("log_transform", need="numbers ≥ 0", got=value, row=i, column=j)
            rows.append(Vector.of([F.log(v if v > 0 else zero) for v, zero in zip(row, self.zeros)]))
        return Matrix.of(rows)


def fit(X: Matrix) -> Logarithms:
    """Return the transformation that these rows set  [LOG-ZERO].

    Exact     yes
    Raises    InvalidInput for a column without a positive number
    """
    zeros = []
    for j, column in enumerate(X.T):
        positive = [v for v in column if v > 0]
        if not positive:
            raise InvalidInput("log_transform", need="a positive number in each column", got="none", column=j)
        zeros.append(min(positive) / 2)
    return Logarithms(Vector.of(zeros))
