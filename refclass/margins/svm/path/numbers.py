"""The numbers that a path is followed in: doubles about the median of the costs, or decimals."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any, Optional

from refclass.kernels.linear import Linear
from refclass.kernels.matrices import gram
from refclass.kernels.matrices.product import exact_product, linear_points
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector, dot
from refclass.number.binary64 import BINARY64
from refclass.number.decimals import decimal
from refclass.number.field import Field, rational
from refclass.optimise.path import path_state
from refclass.optimise.path.solution import Path

DIGITS = 200  # of the decimals: squares of 10⁹ and of 10⁻⁹, of degree three, keep eighty

WHOLE = 7_000_000  # entries of a Gram matrix that a path holds at once, 8 bytes each
WORK = 5 * 10**6  # units of work, n m + m² a break point, that decimals may take: each about a microsecond


def table(K: Any) -> Any:
    """Return the whole Gram matrix, unless it is too large."""
    if not isinstance(K, gram.Rows) or len(K) ** 2 > WHOLE:
        return K
    whole = gram.gram(K.F, K.kernel, K.X)
    # Method: a path reads rows many times, and faster where numbers that follow each other lie side by side.
    return Matrix.of([Vector.of(array("d", row)) for row in whole]) if K.F.kind is float else whole


def problem(
    K: Any, y: Vector, held: Any, *, decimals: bool, about: bool
) -> tuple[path_state.Problem, Optional[tuple[Vector, Matrix]]]:
    """Return the problem that a path is followed in, and what the points were moved by: see `Model.moved`.

    decimals  in decimals, from the entries of `held`
    about     with inner products about the points' median
    """
    if decimals:
        return decimal_problem(held, y), None
    if not about:
        return path_state.Problem(table(K), y), None
    origin, points = about_median(linear_points(K))
    return path_state.Problem(table(gram.Rows(BINARY64, Linear(), points)), y), (origin, points)


def about_median(points: Any) -> tuple[Vector, Matrix]:
    """Return the points' median and the points less it."""
    # Method: the median of a column is one of its entries, so that whole numbers, and what is near, stay exact.
    origin = Vector.of([sorted(column)[len(points) // 2] for column in zip(*points)])
    return origin, Matrix.of([Vector.of(x) - origin for x in points])


def decimal_problem(held: Any, y: Vector) -> path_state.Problem:
    """Return the problem of the path in decimals."""
    return lifted_problem(held, y, decimal(DIGITS))


def about_first(held: Any, y: Vector) -> path_state.Problem:
    """Return the problem of the path in decimals, with inner products about the first point."""
    F = decimal(DIGITS)
    return path_state.Problem(AboutFirst(held, F), Vector.of(map(F.lift, y)))


def about_origin(found: Path, held: Any, known: int = 0) -> Path:
    """Return a path about the first point with the α₀ that belong to inner products about the origin.

    known     so many break points, and what is above them, have these already

    Method: as Σ αⱼyⱼ = 0, inner products about the first point are less by Σ αⱼyⱼK₁ⱼ, and by what depends on no point.
    """
    problem = lifted_problem(held, found.problem.y, decimal(DIGITS))
    first, y = problem.K.row(0), problem.y
    states = [replace(s, problem=problem) for s in found.states]
    states[known:] = [replace(s, alpha0=s.alpha0 - dot(s.alpha.times(y), first)) for s in states[known:]]
    end = (found.end[0], found.end[1] - dot(found.end[0].times(y), first))
    head = found.head
    if head and not known:
        head = (head[0], head[1] - dot(found.start.times(y), first))
    return replace(found, problem=problem, states=tuple(states), head=head, end=end)


def inside_about_first(held: Any, inside: Sequence[Fraction]) -> list[Fraction]:
    """Return Σⱼ Kᵢⱼvⱼ for every point i, exactly, with inner products about the first point."""
    image, first, total = exact_product(held, inside), list(map(rational, held.row(0))), sum(inside)
    return [v - image[0] - (k - first[0]) * total for v, k in zip(image, first)]


def lifted_problem(held: Any, y: Vector, F: Field) -> path_state.Problem:
    """Return the problem of the path in another arithmetic."""
    return path_state.Problem(Stored(held, F), Vector.of(map(F.lift, y)))


class Stored:
    """The rows of a matrix with their entries in another arithmetic, each lifted once, when asked for."""

    def __init__(self, K: Any, F: Field) -> None:
        self.K, self.F = K, F
        self.rows: dict[int, Vector] = {}

    def __len__(self) -> int:
        return len(self.K)

    def row(self, i: int) -> Vector:
        """Return row i."""
        if i not in self.rows:
            self.rows[i] = Vector.of(map(self.F.lift, self.K.row(i)))
        return self.rows[i]

    def diagonal(self) -> Vector:
        """Return the diagonal."""
        return Vector.of(map(self.F.lift, self.K.diagonal()))


class AboutFirst(Stored):
    """The inner products about the first point, Kᵢⱼ − K₁ⱼ − (Kᵢ₁ − K₁₁), of the size of what points differ in."""

    def __init__(self, K: Any, F: Field) -> None:
        super().__init__(K, F)
        self.first = Vector.of(map(F.lift, K.row(0)))

    def row(self, i: int) -> Vector:
        """Return row i."""
        if i not in self.rows:
            row = Vector.of(map(self.F.lift, self.K.row(i)))
            less = row[0] - self.first[0]
            self.rows[i] = Vector.of([v - w - less for v, w in zip(row, self.first)])
        return self.rows[i]

    def diagonal(self) -> Vector:
        """Return the diagonal."""
        square = self.first[0]
        return Vector.of([v - w - (w - square) for v, w in zip(super().diagonal(), self.first)])
