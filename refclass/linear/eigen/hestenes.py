"""One-sided Jacobi sweeps (Hestenes 1958): columns rotated in pairs until each is orthogonal to all others.

    G W = H,    WᵀW = I,    HᵀH diagonal

The lengths of the columns of H are the singular values of G, its columns the left singular vectors times these, and the
columns of W the right ones. No other matrix is changed, and most of the work is dot products. In each sweep the longest
remaining column is the pivot (de Rijk 1989).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from refclass.errors import NotConverged
from refclass.linear.jacobi import rotated, symmetric_schur
from refclass.linear.vector import dot
from refclass.number.field import Field, Number

MAX_SWEEPS = 100  # sweeps; ten suffice for doubles, the limit only ends a computation that a defect keeps going

Columns = list[list[Any]]


def orthogonal(F: Field, columns: Sequence[Sequence[Number]], followers: Sequence[Sequence[Number]] = ()) -> Any:
    """Return the columns of H, longest first, and the followers, columns of another matrix rotated alike.

    Shapes    columns: r of length m; followers: none, or r of any length
    Raises    NotConverged if 100 sweeps do not suffice
    """
    H, V = list(map(list, columns)), list(map(list, followers))
    for _ in range(MAX_SWEEPS):
        if not _sweep(F, H, V):
            return H, V
    raise NotConverged("hestenes", need=f"orthogonal columns after {MAX_SWEEPS} sweeps", got="others", columns=H)


def _sweep(F: Field, H: Columns, V: Columns) -> int:
    squares = [dot(x, x) for x in H]
    small = len(H[0]) * F.eps * F.eps
    vanishing = max(squares) * F.eps**8
    count = 0
    for p in range(len(H) - 1):
        _longest_first(squares, H, V, p)
        x, a = H[p], squares[p]
        for q in range(p + 1, len(H)):
            y, b = H[q], squares[q]
            g = dot(x, y)
            if g * g <= small * a * b or b <= vanishing:
                continue
            t, c = symmetric_schur(F, a, b, g)
            s = t * c
            x, H[q] = rotated(x, y, c, s)
            if V:
                V[p], V[q] = rotated(V[p], V[q], c, s)
            a, squares[q] = a - t * g, b + t * g
            count += 1
        H[p], squares[p] = x, a
    return count


def _longest_first(squares: list[Number], H: Columns, V: Columns, p: int) -> None:
    k = squares.index(max(squares[p:]), p)
    for row in filter(None, (squares, H, V)):
        row[p], row[k] = row[k], row[p]
