"""The points that the linear solver holds on the edge of the band, and the minimum with them held."""

from __future__ import annotations

from collections.abc import Sequence
from operator import add, mul
from typing import Any

from refclass.linear.vector import dot, lossless
from refclass.number.field import Number
from refclass.optimise.linear_svm.dual_basis import Frame
from refclass.optimise.linear_svm.slacks import Band

FORGIVEN = 256  # units of roundoff that a multiplier, a speed or a length may differ from zero and still count as zero
REFINE = 3  # how often at most the minimum with the points held is refined
WORN = 16  # times as much: how far the points held may be from their edges before their equations are built up afresh


class Footing:
    """What an iteration stands on.

    costs          the costs Cᵢ
    theta          β and, with an intercept, β₀ after it
    band           the points, and the slack of those that may come near the edge
    pull           Σ Cᵢyᵢ(xᵢ, 1) over the points inside the band
    edge           the points held
    multipliers    their aᵢ = yᵢαᵢ, at the minimum with the points held
    fresh          whether the equations of the points held have lost none of them since they were last built up
    """

    X: Sequence[Any]
    y: Sequence[Number]
    costs: Sequence[Number]
    zero: Number
    eps: Any
    border: bool
    band: Band
    theta: list[Number]
    pull: list[Number]
    edge: Frame
    multipliers: list[Number]
    fresh: bool

    def take(self, i: int) -> bool:
        """Hold point i, unless its equation follows from those of the points held; say whether it is held.

        In rounded numbers it follows if what is left of it, less its part in the hull of those held, is roundoff.
        """
        return self.edge.take(i, self.X[i], self.eps * self.eps)

    def minimum(self) -> list[Number]:
        """Return the minimum with the points held and the others on their sides; keep its multipliers.

        β = pull + Σ aᵢxᵢ,   Σ aᵢ = −pull₀,   xᵢᵀβ + β₀ = yᵢ(1 + shiftᵢ) for the points held
        """
        beta = tuple(self.pull[:-1] if self.border else self.pull)
        held = self.edge.members
        if not held:
            self.multipliers = []
            return [*beta, self.theta[-1]] if self.border else list(beta)
        X = [self.X[i] for i in held]
        values = [self.y[i] * self.margin(i) - dot(x, beta) for i, x in zip(held, X)]
        beta0, a = self.edge.solve(-self.pull[-1], values)
        columns = list(zip(*X))
        target = tuple([v + dot(a, column) for v, column in zip(beta, columns)])
        for _ in range(REFINE if self.eps else 0):
            amiss = [self.y[i] * self.margin(i) - dot(x, target) - beta0 for i, x in zip(held, X)]
            if max(map(abs, amiss)) <= self.eps * (1 + self.band.terms([*target, beta0])):
                break
            more, extra = self.edge.solve(-self.pull[-1] - sum(a) if self.border else self.zero, amiss)
            beta0, a = beta0 + more, list(map(add, a, extra))
            target = tuple([v + dot(extra, column) for v, column in zip(target, columns)])
        self.multipliers = a
        return [*target, beta0] if self.border else list(target)

    def margin(self, i: int) -> Number:
        """Return the margin at which point i is on its edge: 1, unless the edge has been moved."""
        return self.zero + 1 if self.band.shift is None else 1 + self.band.shift[i]

    def sharpen(self, inside: Sequence[int]) -> None:
        """Put right what roundoff has left over at the minimum with the points held, given those inside the band.

        β and Σ αᵢyᵢ are sums over many points, in which large terms cancel: here they are summed without loss.
        """
        held = self.edge.members
        if not held or not self.eps:
            return
        total = lossless(type(self.zero))
        weights = [*(self.costs[i] * self.y[i] for i in inside), *self.multipliers]
        beta = [total(map(mul, weights, column)) for column in zip(*[self.X[i] for i in [*inside, *held]])]
        self.theta = [*beta, self.theta[-1]] if self.border else beta
        beta0, a = self.edge.solve(-total(weights), [self.y[i] * self.amiss(i) for i in held])
        self.multipliers = list(map(add, self.multipliers, a))
        shift = [dot(a, column) for column in zip(*[self.X[i] for i in held])]
        self.theta = [v + s for v, s in zip(self.theta, [*shift, beta0] if self.border else shift)]

    def amiss(self, i: int) -> Number:
        """Return the slack of point i, from theta."""
        beta, beta0 = (self.theta[:-1], self.theta[-1]) if self.border else (self.theta, self.zero)
        return self.margin(i) - self.y[i] * (dot(self.X[i], beta) + beta0)

    def worn(self) -> bool:
        """Whether roundoff has gathered in the equations of the points held: theta is off their edges."""
        if not self.eps or self.fresh:
            return False
        unit = WORN * self.eps * (1 + self.band.terms(self.theta))
        return any(abs(self.amiss(i)) > unit for i in self.edge.members)
