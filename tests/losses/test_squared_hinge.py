"""The squared hinge loss."""

from fractions import Fraction

from hypothesis import given

from refclass.losses.hinge import Hinge
from refclass.losses.squared import Squared
from refclass.losses.squared_hinge import SquaredHinge
from refclass.number.rational import RATIONAL
from tests.strategies import fractions

L = SquaredHinge()


@given(fractions)
def test_it_is_the_square_of_the_hinge(m):
    """[1 − m]₊²: the squared error for m ≤ 1, and 0 beyond  [LOSS-SQH.P1] [ESL-12.3.2-squared-hinge]."""
    assert L(RATIONAL, m) == Hinge()(RATIONAL, m) ** 2
    assert L(RATIONAL, m) == (Squared()(RATIONAL, m) if m <= 1 else 0)


@given(fractions)
def test_isml_has_half_of_it(m):
    """½[1 − m]₊², half the value, half the slope, half the curvature: λ is doubled to make up  [LOSS-SQH.P3]
    [ISML-27.6.2-loss]."""
    half = Hinge()(RATIONAL, m) ** 2 / 2
    assert L(RATIONAL, m) == 2 * half and L.slope(RATIONAL, m) == -2 * Hinge()(RATIONAL, m)


@given(fractions)
def test_it_is_a_squared_distance_to_a_target(m):
    """[1 − m]₊² = (v − m)² with v = m + [1 − m]₊ = max(1, m)  [LOSS-SQH] [ISML-27.6.2-identity]."""
    v = m + Hinge()(RATIONAL, m)
    assert v == max(1, m) and L(RATIONAL, m) == (v - m) ** 2


def test_it_rises_quadratically_on_the_wrong_side():
    """Its slope has no bound as m → −∞  [LOSS-ROBUST-COMPARE.P1]."""
    assert [L.slope(RATIONAL, Fraction(-(10**k))) for k in (1, 2, 3)] == [-22, -202, -2002]
