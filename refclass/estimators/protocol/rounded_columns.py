"""Columns of which reading leaves too little: refused where a method computes with the rounded numbers alone."""

from __future__ import annotations

from fractions import Fraction
from typing import Any, Optional

from refclass.errors import NotExact
from refclass.linear.matrix import Matrix
from refclass.sample.observations import rounded_column

COARSE = 10**3  # of doubles, from which decimals of what was given help: the part of its spread a column is rounded by
DIGITS = 9  # those that are promised; decimals of fewer than twice as many digits keep half of theirs


def require_columns(method: str, X: Matrix, name: str = "X") -> None:
    """Raises NotExact, naming the column, where reading rounds one by too large a part of what it varies by."""
    j = lost_column(X)
    if j is not None:
        need = f"columns of {name} that {_numbers(X.kind)} hold to 1/{_part(X.kind)} of what they vary by"
        raise NotExact(method, need=need, got="one rounded by more: subtract an offset, or use fractions", column=j)


def require_distinct(method: str, x: Matrix) -> None:
    """Raises NotExact where reading makes values of the one variable equal that were not: each is a knot."""
    held = len({row[0] for row in x})
    if held < len(x) and held < (given := len({row[0] for row in x.exactly()})):
        got = f"{given} values read as {held}: subtract an offset, or use fractions"
        raise NotExact(method, need=f"values of the variable that {_numbers(x.kind)} tell apart", got=got, column=0)


def _numbers(kind: Any) -> str:
    return "doubles" if kind is float else f"decimals of {kind.precision} digits"


def lost_column(X: Matrix, part: Optional[int] = None) -> Optional[int]:
    """Return the first column rounded by too large a part of what it varies by, 1/part; None without one.

    Doubles as programs write them, with as few digits as tell them apart, stand for themselves and lose nothing.
    """
    if X.kind is Fraction or (j := rounded_column(X, _part(X.kind) if part is None else part)) is None:
        return None
    written = X.kind is float and all(map(_is_written, X))
    return None if written else j


def _part(kind: Any) -> int:
    return COARSE if kind is float else int(10 ** min(DIGITS, kind.precision // 2))


def _is_written(row: Any) -> bool:
    """Return whether a row of doubles was given as them, or as their shortest texts."""
    return all(given == held or given == Fraction(repr(held)) for held, given in zip(row, row.exactly()))
