"""Many classes by one two-class model for each: this class, or one of the others.

Given     n class numbers 0 … K−1, and any way to fit two classes: a function that takes a `Question` and returns a
          model with `scores(Z)`, one number for each point of Z, positive for the class in question
Yields    K models, and two rules over their values f_k(x): the class of the largest one, or the one that says yes
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Callable, Optional

from refclass.errors import InvalidInput
from refclass.linear.vector import Vector
from refclass.number.field import Number

Tie = Callable[[tuple[int, ...]], int]  # who gets a point that several classes tie for: min is the earliest of them


@dataclass(frozen=True)
class Question:
    """Two classes to be separated.

    yes       the class of positive values
    no        the class of negative ones; None for all others
    places    the observations that belong to either
    signs     +1 for those of `yes`, −1 for those of `no`
    """

    yes: int
    no: Optional[int]
    places: tuple[int, ...]
    signs: tuple[int, ...]


def questions(labels: Sequence[int], classes: int) -> tuple[Question, ...]:
    """Return the K questions "class k, or another?", every observation having a part in each  [MMST-11.4.1-rest].

    Exact     yes
    Raises    InvalidInput for fewer than two classes
    """
    if classes < 2:
        raise InvalidInput("one_vs_rest", need="at least two classes", got=classes)
    places = tuple(range(len(labels)))
    return tuple([Question(k, None, places, tuple([1 if g == k else -1 for g in labels])) for k in range(classes)])


def largest(values: Sequence[Number]) -> tuple[int, ...]:
    """Return the numbers of the classes of the largest value: one, or several that tie  [MMST-11.4.1-rest].

    Exact     yes

    Example
        >>> largest([-1, 3, 2]), largest([0, 2, 2])
        ((1,), (1, 2))
    """
    top = max(values)
    return tuple([k for k, v in enumerate(values) if v == top])


def positives(values: Sequence[Number]) -> tuple[int, ...]:
    """Return the numbers of the classes whose model says yes: those of positive values; zero is no  [KIM-5-rest].

    Exact     yes
    """
    return tuple([k for k, v in enumerate(values) if v > 0])


def alone(values: Sequence[Number]) -> Optional[int]:
    """Return the one class whose model says yes; None if none or several do: unclassifiable  [KIM-5-rest].

    Exact     yes
    Laws      where it is a class, it is that of the largest value

    Example
        >>> alone([-1, 3, -2]), alone([1, 3, -2]), alone([-1, -3, -2])
        (1, None, None)
    """
    found = positives(values)
    return found[0] if len(found) == 1 else None


@dataclass(frozen=True)
class Model:
    """K two-class models, in class order."""

    machines: tuple[Any, ...]

    def scores(self, Z: Any) -> list[Vector]:
        """Return (f_1(z), …, f_K(z)) for every point z."""
        return [Vector.of(row) for row in zip(*[machine.scores(Z) for machine in self.machines])]

    def predict(self, Z: Any, tie: Tie = min) -> list[int]:
        """Return the class number of the largest value at every point; `tie` chooses where there are several."""
        return [tie(largest(row)) for row in self.scores(Z)]

    def decided(self, Z: Any) -> list[Optional[int]]:
        """Return the one class that says yes at every point; None where the rule of signs leaves it unclassifiable."""
        return [alone(row) for row in self.scores(Z)]


def fit(labels: Sequence[int], classes: int, train: Callable[[Question], Any]) -> Model:
    """Return the model of K machines, each of them trained on all observations  [MMST-11.4.1-rest].

    Exact     if `train` is
    Cost      K machines of n observations
    Raises    InvalidInput for fewer than two classes; what `train` refuses
    """
    return Model(tuple(map(train, questions(labels, classes))))
