"""The working equations of an active set: what is stationary, what is tight, and the inverse that solves for both.

    | Q  Aᵀ | | x |   | −c |
    | A  0  | | λ | = |  b |     over the free variables and the active rows

Row i of the constraints (first E, then G) has the place n + i; its multiplier is λᵢ. Numbers are the problem's own
where they round, and fractions where they are exact.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from refclass.linear.common_denominator import Scaled, combination
from refclass.linear.factorisations import elimination
from refclass.linear.matrix import Matrix
from refclass.linear.vector import dot
from refclass.number.field import Number
from refclass.number.tolerance import roundoff
from refclass.optimise.active_set.kkt_adjugate import Adjugate
from refclass.optimise.active_set.kkt_inverse import Entering, Inverse
from refclass.optimise.quadratic.problem import Problem

Rates = list[tuple[int, Number]]  # places with a number for each

LOST = 10**6  # a pivot that theory lets be zero is zero within so many units of roundoff


def entry_size(Q: Any) -> Number:
    """Return the largest size of an entry on the diagonal or in the first row of Q; none is over seven times it."""
    # Proof: no entry of a semidefinite Q is larger than its diagonal. One that is so where entries sum to zero only, as
    # −|x − z| is, may have a diagonal of zero. Then Q_ij − Q_i0 − Q_0j + Q_00 is semidefinite, its diagonal at most 4
    # times the largest entry of diagonal and first row, so that those of Q are at most 7 times.
    return max(map(abs, (*Q.diagonal(), *Q.row(0))))


class Equations:
    """The problem's numbers, and the working set with its inverse.

    exact       takes the numbers of a problem that rounds at their exact values

    eps         the unit of roundoff; 0 when the numbers are exact
    A, b        all rows, first those of E, then those of G
    size        the size of the entries of Q; 1 of exact numbers, which need none
    working     the inverse, with the working places as `working.index`
    is_free     for each variable, whether it is among them
    fresh       whether the inverse has been computed anew since a place last changed sides
    """

    def __init__(self, problem: Problem, *, exact: bool = False) -> None:
        self.problem, self.n, kind = problem, problem.n, problem.kind
        rounded = roundoff(kind) and not exact
        self.eps: Number = roundoff(kind) if rounded else Fraction(0)
        self.zero = self.number(kind(0))
        self.A = [self._numbers(row) for row in (*(problem.E or ()), *(problem.G or ()))]
        self.b = self._numbers((*(problem.d or ()), *(problem.h or ())))
        self.c = self._numbers(problem.c)
        self.lower = [None if v is None else self.number(v) for v in problem.lower]
        self.upper = [None if v is None else self.number(v) for v in problem.upper]
        self.size: Number = self.number(entry_size(problem.Q)) if self.eps else self.zero + 1
        self.working: Any = Inverse() if self.eps else Adjugate()
        self.is_free = [False] * self.n
        self.fresh = True
        self._rows: dict[int, Any] = {}
        self._scaled: list[Any] = [tuple(row) if self.eps else Scaled.of(row) for row in self.A]

    @property
    def equalities(self) -> int:
        """How many rows E has."""
        return len(self.problem.E or ())

    def number(self, v: Number) -> Number:
        """Return a number of the problem: itself, or the fraction that it is."""
        return v if self.eps or type(v) is Fraction else Fraction(*v.as_integer_ratio())

    def _numbers(self, values: Any) -> list[Number]:
        return [self.number(v) for v in values]

    def row(self, j: int) -> Any:
        """Return row j of Q; of exact numbers, on one denominator."""
        if j not in self._rows:
            row = self.problem.Q.row(j)
            self._rows[j] = row if self.eps else Scaled.of(row)
        return self._rows[j]

    def entry(self, a: int, b: int) -> Number:
        """Return the entry of the whole matrix at two places."""
        if a < self.n:
            return self.row(a)[b] if b < self.n else self.A[b - self.n][a]
        return self.A[a - self.n][b] if b < self.n else self.zero

    def column(self, j: int) -> list[Number]:
        """Return the column of place j over the working places."""
        return [self.entry(j, i) for i in self.working.index]

    def product(self, moving: Rates, rates: Rates) -> list[Number]:
        """Return Qp + Aᵀm for variables with the entries of p and rows with those of m.

        Cost      n multiplications for each place
        """
        weights = [v for _, v in (*moving, *rates)]
        if not weights:
            return [self.zero] * self.n
        rows = [self.row(i) for i, _ in moving] + [self._scaled[i] for i, _ in rates]
        if self.eps and len(rows) == 1:
            return [weights[0] * v for v in rows[0]]
        if self.eps:
            w = tuple(weights)
            return [dot(w, column) for column in zip(*rows)]
        return combination(rows, Scaled.of(weights), self.n).fractions()

    def active(self) -> list[int]:
        """Return the active rows."""
        return [i - self.n for i in self.working.index if i >= self.n]

    def solve(self, v: Sequence[Number]) -> tuple[Rates, Rates]:
        """Return the solution for a right side over the working places: variables, and rows."""
        return self._parted(self.working.solve(v))

    def follow(self, j: int, sign: int) -> tuple[Rates, Rates]:
        """Return how the working places follow when place j moves by one, up or down."""
        return self._parted([-sign * v for v in self.working.solve(self.column(j))])

    def unit(self, j: int) -> tuple[Rates, Rates]:
        """Return the solution for the right side −1 at a working place, 0 elsewhere."""
        return self._parted([-v for v in self.working.column(j)])

    def _parted(self, z: list[Number]) -> tuple[Rates, Rates]:
        pairs = list(zip(self.working.index, z))
        return [(i, v) for i, v in pairs if i < self.n], [(i - self.n, v) for i, v in pairs if i >= self.n]

    def alone(self, k: int) -> bool:
        """Return whether place k can change sides alone: whether the equations stay soluble."""
        # Premise: the part of B⁻¹ that belongs to variables is positive semidefinite, of size 1 / Q or zero.
        unit = self.zero + 1
        if k < self.n:
            pivot = self.working.diagonal(k)
        else:
            column = self.column(k)
            pivot, unit = self._form(column, column), sum((v * v for v in column), self.zero)
        return bool(pivot * self.size > LOST * self.eps * unit)

    def pivot(self, j: int, k: int) -> Number:
        """Return the entry at two places outside the working set once that is eliminated."""
        return self.entry(j, k) - self._form(self.column(j), self.column(k))

    def _form(self, u: list[Number], v: list[Number]) -> Number:
        return dot(u, self.working.solve(v)) if u else self.zero

    def change(self, enter: Sequence[int], leave: Sequence[int]) -> None:
        """Let one or two places change sides."""
        entering = [Entering(j, self.column(j), [self.entry(j, k) for k in enter]) for j in enter]
        self.working.pivot(entering, leave)
        self.fresh = False
        for j in (*enter, *leave):
            if j < self.n:
                self.is_free[j] = j in enter
        if self.eps:
            self._rows = {j: row for j, row in self._rows.items() if self.is_free[j]}

    def renew(self) -> None:
        """Invert the working matrix afresh."""
        B = Matrix([self.column(j) for j in self.working.index])
        self.working.rows = [list(row) for row in elimination.solve(B, Matrix.identity(len(B), B.kind))]
        self.fresh = True
