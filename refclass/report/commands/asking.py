"""What the command line takes with a table: how it is written, which columns stand for what, in which units."""

from __future__ import annotations

import argparse
import io
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Optional

from refclass.errors import InvalidInput, quoted
from refclass.estimators.protocol.estimator import Estimator
from refclass.estimators.standardizer import Standardized
from refclass.oracle import table
from refclass.oracle.readers import delimited_text
from refclass.oracle.readers.delimited_text import Form
from refclass.oracle.table import Table


@dataclass(frozen=True)
class Preparation:
    """What is done with the columns of a table before a method is fitted.

    indicators     the levels of columns of words, each of which becomes indicators
    standardize    whether the inputs are standardised, by the rows that are fitted
    """

    indicators: Mapping[str, Sequence[str]] = field(default_factory=dict)
    standardize: bool = False

    def of(self, data: Table) -> Table:
        """Return the table with indicators in the place of words."""
        return data.with_indicators(self.indicators)

    def widened(self, names: Sequence[str]) -> tuple[str, ...]:
        """Return the columns of inputs with the names of indicators in the place of their column's."""
        return tuple(new for name in names for new in self._indicators(name))

    def narrowed(self, names: Sequence[str]) -> tuple[str, ...]:
        """Return the columns of the table that inputs are made of."""
        made = {new: name for name in self.indicators for new in self._indicators(name)}
        return tuple(dict.fromkeys(made.get(name, name) for name in names))

    def _indicators(self, name: str) -> list[str]:
        levels = self.indicators.get(name)
        return [name] if levels is None else [f"{name}={level}" for level in levels[1:]]

    def around(self, estimator: Estimator) -> Any:
        """Return the estimator as it is to be fitted."""
        return Standardized(estimator=estimator) if self.standardize else estimator


AS_IT_STANDS = Preparation()


def ask_for_a_form(c: argparse.ArgumentParser) -> None:
    """Add the options that say how a table is written."""
    c.add_argument(
        "--delimiter", default=",", metavar="SIGN", help="what stands between cells: a sign, tab or space (,)"
    )
    c.add_argument("--decimal", default=".", metavar="SIGN", help="the decimal point, . or , (.)")
    c.add_argument("--encoding", default=table.COMMON.encoding, metavar="NAME", help="of the table (utf-8)")
    c.add_argument("--no-header", action="store_true", help="no line of names: the columns are called 1, 2, …")
    c.add_argument(
        "--na",
        nargs="+",
        action="extend",
        default=[],
        metavar="TEXT",
        help="cells without a value; their rows are left out",
    )


def ask_for_a_preparation(c: argparse.ArgumentParser) -> None:
    """Add the options that say what becomes of columns."""
    c.add_argument("--indicators", metavar="A,B,…", help="columns of words, each to become indicators of its levels")
    c.add_argument("--standardize", action="store_true", help="fit to inputs of mean 0 and standard deviation 1")


def form(options: Any) -> Form:
    """Return how a table is written.  Raises InvalidInput."""
    try:
        "".encode(options.encoding)
    except (LookupError, ValueError):  # no encoding of this name, or one that encodes nothing
        raise InvalidInput("table", need="an encoding of Python's", got=quoted(options.encoding)) from None
    return Form(options.delimiter, options.encoding, not options.no_header, tuple(options.na), options.decimal)


def read(name: str, options: Any) -> Table:
    """Return a table: an embedded data set, standard input (-), or a file.  Raises InvalidInput."""
    asked = form(options)
    if name in table.EMBEDDED:
        if asked != table.COMMON:
            need = "a table of your own, or no options that say how it is written"
            raise InvalidInput("data", need=need, got=f"the embedded {name}")
        return table.embedded(name)
    if name != "-":
        return table.read(name, asked)
    stream = standard_input()
    binary = getattr(stream, "buffer", None)
    if binary is None:
        return table.parse(stream.read(), "standard input", asked)
    try:
        return table.parse(io.TextIOWrapper(binary, asked.encoding, newline="").read(), "standard input", asked)
    except UnicodeError as error:
        need = delimited_text.text_in(asked.encoding)
        raise InvalidInput("standard input", need=need, got=str(error)) from None


def standard_input() -> Any:
    """Return the stream of standard input.  Raises InvalidInput if it is closed."""
    if sys.stdin is None:
        raise InvalidInput("standard input", need="text", got="a stream that is closed")
    return sys.stdin


def columns(options: Any) -> Optional[list[str]]:
    """Return the columns of inputs that are named, None for all."""
    return None if options.columns is None else options.columns.split(",")


def preparation(options: Any, data: Table) -> Preparation:
    """Return what is to be done with the columns of a table.  Raises InvalidInput for a column it does not have."""
    words = options.indicators.split(",") if options.indicators else []
    known = data.complete([name for name in words if data.place(name) >= 0])
    return Preparation({name: known.levels(name) for name in words}, options.standardize)


def ask_for_parameters(c: argparse.ArgumentParser, about: str) -> None:
    """Add the option --set."""
    c.add_argument("--set", nargs="+", action="extend", default=[], metavar="NAME=VALUE", help=about)


def write(path: str, content: str) -> None:
    """Write a file.  Raises InvalidInput, with the system's reason, if that cannot be done."""
    try:
        with open(path, "w", encoding="utf-8") as stream:
            stream.write(content)
    except OSError as error:
        raise InvalidInput("file", need="a file that can be written", got=error.strerror, file=path) from None
