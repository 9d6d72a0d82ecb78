"""Conformance cases: a problem, what is true of every correct answer, the equations, and the mistake that it catches.

A file v1/<method>.json holds {"cases": [{"id", "method", "problem", "answer", "cites", "flags", "note"}, …]}. People
write the question, the oracle writes the answer. v1/published.json has a digest of every published case, so that a
change of one is seen.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from fnmatch import fnmatchcase
from functools import lru_cache
from pathlib import Path
from typing import Any, Optional

from refclass.errors import InvalidInput, quoted
from refclass.oracle.equations.specification import INSTALLED, around
from refclass.oracle.problem import decode
from refclass.oracle.readers import delimited_text

VERSION = "v1"
PUBLISHED = "published.json"
FIELDS = ("id", "method", "problem", "answer", "cites", "flags", "note")
FLAGS = {
    "ordinary": "none of the others",
    "degenerate": "equal points, collinear or constant columns, copies, one point, a zero optimum, a singular matrix",
    "refusal": "the right answer is a refusal",
    "invalid": "the problem breaks a precondition: a refusal of the type InvalidInput",
    "tie": "labels or values on which a rule cannot decide, or an optimum that is not unique",
    "scaled": "columns or offsets of very different sizes",
    "weighted": "rows have weights",
    "many": "more than two classes",
    "indefinite": "the kernel matrix has a negative eigenvalue",
    "zero": "a number of the answer is exactly zero where roundoff gives something else",
}


@dataclass(frozen=True)
class Case:
    """A question, and its answer once the oracle has written it.

    problem    as JSON holds it, not yet checked: a case may be about a problem that must be refused
    answer     as JSON holds it; None if nobody has answered yet
    """

    id: str
    method: str
    problem: dict[str, Any]
    answer: Optional[dict[str, Any]] = None
    cites: list[str] = field(default_factory=list)
    flags: list[str] = field(default_factory=list)
    note: str = ""

    def listed(self) -> dict[str, Any]:
        """Return its line in a list of cases."""
        return {name: getattr(self, name) for name in ("id", "method", "cites", "flags", "note")}

    @property
    def text(self) -> str:
        """The problem as JSON text on one line."""
        return json.dumps(self.problem, ensure_ascii=False)

    @property
    def digest(self) -> str:
        """What changes if anything of the case changes."""
        return hashlib.sha256(json.dumps(asdict(self), sort_keys=True).encode()).hexdigest()


def folder() -> Path:
    """Return the folder of the cases: that of the installed package or zip file, or spec/vectors/v1 of a checkout.

    Raises    InvalidInput if neither is there
    """
    for place in (INSTALLED, "spec"):
        found = around() / place / "vectors" / VERSION
        if found.is_dir():
            return found
    raise InvalidInput("vectors", need="the conformance cases beside the package", got="none")


def read(place: Optional[Path] = None) -> list[Case]:
    """Return all cases, by method and then in the order they were published.  Raises InvalidInput for a bad file."""
    place = folder() if place is None else place
    found: list[Case] = []
    for path in sorted(place.glob("*.json")):
        if path.name != PUBLISHED:
            found += load(path)
    names = [case.id for case in found]
    for name in names:
        if names.count(name) > 1:
            raise InvalidInput("vectors", need="each id once", got=quoted(name))
    return found


@lru_cache(maxsize=1)
def shipped() -> tuple[Case, ...]:
    """Return the cases that come with the package, read once."""
    return tuple(read())


def load(path: Path) -> list[Case]:
    """Return the cases of a file.  Raises InvalidInput for another form, and for an unknown flag."""
    given = decode(delimited_text.content(str(path)), path.name, exact=False)
    if not isinstance(given, dict) or set(given) != {"cases"} or not isinstance(given["cases"], list):
        raise InvalidInput(path.name, need='{"cases": […]}', got=type(given).__name__)
    found = []
    for one in given["cases"]:
        if not isinstance(one, dict) or set(one) - set(FIELDS) or not {"id", "method", "problem"} <= set(one):
            raise InvalidInput(path.name, need=f"cases with {', '.join(FIELDS)}", got=str(one)[:80])
        for name in one.get("flags", []):
            if name not in FLAGS:
                raise InvalidInput(path.name, need=f"flags among {', '.join(FLAGS)}", got=quoted(name))
        found.append(Case(**one))
    return found


def save(path: Path, cases: Iterable[Case]) -> None:
    """Write cases, one a line for its question and one for its answer."""
    lines = []
    for case in cases:
        parts = {k: v for k, v in asdict(case).items() if v is not None}
        lines.append("{\n  " + ",\n  ".join(f"{json.dumps(k)}: {_line(v)}" for k, v in parts.items()) + "\n}")
    path.write_text('{"cases": [\n' + ",\n".join(lines) + "\n]}\n", encoding="utf-8")


def _line(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def chosen(cases: Sequence[Case], patterns: Sequence[str] = (), flags: Sequence[str] = ()) -> list[Case]:
    """Return the cases whose id matches one of the patterns (all without patterns) and that have all flags.

    Raises    InvalidInput if there is none
    """
    for flag in flags:
        if flag not in FLAGS:
            raise InvalidInput("vectors", need=f"flags among {', '.join(FLAGS)}", got=quoted(flag))
    found = [
        case
        for case in cases
        if (not patterns or any(fnmatchcase(case.id, p) or case.method == p for p in patterns))
        and set(flags) <= set(case.flags)
    ]
    if not found:
        raise InvalidInput("vectors", need="an id, a method or a pattern of a case", got=", ".join([*patterns, *flags]))
    return found


def digests(place: Path) -> dict[str, str]:
    """Return the digests of the published cases by id."""
    path = place / PUBLISHED
    if not path.exists():
        return {}
    found = decode(delimited_text.content(str(path)), PUBLISHED)
    if not isinstance(found, dict):
        raise InvalidInput(PUBLISHED, need="an object of digests", got=type(found).__name__)
    return {str(name): str(value) for name, value in found.items()}


def publish(place: Path, cases: Mapping[str, str]) -> None:
    """Write the digests of the published cases."""
    text = json.dumps(dict(cases), indent=0, sort_keys=True)
    (place / PUBLISHED).write_text(text + "\n", encoding="utf-8")
