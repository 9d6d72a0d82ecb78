"""Comparison up to roundoff: an error in units of roundoff, against one threshold (as LAPACK's test ratios).

    ratio = |error| / (scale · steps · eps) ≤ 30

scale is the size of the operands, steps the number of operations that could each lose one unit. In an exact field there
is no roundoff, and the comparison is ==.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

from refclass.number.field import Field, Number, rational

THRESHOLD = 30  # units of roundoff: LAPACK's bound for all its test ratios


def ratio(F: Field, error: Number, scale: Number = 1, steps: int = 1) -> Any:
    """Return the size of an error in units of roundoff: 0 when there is none, infinite when the field is exact."""
    return units(error, F.eps if F.exact else scale * max(1, steps) * F.eps)


def units(error: Number, unit: Number) -> Any:
    """Return how many units the size of an error is: 0 when there is none, infinite when the unit is zero.

    Example
        >>> units(-6.0, 2.0), units(0.0, 0.0), units(1.0, 0.0)
        (3.0, 0, inf)
    """
    if error == 0:
        return 0
    return abs(error) / unit if unit != 0 else float("inf")


def roundoff(kind: Any) -> Number:
    """Return the spacing of a kind's numbers at 1: zero when they are exact.

    For modules that take no field but report a residual: the type of a number determines its roundoff.

    Example
        >>> from fractions import Fraction
        >>> roundoff(float), roundoff(Fraction)
        (2.220446049250313e-16, Fraction(0, 1))
    """
    if kind is float:
        return math.ulp(1.0)
    digits = getattr(kind, "precision", None)
    return kind(0) if digits is None else kind(10) ** (1 - digits)


def magnitude(x: Number) -> Number:
    """Return a power of the base in which x is written, near |x|: dividing by it makes no error.

    For computations whose squares would leave the range of the numbers. 1 if x is zero, or its kind has no base.

    Example
        >>> magnitude(-5.0), magnitude(0.3)
        (4.0, 0.25)
    """
    if x == 0:
        return type(x)(1)
    if type(x) is float:
        return 2.0 ** (math.frexp(x)[1] - 1)
    return type(x)(10) ** x.adjusted() if hasattr(x, "adjusted") else type(x)(1)


def near(F: Field, got: Number, want: Number, scale: Number | None = None, steps: int = 1) -> bool:
    """Return whether got is want up to roundoff; scale defaults to |want|.

    Example
        >>> from refclass.number.binary64 import BINARY64
        >>> near(BINARY64, 0.1 + 0.2, 0.3), near(BINARY64, 0.3000001, 0.3)
        (True, False)
    """
    size = abs(want) if scale is None else scale
    return bool(ratio(F, got - want, size, steps) <= THRESHOLD)


def negligible(F: Field, value: Number, scale: Number, steps: int = 1) -> bool:
    """Return whether the value is zero up to roundoff of a computation with numbers of that scale."""
    return bool(ratio(F, value, scale, steps) <= THRESHOLD)


def largest(F: Field, values: Iterable[Number]) -> Number:
    """Return the largest absolute value; zero of the field when there are none."""
    return max(map(abs, values), default=F.kind(0))


def decades(weights: Iterable[Any]) -> int:
    """Return by how many powers of ten products of two weights other than zero differ, about.

    Sums need as many digits more; of eigenvalues that differ so, the roundoff is that of products of two sums.
    """
    positive = [rational(w) for w in weights if w]
    ratio = max(positive) / min(positive)
    return 2 * (ratio.numerator.bit_length() - ratio.denominator.bit_length()) // 3
