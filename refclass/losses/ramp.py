"""The ramp losses, not convex: the hinge and the squared hinge, cut off at one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Optional

from refclass.losses.conjugate_pieces import Piece
from refclass.losses.hinge import Hinge
from refclass.losses.loss import Interval, MarginLoss, beyond
from refclass.losses.squared_hinge import SquaredHinge
from refclass.number.field import Field, Number


@dataclass(frozen=True)
class Capped(MarginLoss):
    """A convex loss of the margin, cut off at 1: min(1, L(m)). It is not convex; where m < 0 it is the constant 1."""

    name: ClassVar[str] = ""
    exact: ClassVar[bool] = True
    convex: ClassVar[bool] = False
    smooth: ClassVar[bool] = False
    margin_maximising: ClassVar[bool] = True

    def value(self, F: Field, t: Number) -> Number:
        """Return min(1, L(m))."""
        return min(F.kind(1), self.capped().value(F, t))

    def capped(self) -> MarginLoss:
        """Return the convex loss."""
        raise NotImplementedError

    def tangent(self, F: Field) -> Piece:
        """Return the piece of a convex function that touches the loss where m < 0 and lies above it, label 1."""
        raise NotImplementedError

    def _minimisers(self, F: Field, p: Number) -> tuple[Interval, ...]:
        return beyond(F.kind(1), p)


@dataclass(frozen=True)
class Ramp(Capped):
    """The ramp loss  [ISML-27.6.3-ramp].

        L(m) = min(1, max(0, 1 − m)) = [1 − m]₊ − [−m]₊

    Exact    yes
    Laws     above zero-one, decreasing, bounded
    """

    def slopes(self, F: Field, t: Number) -> tuple[Number, Number]:
        """Return −1 between 0 and 1, 0 outside, and both at the kinks."""
        return F.kind(-1 if 0 < t <= 1 else 0), F.kind(-1 if 0 <= t < 1 else 0)

    def capped(self) -> MarginLoss:
        """Return the hinge."""
        return Hinge()

    def tangent(self, F: Field) -> Piece:
        """Return the piece of max(1, m) − 1, m = 1 − r: the ramp where [−m]₊ is replaced by its tangent −m."""
        return Piece(F.kind(0), F.kind(0), F.kind(-1), F.kind(0))


@dataclass(frozen=True)
class SquaredRamp(Capped):
    """The squared ramp loss.

        L(m) = min(1, max(0, 1 − m))²

    ISML's is half of it  [ISML-27.6.3-squared]. Its slope jumps from 0 to −2 at m = 0, where it is concave.

    Exact    yes
    Laws     above zero-one, decreasing, bounded
    """

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
