"""The parametric active-set method for convex quadratic programmes, exact (Best 1996; Ferreau, Bock and Diehl 2008).

For linear programmes it is the self-dual parametric simplex method (Dantzig 1963).

Solves    minimise ½xᵀPx + (q + τq¹)ᵀx subject to l + τl¹ ≤ Ax ≤ u + τu¹ and bounds likewise, for τ from 1 down to 0
Given     a working set near that of the optimum

The shifts q¹, l¹, u¹ are such that the given working set is optimal at τ = 1: sides that it exceeds are moved away, and
multipliers of a wrong sign are moved to zero and beyond. For one working set x, y and all slacks and multipliers are
linear in τ. Where the next of them becomes zero, its constraint enters or leaves; where the equations would become
singular, a second one leaves or enters at once, the first whose multiplier or slack is used up. Where there is none,
the multipliers, or the direction, prove that the programme is infeasible or unbounded below.

The method ends. As long as τ falls from each working set to the next, none comes back, and there are finitely many. τ
falls unless two constraints become zero at once. The shifts exceed what they need by amounts that differ; where τ has
not fallen for as many changes as there are constraints, they are chosen anew, as powers of a smaller ε, with which each
coincidence is an algebraic equation in ε: it holds for finitely many ε, or for all. Should τ stay where it is
nevertheless, the method ends after the most changes, and says so.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from typing import Optional

from refclass.errors import NoAnswer, NotConverged
from refclass.number.rational import ONE, ZERO
from refclass.optimise.programme.crossover import Guess
from refclass.optimise.programme.problem import Point, Programme, Row, times, transposed_times
from refclass.optimise.programme.working_set import Equations

MODULE = "solve_qp"
STEPS = 50  # most changes of the working set, for each variable and row
FEW = 1000  # and so many more
LEAST = -70  # binary logarithm of the shift of what has no slack
SPREAD = 40503  # multiplier of Knuth's multiplicative hashing: shifts that differ from each other

# A constraint: a variable's bound is its number j, a row's side n + i; with −1 for the lower, +1 for the upper side.
Constraint = tuple[int, int]


@dataclass
class Shift:
    """The shifts: of q by variable, of the sides by constraint, outwards where positive."""

    q: dict[int, Fraction] = field(default_factory=dict)
    sides: dict[Constraint, Fraction] = field(default_factory=dict)


@dataclass(frozen=True)
class Line:
    """x, y, z as v⁰ + τv¹, with the values Ax and their change with τ."""

    base: Point
    slope: Point
    Ax: list[Fraction]
    change: list[Fraction]


class Method:
    """The iteration: the side that each variable and row is at, 0 for none, 2 for equalities; the parameter τ."""

    def __init__(self, p: Programme, start: Guess, most: Optional[int] = None) -> None:
        self.p, self.tau, self.shift = p, ONE, Shift()
        self.low, self.high = [*p.lower, *p.l], [*p.upper, *p.u]
        self.side = [*start.variables, *start.rows]
        self.x, self.restarts = start.x, 0
        self.most = FEW + STEPS * len(self.side) if most is None else most
        self._factor()
        self._begin()

    def _factor(self) -> None:
        """Factor the equations of the working set; dependent inequalities leave it."""
        p, n = self.p, self.p.n
        rows = [i for i in range(p.m) if self.side[n + i]]
        rows.sort(key=lambda i: self.side[n + i] != 2)
        self.equations = Equations(p, [j for j in range(n) if not self.side[j]], rows)
        kept = set(self.equations.active)
        for i in rows:
            if i not in kept:
                self.side[n + i] = 0

    def _signed(self, k: int) -> bool:
        """Return whether the multiplier of constraint k must have the sign of its side."""
        return self.side[k] in (1, -1) and self.low[k] != self.high[k]

    def _bound(self, k: int) -> Fraction:
        bound = self.low[k] if self.side[k] == -1 else self.high[k]
        assert bound is not None
        return bound

    def _moved(self, k: int) -> Fraction:
        """Return the shift of the side that constraint k is at."""
        return self.side[k] * self.shift.sides.get((k, self.side[k]), ZERO) if self.side[k] != 2 else ZERO

    def line(self) -> Line:
        """Return x, y and z of the working set as functions of τ."""
        at = {k: self._bound(k) for k in range(len(self.side)) if self.side[k]}
        moved = {k: v for k in at if (v := self._moved(k))}
        base = self._solution(dict(enumerate(self.p.q)), at, dict.fromkeys(self.equations.held))
        slope = self._solution(self.shift.q, moved, {})
        return Line(base, slope, times(self.p.A, base.x), times(self.p.A, slope.x))

    def _solution(self, q: dict[int, Fraction], at: dict[int, Fraction], held: dict[int, None]) -> Point:
        p, n = self.p, self.p.n
        x = [at.get(j, ZERO) if self.side[j] else self.x[j] if j in held else ZERO for j in range(n)]
        Px, Ax = times(p.P, x), times(p.A, x)
        right_x = {j: -q.get(j, ZERO) - Px[j] for j in self.equations.free}
        right_y = {i: at.get(n + i, ZERO) - Ax[i] for i in self.equations.active}
        found = self.equations.solve(right_x, right_y)
        for j, v in found.x.items():
            x[j] += v
        y = [found.y.get(i, ZERO) for i in range(p.m)]
        pull = zip(times(p.P, x), transposed_times(p.A, y, n))
        return Point(x, y, [-(a + b + q.get(j, ZERO)) for j, (a, b) in enumerate(pull)])

    def _begin(self) -> None:
        """Choose shifts for which the working set is optimal at τ = 1."""
        self.shift, self.tau = Shift(), ONE
        at, n = self.line().base, self.p.n
        Ax = times(self.p.A, at.x)
        for k, (v, w) in enumerate(zip([*at.x, *Ax], [*at.z, *at.y])):
            side = self.side[k]
            if self._signed(k) and side * w <= 0:
                self._add_to_q(k, -side * self._more(-side * w, k))
            elif side == 0:
                for s, bound in ((-1, self.low[k]), (1, self.high[k])):
                    if bound is not None and s * (v - bound) >= 0:
                        self.shift.sides[k, s] = self._more(s * (v - bound), k)
                if k < n and w:
                    self._add_to_q(k, w)

    def _add_to_q(self, k: int, change: Fraction) -> None:
        for j, a in self._row(k).items():
            self.shift.q[j] = self.shift.q.get(j, ZERO) + change * a

    def _row(self, k: int) -> Row:
        return {k: ONE} if k < self.p.n else self.p.A[k - self.p.n]

    def _more(self, v: Fraction, k: int) -> Fraction:
        """Return a short number above v ≥ 0, another one for each k."""
        power = v.numerator.bit_length() - v.denominator.bit_length() + 1 if v else LEAST
        if self.restarts:
            return Fraction(2) ** power * (1 + Fraction(1, 2**self.restarts) ** (k + 1))
        return Fraction(2) ** power * (1 + Fraction(k * SPREAD % 2**16, 2**16))

    def run(self) -> Point:
        """Return the optimum.

        Raises    NoAnswer with multipliers (Farkas) or a ray; NotConverged after too many changes
        """
        idle = 0
        for _ in range(self.most):
            line = self.line()
            found = self._next(line)
            if found is None:
                return line.base
            tau, k, side = found
            idle = 0 if tau < self.tau else idle + 1
            self.tau = tau
            self.x = [a + tau * b for a, b in zip(line.base.x, line.slope.x)]
            if side:
                self._enter(line, k, side)
            else:
                self._leave(line, k)
            self._factor()
            if idle > len(self.side):
                self.restarts, idle = self.restarts + 1, 0
                self._begin()
        raise NotConverged(
            MODULE, need="an optimum", got="none after the most changes of the working set", tau=self.tau
        )

    def _next(self, line: Line) -> Optional[tuple[Fraction, int, int]]:
        """Return the largest τ at which a slack or multiplier becomes zero, the constraint, and the side it enters."""
        base, slope = line.base, line.slope
        for j in self.equations.held:
            if base.z[j]:
                return self.tau, j, 0
        found: Optional[tuple[Fraction, int, int]] = None
        rows = zip([*base.x, *line.Ax], [*slope.x, *line.change], [*base.z, *base.y], [*slope.z, *slope.y])
        for k, (v, dv, w, dw) in enumerate(rows):
            side = self.side[k]
            if self._signed(k) and side * w < 0:
                tau = -w / dw
                if found is None or tau > found[0]:
                    found = tau, k, 0
            elif side == 0:
                for s, bound in ((-1, self.low[k]), (1, self.high[k])):
                    if bound is not None and s * (v - bound) > 0:
                        tau = (v - bound) / (s * self.shift.sides.get((k, s), ZERO) - dv)
                        if found is None or tau > found[0]:
                            found = tau, k, s
        return found

    def _enter(self, line: Line, k: int, side: int) -> None:
        """Let constraint k enter at a side; where that would make the equations singular, another one leaves."""
        p, n = self.p, self.p.n
        own = {j: side * a for j, a in self._row(k).items()}
        found = self.equations.solve(own, {})
        curvature = sum([a * found.x[j] for j, a in own.items() if j in found.x], ZERO)
        if not curvature:
            pull = dict(own)
            for i, t in found.y.items():
                for j, a in p.A[i].items():
                    pull[j] = pull.get(j, ZERO) - t * a
            if not any(pull.get(j) for j in self.equations.held):
                weights = {j: v for j, v in pull.items() if v and self.side[j]}
                weights.update({n + i: v for i, v in found.y.items()})
                self.side[self._leaving(line, k, side, weights)] = 0
        self.side[k] = side

    def _leaving(self, line: Line, k: int, side: int, t: dict[int, Fraction]) -> int:
        """Return the constraint whose multiplier becomes zero first as that of k grows and those of t fall."""
        n, best = self.p.n, None
        w = [[*line.base.z, *line.base.y], [*line.slope.z, *line.slope.y]]
        for i in sorted(t):
            if self._signed(i) and self.side[i] * t[i] > 0:
                theta = (w[0][i] + self.tau * w[1][i]) / t[i]
                if best is None or theta < best[0]:
                    best = theta, i
        if best is None:
            t[k] = Fraction(-side)
            y = [-t.get(n + i, ZERO) for i in range(self.p.m)]
            z = [-t.get(j, ZERO) for j in range(n)]
            raise NoAnswer(MODULE, need="constraints that hold together", got="a contradiction", y=y, z=z)
        return best[1]

    def _leave(self, line: Line, k: int) -> None:
        """Let constraint k leave, or a held variable move; where that leaves a direction open, another one enters."""
        p, n = self.p, self.p.n
        side = self.side[k]
        right_x, right_y, d = {}, {}, {}
        if k < n:
            step = Fraction(-side) if side else ONE if line.base.z[k] > 0 else -ONE
            d[k] = step
            right_x = {j: -step * v for j, v in p.P[k].items()}
            right_y = {i: -step * p.A[i][k] for i in self.equations.active if k in p.A[i]}
        else:
            right_y = {k - n: Fraction(-side)}
        found = self.equations.solve(right_x, right_y)
        direction = [found.x.get(j, ZERO) + d.get(j, ZERO) for j in range(n)]
        self.side[k] = 0
        if any(times(p.P, direction)):
            return
        best = self._entering(line, direction)
        if best is None:
            raise NoAnswer(MODULE, need="an objective bounded below", got="an unbounded one", ray=direction)
        theta, i, s = best
        self.side[i] = s
        self.x = [a + theta * b for a, b in zip(self.x, direction)]

    def _entering(self, line: Line, direction: list[Fraction]) -> Optional[tuple[Fraction, int, int]]:
        """Return the least step along a direction that uses up a slack, the constraint, and its side."""
        best: Optional[tuple[Fraction, int, int]] = None
        changes = [*direction, *times(self.p.A, direction)]
        values = zip([*line.base.x, *line.Ax], [*line.slope.x, *line.change])
        for i, ((v, dv), change) in enumerate(zip(values, changes)):
            if change and not self.side[i]:
                s = 1 if change > 0 else -1
                bound = self.high[i] if s > 0 else self.low[i]
                if bound is not None:
                    slack = bound + self.tau * s * self.shift.sides.get((i, s), ZERO) - v - self.tau * dv
                    if best is None or slack / change < best[0]:
                        best = slack / change, i, s
        return best
