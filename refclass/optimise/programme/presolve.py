"""Reductions of a programme that leave its optimum, undone in the answer (Andersen and Andersen 1995).

    empty rows          0 within its sides is said of nothing; else the programme is infeasible
    rows of one entry   are bounds of a variable
    fixed variables     lower = upper: a number
    parallel rows       keep the tighter side of each
    forcing rows        a side that is met only where each variable of the row is at a bound fixes them there
    free singletons     a variable without bounds and curvature in one row only: its multiplier is known, and the row
                        determines it

Each reduction leaves a record, in order; undoing them in reverse order gives a point and multipliers of the programme
that was there before, and where the reduced point satisfies all conditions of optimality, so does that.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Callable

from refclass.number.rational import ONE, ZERO
from refclass.optimise.programme.problem import Bound, Point, Programme, Row


class Contradiction(Exception):
    """The constraints contradict each other in one row or in the bounds of one variable.

    parts    multipliers of rows and of variables, as (row, value) and (variable, value): the sum of what they stand for
             in the given programme is the contradiction
    y        the multipliers of the given programme's rows that contradict
    """

    def __init__(self, *parts: tuple[dict[int, Fraction], dict[int, Fraction]]) -> None:
        self.parts = parts
        self.y: list[Fraction] = []


# A step back; `homogeneous` where x is a ray, or y are multipliers without an objective: every constant is then zero.
Undo = Callable[[Point, bool], None]
Sides = list[Bound]  # the lower and the upper bound of a row or of a variable


class Reduction:
    """A programme that is being reduced, with the records that undo it."""

    def __init__(self, given: Programme) -> None:
        self.given = given
        self.P = [dict(row) for row in given.P]
        self.q = list(given.q)
        self.rows: dict[int, Row] = {i: dict(row) for i, row in enumerate(given.A)}
        self.columns: list[set[int]] = [set() for _ in given.q]
        for i, row in self.rows.items():
            for j in row:
                self.columns[j].add(i)
        self.row_sides: list[Sides] = [list(pair) for pair in zip(given.l, given.u)]
        self.sides: list[Sides] = [list(pair) for pair in zip(given.lower, given.upper)]
        self.left = dict.fromkeys(range(given.n))
        self.undo: list[Undo] = []
        self.short = [i for i, row in self.rows.items() if len(row) < 2]

    def run(self) -> None:
        """Reduce until nothing more applies.

        Raises    Contradiction
        """
        fixed = [j for j in self.left if self._is_fixed(j)]
        while True:
            while fixed or self.short:
                self._drop_short_rows(fixed)
                self._fix(fixed)
                fixed = []
            found = self._drop_parallel()
            found |= self._fix_by_forcing(fixed)
            if not (self._drop_free_singletons() or found):
                return

    def _is_fixed(self, j: int) -> bool:
        low, high = self.sides[j]
        if low is not None and high is not None and low > high:
            raise Contradiction(({}, {j: ONE}), ({}, {j: -ONE}))
        return low is not None and low == high

    def _drop_short_rows(self, fixed: list[int]) -> None:
        """Turn rows of one entry into bounds; drop empty rows."""
        while self.short:
            i = self.short.pop()
            row = self.rows.get(i)
            if row is None or len(row) > 1:
                continue
            low, high = self.row_sides[i]
            if not row:
                if (low is not None and low > 0) or (high is not None and high < 0):
                    raise Contradiction(({i: -ONE if low is not None and low > 0 else ONE}, {}))
                del self.rows[i]
                continue
            ((j, a),) = row.items()
            tightened = _tightened(self.sides[j], self.row_sides[i], a)
            self.undo.append(_handed_back(True, j, i, a, tightened))
            del self.rows[i]
            self.columns[j].discard(i)
            if self._is_fixed(j):
                fixed.append(j)

    def _fix(self, fixed: list[int]) -> None:
        """Replace fixed variables by their values."""
        for k in fixed:
            if k not in self.left:
                continue
            v = self.sides[k][0]
            assert v is not None
            del self.left[k]
            for i in self.columns[k]:
                c = self.rows[i].pop(k) * v
                self.row_sides[i] = [None if side is None else side - c for side in self.row_sides[i]]
                if len(self.rows[i]) < 2:
                    self.short.append(i)
            for j, w in self.P[k].items():
                if j != k:
                    self.q[j] += w * v
                    del self.P[j][k]
            self.undo.append(self._fixed_back(k, v))

    def _fixed_back(self, k: int, v: Fraction) -> Undo:
        rows, own, q, A = self.columns[k], self.P[k], self.q[k], self.given.A

        def undo(p: Point, homogeneous: bool) -> None:
            p.x[k] = ZERO if homogeneous else v
            pull = ZERO if homogeneous else sum([w * p.x[j] for j, w in own.items()], q)
            p.z[k] = -sum([A[i][k] * p.y[i] for i in rows], pull)

        return undo

    def _drop_parallel(self) -> bool:
        """Keep one of several rows that are multiples of each other, with the tighter side of each."""
        known: dict[tuple[tuple[int, Fraction], ...], tuple[int, Fraction]] = {}
        found = False
        for i in list(self.rows):
            row = sorted(self.rows[i].items())
            first = row[0][1]
            key = tuple([(j, v / first) for j, v in row])
            if key not in known:
                known[key] = i, first
                continue
            kept, unit = known[key]
            f = first / unit
            tightened = _tightened(self.row_sides[kept], self.row_sides[i], f)
            low, high = self.row_sides[kept]
            self.undo.append(_handed_back(False, kept, i, f, tightened))
            if low is not None and high is not None and low > high:
                raise Contradiction(({kept: ONE}, {}), ({kept: -ONE}, {}))
            del self.rows[i]
            for j, _ in row:
                self.columns[j].discard(i)
            found = True
        return found

    def _fix_by_forcing(self, fixed: list[int]) -> bool:
        """Fix the variables of rows one of whose sides is met at a single corner of their bounds; drop the row."""
        found = False
        for i, row in list(self.rows.items()):
            for at, sign in (
                (1, 1),
                (0, -1),
            ):  # the upper side at the least value of the row, the lower at the greatest
                side = self.row_sides[i][at]
                corner = [self.sides[j][0 if sign * a > 0 else 1] for j, a in row.items()]
                if side is None or None in corner or i not in self.rows:
                    continue
                value = sum([a * b for a, b in zip(row.values(), corner) if b is not None], ZERO)
                if sign * value > sign * side:
                    raise Contradiction(({i: Fraction(sign)}, {j: -sign * a for j, a in row.items()}))
                if value < side or value > side:
                    continue
                self.undo.append(self._forced_back(i, sign, dict(row)))
                del self.rows[i]
                for j, b in zip(row, corner):
                    self.columns[j].discard(i)
                    self.sides[j] = [b, b]
                    fixed.append(j)
                found = True
        return found

    def _forced_back(self, i: int, sign: int, row: Row) -> Undo:
        """Return the step that gives the row the least multiplier with which all variables press against bounds."""

        def undo(p: Point, homogeneous: bool) -> None:
            # The multiplier of variable j, less a yᵢ, must press against the bound at its corner, or be zero: z/a ≤ yᵢ
            # where the upper side holds the row, z/a ≥ yᵢ where the lower one does.
            wanted = [p.z[j] / a for j, a in row.items() if p.z[j] * sign * a > 0]
            y = (max(wanted) if sign > 0 else min(wanted)) if wanted else ZERO
            p.y[i] = y
            for j, a in row.items():
                p.z[j] -= a * y

        return undo

    def _drop_free_singletons(self) -> bool:
        """Remove free variables without curvature that are in one row only, with that row."""
        found = False
        for j in list(self.left):
            low, high = self.sides[j]
            if low is not None or high is not None or self.P[j] or len(self.columns[j]) != 1:
                continue
            (i,) = self.columns[j]
            a = self.rows[i][j]
            y = -self.q[j] / a
            sides = self.row_sides[i]
            side = sides[1] if y > 0 else sides[0] if y < 0 else _inner(sides)
            if side is None:
                continue
            row = self.rows.pop(i)
            del self.left[j], row[j]
            for k, v in row.items():
                self.q[k] += y * v
                self.columns[k].discard(i)
            self.undo.append(_singleton_back(i, j, a, y, side, row))
            found = True
        return found

    def undone(self, p: Point, homogeneous: bool) -> Point:
        """Return a point of the given programme for one of what is left, every reduction undone."""
        for undo in reversed(self.undo):
            undo(p, homogeneous)
        return p

    def contradiction(self, found: Contradiction) -> list[Fraction]:
        """Return the multipliers of the given rows that prove a contradiction in what is left."""
        total, given = [ZERO] * self.given.m, self.given
        for rows, variables in found.parts:
            p = Point([ZERO] * given.n, [ZERO] * given.m, [ZERO] * given.n)
            for own, values in ((p.y, rows), (p.z, variables)):
                for k, v in values.items():
                    own[k] = v
            total = [a + b for a, b in zip(total, self.undone(p, True).y)]
        return total

    def programme(self) -> tuple[Programme, list[int], list[int]]:
        """Return the reduced programme, its variables and its rows by their numbers in the given one."""
        variables, rows = list(self.left), list(self.rows)
        number = {j: k for k, j in enumerate(variables)}
        reduced = Programme(
            P=[{number[k]: v for k, v in self.P[j].items()} for j in variables],
            q=[self.q[j] for j in variables],
            A=[{number[j]: v for j, v in self.rows[i].items()} for i in rows],
            l=[self.row_sides[i][0] for i in rows],
            u=[self.row_sides[i][1] for i in rows],
            lower=[self.sides[j][0] for j in variables],
            upper=[self.sides[j][1] for j in variables],
        )
        return reduced, variables, rows


def _inner(sides: Sides) -> Fraction:
    low, high = sides
    return low if low is not None else high if high is not None else ZERO


def _singleton_back(i: int, j: int, a: Fraction, y: Fraction, side: Fraction, row: Row) -> Undo:
    def undo(p: Point, homogeneous: bool) -> None:
        p.x[j] = ((ZERO if homogeneous else side) - sum([v * p.x[k] for k, v in row.items()], ZERO)) / a
        p.y[i] = ZERO if homogeneous else y

    return undo


def _tightened(own: Sides, others: Sides, f: Fraction) -> tuple[bool, bool]:
    """Tighten the sides by those of a row that is f times theirs; return which of them have become tighter."""
    low, high = [None if side is None else side / f for side in (others if f > 0 else others[::-1])]
    below = low is not None and (own[0] is None or low > own[0])
    above = high is not None and (own[1] is None or high < own[1])
    own[:] = low if below else own[0], high if above else own[1]
    return below, above


def _handed_back(of_bound: bool, k: int, i: int, f: Fraction, tightened: tuple[bool, bool]) -> Undo:
    """Return the step that hands multiplier k on to row i, f times as long, if it presses against a side from there."""

    def undo(p: Point, homogeneous: bool) -> None:
        own = p.z if of_bound else p.y
        if own[k] and tightened[own[k] > 0]:
            p.y[i], own[k] = own[k] / f, ZERO

    return undo


@dataclass(frozen=True)
class Presolved:
    """A reduced programme, its variables and rows by their numbers in the given one, and the way back."""

    programme: Programme
    variables: list[int]
    rows: list[int]
    reduction: Reduction

    def restored(self, reduced: Point, homogeneous: bool = False) -> Point:
        """Return the point of the given programme that a point of the reduced one stands for.

        homogeneous    x is a ray, or y and z are multipliers that contradict: the same of the given programme
        """
        given = self.reduction.given
        p = Point([ZERO] * given.n, [ZERO] * given.m, [ZERO] * given.n)
        for i, y in zip(self.rows, reduced.y):
            p.y[i] = y
        for j, x, z in zip(self.variables, reduced.x, reduced.z):
            p.x[j], p.z[j] = x, z
        return self.reduction.undone(p, homogeneous)


def presolve(given: Programme) -> Presolved:
    """Return the reduced programme and the way back.

    Exact     yes
    Cost      a few multiplications of fractions for each entry, for each pass; two or three passes are common
    Raises    Contradiction where two bounds, or an empty row and its sides, contradict each other

    Example
        >>> one = Fraction(1)
        >>> presolve(Programme([{}], [one], [{0: one}], [one], [None], [None], [None])).programme.lower
        [Fraction(1, 1)]
    """
    reduction = Reduction(given)
    try:
        reduction.run()
    except Contradiction as found:
        found.y = reduction.contradiction(found)
        raise
    return Presolved(*reduction.programme(), reduction)
