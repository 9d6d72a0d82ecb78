"""One stride of the long-step method, and the points' sides.

    minimise ½‖β‖² + Σ Cᵢ [1 + shiftᵢ − zᵢᵀθ]₊        θ = (β, β₀), zᵢ = yᵢ(xᵢ, 1), Cᵢ > 0 finite

The shifts are zero, except where edges are moved apart for a while against cycling.
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
from refclass.optimise.linear_svm import line_search
from refclass.optimise.linear_svm.active_points import FORGIVEN, WORN, Footing
from refclass.optimise.linear_svm.dual_basis import Frame
from refclass.optimise.linear_svm.slacks import SPARE, Band

WIDER = 4  # times the length of the last stride: where the minimum is looked for first
LARGEST = 2**490  # entry of a point of doubles: sums of squares of larger ones, or one over them, may leave the range


class Stride(Footing):
    """Where the iteration stands; a stride changes it in place.

    theta          β and, with an intercept, β₀ after it
    band           the points, and the slack of those that may come near the edge
    inside         whether a point counts as inside the band (αᵢ = Cᵢ); if not it is held or counts as beyond (αᵢ = 0)
    pull           Σ Cᵢzᵢ over the points inside
    edge           the points held
    multipliers    their aᵢ = yᵢαᵢ, at the minimum with the points held
    followers      points met whose equations follow from those of the points held: they do not move along a direction,
                   but for roundoff
    far            how far the last strides went, as a distance in slack
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
        self.eps = FORGIVEN * roundoff(kind)
        self.band = Band(X, y, intercept)
        if self.eps and self.band.size > LARGEST:
            need, got = f"entries up to {LARGEST:.0e}, whose squares doubles hold", self.band.size
            raise InvalidInput("long_step", need=need, got=got, column=self.band.sizes.index(got))
        self.theta = [self.zero] * len(self.band.columns) if theta is None else list(theta)
        self.multipliers: list[Number] = []
        self.far = far
        self.hold(())

    # -- the points and their sides

    def hold(self, members: Sequence[int], inside: Optional[Sequence[bool]] = None) -> None:
        """Begin at theta with these points held and no others; sides as given, or as the slack says."""
        slack = self.band.measure(self.theta)
        self.inside = [e > 0 for e in slack] if inside is None else list(inside)
        self.edge, self.fresh = Frame(self.band.size if self.border else None), True
        self.followers: set[int] = set()
        for i in members:
            self.inside[i] = False
            self.take(i)
        self.band.look(self.theta, slack, self.inside, self.edge.members)
        self.gather()

    def gather(self) -> None:
        """Compute the pull afresh."""
        inside = self.inside
        signed = tuple([c * t for c, t in zip(compress(self.costs, inside), compress(self.y, inside))])
        self.pull = [dot(signed, tuple(compress(column, inside))) + self.zero for column in self.band.columns]

    def cross(self, points: Sequence[int]) -> None:
        """Let points change side: those that counted as inside no longer do, the others now do."""
        weights = []
        for i in points:
            here = self.inside[i] = not self.inside[i]
            self.band.turn(i, here)
            weights.append(self.costs[i] * self.y[i] if here else -self.costs[i] * self.y[i])
        if points:
            changes = [dot(weights, column) for column in zip(*[self.X[i] for i in points])]
            self.pull = list(map(add, self.pull, [*changes, sum(weights)] if self.border else changes))

    # -- where to go

    def unbalanced(self) -> bool:
        """Whether no point is held and the objective falls along the intercept for ever."""
        if not self.border or self.edge.members:
            return False
        return bool(abs(self.pull[-1]) > self.eps * sum(self.costs))

    def aim(self) -> tuple[list[Number], Number, Number]:
        """Return the direction to the minimum with the points held, and the objective's slope and curvature along it.

        Proof: the objective is quadratic with the identity as Hessian in β and linear in β₀, so that at the step d to
        its minimum the slope is −‖d_β‖² and the curvature ‖d_β‖².
        """
        if self.unbalanced():
            fall = abs(self.pull[-1])
            return [self.zero] * (len(self.theta) - 1) + [self.pull[-1] / fall], -fall, self.zero
        d = list(map(sub, self.minimum(), self.theta))
        along = d[:-1] if self.border else d
        curvature = dot(along, along) + self.zero
        return d, -curvature, curvature

    # -- one stride

    def stride(self, short: bool = False) -> bool:
        """Go to the least value along the direction; say whether the minimum with the points held is reached.

        short    stop at the first break point, even where the objective falls beyond it
        """
        whole, slope, curvature = self.aim()
        if slope == 0 or len(self.edge.members) == len(self.theta):
            return True
        if self.edge.members and self.band.terms(whole) <= WORN * self.eps * (1 + self.band.terms(self.theta)):
            return True  # Premise: no slack would change by more than roundoff
        share = self.share(whole, bool(curvature))
        while True:
            d = whole if share == 1 else [share * v for v in whole]
            bounded = bool(curvature) or share != 1
            if not self.cover(d, bounded):
                return False
            breaks = self.breaks(d, bounded)
            t, passed, stop = line_search.least(share * slope, share * share * curvature, breaks)
            if share == 1 or (t is not None and t <= 1):
                break
            share = min(1, WIDER * share) if curvature else 1
        if short and breaks:
            t, _, stop = min(breaks)
            passed = []
        elif t is None:  # Premise: the jumps along the intercept add up to |pull₀|, in floats up to roundoff
            if not passed:
                raise NotConverged("long_step", need="numbers whose squares differ", got="roundoff, overflow")
            stop = passed.pop()
            t = max(breaks)[0]
        self.move(d, t, passed, stop)
        return share == 1 and not breaks

    def share(self, d: Sequence[Number], ends: bool) -> Any:
        """Return the part of the direction that is likely to hold the minimum: a few times the last stride's length.

        Most strides stop long before the end of their direction, and a shorter one concerns fewer points. Where the
        direction has no end, 1 stands for all of it.
        """
        if not self.band.lazy:
            return 1
        length = self.band.distance(d)
        return WIDER * self.far / length if WIDER * self.far < length or (length and not ends) else 1

    def cover(self, d: Sequence[Number], bounded: bool) -> bool:
        """Compute the speeds along d of the points that may change side, having looked at more of them if need be.

        False if some were found on another side than they counted: the direction must then be aimed anew.
        """
        band = self.band
        if band.lazy:
            width = SPARE * band.distance(d) if bounded else inf
            if bounded and band.covers(self.theta, d):
                band.narrow(self.theta, self.edge.members, width)
            elif self.survey(width):
                return False
        band.aim(d)
        return True

    def survey(self, width: Any = inf) -> bool:
        """Look at all points, then at those near the edge only; say whether any was not on the side that it counted."""
        slack = self.band.measure(self.theta)
        for i in self.edge.members:
            slack[i] = self.zero
        unit = self.eps * (1 + self.band.terms(self.theta))
        wrong = [i for i, (e, here) in enumerate(zip(slack, self.inside)) if (e < -unit if here else e > unit)]
        self.band.look(self.theta, slack, self.inside, self.edge.members, width)
        self.cross(wrong)
        return bool(wrong)

    def breaks(self, d: Sequence[Number], bounded: bool) -> list[tuple[Number, Number, int]]:
        """Return (t, jump of the slope, point) for the points that change side; if bounded, before t = 1."""
        held, still = self.followers.union(self.edge.members), self.eps * self.band.terms(d)
        return [
            (max(e / s, self.zero), self.costs[i] * abs(s), i)
            for i, e, s in self.band.changing(bounded)
            if i not in held and abs(s) > still
        ]

    def move(self, d: Sequence[Number], t: Number, passed: Sequence[int], stop: Optional[int]) -> None:
        """Go t times the direction; the points passed change side, the one that it stops at is held."""
        self.theta = [v + t * w for v, w in zip(self.theta, d)]
        self.band.move(t)
        if self.band.lazy:
            self.far = max(t * self.band.distance(d), self.far / WIDER)
        self.readable()
        self.cross(passed)
        if stop is not None:
            before = self.inside[stop]
            if not self.take(stop):
                self.followers.add(stop)
            elif before:
                self.cross([stop])
        self.band.hold(self.edge.members)

    def readable(self) -> None:
        """Raises NotConverged where the terms of a slack are so large that roundoff leaves no digit of it, or infinite.

        Exact     there is no roundoff, and nothing to look at
        """
        if not self.eps:
            return
        terms = self.band.terms(self.theta)
        if not terms * self.eps < FORGIVEN:
            need, got = "slack that roundoff leaves a digit of", f"terms of {terms} in it"
            raise NotConverged("long_step", need=need, got=got, x=tuple(self.theta))
