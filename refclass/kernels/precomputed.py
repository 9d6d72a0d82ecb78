"""The precomputed kernel: X is the matrix of its values."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Callable, ClassVar, Optional

from refclass.errors import InvalidInput
from refclass.kernels.kernel import Kernel
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Rounded, Vector
from refclass.number.field import Field


class Similarities(Vector):
    """A point given by its kernel values alone: those with the training points, and its own number among them.

    place    the number of the training point that this is
    """

    place: int
    given: Optional[Vector] = None

    @classmethod
    def numbered(cls, values: Vector, place: int) -> Similarities:
        """Return the training point of that number with those values."""
        point = tuple.__new__(cls, values)
        point.place = place
        if isinstance(values, Rounded):
            point.given = values.given
        return point

    def exactly(self) -> Vector:
        """Return the point with its kernel values as fractions, or with those that they were rounded from."""
        return Similarities.numbered(super().exactly() if self.given is None else self.given, self.place)


@dataclass(frozen=True)
class Precomputed(Kernel):
    """A kernel given by its values: at training X is the Gram matrix, later a row of X is K(x, training points).

        K(x, xⱼ) = entry j of x

    So a machine takes points of any kind, through the kernel's values only.

    Exact    yes
    Cost     none
    Raises   InvalidInput unless the Gram matrix is square and symmetric, and new rows have its length
    Laws     symmetric
    """

    exact: ClassVar[bool] = True
    positive: ClassVar[bool] = False

    def points(
        self, F: Field, X: Any, rows: Callable[..., Matrix], training: Optional[Sequence[Any]] = None
    ) -> Sequence[Any]:
        """Return the rows of X, numbered at training."""
        if training is not None:
            return rows(F, X, columns=len(training[0]))
        table = rows(F, X)
        if len(table) != len(table[0]):
            got = f"{len(table)} × {len(table[0])}"
            raise InvalidInput("precomputed", need="a square Gram matrix at training", got=got)
        return tuple(Similarities.numbered(row, i) for i, row in enumerate(table.symmetric()))

    def row(self, F: Field, x: Any, Z: Sequence[Any]) -> Vector:
        """Return the entries of x at the numbers of the training points Z."""
        return Vector.of([x[z.place] for z in Z])
