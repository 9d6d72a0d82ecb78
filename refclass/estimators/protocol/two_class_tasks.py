"""The two-class problems that many classes are made of, and the estimators fitted to them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from typing import Any, Optional

from refclass.errors import InvalidInput, NotExact, Refusal
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector
from refclass.margins.reduction.one_vs_rest import Question
from refclass.sample import data


@dataclass(frozen=True)
class Table:
    """Rows of numbers, from which machines take parts."""

    points: Matrix

    def __len__(self) -> int:
        return len(self.points)

    def part(self, places: Sequence[int]) -> Table:
        """Return some of the rows."""
        return Table(Matrix.of([self.points[i] for i in places]))


@dataclass(frozen=True)
class Task:
    """One of several machines: a two-class estimator, and what it is to be fitted to.

    name       what it separates, in words
    question   the same in class numbers, and which rows have a part in it
    given      what the estimator takes in place of these rows
    labels     for each of these rows its label of two
    weights    their weights, None for ones
    yes        the label for which positive values are to stand
    """

    name: str
    question: Question
    estimator: Any
    given: Any
    labels: list[Any]
    weights: Optional[Vector]
    yes: Any


@dataclass(frozen=True)
class Side:
    """A fitted two-class estimator, for one of its classes.

    sign    1 if positive decision values mean it, −1 if negative ones do
    """

    estimator: Any
    sign: int

    def scores(self, X: Any) -> Vector:
        """Return the decision values for the rows of X, positive for the class."""
        values = data.plain(self.estimator.decision_function(X))
        if hasattr(values[0], "__len__"):  # a value for each of the two classes, or for their one pair
            values = [row[-1] - row[0] if len(row) > 1 else row[0] for row in values]
        return Vector.of(values if self.sign > 0 else [-v for v in values])

    def says(self, X: Any, strict: bool) -> list[int]:
        """Return for each row 1 for the class, −1 for the other; on the boundary 0 if strict, else as predicted."""
        try:
            signs = [(v > 0) - (v < 0) for v in self.scores(X)]
            unsure = [i for i, s in enumerate(signs) if s == 0]
        except NotExact:  # Premise: labels, and ties, are exact where scores are not.
            signs, unsure = self._predicted(X), []
            if strict:
                return [s if len(tied) == 1 else 0 for s, tied in zip(signs, self.estimator.ties(X))]
        if unsure and not strict:
            for i, s in zip(unsure, self._predicted([X[i] for i in unsure])):
                signs[i] = s
        return signs

    def _predicted(self, X: Any) -> list[int]:
        second = data.plain(self.estimator.classes_)[1]
        return [self.sign if label == second else -self.sign for label in data.plain(self.estimator.predict(X))]


def fitted(task: Task) -> Any:
    """Return the two-class estimator of a task, fitted.  Raises what it refuses, with the name of the machine."""
    weights = {} if task.weights is None else {"sample_weight": task.weights}
    estimator = task.estimator
    try:
        if hasattr(estimator, "fit_given"):
            estimator.fit_given(task.given, task.labels, **weights)
            task.given.forget()
            return estimator
        return estimator.fit(task.given.points, task.labels, **weights)
    except Refusal as refusal:
        if isinstance(refusal, InvalidInput):
            raise
        witness = {"machine": task.name, **refusal.witness}
        raise type(refusal)(refusal.module, need=refusal.need, got=refusal.got, **witness) from None


def side(estimator: Any, yes: Any) -> Side:
    """Return what a fitted estimator of two classes says, as a side."""
    return Side(estimator, 1 if data.plain(estimator.classes_)[1] == yes else -1)


def listed(X: Any) -> Any:
    """Return the rows of X as a list that can be read again and again; what has no rows as it is."""
    given = data.plain(X)
    if not isinstance(given, Iterable) or isinstance(given, (str, bytes, Mapping, Set)):
        return X
    return [list(row) if isinstance(row, Iterator) else row for row in given]
