"""What was said against what is true: confusion counts, error rates, accuracy by class.

Counts are kept in a table, rows what was said, columns what is true, in class order.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Optional

from refclass.errors import InvalidInput, quoted

Label = Optional[Hashable]


@dataclass(frozen=True)
class Confusion:
    """Counts of decisions.

    classes      the K labels, in order
    counts       K × K: counts[i][j] observations of classes[j] were said to be of classes[i]
    undecided    K counts of observations that no class was said of (the unclassifiable ones)
    """

    classes: tuple[Hashable, ...]
    counts: tuple[tuple[int, ...], ...]
    undecided: tuple[int, ...]

    @property
    def totals(self) -> tuple[int, ...]:
        """How many observations each class has."""
        return tuple(sum(column) + u for column, u in zip(zip(*self.counts), self.undecided))

    @property
    def total(self) -> int:
        """How many observations there are."""
        return sum(self.totals)

    @property
    def correct(self) -> tuple[int, ...]:
        """How many observations of each class were said to be of it."""
        return tuple(row[k] for k, row in enumerate(self.counts))

    @property
    def errors(self) -> int:
        """How many observations were said to be of another class than theirs, or of none."""
        return self.total - sum(self.correct)

    @property
    def error_rate(self) -> Fraction:
        """The share of errors  [YANG-training-error] [YANG-test-error] [MMST-11.3.7-error].

        (1/n) Σ [yᵢ ≠ ŷᵢ]
        """
        return Fraction(self.errors, self.total)

    @property
    def accuracies(self) -> tuple[Optional[Fraction], ...]:
        """The share of each class that was said to be of it  [KIM-4.1-accuracy]; None for a class that is empty."""
        return tuple(Fraction(c, n) if n else None for c, n in zip(self.correct, self.totals))

    @property
    def accuracy(self) -> Fraction:
        """The share that was said right  [KIM-4.1-accuracy]: the mean of the accuracies, weighted by class sizes."""
        return Fraction(sum(self.correct), self.total)


def confusion(truth: Sequence[Label], said: Sequence[Label], classes: Optional[Sequence[Hashable]] = None) -> Confusion:
    """Return the confusion counts; None among what was said stands for "no class".

    Raises    InvalidInput if lengths differ, if there are no observations, or for a label outside `classes`

    Example
        >>> found = confusion(["a", "a", "b", "b"], ["a", "b", "b", None])
        >>> found.counts, found.undecided, found.error_rate
        (((1, 0), (1, 1)), (0, 1), Fraction(1, 2))
    """
    if len(truth) != len(said) or not truth:
        need = f"as many labels said as true, at least one (true: {len(truth)})"
        raise InvalidInput("confusion", need=need, got=len(said))
    names = _ordered([*truth, *said]) if classes is None else list(classes)
    place = {name: k for k, name in enumerate(names)}
    counts = [[0] * len(names) for _ in names]
    undecided = [0] * len(names)
    for row, (t, s) in enumerate(zip(truth, said)):
        if t not in place or (s is not None and s not in place):
            raise InvalidInput("confusion", need=f"labels among {names}", got=quoted(s if t in place else t), row=row)
        if s is None:
            undecided[place[t]] += 1
        else:
            counts[place[s]][place[t]] += 1
    return Confusion(tuple(names), tuple(map(tuple, counts)), tuple(undecided))


def _ordered(labels: Sequence[Label]) -> list[Hashable]:
    distinct: list[Hashable] = [label for label in dict.fromkeys(labels) if label is not None]
    try:
        return sorted(distinct)  # type: ignore[type-var]
    except TypeError:
        return distinct


def error_rate(truth: Sequence[Label], said: Sequence[Label]) -> Fraction:
    """Return the share of labels said that are not the true ones  [YANG-training-error] [YANG-test-error]."""
    return confusion(truth, said).error_rate
