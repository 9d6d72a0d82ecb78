"""The exact phase of decomposition: Newton's method on the free variables, an active-set method on a working set.

With the free variables F not yet stationary, the step within the constraints (Nocedal and Wright 15.3, 16.2),

    p = Z u,   ZᵀQZ u = Zᵀm        m minus the gradient, Z a basis of the directions along F that keep the sums

leads to the minimum over F, or to a bound that is met on the way: that variable leaves F, and the rest of the step is
taken again without it; the gradient need not be computed anew for that, as it has only shrunk along the step. At the
minimum over F those that violate optimality at their bounds join it, the worst alone if several did not help. A
variable whose curvature follows from that of F cannot join: along with it F moves on a line on which the objective does
not curve, until a bound is met.

In each group of variables whose sum is kept, one free variable is the reference: along a direction another one rises
and the reference falls. Where the sums of all groups need only be equal, one more direction raises every reference.
"""

from __future__ import annotations

import math
from typing import Any, Optional

from refclass.number.tolerance import roundoff
from refclass.optimise.decomposition.reduced_basis import COMMON, Basis, Direction
from refclass.optimise.decomposition.working_set import WorkingSet
from refclass.optimise.limits import BRIEF_PATIENCE

MAX_JOINING = 8  # variables that join the free ones at a time, for each sum: few enough that most of them stay free


def polish(part: WorkingSet, basis: Basis, tol: float) -> Optional[Direction]:
    """Iterate to the minimum over the variables of the working set, up to violations of tol.

    basis    kept from one call to the next
    Return a direction along which the objective falls for ever, if there is one.
    """
    return _Phase(part, basis, tol).run()


