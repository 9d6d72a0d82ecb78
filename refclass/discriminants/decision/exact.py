"""How far a discriminant is from what defines it, computed exactly from the data and the numbers that it delivers.

A float is a rational: moments of the data and the residuals of equations are computed in fractions, from the data and
the fitted attributes alone. A residual is measured against what it is the difference of (Oettli and Prager's backward
error):

    max over entries of |B − A X| / (|A||X| + |B|)

zero if the equation holds with ==, about the unit of roundoff if a careful computation in floats made X.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any, Optional

from refclass.certificate import Certificate, digits, equation_status
from refclass.linear.clearing import relative
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector
from refclass.number.decimals import decimal
from refclass.number.field import Field, Number, rational

Failure = tuple[Fraction, str]  # by how much an equation fails, relative to its terms, and which
Rows = Sequence[Sequence[Number]]

DIGITS = 50  # of logarithms, exponentials and roots in a proof
DECIMALS: Field = decimal(DIGITS)


def exact_vector(x: Iterable[Number]) -> Vector:
    """Return the numbers at their exact values."""
    return Vector.of([rational(v) for v in x])


def exact_matrix(A: Iterable[Iterable[Number]]) -> Matrix:
    """Return the matrix at its exact values."""
    return Matrix.of([exact_vector(row) for row in A])


def logarithm(x: Number) -> Fraction:
    """Return log x to 50 digits, also of an x next to 1, such as the ratio of two shares that hardly differ."""
    away = abs(rational(x) - 1)
    near = max(0, away.denominator.bit_length() - away.numerator.bit_length()) if away else 0
    D = decimal(DIGITS + near * 3 // 10) if near else DECIMALS
    return rational(D.log(D.lift(x)))


def square_root(x: Number) -> Fraction:
    """Return √x to 50 digits."""
    return rational(DECIMALS.sqrt(DECIMALS.lift(x)))


def backward_error(A: Matrix, x: Vector, b: Vector) -> Fraction:
    """Return max |b − A x| / (|A||x| + |b|) over the rows, 0/0 taken as 0.

    Exact     yes
    """
    worst = Fraction(0)
    for row, value in zip(A, b):
        missed = abs(value - row @ x)
        scale = sum((abs(a * v) for a, v in zip(row, x)), abs(value))
        if missed:
            worst = max(worst, missed / scale)
    return worst


def difference(got: Iterable[Iterable[Number]], want: Matrix) -> Fraction:
    """Return the largest difference of two matrices over the largest entry of the second."""
    missed = (exact_matrix(got) - want).largest()
    scale: Fraction = want.largest()
    return missed / scale if scale else Fraction(missed)


def length(got: Any) -> int:
    """Return how many entries a row has; −1 where an attribute is no row."""
    return len(got) if isinstance(got, (list, tuple)) else -1


def shaped(got: Any, rows: int, columns: int) -> bool:
    """Return whether an attribute is a table of so many rows and columns."""
    return length(got) == rows >= 0 and all(length(row) == columns for row in got)


def entries(name: str, got: Rows, want: Matrix, scale: Optional[Rows] = None) -> Failure:
    """Return the largest difference of two tables, each entry over its own scale, or its own size; 1 for other shapes.

    scale    the sizes of what the entries are sums of

    Exact     yes
    """
    if not shaped(got, *want.shape):
        return Fraction(1), f"the shape of {name}"
    missed = exact_matrix(got) - want
    return relative(missed, want if scale is None else scale), name


def numbers(
    name: str, got: Sequence[Number], want: Sequence[Number], scale: Optional[Sequence[Number]] = None
) -> Failure:
    """Return the largest difference of two rows of numbers, as `entries` does."""
    if length(got) != len(want):
        return Fraction(1), f"the number of {name}"
    return entries(name, [got], Matrix.of([exact_vector(want)]), None if scale is None else [scale])


def same(name: str, got: Any, want: Any) -> Failure:
    """Return 0 if two values are equal, else 1."""
    return Fraction(0 if got == want else 1), name


def concluded(
    failures: Iterable[Failure],
    unit: Any,
    *,
    premise: str = "",
    unique: Optional[dict[str, Any]] = None,
    primal: Any = None,
    dual: Any = None,
) -> Certificate:
    """Return the certificate of equations: the one that fails by most decides on status and digits.

    unit    the roundoff of the arithmetic that the numbers were computed in; 0 where it is exact
    """
    worst, where = max(failures, key=lambda failure: failure[0])
    gap = None if dual is None else primal - dual
    status, proven = equation_status(worst, unit), digits(worst, 1)
    return Certificate(status, primal, dual, gap, worst, where if worst else "", unique or {}, premise, proven)


def counted(found: Certificate) -> Certificate:
    """Return the certificate of what was counted, not solved: "feasible" where all is as it should be."""
    return replace(found, status="infeasible" if found.worst_violation else "feasible", digits=None)
