"""The hinge loss with a rounded corner."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Optional

from refclass.losses.conjugate_pieces import Piece, Pieces
from refclass.losses.loss import Interval, MarginLoss, point
from refclass.number.field import Field, Number


@dataclass(frozen=True)
class HuberisedHinge(MarginLoss):
    """The Huberised hinge loss, which ISML's retargeting for the squared ramp minimises  [ISML-27.6.3-retarget].

        L(m) = ½ − m if m < 0, otherwise ½[1 − m]₊²

    It is the hinge smoothed: never more than ½ below it, with the same slopes left of 0 and right of 1.

    Exact    yes
    Laws     convex, decreasing, smooth
    """

    exact: ClassVar[bool] = True
    quadratic: ClassVar[bool] = True
    margin_maximising: ClassVar[bool] = True

    def value(self, F: Field, t: Number) -> Number:
        """Return ½ − m if m < 0, otherwise ½[1 − m]₊²."""
        if t < 0:
            return F.kind(1) / 2 - t
        return (1 - t) * (1 - t) / 2 if t < 1 else F.kind(0)

    def slopes(self, F: Field, t: Number) -> tuple[Number, Number]:
        """Return −min(1, [1 − m]₊), twice."""
        s = F.kind(-1) if t < 0 else t - 1 if t < 1 else F.kind(0)
        return s, s

    def curvature(self, F: Field, t: Number) -> Number:
        """Return 1 from m = 0 to 1, 0 outside."""
        return F.kind(1 if 0 <= t <= 1 else 0)

    def conjugate(self, F: Field, s: Number) -> Number:
        """Return s + s²/2 for −1 ≤ s ≤ 0."""
        self._slope_between(s, -1, 0)
        return s + s * s / 2

    def pieces(self, F: Field) -> Optional[Pieces]:
        """Return a²/2 for 0 ≤ a ≤ 1."""
        zero, one = F.kind(0), F.kind(1)
        return (Piece(zero, one, zero, one),)

    def curvature_bound(self, F: Field) -> Optional[Number]:
        """Return 1."""
        return F.kind(1)

    def _minimisers(self, F: Field, p: Number) -> tuple[Interval, ...]:
        # Proof: for p ≥ ½ the minimum lies in [0, 1], where the expected slope is −p(1 − f) + (1 − p).
        return point((2 * p - 1) / max(p, 1 - p))
