"""Two spirals, one turned against the other, each point moved a little: the data of ISML's program."""

from __future__ import annotations

from random import Random

from refclass.errors import InvalidInput
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector
from refclass.number.field import Field


def points(F: Field, n: int, rng: Random) -> tuple[Matrix, tuple[int, ...]]:
    """Return n points with their labels, n/2 of class +1, then n/2 of class −1  [ISML-27.4-spiral].

        (a cos a, a sin a)                 class +1, a from 0 to 4π in n/2 equal steps
        ((a + π) cos a, (a + π) sin a)     class −1

    and to each coordinate a number drawn evenly from [0, 1) is added.

    Shapes    n × 2 and n
    Cost      n draws of a pair, n cosines and n sines
    Raises    InvalidInput unless n is an even number ≥ 4
    """
    if n < 4 or n % 2:
        raise InvalidInput("spiral", need="an even number of points, at least 4", got=n)
    half = n // 2
    pi = F.pi()
    rows = []
    for outwards in (pi - pi, pi):
        for i in range(half):
            a = 4 * pi * i / (half - 1)
            radius = a + outwards
            rows.append(Vector([radius * turn(a) + F.lift(rng.random()) for turn in (F.cos, F.sin)]))
    return Matrix(rows), (1,) * half + (-1,) * half
