"""What the user gives, checked and lifted once, on entry.

Throughout: n observations in p variables, K classes in the order of `classes`, g(i) the class number of observation i.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence, Set
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from functools import cached_property
from itertools import chain, repeat
from operator import eq
from typing import Any, Optional

from refclass.errors import InvalidInput, quoted
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Rounded, Vector
from refclass.number.field import Field, Number, rational


@dataclass(frozen=True)
class Block:
    """Observations of one kind, turned on their side, because moments are sums down the columns.

    columns    p columns of n numbers (tuples: a dot product of two tuples is one loop in C)
    weights    n numbers
    given      the columns that these were rounded from, None where nothing was
    """

    columns: tuple[tuple[Number, ...], ...]
    weights: Vector
    given: Optional[tuple[tuple[Fraction, ...], ...]] = None

    @classmethod
    def of(cls, rows: Sequence[Vector], weights: Vector) -> Block:
        """Return the observations of some rows."""
        given = tuple(zip(*[x.exactly() for x in rows])) if any(isinstance(x, Rounded) for x in rows) else None
        return cls(tuple(zip(*rows)), weights, given)

    def less(self, j: int, c: Number) -> tuple[Number, ...]:
        """Return xᵢⱼ − c, from the numbers that doubles were rounded from: far from zero these have more digits."""
        if self.given is None:
            return tuple([v - c for v in self.columns[j]])
        kind, exact = type(c), rational(c)
        away = [v - exact for v in self.given[j]]
        return tuple([float(v) if kind is float else kind(v.numerator) / v.denominator for v in away])

    @property
    def size(self) -> Number:
        """The sum of the weights: the number of observations, copies counted."""
        return self.weights.sum()

    @cached_property
    def plain(self) -> bool:
        """Whether every weight is one."""
        return set(self.weights) == {1}

    def weighted(self, column: tuple[Number, ...]) -> tuple[Number, ...]:
        """Return the column times the weights, entry by entry."""
        return column if self.plain else self.weights.times(Vector.of(column))


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

    @property
    def kind(self) -> Any:
        """The type of the numbers."""
        return self.X.kind

    @cached_property
    def blocks(self) -> tuple[Block, ...]:
        """The observations of each class, in class order.

        Raises    InvalidInput for a class without observations (one that was left out)
        """
        rows: list[list[Vector]] = [[] for _ in self.classes]
        for x, g in zip(self.X, self.labels):
            rows[g].append(x)
        weights: list[list[Number]] = [[] for _ in self.classes]
        for w, g in zip(self.weights, self.labels):
            weights[g].append(w)
        for k, name in enumerate(self.classes):
            if not any(weights[k]):
                raise InvalidInput("sample", need="an observation in every class", got="none", label=name)
        return tuple(Block.of(r, Vector.of(w)) for r, w in zip(rows, weights))

    @cached_property
    def whole(self) -> Block:
        """All observations, in their order."""
        return Block.of(self.X, self.weights)

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
            Vector.of([self.weights[j] for j in keep]),
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
    if weights is not None:
        present = {g for g, value in zip(numbers, w) if value}
        for k, name in enumerate(names):
            if k not in present:
                raise InvalidInput("data", need="a positive weight in every class", got="none", label=name)
    return Sample(rows, numbers, names, w)


def matrix(F: Field, X: Any, *, columns: Optional[int] = None, name: str = "X") -> Matrix:
    """Return the rows of X as a matrix over F.

    Shapes    X: any sequence of rows of numbers; columns, if given, is the length each row must have
    Raises    InvalidInput, naming row and column
    """
    if not _is_sequence(X):
        raise InvalidInput("data", need=f"{name} as a sequence of rows of numbers", got=type(X).__name__)
    rows = list(plain(X))
    if not rows:
        raise InvalidInput("data", need=f"at least one row in {name}", got="none")
    if F.kind is float and set(map(type, rows)) <= {list, tuple, Vector}:
        lengths = set(map(len, rows))
        entries = _doubles(chain.from_iterable(rows)) if len(lengths) == 1 and 0 not in lengths else None
        if entries is not None and columns in (None, *lengths):
            again = [iter(entries)] * lengths.pop()
            return Matrix.of(map(tuple.__new__, repeat(Vector), zip(*again)))
    found: list[Vector] = []
    for i, row in enumerate(rows):
        found.append(_row(F, row, i, columns, name))
        columns = len(found[0])
    return Matrix.of(found)


def plain(values: Any) -> Any:
    """Return the values as Python's own lists and numbers where they know how to become such, else as they are.

    Arrays and series have `tolist`, data frames `to_numpy`; neither is imported.
    """
    if not hasattr(values, "tolist") and callable(getattr(values, "to_numpy", None)):
        values = values.to_numpy()
    return values.tolist() if hasattr(values, "tolist") else values


def _row(F: Field, row: Any, i: int, columns: Optional[int], name: str) -> Vector:
    if not _is_sequence(row):
        raise InvalidInput("data", need=f"each row of {name} as a sequence of numbers", got=quoted(row), row=i)
    if isinstance(row, Rounded):
        row = row if row.kind is F.kind else row.given
    entries = tuple(plain(row))
    if not entries or (columns is not None and len(entries) != columns):
        need = f"{columns or 'at least one'} number{'' if columns in (None, 1) else 's'} in each row of {name}"
        raise InvalidInput("data", need=need, got=len(entries), row=i)
    return row if isinstance(row, Rounded) else numbers(F, entries, name, row=i)


def _doubles(entries: Iterable[Any]) -> Optional[list[float]]:
    """Return the entries, if all are finite doubles; None where that is not so, or not known."""
    try:
        doubles = list(map(float.conjugate, entries))  # takes nothing but doubles, and gives them back as plain ones
    except TypeError:
        return None
    total = sum(doubles)
    return doubles if total - total == 0 else None  # a finite sum holds no NaN and no infinity


def numbers(F: Field, entries: tuple[Any, ...], name: str = "X", **where: int) -> Vector:
    """Return the entries as a vector over F; one that had to be rounded keeps what was given.

    Raises    InvalidInput, naming the column of the one that is no number
    """
    doubles = _doubles(entries) if F.kind is float else None
    if doubles is not None:
        return Vector.of(doubles)
    lifted = []
    for j, value in enumerate(entries):
        try:
            lifted.append(F.lift(value))
        except InvalidInput as refusal:
            place = {**where, "column": j} if where else {"row": j}
            raise InvalidInput("data", need=f"{refusal.need} in {name}", got=refusal.got, **place) from None
    if F.exact or all(map(eq, entries, lifted)):
        return Vector.of(lifted)
    given = tuple(map(rational, entries))
    return Vector.of(lifted) if given == tuple(map(rational, lifted)) else Rounded.from_given(lifted, given)


def vector(F: Field, values: Any, n: Optional[int] = None, *, name: str = "y") -> Vector:
    """Return a sequence of n numbers as a vector over F.

    Raises    InvalidInput, naming the row, for what is not a finite number, or for another length
    """
    if not _is_sequence(values):
        raise InvalidInput("data", need=f"{name} as a sequence of numbers", got=type(values).__name__)
    if isinstance(values, Rounded) and n in (None, len(values)):
        return values if values.kind is F.kind else Vector.of(map(F.lift, values.given))
    entries = tuple(plain(values))
    if n is not None and len(entries) != n:
        raise InvalidInput("data", need=f"{n} numbers in {name}, one for each row of X", got=len(entries))
    if not entries:
        raise InvalidInput("data", need=f"at least one number in {name}", got="none")
    return numbers(F, entries, name)


def labels(y: Any, n: Optional[int] = None) -> tuple[tuple[Hashable, ...], tuple[int, ...]]:
    """Return the distinct labels in class order, and the class number of each observation.

    Raises    InvalidInput for a missing label (None, NaN), one that cannot be hashed, a number that is not whole (a
              continuous target is for a regression), or another length than n
    """
    given = sequence(y)
    if n is not None and len(given) != n:
        raise InvalidInput("data", need=f"{n} labels in y, one for each row of X", got=len(given))
    try:
        distinct = list(dict.fromkeys(given))
        sound = all(label is not None and label == label for label in distinct)
    except (TypeError, ValueError):
        sound = False
    if not sound:
        raise _unsound(given)
    if any(map(_is_fractional, distinct)):
        i = next(i for i, label in enumerate(given) if _is_fractional(label))
        need = "labels in y (whole numbers or words); a continuous target is for a regression"
        raise InvalidInput("data", need=need, got=quoted(given[i]), row=i)
    try:
        distinct.sort()
    except TypeError:
        pass  # labels of several types have no order but that of their appearance
    place = {label: k for k, label in enumerate(distinct)}
    return tuple(distinct), tuple(map(place.__getitem__, given))


def sequence(values: Any, need: str = "y as a sequence of labels") -> list[Any]:
    """Return rows or labels as a list.  Raises InvalidInput for what has no order of its own."""
    given = plain(values)
    if not _is_sequence(given):
        raise InvalidInput("data", need=need, got=type(values).__name__)
    return list(given)


def _is_sequence(values: Any) -> bool:
    """Return whether values come in an order of their own: text, mappings and sets do not count."""
    return isinstance(values, Iterable) and not isinstance(values, (str, bytes, Mapping, Set))


def _is_fractional(label: Any) -> bool:
    """Return whether a label is a number that is not whole."""
    if isinstance(label, Decimal):
        return not label.is_finite() or label != label.to_integral_value()
    return isinstance(label, (float, Fraction)) and label != label // 1


def _unsound(given: list[Any]) -> InvalidInput:
    """Return the refusal that names the first label that is missing or cannot be hashed."""
    for i, label in enumerate(given):
        try:
            hash(label)
            missing = label is None or label != label
        except (TypeError, ValueError):
            return InvalidInput("data", need="labels that can be hashed in y", got=quoted(label), row=i)
        if missing:
            return InvalidInput("data", need="a label in y", got=quoted(label), row=i)
    return InvalidInput("data", need="labels that equal themselves in y", got="others")


def weight_vector(F: Field, weights: Any, n: int) -> Vector:
    """Return n weights ≥ 0 over F, ones if none are given.  Raises InvalidInput, naming the row."""
    if weights is None:
        return Vector.of([F.kind(1)] * n)
    w = vector(F, weights, n, name="sample_weight")
    for i, value in enumerate(w):
        if value < 0:
            raise InvalidInput("data", need="weights ≥ 0 in sample_weight", got=value, row=i)
    return w
