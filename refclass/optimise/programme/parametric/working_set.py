"""The equations of a working set, solved exactly for sparse right sides.

With W the active rows and F the variables at no bound, x and y follow from

    | P_FF   A_WFᵀ | | x_F |   | right side of F |
    | A_WF   0     | | y_W | = | right side of W |

Variables of F along which neither P nor A_W determines x keep a value of their own: they are *held*.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from refclass.linear.exact.sparse_dixon import Elimination, SparseRow, solve
from refclass.number.rational import ZERO
from refclass.optimise.programme.problem import Programme, Row


@dataclass(frozen=True)
class Solved:
    """Changes of x and of y, by variable and by row; all others are zero."""

    x: dict[int, Fraction]
    y: dict[int, Fraction]


class Equations:
    """The equations of one working set, factored modulo a prime."""

    def __init__(self, p: Programme, free: Sequence[int], active: Sequence[int]) -> None:
        """Factor the equations; of dependent rows in `active` those at the end are left out."""
        self.p, self.free = p, list(free)
        place = {j: k for k, j in enumerate(self.free)}
        self.active = _independent(p, place, active)
        rows = [{place[k]: v for k, v in p.P[j].items() if k in place} for j in self.free]
        for k, i in enumerate(self.active, len(self.free)):
            rows.append({place[j]: v for j, v in p.A[i].items() if j in place})
            for j, v in rows[-1].items():
                rows[j][k] = v
        self.scales = [math.lcm(*[v.denominator for v in row.values()]) for row in rows]
        whole = [{j: _whole(v, d) for j, v in row.items()} for row, d in zip(rows, self.scales)]
        known = Elimination(whole)
        held = set(range(len(rows))) - {pivot.column for pivot in known.pivots}
        # Proof: columns of a symmetric matrix that are a basis of all its columns make a regular principal submatrix.
        # The rows of A_W are independent, so that what the matrix takes to zero has no part in y, and no y is held.
        if held:
            whole = [
                {j: v for j, v in row.items() if j not in held} if i not in held else {} for i, row in enumerate(whole)
            ]
            known = Elimination(whole)
        self.held = [self.free[k] for k in sorted(held)]
        self.whole: list[SparseRow] = whole
        self.known = known

    def solve(self, right_x: Mapping[int, Fraction], right_y: Mapping[int, Fraction]) -> Solved:
        """Return x and y for right sides by variable and by row, those of held variables left out.

        Cost      that of `sparse_dixon.solve`
        """
        n = len(self.free)
        right = [right_x.get(j, ZERO) for j in self.free] + [right_y.get(i, ZERO) for i in self.active]
        for j in self.held:
            right[self.free.index(j)] = ZERO
        right = [v * d for v, d in zip(right, self.scales)]
        common = math.lcm(*[v.denominator for v in right])
        b = [_whole(v, common) for v in right]
        if not any(b):
            return Solved({}, {})
        x, d = solve(self.whole, self.known, b, len(b))
        d *= common
        return Solved(
            {j: Fraction(v, d) for j, v in zip(self.free, x) if v},
            {i: Fraction(v, d) for i, v in zip(self.active, x[n:]) if v},
        )


def _whole(v: Fraction, d: int) -> int:
    return v.numerator * (d // v.denominator)


def _independent(p: Programme, place: Mapping[int, int], active: Sequence[int]) -> list[int]:
    """Return rows of which all others are combinations on the free variables, early ones before late ones."""
    rows = []
    for i in active:
        own: Row = {place[j]: v for j, v in p.A[i].items() if j in place}
        d = math.lcm(*[v.denominator for v in own.values()])
        rows.append({j: _whole(v, d) for j, v in own.items()})
    known = Elimination(rows, row_ranks=range(len(rows)))
    return [active[k] for k in sorted([pivot.row for pivot in known.pivots])]
