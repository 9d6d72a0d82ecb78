"""The exact phase of the working-set engine: Newton's method on the free variables, bounds met and left one by one.

The iteration is a primal active-set method on a few variables. With the free ones F not yet stationary, the Newton step

    M p = −h,   h the gradient along F

leads to the minimum over F, or to a bound that is met on the way: that variable leaves F, and the rest of the step is
taken again without it; the gradient need not be computed anew for that, as it has only shrunk along the step. At the
minimum over F those that violate optimality at their bounds join it, the worst alone if several did not help. A
variable whose curvature follows from that of F cannot join: along with it F moves on a line on which the objective does
not curve, until a bound is met.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Optional

from refclass.optimise.decomposition.reduced_cholesky import Face
from refclass.optimise.decomposition.smo import Pairs
from refclass.optimise.quadratic.box import combine

JOIN = 8  # variables that join the free ones at a time
IDLE = 3  # rounds without gain after which the phase ends
FAINT = 1e-10  # part of the largest motion below which a motion is roundoff
NEGLIGIBLE = 1e-15  # part of the terms of the objective below which a gain is roundoff


def polish(pairs: Pairs, places: Sequence[int], face: Face, tol: float) -> Optional[dict[int, float]]:
    """Iterate to the minimum over the variables of `pairs`, up to violations of tol.

    places    the numbers of those variables in the whole problem
    face      the factor, kept from one call to the next
    Return a direction along which the objective falls for ever, if there is one.
    """
    return _Phase(pairs, places, face, tol).run()


class _Phase:
    def __init__(self, pairs: Pairs, places: Sequence[int], face: Face, tol: float) -> None:
        self.pairs, self.face, self.tol = pairs, face, tol
        self.places = places
        self.local = {i: k for k, i in enumerate(places)}
        self.old = list(pairs.x)

    def run(self) -> Optional[dict[int, float]]:
        pairs = self.pairs
        self.face.settle(self.free())
        idle, join, best = 0, JOIN, pairs.value
        while idle < IDLE:
            self.newton()
            waiting = self.violators()
            if not waiting:
                return None
            # Premise: where terms cancel, roundoff moves the value up and down, but it sets no record many times.
            if best - pairs.value > NEGLIGIBLE * sum(map(abs, pairs.x)):
                idle, best = 0, pairs.value
            else:
                idle, join = idle + 1, 1
            for i in waiting[:join]:
                moved, ray = self.join(i)
                if ray is not None:
                    return ray
                if moved:
                    break
        return None

    def free(self) -> list[int]:
        """Return the free variables, those far from their bounds first."""
        pairs = self.pairs
        free = [i for i, up, down in zip(self.places, pairs.rise, pairs.fall) if up and down]
        return sorted(free, key=self.slack, reverse=True)

    def slack(self, i: int) -> float:
        """Return how far a free variable is from its nearer bound."""
        k = self.local[i]
        x, low, high = self.pairs.x[k], self.pairs.lower[k], self.pairs.upper[k]
        return min(x - low if low is not None else math.inf, high - x if high is not None else math.inf)

    # -- the step over the free variables

    def newton(self) -> None:
        """Go to the minimum over the face; variables that meet a bound on the way leave it."""
        face, m, local = self.face, self.pairs.m, self.local
        t = face.half([m[local[i]] for i in face.members])
        while len(face.members) > self.pairs.paired:
            part, hit = self.go(dict(zip(face.members, face.motion(t))), 1.0)
            if hit is None:
                break
            t = face.drop(hit, [(1.0 - part) * v for v in t])
        self.refresh()

    def go(self, p: dict[int, float], longest: Optional[float]) -> tuple[float, Optional[int]]:
        """Go along p, at most `longest` times, up to the first bound; return how far, and who has met it."""
        pairs, local = self.pairs, self.local
        part, hit = math.inf if longest is None else longest, None
        for i, v in p.items():
            if v:
                k = local[i]
                bound = pairs.upper[k] if v > 0 else pairs.lower[k]
                if bound is not None and (bound - pairs.x[k]) / v < part:
                    part, hit = (bound - pairs.x[k]) / v, i
        if part == math.inf:
            return part, None
        for i, v in p.items():
            if v:
                pairs.move(local[i], part * v)
        if hit is not None:
            k = local[hit]
            bound = pairs.upper[k] if p[hit] > 0 else pairs.lower[k]
            pairs.move(k, bound - pairs.x[k])
        return part, hit

    def refresh(self) -> None:
        """Compute m and the objective where x has gone."""
        pairs = self.pairs
        moved = [k for k, (a, b) in enumerate(zip(pairs.x, self.old)) if a != b]
        steps = [pairs.x[k] - self.old[k] for k in moved]
        before = [pairs.m[k] for k in moved]
        pairs.m = combine(pairs.m, [-s for s in steps], [pairs.Q.row(k) for k in moved])
        pairs.value -= sum(s * (a + pairs.m[k]) for s, a, k in zip(steps, before, moved)) / 2
        self.old = list(pairs.x)

    # -- who joins

    def violators(self) -> list[int]:
        """Return those that violate optimality against the face, worst first."""
        pairs, moving = self.pairs, self.face.members
        nu = 0.0
        if pairs.paired:
            if not moving:
                return []
            nu = sum(pairs.m[self.local[i]] for i in moving) / len(moving)
        wishes = [
            (v - nu if up and v > nu else nu - v if down and v < nu else 0.0)
            for v, up, down in zip(pairs.m, pairs.rise, pairs.fall)
        ]
        for i in moving:
            wishes[self.local[i]] = 0.0
        order = sorted((k for k, w in enumerate(wishes) if w > self.tol), key=wishes.__getitem__, reverse=True)
        return [self.places[k] for k in order]

    def join(self, i: int) -> tuple[bool, Optional[dict[int, float]]]:
        """Let variable i join the face; where it cannot, move with it, and say so; a ray, if that never ends."""
        face = self.face
        new = face.append(i)
        if new is None:
            return False, None
        back = face.back(new)
        floor = FAINT * max(map(abs, back), default=0.0)
        p = {j: -v for j, v in zip(face.members, back) if abs(v) > floor}
        p[i] = -sum(p.values()) if self.pairs.paired else 1.0
        slope = sum(v * self.pairs.m[self.local[j]] for j, v in p.items())
        if slope < 0:
            p = {j: -v for j, v in p.items()}
        _, hit = self.go(p, None)
        if hit is None:
            return True, p
        self.refresh()
        if hit != i:
            face.without([hit])
        return True, None
