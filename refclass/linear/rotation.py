"""Jacobi's rotations, one-sided: columns turned in pairs until each is orthogonal to all others.

    G W = H,    WᵀW = I,    HᵀH diagonal

The lengths of the columns of H are the singular values of G, its columns the left singular vectors times these, and the
columns of W the right ones. No other matrix is touched, and most of the work is dot products.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from refclass.errors import NotConverged
from refclass.linear.vector import dot
from refclass.number.field import Field, Number

SWEEPS = 100  # ten suffice for doubles; the limit only keeps a defect from running for ever

Columns = list[list[Any]]


def angle(F: Field, a: Number, b: Number, g: Number) -> tuple[Number, Number]:
    """Return the tangent and the cosine of the smaller rotation that makes a symmetric 2 × 2 matrix diagonal.

        | a  g |      θ = (b − a) / 2g    t = sign θ / (|θ| + √(θ² + 1))    c = 1 / √(t² + 1)
        | g  b |

    The diagonal becomes a − t g, b + t g.

    Shapes    g ≠ 0
    Exact     where the roots are rational
    Cost      3 multiplications, 4 additions, 3 divisions, 2 roots

    Example
        >>> from refclass.number.rational import RATIONAL
        >>> from fractions import Fraction
        >>> angle(RATIONAL, Fraction(0), Fraction(7), Fraction(12))
        (Fraction(3, 4), Fraction(4, 5))
    """
    theta = (b - a) / (2 * g)
    t = 1 / (abs(theta) + F.sqrt(theta * theta + 1))
    t = t if theta >= 0 else -t
    return t, 1 / F.sqrt(t * t + 1)


def turned(x: Sequence[Number], y: Sequence[Number], c: Number, s: Number) -> tuple[list[Number], list[Number]]:
    """Return c x − s y and s x + c y.

    Shapes    x, y: m
    Exact     yes
    Cost      4m multiplications, 2m additions
    """
    return [c * u - s * v for u, v in zip(x, y)], [s * u + c * v for u, v in zip(x, y)]


def orthogonal(F: Field, columns: Sequence[Sequence[Number]], followers: Sequence[Sequence[Number]] = ()) -> Any:
    """Return the columns of H, longest first, and the followers (the columns of another matrix) turned along with them.

    Shapes    columns: r of length m; followers: none, or r of any length
    Raises    NotConverged if 100 sweeps do not suffice
    """
    H, V = list(map(list, columns)), list(map(list, followers))
    for _ in range(SWEEPS):
        if not _sweep(F, H, V):
            return H, V
    raise NotConverged("rotation", need=f"orthogonal columns after {SWEEPS} sweeps", got="others", columns=H)


def _sweep(F: Field, H: Columns, V: Columns) -> int:
    squares = [dot(x, x) for x in H]
    small = len(H[0]) * F.eps * F.eps
    floor = max(squares) * F.eps**8
    count = 0
    for p in range(len(H) - 1):
        _longest_first(squares, H, V, p)
        x, a = H[p], squares[p]
        for q in range(p + 1, len(H)):
            y, b = H[q], squares[q]
            g = dot(x, y)
            if g * g <= small * a * b or b <= floor:
                continue
            t, c = angle(F, a, b, g)
            s = t * c
            x, H[q] = turned(x, y, c, s)
            if V:
                V[p], V[q] = turned(V[p], V[q], c, s)
            a, squares[q] = a - t * g, b + t * g
            count += 1
        H[p], squares[p] = x, a
    return count


def _longest_first(squares: list[Number], H: Columns, V: Columns, p: int) -> None:
    k = squares.index(max(squares[p:]), p)
    for row in filter(None, (squares, H, V)):
        row[p], row[k] = row[k], row[p]
