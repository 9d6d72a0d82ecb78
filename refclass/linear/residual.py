"""Residuals of claims about matrices in units of roundoff: test ratios as in LAPACK (Anderson et al. 1999).

A residual is divided by the size of the operands, times the number of operations that could each lose a unit of
roundoff: the ratio is 0 when the claim is exactly true, and at most `tolerance.THRESHOLD` when it is up to roundoff. In
an exact kind of number there is no roundoff, and a claim that is not exactly true has an infinite ratio.
"""

from __future__ import annotations

from typing import Any

from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector
from refclass.number.tolerance import roundoff, units


def equality(got: Matrix, want: Matrix, steps: int) -> Any:
    """Return the ratio of the claim "got = want", for a product of matrices with sums of `steps` terms.

        max |got − want| / (steps · eps · max |want|)

    Shapes    got, want: m × n

    Example
        >>> equality(Matrix([[1.0, 3.0]]), Matrix([[1.0, 4.0]]), 1) > 30
        True
    """
    scale = want.largest()
    return units((got - want).largest(), scale * max(1, steps) * roundoff(want.kind))


def orthonormality(columns: Matrix) -> Any:
    """Return the ratio of the claim "the columns are orthonormal".

        max |QᵀQ − I| / (m · eps)

    Shapes    columns: m × n
    """
    identity = Matrix.identity(len(columns[0]), columns.kind)
    return equality(columns.T @ columns, identity, len(columns))


def solution(A: Matrix, x: Vector, b: Vector) -> Any:
    """Return the ratio of the claim "A x = b".

        max |A x − b| / (n · eps · (n · max |A| · max |x| + max |b|))

    A ratio ≤ 30 says that x solves a system whose entries differ from those of A and b by roundoff; how far x is from
    the solution of this one depends on the condition of A.

    Shapes    A: m × n; x: n; b: m
    """
    n = len(x)
    scale = n * A.largest() * x.largest() + b.largest()
    return units((A @ x - b).largest(), scale * n * roundoff(A.kind))
