"""Canonical forms of eigenvectors: their order, their signs, and groups where only a space is unique.

An eigenvector of a simple eigenvalue is unique up to its sign. Vectors that share an eigenvalue are not unique, but
their span is.
"""

from __future__ import annotations

from collections.abc import Sequence

from refclass.errors import InvalidInput
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector
from refclass.number.field import Field, Number
from refclass.number.tolerance import THRESHOLD, negligible, roundoff


def sign(x: Vector) -> Vector:
    """Return x or −x, such that its first entry of largest modulus is positive; moduli equal up to roundoff are equal.

    Example
        >>> sign(Vector([1.0, -2.0, 2.0]))
        Vector(-1.0, 2.0, -2.0)
    """
    least = x.largest() * (1 - THRESHOLD * len(x) * roundoff(x.kind))
    first = next((v for v in x if abs(v) >= least), None)
    if first is None:
        raise InvalidInput("canon", need="vectors within the range of the numbers", got="one beyond it")
    return -x if first < 0 else x


def signs(columns: Matrix) -> Matrix:
    """Return the matrix with each column's sign such that its first entry of largest modulus is positive.

    Example
        >>> signs(Matrix([[-1.0, 1.0], [1.0, 2.0]]))
        Matrix([1.0, 1.0], [-1.0, 2.0])
    """
    return Matrix.of([sign(column) for column in columns.T]).T


def descending(values: Sequence[Number]) -> list[int]:
    """Return the places of the values, the largest value first, equal ones in their order.

    Example
        >>> descending([1.0, 3.0, 2.0, 3.0])
        [1, 3, 2, 0]
    """
    return sorted(range(len(values)), key=values.__getitem__, reverse=True)


def cut(F: Field, values: Vector, count: int) -> bool:
    """Return whether the first `count` of descending values end among several that are equal up to roundoff.

    The vectors that belong to the first values are then some of many, and so is the plane of all of them.

    Example
        >>> from refclass.number.binary64 import BINARY64
        >>> cut(BINARY64, Vector([3.0, 1.0, 1.0]), 2), cut(BINARY64, Vector([3.0, 3.0, 1.0]), 2)
        (True, False)
    """
    return any(count in group and count - 1 in group for group in groups(F, values))


def groups(F: Field, values: Vector) -> list[tuple[int, ...]]:
    """Return the places of descending values, those together that differ from their neighbour by roundoff only.

    Example
        >>> from refclass.number.binary64 import BINARY64
        >>> groups(BINARY64, Vector([3.0, 1.0 + 1e-15, 1.0]))
        [(0,), (1, 2)]
    """
    scale, found = values.largest(), [[0]]
    for i in range(1, len(values)):
        if values[i] > values[i - 1]:
            raise InvalidInput("canon", need="descending values", got=values[i], after=values[i - 1], row=i)
        if negligible(F, values[i - 1] - values[i], scale, len(values)):
            found[-1].append(i)
        else:
            found.append([i])
    return [tuple(group) for group in found]
