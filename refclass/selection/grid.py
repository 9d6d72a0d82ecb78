"""Grids of parameters: their cells, the best of them, and a finer grid around it  [MMST-11.3.6-grid] [GRID-2STAGE].

An axis is a parameter's name with its values, simplest first; a grid is a mapping of axes, the one that decides ties
first. Coarse first, then finer: the cells of the second grid lie between the best cell and its neighbours, the best
cell stays among them, so that the finer minimum is never above the coarse one.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import product
from typing import Any, Optional

from refclass.errors import InvalidInput, quoted
from refclass.number import text

Axes = Mapping[str, Sequence[Any]]
Cell = dict[str, Any]

MOST = 10**6  # values of one axis
STRETCH = re.compile(r"\s*([^()]+?)\s*\(\s*([^()]+?)\s*\)")


def crude() -> dict[str, list[Any]]:
    """Return the axes that a search starts from: powers of ten  [MMST-11.3.6-grid]."""
    return {"C": [10**k for k in range(1, 5)], "kernel.gamma": [Fraction(1, 10**k) for k in range(5, -1, -1)]}


def spam() -> dict[str, list[Any]]:
    """Return the axes of the search on the e-mail data: 6 values of C by 40 of γ  [MMST-11.3.7-spam] [GRID-SPAM]."""
    gamma = "0.00001(0.00001)0.0001(0.0001)0.002(0.001)0.01(0.01)0.04"
    return {"C": [10, 80, 100, 200, 500, 1000], "kernel.gamma": stretches(gamma)}


def cells(axes: Axes) -> list[Cell]:
    """Return every combination of the axes' values, the last axis running fastest.

    Raises    InvalidInput for a grid without axes, and for an axis without values or with one that stands there twice

    Example
        >>> [list(cell.values()) for cell in cells({"C": [1, 2], "gamma": [3, 4]})]
        [[1, 3], [1, 4], [2, 3], [2, 4]]
    """
    if not isinstance(axes, Mapping) or not axes:
        raise InvalidInput("grid", need="a mapping of parameters to their values", got=quoted(axes))
    for name, values in axes.items():
        known = isinstance(values, Sequence) and not isinstance(values, (str, bytes))
        if not known or not values or any(v in values[:i] for i, v in enumerate(values)):
            raise InvalidInput("grid", need=f"for {name} a sequence of different values", got=quoted(values))
    return [dict(zip(axes, values)) for values in product(*axes.values())]


def least(rates: Sequence[Any]) -> Optional[int]:
    """Return the place of the least rate, of equal ones the first; None stands for a cell without an answer  [GAP-1].

    Where cells stand with the simplest first, a tie goes to the simplest: the smallest C, then the smallest γ.

    Example
        >>> least([None, 0.2, 0.1, 0.1])
        2
    """
    known = [i for i, rate in enumerate(rates) if rate is not None]
    return min(known, key=rates.__getitem__) if known else None


def finer(axes: Axes, best: Cell, count: int) -> dict[str, list[Any]]:
    """Return the grid between the best cell and its neighbours: `count` more values on either side, evenly spaced.

    The best value stays, its neighbours go. Whole numbers stay whole, so that there may be fewer of them; values that
    are not numbers are not refined, nor is the side where a neighbour is missing or infinite.

    Example
        >>> finer({"C": [10, 100, 1000], "gamma": [1e-5, 1e-4]}, {"C": 100, "gamma": 1e-5}, 2)
        {'C': [40, 70, 100, 400, 700], 'gamma': [1e-05, 4e-05, 7e-05]}
    """
    found: dict[str, list[Any]] = {}
    for name, values in axes.items():
        i = list(values).index(best[name])
        before = _between(values[i - 1], values[i], count) if i else []
        after = _between(values[i], values[i + 1], count) if i + 1 < len(values) else []
        found[name] = [*before, values[i], *after]
    return found


def merged(axes: Axes, best: Cell, fine: Axes) -> dict[str, list[Any]]:
    """Return the axes with the finer values in their places around the best."""
    found: dict[str, list[Any]] = {}
    for name, values in axes.items():
        i = list(values).index(best[name])
        found[name] = [*values[:i], *fine[name], *values[i + 1 :]]
    return found


def at_edge(axes: Axes, best: Cell) -> list[str]:
    """Return the names of the axes of three or more values at whose end the best cell lies: better may lie beyond."""
    return [name for name, v in axes.items() if len(v) > 2 and best[name] in (v[0], v[-1])]


def stretches(notation: str) -> list[Fraction]:
    """Return the values of a(b)c(d)e…: from a in steps of b to c, in steps of d to e  [MMST-11.3.7-spam] [GRID-SPAM].

    Raises    InvalidInput unless the steps are above zero and lead exactly from each end to the next

    Example
        >>> [str(v) for v in stretches("1(1)3(1/2)4")]
        ['1', '2', '3', '7/2', '4']
    """
    pairs = STRETCH.findall(notation)
    last = STRETCH.sub("", notation)
    numbers = [_number(part, notation) for pair in pairs for part in pair] + [_number(last, notation)]
    ends, widths = numbers[::2], numbers[1::2]
    found = [ends[0]]
    for low, high, step in zip(ends, ends[1:], widths):
        count = (high - low) / step if step > 0 else Fraction(-1)
        if count > MOST:
            raise InvalidInput("grid", need=f"at most {MOST} steps", got=quoted(int(count)), notation=notation)
        if count.denominator != 1 or count < 1:
            raise InvalidInput("grid", need=f"steps from {low} to {high}", got=step, notation=notation)
        found += [low + step * (i + 1) for i in range(int(count))]
    return found


def _number(part: str, notation: str) -> Fraction:
    try:
        return text.parse(part)
    except InvalidInput:
        raise InvalidInput("grid", need="numbers a(b)c…", got=quoted(part), notation=notation) from None


def _between(low: Any, high: Any, count: int) -> list[Any]:
    if not (_is_number(low) and _is_number(high)):
        return []
    a, b = (Fraction(repr(v)) if isinstance(v, float) else Fraction(v) for v in (low, high))
    inner = [a + (b - a) * i / (count + 1) for i in range(1, count + 1)]
    if isinstance(low, int) and isinstance(high, int):
        whole = dict.fromkeys(round(v) for v in inner)
        return [v for v in whole if v not in (low, high)]
    if isinstance(low, float) or isinstance(high, float):
        return [float(v) for v in inner]
    return inner


def _is_number(value: Any) -> bool:
    if isinstance(value, float):
        return math.isfinite(value)
    return isinstance(value, (int, Fraction)) and not isinstance(value, bool)
