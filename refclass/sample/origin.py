"""A point near the data that coordinates are measured from, where columns lie far from zero.

There z·β + b is a small difference of large numbers, and a point in doubles is another one than was given. Measured
from the mean, in fractions and rounded once, both keep their digits.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Optional

from refclass.errors import InvalidInput
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Rounded, Vector
from refclass.number.field import Field, Number, rational
from refclass.number.tolerance import roundoff
from refclass.sample.mean import FAR, mean
from refclass.sample.observations import Block, Sample


@dataclass(frozen=True)
class Origin:
    """A point c + r.

    centre    c, p numbers as they are rounded
    rest      r, what rounding has taken off
    far       whether a column of the data lies far from zero
    """

    centre: Vector
    rest: Vector
    far: bool = True

    def away(self, x: Vector) -> Vector:
        """Return x − c − r, the first difference from the numbers that x was rounded from."""
        return less(x, self.centre) - self.rest

    def measured(self, sample: Sample) -> Sample:
        """Return the sample with every row measured from the point."""
        X = Matrix.of([self.away(x) for x in sample.X])
        return Sample(X, sample.labels, sample.classes, sample.weights)

    def moved(self, by: Vector) -> Origin:
        """Return the point c + r + by."""
        return Origin(self.centre, self.rest + by, self.far)


def less(x: Vector, centre: Vector) -> Vector:
    """Return x − c, entries far from zero from the numbers that they were rounded from.

    Example
        >>> near = Rounded.from_given([1e9], [Fraction(10**10 + 1, 10)])
        >>> less(near, Vector([1e9]))
        Vector(0.1)
    """
    found = x - centre
    if not isinstance(x, Rounded):
        return found
    kind = x.kind
    return Vector.of(
        [
            _rounded(kind, given - rational(c)) if FAR * abs(d) < abs(c) else d
            for d, c, given in zip(found, centre, x.given)
        ]
    )


def _rounded(kind: type, value: Fraction) -> Number:
    return float(value) if kind is float else kind(value.numerator) / value.denominator


def of_fractions(F: Field, X: Matrix, weights: Optional[Vector]) -> Optional[Origin]:
    """Return the mean of points in fractions as an origin in a rounded field; None where it is beyond its range."""
    block = Block.of(X, Vector.of([Fraction(1)] * len(X)) if weights is None else weights)
    middle = mean(block)
    far = _is_far(block, middle)
    try:
        centre = Vector.of(map(F.lift, middle))
        return Origin(centre, Vector.of([F.lift(c - rational(v)) for c, v in zip(middle, centre)]), far)
    except InvalidInput:
        return None


def distant(block: Block, centre: Vector) -> Optional[Origin]:
    """Return a centre of the observations as an origin; None where no column is far from it, or nothing is rounded."""
    return Origin(centre, 0 * centre) if roundoff(block.weights.kind) and _is_far(block, centre) else None


def of_block(block: Block, centre: Vector) -> Optional[Origin]:
    """Return a centre of the observations as an origin; None where nothing is rounded."""
    return Origin(centre, 0 * centre, _is_far(block, centre)) if roundoff(block.weights.kind) else None


def _is_far(block: Block, centre: Vector) -> bool:
    return any(FAR * abs(column[0] - c) < abs(c) for column, c in zip(block.columns, centre))
