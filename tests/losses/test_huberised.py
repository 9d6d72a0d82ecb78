"""The squared hinge with a straight left tail."""

from fractions import Fraction

from hypothesis import given

from refclass.losses.hinge import Hinge
from refclass.losses.huberised import Huberised
from refclass.losses.squared import Squared
from refclass.losses.squared_hinge import SquaredHinge
from refclass.number.rational import RATIONAL
from tests.strategies import fractions

L = Huberised()


def as_slides_print(m):
    """−4m if m < 1, otherwise max(0, 1 − m)."""
    return -4 * m if m < 1 else max(0, 1 - m)


def test_it_joins_smoothly_at_minus_one():
    """At m = −1 both pieces are 4 with slope −4  [LOSS-HSQH.P1] [ESL-T12.1]."""
    assert L(RATIONAL, Fraction(-1)) == 4 and L.slopes(RATIONAL, Fraction(-1)) == (-4, -4)
    assert SquaredHinge()(RATIONAL, Fraction(-1)) == 4


@given(fractions)
def test_it_is_the_squared_hinge_from_minus_one_on(m):
    """For m ≥ −1 the squared hinge, for m < −1 its tangent there, below it  [LOSS-HSQH] [ESL-T12.1]."""
    square = SquaredHinge()(RATIONAL, m)
    assert L(RATIONAL, m) == (square if m >= -1 else 4 - 4 * (m + 1)) <= square


def test_a_quarter_of_it_has_left_slope_minus_one_and_another_asymptote_than_the_hinge():
    """L/4 = −m for m ≤ −1, the hinge is 1 − m: parallel lines, one apart  [LOSS-HSQH.P3] [ERR-ESL-13]
    [LOSS-ROBUST-COMPARE.P1]."""
    for m in map(Fraction, (-1, -2, -50)):
        assert L.slope(RATIONAL, m) == -4 and Hinge()(RATIONAL, m) - L(RATIONAL, m) / 4 == 1


def test_the_printed_form_of_the_slides_is_no_loss():
    """−4m up to m = 1 is negative on (0, 1) and jumps from −4 to 0 at 1  [ERR-YANG-04] [YANG-common-loss-functions]."""
    half, below = Fraction(1, 2), 1 - Fraction(1, 10**9)
    assert (
        as_slides_print(half) < 0 and as_slides_print(below) < Fraction(-39, 10) and as_slides_print(Fraction(1)) == 0
    )
    assert L(RATIONAL, half) > 0 and L(RATIONAL, below) < Fraction(1, 10**9)


def test_the_curvature_of_three_losses_never_exceeds_two():
    """The bound is the curvature of a parabola: 2, of the squared error and of both squared hinges."""
    for loss in (L, SquaredHinge(), Squared()):
        assert loss.curvature_bound(RATIONAL) == 2 == max(loss.curvature(RATIONAL, Fraction(m)) for m in (-2, 0, 2))
