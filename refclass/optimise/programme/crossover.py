"""From an iterate of the interior point method to the exact optimum, by p-adic lifting (Dixon 1982).

The bounds whose multiplier exceeds their slack are taken as active. With W the active rows and F the variables at no
bound, the conditions of optimality are the linear system

    P_FF x_F + A_WFᵀ y_W = −q_F − P_FB x_B        A_WF x_F = b_W − A_WB x_B

which is solved exactly. Where it leaves directions open, as on an optimal face, unknowns without a pivot keep the value
that the iterate has: on the face every solution near a relative interior point satisfies the inequalities, too. Signs
that are wrong nevertheless change the working set: bounds that are exceeded become active, active ones whose multiplier
has the wrong sign inactive. Nothing is believed of all this: a point is returned if it satisfies every condition of
optimality exactly.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Callable, Optional

from refclass.linear.exact.sparse_dixon import Elimination, SparseRow, solve
from refclass.number.rational import ZERO
from refclass.optimise.programme.interior_point import Iterate
from refclass.optimise.programme.problem import Point, Programme, times, transposed_times
from refclass.optimise.programme.scaling import Scaling

ROUNDS = 6  # most working sets that are tried

# At which side a variable or a row is: −1 at its lower, +1 at its upper bound, 0 between, 2 where both are equal.
Sides = list[int]


@dataclass
class Guess:
    """A point near the optimum, and the sides of rows and variables there."""

    x: list[Fraction]
    y: list[Fraction]
    variables: Sides
    rows: Sides

    def multipliers(self, p: Programme) -> list[Fraction]:
        """Return the multipliers of the bounds of variables at the point: what stationarity lacks."""
        pull = zip(times(p.P, self.x), p.q, transposed_times(p.A, self.y, p.n))
        return [-(a + b + c) for a, b, c in pull]


def guess(p: Programme, at: Iterate, by: Scaling) -> Guess:
    """Return the point of an iterate of the scaled programme, and the sides where its multipliers exceed slacks."""
    sides = []
    for k, (low, high) in enumerate(zip([*p.lower, *p.l], [*p.upper, *p.u])):
        zl, zu, sl, su = at.zl[k], at.zu[k], at.sl[k], at.su[k]
        if low is not None and low == high:
            sides.append(2)
        elif low is not None and zl > sl and (high is None or zl - sl >= zu - su):
            sides.append(-1)
        else:
            sides.append(1 if high is not None and zu > su else 0)
    x = [_exact(v, k) for v, k in zip(at.v, by.columns)]
    y = [_exact(v, k - by.objective) for v, k in zip(at.y, by.rows)]
    return Guess(x, y, sides[: p.n], sides[p.n :])


def _exact(v: float, power: int) -> Fraction:
    return Fraction(v) * Fraction(2) ** power


def crossover(p: Programme, start: Guess) -> Optional[Point]:
    """Return an optimum, or none where the working sets near the guess, which is changed, lead to none."""
    return next((point for point, last in working_sets(p, start, _stationary) if last), None)


def working_sets(
    p: Programme, start: Guess, solve: Callable[[Programme, Guess], Point], allowed: Fraction = ZERO
) -> Iterator[tuple[Point, bool]]:
    """Yield the solution of the equations of each working set near the guess, and whether it is an optimum.

    allowed    by how much sides may be exceeded and multipliers have the wrong sign there; zero for an exact optimum
    """
    seen: set[tuple[tuple[int, ...], tuple[int, ...]]] = set()
    while len(seen) < ROUNDS:
        key = (tuple(start.variables), tuple(start.rows))
        if key in seen:
            return
        seen.add(key)
        point = solve(p, start)
        last = not _changed(p, point, start, allowed)
        yield point, last
        if last:
            return


def side_value(low: Optional[Fraction], high: Optional[Fraction], side: int) -> Fraction:
    """Return the bound at which a side is: the lower one at −1, the upper one else."""
    bound = low if side < 0 else high
    assert bound is not None
    return bound


def _stationary(p: Programme, start: Guess) -> Point:
    """Return the solution of the equations of the working set, unknowns without a pivot at the values of the guess."""
    x = [side_value(p.lower[j], p.upper[j], s) if s else v for j, (v, s) in enumerate(zip(start.x, start.variables))]
    y = [v if s else ZERO for v, s in zip(start.y, start.rows)]
    free = [j for j, s in enumerate(start.variables) if not s]
    active = [i for i, s in enumerate(start.rows) if s]
    number = {j: k for k, j in enumerate(free)}
    size = len(free) + len(active)
    rows: list[dict[int, Fraction]] = []
    right: list[Fraction] = []
    for j in free:
        rows.append({number[k]: v for k, v in p.P[j].items() if k in number})
        right.append(-p.q[j] - sum([v * x[k] for k, v in p.P[j].items() if k not in number], ZERO))
    for k, i in enumerate(active, len(free)):
        for j, v in p.A[i].items():
            if j in number:
                rows[number[j]][k] = v
        rows.append({number[j]: v for j, v in p.A[i].items() if j in number})
        bound = side_value(p.l[i], p.u[i], start.rows[i])
        right.append(bound - sum([v * x[j] for j, v in p.A[i].items() if j not in number], ZERO))
    held = [x[j] for j in free] + [y[i] for i in active]
    found = _solved(rows, right, held, size)
    for j, v in zip(free, found):
        x[j] = v
    for i, v in zip(active, found[len(free) :]):
        y[i] = v
    return Point(x, y, Guess(x, y, [], []).multipliers(p))


def _solved(
    rows: Sequence[dict[int, Fraction]], right: Sequence[Fraction], held: Sequence[Fraction], size: int
) -> list[Fraction]:
    """Return a solution of the equations with a pivot, unknowns without one at the values held."""
    scales = [math.lcm(*[v.denominator for v in row.values()]) for row in rows]
    whole: list[SparseRow] = [
        {j: v.numerator * (d // v.denominator) for j, v in row.items()} for row, d in zip(rows, scales)
    ]
    known = Elimination(whole)
    columns, used = {pivot.column for pivot in known.pivots}, [pivot.row for pivot in known.pivots]
    sides = {
        i: scales[i] * (right[i] - sum([v * held[j] for j, v in rows[i].items() if j not in columns], ZERO))
        for i in used
    }
    common = math.lcm(*[v.denominator for v in sides.values()])
    b = [0] * len(rows)
    for i, v in sides.items():
        b[i] = v.numerator * (common // v.denominator)
    x, d = solve(whole, known, b, size)
    return [Fraction(x[j], d * common) if j in columns else held[j] for j in range(size)]


def _changed(p: Programme, point: Point, at: Guess, allowed: Fraction) -> bool:
    """Update the working set where a sign is wrong; return whether anything changed."""
    any_new = False
    values = [(at.variables, p.lower, p.upper, point.x, point.z), (at.rows, p.l, p.u, times(p.A, point.x), point.y)]
    for sides, lows, highs, v, multiplier in values:
        for k, side in enumerate(sides):
            low, high = lows[k], highs[k]
            new = side
            if low is not None and v[k] < low - allowed:
                new, any_new = -1, True
            elif high is not None and v[k] > high + allowed:
                new, any_new = 1, True
            elif abs(side) == 1 and (
                multiplier[k] * side < -allowed or abs(v[k] - side_value(low, high, side)) > allowed
            ):
                new = 0
            # At no side, a multiplier is the slope of a direction that the equations leave open.
            any_new |= side == 0 and abs(multiplier[k]) > allowed
            if side != 2 and new != side:
                sides[k], any_new = new, True
    return any_new
