"""Two clouds in the plane and one point planted far on the wrong side."""

from __future__ import annotations

from random import Random

from refclass.errors import InvalidInput
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector
from refclass.number.field import Field, Number


def points(F: Field, n: int, far: Number, rng: Random) -> tuple[Matrix, tuple[int, ...]]:
    """Return n points of each class and an outlier of class +1, the last point, with their labels [M-ISML-F27.17].

        class ±1     (±2, 0) + an even draw from {−1.5, −1.4, …, 1.5} × {−2.0, −1.9, …, 2.0}
        outlier      (−far, −far/2), labelled +1

    The classes lie on either side of a vertical band of width 1. All coordinates but the outlier's are tenths.

    Shapes    2n + 1 × 2 and 2n + 1
    Raises    InvalidInput unless n ≥ 1
    """
    if n < 1:
        raise InvalidInput("outlier", need="n ≥ 1 points of each class", got=n)
    rows = []
    for side in (-20, 20):
        for _ in range(n):
            tenths = side + rng.randint(-15, 15), rng.randint(-20, 20)
            rows.append(Vector([F.lift(v) / 10 for v in tenths]))
    rows.append(Vector([-F.lift(far), -F.lift(far) / 2]))
    return Matrix(rows), (-1,) * n + (1,) * (n + 1)
