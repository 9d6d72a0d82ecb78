"""Two clouds and a planted outlier."""

from fractions import Fraction as Q
from random import Random

import pytest

from refclass.data import planted_outlier
from refclass.errors import InvalidInput
from refclass.number.binary64 import BINARY64
from refclass.number.rational import RATIONAL


def test_the_clouds_lie_apart_and_the_outlier_on_the_wrong_side():
    """Class −1 left of −½, class +1 right of ½, all in tenths; the last point, of class +1, at (−far, −far/2)
    [M-ISML-F27.17]."""
    X, y = planted_outlier.points(RATIONAL, 40, 12, Random(1))
    assert y == (-1,) * 40 + (1,) * 41 and tuple(X[-1]) == (-12, -6)
    for (a, b), t in zip(X[:-1], y):
        assert Q(1, 2) <= t * a <= Q(7, 2) and -2 <= b <= 2 and (10 * a).denominator == (10 * b).denominator == 1


def test_the_same_seed_makes_the_same_points_in_every_arithmetic():
    """In doubles they are those of the fractions, rounded, wherever the outlier stands."""
    exact, _ = planted_outlier.points(RATIONAL, 5, 6, Random(3))
    rounded, _ = planted_outlier.points(BINARY64, 5, 20, Random(3))
    assert [list(map(float, x)) for x in exact[:-1]] == [list(x) for x in rounded[:-1]]


def test_a_cloud_needs_a_point():
    """At least one of each class."""
    with pytest.raises(InvalidInput, match="n ≥ 1"):
        planted_outlier.points(RATIONAL, 0, 1, Random(0))
