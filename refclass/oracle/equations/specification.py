"""The specification as data: equations, exceptions, errata, claims, inventory, finished sections.

The specification is the folder spec/ beside the package, in a checkout, or that of an installed package's data. It is
read from its Markdown headings:

    ### DOC-12.13 · the title          in spec/equations: first the kind and what the formula uses, then the formula
    ### ERR-DOC-01 · the place         in spec/errata.md: then the severity and the tests that show it, or "open"
    # RC-1 · the title                 in spec/claims
    | ROW-ID | title | properties |    in spec/inventory.md
"""

from __future__ import annotations

import ast
import re
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Optional

from refclass.errors import NoAnswer

INSTALLED = "refclass/data/spec"  # where the build lays a copy of spec/
HEADING = re.compile(r"### (\S+) · (.+)")
SECTION = re.compile(r"## (.+)")
ENTRY = re.compile(r'^"?([\w.-]+)"? = (".*"|\[[^\]]*\])$', re.M)
ROW = re.compile(r"\| ([A-Z][\w.,/-]*) \| (.+?) \| (\d+) \|")
STATUS = re.compile(r"^- (\S+) (computed|shown|excused|open)$", re.M)


@dataclass(frozen=True)
class Equation:
    """A heading of the specification with what stands under it.

    id          as it is cited
    title       what it is called
    kind        definition, model, rule, objective, constraint, condition, identity, theorem, algorithm, …
    uses        the ids it rests on
    formula     the text under the heading
    document    the key of its document
    section     the heading above it: number and title
    path, line  where it stands
    """

    id: str
    title: str
    kind: str
    uses: tuple[str, ...]
    formula: str
    document: str
    section: str
    path: str
    line: int

    @property
    def number(self) -> str:
        """The number of the section, or the empty string where sections have none."""
        first = self.section.split(" ")[0]
        return first if first[:1].isdigit() else ""

    def inside(self, part: str) -> bool:
        """Return whether it belongs to "DOC section": the section itself or one below it."""
        document, _, section = part.partition(" ")
        below = self.number == section or self.number.startswith(section + ".") or self.section == section
        return document == self.document and (not section or below)


@dataclass(frozen=True)
class Item:
    """A numbered entry that is not an equation: a row of the inventory, an erratum, a claim.

    properties    how many properties an inventory row has, P1 to Pn
    area          the inventory's area, or the document of an erratum
    text          what stands under the heading
    """

    id: str
    title: str
    area: str
    text: str = ""
    properties: int = 0


@dataclass(frozen=True)
class Specification:
    """The folder of the specification, read when asked.

    root      the folder that holds the package
    folder    that of the specification, from the root: spec in a checkout, INSTALLED in an installed package
    """

    root: Path
    folder: str = "spec"

    @property
    def spec(self) -> Path:
        """The folder of the specification."""
        return self.root / self.folder

    @cached_property
    def equations(self) -> dict[str, Equation]:
        """The equations by id, in the order of the files.  Raises NoAnswer for an id that stands twice."""
        found: dict[str, Equation] = {}
        for path in sorted((self.spec / "equations").glob("*.md"), key=_chapter):
            for equation in _equations(path, path.relative_to(self.root).as_posix()):
                if equation.id in found:
                    raise NoAnswer("specification", need="each id once", got=equation.id, path=equation.path)
                found[equation.id] = equation
        return found

    @cached_property
    def excuses(self) -> dict[str, str]:
        """The equations that no code computes, each with its reason."""
        return {str(k): str(v) for k, v in settings(self.spec / "exceptions.toml").items()}

    @cached_property
    def recorded(self) -> dict[str, str]:
        """The statuses by id that the committed record, trace.md, has; empty where there is no record."""
        path = self.spec / "trace.md"
        return dict(STATUS.findall(path.read_text(encoding="utf-8"))) if path.exists() else {}

    @cached_property
    def finished(self) -> tuple[str, ...]:
        """The sections whose equations must all be traced or excused."""
        return tuple(settings(self.spec / "documents.toml").get("finished", ()))

    @cached_property
    def errata(self) -> dict[str, Item]:
        """The errata by id."""
        path = self.spec / "errata.md"
        found = _headed(path) if path.exists() else []
        return {name: Item(name, title, name.split("-")[1], text) for name, title, _, text, _ in found}

    @cached_property
    def claims(self) -> dict[str, Item]:
        """The claims by id."""
        found = {}
        for path in sorted((self.spec / "claims").glob("RC-*.md"), key=lambda path: int(path.stem[3:])):
            head, _, text = path.read_text(encoding="utf-8").partition("\n")
            name, _, title = head.lstrip("# ").partition(" · ")
            found[name] = Item(name, title, "claims", text.strip())
        return found

    @cached_property
    def inventory(self) -> dict[str, Item]:
        """The rows of the inventory by id."""
        path = self.spec / "inventory.md"
        found, area = {}, ""
        for line in path.read_text(encoding="utf-8").splitlines() if path.exists() else ():
            section, row = SECTION.match(line), ROW.match(line)
            if section:
                area = section[1]
            elif row:
                found[row[1]] = Item(row[1], row[2], area, properties=int(row[3]))
        return found


