"""Samples: blocks of the classes, and columns whose variances doubles hold."""

from __future__ import annotations

import math
from fractions import Fraction

import pytest

from refclass.errors import InvalidInput
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector
from refclass.sample.observations import LEAST, Sample, representable

EDGES = [0.0, 1.0, math.nextafter(1.0, 2.0), 5e-324, 1e-155, 1e-147, 2e-147, 1e-140, 1e-131, 1e130, 1e147, 2e147, 1e160]


def of_column(values: list[float], weights: list[float]) -> Sample:
    """Return two classes that take turns, with one variable."""
    labels = tuple(i % 2 for i in range(len(values)))
    return Sample(Matrix([[v] for v in values]), labels, ("a", "b"), Vector(weights))


@pytest.mark.parametrize("first", EDGES)
def test_a_column_is_refused_by_its_spread_or_as_a_large_constant(first: float) -> None:
    """What norms let pass without a look at the spread has one that doubles can square, or none."""
    for other in EDGES + [math.nextafter(first, math.inf), -first]:
        spread = abs(Fraction(first) - Fraction(other))
        allowed = LEAST <= Fraction(float(spread)) <= 1 / LEAST if spread else abs(first) <= 1 / LEAST
        sample = of_column([first, other, first], [1.0] * 3)
        if allowed:
            representable(sample, "test")
        else:
            with pytest.raises(InvalidInput, match="column=0"):
                representable(sample, "test")


@pytest.mark.parametrize("weights", [[1.0] * 5, [2.0] * 5, [1.0, 2.0, 3.0, 4.0, 5.0]])
def test_blocks_keep_each_observation_with_its_weight(weights: list[float]) -> None:
    """Equal weights or not: a class has its rows in their order, each with its own weight."""
    blocks = of_column([1.0, 2.0, 3.0, 4.0, 5.0], weights).blocks
    assert [block.columns for block in blocks] == [((1.0, 3.0, 5.0),), ((2.0, 4.0),)]
    assert [tuple(block.weights) for block in blocks] == [tuple(weights[::2]), tuple(weights[1::2])]
