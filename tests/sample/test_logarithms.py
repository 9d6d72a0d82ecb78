"""Logarithms of data that hold zeros."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from refclass import log_transform
from refclass.errors import InvalidInput, NotExact

columns = st.lists(st.one_of(st.just(0.0), st.floats(1e-3, 1e3)), min_size=2, max_size=8).filter(any)


@given(columns)
def test_order_is_kept_and_zeros_come_last(values):
    """A larger number has a larger logarithm, and a zero lies log 2 below the least positive one [LOG-ZERO.P1]."""
    found = [row[0] for row in log_transform([[v] for v in values])]
    least = min(v for v in values if v > 0)
    assert all((a < b) == (u < v) or a == b for a, u in zip(found, values) for b, v in zip(found, values))
    assert all(f == pytest.approx(math.log(least) - math.log(2)) for f, v in zip(found, values) if v == 0)


def test_test_rows_are_transformed_as_the_training_rows_were():
    """What stands for zero is set by the training rows alone; it is the same number at every precision
    [LOG-ZERO.P2]."""
    training = [[4.0], [0.0], [2.0]]
    assert log_transform([[0.0], [8.0]], training=training) == [[0.0], [math.log(8)]]
    (fine,) = log_transform([[0]], training=training, arithmetic="decimal:50")
    assert fine == [0]


def test_what_has_no_logarithm_is_refused():
    """A negative number, a column of zeros, and rational arithmetic."""
    with pytest.raises(InvalidInput, match="need numbers ≥ 0; got -1"):
        log_transform([[1.0], [-1.0]])
    with pytest.raises(InvalidInput, match="a positive number in each column"):
        log_transform([[0.0], [0.0]])
    with pytest.raises(NotExact):
        log_transform([[1], [2]], arithmetic="exact")
