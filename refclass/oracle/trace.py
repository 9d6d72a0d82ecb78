"""From an equation to its code, its tests and its cases: the matrix of the marks, and its committed record.

An equation is

    traced       code and a test cite it
    code only    no test cites it
    test only    no code cites it
    open         neither does
    excused      spec/exceptions.toml says why no code computes it

The record, spec/trace.md, names files and not lines, so that it changes only when a citation comes or goes.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from difflib import get_close_matches
from itertools import groupby
from typing import Optional

from refclass.errors import NoAnswer
from refclass.oracle.marks import Marks, Place, known, marks
from refclass.oracle.shelf import Equation, Item, Shelf, shelf

STATUSES = ("traced", "code only", "test only", "open", "excused")

HEAD = """# Trace

Written by `python -m refclass trace --write`; do not edit. Every equation of the five documents with the rooms that
compute it (under refclass/), the tests that show it (under tests/) and the case files that use it (spec/vectors/).
"""


@dataclass(frozen=True)
class Row:
    """An id with the places that cite it.

    code, tests, cases    places in the package, in the tests, in the case files
    excuse                why no code computes it, or the empty string
    """

    id: str
    title: str
    code: tuple[Place, ...] = ()
    tests: tuple[Place, ...] = ()
    cases: tuple[Place, ...] = ()
    excuse: str = ""
    equation: Optional[Equation] = None
    item: Optional[Item] = None

    @property
    def status(self) -> str:
        """One of the five words of the matrix."""
        if self.code:
            return "traced" if self.tests else "code only"
        return "excused" if self.excuse else "test only" if self.tests else "open"


def matrix(on: Optional[Shelf] = None, found: Optional[Marks] = None) -> tuple[Row, ...]:
    """Return a row for every equation of the shelf, in its order."""
    on = shelf() if on is None else on
    found = marks(on) if found is None else found
    return tuple(_row(e.id, e.title, on, found, equation=e) for e in on.equations.values())


def _row(
    name: str, title: str, on: Shelf, found: Marks, equation: Optional[Equation] = None, item: Optional[Item] = None
) -> Row:
    places = [tuple(part.get(name, ())) for part in (found.code, found.tests, found.cases)]
    return Row(name, title, places[0], places[1], places[2], on.excuses.get(name, ""), equation, item)


def where(name: str, on: Optional[Shelf] = None) -> list[str]:
    """Return what is to be said of an id, line by line: title, formula, status, and every place that cites it.

    Raises    NoAnswer for an id the shelf does not have, with the nearest ones
    """
    return described(row(name, on))


def row(name: str, on: Optional[Shelf] = None) -> Row:
    """Return the row of one id: an equation, an erratum, a claim, a row of the inventory or a property of one.

    Raises    NoAnswer for an id the shelf does not have, with the nearest ones
    """
    on = shelf() if on is None else on
    found = marks(on)
    if name in on.equations:
        return _row(name, on.equations[name].title, on, found, equation=on.equations[name])
    for items in (on.errata, on.claims, on.inventory):
        item = items.get(name) or items.get(name.rpartition(".P")[0])
        if item and known(name, on):
            return _row(name, item.title, on, found, item=item)
    ids = [*on.equations, *on.errata, *on.claims, *on.inventory]
    near = get_close_matches(name, ids, n=3) or [i for i in ids if i.startswith(name[:4])][:3]
    raise NoAnswer("trace", need="an id of the shelf, such as ESL-12.13", got=name, nearest=", ".join(near))


def unfinished(on: Optional[Shelf] = None) -> list[Row]:
    """Return the equations of finished sections that are neither traced nor excused."""
    on = shelf() if on is None else on
    return [
        row
        for row in matrix(on)
        if row.status not in ("traced", "excused")
        and any(row.equation.inside(part) for part in on.finished if row.equation)
    ]


def described(row: Row) -> list[str]:
    """Return the row as lines for a terminal: title, formula, status, and every place."""
    lines = [f"{row.id} · {row.title}"]
    if row.equation:
        e = row.equation
        lines += [f"{e.kind}, {e.document} {e.section}, {e.path}:{e.line}", "", e.formula.strip("\n"), ""]
        lines += [f"uses {', '.join(e.uses)}"] if e.uses else []
        lines += [f"{row.status}" + (f": {row.excuse}" if row.status == "excused" else "")]
    elif row.item:
        lines += [row.item.area, *([row.item.text] if row.item.text else [])]
    for name, places in (("code", row.code), ("tests", row.tests), ("cases", row.cases)):
        lines += [f"{name:<6}{place}" for place in places] or [f"{name:<6}none"]
    return lines


def files(places: Iterable[Place]) -> list[str]:
    """Return the files of the places, each once, in order, without the first folder and the ending."""
    return sorted({re.sub(r"^(refclass|tests|spec/vectors)/|\.(py|json)$", "", place.path) for place in places})


def render(on: Optional[Shelf] = None, found: Optional[Marks] = None) -> str:
    """Return the text of spec/trace.md: a summary, the matrix by section, the inventory's properties, the errata."""
    on = shelf() if on is None else on
    found = marks(on) if found is None else found
    rows = matrix(on, found)
    return "\n".join([HEAD, *_summary(rows), *_sections(rows), *_properties(on, found), *_errata(on, found)]) + "\n"


