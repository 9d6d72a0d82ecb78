"""Convex quadratic programmes, solved in doubles or exactly, each answer with its proof."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any

from refclass.certificate import Certificate
from refclass.errors import InvalidInput, quoted
from refclass.linear.vector import Vector
from refclass.number.field import rational
from refclass.number.text import read
from refclass.optimise.programme import solver
from refclass.optimise.programme.problem import Bound, Programme, Row, times
from refclass.optimise.quadratic import kkt
from refclass.optimise.quadratic.kkt import Constraint

MODULE = "solve_qp"
NO_BOUND = 10**20  # sides of this size or more are none: the convention of QPS files


@dataclass(frozen=True)
class QPResult:
    """An optimum of a quadratic programme: what `solve_qp` returns.

    Attributes
    ----------
    x : list
        The point.
    y : list
        The multipliers of the rows: Px + q + Aᵀy = 0; positive where a row presses against its upper side u, negative
        where against its lower side l, zero between.
    objective : number
        ½xᵀPx + qᵀx, in exact arithmetic exactly.
    certificate : Certificate
        What is proven, in fractions: primal and dual value, their gap, the worst violation, the digits.
    active : list of int
        The rows that are at one of their sides, in exact arithmetic exactly.
    """

    x: list[Any]
    y: list[Any]
    objective: Any
    certificate: Certificate
    active: list[int]
    _programme: Programme = field(repr=False, compare=False)

    def conditions(self) -> dict[str, Any]:
        """Return by how much each condition of Karush, Kuhn and Tucker fails at worst, in fractions  [ISML-27.3-kkt].

        "stationarity", "feasibility", "sign" and "complementarity"; all are zero at the optimum, and only there.
        """
        p, x, y = self._programme, list(map(rational, self.x)), list(map(rational, self.y))
        gradient = Vector.of([v + c for v, c in zip(times(p.P, x), p.q)])
        constraints = []
        for row, v, low, high, multiplier in zip(p.A, times(p.A, x), p.l, p.u, y):
            normal = Vector.of([row.get(j, Fraction(0)) for j in range(p.n)])
            if low == high and low is not None:
                constraints.append(Constraint(v - low, normal, "= 0", multiplier))
                continue
            # Premise: of a row with two sides, a positive multiplier belongs to the upper one.
            up, down = (multiplier, -multiplier) if None in (low, high) else (max(multiplier, 0), max(-multiplier, 0))
            if high is not None:
                constraints.append(Constraint(v - high, normal, "≤ 0", up))
            if low is not None:
                constraints.append(Constraint(v - low, normal, "≥ 0", down))
        return kkt.residuals("minimise", gradient, constraints)


def solve_qp(
    P: Any,
    q: Any,
    A: Any = None,
    l: Any = None,  # noqa: E741 - the letter that the field's solvers have
    u: Any = None,
    *,
    arithmetic: str = "float",
) -> QPResult:
    """Minimise ½xᵀPx + qᵀx subject to l ≤ Ax ≤ u, with a proof of the optimum.

    Parameters
    ----------
    P : rows of numbers, or triplets
        Symmetric, n × n, and positive semidefinite where the equalities hold: n rows of n numbers, or a list of
        triplets (i, j, value), both halves of the matrix. `None` for a linear programme. Of three variables, tuples are
        triplets and lists are rows. In doubles negative curvature of 10⁻¹⁰ of the diagonal is taken for roundoff, and
        the certificate's premise says so.
    q : sequence of numbers
        The linear term, n numbers.
    A : rows of numbers, or triplets, optional
        The rows, m × n: m rows of n numbers, or triplets as for P. A row with one entry is a bound of that variable.
    l : sequence of numbers or None, optional
        Lower sides of the rows, m of them; None, an infinity, or a number of −1e20 or less where there is none.
    u : sequence of numbers or None, optional
        Upper sides of the rows, likewise; l ≤ u, and l = u for an equality.
    arithmetic : str
        "float": x and y are doubles, proven to nine digits. "exact": fractions, with a gap of zero.

    Returns
    -------
    result : QPResult
        The optimum x, n numbers, with the multipliers y of the rows, m numbers, Px + q + Aᵀy = 0: positive where a row
        presses against its upper side, negative where against its lower side. Beside them the objective, the
        certificate and the active rows.

    Raises
    ------
    NoAnswer
        Where there is no optimum, proven exactly by its witness: `y`, multipliers of the rows that contradict; `ray`, a
        direction of endless descent from the point `x`; `direction`, one of negative curvature.
    NotConverged
        Where fewer digits are proven than were asked for; the witness holds the point.
    InvalidInput
        For what does not fit, in one line with its place: lengths that differ; a P that is not symmetric; l > u in a
        row, which no multipliers of the rows could show; NaN, an infinity in P, q or A, a lower side of +∞ or an upper
        one of −∞; triplets outside the matrix, or two for one place; A without sides, sides without A; another
        arithmetic.

    Examples
    --------
    >>> result = solve_qp([[2, 0], [0, 2]], [-2, -5], [[1, 1]], [None], [1], arithmetic="exact")
    >>> result.x, result.y, result.objective
    ([Fraction(-1, 4), Fraction(5, 4)], [Fraction(5, 2)], Fraction(-33, 8))
    """
    return solution(programme(P, q, A, l, u), arithmetic)


def solution(p: Programme, arithmetic: str) -> QPResult:
    """Return the optimum of a programme in fractions; arithmetic and refusals as for `solve_qp`."""
    if arithmetic == "exact":
        found = solver.exact(p)
        sides = zip(times(p.A, found.x), p.l, p.u)
        active = [i for i, (v, low, high) in enumerate(sides) if v in (low, high)]
        certificate = replace(found.certificate, unique={"x": solver.unique(p, found)})
        return QPResult(found.x, found.y, certificate.primal, certificate, active, p)
    if arithmetic != "float":
        raise InvalidInput(MODULE, need='arithmetic "float" or "exact"', got=quoted(arithmetic))
    found = solver.rounded(p)
    x, y = [list(map(float, v)) for v in (found.x, found.y)]
    active = [i for i, v in enumerate(y) if v]
    return QPResult(x, y, float(found.certificate.primal), found.certificate, active, p)


def programme(P: Any, q: Any, A: Any = None, l: Any = None, u: Any = None) -> Programme:  # noqa: E741
    """Return the programme in fractions, each number at its exact worth.

    Raises    InvalidInput, naming what does not fit and where
    """
    costs = [_number("q", v, place=j) for j, v in enumerate(_listed("q", q))]
    n = len(costs)
    if not n:
        raise InvalidInput(MODULE, need="a q of at least one number", got="none")
    count = max([len(_listed(name, side)) for name, side in (("l", l), ("u", u)) if side is not None], default=0)
    if (A is None) is (count > 0) and (A is None or len(A := _listed("A", A))):
        got = f"{count} sides and no A" if A is None else "A and neither"
        raise InvalidInput(MODULE, need="A and its sides l, u, or none of them", got=got)
    rows = _rows("A", A, count, n)
    m = len(rows)
    low, high = _sides("l", l, m, -1), _sides("u", u, m, 1)
    for i, (v, w) in enumerate(zip(low, high)):
        if v is not None and w is not None and v > w:
            raise InvalidInput(MODULE, need="l ≤ u in every row", got=f"{float(v):.17g} > {float(w):.17g}", row=i)
    curved = _rows("P", P, n, n)
    for i, row in enumerate(curved):
        for j, v in row.items():
            if curved[j].get(i) != v:
                got = f"{float(v):.17g} and {float(curved[j].get(i, 0)):.17g}"
                raise InvalidInput(MODULE, need="a symmetric P", got=got, row=i, column=j)
    return Programme(curved, costs, rows, low, high, [None] * n, [None] * n)


def _listed(name: str, values: Any) -> list[Any]:
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


def _sides(name: str, given: Any, m: int, sign: int) -> list[Bound]:
    """Return the sides, None for none; infinity of the other sign is refused."""
    values = [None] * m if given is None else _listed(name, given)
    if len(values) != m:
        raise InvalidInput(MODULE, need=f"{m} numbers or None in {name}, one for each row of A", got=len(values))
    found: list[Bound] = []
    for i, value in enumerate(values):
        if value is None or (isinstance(value, float) and value == sign * math.inf):
            found.append(None)
            continue
        v = _number(name, value, row=i)
        if sign * v <= -NO_BOUND:
            raise InvalidInput(
                MODULE, need=f"{'lower' if sign < 0 else 'upper'} sides that a row can meet", got=f"{float(v):g}", row=i
            )
        found.append(None if sign * v >= NO_BOUND else v)
    return found


def _rows(name: str, given: Any, count: int, n: int) -> list[Row]:
    """Return rows of numbers, or of triplets, sparse; `count` rows where they are triplets."""
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
    return [{j: v for j, v in row.items() if v} for row in rows]


def _dense(name: str, i: int, row: list[Any]) -> Row:
    numbers = {j: _number(name, v, row=i, column=j) for j, v in enumerate(row)}
    return {j: v for j, v in numbers.items() if v}