def specification(root: Optional[Path] = None) -> Specification:
    """Return the specification of the package, installed, in a zip file or in a checkout, or of another checkout.

    Raises    NoAnswer where there is none
    """
    places = ["spec"] if root is not None else [INSTALLED, "spec"]
    root = around() if root is None else root
    for place in places:
        if (root / place / "equations").is_dir():
            return Specification(root, place)
    need = "a checkout or an installed package, with the folder of the equations"
    raise NoAnswer("specification", need=need, got=f"none in {root}")


def around() -> Path:
    """Return the folder that holds the package; of a zip file, a temporary folder with what it holds."""
    root = Path(__file__).resolve().parents[3]
    return Path(_unpacked(root).name) if root.is_file() else root


@lru_cache(maxsize=1)
def _unpacked(archive: Path) -> TemporaryDirectory[str]:
    folder = TemporaryDirectory(prefix="refclass-")  # removed when the program ends
    with zipfile.ZipFile(archive) as packed:
        packed.extractall(folder.name)
    return folder


def settings(path: Path) -> dict[str, Any]:
    """Return the entries above the first table of a settings file: texts, and lists of texts.

    Raises    NoAnswer for anything else above the first table
    """
    whole = path.read_text(encoding="utf-8") if path.exists() else ""
    top = re.split(r"^\[", whole, maxsplit=1, flags=re.M)[0]
    rest = re.sub(r"^#.*$", "", ENTRY.sub("", top), flags=re.M).strip()
    if rest:
        raise NoAnswer("specification", need='name = "text" or a list of texts', got=rest, path=path.name)
    return {name: ast.literal_eval(value) for name, value in ENTRY.findall(top)}


def _chapter(path: Path) -> tuple[str, int]:
    """Return a file's document and chapter, for sorting: chapter 4 before chapter 12."""
    document, _, chapter = path.stem.partition("-")
    return document, int(chapter) if chapter.isdigit() else 0


def _headed(path: Path) -> Iterator[tuple[str, str, str, str, int]]:
    """Yield (id, title, section, text below, line) for each ### heading of a file."""
    section, name, title, start = "", "", "", 0
    body: list[str] = []
    for number, line in enumerate([*path.read_text(encoding="utf-8").splitlines(), "## "], 1):
        heading, part = HEADING.match(line), SECTION.match(line)
        if (heading or line.startswith("## ")) and name:
            yield name, title, section, "\n".join(body).strip(), start
            name = ""
        if heading:
            name, title, start, body = heading[1], heading[2], number, []
        elif part:
            section = part[1]
        else:
            body.append(line)


def _equations(path: Path, shown: str) -> Iterator[Equation]:
    for name, title, section, text, line in _headed(path):
        first, _, formula = text.partition("\n")
        notes = first.split(" · ")
        uses = next((note[6:].split(", ") for note in notes if note.startswith("uses: ")), [])
        yield Equation(
            name, title, notes[0], tuple(uses), formula.strip("\n"), name.split("-")[0], section, shown, line
        )
