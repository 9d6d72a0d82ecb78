"""The misclassification loss."""

from fractions import Fraction

import pytest

from refclass.errors import NoAnswer
from refclass.losses.zero_one import ZeroOne
from refclass.number.rational import RATIONAL


def test_a_margin_of_zero_is_an_error():
    """I(m ≤ 0) = 1 at m = 0 for either label, where I(yC ≤ 0) would depend on the label  [LOSS-01] [ERR-MMST-17]."""
    assert [ZeroOne()(RATIONAL, Fraction(m, 10)) for m in (-1, 0, 1)] == [1, 1, 0]


def test_every_f_of_the_right_sign_is_as_good():
    """For p > ½ the minimisers are the f > 0, for p < ½ the f < 0, for p = ½ both  [LOSS-01.P2]."""
    third, half = Fraction(1, 3), Fraction(1, 2)
    said = [ZeroOne().population_minimisers(RATIONAL, p) for p in (third, half, 1 - third)]
    assert said == [((None, 0),), ((None, 0), (0, None)), ((0, None),)]


def test_the_jump_has_no_slope():
    """At m = 0 the loss jumps, and the slope is refused."""
    with pytest.raises(NoAnswer, match="zero_one: need a margin other than 0"):
        ZeroOne().slopes(RATIONAL, Fraction(0))
