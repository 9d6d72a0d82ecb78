"""Pictures as SVG text: axes with ticks, points, lines, a legend, a title and a description.

A picture is panels side by side. What is drawn keeps the numbers it was given, exact ones too; only the text rounds
them, to hundredths of a pixel, so that the same numbers make the same bytes everywhere.
"""

from __future__ import annotations

import html
import math
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Union

from refclass.errors import InvalidInput
from refclass.number.text import approximate
from refclass.report.axis import Axis

Pair = Sequence[Any]  # a point: two numbers, the first across, the second up

# Colours that people who see few colours tell apart, on white (Okabe and Ito's, the yellow left out).
BLUE, ORANGE, GREEN, PURPLE, BLACK, SKY, RED, GREY = (
    "#0072b2", "#e69f00", "#009e73", "#cc79a7", "#000000", "#56b4e9", "#d55e00", "#8a8a8a",
)  # fmt: skip

# Shapes by name: SVG path data around the origin, of half-width 1.
SHAPES = {
    "circle": "M1 0A1 1 0 1 1 -1 0A1 1 0 1 1 1 0Z",
    "square": "M-.9 -.9H.9V.9H-.9Z",
    "triangle": "M0 -1.1L1.1 .9H-1.1Z",
    "diamond": "M0 -1.25L1.25 0L0 1.25L-1.25 0Z",
    "cross": "M-1 -1L1 1M-1 1L1 -1",
    "plus": "M-1.2 0H1.2M0 -1.2V1.2",
}
DASHES = {"solid": "", "dashed": "7 4", "dotted": "1.5 3.5"}

WIDTH, HEIGHT = 330, 290  # of the frame of a panel
LEFT, RIGHT, TOP, BOTTOM = 62, 18, 34, 52  # around it
HEAD, LINE, LETTER = 36, 20, 7  # the title's height, a legend line's, a letter's width
GONE = re.compile("[^\t\n -\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")  # what XML cannot hold


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


def render(title: str, about: str, panels: Sequence[Panel], columns: int = 2) -> str:
    """Return the picture as SVG text, a complete XML document.

    title, about    what the picture is, for those who see it and for those who hear it read
    columns         how many panels stand side by side

    Raises    InvalidInput if there is no panel
    """
    if not panels:
        raise InvalidInput("svg", need="at least one panel", got="none")
    columns = min(columns, len(panels))
    wide, tall = LEFT + WIDTH + RIGHT, TOP + HEIGHT + BOTTOM
    width, rows = columns * wide, -(-len(panels) // columns)
    entries = list(_legend(panels, width))
    below = HEAD + rows * tall
    height = below + LINE * (1 + max([row for _, row, _ in entries], default=-1)) + 10
    out = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}" '
        'role="img" aria-labelledby="title about" font-family="sans-serif" font-size="12" fill="#222">',
        f'<title id="title">{words(title)}</title>',
        f'<desc id="about">{words(about)}</desc>',
        f'<rect width="{width}" height="{height}" fill="#fff"/>',
        _label(width / 2, 24, title, "middle", ' font-size="16"'),
    ]
    for i, panel in enumerate(panels):
        left, top = LEFT + i % columns * wide, HEAD + TOP + i // columns * tall
        out += [f'<g transform="translate({left} {top})">', *_frame(panel), *_marks(panel), "</g>"]
    for x, row, mark in entries:
        out += [f'<g transform="translate({_number(x)} {below + LINE * row + 8})">', *_entry(mark), "</g>"]
    return "\n".join([*out, "</svg>"]) + "\n"


def words(content: object) -> str:
    """Return text as XML holds it; characters it cannot hold become �."""
    return html.escape(GONE.sub("\ufffd", str(content)))


def _number(value: float) -> str:
    """Return a length to hundredths, as short as it can be.

    Example
        >>> [_number(v) for v in (1.0, -0.001, 2.505, 1 / 3)]
        ['1', '0', '2.5', '0.33']
    """
    shown = f"{value:.2f}".rstrip("0").rstrip(".")
    return "0" if shown == "-0" else shown