class _Phase:
    def __init__(self, part: WorkingSet, basis: Basis, tol: float) -> None:
        self.part, self.basis, self.tol = part, basis, tol
        self.local = {v: k for k, v in enumerate(part.names)}
        self.old = list(part.x)

    def run(self) -> Optional[Direction]:
        part, sums = self.part, self.basis.constraints.sums
        self.basis.hold(self.free())
        idle, join, best = 0, MAX_JOINING * max(1, sums // 2), part.value
        seen: set[tuple[frozenset[int], bytes]] = set()
        while idle < BRIEF_PATIENCE + sums and not self.basis.exhausted():
            ray = self.newton()
            waiting = [] if ray else self.violators()
            if not waiting:
                return ray
            # Premise: where terms cancel, roundoff moves the value up and down, and may lower it on and on; but an
            # active set comes twice by roundoff only.
            active = frozenset(self.basis.held()), bytes(map(bool, part.rise))
            terms = self.basis.constraints.scale * sum(map(abs, part.x)) + abs(best)
            if best - part.value > 4 * roundoff(float) * terms and active not in seen:
                idle, best = 0, part.value
            else:
                idle, join = idle + 1, 1
            seen.add(active)
            for v in waiting[:join]:
                p = self.basis.add(v)
                if p is not None:
                    ray = self.slide(p)
                    if ray is not None:
                        return ray
                    break
        return None

    def free(self) -> list[int]:
        """Return the free variables, those far from their bounds first."""
        part = self.part
        free = [k for k, (up, down) in enumerate(zip(part.rise, part.fall)) if up and down]
        return [part.names[k] for k in sorted(free, key=self.slack, reverse=True)]

    def slack(self, k: int) -> float:
        """Return how far a free variable is from its nearer bound."""
        x, low, high = self.part.x[k], self.part.lower[k], self.part.upper[k]
        return min(x - low if low is not None else math.inf, high - x if high is not None else math.inf)

    # --- the step over the free variables ---

    def newton(self) -> Optional[Direction]:
        """Go to the minimum over the free variables; those that meet a bound on the way leave them.

        Return a direction along which the objective falls for ever, if there is one.
        """
        basis, factor = self.basis, self.basis.factor
        ray = self.raise_all()
        if ray is not None:
            return ray
        t = factor.half(basis.slopes({v: self.part.m[self.local[v]] for v in basis.held()}))
        while factor.members and not basis.exhausted():
            length, hit = self.go(basis.direction(factor.members, factor.back(t)), 1.0)
            if hit is None:
                break
            t = basis.remove(hit, [(1.0 - length) * v for v in t])
        if COMMON in factor.members:
            factor.drop(COMMON, t)
        self.refresh()
        return None

    def raise_all(self) -> Optional[Direction]:
        """Append the direction that raises all references, or go along what it shows to have no curvature.

        Return a direction along which the objective falls for ever, if there is one.
        """
        basis, factor = self.basis, self.basis.factor
        while 0 < basis.constraints.common == len(basis.reference):
            new = factor.append(COMMON)
            if new is None:
                return None
            p = basis.direction([*factor.members, COMMON], [*(-u for u in factor.back(new)), 1.0])
            # Premise: where the objective does not fall along it, either, the others need not wait for a bound.
            if abs(self.slope(p)) <= self.tol:
                return None
            before = len(basis.held())
            ray = self.slide(p)
            if ray is not None or len(basis.held()) == before:
                return ray
        return None

    def slide(self, p: Direction) -> Optional[Direction]:
        """Go along a direction without curvature to the first bound; return it if there is none."""
        if self.slope(p) < 0:
            p = {v: -step for v, step in p.items()}
        _, hit = self.go(p, None)
        if hit is None and self.basis.constraints.falls(p):
            return p
        if hit is None:
            _, hit = self.go({v: -step for v, step in p.items()}, None)
        if hit is None:
            return None
        self.refresh()
        if hit in self.basis.held():
            self.basis.remove(hit)
        return None

    def slope(self, p: Direction) -> float:
        """Return how fast the objective falls along a direction."""
        return sum([step * self.part.m[self.local[v]] for v, step in p.items()])

    def go(self, p: Direction, longest: Optional[float]) -> tuple[float, Optional[int]]:
        """Go along p, at most `longest` times, to the first bound; return how many times, and the variable there."""
        part, local = self.part, self.local
        length, hit = math.inf if longest is None else longest, None
        for v, step in p.items():
            k = local[v]
            bound = part.upper[k] if step > 0 else part.lower[k]
            if bound is not None and (bound - part.x[k]) / step < length:
                length, hit = (bound - part.x[k]) / step, v
        if length == math.inf:
            return length, None
        for v, step in p.items():
            part.move(local[v], length * step)
        if hit is not None:
            k = local[hit]
            bound = part.upper[k] if p[hit] > 0 else part.lower[k]
            part.move(k, bound - part.x[k])
        return length, hit

    def refresh(self) -> None:
        """Compute m and the objective where x has gone."""
        part = self.part
        moved = [k for k, (a, b) in enumerate(zip(part.x, self.old)) if a != b]
        steps = [part.x[k] - self.old[k] for k in moved]
        before = [part.m[k] for k in moved]
        part.add(moved, steps)
        part.value -= sum([s * (a + part.m[k]) for s, a, k in zip(steps, before, moved)]) / 2
        self.old = list(part.x)

    # --- the variables that join ---

    def violators(self) -> list[int]:
        """Return those that violate optimality against the free variables, worst first."""
        part, group, held = self.part, self.basis.group, self.basis.held()
        sums: dict[Any, list[float]] = {}
        for v in held:
            sums.setdefault(group(v), []).append(part.m[self.local[v]])
        nu = self.basis.constraints.levels(part, {g: sum(own) / len(own) for g, own in sums.items()})
        found = []
        for v, m, up, down in zip(part.names, part.m, part.rise, part.fall):
            level = nu.get(group(v))
            if level is not None and v not in held:
                violation = m - level if up and m > level else level - m if down and m < level else 0.0
                if violation > self.tol:
                    found.append((violation, v))
        return [v for _, v in sorted(found, reverse=True)]
