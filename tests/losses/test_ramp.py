"""The ramp loss."""

from fractions import Fraction

from hypothesis import given

from refclass.losses.hinge import Hinge
from refclass.losses.ramp import Ramp
from refclass.number.rational import RATIONAL
from tests.strategies import fractions

L = Ramp()


@given(fractions)
def test_it_is_a_difference_of_two_hinges(m):
    """min(1, max(0, 1 − m)) = [1 − m]₊ − [−m]₊: convex minus convex  [LOSS-RAMP.P1] [ISML-27.6.3-ramp]."""
    assert L(RATIONAL, m) == Hinge()(RATIONAL, m) - Hinge()(RATIONAL, 1 + m)


@given(fractions)
def test_it_is_the_hinge_cut_off(m):
    """Never above the hinge nor above one, and equal to the smaller of them  [LOSS-RAMP.P2]."""
    assert L(RATIONAL, m) == min(1, Hinge()(RATIONAL, m))


def test_its_minimisers_are_all_f_beyond_one():
    """For p > ½ every f ≥ 1 is a minimiser, for p < ½ every f ≤ −1  [LOSS-RAMP.P3]."""
    assert L.population_minimisers(RATIONAL, Fraction(2, 3)) == ((1, None),)
    assert L.population_minimisers(RATIONAL, Fraction(1, 3)) == ((None, -1),)


def test_far_on_the_wrong_side_it_is_flat():
    """The slope is 0 for m < 0: an outlier's influence is bounded  [LOSS-ROBUST-COMPARE.P1]."""
    assert [L.slopes(RATIONAL, Fraction(m)) for m in (-100, 0, 1)] == [(0, 0), (0, -1), (-1, 0)]
