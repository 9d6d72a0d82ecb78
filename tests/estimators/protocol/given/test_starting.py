"""Starts that a user gives."""

from __future__ import annotations

import pytest

from refclass.errors import InvalidInput
from refclass.estimators.protocol.given.starting import coefficients
from refclass.number.rational import RATIONAL


def test_a_start_has_coefficients_and_perhaps_an_intercept():
    """Two numbers for two points, or three."""
    assert coefficients(RATIONAL, "kernel_classifier", [1, 2], 2, False) == ((1, 2), 0)
    assert coefficients(RATIONAL, "kernel_classifier", [1, 2, 3], 2, True) == ((1, 2), 3)


@pytest.mark.parametrize("start", [1, "12", {}, [1], [1, 2, 3]])
def test_other_starts_are_refused(start):
    """No list, too few numbers, an intercept where there is none."""
    with pytest.raises(InvalidInput):
        coefficients(RATIONAL, "kernel_classifier", start, 2, False)
