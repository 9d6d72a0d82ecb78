"""The two spirals of ISML's program."""

from random import Random

import pytest

from refclass.data import spirals
from refclass.errors import InvalidInput
from refclass.number.binary64 import BINARY64
from refclass.number.decimals import decimal


class Still(Random):
    """Chance that always says zero: the spirals without their noise."""

    def random(self):
        return 0.0


def test_without_noise_the_radius_is_the_angle_and_the_angle_and_pi():
    """a goes from 0 to 4π in n/2 even steps; the radii are a and a + π, both at the angle a
    [ISML-27.4-spiral] [ERR-ISML-11]."""
    D = decimal(30)
    X, y = spirals.points(D, 10, Still())
    assert y == (1,) * 5 + (-1,) * 5
    for i, (u, v) in enumerate(X):
        radius = i % 5 * D.pi() + (D.pi() if i >= 5 else 0)  # at a = 0, π, 2π, 3π, 4π
        sign = -1 if i % 5 % 2 else 1
        assert abs(u - sign * radius) < D.lift("1e-26") and abs(v) < D.lift("1e-26")


def test_the_noise_is_between_zero_and_one():
    """Each coordinate is moved by less than one, upwards  [ISML-27.4-spiral] [M-ISML-F27.10/11]."""
    still, _ = spirals.points(BINARY64, 200, Still())
    moved, _ = spirals.points(BINARY64, 200, Random(1))
    noise = [b - a for one, other in zip(still, moved) for a, b in zip(one, other)]
    assert 0 <= min(noise) < 0.05 and 0.95 < max(noise) < 1
    assert moved == spirals.points(BINARY64, 200, Random(1))[0]


@pytest.mark.parametrize("n", [0, 2, 5])
def test_two_spirals_need_an_even_number_of_points(n):
    """Two points for each spiral at least."""
    with pytest.raises(InvalidInput, match="an even number of points, at least 4"):
        spirals.points(BINARY64, n, Random(0))
