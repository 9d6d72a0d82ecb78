"""The committed record of the trace, spec/trace.md, and the tests that show each erratum.

The record names files, not lines, so that it changes only when a citation comes or goes.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import Optional

from refclass.oracle.shelf import Shelf, shelf
from refclass.oracle.trace import STATUSES, Marks, Row, files, known, marks, matrix

HEAD = """# Trace

Written by `python -m refclass trace --write`; do not edit. Every equation of the five documents with the rooms that
compute it (under refclass/), the tests that show it (under tests/) and the case files that use it (spec/vectors/).
"""


def rendered(on: Optional[Shelf] = None) -> str:
    """Return the text of spec/trace.md: a summary, the matrix by section, the inventory's properties, the errata."""
    on = shelf() if on is None else on
    found = marks(on)
    rows = matrix(on, found)
    parts = [HEAD, *_summary(rows), *_sections(rows), *_properties(on, found), *_errata(on, found)]
    return "\n".join(parts) + "\n"


def write(on: Optional[Shelf] = None) -> list[str]:
    """Write spec/trace.md and the status lines of spec/errata.md; return the names of the files that changed."""
    on = shelf() if on is None else on
    texts = {"trace.md": rendered(on), "errata.md": statuses(on)}
    changed = []
    for name, text in texts.items():
        path = on.spec / name
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            path.write_text(text, encoding="utf-8")
            changed.append(f"spec/{name}")
    return changed


def statuses(on: Optional[Shelf] = None) -> str:
    """Return the text of spec/errata.md with each status line naming the tests that cite the erratum, or "open"."""
    on = shelf() if on is None else on
    found = marks(on)
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
