"""The squared ramp loss: the squared hinge, cut off at one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Optional

from refclass.losses.conjugate_pieces import Piece
from refclass.losses.loss import Capped, Interval, MarginLoss, beyond
from refclass.losses.squared_hinge import SquaredHinge
from refclass.number.field import Field, Number


@dataclass(frozen=True)
class SquaredRamp(Capped):
    """The squared ramp loss.

        L(m) = min(1, max(0, 1 − m))²

    ISML's is half of it  [ISML-27.6.3-squared]. Its slope jumps from 0 to −2 at m = 0, where it is concave.

    Exact    yes
    Laws     above zero-one, decreasing, bounded
    """

    exact: ClassVar[bool] = True
    margin_maximising: ClassVar[bool] = True

    def value(self, F: Field, t: Number) -> Number:
        """Return min(1, max(0, 1 − m))²."""
        return F.kind(1) if t <= 0 else (1 - t) * (1 - t) if t < 1 else F.kind(0)

    def slopes(self, F: Field, t: Number) -> tuple[Number, Number]:
        """Return 2(m − 1) between 0 and 1, 0 outside, and both at m = 0."""
        s = 2 * (t - 1) if 0 <= t < 1 else F.kind(0)
        return (F.kind(0), s) if t == 0 else (s, s)

    def capped(self) -> MarginLoss:
        """Return the squared hinge."""
        return SquaredHinge()

    def tangent(self, F: Field) -> Piece:
        """Return the piece of a constant: the squared ramp where the margin is negative."""
        return Piece(F.kind(0), F.kind(0), F.kind(0), F.kind(0))

    def curvature_bound(self, F: Field) -> Optional[Number]:
        """Return 2."""
        return F.kind(2)

    def target(self, F: Field, m: Number) -> Number:
        """Return 1 on [0, 1], m elsewhere  [ISML-27.6.3-retarget]."""
        return F.kind(1) if 0 <= m <= 1 else m

    def _minimisers(self, F: Field, p: Number) -> tuple[Interval, ...]:
        return beyond(F.kind(1), p)
