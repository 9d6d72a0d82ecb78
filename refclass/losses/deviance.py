"""The binomial deviance: the negative log-likelihood of logistic regression."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Optional

from refclass.losses.loss import Interval, MarginLoss, point
from refclass.number.field import Field, Number


@dataclass(frozen=True)
class Deviance(MarginLoss):
    """The binomial deviance  [ESL-T12.1].

        L(m) = log(1 + e^(−m))

    Statisticians also call twice this number the deviance.

    Exact    no
    Laws     convex, decreasing, smooth

    Example
        >>> from refclass.number.binary64 import BINARY64
        >>> Deviance()(BINARY64, 800.0), Deviance()(BINARY64, -800.0)
        (0.0, 800.0)
    """

    exact: ClassVar[bool] = False
    margin_maximising: ClassVar[bool] = True

    def value(self, F: Field, t: Number) -> Number:
        """Return log(1 + e^(−m))."""
        # Method: the exponential of −|m| never overflows, and log(1 + e) loses no digit where e is small:
        # with u = 1 + e as rounded, e log(u)/(u − 1) corrects the rounding of u.
        e = F.exp(-abs(t))
        u = 1 + e
        rest = e if u == 1 else F.log(u) * e / (u - 1)
        return rest if t >= 0 else rest - t

    def slopes(self, F: Field, t: Number) -> tuple[Number, Number]:
        """Return −1/(1 + e^m), twice."""
        e = F.exp(-abs(t))
        s = -e / (1 + e) if t >= 0 else -1 / (1 + e)
        return s, s

    def curvature(self, F: Field, t: Number) -> Number:
        """Return p(1 − p) with p = 1/(1 + e^(−m))."""
        e = F.exp(-abs(t))
        return e / ((1 + e) * (1 + e))

    def conjugate(self, F: Field, s: Number) -> Number:
        """Return q log q + (1 − q) log(1 − q) with q = −s in [0, 1]; 0 log 0 is 0."""
        self._slope_between(s, -1, 0)
        return sum((q * F.log(q) for q in (-s, 1 + s) if q > 0), F.kind(0))

    def curvature_bound(self, F: Field) -> Optional[Number]:
        """Return ¼, the largest p(1 − p)."""
        return F.kind(1) / 4

    def _minimisers(self, F: Field, p: Number) -> tuple[Interval, ...]:
        return point(F.log(p / (1 - p)))
