"""The hinge loss with a rounded corner."""

from fractions import Fraction

from hypothesis import given

from refclass.losses.hinge import Hinge
from refclass.losses.huberised_hinge import HuberisedHinge
from refclass.losses.ramp import Ramp
from refclass.number.rational import RATIONAL
from tests.strategies import fractions

L = HuberisedHinge()


def test_its_pieces_join_at_zero_and_one():
    """½ with slope −1 at m = 0, 0 with slope 0 at m = 1: C¹  [HHINGE.P1]."""
    assert [L(RATIONAL, Fraction(m)) for m in (-2, 0, 1, 2)] == [Fraction(5, 2), Fraction(1, 2), 0, 0]
    assert [L.slope(RATIONAL, Fraction(m)) for m in (-2, 0, 1, 2)] == [-1, -1, 0, 0]


@given(fractions, fractions)
def test_a_parabola_of_curvature_one_lies_above_it(m, n):
    """L(n) ≤ L(m) + L′(m)(n − m) + ½(n − m)²: retargeted least squares may minimise that instead  [HHINGE.P2]
    [ISML-27.6.3-retarget]."""
    assert L(RATIONAL, n) <= L(RATIONAL, m) + L.slope(RATIONAL, m) * (n - m) + (n - m) ** 2 / 2


@given(fractions)
def test_its_slope_is_the_step_of_the_printed_retarget(m):
    """v − m = min(1, [1 − m]₊) = −L′(m): the printed retarget for the squared ramp descends on this loss
    [RAMP2-IRLS-PRINTED] [ISML-27.6.3-retarget] [ERR-ISML-01]."""
    assert Ramp()(RATIONAL, m) == -L.slope(RATIONAL, m)


@given(fractions)
def test_it_is_the_hinge_up_to_a_half(m):
    """0 ≤ hinge − L ≤ ½  [HHINGE]."""
    assert 0 <= Hinge()(RATIONAL, m) - L(RATIONAL, m) <= Fraction(1, 2)
