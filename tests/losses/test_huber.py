"""Huber's loss."""

from fractions import Fraction

import pytest
from hypothesis import given

from refclass.errors import InvalidInput
from refclass.losses.huber import Huber
from refclass.number.decimals import decimal
from refclass.number.rational import RATIONAL
from tests.strategies import fractions, positive


@given(positive)
def test_its_pieces_join_at_the_edges(c):
    """c²/2 with slope ±c at ±c: C¹  [LOSS-HUBER.P1] [ESL-12.38]."""
    loss = Huber(c)
    assert loss(RATIONAL, c) == loss(RATIONAL, -c) == c * c / 2
    assert loss.slopes(RATIONAL, c) == (c, c) and loss.slopes(RATIONAL, -c) == (-c, -c)


@given(fractions, positive)
def test_it_is_between_its_two_limits(r, c):
    """For c ≥ |r| it is r²/2; and |r| − c/2 ≤ V/c ≤ |r|, so that V/c → |r| as c → 0  [LOSS-HUBER.P2] [ESL-12.38]."""
    assert Huber(abs(r) + c)(RATIONAL, r) == r * r / 2
    assert abs(r) - c / 2 <= Huber(c)(RATIONAL, r) / c <= abs(r)


@given(fractions, positive)
def test_its_slope_is_the_residual_cut_off(r, c):
    """V′(r) is r within ±c, ±c beyond: the influence of a point is bounded  [LOSS-HUBER] [ESL-12.38]."""
    assert Huber(c).slope(RATIONAL, r) == (r if abs(r) <= c else c if r > 0 else -c)


def test_at_1345_it_is_95_percent_efficient():
    """(Pr|Z| ≤ c)²/E[ψ(Z)²] = 0.95000 at c = 1.345, with E[ψ²] = P − 2cφ(c) + c²(1 − P)  [LOSS-HUBER.P3]
    [ESL-12.3.6-efficiency]."""
    D = decimal(30)
    c = D.lift("1.345")
    P = D.erf(c / D.sqrt(D.lift(2)))
    density = D.exp(-c * c / 2) / D.sqrt(2 * D.pi())
    efficiency = P * P / (P - 2 * c * density + c * c * (1 - P))
    assert str(efficiency)[:7] == "0.95000"


@pytest.mark.parametrize("c", [0, -1, float("nan")])
def test_an_edge_that_is_not_positive_is_refused(c):
    """c must be > 0."""
    with pytest.raises(InvalidInput, match="huber: need c > 0"):
        Huber(c)


def test_fractions_stay_fractions():
    """At c = 3/2, r = 2 the value is 15/8."""
    assert Huber(Fraction(3, 2))(RATIONAL, Fraction(2)) == Fraction(15, 8)


def test_beyond_the_edges_on_both_sides_it_has_no_curvature():
    """L″ is 1 from −c to c, the edges included, and 0 outside  [ESL-12.38]."""
    assert [Huber(Fraction(2)).curvature(RATIONAL, Fraction(r)) for r in (-3, -2, 0, 2, 3)] == [0, 1, 1, 1, 0]
