"""Tables of text: from a file, from standard input's text, or from the embedded data sets."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from importlib import resources
from typing import Any, Callable, Optional

from refclass.errors import InvalidInput, quoted
from refclass.number import text
from refclass.oracle.readers.delimited_text import DELIMITERS, Form, content, records

HINTS = (  # cells that an option makes readable
    (re.compile(r"[+-]?\d+,\d+([eE][+-]?\d+)?"), " (--decimal , for decimal commas)"),
    (re.compile(r"|NA|N/A|n/a|[nN]a[nN]|NULL|null|\?|-"), " (--na leaves out rows with cells that stand for no value)"),
    (re.compile(r"[^\W\d]\D*"), " (--columns chooses the inputs, --indicators makes numbers of words)"),
)
INDEX = "(index)"  # what a first column without a name is called: R's write.csv and pandas' to_csv write row names so

# The embedded data sets: file, inputs, target, and whether a second file holds the test rows.
EMBEDDED = {
    "iris": ("iris.csv", ("sepal_length", "sepal_width", "petal_length", "petal_width"), "species"),
    "mixture": ("mixture.csv", ("x1", "x2"), "y"),
    "synth_tr": ("synth_tr.csv", ("xs", "ys"), "yc"),
    "synth_te": ("synth_te.csv", ("xs", "ys"), "yc"),
}


COMMON = Form()  # commas, UTF-8, a header


@dataclass(frozen=True)
class Table:
    """A table of text.

    source    where it came from, for messages
    names     the header
    rows      the cells, one tuple a line, without the blanks around them; quoted cells as they are
    lines     the line of the source that each row ends on
    form      how it was written
    notes     what the reader should know of how it was read
    """

    source: str
    names: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    lines: tuple[int, ...]
    form: Form = field(default=COMMON, repr=False)
    notes: tuple[str, ...] = ()

    def place(self, name: str) -> int:
        """Return the number of the column.  Raises InvalidInput, naming the columns there are."""
        if name not in self.names:
            raise InvalidInput(self.source, need=f"a column among {', '.join(self.names)}", got=quoted(name))
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
                    value = text.parse(self._plain(row[j]))
                    numbers.append(lift(value) if lift else value)
                except InvalidInput as refusal:
                    where = {"line": line, "column": name}
                    need = refusal.need + next((hint for form, hint in HINTS if form.fullmatch(row[j])), "")
                    raise InvalidInput(self.source, need=need, got=quoted(row[j]), **where) from None
            out.append(numbers)
        return out

    def _plain(self, cell: str) -> str:
        cell = cell.replace("\N{MINUS SIGN}", "-")
        return cell.replace(",", ".") if self.form.decimal == "," and cell.count(",") == 1 else cell

    def inputs(self, target: str) -> tuple[str, ...]:
        """Return the columns other than the target and an index without a name.  Raises InvalidInput."""
        self.place(target)
        return tuple(name for name in self.names if name not in (target, INDEX))

    def complete(self, names: Sequence[str]) -> Table:
        """Return the table without the rows that have no value in one of the columns; the notes name them."""
        places = [self.place(name) for name in names]
        kept = [i for i, row in enumerate(self.rows) if not any(row[j] in self.form.missing for j in places)]
        gone = len(self.rows) - len(kept)
        if not gone:
            return self
        if not kept:
            raise InvalidInput(self.source, need="a row with a value in every column that is used", got="none")
        note = f"{gone} {'row' if gone == 1 else 'rows'} of {self.source} with a missing value left out"
        rows, lines = tuple(self.rows[i] for i in kept), tuple(self.lines[i] for i in kept)
        return replace(self, rows=rows, lines=lines, notes=(*self.notes, note))

    def with_indicators(self, levels: Mapping[str, Sequence[str]]) -> Table:
        """Return the table with an indicator, 0 or 1, for each of a column's levels but the first, in its place.

        levels    the levels of each column, in order; the indicator of a level is called COLUMN=LEVEL

        Raises    InvalidInput for a cell that is no level of its column, naming its line
        """
        found = self
        for name, known in levels.items():
            j = found.place(name)
            for row, line in zip(found.rows, found.lines):
                if row[j] not in known:
                    need = f"a level of {name} among {', '.join(known)}"
                    raise InvalidInput(self.source, need=need, got=quoted(row[j]), line=line)
            names = (*found.names[:j], *(f"{name}={level}" for level in known[1:]), *found.names[j + 1 :])
            rows = tuple(
                (*row[:j], *(str(int(row[j] == level)) for level in known[1:]), *row[j + 1 :]) for row in found.rows
            )
            found = replace(found, names=names, rows=rows)
        return found

    def levels(self, name: str) -> tuple[str, ...]:
        """Return the different cells of a column, in order.  Raises InvalidInput for an empty cell."""
        return tuple(sorted(set(self.column(name))))


def parse(content: str, source: str, form: Form = COMMON) -> Table:
    """Return the table that the text holds.

    A first column without a name, or one cell more in each row than in the header, is an index: it is called so, and
    is no input unless it is asked for.

    Raises    InvalidInput for an empty text, a header with a repeated or empty name, or a row of another length
    """
    if "\0" in content:
        need = "text without NUL characters, or its encoding (--encoding utf-16)"
        raise InvalidInput(source, need=need, got="one", line=content.count("\n", 0, content.index("\0")) + 1)
    found = list(records(content, source, form))
    if not found:
        raise InvalidInput(source, need="a header line and rows of cells", got="nothing")
    names, notes = tuple(str(j + 1) for j in range(len(found[0][0]))), []
    if form.header:
        names, found = _header(found[0][0], found[1:], form), found[1:]
        _named(names, source)
    other = next((sign for sign in ";\t|," if sign in names[0]), None)
    if len(names) == 1 and other is not None and form.header:
        need = f"cells separated by {form.delimiter!r}, or --delimiter {DELIMITERS.get(other, other)!r}"
        raise InvalidInput(source, need=need, got=names[0])
    if not found:
        raise InvalidInput(source, need="at least one row below the header", got="none")
    for cells, line in found:
        if len(cells) != len(names):
            need, got = (counted(k, "cell") for k in (len(names), len(cells)))
            lone = f", as in the header {names[0]!r}" if len(names) == 1 and form.header else ""
            raise InvalidInput(source, need=f"{need} in each row{lone}", got=got, line=line)
    if INDEX in names:
        notes.append(f"the first column of {source} has no name: an index, which is left out")
    return Table(
        source, names, tuple(cells for cells, _ in found), tuple(line for _, line in found), form, tuple(notes)
    )


def counted(n: int, noun: str) -> str:
    """Return a number of things: 1 cell, 2 cells."""
    return f"{n} {noun}" if n == 1 else f"{n} {noun}s"


def _header(names: tuple[str, ...], rows: Sequence[tuple[tuple[str, ...], int]], form: Form) -> tuple[str, ...]:
    names = tuple(re.sub(r"\s*[\r\n]+\s*", " ", name) for name in names)  # spreadsheets break long names into lines
    if names[0] == "" and "" not in names[1:]:
        return (INDEX, *names[1:])
    # Premise: R's write.table gives the header no cell for the names of rows. With commas a row that is longer than the
    # header more often ends in one comma too many.
    longer = form.delimiter in " \t" and all(len(cells) == len(names) + 1 and cells[-1] for cells, _ in rows)
    return (INDEX, *names) if longer and rows else names


def _named(names: Sequence[str], source: str) -> None:
    """Raises InvalidInput for a header with an empty or a repeated name."""
    if names[0].startswith("sep="):
        need = f"a header line first, and --delimiter in place of a spreadsheet's {names[0]!r}"
        raise InvalidInput(source, need=need, got=repr(names[0]))
    if "" in names:
        j = names.index("")
        raise InvalidInput(source, need="a name for each column in the header", got="an empty one", column=j + 1)
    twice = [name for j, name in enumerate(names) if name in names[:j]]
    if twice:
        raise InvalidInput(source, need="a header line of different names", got=f"{twice[0]!r} twice")


def read(path: str, form: Form = COMMON) -> Table:
    """Return the table in a file.  Raises InvalidInput if the file cannot be read."""
    return parse(content(path, form.encoding), path, form)


def embedded(name: str) -> Table:
    """Return an embedded data set; it is read wherever the package lies, in a zip file too.

    Raises    InvalidInput for an unknown name

    Example
        >>> embedded("iris").names[-1], len(embedded("iris").rows)
        ('species', 150)
    """
    if name not in EMBEDDED:
        raise InvalidInput("data", need=f"an embedded data set among {', '.join(EMBEDDED)}", got=quoted(name))
    return within(EMBEDDED[name][0], name)


def within(file: str, name: str) -> Table:
    """Return the table in a file of the package's data; it is called by the name in messages."""
    place = resources.files("refclass").joinpath("data").joinpath(file)
    return parse(place.read_text(encoding="utf-8"), name)
