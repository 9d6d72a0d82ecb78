"""A folder of figures: each as an SVG file, and a page that shows them with their numbers and their sources."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import refclass
from refclass.errors import InvalidInput
from refclass.report import words
from refclass.report.drawing import Drawing, Figure
from refclass.report.fitting import Progress
from refclass.report.svg import words as escaped

PAGE = "index.html"
STYLE = """
body { font: 16px/1.5 sans-serif; color: #222; background: #fff; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
section { border-top: 1px solid #bbb; margin-top: 2rem; }
img { max-width: 100%; height: auto; }
div { overflow-x: auto; }
table { border-collapse: collapse; font-size: .85rem; }
th, td { border: 1px solid #ccc; padding: .2rem .5rem; text-align: right; vertical-align: top; }
th:first-child, td:first-child { text-align: left; }
code { font-size: .9em; }
""".strip()

Drawn = tuple[Figure, Drawing]


def reproduce(figures: Sequence[Figure], folder: str, progress: Progress) -> Iterator[str]:
    """Draw the figures and write them to a folder, which is made if it is not there; yield what was written.

    Nothing is written before everything is drawn, and no file is ever half there.

    Raises    InvalidInput, with the system's reason, if the folder cannot be written to
    """
    place = Path(folder)
    _writable(place)
    drawn: list[Drawn] = []
    for i, figure in enumerate(figures):
        progress(i, len(figures), figure.name)
        drawn.append((figure, figure.draw()))
    progress(len(figures), len(figures), "")
    files = {f"{figure.name}.svg": figure.svg(drawing) for figure, drawing in drawn}
    _write(place, {**files, PAGE: page(drawn)})
    for figure, drawing in drawn:
        held = sum(finding.holds for finding in drawing.findings)
        yield f"{place / figure.name}.svg: {figure.title}; {held} of {len(drawing.findings)} findings hold"
    yield f"{place / PAGE}: all of them, with their numbers and sources"


def _refused(place: Path, reason: Any) -> InvalidInput:
    return InvalidInput("reproduce", need="a folder that can be written to", got=reason, folder=str(place))


def _writable(place: Path) -> None:
    """Refuse early, before anything is drawn, a folder that there cannot be."""
    if "\0" in str(place):
        raise _refused(place, "a name with a null character")
    existing = next(p for p in (place.absolute(), *place.absolute().parents) if os.path.lexists(p))
    if not existing.is_dir():
        raise _refused(place, f"{existing.name} is no folder")
    if not os.access(existing, os.W_OK | os.X_OK):
        raise _refused(place, "Permission denied")


def _write(place: Path, files: dict[str, str]) -> None:
    """Write the files beside their names first, then give all of them their names."""
    beside = {place / f".{name}.{os.getpid()}": place / name for name in files}
    try:
        place.mkdir(parents=True, exist_ok=True)
        for draft, content in zip(beside, files.values()):
            draft.write_bytes(content.encode())
        for draft, name in beside.items():
            os.replace(draft, name)
    except OSError as error:
        raise _refused(place, error.strerror) from None
    finally:
        for draft in beside:
            if draft.parent.is_dir():
                draft.unlink(missing_ok=True)


def page(drawn: Sequence[Drawn]) -> str:
    """Return the page that shows the figures, as HTML."""
    out = [
        "<!DOCTYPE html>",
        '<html lang="en">',
        '<head><meta charset="utf-8"/><meta name="viewport" content="width=device-width, initial-scale=1"/>',
        f"<title>refclass {refclass.__version__}: figures</title>",
        f"<style>{STYLE}</style></head>",
        "<body><h1>Figures of the documents, reproduced</h1>",
        f"<p>Drawn by refclass {refclass.__version__}, computed anew; below each figure stand what it shows, counted, "
        "and its numbers. A citation leads to code and tests: <code>python -m refclass where ID</code>.</p>",
        "<ul>",
        *[f'<li><a href="#{f.name}">{escaped(f.title)}</a></li>' for f, _ in drawn],
        "</ul>",
    ]
    for figure, drawing in drawn:
        out += _section(figure, drawing)
    return "\n".join([*out, "</body></html>"]) + "\n"


def _section(figure: Figure, drawing: Drawing) -> Iterator[str]:
    cited = " ".join(f"<code>{escaped(c)}</code>" for c in figure.citations)
    image = f'<img src="{figure.name}.svg" alt="{escaped(drawing.about)}"/>'
    yield f'<section id="{figure.name}"><h2>{escaped(figure.title)}</h2>'
    yield f"<p>{cited}<br/>{escaped(figure.given)}</p>"
    yield f'<p><a href="{figure.name}.svg">{image}</a></p>'
    yield "<ul>"
    for finding in drawing.findings:
        yield f"<li>{'✓' if finding.holds else '✗ does not hold:'} {escaped(finding.statement)}</li>"
    yield "</ul>"
    yield "<div><table>"
    yield f"<tr>{''.join(f'<th>{escaped(name)}</th>' for name in drawing.header)}</tr>"
    for row in drawing.rows:
        yield f"<tr>{''.join(f'<td>{escaped(cell(v))}</td>' for v in row)}</tr>"
    yield "</table></div></section>"


def cell(value: Any) -> str:
    """Return a cell of a table as text."""
    return value if isinstance(value, str) else words.number(value)
