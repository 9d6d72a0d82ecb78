"""Directions that keep the equality constraints: each variable against the reference of its sum."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Optional

from refclass.optimise.decomposition.reduced_cholesky import Factor
from refclass.optimise.limits import FLAT_RTOL, MOST_WORK

COMMON = -1  # the direction that raises every reference, among those named by their variables


Direction = dict[int, float]  # variables with the amounts by which they rise


class Basis:
    """Directions along which the free variables move, with the factor of the curvature along them.

    constraints    the structure of the problem
    reference      of each group with a free variable the one that falls where another one rises
    factor         the factor; its members are the other free variables
    """

    def __init__(self, constraints: Any) -> None:
        self.constraints, self.group = constraints, constraints.group
        self.reference: dict[int, int] = {}
        self.factor = Factor(lambda v, members: constraints.curvature(v, members, self.reference))

    def hold(self, free: Sequence[int]) -> None:
        """Take in these variables and no others, as far as the curvature of each does not follow from the others'."""
        wanted = set(free)
        for v in set(self.factor.members) - wanted:
            self.factor.drop(v, [0.0] * len(self.factor.members))
        for b in list(self.reference.values()):
            if b not in wanted:
                self.remove(b)
        known = wanted.intersection([*self.factor.members, *self.reference.values()])
        for v in free:
            if v not in known and not self.exhausted():
                self.add(v)

    def exhausted(self) -> bool:
        """Return whether the factor has taken as much work as it may."""
        return self.factor.work > MOST_WORK

    def held(self) -> set[int]:
        """Return the free variables that the basis moves."""
        return {*self.factor.members, *self.reference.values()} - {COMMON}

    def add(self, v: int) -> Optional[Direction]:
        """Take in a variable; where its curvature follows from that of the others, return the direction without it."""
        g = self.group(v)
        if g is not None and g not in self.reference:
            self.reference[g] = v
            return None
        new = self.factor.append(v)
        if new is None:
            return None
        back = self.factor.back(new)
        floor = FLAT_RTOL * max(map(abs, back), default=0.0)
        return self.direction([*self.factor.members, v], [*(-u if abs(u) > floor else 0.0 for u in back), 1.0])

    def remove(self, v: int, t: Sequence[float] = ()) -> list[float]:
        """Remove a variable; return L⁻¹h without its entry, given t = L⁻¹h."""
        factor = self.factor
        t = list(t) or [0.0] * len(factor.members)
        g = self.group(v)
        if g is None or self.reference.get(g) != v:
            return factor.drop(v, t)
        mine = [w for w in factor.members if w != COMMON and self.group(w) == g]
        if not mine:
            del self.reference[g]
            return factor.drop(COMMON, t) if COMMON in factor.members else t
        changes = {**dict.fromkeys(mine, 1), COMMON: -1}
        self.reference[g] = mine[0]
        return factor.drop(v, factor.rebase(mine[0], v, changes, t))

    def slopes(self, m: dict[int, float]) -> list[float]:
        """Return Zᵀm for m at the variables held."""
        base = {g: m[b] for g, b in self.reference.items()}
        return [
            sum(base.values()) if v == COMMON else m[v] - base[g] if (g := self.group(v)) is not None else m[v]
            for v in self.factor.members
        ]

    def direction(self, members: Sequence[int], u: Sequence[float]) -> Direction:
        """Return Z u."""
        p = dict.fromkeys(self.reference.values(), 0.0)
        for v, step in zip(members, u):
            if v == COMMON:
                p = {w: s + step if w in p else s for w, s in p.items()}
        for v, step in zip(members, u):
            if v != COMMON and step:
                g = self.group(v)
                p[v] = step
                if g is not None:
                    p[self.reference[g]] -= step
        return {v: step for v, step in p.items() if step}
