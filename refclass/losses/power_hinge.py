"""Powers of the hinge loss."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from refclass.losses.loss import Interval, MarginLoss, point
from refclass.number.field import Field, Number


@dataclass(frozen=True)
class PowerHinge(MarginLoss):
    """The hinge loss to the power of p, the slack with an exponent  [KIM-3.33].

        L(m) = [1 − m]₊^p        p > 1

    p = 2 is the squared hinge; for p = 1 there is `Hinge`, which has a kink. Below p = 2 the curvature grows without
    bound at m = 1; near p = 1 machines are solved by the proximal point method, as with a kink.

    Exact    no, but for whole p, where values and slopes are products
    Raises   InvalidInput unless p > 1
    Laws     convex, above zero-one, decreasing, smooth
    """

    p: Number
    exact: ClassVar[bool] = False
    margin_maximising: ClassVar[bool] = True

    def __post_init__(self) -> None:
        self._need(self.p > 1, "p > 1", self.p)

    def value(self, F: Field, t: Number) -> Number:
        """Return [1 − m]₊^p."""
        return _power(F, 1 - t, F.lift(self.p)) if t < 1 else F.kind(0)

    def slopes(self, F: Field, t: Number) -> tuple[Number, Number]:
        """Return −p[1 − m]₊^(p − 1), twice."""
        p = F.lift(self.p)
        s = -p * _power(F, 1 - t, p - 1) if t < 1 else F.kind(0)
        return s, s

    def curvature(self, F: Field, t: Number) -> Number:
        """Return p(p − 1)(1 − m)^(p − 2) below m = 1, at m = 1 its limit where it has one, else 0."""
        p = F.lift(self.p)
        if t == 1 and p == 2:
            return F.kind(2)
        return p * (p - 1) * _power(F, 1 - t, p - 2) if t < 1 else F.kind(0)

    def conjugate(self, F: Field, s: Number) -> Number:
        """Return s + (p − 1)d^p with d = (−s/p)^(1/(p − 1)), for s ≤ 0."""
        # Proof: st − (1 − t)^p with t = 1 − d is s − sd − d^p, largest where −s = pd^(p − 1): s + pd^p − d^p.
        self._slope_between(s, None, 0)
        p = F.lift(self.p)
        return s + (p - 1) * _power(F, _power(F, -s / p, 1 / (p - 1)), p) if s else s

    def _minimisers(self, F: Field, p: Number) -> tuple[Interval, ...]:
        # Proof: p(1 − f)^(q − 1) = (1 − p)(1 + f)^(q − 1) for the exponent q.
        odds = _power(F, p / (1 - p), 1 / (F.lift(self.p) - 1))
        return point((odds - 1) / (odds + 1))


def _power(F: Field, d: Number, p: Number) -> Number:
    """Return d^p for d > 0: of a whole p ≥ 0 as a product."""
    if p >= 0 and p == int(p):
        total = F.kind(1)
        for _ in range(int(p)):
            total = total * d
        return total
    return F.exp(p * F.log(d))
