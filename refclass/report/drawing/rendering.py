"""Panels as SVG text: axes with ticks, marks, legends, a title and a description."""

from __future__ import annotations

import html
import re
import textwrap
from collections.abc import Iterable, Iterator, Sequence

from refclass.errors import InvalidInput
from refclass.report.drawing.svg import FRAME, GROUND, HEIGHT, RULE, SCHEME, TEXT, WIDTH, Lines, Mark, Panel, Points

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


LEFT, RIGHT, TOP, BOTTOM = 54, 14, 30, 48  # around it: 340 in all, so that 12 is 11 pixels at least on a small screen


HEAD, LINE, LETTER, SIGN = 36, 17, 6.6, 34  # the title's height, a legend line's, a letter's width, a sign's


GONE = re.compile("[^\t\n -\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")  # what XML cannot hold


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
        width = SIGN + LETTER * max(map(len, parts)) + 10
        if x > 8 and x + width > right:
            x, line = 8.0, line + 1
        yield line, x, parts, mark
        x += width
        if len(parts) > 1:
            x, line = 8.0, line + len(parts)


def _entry(mark: Mark, parts: Sequence[str]) -> Iterator[str]:
    if isinstance(mark, Lines):
        yield _path(mark, "M0 0L26 0")
    else:
        yield from _symbols(mark, [(13, 0)])
    yield from (_label(SIGN - 2, 4 + LINE * k, part) for k, part in enumerate(parts))
