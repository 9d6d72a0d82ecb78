"""The skin of the orange."""

from fractions import Fraction
from random import Random

import pytest

from refclass.data import skin_of_the_orange
from refclass.errors import InvalidInput
from refclass.number.binary64 import BINARY64
from refclass.number.decimals import decimal
from refclass.number.tolerance import near


def test_the_bayes_error_is_half_the_probability_of_the_shell():
    """½ Pr(9 ≤ χ² ≤ 16), four degrees of freedom, by Simpson's rule on the density ¼ t e^(−t/2): 0.0290402
    [ESL-12.3.4-orange] [M-ORANGE-BAYES] [ERR-YANG-22]."""
    D = decimal(30)
    steps, height = 200, D.lift(7) / 200

    def density(t):
        return t * D.exp(-t / 2) / 4

    places = [D.lift(9) + height * i for i in range(steps + 1)]
    weights = [1 if i in (0, steps) else 4 if i % 2 else 2 for i in range(steps + 1)]
    integral = sum(w * density(t) for w, t in zip(weights, places)) * height / 3
    assert abs(skin_of_the_orange.bayes_error(D) - integral / 2) < D.lift("1e-11")
    assert near(
        BINARY64, skin_of_the_orange.bayes_error(BINARY64), (5.5 * BINARY64.exp(-4.5) - 9 * BINARY64.exp(-8.0)) / 2
    )
    assert round(skin_of_the_orange.bayes_error(D), 7) == D.lift("0.0290402")


def test_the_second_class_lies_in_the_shell_and_the_first_where_it_likes():
    """9 ≤ ‖x‖² ≤ 16 in the first four variables of class +1 only: a condition on standard normal variables, which are
    not standard normal under it  [ESL-T12.2] [ERR-YANG-22] [YANG-curse-orange]."""
    X, y = skin_of_the_orange.points(BINARY64, 400, 6, Random(3))
    squares = [sum(v * v for v in x[:4]) for x in X]
    assert {len(x) for x in X} == {10} and y == (-1,) * 400 + (1,) * 400
    assert all(9 <= t <= 16 for t, s in zip(squares, y) if s > 0)
    share = Fraction(sum(9 <= t <= 16 for t, s in zip(squares, y) if s < 0), 400)
    assert abs(float(share) - 2 * skin_of_the_orange.bayes_error(BINARY64)) < 0.04
    means = [sum(t for t, s in zip(squares, y) if s == k) / 400 for k in (-1, 1)]
    assert 3.5 < means[0] < 4.5 and means[1] > 9  # the mean of χ² with four degrees of freedom is 4


@pytest.mark.parametrize("n, noise", [(0, 0), (5, -1)])
def test_an_empty_orange_is_refused(n, noise):
    """There are points, and no negative number of noise variables."""
    with pytest.raises(InvalidInput, match="n ≥ 1 and noise ≥ 0"):
        skin_of_the_orange.points(BINARY64, n, noise, Random(0))


def test_the_shell_has_both_of_its_spheres():
    """Of each class one point: squares 0 for the ball; 8 and 17 are drawn anew, 9 and 16 stay  [ESL-T12.2]."""

    class Given(Random):
        def gauss(self, *_):
            return next(self.left)

    rng = Given()
    for square, outer in ((9, (3, 0, 0, 0)), (16, (0, 4, 0, 0))):
        rng.left = iter([0, 0, 0, 0, 2, 2, 0, 0, 4, 1, 0, 0, *outer, 4, 0, 0, 0])
        X, y = skin_of_the_orange.points(BINARY64, 1, 0, rng)
        assert y == (-1, 1) and list(map(list, X)) == [[0] * 4, list(outer)] and sum(v * v for v in outer) == square
