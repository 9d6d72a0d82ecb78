"""Degrees of freedom of a smoother: the ladder of operators, and the one of a given trace."""

import pytest

from refclass.errors import InvalidInput
from refclass.linear.vector import Vector
from refclass.number.binary64 import BINARY64 as F
from refclass.regress.spline import degrees_of_freedom
from refclass.regress.spline.smoother import Smoother

OWN = Smoother.of([float(k * k) for k in range(12)], Vector([1.0] * 12))


def test_the_ladder_reaches_from_the_interpolant_to_the_line():
    """λ rises, and the trace falls from nearly m to nearly 2."""
    rungs = degrees_of_freedom.ladder(F, OWN)
    traces = [r.degrees_of_freedom for r in rungs]
    assert traces == sorted(traces, reverse=True) and traces[0] > 11.99 and traces[-1] < 2.01


def test_a_limited_ladder_begins_at_its_limit():
    """The first operator attains the limit on the trace, none exceeds it."""
    rungs = degrees_of_freedom.ladder(F, OWN, 5.0)
    assert degrees_of_freedom.limited(OWN, 5.0) and not degrees_of_freedom.limited(OWN, 12.0)
    assert abs(rungs[0].degrees_of_freedom - 5) < 1e-9 and max(r.degrees_of_freedom for r in rungs) <= 5


def test_traces_out_of_range_are_refused():
    """No operator has fewer than two or more than m degrees of freedom."""
    for wanted in (1.5, 12.5):
        with pytest.raises(InvalidInput):
            degrees_of_freedom.with_degrees(F, OWN, wanted)
