"""A working set of whole blocks, one for each point, whose entries sum to zero: steps in closed form, by sorting."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import chain
from typing import Any, Optional

from refclass.optimise.decomposition.working_set import FACTOR_STEPS, MAX_STEPS_PER_VARIABLE
from refclass.optimise.multiclass import zero_sum
from refclass.optimise.quadratic.box_rows import Kept, combine, gatherer


class Blocks:
    """A working set of whole blocks; fields as in `working_set.WorkingSet`, the entries class by class."""

    def __init__(self, constraints: Any, points: Sequence[int], x: Sequence[float], m: Sequence[float]) -> None:
        n, self.size = constraints.n, constraints.size
        self.rows, self.count = Kept(constraints.problem.Q, points), len(points)
        self.names = [k * n + i for k in range(self.size) for i in points]
        pick = gatherer(self.names)
        self.x, self.m = list(pick(x)), list(pick(m))
        self.lower, self.upper = (None,) * len(self.names), pick(constraints.upper)
        self.ends = [math.inf if u is None else u for u in self.upper]
        self.rise = [v < u for v, u in zip(self.x, self.ends)]
        self.fall = [True] * len(self.x)
        self.value = 0.0
        self.diagonal = [constraints.diagonal[i] for i in points]

    def block(self, values: Sequence[Any], j: int) -> list[Any]:
        """Return the entries of one point."""
        return list(values[j :: self.count])

    def excess(self, j: int) -> float:
        """Return how far the block of a point is from optimal."""
        m = self.block(self.m, j)
        return float(max([v for v, up in zip(m, self.block(self.rise, j)) if up], default=min(m)) - min(m))

    def violation(self) -> float:
        """Return how far the worst block is from optimal."""
        return max(map(self.excess, range(self.count)))

    def move(self, w: int, t: float) -> None:
        """Raise entry w by t, within its bound; m is left as it is."""
        v = min(self.x[w] + t, self.ends[w])
        self.x[w], self.rise[w] = v, v < self.ends[w]

    def add(self, moved: Sequence[int], steps: Sequence[float]) -> None:
        """Bring m up to date where these entries have risen by these steps; then let blocks sum to zero exactly."""
        columns = [self.m[k * self.count : (k + 1) * self.count] for k in range(self.size)]
        for k, own in enumerate(columns):
            mine = [(w % self.count, -s) for w, s in zip(moved, steps) if w // self.count == k]
            columns[k] = combine(own, [s for _, s in mine], [self.rows.row(j) for j, _ in mine])
        self.m = list(chain.from_iterable(columns))
        # Method: the entry of a block that is furthest below its bound takes what roundoff has made of the sum.
        for j in {w % self.count for w in moved}:
            places = range(j, len(self.x), self.count)
            w = max(places, key=lambda w: self.ends[w] - self.x[w])
            self.x[w] = min(-sum([self.x[u] for u in places if u != w]), self.ends[w])

    def descend(self, target: float, alone: bool, held: int) -> Optional[dict[int, float]]:
        """Minimise over one block after another until none violates optimality by more than the target.

        Where that takes many sweeps, end where Newton's method takes no longer for the exchanges that more would spare.
        """
        columns = [self.m[k * self.count : (k + 1) * self.count] for k in range(self.size)]
        ray, spared, steps = None, math.inf, 1
        while ray is None and steps and spared > FACTOR_STEPS * self.count * steps:
            before = steps = 0
            for _ in range(MAX_STEPS_PER_VARIABLE):
                taken, ray = self.sweep(columns, target)
                steps, before = steps + taken, before or self.exchanges()
                if ray is not None or not taken:
                    break
            spared = before**3 - self.exchanges() ** 3
        self.m = list(chain.from_iterable(columns))
        return ray

    def sweep(self, columns: list[list[float]], target: float) -> tuple[int, Optional[dict[int, float]]]:
        """Minimise once over each block that violates optimality by more than the target; return over how many.

        Return a ray as well, if there is one.
        """
        steps = 0
        for j in range(self.count):
            m = [own[j] for own in columns]
            if max([v for v, up in zip(m, self.block(self.rise, j)) if up], default=min(m)) - min(m) > target:
                steps, ray = steps + 1, self.minimise(j, m, columns)
                if ray is not None:
                    return steps, ray
        return steps, None

    def exchanges(self) -> int:
        """Return how many entries are below their bounds beside one of each block."""
        inside = list(map(sum, zip(*[self.rise[k : k + self.count] for k in range(0, len(self.rise), self.count)])))
        return sum(inside) - sum(map(bool, inside))

    def minimise(self, j: int, m: list[float], columns: list[list[float]]) -> Optional[dict[int, float]]:
        """Minimise over block j, and bring m up to date; return a ray if there is no minimum."""
        a, x, ends = self.diagonal[j], self.block(self.x, j), self.block(self.ends, j)
        b = [-v - a * w for v, w in zip(m, x)]
        new = zero_sum.minimum(a, b, self.block(self.upper, j))
        if new is None:
            up = min([k for k, u in enumerate(ends) if u == math.inf], key=b.__getitem__)
            return {self.names[up * self.count + j]: 1.0, self.names[b.index(max(b)) * self.count + j]: -1.0}
        k = max(range(self.size), key=lambda k: ends[k] - new[k])
        new[k] = new[k] - sum(new)
        row = self.rows.row(j)
        for k, (v, w) in enumerate(zip(new, x)):
            step = float(v - w)
            if step:
                self.value += step * (a * step / 2 - m[k])
                self.x[k * self.count + j], self.rise[k * self.count + j] = float(v), bool(v < ends[k])
                columns[k] = [p - step * q for p, q in zip(columns[k], row)]
        return None
