"""The gait of the long-step method: the points' sides, the points held, and one stride.

minimise ½‖β‖² + Σ Cᵢ [1 + shiftᵢ − zᵢᵀθ]₊        θ = (β, β₀), zᵢ = yᵢ(xᵢ, 1), Cᵢ > 0 finite
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import repeat
from operator import mul, neg, sub
from typing import Any, Optional

from refclass.errors import NotConverged
from refclass.linear.vector import dot
from refclass.number.field import Number
from refclass.number.near import roundoff
from refclass.optimise import pieces
from refclass.optimise.edge import Edge

FORGIVEN = 256  # units of roundoff that a multiplier, a speed or a pivot may differ from zero and still count as zero
PATIENCE = 4  # times the number of variables: strides without a gain, or without arriving, before a change of gait
WORN = 16  # times as much: how far the points held may be from their edges before their equations are built up afresh
RESTARTS = 8  # how often the edges may be moved apart


class Walk:
    """Where the walk stands; a stride changes it in place.

    theta          β and, with an intercept, β₀ after it
    slack          1 + shiftᵢ − zᵢᵀθ for every point; zero for those held
    inside         whether a point counts as inside the band (αᵢ = Cᵢ); if not it is held or counts as beyond (αᵢ = 0)
    pull           Σ Cᵢzᵢ over the points inside
    edge           the points held
    multipliers    their aᵢ = yᵢαᵢ, at the minimum with the points held
    fresh          whether the equations of the points held have lost none of them since they were last built up
    shift          how far the edge has been moved for each point, against cycling
    """

    def __init__(self, X: Sequence[Any], y: Sequence[Number], costs: Sequence[Number], intercept: bool) -> None:
        kind = type(y[0])
        self.zero, self.border = kind(0), intercept
        self.X, self.y, self.costs = X, y, costs
        self.Z = signed(X, y, intercept)
        self.eps = FORGIVEN * roundoff(kind)
        self.theta = [self.zero] * len(self.Z[0])
        self.shift = [self.zero] * len(y)
        self.multipliers: list[Number] = []
        self.hold(())

    # -- the points and their sides

    def hold(self, members: Sequence[int], inside: Optional[Sequence[bool]] = None) -> None:
        """Begin at theta with these points held and no others; sides as given, or as the slack says."""
        self.measure()
        self.fresh = True
        self.inside = [e > 0 for e in self.slack] if inside is None else list(inside)
        self.edge = Edge(type(self.zero), self.border)
        for i in members:
            self.inside[i] = False
            self.take(i)
        within = [i for i, here in enumerate(self.inside) if here]
        costs = tuple([self.costs[i] for i in within])
        self.pull = [dot(costs, column) for column in zip(*[self.Z[i] for i in within])]
        self.pull = self.pull or [self.zero] * len(self.theta)

    def measure(self) -> None:
        """Compute the slack of every point afresh at theta."""
        values = map(dot, self.Z, repeat(tuple(self.theta)))
        self.slack = [1 + s - v for s, v in zip(self.shift, values)]

    def take(self, i: int) -> bool:
        """Hold point i, unless its equation follows from those of the points held; say whether it is held."""
        x = self.X[i]
        products, square = [dot(x, self.X[j]) for j in self.edge.members], dot(x, x)
        if not self.edge.append(i, products, square, self.eps * square):
            return False
        self.slack[i] = self.zero
        return True

    def cross(self, i: int, inside: bool) -> None:
        """Let point i count as inside the band, or not."""
        self.inside[i] = inside
        c = self.costs[i] if inside else -self.costs[i]
        self.pull = [u + c * z for u, z in zip(self.pull, self.Z[i])]

    # -- where to go

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
        values = [self.y[i] * (1 + self.shift[i]) - dot(x, beta) for i, x in zip(held, X)]
        beta0, a = self.edge.solve(-self.pull[-1], values)
        self.multipliers = a
        target = [v + dot(a, column) for v, column in zip(beta, zip(*X))]
        return [*target, beta0] if self.border else target

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
        d, slope, curvature = self.aim()
        if slope == 0 or len(self.edge.members) == len(self.theta):
            return True
        speed = list(map(dot, self.Z, repeat(tuple(d))))
        breaks = self.breaks(d, speed, bounded=bool(curvature))
        if short and breaks:
            nearest = min(breaks)
            self.move(d, speed, nearest[0], [], nearest[2])
            return False
        t, passed, stop = pieces.least(slope, curvature, breaks)
        if t is None:  # Premise: the jumps along the intercept add up to |pull₀|, in floats up to roundoff
            stop = passed.pop()
            t = max(breaks)[0]
        self.move(d, speed, t, passed, stop)
        return not breaks

    def breaks(self, d: Sequence[Number], speed: Sequence[Number], bounded: bool) -> list[tuple[Number, Number, int]]:
        """Return (t, jump of the slope, point) for the points that change side; if bounded, before t = 1."""
        if bounded:
            ahead = map(sub, self.slack, speed)
            changing = [i for i, (here, e) in enumerate(zip(self.inside, ahead)) if here != (e > 0)]
        else:
            changing = [i for i, (here, s) in enumerate(zip(self.inside, speed)) if here == (s > 0)]
        held = set(self.edge.members)
        found = []
        for i in changing:
            s = speed[i]
            if i in held or s == 0:
                continue
            if self.eps and abs(s) <= self.eps * sum(map(abs, map(mul, self.Z[i], d))):
                continue
            found.append((max(self.slack[i] / s, self.zero), self.costs[i] * abs(s), i))
        return found

    def move(
        self, d: Sequence[Number], speed: Sequence[Number], t: Number, passed: Sequence[int], stop: Optional[int]
    ) -> None:
        """Go t times the direction; the points passed change side, the one that it stops at is held."""
        self.theta = [v + t * w for v, w in zip(self.theta, d)]
        self.slack = [e - t * s for e, s in zip(self.slack, speed)]
        for i in self.edge.members:
            self.slack[i] = self.zero
        for i in passed:
            self.cross(i, not self.inside[i])
        if stop is not None:
            before = self.inside[stop]
            if not self.take(stop) or before:
                self.cross(stop, not before)

    # -- the end

    def furthest_out(self) -> Optional[tuple[int, bool]]:
        """Return the place of the point whose multiplier is furthest outside [0, Cᵢ], and whether it is above Cᵢ.

        Furthest in what it promises: letting go of point i lowers the objective by ½ excess² / stiffnessᵢ if no other
        point is met.
        """
        best, found = self.zero, None
        size = max(map(abs, self.multipliers), default=self.zero)
        for k, (i, a) in enumerate(zip(self.edge.members, self.multipliers)):
            alpha, c = self.y[i] * a, self.costs[i]
            excess = max(-alpha, alpha - c)
            if excess > self.eps * (size + c):
                promise = excess * excess / self.edge.stiffness(k) if len(self.edge.members) > 1 else excess
                if found is None or promise > best:
                    best, found = promise, (k, alpha > c)
        return found

    def release(self) -> bool:
        """At the minimum with the points held, let go the one whose multiplier is furthest out; say whether any is."""
        out = self.furthest_out()
        if out is None:
            return False
        place, inward = out
        i = self.edge.members[place]
        self.edge.drop(place)
        self.fresh = False
        if inward:
            self.cross(i, True)
        return True

    def settle(self) -> bool:
        """Compute the minimum with the points held afresh on the true edge; say whether it is the optimum.

        If it is not, the walk can go on from there.
        """
        self.shift = [self.zero] * len(self.Z)
        self.hold(self.edge.members, self.inside)
        if self.unbalanced():
            return False
        self.theta = self.minimum()
        self.sharpen()
        self.measure()
        unit = self.eps * (1 + sum(map(abs, self.theta)) * max(max(map(abs, z)) for z in self.Z))
        for i in self.edge.members:
            self.slack[i] = self.zero
        wrong = [i for i, (e, here) in enumerate(zip(self.slack, self.inside)) if (e < -unit if here else e > unit)]
        for i in wrong:
            self.cross(i, not self.inside[i])
        return not wrong and self.furthest_out() is None

    def sharpen(self) -> None:
        """Move theta so that the points held are on the edge to the last digit: β, a sum over points, loses some."""
        held = self.edge.members
        if not held or not self.eps:
            return
        theta = tuple(self.theta)
        amiss = [self.y[i] * (1 - dot(self.Z[i], theta)) for i in held]
        beta0, a = self.edge.solve(self.zero, amiss)
        shift = [dot(a, column) for column in zip(*[self.X[i] for i in held])]
        self.theta = [v + s for v, s in zip(self.theta, [*shift, beta0] if self.border else shift)]

    def worn(self) -> bool:
        """Whether roundoff has gathered in the equations of the points held: theta is off their edges."""
        theta = tuple(self.theta)
        for i in self.edge.members if self.eps else ():
            size = 1 + sum(map(abs, map(mul, self.Z[i], theta)))
            if abs(1 + self.shift[i] - dot(self.Z[i], theta)) > WORN * self.eps * size and not self.fresh:
                return True
        return False

    def move_edges_apart(self, amount: Number) -> None:
        """Move the edge by a little for each point, each by another amount, and hold none.

        Proof: with the edges in general position no stride has length zero, so that the objective falls at each, no
        minimum with points held comes twice, and the walk ends. The conditions of optimality are closed: sides and
        points held that are optimal for arbitrarily small amounts are optimal for none.
        """
        self.shift = [amount * (1 + (7919 * i + 1) % 10007) / 10007 for i in range(len(self.Z))]
        self.hold(())

    def go(self) -> Iterator[None]:
        """Walk to the optimum, one turn for each stride.

        Method: long strides; after many that arrived nowhere, short ones until the minimum with some points held is
        reached, which can happen only finitely often with the objective falling; after many of length zero, the edges
        are moved apart, by less and less.

        Raises    NotConverged when roundoff hides the optimum
        """
        patience = PATIENCE * (len(self.theta) + 2)
        restarts = wandering = still = 0
        while True:
            before = self.theta
            reached = self.stride(short=wandering > patience)
            yield
            wandering = 0 if reached else wandering + 1
            far = max(map(abs, map(sub, self.theta, before)))
            still = still + 1 if far <= FORGIVEN * self.eps * max(map(abs, before)) else 0
            if reached and self.worn():
                self.hold(self.edge.members, self.inside)
            elif reached and not self.release():
                if self.settle():
                    return
                still += 1
            if still > patience:
                restarts, still = restarts + 1, 0
                if self.eps and restarts > RESTARTS:
                    raise NotConverged("long_step", need="a stride that lowers the objective", got="roundoff")
                self.move_edges_apart((self.zero + 1) / 2 ** (12 * restarts))

    def alpha(self) -> list[Number]:
        """Return the multipliers αᵢ of all points at the minimum with the points held."""
        alpha = [c if here else self.zero for c, here in zip(self.costs, self.inside)]
        for i, a in zip(self.edge.members, self.multipliers):
            alpha[i] = min(max(self.y[i] * a, self.zero), self.costs[i])
        return alpha


def signed(X: Sequence[Any], y: Sequence[Number], intercept: bool) -> list[tuple[Number, ...]]:
    """Return the signed points yᵢxᵢ, with an intercept yᵢ(xᵢ, 1)."""
    if intercept:
        return [(*x, t) if t > 0 else (*map(neg, x), t) for x, t in zip(X, y)]
    return [tuple(x) if t > 0 else tuple(map(neg, x)) for x, t in zip(X, y)]
