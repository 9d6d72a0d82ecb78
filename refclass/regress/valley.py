"""The lowest point of a function of one variable: a grid first, then parabolas."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Callable, Optional

from refclass.number.field import Field, Number
from refclass.regress.gcv import lower

Score = Callable[[Number], Optional[Number]]
Point = tuple[Number, Optional[Number]]

STEPS = 200  # parabolas need about ten in doubles; a golden section alone, a hundred


def lowest(F: Field, f: Score, grid: Sequence[Point], width: Number) -> Point:
    """Return (x, f(x)) at a minimum of f, which lies between the neighbours of the lowest point of the grid.

    Given     points (x, f(x)) of the grid, ascending in x; the width at which to stop. None is no value, above any
    """
    # Method: the lowest grid point, the first among equals; then parabolas through the three best points, guarded by
    # golden sections so that the bracket always shrinks.
    best = 0
    for i, (_, value) in enumerate(grid):
        if lower(value, grid[best][1]):
            best = i
    left, right = grid[max(0, best - 1)], grid[min(len(grid) - 1, best + 1)]
    return _refine(F, f, left, grid[best], right, width) if left[0] < right[0] else grid[best]


def _refine(F: Field, f: Score, left: Point, x: Point, right: Point, width: Number) -> Point:
    golden = F.lift(Fraction(381966, 1000000))  # 2 − φ: the share of the longer side that a golden section cuts off
    low, high = left[0], right[0]
    second, third = (left, right) if lower(left[1], right[1]) else (right, left)
    step = before = high - low
    for _ in range(STEPS):
        middle = (low + high) / 2
        if abs(x[0] - middle) + (high - low) / 2 <= 2 * width:
            break
        move = _parabola(x, second, third)
        if move is None or not (low < x[0] + move < high and abs(move) < abs(before) / 2):
            step = high - x[0] if x[0] < middle else low - x[0]
            move = golden * step
        elif x[0] + move - low < 2 * width or high - x[0] - move < 2 * width:
            move = middle - x[0]  # beside an end there is nothing left to learn
            move = min(width, move) if move > 0 else max(-width, move)
        before, step = step, move
        if abs(move) < width:
            move = width if move > 0 else -width
        new = (x[0] + move, f(x[0] + move))
        if not lower(x[1], new[1]):
            low, high = (x[0], high) if new[0] > x[0] else (low, x[0])
            x, second, third = new, x, second
        else:
            low, high = (low, new[0]) if new[0] > x[0] else (new[0], high)
            if not lower(second[1], new[1]) or second[0] == x[0]:
                second, third = new, second
            elif not lower(third[1], new[1]) or third[0] in (x[0], second[0]):
                third = new
    return x


def _parabola(x: Point, v: Point, w: Point) -> Optional[Number]:
    """Return the way from x to the lowest point of the parabola through the three points, if it has one."""
    if x[1] is None or v[1] is None or w[1] is None or len({x[0], v[0], w[0]}) < 3:
        return None
    a = (x[0] - v[0]) * (x[1] - w[1])
    b = (x[0] - w[0]) * (x[1] - v[1])
    curvature = 2 * (a - b)
    if curvature == 0:
        return None
    return ((x[0] - w[0]) * b - (x[0] - v[0]) * a) / curvature
