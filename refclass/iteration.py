"""An iteration that ends in an answer: a generator that yields its states and returns its result."""

from __future__ import annotations

from collections.abc import Generator
from typing import Any, Callable, TypeVar

Answer = TypeVar("Answer")
Word = TypeVar("Word")


def ending(steps: Generator[Any, None, Answer]) -> Answer:
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
            next(steps)
        except StopIteration as stop:
            answer: Answer = stop.value
            return answer


def mapped(steps: Generator[Any, None, Answer], of: Callable[[Any], Word]) -> Generator[Word, None, Answer]:
    """Return the iteration with a function of each step in its place: the same answer.

    Example
        >>> def counted():
        ...     yield 1
        ...     yield 2
        ...     return "done"
        >>> list(mapped(counted(), lambda step: 10 * step))
        [10, 20]
    """
    while True:
        try:
            step = next(steps)
        except StopIteration as stop:
            answer: Answer = stop.value
            return answer
        yield of(step)
