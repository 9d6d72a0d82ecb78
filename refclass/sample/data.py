"""What the user gives, checked and lifted once, at the door.

Throughout: n observations in p variables, K classes in the order of `classes`, g(i) the class number of observation i.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Optional

from refclass.errors import InvalidInput
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector
from refclass.number.field import Field


@dataclass(frozen=True)
class Sample:
    """Labelled observations.

    X          n × p
    labels     n class numbers 0 … K−1
    classes    the K labels, sorted where they can be compared, else in order of appearance
    weights    n numbers ≥ 0: an integer weight w stands for w copies of the observation
    """

    X: Matrix
    labels: tuple[int, ...]
    classes: tuple[Hashable, ...]
    weights: Vector

    @property
    def n(self) -> int:
        """The number of observations."""
        return len(self.labels)

    @property
    def p(self) -> int:
        """The number of variables."""
        return len(self.X[0])

    @property
    def K(self) -> int:
        """The number of classes."""
        return len(self.classes)

    def members(self, k: int) -> list[int]:
        """Return the numbers of the observations of class k."""
        return [i for i, g in enumerate(self.labels) if g == k]

    def without(self, i: int) -> Sample:
        """Return the sample without observation i; the classes stay, even one that becomes empty."""
        keep = [j for j in range(self.n) if j != i]
        return Sample(
            Matrix.of([self.X[j] for j in keep]),
            tuple(self.labels[j] for j in keep),
            self.classes,
            self.weights.pick(keep),
        )


def read(F: Field, X: Any, y: Any, weights: Any = None, *, classes: int = 2) -> Sample:
    """Return the sample of rows X with labels y, numbers lifted into F.

    Raises    InvalidInput, naming row and column, for what is not a finite number, ragged rows, lengths that differ,
              fewer than `classes` classes, missing labels, negative weights, a class whose weights are all zero
    """
    rows = matrix(F, X)
    names, numbers = labels(y, len(rows))
    if len(names) < classes:
        raise InvalidInput("data", need=f"at least {classes} classes", got=f"{len(names)}: {list(names)}")
    w = weight_vector(F, weights, len(rows))
    for k, name in enumerate(names):
        if not any(w[i] for i in range(len(rows)) if numbers[i] == k):
            raise InvalidInput("data", need="a positive weight in every class", got="none", label=name)
    return Sample(rows, numbers, names, w)


def matrix(F: Field, X: Any, *, columns: Optional[int] = None, name: str = "X") -> Matrix:
    """Return the rows of X as a matrix over F.

    Shapes    X: any sequence of rows of numbers; columns, if given, is the length each row must have
    Raises    InvalidInput, naming row and column
    """
    if isinstance(X, (str, bytes)) or not isinstance(X, Iterable):
        raise InvalidInput("data", need=f"{name} as a sequence of rows of numbers", got=type(X).__name__)
    rows: list[Vector] = []
    for i, row in enumerate(X):
        if isinstance(row, (str, bytes)) or not isinstance(row, Iterable):
            raise InvalidInput("data", need=f"each row of {name} as a sequence of numbers", got=repr(row), row=i)
        entries = tuple(row)
        if columns is None:
            columns = len(entries)
        if len(entries) != columns or not entries:
            raise InvalidInput(
                "data", need=f"{columns or 'at least one'} numbers in each row of {name}", got=len(entries), row=i
            )
        rows.append(numbers(F, entries, name, row=i))
    if not rows:
        raise InvalidInput("data", need=f"at least one row in {name}", got="none")
    return Matrix.of(rows)


def numbers(F: Field, entries: tuple[Any, ...], name: str = "X", **where: int) -> Vector:
    """Return the entries as a vector over F.  Raises InvalidInput, naming the column of the one that is no number."""
    if F.kind is float and set(map(type, entries)) == {float} and sum(entries) - sum(entries) == 0:
        return Vector.of(entries)  # doubles whose sum is finite hold no NaN and no infinity
    lifted = []
    for j, value in enumerate(entries):
        try:
            lifted.append(F.lift(value))
        except InvalidInput as refusal:
            place = {**where, "column": j} if where else {"row": j}
            raise InvalidInput("data", need=f"{refusal.need} in {name}", got=refusal.got, **place) from None
    return Vector.of(lifted)


def vector(F: Field, values: Any, n: Optional[int] = None, *, name: str = "y") -> Vector:
    """Return a sequence of n numbers as a vector over F.

    Raises    InvalidInput, naming the row, for what is not a finite number, or for another length
    """
    if isinstance(values, (str, bytes)) or not isinstance(values, Iterable):
        raise InvalidInput("data", need=f"{name} as a sequence of numbers", got=type(values).__name__)
    entries = tuple(values)
    if n is not None and len(entries) != n:
        raise InvalidInput("data", need=f"{n} numbers in {name}, one for each row of X", got=len(entries))
    if not entries:
        raise InvalidInput("data", need=f"at least one number in {name}", got="none")
    return numbers(F, entries, name)


def labels(y: Any, n: Optional[int] = None) -> tuple[tuple[Hashable, ...], tuple[int, ...]]:
    """Return the distinct labels in class order, and the class number of each observation.

    Raises    InvalidInput for a missing label (None, NaN), one that cannot be hashed, or another length than n
    """
    if isinstance(y, (str, bytes)) or not isinstance(y, Iterable):
        raise InvalidInput("data", need="y as a sequence of labels", got=type(y).__name__)
    given: Sequence[Any] = list(y)
    if n is not None and len(given) != n:
        raise InvalidInput("data", need=f"{n} labels in y, one for each row of X", got=len(given))
    for i, label in enumerate(given):
        try:
            missing = label is None or label != label
            hash(label)
        except (TypeError, ValueError):
            raise InvalidInput("data", need="labels that can be hashed in y", got=repr(label), row=i) from None
        if missing:
            raise InvalidInput("data", need="a label in y", got=repr(label), row=i)
    distinct = list(dict.fromkeys(given))
    try:
        distinct.sort()
    except TypeError:
        pass  # labels of several types have no order but that of their appearance
    place = {label: k for k, label in enumerate(distinct)}
    return tuple(distinct), tuple(place[label] for label in given)


def weight_vector(F: Field, weights: Any, n: int) -> Vector:
    """Return n weights ≥ 0 over F, ones if none are given.  Raises InvalidInput, naming the row."""
    if weights is None:
        return Vector.of([F.kind(1)] * n)
    w = vector(F, weights, n, name="sample_weight")
    for i, value in enumerate(w):
        if value < 0:
            raise InvalidInput("data", need="weights ≥ 0 in sample_weight", got=value, row=i)
    return w
