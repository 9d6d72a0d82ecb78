"""The lowest point of a function of one variable."""

import math

import pytest

from refclass.number.binary64 import BINARY64
from refclass.number.decimals import decimal
from refclass.regress import valley


def search(F, f, places, width):
    """Return the lowest point of f, with a list of all places that were asked for."""
    asked = []

    def counted(x):
        asked.append(x)
        return f(x)

    return valley.lowest(F, counted, [(x, f(x)) for x in places], width), asked


@pytest.mark.parametrize("target", [0.3, 1.9, -2.6])
def test_the_minimum_of_a_smooth_function_is_found(target):
    """The place is right to the width asked for, in few steps."""
    (x, value), asked = search(BINARY64, lambda t: math.cosh(t - target), [-3.0, -1.0, 1.0, 3.0], 1e-6)
    assert abs(x - target) < 1e-5 and value == math.cosh(x - target) and len(asked) <= 9


def test_a_parabola_needs_a_handful_of_steps():
    """Three points determine a parabola: its minimum is met at once and confirmed."""
    (x, _), asked = search(BINARY64, lambda t: (t - 0.25) ** 2, [-4.0, -1.0, 1.0, 4.0], 1e-9)
    assert abs(x - 0.25) < 1e-8 and len(asked) <= 4


def test_a_corner_is_found_by_sections():
    """Where parabolas do not help the bracket still shrinks: |x − t| has no curvature."""
    (x, _), asked = search(BINARY64, lambda t: abs(t - 0.7), [-1.0, 0.0, 1.0, 2.0], 1e-6)
    assert abs(x - 0.7) < 1e-5 and len(asked) < 60


def test_what_has_no_value_is_above_everything():
    """A function without values left of 1 has its minimum at the first place that has one."""
    (x, value), _ = search(BINARY64, lambda t: t if t >= 1 else None, [-1.0, 0.0, 2.0, 3.0], 1e-6)
    assert 1 <= x < 1 + 1e-5 and value == x
    assert valley.lowest(BINARY64, lambda t: None, [(0.0, None)], 1e-6) == (0.0, None)


def test_the_lowest_of_several_valleys_is_that_of_the_grid():
    """Among the valleys the grid's lowest point decides; the end of the grid may be the lowest."""
    (x, _), _ = search(BINARY64, lambda t: min((t - 1) ** 2, (t - 5) ** 2 - 1), [0.0, 1.0, 3.0, 5.5, 7.0], 1e-6)
    assert abs(x - 5) < 1e-5
    (x, _), _ = search(BINARY64, lambda t: t, [0.0, 1.0, 2.0], 1e-6)
    assert 0 <= x < 1e-5


def test_decimals_search_as_deep_as_they_are_asked():
    """In 30 digits the minimum of a quartic's valley is known to the width of 1e-12."""
    F = decimal(30)
    target = F.lift("0.123456789")
    grid = [F.lift(v) for v in (-1, 0, 1)]
    (x, _), _ = search(F, lambda t: (t - target) ** 2 * (1 + t * t), grid, F.lift("1e-12"))
    assert abs(x - target) < F.lift("1e-11")
