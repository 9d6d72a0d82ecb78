"""The hinge loss of the support vector machine."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Optional

from refclass.losses.conjugate_pieces import Piece, Pieces
from refclass.losses.loss import Interval, MarginLoss
from refclass.number.field import Field, Number


@dataclass(frozen=True)
class Hinge(MarginLoss):
    """The hinge loss  [ESL-12.25] [ESL-T12.1] [ISML-27.6.1-hinge] [MMST-11.3.9-hinge].

        L(m) = [1 − m]₊ = min ξ subject to ξ ≥ 1 − m, ξ ≥ 0  [ISML-27.6.1-slack]

    Exact    yes
    Laws     convex, above zero-one, decreasing

    Example
        >>> from fractions import Fraction
        >>> from refclass.number.rational import RATIONAL
        >>> Hinge()(RATIONAL, Fraction(1, 3)), Hinge().slopes(RATIONAL, Fraction(1))
        (Fraction(2, 3), (Fraction(-1, 1), Fraction(0, 1)))
    """

    exact: ClassVar[bool] = True
    smooth: ClassVar[bool] = False
    quadratic: ClassVar[bool] = True
    margin_maximising: ClassVar[bool] = True

    def value(self, F: Field, t: Number) -> Number:
        """Return [1 − m]₊."""
        return 1 - t if t < 1 else F.kind(0)

    def slopes(self, F: Field, t: Number) -> tuple[Number, Number]:
        """Return −1 below m = 1, 0 above it, and both at the kink."""
        return F.kind(-1 if t <= 1 else 0), F.kind(-1 if t < 1 else 0)

    def conjugate(self, F: Field, s: Number) -> Number:
        """Return s for −1 ≤ s ≤ 0."""
        self._slope_between(s, -1, 0)
        return s

    def pieces(self, F: Field) -> Optional[Pieces]:
        """Return 0 for 0 ≤ a ≤ 1  [ESL-12.25] [ISML-27.6.1-slack]."""
        zero, one = F.kind(0), F.kind(1)
        return (Piece(zero, zero, zero, one),)

    def _minimisers(self, F: Field, p: Number) -> tuple[Interval, ...]:
        # Every number from −1 to 1 where both classes are as likely  [ESL-T12.1].
        return ((F.kind(1 if 2 * p > 1 else -1), F.kind(1 if 2 * p >= 1 else -1)),)
