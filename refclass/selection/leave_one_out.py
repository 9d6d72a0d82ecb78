"""Leave-one-out: each observation judged by a model fitted to all the others."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Callable, TypeVar

from refclass.linear.vector import Vector
from refclass.sample.observations import Sample

Answer = TypeVar("Answer")


def left_out(sample: Sample, judge: Callable[[Sample, Vector], Answer]) -> Iterator[Answer]:
    """Yield, for each observation, what `judge(the others, it)` says.

    judge    fits a model to a sample and applies it to a point

    Cost      n fits
    """
    for i in range(sample.n):
        yield judge(sample.without(i), sample.X[i])


def support_share(alpha: Vector) -> Fraction:
    """Return a bound on the leave-one-out error rate of a support vector machine: no refit  [ESL-12.2.2-loo].

        leave-one-out errors ≤ #{i : αᵢ > 0}

    A point without a multiplier can go and nothing changes, and it is on its own side (RC-19). Where the intercept is
    not unique the bound is that of an intercept which stays.

    Exact     yes
    """
    return Fraction(sum(a > 0 for a in alpha), len(alpha))
