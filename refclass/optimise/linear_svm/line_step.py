"""One line search of the active-set method, and the points' sides.

    minimise ½‖β‖² + Σ Cᵢ [1 + shiftᵢ − zᵢᵀθ]₊        θ = (β, β₀), zᵢ = yᵢ(xᵢ, 1), Cᵢ > 0 finite

The shifts are zero, except where margins are perturbed for a while against cycling.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import compress
from math import inf
from operator import add, sub
from typing import Any, Optional

from refclass.errors import InvalidInput, NotConverged
from refclass.linear.vector import dot
from refclass.number.field import Number
from refclass.number.tolerance import roundoff
from refclass.optimise.limits import ROUNDOFF_UNITS
from refclass.optimise.linear_svm import line_search
from refclass.optimise.linear_svm.active_points import INACCURATE_RATIO, ActivePoints
from refclass.optimise.linear_svm.dual_basis import DualBasis
from refclass.optimise.linear_svm.slacks import Slacks

LOOKAHEAD_FACTOR = 4  # times the length of the last step: where the minimum is looked for, and which points are near
LARGEST = 2**490  # entry of a point of doubles: sums of squares of larger ones, or one over them, may leave the range


class LineStep(ActivePoints):
    """The iterate; a step changes it in place.

    theta          β and, with an intercept, β₀ after it
    slacks           the points, and the slack of those that may come near the margin
    inside         whether a point counts as inside the margin (αᵢ = Cᵢ); if not it is held or counts as beyond (αᵢ = 0)
    inside_sum           Σ Cᵢzᵢ over the points inside
    active           the points held
    multipliers    their aᵢ = yᵢαᵢ, at the minimum with the points held
    dependent      points met whose equations follow from those of the points held: they do not move along a direction,
                   but for roundoff
    far            how far the last steps went, as a distance in slack
    fresh          whether the equations of the points held have lost none of them since they were last built up
    """

    def __init__(
        self,
        X: Sequence[Any],
        y: Sequence[Number],
        costs: Sequence[Number],
        intercept: bool,
        theta: Optional[Sequence[Number]] = None,
        far: Any = 4.0,
    ) -> None:
        kind = type(y[0])
        self.zero, self.border = kind(0), intercept
        self.X, self.y, self.costs = X, y, costs
        self.eps = ROUNDOFF_UNITS * roundoff(kind)
        self.slacks = Slacks(X, y, intercept)
        if self.eps and self.slacks.size > LARGEST:
            need, got = f"entries up to {LARGEST:.0e}, whose squares doubles hold", self.slacks.size
            raise InvalidInput("long_step", need=need, got=got, column=self.slacks.sizes.index(got))
        self.theta = [self.zero] * len(self.slacks.columns) if theta is None else list(theta)
        self.multipliers: list[Number] = []
        self.far = far
        self.hold(())

    # -- the points and their sides

    def hold(self, members: Sequence[int], inside: Optional[Sequence[bool]] = None) -> None:
        """Begin at theta with these points held and no others; sides as given, or as the slack says."""
        slack = self.slacks.measure(self.theta)
        self.inside = [e > 0 for e in slack] if inside is None else list(inside)
        self.active, self.fresh = DualBasis(self.slacks.size if self.border else None), True
        self.dependent: set[int] = set()
        for i in members:
            self.inside[i] = False
            self.active.take(i, self.X[i], self.eps * self.eps)
        self.slacks.look(self.theta, slack, self.inside, self.active.members)
        self.gather()

    def gather(self) -> None:
        """Compute Σ Cᵢzᵢ over the points inside afresh."""
        inside = self.inside
        signed = tuple([c * t for c, t in zip(compress(self.costs, inside), compress(self.y, inside))])
        self.inside_sum = [dot(signed, tuple(compress(column, inside))) + self.zero for column in self.slacks.columns]

    def toggle(self, points: Sequence[int]) -> None:
        """Toggle the margin side of these points and update Σ Cᵢyᵢzᵢ."""
        weights = []
        for i in points:
            here = self.inside[i] = not self.inside[i]
            self.slacks.near.turn(i, here)
            weights.append(self.costs[i] * self.y[i] if here else -self.costs[i] * self.y[i])
        if points:
            changes = [dot(weights, column) for column in zip(*[self.X[i] for i in points])]
            self.inside_sum = list(map(add, self.inside_sum, [*changes, sum(weights)] if self.border else changes))

    # -- where to go

    def unbalanced(self) -> bool:
        """Whether no point is held and the objective falls along the intercept for ever."""
        if not self.border or self.active.members:
            return False
        return bool(abs(self.inside_sum[-1]) > self.eps * sum(self.costs))

    def aim(self) -> tuple[list[Number], Number, Number]:
        """Return the direction to the minimum with the points held, and the objective's slope and curvature along it.

        Proof: the objective is quadratic with the identity as Hessian in β and linear in β₀, so that at the step d to
        its minimum the slope is −‖d_β‖² and the curvature ‖d_β‖².
        """
        if self.unbalanced():
            fall = abs(self.inside_sum[-1])
            return [self.zero] * (len(self.theta) - 1) + [self.inside_sum[-1] / fall], -fall, self.zero
        d = list(map(sub, self.minimum(), self.theta))
        along = d[:-1] if self.border else d
        curvature = dot(along, along) + self.zero
        return d, -curvature, curvature

    # -- one step

    def step(self, short: bool = False) -> bool:
        """Go to the least value along the direction; say whether the minimum with the points held is reached.

        short    stop at the first break point, even where the objective falls beyond it
        """
        whole, slope, curvature = self.aim()
        if slope == 0 or len(self.active.members) == len(self.theta):
            return True
        unit = INACCURATE_RATIO * self.eps * (1 + self.slacks.terms(self.theta))
        if self.active.members and self.slacks.terms(whole) <= unit:
            return True  # Premise: no slack would change by more than roundoff
        share = self.share(whole, bool(curvature))
        while True:
            d = whole if share == 1 else [share * v for v in whole]
            bounded = bool(curvature) or share != 1
            if not self.prepare(d, bounded):
                return False
            breaks = self.breaks(d, bounded)
            t, passed, stop = line_search.least(share * slope, share * share * curvature, breaks)
            if share == 1 or (t is not None and t <= 1):
                break
            share = min(1, LOOKAHEAD_FACTOR * share) if curvature else 1
        if short and breaks:
            t, _, stop = min(breaks)
            passed = []
        elif t is None:  # Premise: the jumps along the intercept add up to |inside_sum₀|, in floats up to roundoff
            if not passed:
                raise NotConverged("long_step", need="numbers whose squares differ", got="roundoff, overflow")
            stop = passed.pop()
            t = max(breaks)[0]
        self.move(d, t, passed, stop)
        return share == 1 and not breaks

    def share(self, d: Sequence[Number], ends: bool) -> Any:
        """Return the part of the direction that is likely to hold the minimum: a few times the last step's length.

        Most steps stop long before the end of their direction, and a shorter one concerns fewer points. Where the
        direction has no end, 1 stands for all of it.
        """
        if not self.slacks.lazy:
            return 1
        length, ahead = self.slacks.distance(d), LOOKAHEAD_FACTOR * self.far
        return ahead / length if ahead < length or (length and not ends) else 1

    def prepare(self, d: Sequence[Number], bounded: bool) -> bool:
        """Look at the points that may change side along d, at more of them if need be.

        False if some were found on another side than they counted: the direction must then be aimed anew.
        """
        slacks = self.slacks
        if slacks.lazy:
            width = LOOKAHEAD_FACTOR * slacks.distance(d) if bounded else inf
            if bounded and slacks.covers(self.theta, d):
                slacks.narrow(self.theta, self.active.members, width)
            elif self.recompute_slacks(width):
                return False
        return True

    def recompute_slacks(self, width: Any = inf) -> bool:
        """Recompute all slacks and screen again; return whether any point was on another side than it counted."""
        slack = self.slacks.measure(self.theta)
        for i in self.active.members:
            slack[i] = self.zero
        unit = self.eps * (1 + self.slacks.terms(self.theta))
        wrong = [i for i, (e, here) in enumerate(zip(slack, self.inside)) if (e < -unit if here else e > unit)]
        self.slacks.look(self.theta, slack, self.inside, self.active.members, width)
        self.toggle(wrong)
        return bool(wrong)

    def breaks(self, d: Sequence[Number], bounded: bool) -> list[tuple[Number, Number, int]]:
        """Return (t, jump of the slope, point) for the points that change side; if bounded, before t = 1."""
        held, still = self.dependent.union(self.active.members), self.eps * self.slacks.terms(d)
        return [
            (max(e / s, self.zero), self.costs[i] * abs(s), i)
            for i, e, s in self.slacks.near.changing(d, bounded)
            if i not in held and abs(s) > still
        ]

    def move(self, d: Sequence[Number], t: Number, passed: Sequence[int], stop: Optional[int]) -> None:
        """Go t times the direction; the points passed change side, the one that it stops at is held."""
        self.theta = [v + t * w for v, w in zip(self.theta, d)]
        self.slacks.near.move(t)
        if self.slacks.lazy:
            self.far = max(t * self.slacks.distance(d), self.far / LOOKAHEAD_FACTOR)
        self.readable()
        self.toggle(passed)
        if stop is not None:
            before = self.inside[stop]
            if not self.active.take(stop, self.X[stop], self.eps * self.eps):
                self.dependent.add(stop)
            elif before:
                self.toggle([stop])
        self.slacks.near.hold(self.active.members, self.zero)

    def readable(self) -> None:
        """Raises NotConverged where the terms of a slack are so large that roundoff leaves no digit of it, or infinite.

        Exact     there is no roundoff, and nothing to look at
        """
        if not self.eps:
            return
        terms = self.slacks.terms(self.theta)
        if not terms * self.eps < ROUNDOFF_UNITS:
            need, got = "slack that roundoff leaves a digit of", f"terms of {terms} in it"
            raise NotConverged("long_step", need=need, got=got, x=tuple(self.theta))
