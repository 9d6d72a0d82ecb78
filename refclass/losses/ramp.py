"""The ramp loss: the hinge, cut off at one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from refclass.losses.conjugate_pieces import Piece
from refclass.losses.hinge import Hinge
from refclass.losses.loss import Capped, Interval, MarginLoss, beyond
from refclass.number.field import Field, Number


@dataclass(frozen=True)
class Ramp(Capped):
    """The ramp loss  [ISML-27.6.3-ramp].

        L(m) = min(1, max(0, 1 − m)) = [1 − m]₊ − [−m]₊

    Exact    yes
    Laws     above zero-one, decreasing, bounded
    """

    exact: ClassVar[bool] = True
    margin_maximising: ClassVar[bool] = True

    def value(self, F: Field, t: Number) -> Number:
        """Return min(1, max(0, 1 − m))."""
        return F.kind(1) if t <= 0 else 1 - t if t < 1 else F.kind(0)

    def slopes(self, F: Field, t: Number) -> tuple[Number, Number]:
        """Return −1 between 0 and 1, 0 outside, and both at the kinks."""
        return F.kind(-1 if 0 < t <= 1 else 0), F.kind(-1 if 0 <= t < 1 else 0)

    def capped(self) -> MarginLoss:
        """Return the hinge."""
        return Hinge()

    def tangent(self, F: Field) -> Piece:
        """Return the piece of max(1, m) − 1, m = 1 − r: the ramp where [−m]₊ is replaced by its tangent −m."""
        return Piece(F.kind(0), F.kind(0), F.kind(-1), F.kind(0))

    def _minimisers(self, F: Field, p: Number) -> tuple[Interval, ...]:
        return beyond(F.kind(1), p)
