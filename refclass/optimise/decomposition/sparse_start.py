"""Starting points where few entries of Q matter: a primal-dual active-set method (Hintermüller, Ito and Kunisch 2003).

    minimise ½xᵀQx + cᵀx subject to bounds and one sum, or none; entries |Qᵢⱼ| ≤ δ √(Qᵢᵢ Qⱼⱼ) counted as zero

The Gram matrix of a narrow kernel has a large diagonal and few other entries above roundoff. Nearly all variables are
then free at the optimum, too many for a dense factor, and a sparse one is cheap. Each step solves for the variables
held free, the others at a bound; the free ones that left their bounds go to them, and those whose multiplier has the
wrong sign become free, all at once, until nothing changes. Nothing depends on whether that ends at the optimum:
decomposition goes on from the feasible point nearest to it, with all entries.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Optional

from refclass.linear.factorisations import sparse_ldl
from refclass.number.tolerance import roundoff
from refclass.optimise.limits import BRIEF_PATIENCE, NEWTON_STEPS, REFINEMENTS, ROUNDOFF_UNITS
from refclass.optimise.quadratic.certificate import Problem

LEAST = 1000  # variables up to which decomposition with a dense factor takes seconds at most
SAMPLE = 25  # rows that are looked at first, at most
SPARSE = 33  # of so many entries one may matter: with more, a sparse factor fills up
HELD = sparse_ldl.BLOCKING / 2  # a pivot beyond it holds its variable where it is

Entries = list[tuple[int, float]]


def found(problem: Problem, summed: bool) -> Optional[list[float]]:
    """Return a point to start from; None where Q is small or not sparse.

    summed    whether Σ xᵢ is given

    Cost      some SAMPLE rows of Q at most where it is not sparse; else all, and a sparse factor a step
    """
    if len(problem.Q) <= LEAST:
        return None
    rows = sparse_rows(problem)
    return None if rows is None else _Sets(problem, rows, summed).run()


def sparse_rows(problem: Problem) -> Optional[list[Entries]]:
    """Return the entries below the diagonal that matter, row by row; None if a sample has too many."""
    n, unit = len(problem.Q), roundoff(float)
    diagonal = list(problem.Q.diagonal())
    if min(diagonal) <= 0:
        return None
    roots = [math.sqrt(v) for v in diagonal]
    floors = [unit * r for r in roots]
    few = range(0, n, max(1, n // SAMPLE))
    total = 0
    for i in few:
        total += sum([abs(v) > f * roots[i] for v, f in zip(problem.Q.row(i), floors)])
        if total * SPARSE > n * len(few):
            return None
    rows: list[Entries] = [[]] * n
    # Method: from the last on, as the first ones are asked for next, and the store may forget the others.
    for i in reversed(range(n)):
        root = roots[i]
        rows[i] = [(j, v) for j, (v, f) in enumerate(zip(problem.Q.row(i)[:i], floors)) if abs(v) > f * root]
    return rows


class _Sets:
    """The iteration.

    x, m      the point, and minus its gradient by the entries that matter
    nu        the multiplier of the sum
    free      which variables are free; the others are at a bound
    """

    def __init__(self, problem: Problem, rows: Sequence[Entries], summed: bool) -> None:
        self.problem, self.summed = problem, summed
        self.diagonal = list(problem.Q.diagonal())
        self.rows = [[*row, (i, d)] for i, (row, d) in enumerate(zip(rows, self.diagonal))]
        # Method: one order of elimination for all steps, since nearly all variables are free at each.
        self.plan = sparse_ldl.plan(_neighbours(rows))
        self.tol = ROUNDOFF_UNITS * roundoff(float) * (problem.c.largest() or 1)
        self.x = [_between(float(0), low, high) for low, high in zip(problem.lower, problem.upper)]
        self.m = self.slopes()
        self.nu = sum(self.m) / len(self.m) if summed else float(0)
        self.free = [self.moves(i) for i in range(len(self.x))]

    def run(self) -> Optional[list[float]]:
        """Return the point at which the sets no longer change, or where they are at last; None beyond the doubles."""
        least, patience = len(self.x) + 1, BRIEF_PATIENCE
        for _ in range(NEWTON_STEPS):
            changes = self.changes(self.solve())
            if not changes:
                break
            # Method: all at once as long as fewer and fewer are wrong, then one, until there are fewer than ever: block
            # principal pivoting (Júdice and Pires 1994).
            fewer = len(changes) < least
            least, patience = (len(changes), BRIEF_PATIENCE) if fewer else (least, patience - 1)
            for i, end in changes if patience > 0 else changes[-1:]:
                self.free[i] = end is None
                self.x[i] = self.x[i] if end is None else end
        return self.x if all(map(math.isfinite, self.x)) else None

    def slopes(self) -> list[float]:
        """Return −(Qx + c) by the entries that matter."""
        x, out = self.x, [-v for v in self.problem.c]
        for i, row in enumerate(self.rows):
            out[i] -= sum([v * x[j] for j, v in row])
            t = x[i]
            if t:
                for j, v in row[:-1]:
                    out[j] -= v * t
        return out

    def moves(self, i: int) -> bool:
        """Return whether a variable can move to where m says."""
        low, high, t, v = self.problem.lower[i], self.problem.upper[i], self.x[i], self.m[i] - self.nu
        return (v > self.tol and (high is None or t < high)) or (v < -self.tol and (low is None or t > low))

    def solve(self) -> set[int]:
        """Go to the stationary point over the free variables; return those that a zero pivot holds."""
        free, one = self.free, float(1)
        lower = [[(j, v) for j, v in row if free[j]] if free[i] else [(i, one)] for i, row in enumerate(self.rows)]
        factor = sparse_ldl.factor(self.plan, lower, len(lower))
        held = {i for i, pivot in zip(self.plan.order, factor.pivots) if pivot >= HELD and free[i]}
        ones = factor.solve([float(v) for v in free]) if self.summed else []
        whole = math.fsum(ones)
        for _ in range(REFINEMENTS):
            self.m = self.slopes()
            p = factor.solve([v if moves else float(0) for v, moves in zip(self.m, free)])
            if self.summed and self.problem.d is not None and whole > 0:
                self.nu = (math.fsum(p) + math.fsum(self.x) - self.problem.d[0]) / whole
                p = [v - self.nu * w for v, w in zip(p, ones)]
            self.x = [t + v if moves else t for t, v, moves in zip(self.x, p, free)]
        self.m = self.slopes()
        return held

    def changes(self, held: set[int]) -> list[tuple[int, Optional[float]]]:
        """Return the free variables that left their bounds, with those, and the others that are to be free."""
        found: list[tuple[int, Optional[float]]] = []
        for i, (low, high) in enumerate(zip(self.problem.lower, self.problem.upper)):
            if self.free[i]:
                near, v = _between(self.x[i], low, high), self.m[i] - self.nu
                end = high if v > 0 else low
                if near != self.x[i]:
                    found.append((i, near))
                elif i in held and abs(v) > self.tol and end is not None:
                    found.append((i, end))
            elif self.moves(i):
                found.append((i, None))
        return found


def _neighbours(rows: Sequence[Entries]) -> list[set[int]]:
    near: list[set[int]] = [set() for _ in rows]
    for i, row in enumerate(rows):
        for j, _ in row:
            near[i].add(j)
            near[j].add(i)
    return near


def _between(v: float, low: Optional[float], high: Optional[float]) -> float:
    v = low if low is not None and v < low else v
    return high if high is not None and v > high else v
