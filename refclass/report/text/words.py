"""Numbers, tables and proofs in words."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from refclass.number import text


def number(value: Any, digits: int = 6) -> str:
    """Return a number for people: exact if it is short, else rounded.

    Example
        >>> from fractions import Fraction
        >>> number(Fraction(1, 3)), number(0.1234567891), number(Fraction(1, 10**12 + 39))
        ('1/3', '0.123457', '1e-12')
    """
    if value is None:
        return "none"
    exact = text.show(value)
    if not isinstance(value, float) and len(exact) <= 12:
        return exact
    return f"{text.approximate(value):.{digits}g}"


def table(rows: Iterable[Sequence[str]], indent: str = "  ") -> list[str]:
    """Return the rows as lines of aligned columns: the first column to the left, the others to the right if numbers."""
    cells = [list(map(str, row)) for row in rows]
    widths = [max(map(len, column)) for column in zip(*cells)]
    return [
        indent
        + "  ".join(
            c.rjust(w) if j and _numeric(c) else c.ljust(w) for j, (c, w) in enumerate(zip(row, widths))
        ).rstrip()
        for row in cells
    ]


def _numeric(cell: str) -> bool:
    return cell[:1].isdigit() or cell[:2] in ("-" + d for d in "0123456789") or not cell


def counted(n: int, noun: str, many: str = "") -> str:
    """Return a number of things.

    Example
        >>> counted(1, "row"), counted(2, "row"), counted(2, "leaf", "leaves")
        ('1 row', '2 rows', '2 leaves')
    """
    return f"{n} {noun}" if n == 1 else f"{n} {many or noun + 's'}"


def share(errors: int, n: int) -> str:
    """Return a count of errors with its share.

    Example
        >>> share(3, 150)
        '3 of 150 (2.0 %)'
    """
    return f"{errors} of {n} ({100 * errors / n:.1f} %)"
