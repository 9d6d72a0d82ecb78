"""Pictures as SVG text: axes with ticks, points, lines, a legend for each panel, a title and a description.

A picture is panels side by side, or one below the other where a page is narrow. What is drawn keeps the numbers it was
given, exact ones too; only the text rounds them, to hundredths of a pixel, so that the same numbers make the same bytes
everywhere. Colours follow the reader's light or dark scheme.
"""

from __future__ import annotations

import html
import math
import re
import textwrap
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Union

from refclass.errors import InvalidInput
from refclass.number.text import approximate
from refclass.report.drawing.axis import Axis

Pair = Sequence[Any]  # a point: two numbers, the first across, the second up

# Colours that people who see few colours tell apart (after Okabe and Ito), each at least 3:1 on white.
BLUE, ORANGE, GREEN, PURPLE, BLACK, SKY, RED, GREY = (
    "#0072b2", "#b87300", "#008a64", "#a8508a", "#000000", "#2f8fc4", "#cc2936", "#767676",
)  # fmt: skip
TEXT, GROUND, RULE, FRAME = "#222222", "#ffffff", "#dddddd", "#444444"

# The same on a dark ground, as the scheme of the reader's system asks for it.
DARK = {
    BLUE: "#5cb3f0", ORANGE: "#f0a830", GREEN: "#2fc79b", PURPLE: "#e39ac4", BLACK: "#f2f2f2", SKY: "#7cc8f0",
    RED: "#ff7a76", GREY: "#a0a0a0", TEXT: "#e6e6e6", GROUND: "#14171a", RULE: "#343b42", FRAME: "#b0b0b0",
}  # fmt: skip
RULES = "".join(f'[fill="{one}"]{{fill:{other}}}[stroke="{one}"]{{stroke:{other}}}' for one, other in DARK.items())
SCHEME = f"@media (prefers-color-scheme: dark) {{{RULES}}}"

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

WIDTH, HEIGHT = 272, 244  # of the frame of a panel
LEFT, RIGHT, TOP, BOTTOM = 54, 14, 30, 48  # around it: 340 in all, so that 12 is 11 pixels at least on a small screen
HEAD, LINE, LETTER, SIGN = 36, 17, 6.6, 34  # the title's height, a legend line's, a letter's width, a sign's
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
    width, height, body = _laid(panels, columns, HEAD)
    out = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}" '
        f'role="img" aria-labelledby="title about" font-family="sans-serif" font-size="12" fill="{TEXT}">',
        f'<title id="title">{words(title)}</title>',
        f'<desc id="about">{words(about)}</desc>',
        f"<style>{SCHEME}</style>",
        f'<rect width="{width}" height="{height}" fill="{GROUND}"/>',
        _label(width / 2, 24, title, "middle", ' font-size="14"'),
    ]
    return "\n".join([*out, *body, "</svg>"]) + "\n"


def parts(panels: Sequence[Panel]) -> list[str]:
    """Return each panel with its legend as SVG text to stand in a page, whose style has SCHEME.

    Raises    InvalidInput if there is no panel
    """
    if not panels:
        raise InvalidInput("svg", need="at least one panel", got="none")
    found = []
    for panel in panels:
        width, height, body = _laid([panel], 1, 0)
        found.append(
            "\n".join(
                [
                    f'<svg viewBox="0 0 {width} {height}" role="img" aria-label="{words(panel.title or panel.y.name)}" '
                    f'font-family="sans-serif" font-size="12" fill="{TEXT}">',
                    *body,
                    "</svg>",
                ]
            )
        )
    return found


def _laid(panels: Sequence[Panel], columns: int, head: int) -> tuple[int, int, list[str]]:
    """Return width, height and content of panels laid out in columns, each with its legend below it."""
    if not panels:
        raise InvalidInput("svg", need="at least one panel", got="none")
    columns = min(columns, len(panels))
    wide = LEFT + WIDTH + RIGHT
    legends = [list(_legend(panel)) for panel in panels]
    lines = [max([line + len(parts) for line, _, parts, _ in legend], default=0) for legend in legends]
    out, top = [], head
    for first in range(0, len(panels), columns):
        row = range(first, min(first + columns, len(panels)))
        for i in row:
            left, below = (i - first) * wide, top + TOP + HEIGHT + BOTTOM
            out += [f'<g transform="translate({left + LEFT} {top + TOP})">', *_frame(panels[i]), *_marks(panels[i])]
            out.append("</g>")
            for line, x, parts, mark in legends[i]:
                place = f"{_number(left + x)} {_number(below + LINE * line + 6)}"
                out += [f'<g transform="translate({place})">', *_entry(mark, parts), "</g>"]
        top += TOP + HEIGHT + BOTTOM + LINE * max(lines[i] for i in row) + 6
    return columns * wide, top, out


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
    yield f'<g stroke="{RULE}">'
    across = [(WIDTH * panel.x.share(v), name) for v, name in panel.x.ticks(5)]
    up = [(HEIGHT * (1 - panel.y.share(v)), name) for v, name in panel.y.ticks()]
    yield from (f'<path d="M{_number(x)} 0V{HEIGHT}"/>' for x, _ in across)
    yield from (f'<path d="M0 {_number(y)}H{WIDTH}"/>' for y, _ in up)
    yield "</g>"
    yield f'<rect width="{WIDTH}" height="{HEIGHT}" fill="none" stroke="{FRAME}"/>'
    yield from (_label(x, HEIGHT + 16, name, "middle") for x, name in across)
    yield from (_label(-7, y + 4, name, "end") for y, name in up)
    yield _label(WIDTH / 2, HEIGHT + 35, panel.x.name, "middle")
    yield _label(0, 0, panel.y.name, "middle", f' transform="translate(-41 {HEIGHT // 2}) rotate(-90)"')


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


def _legend(panel: Panel) -> Iterator[tuple[int, float, list[str], Mark]]:
    """Yield line, place, text in lines and mark of each entry of a panel's legend, each name and look once."""
    x, line, seen, right = 8.0, 0, set(), LEFT + WIDTH + RIGHT - 4
    for mark in [mark for mark in panel.marks if mark.name]:
        look = (mark.name, mark.colour, mark.shape if isinstance(mark, Points) else mark.dash)
        if look in seen:
            continue
        seen.add(look)
        parts = textwrap.wrap(mark.name, int((right - 8 - SIGN) / LETTER)) or [mark.name]
        room = SIGN + LETTER * max(map(len, parts)) + 10
        if x > 8 and x + room > right:
            x, line = 8.0, line + 1
        yield line, x, parts, mark
        x += room
        if len(parts) > 1:
            x, line = 8.0, line + len(parts)


def _entry(mark: Mark, parts: Sequence[str]) -> Iterator[str]:
    if isinstance(mark, Lines):
        yield _path(mark, "M0 0L26 0")
    else:
        yield from _symbols(mark, [(13, 0)])
    yield from (_label(SIGN - 2, 4 + LINE * k, part) for k, part in enumerate(parts))
