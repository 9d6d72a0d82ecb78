"""The exact phase of a centred problem: Newton's method on the free entries, the sums of all classes kept level.

The iteration is a primal active-set method on a part of the entries. With the free ones F not yet stationary, the
Newton step

    M p = h + Σ_k ν_k e_k,   1ᵀp_k the same for every k        h = m over F, e_k the entries of class k

leads to the minimum over F, or to a bound that is met on the way: that entry leaves F, and the rest of the step is
taken again without it. At the minimum over F those that violate optimality at their bounds join it. An entry whose
curvature follows from that of F cannot join: along with it F moves on a line on which the objective does not curve,
until a bound is met.

M is the Hessian of the kernel K + ρ: on motions that keep the sums level the constant changes nothing, but it makes M
positive definite as soon as it is so for those motions (`face`). With M = LLᵀ and t = L⁻¹h the step is L⁻ᵀ times t less
its part along the L⁻¹(e_k − e_m).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, Optional

from refclass.linear.vector import dot
from refclass.optimise.decomposition.reduced_cholesky import Face
from refclass.optimise.multiclass import coupled
from refclass.optimise.multiclass.coupled_smo import Part
from refclass.optimise.quadratic.box import combine

JOIN = 4  # entries that join the free ones at a time, for each class
IDLE = 3  # rounds without gain after which the phase ends, and one more for each class
ROUNDS = 100  # rounds of the phase, and one more for each entry, after which it is given up: roundoff shows gains
FAINT = 1e-10  # part of the largest motion below which a motion is roundoff
NEGLIGIBLE = 1e-15  # part of the terms of the objective below which a gain is roundoff
DEPENDENT = 1e-12  # part of its own size below which what is left of a direction is roundoff


class Entries:
    """A row of the Hessian of the kernel K + shift, its entries computed when asked for; entry v is k n + i."""

    def __init__(self, K: Any, classes: int, shift: float, v: int) -> None:
        self.n, self.shift = len(K), shift
        self.k, i = divmod(v, self.n)
        self.row, self.share = K.row(i), 1 / classes

    def __getitem__(self, v: int) -> float:
        k, i = divmod(v, self.n)
        value = self.row[i] + self.shift
        return float(value - value * self.share if k == self.k else -value * self.share)


def face(K: Any, classes: int) -> Face:
    """Return the factor, still empty, of the Hessian of K + ρ, ρ the largest diagonal entry of K."""
    shift = max(map(abs, K.diagonal())) or 1.0
    # Premise: `Face` asks a row only for single entries.
    row: Any = lambda v: Entries(K, classes, shift, v)  # noqa: E731
    return Face(row, 0.0)


def polish(part: Part, held: Face, tol: float) -> None:
    """Iterate to the minimum over the entries of the part, up to violations of tol; keep the factor."""
    _Phase(part, held, tol).run()


class _Phase:
    def __init__(self, part: Part, held: Face, tol: float) -> None:
        self.part, self.face, self.tol = part, held, tol
        n = len(part.K)
        self.names = [k * n + i for i, k in zip(part.points, part.own)]
        self.local = {v: w for w, v in enumerate(self.names)}
        self.old = list(part.x)

    def run(self) -> None:
        part = self.part
        self.face.settle(self.free())
        idle, join = 0, JOIN * part.classes
        for _ in range(len(part.x) + ROUNDS):
            if idle >= IDLE + part.classes:
                return
            before = part.value
            self.newton()
            waiting = self.violators()
            if not waiting:
                return
            if before - part.value > NEGLIGIBLE * sum(part.x):
                idle = 0
            else:
                idle, join = idle + 1, 1
            for w in waiting[:join]:
                if self.join(w):
                    break

    def free(self) -> list[int]:
        """Return the names of the free entries, those far from their bounds first."""
        part = self.part
        order = sorted(part.free(), key=lambda w: min(part.x[w], part.upper[w] - part.x[w]), reverse=True)
        return [self.names[w] for w in order]

    # --- the step over the free entries ---

    def newton(self) -> None:
        """Go to the minimum over the face; entries that meet a bound on the way leave it."""
        held, part = self.face, self.part
        t = held.half([part.m[self.local[v]] for v in held.members])
        while held.members:
            p = self.levelled(held.members, held.back(self.across(t)))
            part_gone, hit = self.go(p, 1.0)
            if hit is None:
                break
            t = held.drop(self.names[hit], [(1.0 - part_gone) * v for v in t])
        self.refresh()

    def across(self, t: list[float]) -> list[float]:
        """Return t without its part along the L⁻¹(e_k − e_m)."""
        held, last = self.face, self.part.classes - 1
        own = [self.part.own[self.local[v]] for v in held.members]
        known: list[list[float]] = []
        for k in range(last):
            e = [1.0 if j == k else -1.0 if j == last else 0.0 for j in own]
            if any(e):
                # Method: Gram and Schmidt, each direction cleared twice, which leaves roundoff only.
                q = held.half(e)
                size = math.hypot(*q)
                q = cleared(cleared(q, known), known)
                rest = math.hypot(*q)
                if rest > DEPENDENT * size:
                    known.append([v / rest for v in q])
        return cleared(t, known)

    def levelled(self, names: Sequence[int], p: Sequence[float]) -> dict[int, float]:
        """Return the motion of local entries, its sums made level where roundoff left them uneven."""
        motion = {self.local[v]: step for v, step in zip(names, p)}
        sums, first = [0.0] * self.part.classes, dict[int, int]()
        for w, step in motion.items():
            sums[self.part.own[w]] += step
            first.setdefault(self.part.own[w], w)
        mean = sum(sums) / len(sums) if len(first) == len(sums) else 0.0
        for k, w in first.items():
            motion[w] += mean - sums[k]
        return motion

    def go(self, p: dict[int, float], longest: float) -> tuple[float, Optional[int]]:
        """Go along p, at most `longest` times, up to the first bound; return how far, and who has met it."""
        part, far, hit = self.part, longest, None
        for w, v in p.items():
            if v:
                room = part.upper[w] - part.x[w] if v > 0 else -part.x[w]
                if room / v < far:
                    far, hit = room / v, w
        for w, v in p.items():
            part.move(w, far * v)
        if hit is not None:
            part.move(hit, part.upper[hit] if p[hit] > 0 else -part.upper[hit])
        return far, hit

    def refresh(self) -> None:
        """Compute m and the objective where x has gone."""
        part = self.part
        moved = [w for w, (a, b) in enumerate(zip(part.x, self.old)) if a != b]
        steps = [part.x[w] - self.old[w] for w in moved]
        before = [part.m[w] for w in moved]
        part.m = combine(part.m, [-s for s in steps], [part.row(w) for w in moved])
        part.value -= sum(s * (a + part.m[w]) for s, a, w in zip(steps, before, moved)) / 2
        self.old = list(part.x)

    # --- who joins ---

    def violators(self) -> list[int]:
        """Return the local entries that violate optimality against the face, worst first."""
        part = self.part
        members = {self.local[v] for v in self.face.members}
        lows, highs = part.ends()
        for k in range(part.classes):
            own = [part.m[w] for w in members if part.own[w] == k]
            if own:
                lows[k] = highs[k] = sum(own) / len(own)
        nu = coupled.levels(lows, highs, 0.0)
        wishes = [
            0.0 if w in members else v - nu[k] if up and v > nu[k] else nu[k] - v if down and v < nu[k] else 0.0
            for w, (v, k, up, down) in enumerate(zip(part.m, part.own, part.rise, part.fall))
        ]
        order = [w for w, wish in enumerate(wishes) if wish > self.tol]
        return sorted(order, key=wishes.__getitem__, reverse=True)

    def join(self, w: int) -> bool:
        """Let an entry join the face; where it cannot, move with it, and say so."""
        held, part = self.face, self.part
        new = held.append(self.names[w])
        if new is None:
            return False
        back = held.back(new)
        floor = FAINT * max(map(abs, back), default=0.0)
        pairs = [(v, -step) for v, step in zip(held.members, back) if abs(step) > floor]
        names, p = [v for v, _ in pairs], [step for _, step in pairs]
        motion = self.levelled([*names, self.names[w]], [*p, 1.0])
        slope = sum(v * part.m[j] for j, v in motion.items())
        if slope < 0:
            motion = {j: -v for j, v in motion.items()}
        _, hit = self.go(motion, math.inf)
        self.refresh()
        if hit is not None and hit != w:
            held.without([self.names[hit]])
        return True


def cleared(t: list[float], known: list[list[float]]) -> list[float]:
    """Return t without its part along orthonormal directions."""
    for q in known:
        c = dot(q, t)
        t = [v - c * w for v, w in zip(t, q)]
    return t
