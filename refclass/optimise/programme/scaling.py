"""Equilibration of a programme by powers of two, exact in doubles (Ruiz 2001).

With x = D x̂, rows scaled by E and the objective by c the programme is

    P̂ = c D P D      q̂ = c D q      Â = E A D      l̂, û = E l, E u      bounds D⁻¹ lower, D⁻¹ upper

and y = E ŷ/c. D and E are those for which the largest entries of the rows of [P̂ Âᵀ; Â 0] come near one.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction

from refclass.optimise.programme.problem import Bound, Programme, Row
from refclass.optimise.programme.quasi_definite import Doubles

ROUNDS = 10  # of the fixed-point iteration; its error falls by half in each


@dataclass(frozen=True)
class Scaling:
    """Powers of two: of the columns D, of the rows E, of the objective c."""

    columns: list[int]
    rows: list[int]
    objective: int


def equilibrated(p: Programme) -> tuple[list[int], list[int]]:
    """Return the exponents of D and E.

    Cost      ten passes over the entries
    """
    P, A = [_logs(row) for row in p.P], [_logs(row) for row in p.A]
    d, e = [0.0] * p.n, [0.0] * p.m
    for _ in range(ROUNDS):
        most = [max([v + d[j] for j, v in row], default=-math.inf) + d[i] for i, row in enumerate(P)]
        wide = [-math.inf] * p.m
        for i, row in enumerate(A):
            for j, v in row:
                w = v + d[j] + e[i]
                wide[i], most[j] = max(wide[i], w), max(most[j], w)
        d = [v - w / 2 if w > -math.inf else v for v, w in zip(d, most)]
        e = [v - w / 2 if w > -math.inf else v for v, w in zip(e, wide)]
    return [round(v) for v in d], [round(v) for v in e]


def scaled(p: Programme, columns: list[int], rows: list[int]) -> tuple[Doubles, Scaling]:
    """Return the programme in doubles, its objective scaled to size one."""
    sizes = [_log(v) + k for v, k in zip(p.q, columns) if v]
    sizes += [_log(v) + columns[j] + k for own, k in zip(p.P, columns) for j, v in own.items()]
    c = -round(max(sizes, default=0.0))
    by = Scaling(columns, rows, c)
    return _scaled(p, by), by


def _log(v: Fraction) -> float:
    return math.log2(abs(v.numerator)) - math.log2(v.denominator)


def _logs(row: Row) -> list[tuple[int, float]]:
    return [(j, _log(v)) for j, v in row.items()]


def double(v: Fraction, power: int) -> float:
    """Return 2^power v, rounded once."""
    return float(v * 2**power if power > 0 else v / 2**-power)


def _scaled(p: Programme, by: Scaling) -> Doubles:
    D, E, c = by.columns, by.rows, by.objective

    def row(own: Row, power: int) -> tuple[list[int], list[float]]:
        return list(own), [double(v, power + D[j]) for j, v in own.items()]

    return Doubles(
        P=[row(own, D[i] + c) for i, own in enumerate(p.P)],
        q=[double(v, k + c) for v, k in zip(p.q, D)],
        A=[row(own, k) for own, k in zip(p.A, E)],
        l=_bounds(p.l, E, -math.inf),
        u=_bounds(p.u, E, math.inf),
        lower=_bounds(p.lower, [-k for k in D], -math.inf),
        upper=_bounds(p.upper, [-k for k in D], math.inf),
    )


def _bounds(given: Iterable[Bound], powers: Iterable[int], absent: float) -> list[float]:
    return [absent if v is None else double(v, k) for v, k in zip(given, powers)]
