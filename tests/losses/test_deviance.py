"""The binomial deviance."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from refclass.errors import NotExact
from refclass.losses.deviance import Deviance
from refclass.losses.hinge import Hinge
from refclass.number.binary64 import BINARY64
from refclass.number.decimals import decimal
from refclass.number.rational import RATIONAL
from refclass.number.tolerance import near

L, D, WIDE = Deviance(), decimal(30), decimal(80)
margins = st.integers(-600, 600).map(lambda i: i / 8)


@given(margins)
def test_no_digit_is_lost_at_either_end(m):
    """In doubles log(1 + e^(−m)) is that of eighty digits, relative to its own size, also where it is tiny  [LOSS-DEV]
    [ESL-T12.1]."""
    wide = WIDE.log(1 + WIDE.exp(WIDE.lift(-m)))
    assert near(BINARY64, L(BINARY64, m), BINARY64.lift(wide))


@given(margins)
def test_the_slope_is_minus_the_probability_of_the_other_class(m):
    """L′(m) = −1/(1 + e^m), between −1 and 0  [LOSS-DEV.P1] [ESL-12.32]."""
    wide = -1 / (1 + WIDE.exp(WIDE.lift(m)))
    assert near(BINARY64, L.slope(BINARY64, m), BINARY64.lift(wide), steps=2) and -1 <= L.slope(BINARY64, m) <= 0


def test_its_left_tail_is_a_line_one_below_the_hinge():
    """L(m) + m → 0 and the slope → −1 as m → −∞, while the hinge is 1 − m: the same slope, not the same asymptote
    [LOSS-DEV.P1] [ERR-ESL-13] [LOSS-ROBUST-COMPARE.P1]."""
    above = [L(D, D.lift(-m)) - D.lift(m) for m in (1, 10, 40)]
    assert above[0] > above[1] > above[2] > 0 and above[2] < D.lift("1e-17")
    apart = [Hinge()(D, D.lift(-m)) - L(D, D.lift(-m)) for m in (1, 10, 40)]
    assert apart[0] < apart[1] < apart[2] < 1 and near(D, apart[2] + above[2], D.lift(1), scale=D.lift(40))
    assert L.slope(D, D.lift(-40)) + 1 < D.lift("1e-17")


@given(margins)
def test_reflecting_the_margin_adds_it(m):
    """L(−m) = L(m) + m  [LOSS-DEV]."""
    assert near(BINARY64, L(BINARY64, -m), L(BINARY64, m) + m, scale=1 + abs(m))


def test_probabilities_of_a_quarter_lie_at_log_three():
    """Where p = ¾ the minimiser is log 3, where p = ¼ its negative: the bands of ESL's Figure 12.5  [KLR-CONTOUR.P1]
    [LOSS-DEV.P2] [ESL-12.31]."""
    ((f, _),) = L.population_minimisers(D, D.lift("0.75"))
    ((g, _),) = L.population_minimisers(D, D.lift("0.25"))
    assert near(D, f, D.log(D.lift(3))) and near(D, g, -f, steps=2)


def test_fractions_are_refused_where_the_value_is_irrational():
    """At m = 1 the value is no fraction."""
    with pytest.raises(NotExact):
        L(RATIONAL, Fraction(1))


def test_its_curvature_is_even_and_at_most_a_quarter():
    """p(1 − p), largest at m = 0, and no overflow at either end  [ESL-T12.1]."""
    assert L.curvature(BINARY64, 0.0) == 0.25 == L.curvature_bound(BINARY64)
    for m in (-800.0, -3.0, 3.0, 800.0):
        p = 1 / (1 + WIDE.exp(WIDE.lift(-m)))
        assert L.curvature(BINARY64, m) == L.curvature(BINARY64, -m)
        assert L.curvature(BINARY64, m) == pytest.approx(float(p * (1 - p)), rel=1e-14)
