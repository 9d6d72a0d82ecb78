"""The inverse of the working matrix, updated when a place enters or leaves it.

The working matrix of an active set is the part of

    M = | Q  Aᵀ |
        | A  0  |

that belongs to the free variables and the active rows. Beside it a place may stand that is about to enter. With
B = M_II the working part, N its inverse, and V, C the entering columns over I and among themselves, the table

    T = | −N     N V      |
        | VᵀN    C − VᵀNV |

turns into the table of another working set by a pivot on the one or two places that change sides:

    T_ab ← T_ab − T_aP T_PP⁻¹ T_Pb        T_aP ← T_aP T_PP⁻¹        T_PP ← −T_PP⁻¹

Two at once are needed where each alone would leave B singular. Nothing is asked of the signs of the pivots, so that
rows, which have zeros on the diagonal, need no care of their own; and no root is taken.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from refclass.linear.vector import dot, inner_product
from refclass.number.field import Number


class Entering(NamedTuple):
    """A place that enters: its column over the working places, and over those that enter, itself included."""

    place: int
    column: Sequence[Number]
    corner: Sequence[Number]


class Inverse:
    """N = B⁻¹ in rounded numbers.

    index    the working places, in the order of the rows of N
    """

    def __init__(self) -> None:
        self.index: list[int] = []
        self.rows: list[list[Number]] = []
        self._last: tuple[Any, list[Number]] = None, []

    def __len__(self) -> int:
        return len(self.index)

    def solve(self, v: Sequence[Number]) -> list[Number]:
        """Return B⁻¹ v.

        The last solution is kept: the column of a place that moves is asked for again when the place enters.

        Cost      m² multiplications for m working places
        """
        v = tuple(v)
        if v != self._last[0]:
            product = inner_product(type(v[0])) if v else dot
            self._last = v, [product(row, v) for row in self.rows]
        return list(self._last[1])

    def column(self, place: int) -> list[Number]:
        """Return the column of B⁻¹ that belongs to a working place."""
        return list(self.rows[self.index.index(place)])

    def diagonal(self, place: int) -> Number:
        """Return the diagonal entry of B⁻¹ that belongs to a working place."""
        k = self.index.index(place)
        return self.rows[k][k]

    def pivot(self, enter: Sequence[Entering], leave: Sequence[int]) -> None:
        """Let one or two places change sides.

        Cost      one that enters: m² + m multiplications and m + 1 divisions, and m² multiplications more unless its
                  column was just solved for; one that leaves: m² − m multiplications and m divisions; two together
                  about thrice as many
        """
        if not leave and len(enter) == 1:
            (e,) = enter
            w = self.solve(e.column)
            self.extend(e.place, w, e.corner[0] - dot(e.column, w) if w else e.corner[0])
        elif not enter and len(leave) == 1:
            self.drop(leave[0])
        else:
            self._pivot_two(enter, leave)
            self._last = None, []

    def begin(self, index: Sequence[int], rows: Sequence[Sequence[Number]]) -> None:
        """Begin with an inverse that is known."""
        self.index, self.rows, self._last = list(index), [list(row) for row in rows], (None, [])

    def extend(self, place: int, w: Sequence[Number], pivot: Number) -> None:
        """Let a place enter whose column has the solution w = B⁻¹ v, the pivot being its corner less vᵀw."""
        scaled = [v / pivot for v in w]
        self.rows = [[*[a + u * b for a, b in zip(row, scaled)], -v] for row, u, v in zip(self.rows, w, scaled)]
        self.rows.append([*[-v for v in scaled], 1 / pivot])
        self.index.append(place)
        self._last = None, []

    def drop(self, place: int) -> None:
        """Let a place leave.

        Cost      m² − m multiplications and m divisions
        """
        self._last = None, []
        k = self.index.index(place)
        last = self.rows.pop(k)
        scaled = [v / last[k] for v in last]
        self.rows = [[a - row[k] * b for a, b in zip(row, scaled)] for row in self.rows]
        for row in self.rows:
            del row[k]
        del self.index[k]

    def _pivot_two(self, enter: Sequence[Entering], leave: Sequence[int]) -> None:
        table = [[-v for v in row] for row in self.rows]
        images = [self.solve(e.column) for e in enter]
        for row, *w in zip(table, *images):
            row += w
        for e, w in zip(enter, images):
            table.append(w + [c - dot(e.column, z) if w else c for c, z in zip(e.corner, images)])
        names = self.index + [e.place for e in enter]
        table = _exchange_two(table, *[names.index(i) for i in (*(e.place for e in enter), *leave)])
        stay = [k for k, i in enumerate(names) if i not in leave]
        self.index = [names[k] for k in stay]
        self.rows = [[-table[a][b] for b in stay] for a in stay]


def _exchange_two(T: list[list[Number]], k: int, q: int) -> list[list[Number]]:
    a, b, c, first, second = T[k][k], T[k][q], T[q][q], T[k], T[q]
    D = a * c - b * b
    table = []
    for other in T:
        u, v = other[k], other[q]
        s, t = (u * c - v * b) / D, (v * a - u * b) / D
        updated = [w - s * f - t * g for w, f, g in zip(other, first, second)]
        updated[k], updated[q] = s, t
        table.append(updated)
    for place in (k, q):
        table[place] = [row[place] for row in table]
    table[k][k], table[k][q], table[q][k], table[q][q] = -c / D, b / D, b / D, -a / D
    return table
