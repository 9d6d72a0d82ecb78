"""What a printed table is here: the jobs that compute it anew, and its lines, the printed number beside ours."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Callable, Optional

from refclass.errors import InvalidInput
from refclass.oracle import table as csv_table

Results = Mapping[str, Any]  # of each job, by its key: what JSON can hold


@dataclass(frozen=True)
class Size:
    """How much is computed.

    quick     whether few repetitions are enough
    folder    the folder with the data sets that are not embedded, or None
    """

    quick: bool = False
    folder: Optional[str] = None

    def of(self, few: int, many: int) -> int:
        """Return how many repetitions are made."""
        return few if self.quick else many

    def read(self, name: str) -> csv_table.Table:
        """Return a table of the folder.  Raises InvalidInput if there is none."""
        if self.folder is None:
            raise InvalidInput("reproduce", need=f"the folder with {name} (--data DIR)", got="none")
        return csv_table.read(str(Path(self.folder) / name))

    def has(self, names: Iterable[str]) -> bool:
        """Return whether the folder holds all files of these names."""
        return all(self.folder is not None and (Path(self.folder) / name).is_file() for name in names)


@dataclass(frozen=True)
class Job:
    """A part of a table that can be computed alone, in any process.

    key          names it among all jobs; the same key stands for the same result
    work         a function of a module
    arguments    what it is given
    """

    key: str
    work: Callable[..., Any]
    arguments: tuple[Any, ...] = ()

    def __call__(self) -> Any:
        """Return the result, which JSON can hold."""
        return self.work(*self.arguments)


@dataclass(frozen=True)
class Line:
    """A number of the table.

    place             the row and the column that it stands in
    printed           the number in print, None where none is
    ours              the number computed here, None where it is not computed
    printed_error     its standard error in print
    error             the standard error of ours; 0 where nothing is random
    digits            the decimals shown
    note              what a reader must know of this number
    """

    place: tuple[str, str]
    printed: Optional[float]
    ours: Optional[float]
    printed_error: Optional[float] = None
    error: float = 0.0
    digits: int = 3
    note: str = ""

    @property
    def difference(self) -> Optional[float]:
        """Ours less the printed number."""
        return None if self.ours is None or self.printed is None else self.ours - self.printed

    @property
    def in_errors(self) -> Optional[float]:
        """The difference in standard errors; None where neither number has one."""
        total = math.hypot(self.error, self.printed_error or 0)
        known = self.difference is not None and total > 1e-12 * (abs(self.ours or 0) + abs(self.printed or 0))
        return self.difference / total if known and self.difference is not None else None

    def cells(self) -> tuple[str, ...]:
        """Return the line as text: row, column, printed, ours, difference, in standard errors, note."""

        def shown(value: Optional[float], error: Optional[float] = None) -> str:
            more = f" ({error:.{self.digits}f})" if error else ""
            return "–" if value is None else f"{value:.{self.digits}f}{more}"

        ratio = "–" if self.in_errors is None else f"{self.in_errors:+.1f}"
        none = self.difference is not None and abs(self.difference) < 0.5 / 10**self.digits
        difference = "–" if self.difference is None else "0" if none else f"{self.difference:+.{self.digits}f}"
        printed, ours = shown(self.printed, self.printed_error), shown(self.ours, self.error)
        return (*self.place, printed, ours, difference, ratio, self.note)


HEADER = ("row", "column", "printed", "ours", "difference", "in s.e.", "note")


@dataclass(frozen=True)
class Table:
    """A printed table by name.

    title        what it is called
    citations    the rows of the inventory and the errata that it touches
    given        its settings: data, sizes, seeds
    jobs         the jobs of a size
    lines        the lines, from the results that there are; a part that is missing is left out
    needs        the files of the data folder that it reads
    area         the page that it stands on
    remarks      what a reader must know of the whole
    """

    name: str
    title: str
    citations: tuple[str, ...]
    given: str
    jobs: Callable[[Size], Sequence[Job]]
    lines: Callable[[Results], Sequence[Line]]
    area: str
    needs: tuple[str, ...] = ()
    remarks: tuple[str, ...] = field(default=())


def mean(values: Sequence[float]) -> tuple[float, float]:
    """Return the mean and its standard error, s/√n with divisor n − 1 in s²  [SIM-50.P1].

    Raises    InvalidInput for fewer than two values

    Example
        >>> mean([1.0, 3.0])
        (2.0, 1.0)
    """
    if len(values) < 2:
        raise InvalidInput("table", need="two values or more for a standard error", got=len(values))
    centre = math.fsum(values) / len(values)
    squares = math.fsum((v - centre) ** 2 for v in values)
    return centre, math.sqrt(squares / (len(values) - 1) / len(values))


def errors(answers: Sequence[Any], truth: Sequence[Any]) -> int:
    """Return how many answers differ from the truth."""
    return sum(a != b for a, b in zip(answers, truth))


def under(results: Results, start: str) -> list[Any]:
    """Return the results whose key begins so, in the order of the keys' numbers."""
    found = [(key[len(start) :], value) for key, value in results.items() if key.startswith(start)]
    return [value for _, value in sorted(found, key=lambda entry: (len(entry[0]), entry[0]))]
