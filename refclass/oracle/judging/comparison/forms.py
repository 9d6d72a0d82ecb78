"""The form of what is reported: brackets that differ, the shape in words, numbers in as many digits as they need."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from refclass.certificate import digits
from refclass.errors import InvalidInput, quoted
from refclass.number import text
from refclass.number.field import rational
from refclass.oracle.leaves import finite, shape


def fitting(got: Any, want: Any) -> Any:
    """Return what is reported in the form of what is right, where only brackets around one row or one number differ."""
    if not isinstance(want, (list, tuple)) or len(want) != 1:
        inner = isinstance(got, list) and len(got) == 1 and isinstance(got[0], list)
        flat = isinstance(want, (list, tuple)) and not any(isinstance(v, (list, tuple)) for v in want)
        return got[0] if inner and flat else got
    if isinstance(want[0], (list, tuple)):
        return [got] if isinstance(got, list) and not any(isinstance(v, list) for v in got) else got
    return got if isinstance(got, list) else [got]


def alike(fitted: Mapping[str, Any], own: Mapping[str, Any]) -> None:
    """Raise InvalidInput for the first attribute that has not the form of the package's own."""
    for name, want in own.items():
        same(name, fitting(fitted[name], want), want)


def same(name: str, got: Any, want: Any) -> None:
    """Raise InvalidInput unless what is reported has the form of what is right, brackets included."""
    if shape(got) != shape(want):
        words = size(got) if size(got) != size(want) else "lists of other lengths"
        raise InvalidInput("verify", need=f"{size(want)} in {name}", got=words)


def size(value: Any) -> str:
    """Return the shape of a list in words.

    Example
        >>> size([[1, 2], [3, 4]]), size([]), size(3)
        ('2 × 2 values', '0 values', 'one value')
    """
    lengths = []
    while isinstance(value, (list, tuple)):
        lengths.append(str(len(value)))
        value = value[0] if value else None
    return f"{' × '.join(lengths)} values" if lengths else "one value"


def short(value: Any) -> str:
    """Return a number in as many digits as distinguish it from others."""
    try:
        return f"{text.approximate(rational(value)):.17g}"
    except InvalidInput:
        return quoted(value)


def on_scale(name: str, got: Any, want: Any, scale: Any) -> float:
    """Return the digits of a value on a scale; what is no finite number must be equal."""
    if not finite(want):
        return math.inf if not isinstance(got, bool) and (got == want or str(got) == str(want)) else 0
    if isinstance(got, bool):
        raise InvalidInput("verify", need=f"finite numbers in {name}", got=str(got).lower())
    if got is None or got in ("inf", "-inf"):
        return 0
    try:
        return digits(rational(got) - rational(want), scale)
    except InvalidInput:
        raise InvalidInput("verify", need=f"finite numbers in {name}", got=quoted(got)) from None


def nearer(got: Any, want: Any, beside: Any) -> Any:
    """Return what a number is compared with, of two that are right the nearer one; beside may be None."""
    if beside is None or not finite(got) or abs(rational(got) - rational(want)) <= abs(rational(got) - beside):
        return want
    return beside
