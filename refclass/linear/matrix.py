"""A matrix: an immutable column of row vectors, with the operators of the books.

    A + B    A − B    c * A    A @ x    A @ B    A.T

Rows are tuples, because a dot product of two tuples is one loop in C; a column is a row of A.T.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, TypeVar, overload

from refclass.errors import InvalidInput
from refclass.linear.vector import Vector, dot
from refclass.number.field import Number

_new = tuple.__new__


class Matrix(tuple):  # type: ignore[type-arg]
    """A matrix over one kind of number: a tuple of row vectors.

    Shapes    m × n with m, n ≥ 1
    Raises    InvalidInput if it is empty or ragged, if kinds are mixed, if shapes do not fit

    Example
        >>> A = Matrix([[1.0, 2.0], [3.0, 4.0]])
        >>> A @ Vector([1.0, 1.0]), A.T[0]
        (Vector(3.0, 7.0), Vector(1.0, 3.0))
    """

    __slots__ = ()

    def __new__(cls, rows: Iterable[Iterable[Any]]) -> Matrix:
        self = _new(cls, [row if isinstance(row, Vector) else Vector(row) for row in rows])
        if not self:
            raise InvalidInput("matrix", need="at least one row", got="none")
        n, kind = len(self[0]), self[0].kind
        for i, row in enumerate(self):
            if len(row) != n:
                raise InvalidInput("matrix", need=f"rows of length {n}", got=f"length {len(row)}", row=i)
            if row.kind is not kind:
                raise InvalidInput("matrix", need=f"numbers of kind {kind.__name__}", got=row.kind.__name__, row=i)
        return self

    @classmethod
    def of(cls, rows: Iterable[Vector]) -> Matrix:
        """Return the matrix of vectors known to fit (results of operations on matrices), unchecked."""
        return _new(cls, rows)

    @classmethod
    def identity(cls, n: int, kind: Any) -> Matrix:
        """Return the n × n identity."""
        return cls([Vector.unit(n, i, kind) for i in range(n)])

    @classmethod
    def zeros(cls, m: int, n: int, kind: Any) -> Matrix:
        """Return the m × n matrix of zeros."""
        return cls([[kind(0)] * n] * m)

    @classmethod
    def diagonal_of(cls, d: Sequence[Any]) -> Matrix:
        """Return the square matrix with d on its diagonal and zeros elsewhere."""
        zero = type(d[0])(0)
        return cls([[d[i] if i == j else zero for j in range(len(d))] for i in range(len(d))])

    @classmethod
    def outer(cls, x: Vector, y: Vector) -> Matrix:
        """Return x yᵀ."""
        return cls.of([c * y for c in x])

    @property
    def shape(self) -> tuple[int, int]:
        """The number of rows and of columns."""
        return len(self), len(self[0])

    @property
    def kind(self) -> Any:
        """The type of the entries."""
        return type(self[0][0])

    @property
    def T(self) -> Matrix:
        """The transpose."""
        return _new(Matrix, [_new(Vector, column) for column in zip(*self)])

    def diagonal(self) -> Vector:
        """Return the entries (i, i)."""
        return Vector([self[i][i] for i in range(min(self.shape))])

    def trace(self) -> Number:
        """Return the sum of the diagonal of a square matrix."""
        return self.square().diagonal().sum()

    def row(self, i: int) -> Vector:
        """Return row i."""
        return self[i]  # type: ignore[no-any-return]

    def column(self, j: int) -> Vector:
        """Return column j."""
        return Vector.of([row[j] for row in self])

    def block(self, rows: Sequence[int], columns: Sequence[int]) -> Matrix:
        """Return the matrix of the chosen rows and columns, in their order."""
        return Matrix([[self[i][j] for j in columns] for i in rows])

    def largest(self) -> Number:
        """Return the largest absolute value of an entry."""
        return max(row.largest() for row in self)

    def square(self) -> Matrix:
        """Return the matrix itself.  Raises InvalidInput unless it is square."""
        m, n = self.shape
        if m != n:
            raise InvalidInput("matrix", need="a square matrix", got=f"{m} × {n}")
        return self

    def symmetric(self) -> Matrix:
        """Return the matrix itself.  Raises InvalidInput, naming the place, unless it equals its transpose exactly."""
        for i, (row, column) in enumerate(zip(self.square(), self.T)):
            if row != column:
                j = next(j for j in range(len(row)) if row[j] != column[j])
                got = f"{row[j]} and {column[j]}"
                raise InvalidInput("matrix", need="a symmetric matrix", got=got, row=i, column=j)
        return self

    def exactly(self) -> Matrix:
        """Return the entries as fractions: at their exact worth, or those that they were rounded from."""
        return _new(Matrix, [row.exactly() for row in self])

    def _fits(self, other: Any) -> Matrix:
        if not isinstance(other, Matrix) or other.shape != self.shape or other.kind is not self.kind:
            got = f"{other.shape} of {other.kind.__name__}" if isinstance(other, Matrix) else type(other).__name__
            raise InvalidInput("matrix", need=f"a matrix {self.shape} of {self.kind.__name__}", got=got)
        return other

    def __add__(self, other: Any) -> Matrix:
        return _new(Matrix, [x + y for x, y in zip(self, self._fits(other))])

    def __sub__(self, other: Any) -> Matrix:
        return _new(Matrix, [x - y for x, y in zip(self, self._fits(other))])

    def __neg__(self) -> Matrix:
        return _new(Matrix, [-x for x in self])

    def __mul__(self, c: Any) -> Matrix:
        return _new(Matrix, [c * x for x in self])

    __rmul__ = __mul__

    def __truediv__(self, c: Any) -> Matrix:
        return _new(Matrix, [x / c for x in self])

    @overload
    def __matmul__(self, other: Vector) -> Vector: ...

    @overload
    def __matmul__(self, other: Matrix) -> Matrix: ...

    def __matmul__(self, other: Any) -> Any:
        if isinstance(other, Vector):
            self[0]._checked(other)
            return _new(Vector, [dot(row, other) for row in self])
        if not isinstance(other, Matrix):
            raise InvalidInput("matrix", need="a vector or a matrix", got=type(other).__name__)
        columns = other.T
        self[0]._checked(columns[0])
        return _new(Matrix, [_new(Vector, [dot(row, column) for column in columns]) for row in self])

    def __repr__(self) -> str:
        return "Matrix(" + ", ".join("[" + ", ".join(map(str, row)) + "]" for row in self) + ")"


# The right side of a system of equations, and its solution: a vector, or a matrix taken column by column.
Side = TypeVar("Side", Vector, Matrix)
