"""Labels as numbers and back."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from refclass.errors import InvalidInput
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector
from refclass.number.rational import RATIONAL
from refclass.sample import data
from refclass.sample.indicator import codes, decode, indicator
from refclass.sample.mean import sizes
from tests.strategies import fractions, samples


@given(samples(classes=3))
def test_indicators_count_the_classes(drawn):
    """The rows of Y sum to one and YᵀY = diag(nₖ)  [YANG-optimal-scoring-matrix]."""
    sample = data.read(RATIONAL, *drawn)
    Y = indicator(sample)
    assert all(row.sum() == 1 for row in Y)
    assert Matrix.diagonal_of(sizes(sample)) == Y.T @ Y


@given(samples(classes=3), st.lists(fractions, min_size=3, max_size=3, unique=True))
def test_coding_and_decoding_is_the_identity(drawn, values):
    """Labels to codes and back are the labels, whatever distinct codes are used  [REG-FORM.P1] [YANG-format]."""
    sample = data.read(RATIONAL, *drawn)
    assert decode(codes(sample, Vector(values)), Vector(values)) == sample.labels


def test_codes_that_do_not_fit_are_refused():
    """Codes are distinct, as many as classes, and only codes can be decoded."""
    sample = data.read(RATIONAL, [[0], [1]], ["a", "b"])
    for values in ([1, 1], [1], [1, 2, 3]):
        with pytest.raises(InvalidInput, match="2 distinct values"):
            codes(sample, Vector([Fraction(v) for v in values]))
    with pytest.raises(InvalidInput, match=r"row=0"):
        decode(Vector([Fraction(3)]), Vector([Fraction(1), Fraction(2)]))
