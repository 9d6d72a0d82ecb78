"""Rows of delimited text: quotes, delimiters, lines."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Optional

from refclass.errors import InvalidInput, quoted

DELIMITERS = {"\t": "tab", " ": "space"}  # those that are hard to type, by their names


@dataclass(frozen=True)
class Form:
    """How a table is written.

    delimiter    what stands between cells: one character, "tab", or "space" for blanks of any length
    encoding     of the file
    header       whether the first line names the columns; else they are called 1, 2, …
    missing      cells that stand for no value, as they are written
    decimal      the decimal point
    """

    delimiter: str = ","
    encoding: str = "utf-8-sig"
    header: bool = True
    missing: tuple[str, ...] = ()
    decimal: str = "."

    def __post_init__(self) -> None:
        """Raises InvalidInput for signs that cannot do their work."""
        for sign, name in DELIMITERS.items():
            if self.delimiter in (name, repr(sign)[1:-1]):
                object.__setattr__(self, "delimiter", sign)
        if len(self.delimiter) != 1 or self.delimiter in '"\n\r':
            raise InvalidInput("table", need="a delimiter of one character", got=quoted(self.delimiter))
        if self.decimal not in (".", ",") or self.decimal == self.delimiter:
            raise InvalidInput("table", need="decimal . or , other than the delimiter", got=quoted(self.decimal))


def records(content: str, source: str, form: Form) -> Iterator[tuple[tuple[str, ...], int]]:
    """Return the rows of cells, blank lines left out, each with the line that it ends on.

    Raises    InvalidInput for a quote that is not closed
    """
    lines = content.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    number = 0
    while number < len(lines):
        begun, record = number, lines[number]
        cells = _cells(record, form.delimiter)
        while cells is None:
            number += 1
            if number == len(lines):
                raise InvalidInput(source, need="quotes that are closed", got=f"{record[:40]!r}", line=begun + 1)
            record += "\n" + lines[number]
            cells = _cells(record, form.delimiter)
        number += 1
        if any(cell.strip() for cell in cells):
            yield tuple(cells), number


QUOTED = re.compile(r'[ \t]*"((?:[^"]|"")*)"')


def _cells(record: str, delimiter: str) -> Optional[list[str]]:
    """Return the cells of a record, None where a quote is open at its end."""
    if '"' not in record:
        return record.split() if delimiter == " " else [cell.strip() for cell in record.split(delimiter)]
    cells, place, blank = [], 0, delimiter == " "
    record = record.strip(" ") if blank else record
    while True:
        match = QUOTED.match(record, place)
        if match is None and record[place:].lstrip(" \t").startswith('"'):
            return None
        start = place if match is None else match.end()
        end = record.find(delimiter, start)
        rest = record[start:] if end < 0 else record[start:end]
        cells.append(rest.strip() if match is None else match[1].replace('""', '"') + rest.strip())
        if end < 0:
            return cells
        place = end + 1
        while blank and record[place : place + 1] == " ":
            place += 1


def lines(rows: Iterable[Sequence[Any]], delimiter: str = ",") -> list[str]:
    """Return rows of values as lines of a table that `parse` reads: cells quoted where they must be."""
    return [delimiter.join(_quoted(str(value), delimiter) for value in row) for row in rows]


def _quoted(cell: str, delimiter: str) -> str:
    plain = cell == cell.strip() and not any(sign in cell for sign in (delimiter, '"', "\n", "\r"))
    return cell if plain else '"' + cell.replace('"', '""') + '"'


def text_in(encoding: str) -> str:
    """Return in words what bytes of another encoding need."""
    return f"text in the encoding {encoding.replace('-sig', '')}, or the name of another (--encoding)"


def content(path: str, encoding: str = "utf-8-sig", errors: str = "strict") -> str:
    """Return the text of a file.  Raises InvalidInput, with the system's reason, if it cannot be read."""
    try:
        with open(path, encoding=encoding, errors=errors, newline="") as stream:
            return stream.read()
    except UnicodeError as error:
        raise InvalidInput("file", need=text_in(encoding), got=str(error), file=path) from None
    except (OSError, ValueError, LookupError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise InvalidInput("file", need="a file of text that can be read", got=reason, file=path) from None
