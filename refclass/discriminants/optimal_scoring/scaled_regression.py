"""A regression in other units: columns of numbers that have no squares are divided by powers of the base first.

Regressions without a penalty of a given size do not depend on the units of the variables; a change by a power of the
base rounds nothing.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from refclass.linear.matrix import Matrix
from refclass.linear.vector import Rounded, Vector
from refclass.number.field import rational


@dataclass(frozen=True)
class Scaled:
    """A regression fitted to columns in other units.

    inner    the regression; what it gives beside predictions does not depend on the units
    units    p powers of the base
    """

    inner: Any
    units: Vector

    @property
    def fitted(self) -> Matrix:
        """The fitted values."""
        values: Matrix = self.inner.fitted
        return values

    @property
    def degrees_of_freedom(self) -> Any:
        """The degrees of freedom."""
        return self.inner.degrees_of_freedom

    def predict(self, X: Matrix) -> Matrix:
        """Return the fitted function at the rows of X, in the units of the data."""
        values: Matrix = self.inner.predict(divided(X, self.units))
        return values


def divided(X: Matrix, units: Vector) -> Matrix:
    """Return the rows with every entry divided by its unit as it was given: denormal numbers have few digits of it."""
    return Matrix.of([_divided(x, units) for x in X])


def _divided(x: Vector, units: Vector) -> Vector:
    if not isinstance(x, Rounded):
        return Vector.of([v / u for v, u in zip(x, units)])
    given = [rational(v) / rational(u) for v, u in zip(x.given, units)]
    return Rounded.from_given(map(float, given), given)
