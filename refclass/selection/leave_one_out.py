"""Leave-one-out: each observation judged by a model fitted to all the others."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Callable, TypeVar

from refclass.linear.vector import Vector
from refclass.number.field import Number
from refclass.sample.data import Sample

Answer = TypeVar("Answer")


def left_out(sample: Sample, judge: Callable[[Sample, Vector], Answer]) -> Iterator[Answer]:
    """Yield, for each observation, what `judge(the others, it)` says.

    judge    fits a model to a sample and applies it to a point

    Cost      n fits
    """
    for i in range(sample.n):
        yield judge(sample.without(i), sample.X[i])


def error_count(sample: Sample, judge: Callable[[Sample, Vector], int]) -> Number:
    """Return the total weight of the observations that a model fitted to all the others puts into a wrong class.

    judge    the same, returning a class number
    """
    total = sample.weights.kind(0)
    for g, w, said in zip(sample.labels, sample.weights, left_out(sample, judge)):
        if said != g:
            total = total + w
    return total
