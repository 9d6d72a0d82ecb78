"""The squared hinge loss."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Optional

from refclass.losses.conjugate_pieces import Piece, Pieces
from refclass.losses.loss import Interval, MarginLoss, point
from refclass.number.field import Field, Number


@dataclass(frozen=True)
class SquaredHinge(MarginLoss):
    """The squared hinge loss  [ESL-12.3.2-squared-hinge].

        L(m) = [1 − m]₊² = (v − m)² with v = m + [1 − m]₊  [ISML-27.6.2-identity]

    ISML's is half of it: ½[1 − m]₊²  [ISML-27.6.2-loss].

    Exact    yes
    Laws     convex, above zero-one, decreasing, smooth
    """

    exact: ClassVar[bool] = True
    quadratic: ClassVar[bool] = True
    margin_maximising: ClassVar[bool] = True

    def value(self, F: Field, t: Number) -> Number:
        """Return [1 − m]₊²."""
        return (1 - t) * (1 - t) if t < 1 else F.kind(0)

    def slopes(self, F: Field, t: Number) -> tuple[Number, Number]:
        """Return −2[1 − m]₊, twice."""
        s = 2 * (t - 1) if t < 1 else F.kind(0)
        return s, s

    def curvature(self, F: Field, t: Number) -> Number:
        """Return 2 up to m = 1, then 0."""
        return F.kind(2 if t <= 1 else 0)

    def conjugate(self, F: Field, s: Number) -> Number:
        """Return s + s²/4 for s ≤ 0."""
        self._slope_between(s, None, 0)
        return s + s * s / 4

    def pieces(self, F: Field) -> Optional[Pieces]:
        """Return a²/4 for 0 ≤ a  [ESL-12.3.2-squared-hinge]."""
        return (Piece(F.kind(0), F.kind(1) / 2, F.kind(0), None),)

    def curvature_bound(self, F: Field) -> Optional[Number]:
        """Return 2."""
        return F.kind(2)

    def _minimisers(self, F: Field, p: Number) -> tuple[Interval, ...]:
        return point(2 * p - 1)
