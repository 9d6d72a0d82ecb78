"""The misclassification loss."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from refclass.errors import NoAnswer
from refclass.losses.loss import Interval, MarginLoss, beyond
from refclass.number.field import Field, Number


@dataclass(frozen=True)
class ZeroOne(MarginLoss):
    """The misclassification loss: one error is one.

        L(m) = 1 if m ≤ 0, else 0

    That m = 0 is an error is a convention of this package.

    Exact    yes
    Laws     above zero-one, decreasing, bounded

    Example
        >>> from refclass.number.binary64 import BINARY64
        >>> [ZeroOne()(BINARY64, m) for m in (-0.5, 0.0, 0.5)]
        [1.0, 1.0, 0.0]
    """

    exact: ClassVar[bool] = True
    convex: ClassVar[bool] = False
    smooth: ClassVar[bool] = False
    margin_maximising: ClassVar[bool] = False

    def value(self, F: Field, t: Number) -> Number:
        """Return 1 if m ≤ 0, else 0."""
        return F.kind(1) if t <= 0 else F.kind(0)

    def slopes(self, F: Field, t: Number) -> tuple[Number, Number]:
        """Return 0 and 0.  Raises NoAnswer at the jump, m = 0."""
        if t == 0:
            raise NoAnswer("zero_one", need="a margin other than 0, where the loss jumps", got=t)
        return F.kind(0), F.kind(0)

    def _minimisers(self, F: Field, p: Number) -> tuple[Interval, ...]:
        # Premise: every f of the right sign is as good; f = 0 itself, the end of the ray, is not (m = 0 is an error).
        return beyond(F.kind(0), p)
