"""The citation marks of a checkout: ids in square brackets, in docstrings, comments, tests and case files.

A mark names an equation of the specification, an erratum (ERR-…), a claim (RC-…), a row of the inventory or one of its
properties (ROW.P1). In a case file an id may also stand alone in quotation marks.
"""

from __future__ import annotations

import ast
import json
import re
from bisect import bisect_right
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Optional

from refclass.oracle.equations.specification import INSTALLED, Specification, specification

DOCUMENTS = "ESL|ISML|MMST|KIM|YANG"

# What looks like a mark: an id of a document, an erratum, a claim, a property; or capitals with a hyphen.
LIKE = (
    rf"(?:{DOCUMENTS})-[\w.-]*\w",
    r"[A-Z]\w*(?:-[\w.]+)*\.P\d+",
    r"[A-Z][A-Z0-9]+(?:-[A-Z0-9][\w.]*)+",
    r"[KM]-[A-Z][\w.,/-]+",
)
MARK = re.compile(rf"\[({'|'.join(LIKE)})\]")
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


def marks(on: Specification, names: Collection[str] = ()) -> Marks:
    """Return the marks of the package, the tests, the case files and the specification's prose.

    All of them, or those of a few ids, for which only the files that mention one are looked through.
    """
    found = Marks()
    words = {name for name in on.inventory if name.isalnum()}
    for part, folder, ending in (
        (found.code, "refclass", "*.py"),
        (found.tests, "tests", "*.py"),
        (found.cases, f"{on.folder}/vectors", "*.json"),
        (found.prose, on.folder, "*.md"),
    ):
        if part is found.tests and on.folder == INSTALLED:
            found.tests.update(_recorded(on))
            continue
        for path in sorted((on.root / folder).rglob(ending)):
            if path.name != "trace.md":
                for name, place in _marks_in(path, path.relative_to(on.root).as_posix(), words, names):
                    part.setdefault(name, []).append(place)
    return found


def beside(on: Specification, places: Collection[Place]) -> list[str]:
    """Return the equations that the tests of these places cite, too, in the specification's order."""
    tests = {(place.path, place.test) for place in places if place.test}
    if on.folder == INSTALLED:
        every = [(name, place) for name, known in _recorded(on).items() for place in known]
    else:
        paths = sorted({path for path, _ in tests})
        every = [pair for path in paths for pair in _marks_in(on.root / path, path, set(), ())]
    cited = {name for name, place in every if (place.path, place.test) in tests}
    return [name for name in on.equations if name in cited]


def recorded(found: Marks) -> str:
    """Return the marks of the tests as the JSON that an installed package has in the place of the tests."""
    return json.dumps({name: [[p.path, p.line, p.test] for p in places] for name, places in found.tests.items()})


def _recorded(on: Specification) -> dict[str, list[Place]]:
    known = json.loads((on.spec / "tests.json").read_text(encoding="utf-8"))
    return {name: [Place(*place) for place in places] for name, places in known.items()}


def _marks_in(path: Path, shown: str, words: set[str], names: Collection[str]) -> Iterator[tuple[str, Place]]:
    text = path.read_text(encoding="utf-8")
    if names and not any(name in text for name in names):
        return
    patterns = [MARK, WORD, QUOTED] if path.suffix == ".json" else [MARK, WORD]
    hits = sorted(
        (m.start(), m[1]) for pattern in patterns for m in pattern.finditer(text) if _counts(pattern, m[1], words)
    )
    hits = [hit for hit in hits if hit[1] in names] if names else hits
    if not hits:
        return
    ends = [m.end() for m in re.finditer("\n", text)]
    spans = _tests(text) if shown.startswith("tests/") else []
    for start, name in hits:
        line = bisect_right(ends, start) + 1
        yield name, Place(shown, line, next((test for test, a, b in spans if a <= line <= b), ""))


def _counts(pattern: re.Pattern[str], name: str, words: set[str]) -> bool:
    """Return whether a hit is a mark: a single word in brackets is one only if the inventory has it."""
    return pattern is not WORD or name in words


def _tests(text: str) -> list[tuple[str, int, int]]:
    """Return the test functions of a file with their first and last lines."""
    body = ast.parse(text).body
    body += [inner for node in body if isinstance(node, ast.ClassDef) for inner in node.body]
    functions = [node for node in body if isinstance(node, ast.FunctionDef)]
    return [(f.name, f.lineno, f.end_lineno or f.lineno) for f in functions if f.name.startswith("test_")]


def known(name: str, on: Specification) -> bool:
    """Return whether the id is one of an equation, erratum, claim, inventory row, or a row's property."""
    if name in on.equations or name in on.errata or name in on.claims or name in on.inventory:
        return True
    row, _, number = name.rpartition(".P")
    return row in on.inventory and number.isdigit() and 1 <= int(number) <= on.inventory[row].properties


def unknown(on: Optional[Specification] = None) -> list[tuple[str, Place]]:
    """Return the marks whose id the specification does not have, with their places."""
    on = specification() if on is None else on
    return [(name, place) for name, place in marks(on).all() if not known(name, on)]
