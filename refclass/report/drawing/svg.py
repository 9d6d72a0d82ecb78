"""Pictures as SVG text: axes with ticks, points, lines, a legend for each panel, a title and a description.

A picture is panels side by side, or one below the other where a page is narrow. What is drawn keeps the numbers it was
given, exact ones too; only the text rounds them, to hundredths of a pixel, so that the same numbers make the same bytes
everywhere. Colours follow the reader's light or dark scheme.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Union

from refclass.errors import InvalidInput
from refclass.number.text import approximate
from refclass.report.drawing.axis import Axis

Pair = Sequence[Any]  # a point: two numbers, the first across, the second up

# Colours that people who see few colours distinguish (after Okabe and Ito), each at least 3:1 on white.
BLUE, ORANGE, GREEN, PURPLE, BLACK, SKY, RED, GREY = (
    "#0072b2", "#b87300", "#008a64", "#a8508a", "#000000", "#2f8fc4", "#cc2936", "#767676",
)  # fmt: skip
TEXT, GROUND, RULE, FRAME = "#222222", "#ffffff", "#dddddd", "#444444"

# The same on a dark ground, as the scheme of the reader's system requires it.
DARK = {
    BLUE: "#5cb3f0", ORANGE: "#f0a830", GREEN: "#2fc79b", PURPLE: "#e39ac4", BLACK: "#f2f2f2", SKY: "#7cc8f0",
    RED: "#ff7a76", GREY: "#a0a0a0", TEXT: "#e6e6e6", GROUND: "#14171a", RULE: "#343b42", FRAME: "#b0b0b0",
}  # fmt: skip
RULES = "".join(f'[fill="{one}"]{{fill:{other}}}[stroke="{one}"]{{stroke:{other}}}' for one, other in DARK.items())
SCHEME = f"@media (prefers-color-scheme: dark) {{{RULES}}}"


WIDTH, HEIGHT = 272, 244  # of the frame of a panel


@dataclass(frozen=True)
class Points:
    """Points of one kind.

    name     in the legend; an empty one stays out of it
    shape    a key of SHAPES
    filled   whether the shape is filled or only its outline is drawn
    """

    name: str
    points: tuple[Pair, ...]
    shape: str = "circle"
    colour: str = BLUE
    size: float = 3.2
    filled: bool = True


@dataclass(frozen=True)
class Lines:
    """Lines of one kind, each through its points in order.

    name     in the legend; an empty one stays out of it
    dash     a key of DASHES
    """

    name: str
    lines: tuple[Sequence[Pair], ...]
    colour: str = BLACK
    dash: str = "solid"
    width: float = 1.6


Mark = Union[Points, Lines]


@dataclass(frozen=True)
class Panel:
    """A frame with two axes and what is drawn in it; later marks lie on earlier ones.

    Points must lie within the axes; lines are cut off at the frame.

    Raises    InvalidInput for a point outside, naming it, or a number that is not finite
    """

    title: str
    x: Axis
    y: Axis
    marks: tuple[Mark, ...]

    def __post_init__(self) -> None:
        for mark in self.marks:
            if isinstance(mark, Points):
                for p in mark.points:
                    if not self.holds(p):
                        raise InvalidInput("svg", need="points within the axes", got=tuple(p), mark=mark.name)
            elif not all(math.isfinite(approximate(v)) for line in mark.lines for p in line for v in p):
                raise InvalidInput("svg", need="finite numbers", got="others", mark=mark.name)

    def holds(self, point: Pair) -> bool:
        """Return whether the point lies within the axes."""
        return self.x.holds(approximate(point[0])) and self.y.holds(approximate(point[1]))

    def place(self, point: Pair) -> tuple[float, float]:
        """Return where in the frame a point is drawn, in pixels to the right and down."""
        x, y = map(approximate, point)
        return WIDTH * self.x.share(x), HEIGHT * (1 - self.y.share(y))

    def shown(self, line: Sequence[Pair]) -> list[list[tuple[float, float]]]:
        """Return the parts of a line that lie within the axes, as pixels in the frame."""
        parts: list[list[tuple[float, float]]] = []
        places = [self.place(p) for p in line]
        for start, end in zip(places, places[1:]):
            piece = clipped(start, end)
            if piece is None:
                continue
            if parts and parts[-1][-1] == piece[0]:
                parts[-1].append(piece[1])
            else:
                parts.append(list(piece))
        return parts


def clipped(
    start: tuple[float, float], end: tuple[float, float]
) -> Union[tuple[tuple[float, float], tuple[float, float]], None]:
    """Return the part of a segment that lies in the frame, or None if none does.

    Example
        >>> clipped((-10.0, 5.0), (10.0, 5.0)), clipped((-10.0, 5.0), (-5.0, 9.0))
        (((0.0, 5.0), (10.0, 5.0)), None)
    """
    low, high = 0.0, 1.0
    for a, b, size in zip(start, end, (float(WIDTH), float(HEIGHT))):
        if a == b:
            if not 0 <= a <= size:
                return None
            continue
        enter, leave = sorted(((0 - a) / (b - a), (size - a) / (b - a)))
        low, high = max(low, enter), min(high, leave)
    if low > high:
        return None
    return _between(start, end, low), _between(start, end, high)


def _between(start: tuple[float, float], end: tuple[float, float], share: float) -> tuple[float, float]:
    """Return the point of a segment at a share of its length, never outside the frame."""
    x, y = start if share == 0 else end if share == 1 else (a + share * (b - a) for a, b in zip(start, end))
    return min(max(x, 0.0), float(WIDTH)), min(max(y, 0.0), float(HEIGHT))
