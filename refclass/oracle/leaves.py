"""The numbers and words within nested lists, in order."""

from __future__ import annotations

import numbers
from collections.abc import Iterator, Mapping
from typing import Any


def leaves(value: Any) -> Iterator[Any]:
    """Yield the numbers and words of nested lists, in order.

    Example
        >>> list(leaves([[1, 2], ["a"]]))
        [1, 2, 'a']
    """
    if isinstance(value, Mapping):
        value = list(value.values())
    if isinstance(value, str) or not hasattr(value, "__iter__"):
        yield value
        return
    for part in value:
        yield from leaves(part)


def places(value: Any, place: tuple[int, ...] = ()) -> Iterator[str]:
    """Yield where each leaf stands, as text: "[0][2]".

    Example
        >>> list(places([[1, 2], [3]]))
        ['[0][0]', '[0][1]', '[1][0]']
    """
    if isinstance(value, Mapping):
        value = list(value.values())
    if isinstance(value, str) or not hasattr(value, "__iter__"):
        yield "".join(f"[{i}]" for i in place)
        return
    for i, part in enumerate(value):
        yield from places(part, (*place, i))


def shape(value: Any) -> Any:
    """Return the shape of nested lists: the leaves replaced by None."""
    if isinstance(value, Mapping):
        value = list(value.values())
    if isinstance(value, str) or not hasattr(value, "__iter__"):
        return None
    return [shape(part) for part in value]


def finite(value: Any) -> bool:
    """Return whether a value is a finite number; truth values, words and infinities are none."""
    number: Any = value if isinstance(value, numbers.Number) and not isinstance(value, bool) else None
    return number is not None and bool(number - number == 0)
