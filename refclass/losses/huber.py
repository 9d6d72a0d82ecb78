"""Huber's loss: a parabola that goes straight where residuals are large."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Optional

from refclass.losses.conjugate_pieces import Piece, Pieces
from refclass.losses.loss import Loss
from refclass.number.field import Field, Number


@dataclass(frozen=True)
class Huber(Loss):
    """Huber's loss  [ESL-12.38].

        V(r) = r²/2 if |r| ≤ c, otherwise c|r| − c²/2

    At c = 1.345 it estimates a normal location with 95 % of the mean's efficiency  [ESL-12.3.6-efficiency].

    Exact    yes
    Raises   InvalidInput unless c > 0
    Laws     convex, even, smooth
    """

    c: Number
    exact: ClassVar[bool] = True
    quadratic: ClassVar[bool] = True

    def __post_init__(self) -> None:
        self._need(self.c > 0, "c > 0", self.c)

    def value(self, F: Field, t: Number) -> Number:
        """Return r²/2 if |r| ≤ c, otherwise c|r| − c²/2."""
        c = self.c
        return t * t / 2 if abs(t) <= c else c * abs(t) - c * c / 2

    def slopes(self, F: Field, t: Number) -> tuple[Number, Number]:
        """Return r, cut off at ±c, twice."""
        s = max(-self.c, min(self.c, t))
        return s, s

    def curvature(self, F: Field, t: Number) -> Number:
        """Return 1 for |r| ≤ c, 0 beyond."""
        return F.kind(1 if abs(t) <= self.c else 0)

    def conjugate(self, F: Field, s: Number) -> Number:
        """Return s²/2 for |s| ≤ c."""
        self._slope_between(s, -self.c, self.c)
        return s * s / 2

    def pieces(self, F: Field) -> Optional[Pieces]:
        """Return a²/2 for |a| ≤ c  [ESL-12.38]."""
        return (Piece(F.kind(0), F.kind(1), -self.c, self.c),)
