"""The points that the linear solver holds on the margin, and the minimum with them held."""

from __future__ import annotations

from collections.abc import Sequence
from operator import add, mul
from typing import Any

from refclass.linear.vector import dot, lossless
from refclass.number.field import Number
from refclass.optimise.limits import REFINEMENTS
from refclass.optimise.linear_svm.dual_basis import DualBasis
from refclass.optimise.linear_svm.slacks import Slacks

INACCURATE_RATIO = 16  # times as much: how far points held may be off their margins before the factor is rebuilt


class ActivePoints:
    """The point, the active points and the factor of their equations.

    costs          the costs Cᵢ
    theta          β and, with an intercept, β₀ after it
    slacks           the points, and the slack of those that may come near the margin
    inside_sum           Σ Cᵢyᵢ(xᵢ, 1) over the points inside the margin
    active           the points held
    multipliers    their aᵢ = yᵢαᵢ, at the minimum with the points held
    fresh          whether the equations of the points held have lost none of them since they were last built up
    """

    X: Sequence[Any]
    y: Sequence[Number]
    costs: Sequence[Number]
    zero: Number
    eps: Any
    border: bool
    slacks: Slacks
    theta: list[Number]
    inside_sum: list[Number]
    active: DualBasis
    multipliers: list[Number]
    fresh: bool

    def minimum(self) -> list[Number]:
        """Return the minimum with the points held and the others on their sides; keep its multipliers.

        β = inside_sum + Σ aᵢxᵢ,   Σ aᵢ = −inside_sum₀,   xᵢᵀβ + β₀ = yᵢ(1 + shiftᵢ) for the points held
        """
        beta = tuple(self.inside_sum[:-1] if self.border else self.inside_sum)
        held = self.active.members
        if not held:
            self.multipliers = []
            return [*beta, self.theta[-1]] if self.border else list(beta)
        X = [self.X[i] for i in held]
        values = [self.y[i] * self.margin(i) - dot(x, beta) for i, x in zip(held, X)]
        beta0, a = self.active.solve(-self.inside_sum[-1], values)
        columns = list(zip(*X))
        target = tuple([v + dot(a, column) for v, column in zip(beta, columns)])
        for _ in range(REFINEMENTS if self.eps else 0):
            missing = [self.y[i] * self.margin(i) - dot(x, target) - beta0 for i, x in zip(held, X)]
            if max(map(abs, missing)) <= self.eps * (1 + self.slacks.terms([*target, beta0])):
                break
            more, extra = self.active.solve(-self.inside_sum[-1] - sum(a) if self.border else self.zero, missing)
            beta0, a = beta0 + more, list(map(add, a, extra))
            target = tuple([v + dot(extra, column) for v, column in zip(target, columns)])
        self.multipliers = a
        return [*target, beta0] if self.border else list(target)

    def margin(self, i: int) -> Number:
        """Return the margin at which point i is on its margin: 1, unless margins are perturbed."""
        return self.zero + 1 if self.slacks.shift is None else 1 + self.slacks.shift[i]

    def refine(self, inside: Sequence[int]) -> None:
        """Refine the minimum with the points held by compensated summation, given those inside the margin.

        β and Σ αᵢyᵢ are sums over many points, in which large terms cancel: here they are summed without loss.
        """
        held = self.active.members
        if not held or not self.eps:
            return
        total = lossless(type(self.zero))
        weights = [*(self.costs[i] * self.y[i] for i in inside), *self.multipliers]
        beta = [total(map(mul, weights, column)) for column in zip(*[self.X[i] for i in [*inside, *held]])]
        self.theta = [*beta, self.theta[-1]] if self.border else beta
        beta0, a = self.active.solve(-total(weights), [self.y[i] * self.missing(i) for i in held])
        self.multipliers = list(map(add, self.multipliers, a))
        shift = [dot(a, column) for column in zip(*[self.X[i] for i in held])]
        self.theta = [v + s for v, s in zip(self.theta, [*shift, beta0] if self.border else shift)]

    def missing(self, i: int) -> Number:
        """Return the slack of point i, from theta."""
        beta, beta0 = (self.theta[:-1], self.theta[-1]) if self.border else (self.theta, self.zero)
        return self.margin(i) - self.y[i] * (dot(self.X[i], beta) + beta0)

    def inaccurate(self) -> bool:
        """Return whether the factor of the active points has lost accuracy and must be rebuilt."""
        if not self.eps or self.fresh:
            return False
        unit = INACCURATE_RATIO * self.eps * (1 + self.slacks.terms(self.theta))
        return any(abs(self.missing(i)) > unit for i in self.active.members)
