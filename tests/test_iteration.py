"""Iterations that end in an answer."""

import pytest

from refclass.iteration import ending, mapped


def counted(n):
    """Yield 1 … n, and return their sum."""
    yield from range(1, n + 1)
    return n * (n + 1) // 2


def test_the_answer_is_what_the_iteration_returns():
    """All steps are taken, none or many."""
    assert [ending(counted(n)) for n in (0, 1, 5)] == [0, 1, 15]


def test_telling_changes_the_words_and_not_the_answer():
    """Every step is reported in other words, the answer is the same."""
    seen = []

    def heard():
        answer = yield from mapped(counted(3), str)
        seen.append(answer)

    assert list(heard()) == ["1", "2", "3"] and seen == [6]


def test_what_an_iteration_raises_comes_through():
    """An exception on the way is the caller's."""

    def broken():
        yield 1
        raise ArithmeticError("here")

    for finish in (ending, lambda steps: list(mapped(steps, str))):
        with pytest.raises(ArithmeticError, match="here"):
            finish(broken())
