"""From an equation to its code, its tests and its cases: the citation marks of a checkout, and their matrix.

A mark is an id in square brackets, in a docstring, a comment, a test or a case file. It names an equation of the shelf,
an erratum (ERR-…), a claim (RC-…), a row of the inventory or one of its properties (ROW.P1). An equation is

    traced       code and a test cite it
    code only    no test cites it
    test only    no code cites it
    open         neither does
    excused      spec/exceptions.toml says why no code computes it
"""

from __future__ import annotations

import ast
import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from difflib import get_close_matches
from pathlib import Path
from typing import Optional

from refclass.errors import NoAnswer
from refclass.oracle.shelf import Equation, Item, Shelf, shelf

STATUSES = ("traced", "code only", "test only", "open", "excused")
DOCUMENTS = "ESL|ISML|MMST|KIM|YANG"

# What looks like a mark: an id of a document, an erratum, a claim, a property; or capitals with a hyphen.
MARK = re.compile(
    rf"\[((?:{DOCUMENTS})-[\w.-]*\w|(?:[A-Z]\w+|[A-Z])(?:-[\w.]+)*\.P\d+|[A-Z][A-Z0-9]+(?:-[A-Z0-9][\w.]*)+|[KM]-[A-Z][\w.,/-]+)\]"
)
QUOTED = re.compile(rf'"((?:{DOCUMENTS})-[\w.-]*\w|RC-\d+|ERR-[A-Z]+-\d+)"')
WORD = re.compile(r"\[([A-Z][A-Z0-9]+)\]")


@dataclass(frozen=True)
class Place:
    """Where a mark stands.

    path    from the root of the checkout
    line    counted from 1
    test    the test function it stands in, or the empty string
    """

    path: str
    line: int
    test: str = ""

    def __str__(self) -> str:
        return f"{self.path}:{self.line}" + (f" {self.test}" if self.test else "")


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


@dataclass
class Marks:
    """Every mark of a checkout, by id and by where it stands."""

    code: dict[str, list[Place]] = field(default_factory=dict)
    tests: dict[str, list[Place]] = field(default_factory=dict)
    cases: dict[str, list[Place]] = field(default_factory=dict)
    prose: dict[str, list[Place]] = field(default_factory=dict)

    def all(self) -> Iterator[tuple[str, Place]]:
        """Yield every mark with its place."""
        for part in (self.code, self.tests, self.cases, self.prose):
            for name, places in part.items():
                for place in places:
                    yield name, place


def marks(on: Shelf) -> Marks:
    """Return the marks of the package, the tests, the case files and the specification's prose."""
    found = Marks()
    known = {name for name in on.inventory if name.isalnum()}
    for part, folder, ending in (
        (found.code, "refclass", "*.py"),
        (found.tests, "tests", "*.py"),
        (found.cases, "spec/vectors", "*.json"),
        (found.prose, "spec", "*.md"),
    ):
        for path in sorted((on.root / folder).rglob(ending)):
            if path.name != "trace.md":
                for name, place in _marks_in(path, path.relative_to(on.root).as_posix(), known):
                    part.setdefault(name, []).append(place)
    return found


def _marks_in(path: Path, shown: str, known: set[str]) -> Iterator[tuple[str, Place]]:
    text = path.read_text(encoding="utf-8")
    patterns = [MARK, WORD, QUOTED] if path.suffix == ".json" else [MARK, WORD]
    hits = sorted(
        (m.start(), m[1]) for pattern in patterns for m in pattern.finditer(text) if _counts(pattern, m[1], known)
    )
    if not hits:
        return
    ends = [m.end() for m in re.finditer("\n", text)]
    spans = _tests(text) if shown.startswith("tests/") else []
    for start, name in hits:
        line = bisect_right(ends, start) + 1
        yield name, Place(shown, line, next((test for test, a, b in spans if a <= line <= b), ""))


def _counts(pattern: re.Pattern[str], name: str, known: set[str]) -> bool:
    """Return whether a hit is a mark: a single word in brackets is one only if the inventory has it."""
    return pattern is not WORD or name in known


def _tests(text: str) -> list[tuple[str, int, int]]:
    """Return the test functions of a file with their first and last lines."""
    functions = [node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.FunctionDef)]
    return [(f.name, f.lineno, f.end_lineno or f.lineno) for f in functions if f.name.startswith("test_")]


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


def where(name: str, on: Optional[Shelf] = None) -> Row:
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


def known(name: str, on: Shelf) -> bool:
    """Return whether the shelf has the id: an equation, erratum, claim, inventory row, or one of a row's properties."""
    if name in on.equations or name in on.errata or name in on.claims or name in on.inventory:
        return True
    row, _, number = name.rpartition(".P")
    return row in on.inventory and number.isdigit() and 1 <= int(number) <= on.inventory[row].properties


def unknown(on: Optional[Shelf] = None) -> list[tuple[str, Place]]:
    """Return the marks whose id the shelf does not have, with their places."""
    on = shelf() if on is None else on
    return [(name, place) for name, place in marks(on).all() if not known(name, on)]


def unfinished(on: Optional[Shelf] = None) -> list[Row]:
    """Return the equations of finished sections that are neither traced nor excused."""
    on = shelf() if on is None else on
    return [
        row
        for row in matrix(on)
        if row.status not in ("traced", "excused")
        and any(row.equation.inside(part) for part in on.finished if row.equation)
    ]


def described(row: Row) -> str:
    """Return the row as text for a terminal: title, formula, status, and every place."""
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
    return "\n".join(lines) + "\n"


def files(places: Iterable[Place]) -> list[str]:
    """Return the files of the places, each once, in order, without the first folder and the ending."""
    return sorted({re.sub(r"^(refclass|tests|spec/vectors)/|\.(py|json)$", "", place.path) for place in places})
