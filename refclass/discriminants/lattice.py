"""Boundaries drawn from a lattice: a rule is asked at its nodes, and where neighbours disagree a boundary passes."""

from __future__ import annotations

from collections.abc import Sequence

from refclass.errors import InvalidInput
from refclass.linear.vector import Vector
from refclass.number.field import Number

Node = tuple[int, int]  # column and row of a node


def ticks(low: Number, high: Number, count: int) -> list[Number]:
    """Return count numbers from low to high, equally far apart.

    Exact     yes
    Raises    InvalidInput unless count ≥ 2 and low < high

    Example
        >>> ticks(0.0, 1.0, 3)
        [0.0, 0.5, 1.0]
    """
    if count < 2 or not low < high:
        raise InvalidInput("lattice", need="two ticks or more from a lower to a higher end", got=(low, high, count))
    return [low + i * (high - low) / (count - 1) for i in range(count)]


def nodes(across: Sequence[Number], up: Sequence[Number]) -> list[Vector]:
    """Return the nodes of a lattice in the plane, row by row  [ESL-4.3-lattice]."""
    return [Vector([x, y]) for y in up for x in across]


def crossings(labels: Sequence[object], width: int) -> list[tuple[Node, Node]]:
    """Return the pairs of neighbouring nodes whose labels differ: between them runs a boundary  [ESL-4.3-lattice].

    labels    one for each node, row by row, `width` to a row

    Raises    InvalidInput unless the rows are full

    Example
        >>> crossings(["a", "b", "a", "a"], 2)
        [((0, 0), (1, 0)), ((1, 0), (1, 1))]
    """
    if width < 1 or len(labels) % width:
        raise InvalidInput("lattice", need=f"labels in rows of {width}", got=len(labels))
    found = []
    for i, label in enumerate(labels):
        row, column = divmod(i, width)
        if column + 1 < width and labels[i + 1] != label:
            found.append(((column, row), (column + 1, row)))
        if i + width < len(labels) and labels[i + width] != label:
            found.append(((column, row), (column, row + 1)))
    return found
