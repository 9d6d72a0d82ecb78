"""The parametric active-set method for convex quadratic programmes, exact (Best 1996; Ferreau, Bock and Diehl 2008).

For linear programmes it is the self-dual parametric simplex method (Dantzig 1963).

Solves    minimise ½xᵀPx + (q + τq¹)ᵀx subject to l + τl¹ ≤ Ax ≤ u + τu¹ and bounds likewise, for τ from 1 down to 0
Given     a working set near that of the optimum

The shifts q¹, l¹, u¹ are such that the given working set is optimal at τ = 1: sides that it exceeds are moved away, and
multipliers of a wrong sign are moved to zero and beyond. For one working set x, y and all margins, that is multipliers
of active constraints and slacks of the others, are linear in τ. Where the next of them becomes zero, its constraint
enters or leaves; where the equations would become singular, a second one leaves or enters at once, the first whose
multiplier or slack is used up. Where there is none, the multipliers, or the direction, prove that the programme is
infeasible or unbounded below. Ties are decided by symbols behind the shifts (`lexicographic`), as if these were powers
of an ε > 0 smaller than every number (Charnes 1952).

The method ends. No two margins tie, so that at the τ of a change all margins but one, of the constraint that changes,
are positive, before it and after it; that one is negative below τ before it, and grows as τ falls after it. Therefore
τ falls from each change to the next. No working set comes back: its margins are linear in τ, and the one that ended it
is negative from there on. There are finitely many working sets. An equality that enters stays, and so begins an
argument of its own, for each of finitely many. A variable that neither P nor the active rows determine is *pinned* to
its value, or to its nearest bound, as if by an equality; where that equality has a multiplier at τ = 0, or contradicts
the others, it is taken away, and the shifts are chosen anew: once, at most, for each of finitely many variables.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import NamedTuple, Optional

from refclass.errors import NoAnswer, NotConverged
from refclass.number.rational import ONE, ZERO
from refclass.optimise.limits import most_steps
from refclass.optimise.programme.arguments import MODULE
from refclass.optimise.programme.crossover import Guess
from refclass.optimise.programme.parametric.lexicographic import Symbols, combined, least, symbols
from refclass.optimise.programme.parametric.working_set import Equations
from refclass.optimise.programme.problem import Point, Programme, Row, times, transposed_times

LEAST = -70  # binary logarithm of the shift of what has no slack
SPREAD = 40503  # multiplier of Knuth's multiplicative hashing: shifts that differ from each other tie seldom

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


class Margin(NamedTuple):
    """A margin α + τβ: of constraint k the multiplier, where s is 0, or the slack of side s."""

    k: int
    s: int
    alpha: Fraction
    beta: Fraction


Margins = dict[Constraint, Margin]


class Method:
    """The iteration: the side that each variable and row is at, 0 for none, 2 for equalities."""

    def __init__(self, p: Programme, start: Guess, most: Optional[int] = None) -> None:
        self.p, self.shift = p, Shift()
        self.low, self.high = [*p.lower, *p.l], [*p.upper, *p.u]
        self.side, self.x = [*start.variables, *start.rows], start.x
        self.pinned: set[int] = set()
        self.changes, self.most = 0, most_steps(len(self.side)) if most is None else most
        self._factor()

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
        """Choose shifts for which the working set is optimal at τ = 1, with positive margins."""
        self.shift = Shift()
        at = self.line().base
        Ax = times(self.p.A, at.x)
        for k, (v, w) in enumerate(zip([*at.x, *Ax], [*at.z, *at.y])):
            side = self.side[k]
            if self._signed(k) and side * w <= 0:
                self._add_to_q(k, -side * self._more(-side * w, k))
            elif side == 0:
                for s, bound in ((-1, self.low[k]), (1, self.high[k])):
                    if bound is not None and s * (v - bound) >= 0:
                        self.shift.sides[k, s] = self._more(s * (v - bound), k)

    def _add_to_q(self, k: int, change: Fraction) -> None:
        for j, a in self._row(k).items():
            self.shift.q[j] = self.shift.q.get(j, ZERO) + change * a

    def _row(self, k: int) -> Row:
        return {k: ONE} if k < self.p.n else self.p.A[k - self.p.n]

    def _more(self, v: Fraction, k: int) -> Fraction:
        """Return a short number above v ≥ 0, another one for each k."""
        power = v.numerator.bit_length() - v.denominator.bit_length() + 1 if v else LEAST
        return Fraction(2) ** power * (1 + Fraction(k * SPREAD % 2**16, 2**16))

    def run(self) -> Point:
        """Return the optimum.

        Raises    NoAnswer with multipliers (Farkas) or a ray; NotConverged after too many changes
        """
        while True:
            self._settle()
            self._begin()
            base = self._follow()
            open_directions = [] if base is None else [j for j in self.pinned if base.z[j]]
            if base is not None and not open_directions:
                return base
            for j in open_directions:
                self._unpin(j)
            self._factor()

    def _settle(self) -> None:
        """Pin variables that the working set leaves open; where the objective falls along them a side enters before."""
        while self.equations.held:
            z = self.line().base.z
            j = next((j for j in self.equations.held if z[j]), None)
            if j is None:
                for j in self.equations.held:
                    self._pin(j)
            else:
                self._enter_along(self._direction(j, ONE if z[j] > 0 else -ONE))
            self._factor()

    def _pin(self, j: int) -> None:
        low, high, x = self.low[j], self.high[j], self.x[j]
        x = x if low is None or low < x else low
        self.x[j] = x if high is None or x < high else high
        self.pinned.add(j)
        self.side[j], self.low[j], self.high[j] = 2, self.x[j], self.x[j]

    def _unpin(self, j: int) -> None:
        self.pinned.discard(j)
        self.side[j], self.low[j], self.high[j] = 0, self.p.lower[j], self.p.upper[j]

    def _follow(self) -> Optional[Point]:
        """Return the point at τ = 0, or none where a pinned variable was released."""
        while not self.equations.held:
            line = self.line()
            margins = self._margins(line)
            falling = [m for m in margins.values() if m.alpha < 0]
            if not falling:
                return line.base
            first = falling[self._least([[(-1 / m.alpha, m)] for m in falling])]  # the greatest τ = −α/β
            pinned, self.changes = len(self.pinned), self.changes + 1
            if self.changes > self.most:
                raise NotConverged(MODULE, need="an optimum", got="none after the most changes of the working set")
            (self._enter if first.s else self._leave)(margins, first)
            self._factor()
            if len(self.pinned) < pinned:
                break
        return None

    def _margins(self, line: Line) -> Margins:
        """Return the margins of the working set, by constraint and side."""
        base, slope = line.base, line.slope
        found: Margins = {}
        rows = zip([*base.x, *line.Ax], [*slope.x, *line.change], [*base.z, *base.y], [*slope.z, *slope.y])
        for k, (v, dv, w, dw) in enumerate(rows):
            side = self.side[k]
            if self._signed(k):
                found[k, 0] = Margin(k, 0, side * w, side * dw)
            if self._signed(k) or side == 0:
                for s, bound in ((-1, self.low[k]), (1, self.high[k])):
                    if bound is not None and s != side:
                        shift = self.shift.sides.get((k, s), ZERO)
                        found[k, s] = Margin(k, s, s * (bound - v), shift - s * dv)
        return found

    def _least(self, sums: Sequence[Sequence[tuple[Fraction, Margin]]]) -> int:
        """Return the place of the least of several sums of factors times β, their symbols deciding between equals."""
        numbers = [sum([f * m.beta for f, m in own], ZERO) for own in sums]
        lowest = min(numbers)
        tied = [c for c, v in enumerate(numbers) if v == lowest]
        if len(tied) == 1:
            return tied[0]
        known: dict[Margin, Symbols] = {}
        for m in [m for c in tied for _, m in sums[c]]:
            if m not in known:
                known[m] = symbols(self.p, self.equations, self.side, m.k, m.s)
        return tied[least([combined([(f, known[m]) for f, m in sums[c]]) for c in tied])]

    def _first(self, candidates: Sequence[tuple[Fraction, Margin]], at: Margin) -> Margin:
        """Return which margin, at the τ where another one is zero, is the least multiple of its decrease."""
        # With τ = −α/β of the other one, (αᵢ + τβᵢ)/tᵢ is (αᵢβ − αβᵢ)/tᵢβ, linear in βᵢ and β but for the one factor.
        return candidates[self._least([[(m.alpha / t, at), (-at.alpha / t, m)] for t, m in candidates])][1]

    def _enter(self, margins: Margins, at: Margin) -> None:
        """Let a constraint enter at a side; where that would make the equations singular, another one leaves."""
        p, n, k, side = self.p, self.p.n, at.k, at.s
        own = {j: side * a for j, a in self._row(k).items()}
        found = self.equations.solve(own, {})
        if not sum([a * found.x[j] for j, a in own.items() if j in found.x], ZERO):
            pull = dict(own)
            for i, t in found.y.items():
                for j, a in p.A[i].items():
                    pull[j] = pull.get(j, ZERO) - t * a
            weights = {j: v for j, v in pull.items() if v and self.side[j]}
            weights.update({n + i: v for i, v in found.y.items()})
            self._let_another_leave(margins, at, weights)
        self.side[k] = side

    def _let_another_leave(self, margins: Margins, at: Margin, t: dict[int, Fraction]) -> None:
        """Let the constraint leave whose multiplier becomes zero first as that of another grows and those of t fall."""
        p, n = self.p, self.p.n
        pinned = next((j for j in t if j in self.pinned), None)
        falling = [(self.side[i] * v, margins[i, 0]) for i, v in t.items() if self._signed(i) and self.side[i] * v > 0]
        if pinned is not None:
            self._unpin(pinned)
        elif falling:
            self.side[self._first(falling, at).k] = 0
        else:
            t[at.k] = Fraction(-at.s)
            y = [-t.get(n + i, ZERO) for i in range(p.m)]
            z = [-t.get(j, ZERO) for j in range(n)]
            raise NoAnswer(MODULE, need="constraints that hold together", got="a contradiction", y=y, z=z)

    def _direction(self, k: int, step: Fraction) -> list[Fraction]:
        """Return how x moves as constraint k, or a variable that is held, moves by a step and the others stay."""
        p, n = self.p, self.p.n
        right_x: dict[int, Fraction] = {}
        if k < n:
            right_x = {j: -step * v for j, v in p.P[k].items()}
            right_y = {i: -step * p.A[i][k] for i in self.equations.active if k in p.A[i]}
        else:
            right_y = {k - n: step}
        found = self.equations.solve(right_x, right_y)
        return [step if j == k else found.x.get(j, ZERO) for j in range(n)]

    def _leave(self, margins: Margins, at: Margin) -> None:
        """Let a constraint leave; where that leaves a direction open, another one enters."""
        direction = self._direction(at.k, Fraction(-self.side[at.k]))
        if not any(times(self.p.P, direction)):
            other = self._first([(t, margins[k, s]) for t, k, s in self._blocking(direction)], at)
            self.side[at.k], self.side[other.k] = 0, other.s
        else:
            self.side[at.k] = 0

    def _blocking(self, direction: list[Fraction]) -> list[tuple[Fraction, int, int]]:
        """Return the sides that a direction goes towards: how fast, the constraint, the side.

        Raises    NoAnswer with the ray where there is none
        """
        found = []
        for k, change in enumerate([*direction, *times(self.p.A, direction)]):
            s = 1 if change > 0 else -1
            if change and self.side[k] != s and (self.high if s > 0 else self.low)[k] is not None:
                found.append((abs(change), k, s))
        if not found:
            raise NoAnswer(MODULE, need="an objective bounded below", got="an unbounded one", ray=direction)
        return found

    def _enter_along(self, direction: list[Fraction]) -> None:
        """Let the side enter that is nearest along a direction without curvature."""
        x = self.line().base.x
        values = [*x, *times(self.p.A, x)]

        def steps(t: Fraction, k: int, s: int) -> Fraction:
            bound = self.low[k] if s < 0 else self.high[k]
            assert bound is not None
            return max(s * (bound - values[k]), ZERO) / t

        _, k, s = min(self._blocking(direction), key=lambda own: steps(*own))
        self.side[k] = s
