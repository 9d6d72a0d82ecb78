"""Gram matrices: the whole matrix of kernel values, or its rows on demand with a least-recently-used cache."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from fractions import Fraction
from functools import cached_property
from typing import Any, Optional

from refclass.errors import InvalidInput
from refclass.kernels.kernel import Kernel
from refclass.kernels.linear import Linear
from refclass.linear.common_denominator import nonzero
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Rounded, Vector
from refclass.number.field import Field, rational
from refclass.number.rational import RATIONAL

MAX_STORED_NUMBERS = 4_000_000  # 128 MB, as a double in a tuple takes 32 bytes
PACKED = 3  # times as many doubles are kept in arrays, 8 bytes each

Packed = tuple[Any, Any]  # arrays of a row's entries and of their places; None in place of these where all are kept


def gram(F: Field, kernel: Kernel, X: Sequence[Any], Z: Optional[Sequence[Any]] = None) -> Matrix:
    """Return the matrix of K(x, z)  [KIM-Def3.4.1] [MMST-11.3.3-gram].

    There is one row for each x in X, and one column for each z in Z, or in X if no Z is given.

    Shapes    n × n, or n × m
    Exact     if the kernel is
    Cost      n(n+1)/2 values of the kernel, or nm
    Raises    InvalidInput for a value beyond the range of the numbers
    """
    if Z is not None:
        return Matrix.of([finite(kernel.row(F, x, Z), i) for i, x in enumerate(X)])
    # Method: the rows of the upper triangle, padded to full length, are transposed at once into those of the lower.
    tails = [finite(kernel.row(F, x, X[i:]), i, i) for i, x in enumerate(X)]
    heads = zip(*[(None,) * i + tail for i, tail in enumerate(tails)])
    return Matrix.of([Vector.of(head[:i] + tail) for i, (head, tail) in enumerate(zip(heads, tails))])


def finite(row: Vector, i: int, first: int = 0) -> Vector:
    """Return row i of kernel values, from column `first` on.  Raises InvalidInput if one is infinite or no number."""
    total = sum(row) if type(row[0]) is float else 0
    if total - total != 0:
        for j, value in enumerate(row, first):
            if value - value != 0:
                raise InvalidInput("gram", need="kernel values within the range of doubles", got=value, row=i, column=j)
    return row


def whole(K: Any) -> Matrix:
    """Return the whole Gram matrix, of a store of rows or of a matrix itself."""
    return K.table() if isinstance(K, Rows) else Matrix.of([K.row(i) for i in range(len(K))])


def exactly(kernel: Kernel, points: Any, rows: Any) -> Any:
    """Return the Gram matrix as its user gave it: of a rational kernel from the data, exactly, otherwise `rows`."""
    if not kernel.exact:
        return rows
    if isinstance(points, Matrix):
        points = points.exactly()
    elif rounded(points):
        points = tuple([x.exactly() for x in points])
    elif not isinstance(points[0], str):
        return rows
    return Rows(RATIONAL, kernel.over(RATIONAL), points)


def given(K: Any) -> Any:
    """Return a Gram matrix as its user gave it, which rows of doubles or decimals may round."""
    return exactly(K.kernel, K.X, K) if isinstance(K, Rows) and not K.F.exact else K


def over(F: Field, K: Any) -> Any:
    """Return a Gram matrix with its numbers lifted into F: the points, for a rational kernel, else the entries."""
    if isinstance(K, Rows) and F.kind is not K.F.kind:
        K = given(K)
    if isinstance(K, Rows) and K.kernel.exact and isinstance(K.X, Matrix):
        return Rows(F, K.kernel.over(F), Matrix.of([Vector.of(map(F.lift, x)) for x in K.X]))
    return Matrix.of([Vector.of(map(F.lift, K.row(i))) for i in range(len(K))])


def magnified(K: Any, k: int, *, about_first: bool = False) -> Any:
    """Return 4ᵏK in doubles, rounded from the numbers given: of a linear kernel, that of the points times 2ᵏ.

    about_first    whether the points of a linear kernel are measured from the first of them
    """
    if not isinstance(K, Rows) or not isinstance(K.kernel, Linear):
        power = Fraction(4) ** k
        return Matrix.of([Vector.of([float(power * rational(v)) for v in K.row(i)]) for i in range(len(K))])
    origin = [v if about_first else Fraction(0) for v in K.X[0].exactly()]
    given = [[Fraction(2) ** k * (v - c) for v, c in zip(x.exactly(), origin)] for x in K.X]
    points = Matrix.of([Rounded.from_given(map(float, x), x) for x in given])
    return Rows(K.F, K.kernel, points, limit=K.most * len(K))


def rounded(points: Sequence[Any]) -> bool:
    """Return whether points keep numbers that they were rounded from."""
    return any(getattr(x, "given", None) is not None for x in points)


def _numbers(packed: Packed) -> int:
    values, places = packed
    return len(values) + (0 if places is None else len(places))


class Rows:
    """The rows of the Gram matrix of X, computed on first use.

    Rows of doubles used less recently are kept in arrays, which take a quarter of the memory and are slower to read,
    and of rows of zeros mostly the other entries and their places; the least recently used are discarded.

    limit    the most numbers it stores, those in arrays aside; a single row is always stored

    Example
        >>> from refclass.kernels.linear import Linear
        >>> from refclass.number.binary64 import BINARY64
        >>> K = Rows(BINARY64, Linear(), ((1.0, 2.0), (3.0, 4.0)))
        >>> len(K), K.row(1), K.diagonal()
        (2, Vector(11.0, 25.0), Vector(5.0, 25.0))
    """

    def __init__(self, F: Field, kernel: Kernel, X: Sequence[Any], *, limit: int = MAX_STORED_NUMBERS) -> None:
        self.F = F
        self.kernel = kernel
        self.X = X
        self.most = max(1, limit // len(X))
        self._stored: dict[int, Vector] = {}
        self._packed: dict[int, Packed] = {}
        self._room = PACKED * self.most * len(X)  # numbers that may still be packed
        self.integers: dict[int, Any] = {}  # rows on a common denominator, kept by who computes them (see `product`)
        self._diagonal: Optional[Vector] = None

    def __len__(self) -> int:
        return len(self.X)

    @cached_property
    def _points(self) -> tuple[Any, ...]:
        # Method: plain tuples are unpacked faster than instances of a subclass.
        return tuple([tuple(x) if type(x) in (Vector, Rounded) else x for x in self.X])

    def row(self, i: int) -> Vector:
        """Return K(xᵢ, xⱼ) for every j.

        Cost    n values of the kernel when it is not stored
        """
        # Method: a dictionary keeps the order of insertion. A row in use is removed and inserted again, so that the row
        # used least recently comes first.
        row = self._stored.pop(i, None)
        if row is None:
            row = self._unpacked(i) or finite(self.kernel.row(self.F, self._points[i], self._points), i)
            if len(self._stored) >= self.most:
                self._pack(next(iter(self._stored)))
        self._stored[i] = row
        return row

    def table(self) -> Matrix:
        """Return the whole matrix.

        Cost    n(n + 1)/2 values of the kernel where no row is stored and all can be
        """
        if not self._stored and not self._packed and len(self) <= self.most:
            self._stored = dict(enumerate(gram(self.F, self.kernel, self._points)))
        return Matrix.of([self.row(i) for i in range(len(self))])

    def _pack(self, i: int) -> None:
        """Keep row i in arrays, if it holds doubles, and discard those used least recently if there are many."""
        row = self._stored.pop(i)
        if type(row[0]) is float and i not in self._packed:
            places = nonzero(row)
            known = array("d", row if places is None else map(row.__getitem__, places))
            self._packed[i] = known, None if places is None else array("L", places)
            self._room -= _numbers(self._packed[i])
            while self._room < 0:
                self._room += _numbers(self._packed.pop(next(iter(self._packed))))

    def _unpacked(self, i: int) -> Optional[Vector]:
        """Return row i from its arrays, None where there are none; they are kept where they are short."""
        packed = self._packed.pop(i, None)
        if packed is None:
            return None
        values, places = packed
        if places is None:
            self._room += _numbers(packed)
            return Vector.of(values)
        self._packed[i] = packed
        row = [float(0)] * len(self.X)
        for j, v in zip(places, values):
            row[j] = v
        return Vector.of(row)

    def part(self, places: Sequence[int]) -> Rows:
        """Return the rows of the Gram matrix of some of the points."""
        return Rows(self.F, self.kernel, tuple([self.X[i] for i in places]), limit=self.most * len(self.X))

    def forget(self) -> None:
        """Discard the stored rows; they are computed again on use."""
        self._stored.clear()
        self._packed.clear()
        self._room = PACKED * self.most * len(self.X)
        self.integers.clear()

    def __getstate__(self) -> dict[str, Any]:
        state = {
            **self.__dict__,
            "_stored": {},
            "_packed": {},
            "_room": PACKED * self.most * len(self.X),
            "integers": {},
        }  # rows are not pickled: they are computed again
        state.pop("_points", None)
        return state

    def diagonal(self) -> Vector:
        """Return K(xᵢ, xᵢ) for every i."""
        if self._diagonal is None:
            self._diagonal = finite(self.kernel.diagonal(self.F, self.X), 0)
        return self._diagonal
