"""The hinge loss."""

from fractions import Fraction

from hypothesis import given

from refclass.losses.hinge import Hinge
from refclass.losses.squared import Squared
from refclass.losses.zero_one import ZeroOne
from refclass.number.rational import RATIONAL
from tests.strategies import fractions

L = Hinge()


def test_its_slope_is_minus_one_and_then_zero():
    """−1 for m < 1, 0 for m > 1, anything between at m = 1  [LOSS-HINGE.P1] [ESL-12.25] [ESL-T12.1]."""
    assert [L.slopes(RATIONAL, Fraction(m)) for m in (-5, 0, 1, 2)] == [(-1, -1), (-1, -1), (-1, 0), (0, 0)]


@given(fractions)
def test_it_is_the_least_slack(m):
    """[1 − m]₊ satisfies ξ ≥ 1 − m and ξ ≥ 0, and one of them with equality, so that no smaller ξ does
    [LOSS-HINGE.P2] [ISML-27.6.1-slack] [ERR-ISML-07] [ID-ISML-VAR]."""
    xi = L(RATIONAL, m)
    assert xi >= 1 - m and xi >= 0 and (xi == 1 - m or xi == 0)


def test_at_plus_or_minus_one_it_is_twice_the_misclassification():
    """When f = ±1 is the label itself, the hinge is 0 or 2  [LOSS-HINGE.P3] [MMST-11.3.9-hinge]."""
    for f in (Fraction(-1), Fraction(1)):
        for y in (-1, 1):
            assert L(RATIONAL, y * f) == 2 * ZeroOne()(RATIONAL, y * f)


def test_a_correct_sign_does_not_make_it_vanish():
    """At yf = ½ the point is classified correctly, and its hinge is ½: it vanishes for yf ≥ 1 only  [LOSS-HINGE]
    [ERR-MMST-16] [MMST-11.3.9-hinge]."""
    half = Fraction(1, 2)
    assert ZeroOne()(RATIONAL, half) == 0 and L(RATIONAL, half) == half and L(RATIONAL, Fraction(1)) == 0


@given(fractions)
def test_absolute_error_is_a_function_of_the_margin(f):
    """|y − f| = |1 − yf| for y = ±1, so that (y − f)² = (1 − yf)² and [1 − yf]₊ ≤ |y − f|  [ABS-ID.P1] [ABS-ID.P2]
    [MMST-11.67] [ID-MMST-11.67]."""
    for y in (-1, 1):
        assert abs(y - f) == abs(1 - y * f) >= L(RATIONAL, y * f)
        assert (y - f) ** 2 == Squared()(RATIONAL, y * f)


def test_where_both_classes_are_as_likely_every_number_between_the_labels_is_best():
    """The expected hinge is least at the sign of 2p − 1, and from −1 to 1 for p = ½  [ESL-T12.1]."""
    found = [L.population_minimisers(RATIONAL, Fraction(p, 4)) for p in (1, 2, 3)]
    assert found == [((-1, -1),), ((-1, 1),), ((1, 1),)]
