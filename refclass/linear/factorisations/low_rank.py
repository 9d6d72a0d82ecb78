"""Gram matrices of low rank as K = Z Zᵀ, Z of few columns, in doubles or decimals.

A linear kernel's points, turned by orthonormal directions that are chosen one after the other, each along the row that
is longest once the earlier directions are taken off: modified Gram and Schmidt with row pivoting (Golub and Van Loan,
5.2). Any other kernel by Cholesky's method with diagonal pivoting, stopped as soon as the rest is roundoff (Harbrecht,
Peters and Schneider, 2012). In both the columns of Z come in falling order of size, so that what is small beside an
offset keeps digits of its own.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, Optional

from refclass.errors import InvalidInput, NoAnswer
from refclass.linear.factorisations import cholesky
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector, dot, inner_product
from refclass.number.binary64 import BINARY64
from refclass.number.field import Field, Number

UNITS = 16  # of roundoff, of the largest diagonal entry or the longest row: what is left below them may be roundoff
Rows = list[tuple[Number, ...]]


def turned(X: Sequence[Sequence[float]]) -> Rows:
    """Return Z with Z Zᵀ = X Xᵀ, its columns in falling order of size, as many as X has rank.

    Cost      5npr multiplications for rank r
    """
    columns, _ = along_axes(X)
    return list(zip(*columns)) if columns else [(0.0,)] * len(X)


def along_axes(X: Sequence[Sequence[Number]], F: Field = BINARY64) -> tuple[list[list[Number]], list[list[Number]]]:
    """Return the columns of that Z, and for each the direction of length one: X = Z Q, its rows orthonormal."""
    rest = [list(x) for x in X]
    columns: list[list[Number]] = []
    axes: list[list[Number]] = []
    length = math.hypot if F.kind is float else lambda *x: F.sqrt(dot(x, x))
    largest = max(length(*x) for x in rest)
    for _ in range(min(len(X), len(X[0]))):
        lengths = [length(*x) for x in rest]
        i = lengths.index(max(lengths))
        if lengths[i] <= UNITS * F.eps * largest:
            break
        q = [v / lengths[i] for v in rest[i]]
        column = [dot(q, x) for x in rest]
        rest = [[v - c * w for v, w in zip(x, q)] for x, c in zip(rest, column)]
        again = [dot(q, x) for x in rest]
        rest = [[v - c * w for v, w in zip(x, q)] for x, c in zip(rest, again)]
        columns.append([a + b for a, b in zip(column, again)])
        axes.append(q)
    return columns, axes


def factored(K: Any, most: int, rest: Number = UNITS, F: Field = BINARY64) -> Optional[Rows]:
    """Return Z with Z Zᵀ = K up to `rest` units of roundoff; None if it would have more than so many columns.

    It would where so many points and one more, evenly spaced, have a Gram matrix that is positive definite beyond that.

    Cost      r rows of K, and nr²/2 multiplications for rank r; c³/6 where c points, one more than columns allowed,
              are of full rank
    """
    count, n = most + 1, len(K)
    if count < n:
        places = [k * n // count for k in range(count)]
        some = Matrix.of([Vector.of([row[j] for j in places]) for row in map(K.row, places)])
        try:
            if min(cholesky.factor(F, some).diagonal) ** 2 > F.kind(rest) * F.eps * max(K.diagonal()):
                return None
        except (NoAnswer, InvalidInput):  # Premise: rows that roundoff left unsymmetric are no proof of a high rank
            pass
    rows = leading(K, count, rest, F)
    return None if len(rows[0]) > most else rows


def leading(K: Any, most: int, rest: Number = UNITS, F: Field = BINARY64) -> Rows:
    """Return the first columns of such a Z, so many at most, at the cost of `factored`."""
    left, n, zero, inner = list(K.diagonal()), len(K), F.kind(0), inner_product(F.kind)
    floor = F.kind(rest) * F.eps * max(left)
    rows: list[list[Number]] = [[] for _ in range(n)]
    while max(left) > floor and len(rows[0]) < most:
        i = left.index(max(left))
        own, root = tuple(rows[i]), F.sqrt(left[i])
        column = [(v - inner(own, row)) / root for v, row in zip(K.row(i), rows)]
        for row, v in zip(rows, column):
            row.append(v)
        left = [max(a - v * v, zero) for a, v in zip(left, column)]
        left[i] = zero
    return [tuple(row) or (zero,) for row in rows]


def centred(X: Sequence[Sequence[float]]) -> Rows:
    """Return the rows less their mean, rounded; a decision function with an intercept loses nothing."""
    means = [math.fsum(column) / len(X) for column in zip(*X)]
    return [tuple([v - m for v, m in zip(x, means)]) for x in X]
