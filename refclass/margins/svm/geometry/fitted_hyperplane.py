"""The hyperplane of a fit, for points and samples of one's own."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from refclass.errors import InvalidInput
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector
from refclass.margins.svm.geometry.hyperplane import (
    along,
    canonical,
    decision,
    distance,
    distances_of_classes,
    distribution,
    foot,
    functional_margins,
    geometric_margins,
    half_width,
    intercept_between,
    margin,
    shifted,
    side,
    steps_to_plane,
)
from refclass.number.field import Field, Number


@dataclass(frozen=True)
class Hyperplane:
    """The hyperplane f(x) = xᵀβ + β₀ = 0 of a fit with a linear kernel, for points and samples of one's own.

    F       the field of its numbers, in which lengths are taken
    """

    F: Field
    beta: Vector
    beta0: Number

    def sides(self, X: Any) -> list[int]:
        """Return the side of each row: 1, −1, or 0 for a row on the hyperplane  [ESL-12.2] [ESL-12.18]."""
        return [side(decision(x, self.beta, self.beta0)) for x in self._rows(X)]

    def distances(self, X: Any) -> list[Number]:
        """Return the signed distance of each row, in the units of X  [MMST-11.7] [KIM-Thm3.2.1]."""
        return [distance(self.F, x, self.beta, self.beta0) for x in self._rows(X)]

    def nearest(self, X: Any) -> list[Vector]:
        """Return the point of the hyperplane nearest to each row  [KIM-3.13]."""
        return [foot(x, self.beta, self.beta0) for x in self._rows(X)]

    def reached(self, X: Any) -> list[Vector]:
        """Return the same points by way of lengths, along the unit normal  [KIM-3.10] [KIM-3.16]."""
        rows = self._rows(X)
        return [along(self.F, x, steps_to_plane(self.F, x, self.beta, self.beta0), self.beta) for x in rows]

    def translated(self, X: Any) -> list[Vector]:
        """Return each row moved as the parallel hyperplane through the origin is moved to this one  [KIM-3.2-shift]."""
        return [shifted(x, self.beta, self.beta0) for x in self._rows(X)]

    def margins(self, X: Any, y: Sequence[int]) -> Vector:
        """Return the geometric margins of rows with labels ±1  [KIM-3.17]."""
        return geometric_margins(self.F, self._rows(X), self._labels(y), self.beta, self.beta0)

    def margin(self, X: Any, y: Sequence[int]) -> Number:
        """Return the least geometric margin of rows with labels ±1  [ESL-12.3] [ISML-27.1.1-margin]."""
        return margin(self.F, self._rows(X), self._labels(y), self.beta, self.beta0)

    def margins_of_classes(self, X: Any, y: Sequence[int]) -> tuple[Number, Number]:
        """Return the distances of the nearest negative and positive row  [MMST-11.2.1-margin]."""
        return distances_of_classes(self.F, self._rows(X), self._labels(y), self.beta, self.beta0)

    def distribution(self, X: Any, y: Sequence[int]) -> list[tuple[Number, Fraction]]:
        """Return the functional margins with the share of rows that has each or less  [MMST-11.2.1-distribution]."""
        return distribution(functional_margins(self._rows(X), self._labels(y), self.beta, self.beta0))

    def canonical(self, X: Any, y: Sequence[int]) -> Hyperplane:
        """Return the same hyperplane, scaled so that the least functional margin of the rows is one  [KIM-3.18]."""
        return Hyperplane(self.F, *canonical(self._rows(X), self._labels(y), self.beta, self.beta0))

    def midway(self, x_positive: Any, x_negative: Any) -> Hyperplane:
        """Return the parallel hyperplane midway between two points  [MMST-11.6] [MMST-11.26]."""
        one, other = self._rows([x_positive, x_negative])
        return Hyperplane(self.F, self.beta, intercept_between(one, other, self.beta))

    @property
    def half_width(self) -> Number:
        """The distance of the planes f = ±1 from this one  [ESL-12.4] [ISML-27.1.1-margin]."""
        return half_width(self.F, self.beta)

    def _rows(self, X: Any) -> Matrix:
        return Matrix.of([Vector.of(map(self.F.lift, x)) for x in X])

    def _labels(self, y: Sequence[int]) -> Vector:
        if any(t not in (1, -1) for t in y):
            raise InvalidInput("hyperplane", need="labels 1 and −1", got=list(y))
        return Vector.of(map(self.F.lift, y))
