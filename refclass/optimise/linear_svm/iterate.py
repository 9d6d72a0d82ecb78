"""The iterate of the active-set method: θ, the side of each point, and the points held on the margin."""

from __future__ import annotations

from collections.abc import Sequence
from math import inf
from operator import add, mul
from typing import Any, Optional

from refclass.errors import NotConverged
from refclass.linear.vector import dot, lossless
from refclass.number.field import Number
from refclass.optimise.limits import REFINEMENTS, ROUNDOFF_UNITS
from refclass.optimise.linear_svm.dual_basis import DualBasis
from refclass.optimise.linear_svm.screened_points import Points

INACCURATE_RATIO = 16  # times as much: how far points held may be off their margins before the factor is rebuilt


class Iterate:
    """A point θ of the iteration, and its active set; a step changes them in place.

    points         the problem
    theta          β and, with an intercept, β₀ after it
    slack          of every point, zero for those held; empty where `correct_sides` is to compute it
    inside         whether a point counts as inside the margin (αᵢ = Cᵢ); if not it is held or counts as beyond (αᵢ = 0)
    inside_sum     q + Σ Cᵢzᵢ over the points inside
    active         the points held, and the factor of their equations
    multipliers    their aᵢ = yᵢαᵢ, at the minimum with the points held
    dependent      points met whose equations follow from those of the points held: they do not move along a direction,
                   but for roundoff
    """

    def __init__(
        self,
        points: Points,
        theta: Sequence[Number],
        members: Sequence[int] = (),
        sides: Sequence[bool] = (),
        slack: Optional[list[Number]] = None,
    ) -> None:
        self.points, self.theta = points, list(theta)
        self.slack = points.slack(theta) if slack is None else slack
        self.inside = list(sides) or [e > 0 for e in self.slack]
        self.active = DualBasis(max(points.sizes) if points.intercept else None)
        self.multipliers: list[Number] = []
        self.dependent: set[int] = set()
        for i in members:
            self.inside[i] = False
            self.active.take(i, points.X[i], points.eps * points.eps)
        for i in self.active.members if self.slack else ():
            self.slack[i] = points.zero
        self.inside_sum = points.weighed(self.inside)

    def toggle(self, chosen: Sequence[int]) -> None:
        """Toggle the margin side of these points and update Σ Cᵢzᵢ."""
        if not chosen:
            return
        points, weights = self.points, []
        for i in chosen:
            here = self.inside[i] = not self.inside[i]
            weights.append(points.costs[i] * points.y[i] if here else -points.costs[i] * points.y[i])
        changes = [dot(weights, column) for column in zip(*[points.X[i] for i in chosen])]
        self.inside_sum = list(map(add, self.inside_sum, [*changes, sum(weights)] if points.intercept else changes))

    def hold(self, i: int) -> None:
        """Hold a point from now on, unless its equation follows from those of the points held."""
        if not self.active.take(i, self.points.X[i], self.points.eps * self.points.eps):
            self.dependent.add(i)
        elif self.inside[i]:
            self.toggle([i])

    def move(self, d: Sequence[Number], speed: Sequence[Number], t: Number) -> None:
        """Add t d to θ; the slack of the points falls by t times their speed."""
        self.theta = [v + t * w for v, w in zip(self.theta, d)]
        self.slack = [e - t * s for e, s in zip(self.slack, speed)]
        self.check_digits()

    def unbalanced(self) -> bool:
        """Return whether no point is held and the objective falls along the intercept for ever."""
        if not self.points.intercept or self.active.members:
            return False
        return bool(abs(self.inside_sum[-1]) > self.points.eps * self.points.total_cost)

    def minimum(self) -> list[Number]:
        """Return the minimum with the points held and the others on their sides; keep its multipliers.

        β = inside_sum + Σ aᵢxᵢ,   Σ aᵢ = −inside_sum₀,   xᵢᵀβ + β₀ = yᵢ marginᵢ for the points held
        """
        points, held, intercept = self.points, self.active.members, self.points.intercept
        beta = tuple(self.inside_sum[:-1] if intercept else self.inside_sum)
        if not held:
            self.multipliers = []
            return [*beta, self.theta[-1]] if intercept else list(beta)
        X, targets = [points.X[i] for i in held], [points.y[i] * points.margins[i] for i in held]
        values = [v - dot(x, beta) for v, x in zip(targets, X)]
        beta0, a = self.active.solve(-self.inside_sum[-1], values)
        columns = list(zip(*X))
        target = tuple([v + dot(a, column) for v, column in zip(beta, columns)])
        for _ in range(REFINEMENTS if points.eps else 0):
            missing = [v - dot(x, target) - beta0 for v, x in zip(targets, X)]
            terms = points.terms([*target, beta0] if intercept else target)
            if max(map(abs, missing)) <= points.eps * (1 + terms):
                break
            more, extra = self.active.solve(-self.inside_sum[-1] - sum(a) if intercept else points.zero, missing)
            beta0, a = beta0 + more, list(map(add, a, extra))
            target = tuple([v + dot(extra, column) for v, column in zip(target, columns)])
        self.multipliers = a
        return [*target, beta0] if intercept else list(target)

    def refine(self) -> None:
        """Refine the minimum with the points held by compensated summation.

        β and Σ αᵢyᵢ are sums over many points, in which large terms cancel: here they are summed without loss.
        """
        points, held = self.points, self.active.members
        if not held or not points.eps:
            return
        inside = [i for i, here in enumerate(self.inside) if here]
        total = lossless(type(points.zero))
        weights = [*(points.costs[i] * points.y[i] for i in inside), *self.multipliers]
        beta = [total(map(mul, weights, column)) for column in zip(*[points.X[i] for i in [*inside, *held]])]
        self.theta = [*beta, self.theta[-1]] if points.intercept else beta
        beta0, a = self.active.solve(-total(weights), [points.y[i] * self.missing(i) for i in held])
        self.multipliers = list(map(add, self.multipliers, a))
        shift = [dot(a, column) for column in zip(*[points.X[i] for i in held])]
        self.theta = [v + s for v, s in zip(self.theta, [*shift, beta0] if points.intercept else shift)]

    def missing(self, i: int) -> Number:
        """Return the slack of point i, from theta."""
        p, points = len(self.points.X[i]), self.points
        beta0 = self.theta[-1] if points.intercept else points.zero
        return points.margins[i] - points.y[i] * (dot(points.X[i], self.theta[:p]) + beta0)

    def correct_sides(self) -> bool:
        """Recompute all slacks; return whether any point was on another side than it counted, and toggle those."""
        slack = self.slack = self.points.slack(self.theta)
        for i in self.active.members:
            slack[i] = self.points.zero
        unit = self.points.eps * (1 + self.points.terms(self.theta))
        wrong = [i for i, (e, here) in enumerate(zip(slack, self.inside)) if (e < -unit if here else e > unit)]
        self.toggle(wrong)
        return bool(wrong)

    def inaccurate(self) -> bool:
        """Return whether the factor of the active points has lost accuracy and must be rebuilt."""
        if not self.points.eps or self.active.fresh:
            return False
        unit = INACCURATE_RATIO * self.points.eps * (1 + self.points.terms(self.theta))
        return any(abs(self.missing(i)) > unit for i in self.active.members)

    def check_digits(self) -> None:
        """Raise NotConverged where the terms of a slack are so large that roundoff leaves no digit of it, or infinite.

        Exact     there is no roundoff, and nothing to check
        """
        if not self.points.eps:
            return
        terms = self.points.terms(self.theta)
        if not terms * self.points.eps < ROUNDOFF_UNITS:
            need, got = "slack that roundoff leaves a digit of", f"terms of {terms} in it"
            raise NotConverged("long_step", need=need, got=got, x=tuple(self.theta))

    def furthest_out(self) -> Optional[tuple[int, bool]]:
        """Return the place of the point held whose multiplier is furthest outside [0, Cᵢ], and whether it is above Cᵢ.

        Furthest by its gain: dropping point i lowers the objective by ½ excess² / dᵢ, d the diagonal of the inverse,
        if no other point is met; without end where roundoff leaves no dᵢ.
        """
        points = self.points
        size = max(map(abs, self.multipliers), default=points.zero)
        outside: list[tuple[Any, int, bool]] = []
        for k, (i, a) in enumerate(zip(self.active.members, self.multipliers)):
            alpha, c = points.y[i] * a, points.costs[i]
            excess = max(-alpha, alpha - c)
            if excess > points.eps * (size + c):
                outside.append((excess, k, alpha > c))
        if len(outside) > 1:
            inverse_diagonal = self.active.inverse_diagonal()
            outside = [(e * e / s if (s := inverse_diagonal[k]) else inf, k, above) for e, k, above in outside]
        return max(outside)[1:] if outside else None

    def alpha(self) -> list[Number]:
        """Return the multipliers αᵢ of all points at the minimum with the points held."""
        points = self.points
        alpha = [c if here else points.zero for c, here in zip(points.costs, self.inside)]
        for i, a in zip(self.active.members, self.multipliers):
            alpha[i] = min(max(points.y[i] * a, points.zero), points.costs[i])
        return alpha
