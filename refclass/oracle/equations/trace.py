"""From an equation to its code, its tests and its cases: the matrix of the marks, and its committed record.

An equation is

    computed     code that the public program reaches cites it (`equations.reach`), and so does a test
    shown        a test cites it; code that computes it, if any, is run by tests alone
    excused      spec/exceptions.toml says why no code computes it
    open         no test cites it

The record, spec/trace.md, has an id and a status a line and no places: moving code does not change it.
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
from refclass.oracle.equations.marks import Marks, Place, beside, known, marks
from refclass.oracle.equations.reach import Graph, drawn
from refclass.oracle.equations.specification import Equation, Item, Specification, specification

STATUSES = ("computed", "shown", "excused", "open")

HEAD = """# Trace

Written by `python -m refclass trace --write`; do not edit. The status of every equation of the five documents and of
every row of the inventory; `python -m refclass where ID` prints the places.

- computed: code that the public program reaches cites the equation, and so does a test
- shown: a test cites it; code that computes it, if any, is run by tests alone
- excused: spec/exceptions.toml says why no code computes it
- open: no test cites it
"""


@dataclass(frozen=True)
class Row:
    """An id with the places that cite it.

    code, tests, cases    places in the package, in the tests, in the case files
    excuse                why no code computes it, or the empty string
    reached               whether the public program reaches code that cites it
    beside                of a row of the inventory, the equations that its tests cite, too
    cased                 those of them that have cases
    """

    id: str
    title: str
    code: tuple[Place, ...] = ()
    tests: tuple[Place, ...] = ()
    cases: tuple[Place, ...] = ()
    excuse: str = ""
    equation: Optional[Equation] = None
    item: Optional[Item] = None
    reached: bool = False
    beside: tuple[str, ...] = ()
    cased: tuple[str, ...] = ()

    @property
    def status(self) -> str:
        """One of the four words of the matrix."""
        if self.excuse and not self.code:
            return "excused"
        if not self.tests:
            return "open"
        return "computed" if self.reached else "shown"


def matrix(on: Optional[Specification] = None, found: Optional[Marks] = None) -> tuple[Row, ...]:
    """Return a row for every equation of the specification, in its order."""
    on = specification() if on is None else on
    found = marks(on) if found is None else found
    graph = drawn(on.root)
    return tuple(_row(e, on, found, _reached(graph, found.code.get(e.id, ()))) for e in on.equations.values())


def _row(equation: Equation, on: Specification, found: Marks, reached: bool) -> Row:
    name = equation.id
    code, tests, cases = (tuple(part.get(name, ())) for part in (found.code, found.tests, found.cases))
    return Row(name, equation.title, code, tests, cases, on.excuses.get(name, ""), equation, reached=reached)


def _reached(graph: Graph, code: Iterable[Place]) -> bool:
    return any(graph.computes(place.path, place.line) for place in code)


def where(name: str, on: Optional[Specification] = None) -> list[str]:
    """Return what is to be said of an id, line by line: title, formula, status, and every place that cites it.

    Raises    NoAnswer for an id the specification does not have, with the nearest ones
    """
    return described(row(name, on))


def row(name: str, on: Optional[Specification] = None) -> Row:
    """Return the row of one id: an equation, an erratum, a claim, a row of the inventory or a property of one.

    A row of the inventory gathers what cites its properties. Upper and lower case count as the same. Whether the public
    program reaches the code of an equation is read from the record, and found out where the record does not have it.

    Raises    NoAnswer for an id the specification does not have, with the nearest ones
    """
    on = specification() if on is None else on
    ids = [*on.equations, *on.errata, *on.claims, *on.inventory]
    if not known(name, on):
        head, dot, number = name.rpartition(".P" if ".P" in name else ".p")
        spelt = {each.lower(): each for each in ids}
        name = spelt.get(name.lower()) or (spelt.get(head.lower(), head) + dot.upper() + number)
    if not known(name, on):
        near = get_close_matches(name, ids, n=3) or [i for i in ids if i.startswith(name[:4])][:3]
        nearest = {"nearest": ", ".join(near)} if near else {}
        raise NoAnswer("trace", need="an id of the specification, such as ESL-12.13", got=name, **nearest)
    if name in on.equations:
        found = marks(on, {name})
        recorded = on.recorded.get(name)
        settled = recorded in ("computed", "shown")
        reached = recorded == "computed" if settled else _reached(drawn(on.root), found.code.get(name, ()))
        return _row(on.equations[name], on, found, reached)
    for items in (on.errata, on.claims, on.inventory):
        item = items.get(name) or items.get(name.rpartition(".P")[0])
        if item:
            break
    assert item is not None
    names = [name, *([f"{name}.P{i + 1}" for i in range(item.properties)] if item.id == name else [])]
    found = marks(on, names)
    code, tests, cases = (
        tuple(dict.fromkeys(place for each in names for place in part.get(each, ())))
        for part in (found.code, found.tests, found.cases)
    )
    also = tuple(beside(on, tests)) if items is on.inventory else ()
    cased = marks(on, set(also)).cases if also and not cases else {}
    named = tuple(each for each in also if cased.get(each))
    return Row(name, item.title, code, tests, cases, item=item, beside=also, cased=named)


def unfinished(on: Optional[Specification] = None) -> list[Row]:
    """Return the equations of finished sections that are open."""
    on = specification() if on is None else on
    return [
        row
        for row in matrix(on)
        if row.status not in ("computed", "shown", "excused")
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
    parts = (("code", row.code, row.beside), ("tests", row.tests, ()), ("cases", row.cases, row.cased))
    for name, places, equations in parts:
        if equations and not places:
            lines += [f"{name:<6}where the equations stand that its tests cite: {', '.join(equations)}"]
        else:
            lines += [f"{name:<6}{place}" for place in places] or [f"{name:<6}none"]
    return lines


def render(on: Optional[Specification] = None, found: Optional[Marks] = None) -> str:
    """Return the text of spec/trace.md: a summary, the equations by section, the rows of the inventory."""
    on = specification() if on is None else on
    found = marks(on) if found is None else found
    rows = matrix(on, found)
    return "\n".join([HEAD, *_summary(rows), *_sections(rows), *_properties(on, found)]) + "\n"


def write(text: Optional[str] = None, on: Optional[Specification] = None) -> str:
    """Write spec/trace.md and the status lines of spec/errata.md; return the names of the files written."""
    on = specification() if on is None else on
    if on.folder != "spec":
        raise NoAnswer("trace", need="a checkout, to write to", got="an installed package")
    texts = {"spec/trace.md": render(on) if text is None else text, "spec/errata.md": statuses(on)}
    for name, whole in texts.items():
        (on.root / name).write_text(whole, encoding="utf-8")
    return ", ".join(texts)


def statuses(on: Optional[Specification] = None, found: Optional[Marks] = None) -> str:
    """Return the text of spec/errata.md with each status line naming the tests that cite the erratum, or "open"."""
    on = specification() if on is None else on
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
        yield from (f"- {row.id} {row.status}" for row in part)
        yield ""


def _properties(on: Specification, found: Marks) -> Iterator[str]:
    """Yield each row of the inventory: shown if tests cite every property, else open, with the properties left."""
    for area, part in groupby(on.inventory.values(), lambda item: item.area):
        yield f"## Inventory {area}\n"
        for item in part:
            names = [f"{item.id}.P{i + 1}" for i in range(item.properties)]
            left = [name.rpartition(".")[2] for name in names if name not in found.tests]
            shown_here = not left and (names or item.id in found.tests or item.id in found.code)
            yield f"- {item.id} " + ("shown" if shown_here else " ".join(["open", *left]))
        yield ""
