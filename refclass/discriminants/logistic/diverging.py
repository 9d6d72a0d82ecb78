"""What a diverging iteration shows: the direction in which it leaves, and the points it leaves behind, both made exact.

Where classes are quasi-completely separated the likelihood has no maximum: the posteriors of some pairs tend to
zero, those of the others stay. Near the end of such an iteration a direction and weights are found that prove it,
without a simplex iteration:

    a·d = 0 and Σ u a = 0, u > 0, over the rows a left behind        a·d > 0 for all others

The first says that d separates, the second that no direction separates more.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from operator import mul, truediv
from typing import Optional

from refclass.discriminants.logistic import balanced_weights, separation
from refclass.discriminants.logistic.balanced_weights import Pair, Problem
from refclass.discriminants.logistic.separation import Separation
from refclass.errors import NoAnswer
from refclass.linear.exact import fraction_free
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector, dot
from refclass.number.field import Number, rational
from refclass.number.text import approximate

GAP = 100  # between the heights of the step over points that it leaves behind and over others
ZERO = 10**10  # what elimination leaves below its inverse, of rows of size one, is roundoff
DIGITS = (3, 17)  # of the direction's free coordinates: few, if few will do


def separated(asked: Problem, P: Sequence[Sequence[Number]], step: Sequence[Sequence[Number]]) -> Optional[Separation]:
    """Return the quasi-complete separation that an iteration tends to, or None, which decides nothing.

    P       the posteriors where the iteration is
    step    the last change of the directions, for each class a constant and p coefficients

    Exact     yes: what is returned is proven over the integers
    Cost      two systems of r equations in integers, r the rank of the rows left behind
    """
    # Proof: a direction that separates has a·d′ ≥ 0 over the rows left behind, and Σ u a·d′ = 0 with u > 0 leaves zero
    # for each of them: none is separated by any direction.
    change = [rational(v - w) for theta in step[1:] for v, w in zip(theta, step[0])]
    target = [v / s for v, s in zip(change, asked.scales * (asked.K - 1))]
    behind = _left_behind(asked, change)
    pivots = _pivots([asked.row(pair) for pair in behind])
    if not behind or len(pivots) == len(target):
        return None
    chosen, columns = [behind[i] for i, _ in pivots], [j for _, j in pivots]
    pairs = asked.pairs()
    for digits in DIGITS:
        d = _orthogonal([asked.row(pair) for pair in chosen], columns, target, digits)
        heights = [dot(d, asked.row(pair)) for pair in pairs] if d else [Fraction(0)]
        if min(heights) >= 0 and any(heights):
            between = [pair for pair, height in zip(pairs, heights) if height == 0]
            if set(chosen) <= set(between) and _balanced(asked, P, between, chosen, columns):
                return separation.witness(asked, d or [], complete=False)
    return None


def _left_behind(asked: Problem, change: Sequence[Fraction]) -> list[Pair]:
    """Return the pairs whose margins the step leaves as they are: those below the widest gap between its heights."""
    # Method: near the end of an iteration a step moves the margins that grow by one or so, the others by next to
    # nothing.
    flat, scales = [approximate(v) for v in change], asked.scales * (asked.K - 1)
    try:
        heights = sorted((abs(dot(flat, map(truediv, asked.row(pair), scales))), pair) for pair in asked.pairs())
    except OverflowError:  # beyond the range of doubles
        return []
    least = heights[-1][0] / ZERO
    if not least:
        return []
    gaps = [max(above, least) / max(below, least) for (below, _), (above, _) in zip(heights, heights[1:])]
    if not gaps or max(gaps) < GAP:
        return []
    return sorted(pair for _, pair in heights[: gaps.index(max(gaps)) + 1])


def _pivots(rows: Sequence[Sequence[int]]) -> list[tuple[int, int]]:
    """Return the places of pivots that elimination finds in the rows, as many as their rank."""
    # Method: in doubles, every pivot the largest that is left. What it picks is checked by what follows, exactly.
    scale = [max(map(abs, column)) or 1 for column in zip(*rows)]
    left = [([v / s for v, s in zip(row, scale)], i) for i, row in enumerate(rows)]
    found: list[tuple[int, int]] = []
    while left:
        chosen, place = max(left, key=lambda entry: max(map(abs, entry[0])))
        j = max(range(len(chosen)), key=lambda k: abs(chosen[k]))
        if abs(chosen[j]) * ZERO < 1:
            break
        found.append((place, j))
        shares = [row[j] / chosen[j] for row, _ in left]
        left = [
            ([v - c * w for v, w in zip(row, chosen)] if c else row, i)
            for c, (row, i) in zip(shares, left)
            if i != place
        ]
    return found


def _orthogonal(
    basis: Sequence[Sequence[int]], columns: Sequence[int], target: Sequence[Fraction], digits: int
) -> Optional[list[Fraction]]:
    """Return the direction orthogonal to the basis that is the target, rounded, in all but the given columns."""
    held = set(columns)
    free = [j for j in range(len(target)) if j not in held]
    size = max(abs(target[j]) for j in free)
    if not size:
        return None
    d = [Fraction(0) if j in held else round(v / size, digits) for j, v in enumerate(target)]
    if columns:
        A = Matrix.of([Vector.of([Fraction(row[j]) for j in columns]) for row in basis])
        try:
            solved = fraction_free.solve(A, Vector.of([-dot(row, d) for row in basis]))
        except NoAnswer:
            return None
        for j, v in zip(columns, solved):
            d[j] = v
    return d


def _balanced(
    asked: Problem, P: Sequence[Sequence[Number]], between: list[Pair], chosen: list[Pair], columns: list[int]
) -> bool:
    """Return whether positive weights near the posteriors balance the rows between, the chosen ones mended to do so."""
    unit = balanced_weights.UNIT
    u = {(i, k): Fraction(int(rational(P[i][k]) * unit) + 1, unit) for i, k in between}
    rows = {pair: asked.row(pair) for pair in between}
    missing = [sum(map(mul, u.values(), column)) for column in zip(*rows.values())]
    A = Matrix.of([Vector.of([Fraction(rows[pair][j]) for pair in chosen]) for j in columns])
    try:
        changes = fraction_free.solve(A, Vector.of([-missing[j] for j in columns]))
    except NoAnswer:
        return False
    for pair, change in zip(chosen, changes):
        u[pair] += change
    return min(u.values()) > 0 and not any(sum(map(mul, u.values(), column)) for column in zip(*rows.values()))
