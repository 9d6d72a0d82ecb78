"""A working set of a machine with equal sums: steps in closed form by pairs of a class, and tuples of all classes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import accumulate
from operator import mul
from typing import Any, Optional

from refclass.optimise.decomposition import working_set
from refclass.optimise.decomposition.reduced_cholesky import PIVOT_RTOL
from refclass.optimise.multiclass import intercept_levels
from refclass.optimise.quadratic.box_rows import Kept, combine, gatherer

Motion = list[tuple[int, int]]  # entries, each with +1 or −1


class Rows(Kept):
    """Rows of the Hessian over the entries of a working set: those of K, times the shares of the entries' classes.

    places, own    the point of each entry, and its class
    """

    def __init__(self, K: Any, names: Sequence[int], n: int, classes: int) -> None:
        super().__init__(K, [v % n for v in names])
        self.own, share = [v // n for v in names], 1 / classes
        self.shares = [tuple([1 - share if k == own else -share for own in self.own]) for k in range(classes)]

    def entries(self, k: int) -> Iterable[float]:
        """Return the row of entry k."""
        return map(mul, super().entries(k), self.shares[self.own[k]])


class Tuples:
    """A working set, class by class, that moves by pairs and tuples; fields as in `working_set.WorkingSet`."""

    def __init__(self, constraints: Any, names: Sequence[int], x: Sequence[float], m: Sequence[float]) -> None:
        self.names = sorted(names)
        self.classes = constraints.common
        self.rows = Rows(constraints.K, self.names, constraints.n, self.classes)
        counts = [self.rows.own.count(k) for k in range(self.classes)]
        self.starts = list(accumulate(counts, initial=0))
        pick = gatherer(self.names)
        self.x, self.m = list(pick(x)), list(pick(m))
        self.lower, self.upper = [0.0] * len(self.x), list(pick(constraints.upper))
        self.rise = [v < top for v, top in zip(self.x, self.upper)]
        self.fall = [v > 0.0 for v in self.x]
        self.value, self.steps = 0.0, 0
        self.floor = PIVOT_RTOL * max(map(abs, self.rows.diagonal()))

    def ends(self) -> tuple[list[intercept_levels.End], list[intercept_levels.End]]:
        """Return for each class the largest m of those that can rise, and the least of those that can fall."""
        spans = list(zip(self.starts, self.starts[1:]))
        m, rise, fall = ([v[a:b] for a, b in spans] for v in (self.m, self.rise, self.fall))
        return intercept_levels.ends(m, rise, fall)

    def violation(self) -> float:
        """Return how far the best motion violates optimality."""
        return float(intercept_levels.violation(*self.ends()))

    def steepest(self, tol: float) -> Optional[Motion]:
        """Return the motion that violates optimality most; None if none does by more than tol."""
        lows, highs = self.ends()
        worst = intercept_levels.violation(lows, highs)
        if worst <= tol:
            return None
        for k, (low, high) in enumerate(zip(lows, highs)):
            if low is not None and high is not None and low - high == worst:
                return [(self._place(low, k, self.rise), 1), (self._place(high, k, self.fall), -1)]
        if intercept_levels.closed(lows) and sum(lows) / self.classes == worst:  # type: ignore[arg-type]
            return [(self._place(v, k, self.rise), 1) for k, v in enumerate(lows)]
        return [(self._place(v, k, self.fall), -1) for k, v in enumerate(highs)]

    def _place(self, value: Any, k: int, can: Sequence[bool]) -> int:
        w = self.m.index(value, self.starts[k])
        while not can[w]:
            w = self.m.index(value, w + 1)
        return w

    def entries(self, motion: Motion) -> Iterable[int]:
        """Return the entries that a motion moves."""
        return [w for w, _ in motion]

    def take(self, motion: Motion) -> None:
        """Go along the motion to the least value, or to the first bound."""
        slope = sum([s * self.m[w] for w, s in motion])
        rows = [self.rows.row(w) for w, _ in motion]
        curvature = sum(r * s * row[w] for (_, r), row in zip(motion, rows) for w, s in motion)
        t = min([self.upper[w] - self.x[w] if s > 0 else self.x[w] for w, s in motion])
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

    def add(self, moved: Sequence[int], steps: Sequence[float]) -> None:
        """Bring m up to date where these entries have risen by these steps."""
        self.m = combine(self.m, [-s for s in steps], [self.rows.row(w) for w in moved])

    def descend(self, target: float, alone: bool, held: int) -> Optional[dict[int, float]]:
        """Move by pairs and tuples towards violations of at most the target."""
        working_set.descend(self, target, alone, held)
        return None
