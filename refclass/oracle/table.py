"""Tables of text with a header line (CSV), from a file, from standard input's text, or from the embedded data sets."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from dataclasses import dataclass
from importlib import resources
from typing import Any, Callable, Optional

from refclass.errors import InvalidInput
from refclass.number import text

# The embedded data sets: file, inputs, target, and whether a second file holds the test rows.
EMBEDDED = {
    "iris": ("iris.csv", ("sepal_length", "sepal_width", "petal_length", "petal_width"), "species"),
    "mixture": ("mixture.csv", ("x1", "x2"), "y"),
    "synth_tr": ("synth_tr.csv", ("xs", "ys"), "yc"),
    "synth_te": ("synth_te.csv", ("xs", "ys"), "yc"),
}


@dataclass(frozen=True)
class Table:
    """A table of text.

    source    where it came from, for messages
    names     the header
    rows      the cells, one tuple a line, without the blanks around them
    lines     the line of the source that each row ends on
    """

    source: str
    names: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    lines: tuple[int, ...]

    def place(self, name: str) -> int:
        """Return the number of the column.  Raises InvalidInput, naming the columns there are."""
        if name not in self.names:
            raise InvalidInput(self.source, need=f"a column among {', '.join(self.names)}", got=repr(name))
        return self.names.index(name)

    def column(self, name: str) -> list[str]:
        """Return the cells of a column.  Raises InvalidInput for an empty one, naming its line."""
        j = self.place(name)
        for row, line in zip(self.rows, self.lines):
            if not row[j].strip():
                raise InvalidInput(self.source, need="a value", got="an empty cell", line=line, column=name)
        return [row[j] for row in self.rows]

    def numbers(self, names: Sequence[str], lift: Optional[Callable[[Any], Any]] = None) -> list[list[Any]]:
        """Return the columns as rows of numbers, each cell read exactly and then lifted.

        Raises    InvalidInput for a cell that is no number, naming its line and column
        """
        places = [(self.place(name), name) for name in names]
        out = []
        for row, line in zip(self.rows, self.lines):
            numbers = []
            for j, name in places:
                try:
                    value = text.parse(row[j])
                    numbers.append(lift(value) if lift else value)
                except InvalidInput as refusal:
                    where = {"line": line, "column": name}
                    raise InvalidInput(self.source, need=refusal.need, got=repr(row[j]), **where) from None
            out.append(numbers)
        return out


def parse(content: str, source: str) -> Table:
    """Return the table that the text holds.

    Raises    InvalidInput for an empty text, a header with a repeated or empty name, or a row of another length
    """
    names: tuple[str, ...] = ()
    rows, lines = [], []
    reader = csv.reader(io.StringIO(content))
    try:
        for cells in reader:
            if not any(cell.strip() for cell in cells):
                continue
            if not names:
                names = tuple(cell.strip() for cell in cells)
                _named(names, source)
                continue
            if len(cells) != len(names):
                got = f"{len(cells)} cells"
                raise InvalidInput(source, need=f"{len(names)} cells in each row", got=got, line=reader.line_num)
            rows.append(tuple([cell.strip() for cell in cells]))
            lines.append(reader.line_num)
    except csv.Error as error:
        raise InvalidInput(source, need="comma-separated values", got=str(error), line=reader.line_num) from None
    if not names:
        raise InvalidInput(source, need="a header line and rows of cells", got="nothing")
    if not rows:
        raise InvalidInput(source, need="at least one row below the header", got="none")
    return Table(source, names, tuple(rows), tuple(lines))


def _named(names: Sequence[str], source: str) -> None:
    """Raises InvalidInput for a header with an empty or a repeated name."""
    if "" in names:
        j = names.index("")
        raise InvalidInput(source, need="a name for each column in the header", got="an empty one", column=j + 1)
    twice = [name for j, name in enumerate(names) if name in names[:j]]
    if twice:
        raise InvalidInput(source, need="a header line of different names", got=f"{twice[0]!r} twice")


def read(path: str) -> Table:
    """Return the table in a file.  Raises InvalidInput if the file cannot be read."""
    return parse(content(path), path)


def content(path: str) -> str:
    """Return the text of a file.  Raises InvalidInput, with the system's reason, if it cannot be read."""
    try:
        with open(path, encoding="utf-8-sig", newline="") as stream:
            return stream.read()
    except (OSError, UnicodeDecodeError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise InvalidInput("file", need="a file of text that can be read", got=reason, file=path) from None


def embedded(name: str) -> Table:
    """Return an embedded data set; it is read wherever the package lies, in a zip file too.

    Raises    InvalidInput for an unknown name

    Example
        >>> embedded("iris").names[-1], len(embedded("iris").rows)
        ('species', 150)
    """
    if name not in EMBEDDED:
        raise InvalidInput("data", need=f"an embedded data set among {', '.join(EMBEDDED)}", got=repr(name))
    return within(EMBEDDED[name][0], name)


def within(file: str, name: str) -> Table:
    """Return the table in a file of the package's data; it is called by the name in messages."""
    place = resources.files("refclass").joinpath("data").joinpath(file)
    return parse(place.read_text(encoding="utf-8"), name)
