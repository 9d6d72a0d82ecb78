"""What the user gives, checked and lifted once, on entry.

Throughout: n observations in p variables, K classes in the order of `classes`, g(i) the class number of observation i.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Set
from dataclasses import fields, is_dataclass
from decimal import Decimal
from itertools import chain, repeat
from numbers import Real
from operator import eq
from typing import Any, Optional

from refclass.errors import InvalidInput, NotExact, quoted
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Rounded, Vector
from refclass.number.binary64 import denormal
from refclass.number.field import Field, rational
from refclass.sample.observations import Sample

SQUARED = 500  # bits: squares of smaller weights stay within the range of doubles


def read(F: Field, X: Any, y: Any, weights: Any = None, *, classes: int = 2) -> Sample:
    """Return the sample of rows X with labels y, numbers lifted into F.

    Raises    InvalidInput, naming row and column, for what is not a finite number, ragged rows, lengths that differ,
              fewer than `classes` classes, missing labels, negative weights, a class whose weights are all zero
    """
    rows = matrix(F, X)
    names, numbers = labels(y, len(rows))
    if len(names) < classes:
        raise InvalidInput("data", need=f"at least {classes} classes", got=f"{len(names)}: {quoted(list(names))}")
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
    given = plain(X) if _is_sequence(X) else X
    if not _is_sequence(given):  # arrays of no dimension say that they are iterable
        raise InvalidInput("data", need=f"{name} as a sequence of rows of numbers", got=type(X).__name__)
    rows = list(given)
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
    """Return the values as Python's own lists and numbers where they have a method for that, else as they are.

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
    given = plain(row)
    if not _is_sequence(given):
        raise InvalidInput("data", need=f"each row of {name} as a sequence of numbers", got=quoted(row), row=i)
    entries = tuple(given)
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
    given = plain(values)
    if not _is_sequence(given):
        raise InvalidInput("data", need=f"{name} as a sequence of numbers", got=type(values).__name__)
    entries = tuple(given)
    if n is not None and len(entries) != n:
        raise InvalidInput("data", need=f"{n} numbers in {name}, one for each row of X", got=len(entries))
    if not entries:
        raise InvalidInput("data", need=f"at least one number in {name}", got="none")
    return numbers(F, entries, name)


def labels(y: Any, n: Optional[int] = None) -> tuple[tuple[Hashable, ...], tuple[int, ...]]:
    """Return the distinct labels in class order, and the class number of each observation.

    Raises    InvalidInput for a missing label (None, NaN, a tuple or set that holds NaN), one that cannot be hashed or
              compared, a number that is not whole (a continuous target is for a regression), or another length than n
    """
    given = sequence(y)
    if n is not None and len(given) != n:
        raise InvalidInput("data", need=f"{n} labels in y, one for each row of X", got=len(given))
    try:
        distinct = list(dict.fromkeys(given))
    except Exception:  # Premise: hashes and comparisons of labels are the user's code.
        raise _unsound(given) from None
    if not all(map(_is_sound, distinct)):
        raise _unsound(given)
    if any(map(_is_fractional, distinct)):
        i = next(i for i, label in enumerate(given) if _is_fractional(label))
        need = "labels in y (whole numbers or words); a continuous target is for a regression"
        raise InvalidInput("data", need=need, got=quoted(given[i]), row=i)
    try:
        ordered = sorted(distinct)
        if all(a < b for a, b in zip(ordered, ordered[1:])):
            distinct = ordered  # labels without an order, as those of several types and sets, stay as they appear
    except Exception:  # Premise: comparisons of labels are the user's code.
        pass
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
    return isinstance(label, Real) and not isinstance(label, int) and label != label // 1


def alike(a: Any, b: Any) -> bool:
    """Return whether two labels are equal; what cannot be compared with a label, an array or a missing one, is not."""
    try:
        return bool(a == b)
    except Exception:  # Premise: comparisons of labels are the user's code.
        return False


def _is_sound(label: Any) -> bool:
    """Return whether a label equals itself: what stands for a missing value does not, or does not say.

    Of tuples, sets and records every member has to: Python compares these by identity first, so that (nan,) == (nan,).
    """
    left = [label]
    while left:
        part = left.pop()
        if not alike(part, part):
            return False
        if isinstance(part, (tuple, frozenset)):
            left += part
        elif is_dataclass(part) and not isinstance(part, type):
            left += [getattr(part, own.name, None) for own in fields(part) if own.compare]
    return label is not None


def _unsound(given: list[Any]) -> InvalidInput:
    """Return the refusal that names the first label that is missing or cannot be hashed."""
    for i, label in enumerate(given):
        try:
            hash(label)
        except Exception:  # Premise: hashes of labels are the user's code.
            return InvalidInput("data", need="labels that can be hashed in y", got=quoted(label), row=i)
        if not _is_sound(label):
            return InvalidInput("data", need="a label in y", got=quoted(label), row=i)
    return InvalidInput("data", need="labels that equal themselves in y", got="others")


def refuse_extreme(F: Field, weights: Optional[Vector], module: str) -> None:
    """Refuse weights whose squares doubles do not hold.  Raises NotExact."""
    odd = [w for w in weights or () if w and F.kind is float and not F.kind(2) ** -SQUARED < w < F.kind(2) ** SQUARED]
    if odd:
        raise NotExact(module, need=f"weights within 2^±{SQUARED}, whose squares are doubles", got=odd[0])


def weight_vector(F: Field, weights: Any, n: int) -> Vector:
    """Return n weights ≥ 0 over F, ones if none are given.  Raises InvalidInput and NotExact, naming the row."""
    if weights is None:
        return Vector.of([F.kind(1)] * n)
    w = vector(F, weights, n, name="sample_weight")
    for i, value in enumerate(w):
        if value < 0:
            raise InvalidInput("data", need="weights ≥ 0 in sample_weight", got=value, row=i)
        if denormal(value):
            need = "weights in sample_weight that doubles hold to all their digits"
            raise NotExact("data", need=need, got=value, row=i)
    return w
