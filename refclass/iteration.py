"""An iteration that ends in an answer: a generator that yields where it stands, and returns what it came to."""

from __future__ import annotations

from collections.abc import Generator
from typing import Any, Callable, TypeVar

Answer = TypeVar("Answer")
Word = TypeVar("Word")


def ending(walk: Generator[Any, None, Answer]) -> Answer:
    """Return the answer at the end of the iteration, its steps unseen.

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


def told(walk: Generator[Any, None, Answer], tell: Callable[[Any], Word]) -> Generator[Word, None, Answer]:
    """Return the iteration with something else told of each step: the same answer.

    Example
        >>> def counted():
        ...     yield 1
        ...     yield 2
        ...     return "done"
        >>> list(told(counted(), lambda step: 10 * step))
        [10, 20]
    """
    while True:
        try:
            step = next(walk)
        except StopIteration as stop:
            answer: Answer = stop.value
            return answer
        yield tell(step)
