"""A few entries of a centred problem, moved by pairs and by tuples in closed form  [MMST-11.6-smo].

A pair is an entry that rises and one of the same class that falls; a tuple is an entry of each class that rises, or one
of each class that falls. Each keeps the sums of all classes equal, and some such motion lowers the objective at every
point that is not a minimum (see `centred`).
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate, compress
from operator import mul
from typing import Any, Optional

from refclass.optimise.multiclass import coupled
from refclass.optimise.quadratic.box import combine, gatherer

TINY = 1e-12  # a curvature below this part of the largest entry counts as none

Motion = list[tuple[int, int]]  # entries, each with +1 or −1


class Part:
    """The iteration on some entries of a problem, class by class.

    x, m, upper    the entries, minus their gradient, and their upper bounds
    starts         where each class begins, and the end
    value          how much the objective has changed
    """

    def __init__(self, K: Any, places: Sequence[Sequence[int]], x: Any, m: Any, upper: Any) -> None:
        """Take the entries at `places`, the points of each class; x, m and upper are those of the whole problem."""
        self.K, self.classes = K, len(places)
        self.points = [i for own in places for i in own]
        self.own = [k for k, points in enumerate(places) for _ in points]
        self.starts = list(accumulate(map(len, places), initial=0))
        self.x = [x[k][i] for i, k in zip(self.points, self.own)]
        self.m = [m[k][i] for i, k in zip(self.points, self.own)]
        self.upper = [upper[k][i] for i, k in zip(self.points, self.own)]
        self.rise = [v < top for v, top in zip(self.x, self.upper)]
        self.fall = [v > 0 for v in self.x]
        self.value = 0.0
        share = 1 / self.classes
        self.shares = [tuple([1 - share if k == own else -share for own in self.own]) for k in range(self.classes)]
        self.gather = gatherer(self.points)
        self.kept: dict[int, tuple[float, ...]] = {}
        self.floor = TINY * max(map(abs, self.gather(K.diagonal())))

    def row(self, w: int) -> tuple[float, ...]:
        """Return the row of the Hessian of entry w, over the entries of the part."""
        row = self.kept.get(w)
        if row is None:
            row = tuple(map(mul, self.gather(self.K.row(self.points[w])), self.shares[self.own[w]]))
            self.kept[w] = row
        return row

    def ends(self) -> tuple[list[coupled.End], list[coupled.End]]:
        """Return for each class the largest m of those that can rise, and the least of those that can fall."""
        m, rise, fall = ([v[a:b] for a, b in self.spans()] for v in (self.m, self.rise, self.fall))
        return coupled.ends(m, rise, fall)

    def spans(self) -> list[tuple[int, int]]:
        """Return where each class begins and ends."""
        return list(zip(self.starts, self.starts[1:]))

    def violation(self) -> float:
        """Return how far the best motion violates optimality."""
        return float(coupled.violation(*self.ends()))

    def choose(self, tol: float) -> Optional[Motion]:
        """Return the motion that violates optimality most; None if none does by more than tol."""
        lows, highs = self.ends()
        worst = coupled.violation(lows, highs)
        if worst <= tol:
            return None
        for k, (low, high) in enumerate(zip(lows, highs)):
            if low is not None and high is not None and low - high == worst:
                return [(self._place(low, k, self.rise), 1), (self._place(high, k, self.fall), -1)]
        if coupled.closed(lows) and sum(lows) / self.classes == worst:  # type: ignore[arg-type]
            return [(self._place(v, k, self.rise), 1) for k, v in enumerate(lows)]
        return [(self._place(v, k, self.fall), -1) for k, v in enumerate(highs)]

    def _place(self, value: Any, k: int, can: Sequence[bool]) -> int:
        w = self.m.index(value, self.starts[k])
        while not can[w]:
            w = self.m.index(value, w + 1)
        return w

    def step(self, motion: Motion) -> None:
        """Go along the motion to the least value, or to the first bound."""
        slope = sum(s * self.m[w] for w, s in motion)
        rows = [self.row(w) for w, _ in motion]
        curvature = sum(r * s * row[w] for (_, r), row in zip(motion, rows) for w, s in motion)
        t = min(self.upper[w] - self.x[w] if s > 0 else self.x[w] for w, s in motion)
        if curvature > self.floor:
            t = min(t, slope / curvature)
        self.value += t * (curvature * t / 2 - slope)
        for w, s in motion:
            self.move(w, s * t)
        if len(motion) == 2 and motion[1][1] < 0 < motion[0][1]:
            self.m = [v - t * (p - q) for v, p, q in zip(self.m, *rows)]
        else:
            self.m = combine(self.m, [-s * t for _, s in motion], rows)

    def move(self, w: int, t: float) -> None:
        """Raise entry w by t, within its bounds; m is left as it is."""
        v = min(max(self.x[w] + t, 0.0), self.upper[w])
        self.x[w], self.rise[w], self.fall[w] = v, v < self.upper[w], v > 0.0

    def free(self) -> list[int]:
        """Return the entries strictly between their bounds."""
        return list(compress(range(len(self.x)), map(mul, self.rise, self.fall)))
