"""The squared hinge with a straight left tail."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Optional

from refclass.losses.conjugate_pieces import Piece, Pieces
from refclass.losses.loss import Interval, MarginLoss, point
from refclass.number.field import Field, Number


@dataclass(frozen=True)
class Huberised(MarginLoss):
    """The "Huberised" squared hinge loss of Rosset and Zhu  [ESL-T12.1].

        L(m) = −4m if m < −1, otherwise [1 − m]₊²

    Exact    yes
    Laws     convex, above zero-one, decreasing, smooth
    """

    exact: ClassVar[bool] = True
    quadratic: ClassVar[bool] = True
    margin_maximising: ClassVar[bool] = True

    def value(self, F: Field, t: Number) -> Number:
        """Return −4m if m < −1, otherwise [1 − m]₊²."""
        if t < -1:
            return -4 * t
        return (1 - t) * (1 - t) if t < 1 else F.kind(0)

    def slopes(self, F: Field, t: Number) -> tuple[Number, Number]:
        """Return −4 if m < −1, otherwise −2[1 − m]₊, twice."""
        s = F.kind(-4) if t < -1 else 2 * (t - 1) if t < 1 else F.kind(0)
        return s, s

    def curvature(self, F: Field, t: Number) -> Number:
        """Return 2 from m = −1 to 1, 0 outside."""
        return F.kind(2 if -1 <= t <= 1 else 0)

    def conjugate(self, F: Field, s: Number) -> Number:
        """Return s + s²/4 for −4 ≤ s ≤ 0."""
        self._slope_between(s, -4, 0)
        return s + s * s / 4

    def pieces(self, F: Field) -> Optional[Pieces]:
        """Return a²/4 for 0 ≤ a ≤ 4  [ESL-T12.1]."""
        return (Piece(F.kind(0), F.kind(1) / 2, F.kind(0), F.kind(4)),)

    def curvature_bound(self, F: Field) -> Optional[Number]:
        """Return 2."""
        return F.kind(2)

    def _minimisers(self, F: Field, p: Number) -> tuple[Interval, ...]:
        return point(2 * p - 1)
