"""Pages of figures and tables, one for an area of the documents, and an index."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import refclass
from refclass.report.drawing import rendering
from refclass.report.drawing.figure import Drawing, Figure, Finding
from refclass.report.drawing.rendering import words as escaped
from refclass.report.pages import style
from refclass.report.tables.table import HEADER, Line, Table
from refclass.report.text import words

AREAS = {
    "discriminants": "Linear and quadratic discriminants",
    "losses": "Losses",
    "machines": "Support vector machines",
    "flexible": "Flexible, penalised and mixture discriminants",
}
FAR = 2.5  # standard errors beyond which a difference is marked


@dataclass(frozen=True)
class Contents:
    """What is shown: figures as they were drawn, tables with their lines, and the names of what is missing.

    absent    title and reason of each figure and table that could not be computed
    """

    drawn: tuple[tuple[Figure, Drawing], ...]
    tables: tuple[tuple[Table, tuple[Line, ...]], ...]
    absent: tuple[tuple[str, str], ...] = ()

    def areas(self) -> list[str]:
        """Return the areas that there is something of."""
        there = {figure.area for figure, _ in self.drawn} | {table.area for table, _ in self.tables}
        return [area for area in AREAS if area in there]


def pages(contents: Contents, links: Sequence[tuple[str, str]]) -> dict[str, str]:
    """Return the pages by their file names: one for each area, without the index."""
    return {f"{area}.html": _area(area, contents, links) for area in contents.areas()}


def links(contents: Contents) -> list[tuple[str, str]]:
    """Return the addresses and names of the area pages."""
    return [(f"{area}.html", AREAS[area]) for area in contents.areas()]


def index(contents: Contents, others: Sequence[tuple[str, str]]) -> str:
    """Return the index: what is on which page, what holds, and what is missing."""
    body = [
        f"<p>Computed by refclass {refclass.__version__}. Figures stand with what they show, counted, and their "
        "numbers; tables with the printed number beside ours. A citation leads to code and tests: "
        "<code>python -m refclass where ID</code>.</p>"
    ]
    for area in contents.areas():
        body.append(f'<h2><a href="{area}.html">{escaped(AREAS[area])}</a></h2><ul>')
        for figure, drawing in contents.drawn:
            if figure.area == area:
                name = escaped(figure.title)
                body.append(f'<li><a href="{area}.html#{figure.name}">{name}</a>: {held(drawing.findings)}</li>')
        for table, lines in contents.tables:
            if table.area == area:
                name = escaped(table.title)
                body.append(f'<li><a href="{area}.html#{table.name}">{name}</a>: {escaped(summary(lines))}</li>')
        body.append("</ul>")
    if others:
        body.append("<h2>The book</h2><ul>")
        body += [f'<li><a href="{address}">{escaped(name)}</a></li>' for address, name in others]
        body.append("</ul>")
    if contents.absent:
        body.append("<h2>Not computed</h2><ul>")
        body += [f"<li>{escaped(title)}: {escaped(reason)}</li>" for title, reason in contents.absent]
        body.append("</ul>")
    return style.page("The documents, reproduced", body)


def held(findings: Sequence[Finding]) -> str:
    """Return how many of the findings of a figure hold, in words."""
    number, all_of_them = sum(finding.holds for finding in findings), len(findings)
    return f"{number} of {words.counted(all_of_them, 'finding')} {'holds' if number == 1 else 'hold'}"


def summary(lines: Sequence[Line]) -> str:
    """Return how many numbers a table has, and how far they are from print."""
    if not lines:
        return "nothing computed yet"
    reported = [abs(line.in_errors) for line in lines if line.in_errors is not None]
    if not reported:
        return f"{len(lines)} numbers"
    beyond = sum(ratio > FAR for ratio in reported)
    return f"{len(lines)} numbers, {len(reported) - beyond} of {len(reported)} within {FAR} standard errors of print"


def _area(area: str, contents: Contents, links: Sequence[tuple[str, str]]) -> str:
    body: list[str] = []
    for figure, drawing in contents.drawn:
        if figure.area == area:
            body += figure_section(figure, drawing)
    for table, lines in contents.tables:
        if table.area == area:
            body += table_section(table, lines)
    return style.page(AREAS[area], body, [("index.html", "Index"), *links])


def figure_section(figure: Figure, drawing: Drawing) -> Iterator[str]:
    """Yield a figure as HTML: panels, findings, numbers."""
    yield from _head(figure.name, figure.title, figure.citations, figure.given)
    yield f'<p class="about">{escaped(drawing.about)}</p>'
    yield '<div class="panels">'
    yield from rendering.parts(drawing.panels)
    yield "</div><ul>"
    for finding in drawing.findings:
        yield f"<li>{'✓' if finding.holds else '✗ does not hold:'} {escaped(finding.statement)}</li>"
    yield "</ul>"
    yield from style.table(drawing.header, [[cell(v) for v in row] for row in drawing.rows], _texts(drawing))
    yield "</section>"


def _texts(drawing: Drawing) -> list[int]:
    """Return the columns that hold words: those in which a cell is longer than a number."""
    columns = zip(*[[cell(v) for v in row] for row in drawing.rows])
    return [0, *[j for j, column in enumerate(columns) if j and max(map(len, column)) > 18]]


def table_section(table: Table, lines: Sequence[Line]) -> Iterator[str]:
    """Yield a table as HTML: print beside ours."""
    yield from _head(table.name, table.title, table.citations, table.given)
    yield "<ul>"
    yield from (f"<li>{escaped(remark)}</li>" for remark in table.remarks)
    beyond = sum(line.in_errors is not None and abs(line.in_errors) > FAR for line in lines)
    yield f"<li>{escaped(summary(lines))}{'; those beyond are marked ✗' if beyond else ''}</li>"
    yield "</ul>"
    yield from style.table(HEADER, [marked(line) for line in lines], (0, 1, 6))
    yield "</section>"


def marked(line: Line) -> list[str]:
    """Return the cells of a line, a difference beyond the bound marked."""
    cells = list(line.cells())
    if line.in_errors is not None and abs(line.in_errors) > FAR:
        cells[5] += " ✗"
    return cells


def _head(name: str, title: str, citations: Sequence[str], given: str) -> Iterator[str]:
    cited = " ".join(f"<code>{escaped(c)}</code>" for c in citations)
    yield f'<section id="{name}"><h2>{escaped(title)}</h2>'
    yield f'<p class="quiet">{cited}{"<br/>" if cited else ""}{escaped(given)}</p>'


def cell(value: Any) -> str:
    """Return a cell of a table as text."""
    return value if isinstance(value, str) else words.number(value)


def markdown(contents: Contents) -> str:
    """Return the tables as Markdown: what spec/reproduced.md holds."""
    out = []
    for table, lines in contents.tables:
        out += [f"## {table.title}", "", f"`{table.name}` · {' '.join(table.citations)}", "", table.given, ""]
        out += [*(f"- {remark}" for remark in table.remarks), f"- {summary(lines)}", ""]
        out += ["| " + " | ".join(HEADER) + " |", "|---|---|--:|--:|--:|--:|---|"]
        out += ["| " + " | ".join(c.replace("|", "\\|") for c in marked(line)) + " |" for line in lines]
        out.append("")
    return "\n".join(out)
