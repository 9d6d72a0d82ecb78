from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from refclass.optimise.linear_svm import line_search
from tests.numbers import STRICT, Strict
from tests.strategies import positive

breaks = st.lists(st.tuples(st.builds(Fraction, st.integers(0, 8), st.integers(1, 3)), positive), max_size=6)


def value(t, slope, curvature, found):
    return slope * t + curvature * t * t / 2 + sum(jump * max(t - at, 0) for at, jump, _ in found)


@given(positive, positive, breaks)
def test_no_break_point_and_no_minimum_between_them_is_lower(fall, curvature, drawn):
    """The value at the point found is the least of all break points and stationary points [ESL-12.25]."""
    found = [(at, jump, i) for i, (at, jump) in enumerate(drawn)]
    t, _, _ = line_search.least(-fall, curvature, found)
    least = value(t, -fall, curvature, found)
    for at, _, _ in found:
        assert least <= value(at, -fall, curvature, found)
    for count in range(len(found) + 1):
        slope = -fall + sum(jump for _, jump, _ in sorted(found)[:count])
        if slope <= 0:
            assert least <= value(-slope / curvature, -fall, curvature, found)


@given(positive, breaks)
def test_a_line_that_falls_for_ever_has_no_least_value(fall, drawn):
    """Without curvature the least value exists if and only if the jumps make up for the slope [ESL-12.25]."""
    found = [(at, jump, i) for i, (at, jump) in enumerate(drawn)]
    t, passed, stop = line_search.least(-fall, Fraction(0), found)
    assert (t is None) == (sum(jump for _, jump, _ in found) < fall)
    if t is None:
        assert sorted(passed) == list(range(len(found))) and stop is None


def test_it_stops_at_the_break_point_where_the_slope_changes_sign():
    """Points passed are those before the stop, in order [ESL-12.25]."""
    found = [(Fraction(2), Fraction(5), 7), (Fraction(1), Fraction(1), 3), (Fraction(4), Fraction(1), 1)]
    assert line_search.least(Fraction(-4), Fraction(1), found) == (2, [3], 7)


def test_it_computes_with_nothing_but_the_numbers_it_is_given():
    """Strict numbers raise on contact with a float; none occurs [ESL-12.25]."""
    one = STRICT.lift(1)
    t, passed, stop = line_search.least(-one, one, [(one / 3, one / 4, 0)])
    assert isinstance(t, Strict) and t == 3 * one / 4 and passed == [0] and stop is None
