"""The squared error, as a loss of the margin."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Optional

from refclass.losses.conjugate_pieces import Piece, Pieces
from refclass.losses.loss import Interval, MarginLoss, point
from refclass.number.field import Field, Number


@dataclass(frozen=True)
class Squared(MarginLoss):
    """The squared error  [ESL-T12.1].

        L(m) = (1 − m)² = (y − f)²        because |y − f| = |1 − yf| for y = ±1  [MMST-11.67]

    It punishes a point for lying far on its own side.

    Exact    yes
    Laws     convex, above zero-one, smooth
    """

    exact: ClassVar[bool] = True
    quadratic: ClassVar[bool] = True
    margin_maximising: ClassVar[bool] = False

    def value(self, F: Field, t: Number) -> Number:
        """Return (1 − m)²."""
        return (1 - t) * (1 - t)

    def slopes(self, F: Field, t: Number) -> tuple[Number, Number]:
        """Return 2(m − 1), twice."""
        return 2 * (t - 1), 2 * (t - 1)

    def curvature(self, F: Field, t: Number) -> Number:
        """Return 2."""
        return F.kind(2)

    def conjugate(self, F: Field, s: Number) -> Number:
        """Return s + s²/4."""
        return s + s * s / 4

    def pieces(self, F: Field) -> Optional[Pieces]:
        """Return a²/4  [ESL-T12.1]."""
        return (Piece(F.kind(0), F.kind(1) / 2, None, None),)

    def curvature_bound(self, F: Field) -> Optional[Number]:
        """Return 2."""
        return F.kind(2)

    def _minimisers(self, F: Field, p: Number) -> tuple[Interval, ...]:
        return point(2 * p - 1)
