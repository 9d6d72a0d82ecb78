"""Boundaries drawn from a lattice: a rule is asked at its nodes, and where neighbours disagree a boundary passes."""

from __future__ import annotations

from collections.abc import Sequence

from refclass.errors import InvalidInput
from refclass.linear.vector import Vector
from refclass.number.field import Number

Node = tuple[int, int]  # column and row of a node
Side = tuple[Node, Node]  # two neighbouring nodes, the lower or left one first
Point = tuple[Number, Number]


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


def contour(
    values: Sequence[Number], across: Sequence[Number], up: Sequence[Number], level: Number
) -> list[list[Point]]:
    """Return the lines along which a function passes a level: of each the points, in order  [ESL-4.3-lattice].

    values    the function at the nodes, row by row

    A line passes between neighbours where one value is above the level and the other is not, at the place where a
    straight line between the two has it; a closed line ends where it begins.

    Exact     yes: of a linear function every point returned has the level
    Raises    InvalidInput unless there is a value for each node

    Example
        >>> contour([0.0, 1.0, 2.0, 3.0], [0.0, 1.0], [0.0, 1.0], 0.5)
        [[(0.5, 0.0), (0.0, 0.25)]]
    """
    width = len(across)
    if len(values) != width * len(up):
        raise InvalidInput("lattice", need=f"{width * len(up)} values, one for each node", got=len(values))
    heights = [v - level for v in values]
    joined: dict[Side, list[Side]] = {}
    for row in range(len(up) - 1):
        for column in range(width - 1):
            for one, other in _pieces(heights, width, column, row):
                joined.setdefault(one, []).append(other)
                joined.setdefault(other, []).append(one)
    place = {side: _crossing(heights, across, up, side) for side in joined}
    return [[place[side] for side in line] for line in _threads(joined)]


def _pieces(heights: Sequence[Number], width: int, column: int, row: int) -> list[tuple[Side, Side]]:
    """Return the pieces of the lines in one cell, each as the two sides of the cell that it joins."""
    a, b, c, d = (column, row), (column + 1, row), (column + 1, row + 1), (column, row + 1)
    at = [heights[r * width + k] for k, r in (a, b, c, d)]
    above = [v > 0 for v in at]
    sides: list[Side] = [(a, b), (b, c), (d, c), (a, d)]
    crossed = [side for k, side in enumerate(sides) if above[k] != above[(k + 1) % 4]]
    if len(crossed) < 4:
        return [(crossed[0], crossed[1])] if crossed else []
    # Method: above and below at opposite corners; the mean of the four says which of them are joined in the middle.
    if (sum(at[1:], at[0]) > 0) == above[0]:
        return [(crossed[0], crossed[1]), (crossed[2], crossed[3])]
    return [(crossed[3], crossed[0]), (crossed[1], crossed[2])]


def _crossing(heights: Sequence[Number], across: Sequence[Number], up: Sequence[Number], side: Side) -> Point:
    """Return where the line passes between two nodes."""
    (c, r), (d, s) = side
    first, second = heights[r * len(across) + c], heights[s * len(across) + d]
    share = first / (first - second)
    return across[c] + share * (across[d] - across[c]), up[r] + share * (up[s] - up[r])


def _threads(joined: dict[Side, list[Side]]) -> list[list[Side]]:
    """Return the sides in lines: those that end at the border of the lattice, then the closed ones."""
    lines, seen = [], set()
    for start in [side for side, ends in joined.items() if len(ends) == 1] + list(joined):
        if start in seen:
            continue
        line, here = [start], start
        seen.add(start)
        while following := [side for side in joined[here] if side not in seen]:
            here = following[0]
            line.append(here)
            seen.add(here)
        if len(line) > 2 and start in joined[here]:
            line.append(start)
        lines.append(line)
    return lines
