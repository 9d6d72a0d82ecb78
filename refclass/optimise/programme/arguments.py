"""The arguments of a quadratic programme, read exactly: dense rows, triplets, arrays, sparse matrices.

A sparse matrix is whatever has `tocoo`, as those of scipy have; arrays and data frames become lists by themselves.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from decimal import Decimal
from fractions import Fraction
from numbers import Real
from typing import Any

from refclass.errors import InvalidInput
from refclass.number.field import rational
from refclass.number.text import read
from refclass.optimise.programme.problem import Bound, Programme, Row

MODULE = "solve_qp"
NO_BOUND = 10**20  # sides of this size or more are none: the convention of QPS files


def programme(P: Any, q: Any, A: Any = None, l: Any = None, u: Any = None) -> Programme:  # noqa: E741
    """Return the programme in fractions, each number at its exact worth.

    Raises    InvalidInput, naming what does not fit and where
    """
    costs = [_number("q", v, place=j) for j, v in enumerate(_listed("q", q))]
    n = len(costs)
    if not n:
        raise InvalidInput(MODULE, need="a q of at least one number", got="none")
    ends = [None if side is None else _listed(name, side) for name, side in (("l", l), ("u", u))]
    count = max([len(side) for side in ends if side is not None], default=0)
    A = A if A is None or hasattr(A, "shape") else _listed("A", A)
    if (A is None) is (count > 0) and (A is None or _length(A)):
        got = f"{count} sides and no A" if A is None else "A and neither"
        raise InvalidInput(MODULE, need="A and its sides l, u, or none of them", got=got)
    rows = matrix("A", A, count, n)
    m = len(rows)
    low, high = _sides("l", ends[0], m, -1), _sides("u", ends[1], m, 1)
    for i, (v, w) in enumerate(zip(low, high)):
        if v is not None and w is not None and v > w:
            raise InvalidInput(MODULE, need="l ≤ u in every row", got=f"{_told(v)} > {_told(w)}", row=i)
    return Programme(matrix("P", P, n, n), costs, rows, low, high, [None] * n, [None] * n)


def matrix(name: str, given: Any, count: int, n: int) -> list[Row]:
    """Return the rows of P, which is symmetric, or of A.  Raises InvalidInput, naming what does not fit and where."""
    rows = _rows(name, given, count, n)
    for i, row in enumerate(rows if name == "P" else ()):
        for j, v in row.items():
            if rows[j].get(i) != v:
                got = f"{_told(v)} and {_told(rows[j].get(i, Fraction(0)))}"
                raise InvalidInput(MODULE, need="a symmetric P", got=got, row=i, column=j)
    return rows


def _told(v: Fraction) -> str:
    try:
        return f"{float(v):.17g}"
    except OverflowError:
        return f"{'-' if v < 0 else ''}1e{math.log10(abs(v.numerator)) - math.log10(v.denominator):.0f}"


def _length(given: Any) -> int:
    return int(given.shape[0]) if hasattr(given, "shape") else len(given)


def _plain(values: Any) -> Any:
    """Return arrays and data frames as lists."""
    if not hasattr(values, "tolist") and callable(getattr(values, "to_numpy", None)):
        values = values.to_numpy()
    return values.tolist() if hasattr(values, "tolist") else values


def _listed(name: str, values: Any) -> list[Any]:
    values = _plain(values)
    if isinstance(values, (str, bytes, Mapping)) or not hasattr(values, "__iter__"):
        raise InvalidInput(MODULE, need=f"{name} as a sequence", got=type(values).__name__)
    return list(values)


def _number(name: str, value: Any, **place: int) -> Fraction:
    if isinstance(value, bool):
        raise InvalidInput(MODULE, need=f"numbers in {name}", got=value, **place)
    try:
        return rational(read(value))
    except InvalidInput as refusal:
        raise InvalidInput(MODULE, need=f"finite numbers in {name}", got=refusal.got, **place) from None


def _infinite(value: Any) -> int:
    """Return the sign of an infinity of any type, 0 for what is none."""
    infinite = value.is_infinite() if isinstance(value, Decimal) else isinstance(value, Real) and abs(value) == math.inf
    return (1 if value > 0 else -1) if infinite else 0


def _sides(name: str, given: Any, m: int, sign: int) -> list[Bound]:
    """Return the sides, None for none; infinity of the other sign is refused."""
    values = [None] * m if given is None else given
    if len(values) != m:
        raise InvalidInput(MODULE, need=f"{m} numbers or None in {name}, one for each row of A", got=len(values))
    found: list[Bound] = []
    for i, value in enumerate(values):
        if value is None or _infinite(value) == sign:
            found.append(None)
            continue
        v = _number(name, value, row=i)
        if sign * v <= -NO_BOUND:
            raise InvalidInput(
                MODULE, need=f"{'lower' if sign < 0 else 'upper'} sides that a row can meet", got=_told(v), row=i
            )
        found.append(None if sign * v >= NO_BOUND else v)
    return found


def _rows(name: str, given: Any, count: int, n: int) -> list[Row]:
    """Return rows of numbers, or of triplets, sparse; `count` rows where they are triplets or a sparse matrix."""
    shape = tuple(getattr(given, "shape", ()))
    if shape and shape != (count, n) and (count or shape[0]):
        got = " × ".join(map(str, shape))
        raise InvalidInput(MODULE, need=f"{name} of {count} rows and {n} columns", got=f"an array of {got}")
    if callable(getattr(given, "tocoo", None)):
        return _summed(name, given.tocoo(), count)
    rows_given = [] if given is None else _listed(name, given)
    values = [_listed(f"rows of {name}", row) for row in rows_given]
    tuples = all(isinstance(row, tuple) for row in rows_given) and n == 3
    if values and len(values) == count and all(len(row) == n for row in values) and not tuples:
        return [_dense(name, i, row) for i, row in enumerate(values)]
    rows: list[Row] = [{} for _ in range(count)]
    for k, triplet in enumerate(values):
        if len(triplet) != 3:
            odd = next((c for c, row in enumerate(values) if len(row) != n), k)
            need = f"{name} as {count} rows of {n} numbers, or as triplets (row, column, value)"
            got = f"{len(values)} entries, of which this one has {len(values[odd])} numbers"
            raise InvalidInput(MODULE, need=need, got=got, entry=odd)
        i, j, value = triplet
        for place, most, word in ((i, count, "row"), (j, n, "column")):
            if isinstance(place, bool) or not hasattr(place, "__index__") or not 0 <= place < most:
                need = f"a {word} from 0 to {most - 1} in triplets (row, column, value) of {name}"
                raise InvalidInput(MODULE, need=need, got=place, entry=k)
        if j in rows[i]:
            raise InvalidInput(MODULE, need=f"each place of {name} once", got=f"({i}, {j}) twice", entry=k)
        rows[i][int(j)] = _number(name, value, entry=k)
    return [_without_zeros(row) for row in rows]


def _summed(name: str, entries: Any, count: int) -> list[Row]:
    """Return the rows of a sparse matrix in coordinates: entries of one place are added up, as its type means them."""
    rows: list[Row] = [{} for _ in range(count)]
    for i, j, value in zip(*[_plain(own) for own in (entries.row, entries.col, entries.data)]):
        rows[i][j] = rows[i].get(j, Fraction(0)) + _number(name, value, row=i, column=j)
    return [_without_zeros(row) for row in rows]


def _dense(name: str, i: int, row: list[Any]) -> Row:
    return _without_zeros({j: _number(name, v, row=i, column=j) for j, v in enumerate(row)})


def _without_zeros(row: Row) -> Row:
    return {j: v for j, v in row.items() if v}
