"""Whether a sparse symmetric matrix is positive semidefinite, decided exactly.

The matrix falls into blocks that no entry joins. A block is positive definite where Cholesky's factor of it, less a
multiple of the identity that bounds the roundoff, exists in doubles (Demmel 1989; Rump 2006). A singular block is
semidefinite where a regular principal block of its rank is definite, and its other columns are combinations of those
there, proven by p-adic lifting. What that leaves open is factored in integers (Bareiss 1968).

Rounded products leave a matrix of less than full rank, as FᵀF of few rows, with negative curvature of a unit in the
last place: for m rows and n columns less than nm 2⁻⁵³ of the diagonal. Answers in doubles take it for semidefinite, and
say so, where it is *nearly* that: semidefinite with a diagonal longer by 10⁻¹⁰ or less.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any, Optional

from refclass.linear.exact.sparse_dixon import Elimination, solve
from refclass.linear.factorisations.sparse_ldl import Factor, factor, plan
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector
from refclass.number.rational import ZERO
from refclass.number.tolerance import roundoff
from refclass.optimise.programme.problem import ROUNDOFF, Programme, Row, times
from refclass.optimise.programme.scaling import double, equilibrated
from refclass.optimise.quadratic.convexity import negative_direction
from refclass.optimise.quadratic.problem import Problem

PENALTY = 2**10  # of equalities beside the largest entry of P
NEARLY = [ROUNDOFF / 10**k for k in (5, 4, 3, 2, 1, 0)]  # parts of the diagonal, the least first
SHORT = 20, 52  # bits after the point to which a direction in doubles is rounded


def concave_direction(p: Programme) -> Optional[list[Fraction]]:
    """Return d with dᵀPd < 0 and ad = 0 for every equality a, or None: the programme is convex where they hold.

    Exact     yes
    Cost      that of a sparse factor; for a P that is not semidefinite that of `negative_direction` in doubles, and in
              integers where they leave it open
    """
    if _is_known(p.P):
        return None
    equal = [row for row, low, high in zip(p.A, p.l, p.u) if low is not None and low == high]
    equal += [{j: Fraction(1)} for j, (a, b) in enumerate(zip(p.lower, p.upper)) if a is not None and a == b]
    if equal and _is_known(_penalised(p.P, equal)):
        return None
    found = (_of_doubles(p.P, equal) if equal else None) or _of_blocks(p.P)
    if found is None or not any(times(equal, found)):
        return found
    return _direction(Matrix.of(_dense(p.P, p.n)), _dense(equal, p.n), ZERO)


def _dense(rows: Sequence[Row], n: int) -> list[Vector]:
    return [Vector.of([row.get(j, ZERO) for j in range(n)]) for row in rows]


def _direction(Q: Matrix, E: Sequence[Vector], zero: Any) -> Optional[list[Any]]:
    """Return d with dᵀQd < 0 and Ed = 0, or None, in the arithmetic of the zero."""
    n = len(Q)
    zeros, free = Vector.of([zero] * n), (None,) * n
    equations = (Matrix.of(E), Vector.of([zero] * len(E))) if E else (None, None)
    v = negative_direction(Problem(Q, zeros, free, free, *equations))
    return None if v is None else list(v)


def _penalised(P: Sequence[Row], equal: Sequence[Row]) -> list[Row]:
    """Return P + γ Σ aaᵀ over the equalities a.

    Proof: where it is positive semidefinite for some γ, dᵀPd ≥ 0 for every d with ad = 0 (Finsler 1937).
    """
    found = [dict(row) for row in P]
    most = max([abs(v) for row in P for v in row.values()])
    for a in equal:
        gamma = PENALTY * most / max([v * v for v in a.values()]) if a else ZERO
        for i, v in a.items():
            for j, w in a.items():
                found[i][j] = found[i].get(j, ZERO) + gamma * v * w
    return [{j: v for j, v in row.items() if v} for row in found]


def _of_doubles(P: Sequence[Row], equal: Sequence[Row]) -> Optional[list[Fraction]]:
    """Return a direction of negative curvature found in doubles, rounded, and moved exactly into the equalities.

    None where doubles find none, or where the curvature of the one that they find is not negative in fractions.
    """
    n, none = len(P), [None] * len(P)
    sides = [ZERO] * len(equal)
    powers, of_rows = equilibrated(Programme(P, [ZERO] * n, equal, sides, sides, none, none))
    try:
        dense, rows = [
            [Vector.of([double(row.get(j, ZERO), a + b) for j, b in enumerate(powers)]) for row, a in zip(M, own)]
            for M, own in ((P, powers), (equal, of_rows))
        ]
    except OverflowError:
        return None
    found = _direction(Matrix.of(dense), rows, float(0))
    for bits in SHORT if found is not None else ():
        unit = 2**bits / max(map(abs, found or ()))
        short = [Fraction(round(v * unit)) * Fraction(2) ** k for v, k in zip(found or (), powers)]
        d = _moved_into(equal, short)
        if not any(times(equal, d)) and sum([a * b for a, b in zip(d, times(P, d))], ZERO) < 0:
            return d
    return None


def _moved_into(equal: Sequence[Row], d: list[Fraction]) -> list[Fraction]:
    """Return d with as many entries changed as there are independent equalities, so that ad = 0 for each."""
    scales = [math.lcm(*[v.denominator for v in row.values()]) for row in equal]
    whole = [{j: v.numerator * (c // v.denominator) for j, v in row.items()} for row, c in zip(equal, scales)]
    known = Elimination(whole)
    columns = {pivot.column for pivot in known.pivots}
    outside = times(equal, [ZERO if j in columns else v for j, v in enumerate(d)])
    right = [-v * c for v, c in zip(outside, scales)]
    common = math.lcm(*[v.denominator for v in right])
    x, c = solve(whole, known, [int(v * common) for v in right], len(d)) if any(right) else ([0] * len(d), 1)
    return [Fraction(x[j], c * common) if j in columns else v for j, v in enumerate(d)]


def negative_part(p: Programme) -> Optional[Fraction]:
    """Return the part of the diagonal by which it is to be longer for P to be semidefinite, as far as roundoff goes.

    Zero where P is semidefinite; else a power of ten from 10⁻¹⁵ to 10⁻¹⁰; None where none of these is enough.

    Cost      n³/6 multiplications of doubles for each, fewer where P is sparse; where it is singular, an elimination
              modulo a prime besides; nothing is factored in integers
    """
    if _is_known(p.P):
        return ZERO
    for part in NEARLY:
        longer = [{j: v * (1 + part * (i == j)) for j, v in row.items()} for i, row in enumerate(p.P)]
        if _is_known(longer):
            return part
    return None


def _is_known(P: Sequence[Row]) -> bool:
    """Return whether P is proven semidefinite without a factor in integers."""
    return all(_known(rows) for _, rows in _blocks(P))


def _known(rows: list[Row]) -> bool:
    """Return whether a block is proven semidefinite without a factor in integers."""
    return rows[0][0] >= 0 if len(rows) == 1 else _surely(rows) or _singular(rows)


def _of_blocks(P: Sequence[Row]) -> Optional[list[Fraction]]:
    """Return d with dᵀPd < 0, or None where there is none."""
    for block, rows in _blocks(P):
        found = _of_block(rows)
        if found is not None:
            d = [ZERO] * len(P)
            for j, v in zip(block, found):
                d[j] = v
            return d
    return None


def _blocks(P: Sequence[Row]) -> Iterator[tuple[list[int], list[Row]]]:
    """Yield the blocks that no entry joins: their variables, and their rows."""
    left = {j for j, row in enumerate(P) if row}
    while left:
        block, reached = [], [min(left)]
        left.discard(reached[0])
        while reached:
            j = reached.pop()
            block.append(j)
            new = left.intersection(P[j])
            reached += sorted(new)
            left -= new
        block.sort()
        place = {j: k for k, j in enumerate(block)}
        yield block, [{place[k]: v for k, v in P[j].items()} for j in block]


def _of_block(rows: list[Row]) -> Optional[list[Fraction]]:
    if len(rows) == 1:
        return [Fraction(1)] if rows[0][0] < 0 else None
    if _known(rows):
        return None
    return _of_doubles(rows, []) or _direction(Matrix.of(_dense(rows, len(rows))), [], ZERO)


def _singular(rows: list[Row]) -> bool:
    """Return whether a regular principal block of the rank is proven definite, the other columns combinations of it."""
    d = math.lcm(*[v.denominator for row in rows for v in row.values()])
    whole = [{j: v.numerator * (d // v.denominator) for j, v in row.items()} for row in rows]
    basis = sorted({pivot.column for pivot in Elimination(whole).pivots})
    place = {j: k for k, j in enumerate(basis)}
    if len(basis) == len(rows) or not _surely([{place[k]: v for k, v in rows[j].items() if k in place} for j in basis]):
        return False
    inner = [{place[k]: v for k, v in whole[j].items() if k in place} for j in basis]
    known = Elimination(inner)
    for j in range(len(rows)):
        if j not in place:
            x, c = solve(inner, known, [whole[i].get(j, 0) for i in basis], len(basis))
            if any(sum([v * x[place[k]] for k, v in row.items() if k in place]) != c * row.get(j, 0) for row in whole):
                return False
    return True


def _surely(rows: list[Row]) -> bool:
    """Return whether a sparse Cholesky factor in doubles proves that the block is positive definite.

    Proof: entries scaled by powers of two are rounded once, E with ‖E‖ at most u times the largest row of magnitudes.
    A factor LDLᵀ of B + E − cI with positive pivots in doubles is exact for B + E − cI + Δ, |Δᵢⱼ| ≤ γ √(bᵢᵢbⱼⱼ), where
    γ ≈ (2k + 4)u and k is the most entries in a row of L: ‖Δ‖ ≤ γ tr B (Demmel 1989; Rump 2006). c is above both.
    """
    n, u = len(rows), roundoff(float) / 2
    if any(row.get(i, ZERO) <= 0 for i, row in enumerate(rows)):
        return False
    powers = [-((row[i].numerator.bit_length() - row[i].denominator.bit_length()) // 2) for i, row in enumerate(rows)]
    table = [
        [(j, float(v * Fraction(2) ** (powers[i] + powers[j]))) for j, v in row.items()] for i, row in enumerate(rows)
    ]
    order = plan([{j for j in row if j != i} for i, row in enumerate(rows)])
    counts = Counter([i for pattern in order.below for i in pattern])
    k = max([counts[i] + max(0, i - len(order.below)) for i in range(n)])
    trace = sum([v for i, row in enumerate(table) for j, v in row if i == j])
    widest = max([sum([abs(v) for _, v in row]) for row in table])
    c = u * ((2 * k + 5) * trace + 2 * widest)
    lower = [[(j, v - c if j == i else v) for j, v in row if j <= i] for i, row in enumerate(table)]
    found: Factor = factor(order, lower, n)
    return not found.blocked
