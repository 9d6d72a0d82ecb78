"""Axes: round ticks, labels that say their numbers, ranges that are none."""

import math
from fractions import Fraction as Q

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from refclass.errors import InvalidInput
from refclass.report.drawing.axis import Axis, spanning

ends = st.floats(-1e12, 1e12, allow_nan=False)


@given(ends, ends)
def test_ticks_are_round_numbers_within_the_range(low, high):
    """A few multiples of 1, 2 or 5 times a power of ten, each label the number itself, exactly."""
    low, high = min(low, high), max(low, high)
    assume(high - low > 1e-11 * max(abs(low), abs(high)))
    ticks = Axis("x", low, high).ticks()
    assert 1 <= len(ticks) <= 8 and all(low <= value <= high for value, _ in ticks)
    exact = [Q(label) for _, label in ticks]
    assert [float(v) for v in exact] == [value for value, _ in ticks]
    steps = {b - a for a, b in zip(exact, exact[1:])}
    assert len(steps) <= 1
    for step in steps:
        assert step / Q(10) ** math.floor(math.log10(step) + 1e-9) in (1, 2, 5)


@pytest.mark.parametrize(
    ("low", "high"), [(1, 1), (2, 1), (0, math.inf), (math.nan, 1), (-1e308, 1e308), (1e16, 1e16 + 2)]
)
def test_a_range_that_is_none_is_refused(low, high):
    """Ends the wrong way, equal, infinite, too far apart for doubles, too close for them."""
    with pytest.raises(InvalidInput, match="low < high"):
        Axis("x", low, high)


@pytest.mark.parametrize("value", [0, 5, Q(-1, 3), 1e-300, -1e300])
def test_a_single_number_stands_in_the_middle(value):
    """A range is made around it, whatever its size."""
    axis = spanning("x", [value, value])
    assert abs(axis.share(float(value)) - 0.5) < 1e-15 and axis.ticks()


@pytest.mark.parametrize("values", [[], [math.nan], [1, math.inf], [10**400]])
def test_numbers_that_cannot_be_shown_are_refused(values):
    """None at all, infinite ones, and those beyond the doubles."""
    with pytest.raises(InvalidInput, match="finite numbers to show"):
        spanning("x", values)


@given(st.lists(ends, min_size=1, max_size=5))
def test_the_range_around_numbers_holds_them(values):
    """All of them, the outermost off the frame's edge."""
    axis = spanning("x", values)
    assert all(0 < axis.share(v) < 1 for v in values)
