"""Whether the optimum of a convex quadratic programme is the only one, decided exactly.

With x optimal and y its multipliers, x + td is optimal, too, for small t > 0, if and only if

    Pd = 0,   ad = 0 in equalities and rows with a multiplier,   ad inwards in the other rows at one of their sides

If the first two lines determine d = 0, x is the only optimum (a rank, bounded from below by one modulo a prime). If no
row is at its side without a multiplier, and they do not, there are others. Else the linear programme that maximises how
far d leaves such rows is solved exactly.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from fractions import Fraction

from refclass.linear.exact.sparse_dixon import Elimination
from refclass.number.rational import ONE, ZERO
from refclass.optimise.programme.problem import Bound, Programme, Row, times


def is_unique(
    p: Programme, x: Sequence[Fraction], y: Sequence[Fraction], minimum: Callable[[Programme], Sequence[Fraction]]
) -> bool:
    """Return whether the optimum x, with multipliers y, is the only one.

    Shapes    minimum: returns an exact optimum of a linear programme
    Exact     yes
    """
    rows: list[Row] = [row for row in p.P if row]
    edges: list[Row] = []
    for row, v, w, low, high in zip(p.A, times(p.A, x), y, p.l, p.u):
        if w or (low is not None and low == high):
            rows.append(row)
        elif v in (low, high):
            edges.append({j: -a for j, a in row.items()} if v == low else dict(row))
    if _rank(rows) == p.n:
        return True
    if not edges or _rank(rows + edges) < p.n:
        return False
    # Proof: directions with ad = 0 in all edges are zero by the rank; any other d makes the sum of their ad negative.
    sums: dict[int, Fraction] = {}
    for row in edges:
        for j, a in row.items():
            sums[j] = sums.get(j, ZERO) + a
    sides = [ZERO] * len(rows) + [-ONE] * len(edges)
    free: list[Bound] = [None] * p.n
    cone = Programme(
        P=[{} for _ in range(p.n)],
        q=[sums.get(j, ZERO) for j in range(p.n)],
        A=rows + edges,
        l=sides,
        u=[ZERO] * len(sides),
        lower=free,
        upper=free,
    )
    d = minimum(cone)
    return not any(d)


def _rank(rows: Sequence[Row]) -> int:
    whole = []
    for row in rows:
        d = math.lcm(*[v.denominator for v in row.values()])
        whole.append({j: v.numerator * (d // v.denominator) for j, v in row.items()})
    return len(Elimination(whole).pivots)
