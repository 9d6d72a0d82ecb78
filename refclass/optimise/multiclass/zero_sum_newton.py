"""The free directions of a problem in blocks, exchanges between two variables of a block, and Newton's method on them.

A variable below its bound is loose. In a block with several loose ones, one of them is its reference b; raising a loose
x_ik by as much as x_ib is lowered keeps the sum. Along these exchanges the curvature is

    R_(ik)(jm) = Q_ij ([k = m] − [k = b_j] − [b_i = m] + [b_i = b_j])

of which `Face` keeps an updated factor. The step over all of them leads to the minimum over the loose variables, or to
the first bound that is met; there that variable leaves, or if it was a reference, another one takes its place. An
exchange whose curvature follows from that of others is moved along the line on which the objective does not curve until
a bound is met, so that those left are independent.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, Optional

from refclass.optimise.decomposition.reduced_cholesky import Face

FAINT = 1e-10  # part of the largest motion below which a motion is roundoff
NEAR = 1e-3  # share of the largest room in its block below which a reference is given up

Move = dict[int, float]  # exchanges with the amounts by which they go


class Entries:
    """A row of R: its entry at an exchange is computed when it is asked for."""

    def __init__(self, row: Sequence[float], reference: dict[int, int], size: int, k: int, b: int) -> None:
        self.row, self.reference, self.size, self.k, self.b = row, reference, size, k, b

    def __getitem__(self, v: Any) -> float:
        j, m = divmod(v, self.size)
        c, k, b = self.reference[j], self.k, self.b
        sign = (k == m) - (k == c) - (b == m) + (b == c)
        return sign * self.row[j] if sign else 0.0


class Exchanges:
    """The exchanges among the loose variables of a point x.

    x, upper     K lists of n numbers, ∞ for no bound; x is moved in place
    reference    the reference of each block that has exchanges
    slope        the rate of the objective along each exchange
    face         the factor of R; exchange ik is number iK + k
    """

    def __init__(
        self, Q: Any, c: Sequence[Sequence[float]], x: list[list[float]], upper: Sequence[Sequence[float]]
    ) -> None:
        self.Q, self.c, self.x, self.upper, self.size = Q, c, x, upper, len(x)
        self.reference: dict[int, int] = {}
        self.slope: dict[int, float] = {}
        self.face = Face(self.entries, 0.0)

    def entries(self, v: int) -> Any:
        """Return row v of R."""
        i, k = divmod(v, self.size)
        return Entries(self.Q.row(i), self.reference, self.size, k, self.reference[i])

    def room(self, i: int, k: int) -> float:
        """Return how far x_ik is below its bound."""
        return self.upper[k][i] - self.x[k][i]

    def loose(self, i: int) -> list[int]:
        """Return the loose variables of block i."""
        return [k for k in range(self.size) if self.x[k][i] < self.upper[k][i]]

    def settle(self, g: Sequence[Sequence[float]]) -> Optional[Move]:
        """Hold the exchanges of the loose variables at the gradient g; return a ray if the objective falls for ever."""
        held, wanted = dict(self.reference), []
        self.slope = {}
        for i in range(len(g[0])):
            loose = self.loose(i)
            if len(loose) < 2:
                continue
            b = self._chosen(i, loose, held.get(i))
            for k in loose:
                if k != b:
                    self.slope[i * self.size + k] = g[k][i] - g[b][i]
                    wanted.append((min(self.room(i, k), self.room(i, b)), i * self.size + k))
            if held.get(i) != b:
                self._release(i)
                self.reference[i] = b
        self.face.without([v for v in self.face.members if v not in self.slope])
        for _, v in sorted(wanted, reverse=True):
            ray = self._join(v) if v not in self.face.members else None
            if ray is not None:
                return ray
        return None

    def _chosen(self, i: int, loose: list[int], held: Optional[int]) -> int:
        rooms = [self.room(i, k) for k in loose]
        most = max(rooms)
        if held in loose and self.room(i, held) > NEAR * min(most, 1.0 + abs(self.x[held][i])):
            return held
        return loose[rooms.index(most)]

    def _release(self, i: int) -> None:
        """Let the exchanges of block i leave the face."""
        gone = [v for v in self.face.members if v // self.size == i]
        if gone:
            self.face.without(gone)

    def _join(self, v: int) -> Optional[Move]:
        """Let exchange v join the face, or move with it until a bound is met; return a ray if there is none."""
        while v in self.slope:
            new = self.face.append(v)
            if new is None:
                return None
            back = self.face.back(new)
            floor = FAINT * max(map(abs, back), default=0.0)
            p = {w: -t for w, t in zip(self.face.members, back) if abs(t) > floor}
            p[v] = 1.0
            if sum(t * self.slope[w] for w, t in p.items()) > 0:
                p = {w: -t for w, t in p.items()}
            if self._limit(p)[1] is None and not self._falls(p):
                p = {w: -t for w, t in p.items()}
            part, hit = self._limit(p)
            if hit is None and self._falls(p):
                return p
            if hit is None:
                del self.slope[v]
                return None
            self._go(p, part)
            self._fix(hit)
        return None

    def _falls(self, p: Move) -> bool:
        """Return whether the objective falls along p, which Q does not see, by more than roundoff."""
        terms = []
        for v, t in p.items():
            i, k = divmod(v, self.size)
            terms.append(t * (self.c[k][i] - self.c[self.reference[i]][i]))
        return sum(terms) < -FAINT * sum(map(abs, terms))

    # -- the step over the face

    def newton(self) -> int:
        """Go to the minimum over the face, fixing variables at bounds met on the way; return how many there were."""
        face, met = self.face, 0
        while face.members:
            t = face.half([-self.slope[v] for v in face.members])
            p = dict(zip(face.members, face.motion(t)))
            part, hit = self._limit(p)
            part = min(part, 1.0)
            self._go(p, part)
            self.slope = {v: (1.0 - part) * self.slope[v] for v in face.members}
            if hit is None or part == 1.0:
                break
            met += 1
            self._fix(hit)
        return met

    def _totals(self, p: Move) -> dict[int, float]:
        """Return what the references lose along p."""
        totals: dict[int, float] = {}
        for v, t in p.items():
            totals[v // self.size] = totals.get(v // self.size, 0.0) + t
        return totals

    def _limit(self, p: Move) -> tuple[float, Optional[tuple[int, int]]]:
        """Return how many times p can be gone, and the variable that then meets its bound."""
        part, hit = math.inf, None
        for v, t in p.items():
            i, k = divmod(v, self.size)
            if t > 0 and self.room(i, k) < part * t:
                part, hit = self.room(i, k) / t, (i, k)
        for i, t in self._totals(p).items():
            b = self.reference[i]
            if t < 0 and self.room(i, b) < -part * t:
                part, hit = -self.room(i, b) / t, (i, b)
        return part, hit

    def _go(self, p: Move, part: float) -> None:
        x, upper = self.x, self.upper
        for v, t in p.items():
            i, k = divmod(v, self.size)
            x[k][i] = min(x[k][i] + part * t, upper[k][i])
        for i in self._totals(p):
            self._mend(i, self.reference[i])

    def _mend(self, i: int, b: int) -> None:
        """Give x_ib what makes block i sum to zero."""
        self.x[b][i] = min(-sum(self.x[k][i] for k in range(self.size) if k != b), self.upper[b][i])

    def _fix(self, hit: tuple[int, int]) -> None:
        """Put a variable exactly at its bound; it has no exchange any more."""
        i, k = hit
        self.x[k][i] = self.upper[k][i]
        b = self.reference[i]
        mine = [v for v in self.slope if v // self.size == i]
        if k != b:
            self._mend(i, b)
            v = i * self.size + k
            del self.slope[v]
            if v in self.face.members:
                self.face.without([v])
            return
        known = set(self.face.members)
        self._release(i)
        heir = max(mine, key=lambda v: self.room(i, v % self.size))
        base = self.slope[heir]
        self.reference[i] = heir % self.size
        self._mend(i, heir % self.size)
        del self.slope[heir]
        for v in mine:
            if v != heir:
                self.slope[v] -= base
                if v in known and self.face.append(v) is not None:
                    del self.slope[v]
