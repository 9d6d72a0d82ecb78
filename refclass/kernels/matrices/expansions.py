"""Values of functions f(z) = Σ cᵢ K(xᵢ, z) + b, and of a linear kernel z·β + b with β = Σ cᵢxᵢ.

Far from the origin the terms of these sums cancel: at 10⁹ a product of two doubles moves β·z by its last digit, which
is of the size of f. Where a sum of doubles or decimals is so much smaller than its terms, or left their range, it is
computed from the points as the user gave them, in fractions, and rounded once; of a kernel that is not rational, from
its rounded values. What is beyond the doubles then is refused.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from functools import cached_property
from math import inf, isfinite
from operator import mul
from typing import Any

from refclass.errors import InvalidInput
from refclass.kernels.kernel import Kernel
from refclass.linear.common_denominator import Scaled, combination
from refclass.linear.vector import Vector, dot
from refclass.number.binary64 import NORMAL
from refclass.number.decimals import decimal
from refclass.number.field import Field, Number, finite, rational
from refclass.number.rational import RATIONAL

CANCELLED = 1 << 24  # times its value that the terms of a sum may have: 2²⁹ are left of the digits of a double
Function = tuple[Sequence[Number], Number]  # coefficients and constant


def normal(weights: Sequence[Number], points: Sequence[Any]) -> Vector:
    """Return Σ wᵢxᵢ  [ESL-12.10] [ESL-12.17].

    Shapes    weights: n; points: n rows of p
    Exact     yes, where the weights are; doubles and decimals whose products cancel are summed in fractions
    Cost      np multiplications; 3np for doubles and decimals
    """
    columns = list(zip(*points))
    found = [dot(weights, column) for column in columns]
    if not isinstance(found[0], (float, Decimal)) or not _far(weights, columns, found):
        return Vector.of(found)
    exact = combination(map(_exactly, points), Scaled.of(_exactly(weights)), len(columns))
    return Vector.of(map(_rounding(type(found[0])), exact.fractions()))


def _rounding(kind: Any) -> Callable[[Fraction], Number]:
    """Return what rounds a fraction to a double, or to a decimal of that kind."""
    return float if kind is float else decimal(kind.precision).lift


def _far(weights: Sequence[Number], columns: Sequence[Sequence[Number]], beta: Sequence[Number]) -> bool:
    """Return whether the roundoff of β would move β·x by more than digits that f has over the points.

    So does that of points, as they were read, where a column is smaller than the normal doubles.
    """
    sizes, zero = tuple(map(abs, weights)), type(beta[0])(0)
    moved, spread = zero, zero
    most = [max(map(abs, column)) for column in columns]
    if any(0 < size < NORMAL for size in most) and type(zero) is float:
        return True
    unit = max(most) or zero + 1  # Premise: a product of two entries may leave the range of doubles
    for column, b, size in zip(columns, beta, most):
        moved += dot(sizes, tuple(map(abs, column))) * (size / unit)
        spread += abs(b) * ((max(column) - min(column)) / unit)
    return finite(moved) and moved > CANCELLED * spread


def linear(functions: Sequence[Function], Z: Sequence[Any]) -> list[Vector]:
    """Return the values z·β + b of linear functions, a row for each point.

    Cost      p multiplications for each function and point
    """
    values = [[dot(beta, z) + b for beta, b in functions] for z in Z]
    if values and isinstance(values[0][0], (float, Decimal)):
        kind: Any = type(values[0][0])
        most = [max(map(abs, column)) for column in zip(*Z)]
        reaches = [(dot(tuple(map(abs, beta)), tuple(most)) + abs(b)) / CANCELLED for beta, b in functions]
        for i, (z, row) in enumerate(zip(Z, values)):
            for k, (v, reach) in enumerate(zip(row, reaches)):
                if not reach <= abs(v) < inf:
                    row[k] = _rounded(kind, functions[k], _exactly(z), i)
    return list(map(Vector.of, values))


def expanded(
    F: Field, G: Field, kernel: Kernel, points: Sequence[Any], functions: Sequence[Function], Z: Sequence[Any]
) -> list[Vector]:
    """Return the values Σ cᵢ K(xᵢ, z) + b of functions, a row for each point.

    F, G      the field of the values, and the field in which the kernel is computed

    Cost      a kernel value for each support point, and a multiplication for each function
    """
    return Terms(F, G, kernel, points, _kernel_row).values(functions, Z)


def _kernel_row(F: Field, G: Field, kernel: Kernel, z: Any, points: Sequence[Any]) -> Vector:
    row = kernel.row(G, z, points)
    return row if G is F else Vector.of(map(F.lift, row))


@dataclass(frozen=True)
class Terms:
    """The terms that functions are sums of at a point z.

    F, G      the field of the values, and the field in which the kernel is computed
    row       (F, G, kernel, z, points) -> what the coefficients are multiplied by
    """

    F: Field
    G: Field
    kernel: Kernel
    points: Sequence[Any]
    row: Callable[[Field, Field, Kernel, Any, Sequence[Any]], Vector]

    def values(self, functions: Sequence[Function], Z: Sequence[Any]) -> list[Vector]:
        """Return the values of functions, a row for each point."""
        found = []
        for i, z in enumerate(Z):
            row = self.row(self.F, self.G, self.kernel, z, self.points)
            values = [dot(c, row) + b for c, b in functions]
            if not self.F.exact:
                for k, (c, b) in enumerate(functions):
                    size = sum(map(abs, map(mul, c, row))) + abs(b)
                    if not size <= abs(values[k]) * CANCELLED < inf:
                        values[k] = _rounded(self.F.kind, functions[k], self._exact_row(z, row, i), i)
            found.append(Vector.of(values))
        return found

    def _exact_row(self, z: Any, row: Vector, i: int) -> Sequence[Any]:
        """Return the terms in fractions: of a kernel that is rational as given, of others as they are rounded."""
        if not self.kernel.exact:
            if not all(map(isfinite, row)):
                raise _beyond(i)
            return list(map(rational, row))
        kernel, points = self._exactly
        return self.row(RATIONAL, RATIONAL, kernel, _exactly(z), points)

    @cached_property
    def _exactly(self) -> tuple[Kernel, tuple[Any, ...]]:
        return self.kernel.over(RATIONAL), tuple(map(_exactly, self.points))


def _exactly(point: Any) -> Any:
    """Return a point, or coefficients, as they were before they were rounded; what is no vector as it is."""
    return point.exactly() if isinstance(point, Vector) else point


def _rounded(kind: Any, function: Function, row: Sequence[Fraction], i: int) -> Number:
    """Return the sum of products of a function's coefficients with the numbers of row i, and its constant."""
    coefficients, constant = function
    try:
        return _rounding(kind)(Scaled.of(_exactly(coefficients)) @ Scaled.of(row) + rational(constant))
    except OverflowError:
        raise _beyond(i) from None


def _beyond(i: int) -> InvalidInput:
    need = "points whose values are within the range of doubles"
    return InvalidInput("expansions", need=need, got="larger ones", row=i)
