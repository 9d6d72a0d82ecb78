"""From an approximate answer of a problem in blocks to the exact optimum, proven.

Solves    minimise ½ Σ_k x_kᵀQx_k + Σ_ik c_ik x_ik subject to Σ_k x_ik = 0, x_ik ≤ upper_ik exactly, in fractions
Given     a point near the optimum, or none
Yields    the optimum

Where the point is below its bounds, the variables are taken as loose, the others as fixed; stationarity along the
exchanges among the loose ones is one system of equations, solved exactly. If its solution meets all conditions, it is
the optimum. If not, the general active-set method goes on from there (`crossover`). A wrong guess costs steps, never
the answer.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Optional

from refclass.linear.common_denominator import Scaled
from refclass.linear.exact import dixon, fraction_free
from refclass.linear.vector import Vector
from refclass.number.field import Number, rational
from refclass.optimise.active_set import crossover
from refclass.optimise.multiclass import zero_sum
from refclass.optimise.multiclass.zero_sum import Problem
from refclass.optimise.quadratic.certificate import Answer

certify = zero_sum.certify


@dataclass(frozen=True)
class Reduced:
    """The curvature R along exchanges: one variable of a block rises by as much as the reference of that block falls.

    R_(ik)(jm) = Q_ij ([k = m] − [k = b_j] − [b_i = m] + [b_i = b_j])

    exchanges    pairs (i, k)
    reference    for each block the variable b_i that falls
    """

    Q: Any
    exchanges: Sequence[tuple[int, int]]
    reference: dict[int, int]

    def __len__(self) -> int:
        return len(self.exchanges)

    def row(self, v: int) -> Vector:
        """Return row v of R."""
        i, k = self.exchanges[v]
        b, row = self.reference[i], self.Q.row(i)
        ends = [(j, m, self.reference[j]) for j, m in self.exchanges]
        return Vector.of([((k == m) - (k == c) - (b == m) + (b == c)) * row[j] for j, m, c in ends])

    def diagonal(self) -> Vector:
        """Return the diagonal, 2 Q_ii."""
        return 2 * self.Q.diagonal().pick([i for i, _ in self.exchanges])  # type: ignore[no-any-return]


def solve(problem: Problem, x: Optional[Sequence[Sequence[Number]]] = None) -> Answer:
    """Return the exact optimum of a problem in fractions, x_ik as variable kn + i.

    x    K times n numbers of any kind, near the optimum or not; only which of them are below their bounds is used

    Exact     yes
    Cost      that of `fraction_free.solution` for d exchanges; from a point that is not near, that of `crossover.solve`
    Raises    NoAnswer with a ray when the objective falls for ever
    """
    found = None if x is None else solved(problem, x)
    if found is not None and optimal(problem, *found):
        return zero_sum.answer(problem, *found, steps=1)
    start = None if found is None else [v for part in found[0] for v in part]
    return crossover.solve(problem.quadratic(), start, convex=True)


Point = tuple[list[list[Number]], list[list[Number]]]  # a point and its gradient


def optimal(problem: Problem, x: Sequence[Sequence[Number]], g: Sequence[Sequence[Number]]) -> bool:
    """Return whether x, whose blocks sum to zero, meets every condition of optimality with its gradient g, exactly."""
    triples = zip(zip(*g), zip(*x), zip(*problem.upper))
    inside = all(u is None or v <= u for part, ends in zip(x, problem.upper) for v, u in zip(part, ends))
    return inside and not any(zero_sum.violation(*block) for block in triples)


def solved(problem: Problem, x: Sequence[Sequence[Number]]) -> Optional[Point]:
    """Return the point that is stationary along the exchanges of x, with its gradient; None if there is none.

    Where exchanges are dependent, those that depend on others keep what they are at x: near an optimum among many, such
    a point is another one.
    """
    exchanges, reference, start = _read(problem, x)
    g = zero_sum.gradient(problem, start)
    found = _step(problem, exchanges, reference, g)
    if found is None:
        R = Reduced(problem.Q, exchanges, reference)
        own = set(dixon.independent([Scaled.of(R.row(v)).integers for v in range(len(R))]))
        for v, (i, k) in enumerate(exchanges):
            if v not in own:
                amount = rational(x[k][i]) - start[k][i]
                start[k][i] += amount
                start[reference[i]][i] -= amount
        exchanges = [pair for v, pair in enumerate(exchanges) if v in own]
        found = _step(problem, exchanges, reference, zero_sum.gradient(problem, start))
        if found is None:
            return None
    for (i, k), amount in zip(exchanges, found):
        start[k][i] += amount
        start[reference[i]][i] -= amount
    return start, zero_sum.gradient(problem, start)


def _step(
    problem: Problem, exchanges: Sequence[tuple[int, int]], reference: dict[int, int], g: Sequence[Sequence[Number]]
) -> Optional[list[Fraction]]:
    """Return the amounts of exchanges that make a gradient vanish along them; None if they are dependent."""
    R, rows = Reduced(problem.Q, exchanges, reference), []
    for v, (i, k) in enumerate(exchanges):
        rows.append(Scaled.of([*R.row(v), g[reference[i]][i] - g[k][i]]).integers)
    return fraction_free.solution([row[:-1] for row in rows], [row[-1] for row in rows])


def _read(
    problem: Problem, x: Sequence[Sequence[Number]]
) -> tuple[list[tuple[int, int]], dict[int, int], list[list[Number]]]:
    """Return the exchanges and references at x, and a point with the same variables at their bounds."""
    zero, size = problem.kind(0), range(problem.size)
    exchanges: list[tuple[int, int]] = []
    reference: dict[int, int] = {}
    start: list[list[Number]] = [[zero] * problem.n for _ in size]
    for i, (block, ends) in enumerate(zip(zip(*x), zip(*problem.upper))):
        loose = [k for k in size if ends[k] is None or block[k] < type(block[k])(ends[k])]
        for k in size:
            if k not in loose:
                start[k][i] = ends[k]
        if loose:
            b = reference[i] = loose[0]
            start[b][i] = -sum((start[k][i] for k in size), zero)
            exchanges += [(i, k) for k in loose[1:]]
    return exchanges, reference, start
