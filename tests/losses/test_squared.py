"""The squared error as a loss of the margin."""

from fractions import Fraction

from hypothesis import given

from refclass.losses.squared import Squared
from refclass.number.rational import RATIONAL
from tests.strategies import fractions

L = Squared()


@given(fractions)
def test_beyond_one_it_rises(m):
    """A point is punished for lying far on its own side: L(2 + t) = L(−t)  [LOSS-SQ.P2] [ESL-T12.1]."""
    assert L(RATIONAL, 2 - m) == L(RATIONAL, m)


def test_it_estimates_the_probability():
    """At p = 9/10 the minimiser is 2p − 1 = 4/5  [LOSS-SQ.P1] [ESL-T12.1]."""
    assert L.population_minimisers(RATIONAL, Fraction(9, 10)) == ((Fraction(4, 5),) * 2,)


def test_it_has_no_limiting_slope():
    """The slope at −m is −2(1 + m), without bound: no scale gives it slope −1 in the left tail  [ERR-ESL-13]
    [LOSS-ROBUST-COMPARE.P1]."""
    assert [L.slope(RATIONAL, Fraction(-(10**k))) for k in (0, 1, 2)] == [-4, -22, -202]


def test_it_is_not_margin_maximising():
    """Of the losses in the table it alone does not lead to the hard margin  [MARGIN-MAX] [ESL-12.3.2-margin]."""
    assert not L.margin_maximising
