"""A walk that ends in an answer: a generator that yields where it stands, and returns what it came to."""

from __future__ import annotations

from collections.abc import Generator
from typing import Any, TypeVar

Answer = TypeVar("Answer")


def ending(walk: Generator[Any, None, Answer]) -> Answer:
    """Return the answer at the end of the walk, its steps unseen.

    Example
        >>> def counted():
        ...     yield 1
        ...     yield 2
        ...     return "done"
        >>> ending(counted())
        'done'
    """
    while True:
        try:
            next(walk)
        except StopIteration as stop:
            answer: Answer = stop.value
            return answer
