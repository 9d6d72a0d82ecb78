"""Symmetric eigenproblems by a tridiagonal form (Householder 1958) and QR steps with implicit shifts (Francis 1961).

    QᵀA Q = T,    then T ← GᵀT G,  V ← V G  until T is diagonal

A column of A is reflected onto one axis at a time. A step multiplies T by the rotations of the QR factor of T − μI
without forming it: the first rotation is that of its first column, the others take the entry that has left the bands
down to the last row. With Wilkinson's shift μ (1968), the eigenvalue of the last 2 × 2 block that is nearer to its
corner, the last entry beside the diagonal tends to zero, cubically in the end.

Eigenvalues are right to roundoff of the largest: for matrices that are not definite, which have no root whose columns
could be rotated.
"""

from __future__ import annotations

from collections.abc import Sequence

from refclass.errors import NotConverged
from refclass.linear.jacobi import rotated
from refclass.linear.matrix import Matrix
from refclass.linear.vector import dot
from refclass.number.field import Field, Number

MAX_STEPS = 30  # for each eigenvalue; two or three suffice for doubles, the limit only ends what a defect keeps going

Columns = list[list[Number]]


def factor(F: Field, A: Matrix) -> tuple[list[Number], Columns]:
    """Return the eigenvalues and the eigenvectors, as columns, of a symmetric matrix, in no order.

    Shapes    A: n × n, n ≥ 2
    Exact     no
    Raises    NotExact for an irrational root in an exact field; NotConverged if 30 n steps do not suffice
    """
    diagonal, beside, V = reduced(F, A)
    high, least = len(diagonal) - 1, F.eps * A.largest() / 4
    for _ in range(MAX_STEPS * len(diagonal)):
        while high and _vanishes(F, diagonal, beside, high - 1, least):
            high -= 1
        if not high:
            return diagonal, V
        low = high - 1
        while low and not _vanishes(F, diagonal, beside, low - 1, least):
            low -= 1
        step(F, diagonal, beside, V, low, high)
    raise NotConverged("tridiagonal_qr", need=f"a diagonal matrix after {MAX_STEPS} steps for each row", got="another")


def reduced(F: Field, A: Matrix) -> tuple[list[Number], list[Number], Columns]:
    """Return the diagonal of T, what is beside it, and the columns of Q: QᵀA Q = T.

    Shapes    A: n × n, n ≥ 2
    Cost      (5/3) n³ multiplications
    """
    # Method: H = I − β v vᵀ, and H B H = B − v wᵀ − w vᵀ with w = p − ½ β (p·v) v, p = β B v.
    rows, zero, one = list(map(list, A)), F.kind(0), F.kind(1)
    diagonal, beside = [], []
    reflections: list[tuple[list[Number], Number]] = []
    tiny = F.eps * F.eps * A.largest()  # what is no larger counts as zero: its square may be none
    while len(rows) > 2:
        first = rows[0]
        x, rows = first[1:], [row[1:] for row in rows[1:]]
        diagonal.append(first[0])
        beside.append(x[0])
        v, beta = x, zero
        if max(map(abs, x[1:])) > tiny:
            length = F.sqrt(dot(x, x))
            beside[-1] = -length if x[0] > 0 else length
            v, beta = [x[0] - beside[-1], *x[1:]], 1 / (length * (length + abs(x[0])))
            p = [beta * dot(row, v) for row in rows]
            half = beta * dot(p, v) / 2
            w = [a - half * b for a, b in zip(p, v)]
            rows = [[a - s * d - t * c for a, c, d in zip(row, v, w)] for row, s, t in zip(rows, v, w)]
        reflections.append((v, beta))
    diagonal += [rows[0][0], rows[1][1]]
    beside.append(rows[0][1])
    return diagonal, beside, _product(reflections, zero, one)


def _product(reflections: Sequence[tuple[list[Number], Number]], zero: Number, one: Number) -> Columns:
    """Return the columns of the product of the reflections, each of all axes but one more than the one after it."""
    columns = [[one]]
    for v, beta in [*reversed(reflections)]:
        columns = [[one, *[zero] * len(columns)], *[[zero, *column] for column in columns]]
        for k, column in enumerate(columns if beta else ()):
            t = beta * dot(v, column)
            columns[k] = [a - t * b for a, b in zip(column, v)]
    return [[one, *[zero] * len(columns)], *[[zero, *column] for column in columns]]


def step(F: Field, d: list[Number], e: list[Number], V: Columns, low: int, high: int) -> None:
    """Multiply rows and columns low … high of T, and columns of V, by the rotations of a QR step.

    d, e    the diagonal of T, and what is beside it, from low to high none of it so small that it has no square

    Cost      4n + 10 multiplications for each of high − low rotations, V having n rows
    """
    half = (d[high - 1] - d[high]) / 2
    root = F.sqrt(half * half + e[high - 1] * e[high - 1])
    x = d[low] - d[high] + e[high - 1] * e[high - 1] / (half + root if half > 0 else half - root)
    z = e[low]
    for k in range(low, high):
        r = F.sqrt(x * x + z * z)
        if k > low:
            e[k - 1] = r
        if not r:
            return
        c, s = x / r, z / r
        a, b, f = d[k], e[k], d[k + 1]
        t = 2 * b * c + s * (f - a)  # of the rotated block: a + st, b′ = ct − b, f − st
        d[k], e[k], d[k + 1] = a + s * t, c * t - b, f - s * t
        if k + 1 < high:
            x, z, e[k + 1] = e[k], s * e[k + 1], c * e[k + 1]
        V[k + 1], V[k] = rotated(V[k + 1], V[k], c, s)


def _vanishes(F: Field, d: Sequence[Number], e: Sequence[Number], k: int, least: Number) -> bool:
    """Return whether what is beside the diagonal is roundoff of it, or of the matrix."""
    return bool(abs(e[k]) <= max(F.eps * (abs(d[k]) + abs(d[k + 1])) / 2, least))
