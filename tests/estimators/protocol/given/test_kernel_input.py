"""Weights of classes."""

from __future__ import annotations

from fractions import Fraction

import pytest

from refclass.errors import InvalidInput
from refclass.estimators.protocol.given.kernel_input import class_weights
from refclass.number.rational import RATIONAL


@pytest.mark.parametrize(
    "given, want",
    [(None, [1, 1]), ("balanced", [Fraction(2, 3), 2]), ({"b": "1/2"}, [1, Fraction(1, 2)])],
)
def test_weights_are_ones_balanced_or_given(given, want):
    """Three observations of a, one of b: n/(K nₖ) are 4/6 and 4/2."""
    assert class_weights(RATIONAL, "svc", given, ["a", "b"], [0, 0, 1, 0]) == want


@pytest.mark.parametrize("given", ["none", {"c": 1}, {"a": -1}])
def test_other_weights_are_refused(given):
    """An unknown word, an unknown label, a weight below zero."""
    with pytest.raises(InvalidInput):
        class_weights(RATIONAL, "svc", given, ["a", "b"], [0, 1])