def _label(x: float, y: float, content: str, anchor: str = "start", more: str = "") -> str:
    return f'<text x="{_number(x)}" y="{_number(y)}" text-anchor="{anchor}"{more}>{words(content)}</text>'


def _frame(panel: Panel) -> Iterator[str]:
    """Yield the frame, the ticks, and the names of the axes."""
    yield _label(WIDTH / 2, -10, panel.title, "middle", ' font-size="13"')
    yield '<g stroke="#ddd">'
    across = [(WIDTH * panel.x.share(v), name) for v, name in panel.x.ticks()]
    up = [(HEIGHT * (1 - panel.y.share(v)), name) for v, name in panel.y.ticks()]
    yield from (f'<path d="M{_number(x)} 0V{HEIGHT}"/>' for x, _ in across)
    yield from (f'<path d="M0 {_number(y)}H{WIDTH}"/>' for y, _ in up)
    yield "</g>"
    yield f'<rect width="{WIDTH}" height="{HEIGHT}" fill="none" stroke="#444"/>'
    yield from (_label(x, HEIGHT + 17, name, "middle") for x, name in across)
    yield from (_label(-7, y + 4, name, "end") for y, name in up)
    yield _label(WIDTH / 2, HEIGHT + 38, panel.x.name, "middle")
    yield _label(0, 0, panel.y.name, "middle", f' transform="translate(-44 {HEIGHT // 2}) rotate(-90)"')


def _marks(panel: Panel) -> Iterator[str]:
    for mark in panel.marks:
        if isinstance(mark, Lines):
            parts = [part for line in mark.lines for part in panel.shown(line)]
            data = "".join(["M" + "L".join([f"{_number(x)} {_number(y)}" for x, y in part]) for part in parts])
            if data:
                yield _path(mark, data)
        else:
            yield from _symbols(mark, [panel.place(p) for p in mark.points])


def _path(mark: Lines, data: str) -> str:
    dash = f' stroke-dasharray="{DASHES[mark.dash]}"' if DASHES[mark.dash] else ""
    style = f'fill="none" stroke="{mark.colour}" stroke-width="{_number(mark.width)}"{dash}'
    return f'<path class="line" {style} d="{data}"><title>{words(mark.name)}</title></path>'


def _symbols(mark: Points, places: Iterable[tuple[float, float]]) -> Iterator[str]:
    """Yield a shape at each place; the width of its outline does not grow with it."""
    filled = mark.filled and mark.shape not in ("cross", "plus")
    fill = mark.colour if filled else "none"
    yield f'<g class="points" fill="{fill}" stroke="{mark.colour}" stroke-width="{_number(1.3 / mark.size)}">'
    yield f"<title>{words(mark.name)}</title>"
    for x, y in places:
        where = f"translate({_number(x)} {_number(y)}) scale({_number(mark.size)})"
        yield f'<path transform="{where}" d="{SHAPES[mark.shape]}"/>'
    yield "</g>"


def _legend(panels: Sequence[Panel], width: float) -> Iterator[tuple[float, int, Mark]]:
    """Yield the place, the line and the mark of each entry of the legend, each name and look once."""
    x, row, seen = float(LEFT), 0, set()
    for mark in [mark for panel in panels for mark in panel.marks if mark.name]:
        look = (mark.name, mark.colour, mark.shape if isinstance(mark, Points) else mark.dash)
        if look in seen:
            continue
        seen.add(look)
        room = 46 + LETTER * len(mark.name)
        if x > LEFT and x + room > width - RIGHT:
            x, row = float(LEFT), row + 1
        yield x, row, mark
        x += room


def _entry(mark: Mark) -> Iterator[str]:
    if isinstance(mark, Lines):
        yield _path(mark, "M0 0L26 0")
    else:
        yield from _symbols(mark, [(13, 0)])
    yield _label(32, 4, mark.name)
