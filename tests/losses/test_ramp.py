"""The ramp losses."""

from fractions import Fraction

from hypothesis import given

from refclass.losses.hinge import Hinge
from refclass.losses.ramp import Ramp, SquaredRamp
from refclass.losses.squared_hinge import SquaredHinge
from refclass.number.rational import RATIONAL
from tests.strategies import fractions

L, SQUARED = Ramp(), SquaredRamp()


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


@given(fractions)
def test_the_squared_ramp_is_the_square_of_the_ramp(m):
    """min(1, [1 − m]₊)²; ISML has half of it  [LOSS-RAMP2.P1] [ISML-27.6.3-squared] [ERR-ISML-03]."""
    assert SQUARED(RATIONAL, m) == L(RATIONAL, m) ** 2


def test_the_squared_ramp_has_a_concave_kink_at_zero():
    """From the left the slope at 0 is 0, from the right −2 (ISML's half: −1): the kink bends down  [LOSS-RAMP2.P2]."""
    left, right = SQUARED.slopes(RATIONAL, Fraction(0))
    assert (left, right / 2) == (0, -1) and left > right


def test_at_one_the_squared_ramp_is_smooth():
    """At m = 1 both slopes are 0  [LOSS-RAMP2]."""
    assert SQUARED.slopes(RATIONAL, Fraction(1)) == (0, 0)


@given(fractions)
def test_the_squared_ramp_lies_below_the_squared_hinge(m):
    """min(1, [1 − m]₊)² ≤ [1 − m]₊², at every margin  [RAMP2-FIT.P1] [ISML-27.6.3-squared-objective]."""
    assert SQUARED(RATIONAL, m) <= SquaredHinge()(RATIONAL, m)
