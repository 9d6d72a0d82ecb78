"""The gait of the long-step method: whom the iteration lets go where it arrives, and how it ends."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from math import inf
from operator import sub
from typing import Any, Optional

from refclass.errors import NotConverged
from refclass.number.field import Number
from refclass.optimise.linear_svm.active_points import FORGIVEN
from refclass.optimise.linear_svm.line_step import Stride

PATIENCE = 4  # times the number of variables: strides without a gain, or without arriving, before a change of gait
TRUST = 2  # surprises at the end, after which only points that cannot have changed side go unlooked at
MOST = 50  # strides for each point and variable, in rounded numbers: many times what any data were seen to need
RESTARTS = 8  # how often the edges may be moved apart


class Walk(Stride):
    """The iteration: strides until the multipliers prove that it is at the optimum.

    surprises    how often at the end a point was not on the side that it counted
    """

    surprises = 0

    def furthest_out(self) -> Optional[tuple[int, bool]]:
        """Return the place of the point whose multiplier is furthest outside [0, Cᵢ], and whether it is above Cᵢ.

        Furthest in what it promises: letting go of point i lowers the objective by ½ excess² / stiffnessᵢ if no other
        point is met; without end where roundoff leaves no stiffness.
        """
        size = max(map(abs, self.multipliers), default=self.zero)
        outside: list[tuple[Any, int, bool]] = []
        for k, (i, a) in enumerate(zip(self.edge.members, self.multipliers)):
            alpha, c = self.y[i] * a, self.costs[i]
            excess = max(-alpha, alpha - c)
            if excess > self.eps * (size + c):
                outside.append((excess, k, alpha > c))
        if len(outside) > 1:
            stiffness = self.edge.stiffness()
            outside = [(e * e / s if (s := stiffness[k]) else inf, k, above) for e, k, above in outside]
        return max(outside)[1:] if outside else None

    def release(self) -> bool:
        """At the minimum with the points held, let go the one whose multiplier is furthest out; say whether any is."""
        out = self.furthest_out()
        if out is None:
            return False
        place, inward = out
        i = self.edge.members[place]
        self.edge.drop(place)
        self.followers.clear()
        self.fresh = False
        if inward:
            self.cross([i])
        return True

    def settle(self) -> bool:
        """Compute the minimum with the points held afresh on the true edge; say whether it is the optimum.

        If it is not, the iteration can go on from there.
        """
        moved, self.band.shift = self.band.shift, None
        if moved is None:
            self.gather()
        else:
            self.hold(self.edge.members, self.inside)
        if self.unbalanced():
            return False
        self.theta = self.minimum()
        self.sharpen([i for i, here in enumerate(self.inside) if here])
        self.readable()
        if self.survey():
            self.surprises += 1
            if self.surprises > TRUST:
                self.band.reach = self.band.sure
            return False
        return self.furthest_out() is None

    def move_edges_apart(self, amount: Number) -> None:
        """Move the edge by a little for each point, each by another amount, and hold none.

        Proof: with the edges in general position no stride has length zero, so that the objective falls at each, no
        minimum with points held comes twice, and the iteration ends. The conditions of optimality are closed: sides and
        points held that are optimal for arbitrarily small amounts are optimal for none.
        """
        self.band.shift = [amount * (1 + (7919 * i + 1) % 10007) / 10007 for i in range(len(self.y))]
        self.hold(())

    def go(self) -> Iterator[None]:
        """Iterate to the optimum, one turn for each stride.

        Method: long strides; after many that arrived nowhere, short ones until the minimum with some points held is
        reached, which can happen only finitely often with the objective falling; after many of length zero, the edges
        are moved apart, by less and less.

        Raises    NotConverged when roundoff hides the optimum
        """
        patience = PATIENCE * (len(self.theta) + 2)
        restarts = wandering = still = 0
        for count in itertools.count():
            if self.eps and count > MOST * (len(self.y) + len(self.theta)):
                raise NotConverged("long_step", need="an optimum", got=f"none after {count} strides")
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
