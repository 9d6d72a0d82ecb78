"""The equations of a working set, solved in doubles and refined with residuals in fractions (Wilkinson 1963).

    | P_FF   A_WFᵀ | | x_F |   | −q_F − P_FB x_B |
    | A_WF   0     | | y_W | = | b_W − A_WB x_B  |

W are the active rows, F the variables at no bound. The factor is that of the matrix with ρI and −δI on its diagonal, of
the scaled programme: each correction is a step of the proximal method of multipliers (Rockafellar 1976). Where rows are
dependent, the multipliers stay near those of the start; where they contradict each other by roundoff, x leaves the rows
by no more than that. Directions that the equations leave open keep the value of the start.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from copy import deepcopy
from fractions import Fraction

from refclass.linear.factorisations.sparse_ldl import Factor, factor, plan
from refclass.number.rational import ZERO
from refclass.optimise.limits import BRIEF_PATIENCE
from refclass.optimise.programme.crossover import Guess, side_value
from refclass.optimise.programme.problem import Point, Programme, times
from refclass.optimise.programme.scaling import Scaling, double

WEIGHTS = 1e-11, 1e-9, 1e-7, 1e-5  # ρ and δ beside entries of size one: small ones converge faster, large ones always
ENOUGH = 1e-26  # residual of the scaled programme at which they end


class Equations:
    """The equations of one working set of a scaled programme."""

    def __init__(self, p: Programme, start: Guess, by: Scaling) -> None:
        self.p, self.by = p, by
        self.free = [j for j, s in enumerate(start.variables) if not s]
        self.active = [i for i, s in enumerate(start.rows) if s]
        self.sides = [side_value(p.l[i], p.u[i], start.rows[i]) for i in self.active]

    def factor(self, weight: float) -> Factor:
        """Return the factor with ρ and δ of that weight."""
        p, by, n = self.p, self.by, len(self.free)
        place = {j: k for k, j in enumerate(self.free)}
        lower: list[list[tuple[int, float]]] = []
        for i, j in enumerate(self.free):
            power = by.columns[j] + by.objective
            own = {place[k]: double(v, power + by.columns[k]) for k, v in p.P[j].items() if k in place}
            own[i] = own.get(i, 0.0) + weight
            lower.append([(k, v) for k, v in own.items() if k <= i])
        for k, i in enumerate(self.active, n):
            row = [(place[j], double(v, by.rows[i] + by.columns[j])) for j, v in p.A[i].items() if j in place]
            lower.append([*row, (k, -weight)])
        neighbours: list[set[int]] = [set() for _ in lower]
        for i, entries in enumerate(lower):
            for j, _ in entries:
                if j != i:
                    neighbours[i].add(j)
                    neighbours[j].add(i)
        return factor(plan(neighbours), lower, n)

    def residual(self, at: Guess) -> list[float]:
        """Return what the scaled equations lack at a point, computed in fractions."""
        multipliers, c = at.multipliers(self.p), self.by.objective
        values = times([self.p.A[i] for i in self.active], at.x)
        lacking = [double(multipliers[j], self.by.columns[j] + c) for j in self.free]
        return lacking + [double(b - v, self.by.rows[i]) for i, b, v in zip(self.active, self.sides, values)]

    def correct(self, known: Factor, at: Guess, residual: Sequence[float]) -> None:
        """Move the point by one solution in doubles."""
        d, n = known.solve(residual), len(self.free)
        for j, v in zip(self.free, d):
            at.x[j] += Fraction(v) * Fraction(2) ** self.by.columns[j]
        for i, v in zip(self.active, d[n:]):
            at.y[i] += Fraction(v) * Fraction(2) ** (self.by.rows[i] - self.by.objective)

    def solve(self, known: Factor, start: Guess) -> tuple[float, Point]:
        """Return the point of the least residual, and that."""
        at, best, least, idle = deepcopy(start), start, math.inf, 0
        while True:
            residual = self.residual(at)
            size = max(map(abs, residual), default=0.0)
            idle = 0 if size < least / 2 else idle + 1
            if size < least:
                best, least = deepcopy(at), size
            if size <= ENOUGH or idle > BRIEF_PATIENCE:  # Proof: it is halved again and again, or this ends it
                return least, Point(best.x, best.y, best.multipliers(self.p))
            self.correct(known, at, residual)


def refined(p: Programme, start: Guess, by: Scaling) -> Point:
    """Return the solution of the equations of the working set that is near the start.

    Cost      that of `sparse_ldl.factor` for each weight; for each correction that of `times` and of `Factor.solve`
    Raises    OverflowError, ZeroDivisionError where numbers leave the range of doubles
    """
    x = [side_value(low, high, s) if s else v for s, v, low, high in zip(start.variables, start.x, p.lower, p.upper)]
    at = Guess(x, [v if s else ZERO for v, s in zip(start.y, start.rows)], start.variables, start.rows)
    equations = Equations(p, at, by)
    least, best = math.inf, Point(at.x, at.y, at.multipliers(p))
    for weight in WEIGHTS:
        known = equations.factor(weight)
        size, point = (math.inf, best) if known.blocked else equations.solve(known, at)
        if size < least:
            least, best = size, point
        if least <= ENOUGH:
            break
    return best