def write(text: Optional[str] = None, on: Optional[Shelf] = None) -> str:
    """Write spec/trace.md and the status lines of spec/errata.md; return the names of the files written."""
    on = shelf() if on is None else on
    texts = {"spec/trace.md": render(on) if text is None else text, "spec/errata.md": statuses(on)}
    for name, whole in texts.items():
        (on.root / name).write_text(whole, encoding="utf-8")
    return ", ".join(texts)


def statuses(on: Optional[Shelf] = None, found: Optional[Marks] = None) -> str:
    """Return the text of spec/errata.md with each status line naming the tests that cite the erratum, or "open"."""
    on = shelf() if on is None else on
    found = marks(on) if found is None else found
    path = on.spec / "errata.md"
    name, lines = "", []
    for line in path.read_text(encoding="utf-8").splitlines() if path.exists() else []:
        heading = re.match(r"### (ERR-\S+) · ", line)
        name = heading[1] if heading else name
        if name and re.match(r"(open|shown by .*)$", line):
            line = shown(name, found)
        lines.append(line)
    return "\n".join(lines) + "\n"


def shown(name: str, found: Marks) -> str:
    """Return "shown by" with the tests that cite an id, or "open"."""
    tests = sorted({f"{place.path}::{place.test}" for place in found.tests.get(name, ()) if place.test})
    return "shown by " + ", ".join(f"`{test}`" for test in tests) if tests else "open"


def _summary(rows: Iterable[Row]) -> Iterator[str]:
    yield "| section | equations | " + " | ".join(STATUSES) + " |"
    yield "|---|" + "--:|" * (1 + len(STATUSES))
    total: Counter[str] = Counter()
    for document, part in groupby(rows, lambda row: row.id.split("-")[0]):
        whole: Counter[str] = Counter()
        lines = []
        for section, inner in groupby(part, _section):
            counts = Counter(row.status for row in inner)
            whole += counts
            lines.append(_counted(section, counts))
        yield _counted(f"**{document}**", whole)
        yield from lines
        total += whole
    yield _counted("**all**", total)
    yield ""


def _section(row: Row) -> str:
    return f"{row.equation.document} {row.equation.section}" if row.equation else ""


def _counted(name: str, counts: Counter[str]) -> str:
    return f"| {name} | {sum(counts.values())} | " + " | ".join(str(counts[s] or "") for s in STATUSES) + " |"


def _sections(rows: Iterable[Row]) -> Iterator[str]:
    for section, part in groupby(rows, _section):
        yield f"## {section}\n"
        yield "| equation | code | tests | cases | status |"
        yield "|---|---|---|---|---|"
        for row in part:
            cells = [
                f"{row.id} {row.title}",
                *(", ".join(files(p)) for p in (row.code, row.tests, row.cases)),
                row.status,
            ]
            yield "| " + " | ".join(cells) + " |"
        yield ""


def _properties(on: Shelf, found: Marks) -> Iterator[str]:
    yield "## Inventory\n"
    yield "Rows and properties of the inventory that a test cites; below, the properties that none does.\n"
    yield "| area | rows | cited | properties | cited |"
    yield "|---|--:|--:|--:|--:|"
    cited = {name for name in found.tests if known(name, on)}
    missing: list[str] = []
    for area, part in groupby(on.inventory.values(), lambda item: item.area):
        items = list(part)
        ids = {item.id: [f"{item.id}.P{i + 1}" for i in range(item.properties)] for item in items}
        seen = sum(row in cited or not cited.isdisjoint(p) for row, p in ids.items())
        total, shown_here = sum(map(len, ids.values())), sum(len(cited & set(p)) for p in ids.values())
        yield f"| {area} | {len(items)} | {seen} | {total} | {shown_here} |"
        left = [name for p in ids.values() for name in p if name not in cited]
        missing += [f"**{area}**: {', '.join(left)}\n"] if left else []
    yield ""
    yield from missing


def _errata(on: Shelf, found: Marks) -> Iterator[str]:
    yield "## Errata\n"
    yield "| erratum | tests |"
    yield "|---|---|"
    for item in on.errata.values():
        yield f"| {item.id} {item.title} | {', '.join(files(found.tests.get(item.id, ()))) or 'open'} |"
