"""The squared ramp loss."""

from fractions import Fraction

from hypothesis import given

from refclass.losses.ramp import Ramp
from refclass.losses.squared_hinge import SquaredHinge
from refclass.losses.squared_ramp import SquaredRamp
from refclass.number.rational import RATIONAL
from tests.strategies import fractions

L = SquaredRamp()


@given(fractions)
def test_it_is_the_square_of_the_ramp(m):
    """min(1, [1 − m]₊)²; ISML has half of it  [LOSS-RAMP2.P1] [ISML-27.6.3-squared] [ERR-ISML-03]."""
    assert L(RATIONAL, m) == Ramp()(RATIONAL, m) ** 2


def test_it_has_a_concave_kink_at_zero():
    """From the left the slope at 0 is 0, from the right −2 (ISML's half: −1): the kink bends down  [LOSS-RAMP2.P2]."""
    left, right = L.slopes(RATIONAL, Fraction(0))
    assert (left, right / 2) == (0, -1) and left > right


def test_at_one_it_is_smooth():
    """At m = 1 both slopes are 0  [LOSS-RAMP2]."""
    assert L.slopes(RATIONAL, Fraction(1)) == (0, 0)


@given(fractions)
def test_it_lies_below_the_squared_hinge(m):
    """min(1, [1 − m]₊)² ≤ [1 − m]₊², at every margin  [RAMP2-FIT.P1] [ISML-27.6.3-squared-objective]."""
    assert L(RATIONAL, m) <= SquaredHinge()(RATIONAL, m)
