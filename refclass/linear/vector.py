"""A vector: an immutable row of numbers of one kind, with the operators of the books.

x + y    x − y    c * x    x / c    x @ y = Σ xᵢyᵢ    x.times(y) = (xᵢyᵢ)
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from operator import add, mul, neg, sub
from typing import Any, Callable

from refclass.errors import InvalidInput
from refclass.number.field import Number, rational


def _sum_of_products(x: Any, y: Any) -> Number:
    return sum(map(mul, x, y))


# Σ xᵢyᵢ without checks, one loop in C: for callers that have checked their operands. math.sumprod exists from 3.12 on.
dot = getattr(math, "sumprod", _sum_of_products)


def inner_product(kind: Any) -> Callable[[Any, Any], Number]:
    """Return the fastest loop for Σ xᵢyᵢ of a kind: its own where it has one (decimals), else `dot`."""
    return getattr(kind, "inner_product", dot)


def lossless(kind: Any) -> Callable[[Iterable[Any]], Number]:
    """Return the summation of a kind without loss, for sums in which large terms cancel: of doubles, rounded once.

    Raises    InvalidInput, when called, for a sum of doubles whose partial sums leave their range

    Example
        >>> lossless(float)([1e16, 1.0, -1e16])
        1.0
    """
    return _rounded_once if kind is float else sum


def _rounded_once(terms: Iterable[float]) -> float:
    try:
        total = math.fsum(terms)
    except (OverflowError, ValueError):  # a part of the sum is infinite; ∞ − ∞
        total = math.inf
    if total - total != 0:
        raise InvalidInput("vector", need="sums within the range of doubles", got="one beyond it")
    return total


_new = tuple.__new__


class Vector(tuple):  # type: ignore[type-arg]
    """A vector over one kind of number.

    Shapes    n ≥ 1 entries, all of one type
    Raises    InvalidInput if it is empty, if kinds are mixed, if entries are not lifted numbers, if lengths differ

    Example
        >>> x, y = Vector([1.0, 2.0]), Vector([3.0, 5.0])
        >>> x @ y, 2 * x + y
        (13.0, Vector(5.0, 9.0))
    """

    __slots__ = ()

    def __new__(cls, entries: Iterable[Any]) -> Vector:
        self = _new(cls, entries)
        if not self:
            raise InvalidInput("vector", need="at least one entry", got="none")
        kinds = set(map(type, self))
        if len(kinds) > 1:
            raise InvalidInput("vector", need="entries of one kind", got=sorted(k.__name__ for k in kinds))
        kind = kinds.pop()
        if kind in (int, bool, str, complex) or not hasattr(kind, "__truediv__"):
            raise InvalidInput("vector", need="numbers of a field (lift them first)", got=kind.__name__)
        return self

    @classmethod
    def of(cls, entries: Iterable[Any]) -> Vector:
        """Return the vector of entries known to be of one kind (results of operations on vectors), unchecked."""
        return _new(cls, entries)

    @classmethod
    def unit(cls, n: int, i: int, kind: Any) -> Vector:
        """Return the i-th unit vector of length n."""
        return cls(kind(int(j == i)) for j in range(n))

    @property
    def kind(self) -> Any:
        """The type of the entries; `x.kind(0)` is zero, `x.kind(1)` is one."""
        return type(self[0])

    def _checked(self, other: Any) -> Any:
        if not isinstance(other, Vector):
            raise InvalidInput("vector", need="a vector", got=type(other).__name__)
        if len(self) != len(other):
            raise InvalidInput("vector", need=f"a vector of length {len(self)}", got=f"length {len(other)}")
        if type(self[0]) is not type(other[0]):
            raise InvalidInput("vector", need=f"numbers of kind {self.kind.__name__}", got=other.kind.__name__)
        return other

    def _scalar(self, c: Any) -> Any:
        if type(c) is int:
            return self.kind(c)
        if type(c) is not type(self[0]):
            raise InvalidInput("vector", need=f"a scalar of kind {self.kind.__name__}", got=type(c).__name__)
        return c

    def __add__(self, other: Any) -> Vector:
        return _new(Vector, map(add, self, self._checked(other)))

    def __sub__(self, other: Any) -> Vector:
        return _new(Vector, map(sub, self, self._checked(other)))

    def __neg__(self) -> Vector:
        return _new(Vector, map(neg, self))

    def __mul__(self, c: Any) -> Vector:
        c = self._scalar(c)
        return _new(Vector, [c * v for v in self])

    __rmul__ = __mul__

    def __truediv__(self, c: Any) -> Vector:
        c = self._scalar(c)
        return _new(Vector, [v / c for v in self])

    def __matmul__(self, other: Any) -> Number:
        return dot(self, self._checked(other))

    def times(self, other: Vector) -> Vector:
        """Return the products entry by entry."""
        return _new(Vector, map(mul, self, self._checked(other)))

    def sum(self) -> Number:
        """Return the sum of the entries."""
        return sum(self, self.kind(0))

    def largest(self) -> Number:
        """Return the largest absolute value of an entry."""
        return max(map(abs, self))

    def pick(self, places: Iterable[int]) -> Vector:
        """Return the entries at the places, in their order."""
        return Vector([self[i] for i in places])

    def exactly(self) -> Vector:
        """Return the entries as fractions: at their exact worth, or those that they were rounded from."""
        return _new(Vector, map(rational, self))

    def __repr__(self) -> str:
        return "Vector(" + ", ".join(map(str, self)) + ")"


class Rounded(Vector):
    """A vector of numbers that keeps the fractions which they were rounded from.

    Solvers in doubles see the doubles; a proof takes what the user gave. Operations give plain vectors.

    Example
        >>> from fractions import Fraction
        >>> x = Rounded.from_given((0.1, 2.0), (Fraction(1, 10), Fraction(2)))
        >>> x, x.exactly(), x + x
        (Vector(0.1, 2.0), Vector(1/10, 2), Vector(0.2, 4.0))
    """

    given: Vector

    @classmethod
    def from_given(cls, entries: Iterable[Any], given: Iterable[Any]) -> Rounded:
        """Return the numbers with the fractions that they were rounded from."""
        self: Rounded = _new(cls, entries)
        self.given = _new(Vector, given)
        return self

    def exactly(self) -> Vector:
        """Return the numbers that the entries were rounded from."""
        return self.given

    def pick(self, places: Iterable[int]) -> Vector:
        """Return the entries at the places, in their order, with what they were rounded from."""
        chosen = list(places)
        return Rounded.from_given([self[i] for i in chosen], [self.given[i] for i in chosen])


def as_given(values: Any) -> Any:
    """Return the numbers that a vector was rounded from; of what was not rounded the values themselves."""
    return values.given if isinstance(values, Rounded) else values
