"""Primal active-set iteration: which point to drop at a minimum with points held, perturbation of ties, termination."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from math import inf
from operator import sub
from typing import Any, Optional

from refclass.errors import NotConverged
from refclass.number.field import Number
from refclass.optimise.limits import PATIENCE, ROUNDOFF_UNITS, most_steps
from refclass.optimise.linear_svm.line_step import LineStep

IDLE_STEPS_PER_UNKNOWN = 4  # steps without a gain, or without arriving, before steps are shortened
MAX_SURPRISES = 2  # surprises at the end, after which only points that cannot have changed side go unlooked at


class Iteration(LineStep):
    """Steps until the multipliers prove that the point is the optimum.

    surprises    how often at the end a point was not on the side that it counted
    """

    surprises = 0

    def furthest_out(self) -> Optional[tuple[int, bool]]:
        """Return the place of the point whose multiplier is furthest outside [0, Cᵢ], and whether it is above Cᵢ.

        Furthest by its gain: dropping point i lowers the objective by ½ excess² / dᵢ, d the diagonal of the inverse,
        if no other point is met; without end where roundoff leaves no dᵢ.
        """
        size = max(map(abs, self.multipliers), default=self.zero)
        outside: list[tuple[Any, int, bool]] = []
        for k, (i, a) in enumerate(zip(self.active.members, self.multipliers)):
            alpha, c = self.y[i] * a, self.costs[i]
            excess = max(-alpha, alpha - c)
            if excess > self.eps * (size + c):
                outside.append((excess, k, alpha > c))
        if len(outside) > 1:
            inverse_diagonal = self.active.inverse_diagonal()
            outside = [(e * e / s if (s := inverse_diagonal[k]) else inf, k, above) for e, k, above in outside]
        return max(outside)[1:] if outside else None

    def release(self) -> bool:
        """At the minimum with the points held, drop the one of the worst multiplier; return whether there is one."""
        out = self.furthest_out()
        if out is None:
            return False
        place, inward = out
        i = self.active.members[place]
        self.active.drop(place)
        self.dependent.clear()
        self.fresh = False
        if inward:
            self.toggle([i])
        return True

    def confirm(self) -> bool:
        """Compute the minimum with the points held afresh on the true margin; say whether it is the optimum.

        If it is not, the iteration can go on from there.
        """
        moved, self.slacks.shift = self.slacks.shift, None
        if moved is None:
            self.gather()
        else:
            self.hold(self.active.members, self.inside)
        if self.unbalanced():
            return False
        self.theta = self.minimum()
        self.refine([i for i, here in enumerate(self.inside) if here])
        self.readable()
        if self.recompute_slacks():
            self.surprises += 1
            if self.surprises > MAX_SURPRISES:
                self.slacks.reach = self.slacks.sure
            return False
        return self.furthest_out() is None

    def perturb_margins(self, amount: Number) -> None:
        """Perturb the margins to break ties (anti-cycling), each point's by another amount, and hold none.

        Proof: with the margins in general position no step has length zero, so that the objective falls at each, no
        minimum with points held comes twice, and the iteration ends. The conditions of optimality are closed: sides and
        points held that are optimal for arbitrarily small amounts are optimal for none.
        """
        self.slacks.shift = [amount * (1 + (7919 * i + 1) % 10007) / 10007 for i in range(len(self.y))]
        self.hold(())

    def go(self) -> Iterator[None]:
        """Iterate to the optimum, one turn for each step.

        Method: long steps; after many that arrived nowhere, short ones until the minimum with some points held is
        reached, which can happen only finitely often with the objective falling; after many of length zero, the margins
        are perturbed, by less and less.

        Raises    NotConverged when roundoff hides the optimum
        """
        patience = IDLE_STEPS_PER_UNKNOWN * (len(self.theta) + 2)
        restarts = wandering = still = 0
        for count in itertools.count():
            if self.eps and count > most_steps(len(self.y) + len(self.theta)):
                raise NotConverged("long_step", need="an optimum", got=f"none after {count} steps")
            before = self.theta
            reached = self.step(short=wandering > patience)
            yield
            wandering = 0 if reached else wandering + 1
            far = max(map(abs, map(sub, self.theta, before)))
            still = still + 1 if far <= ROUNDOFF_UNITS * self.eps * max(map(abs, before)) else 0
            if reached and self.inaccurate():
                self.hold(self.active.members, self.inside)
            elif reached and not self.release():
                if self.confirm():
                    return
                still += 1
            if still > patience:
                restarts, still = restarts + 1, 0
                if self.eps and restarts > PATIENCE:
                    raise NotConverged("long_step", need="a step that lowers the objective", got="roundoff")
                self.perturb_margins((self.zero + 1) / 2 ** (12 * restarts))

    def alpha(self) -> list[Number]:
        """Return the multipliers αᵢ of all points at the minimum with the points held."""
        alpha = [c if here else self.zero for c, here in zip(self.costs, self.inside)]
        for i, a in zip(self.active.members, self.multipliers):
            alpha[i] = min(max(self.y[i] * a, self.zero), self.costs[i])
        return alpha
