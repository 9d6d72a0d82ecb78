"""The proof of an answer to a quadratic programme, whoever gave it, in fractions.

    stationarity   Px + q + Aᵀy = 0                    primal   P(x) = ½xᵀPx + qᵀx
    sides          l ≤ Ax ≤ u                          dual     D(x, y) = −½xᵀPx − Σ uᵢ max(yᵢ, 0) + Σ lᵢ max(−yᵢ, 0)

For a convex programme P(x) ≥ min ≥ D(x, y) where both lines hold (Dorn 1960). Of rounded numbers neither does to the
last digit. Let r = Px + q + Aᵀy. Every point z of the rows has P(z) ≥ D(x, y) + rᵀz: a lower bound, where r is zero,
or z bounded on the side to which r pulls it (`lower_bound`). A point near the optimum with so many digits that r is
next to nothing proves the answer that was rounded from it.

Where no bound is known, x and y satisfy both lines for a programme whose sides and q differ from those given by what
is missed, and its optimum differs from theirs, to first order, by Σ |rⱼxⱼ| + Σ |yᵢ (aᵢx − sideᵢ)| at most: the gap,
none of whose terms cancels. The digits are the fewest of three: of the distance to the bound, or of that sum, beside
the objective; of each row beside ‖aᵢ‖₁‖x‖∞ and its sides; of stationarity in each variable beside its qⱼ and the norms
of its rows of P and Aᵀ times ‖x‖∞ and ‖y‖∞ (Rigal and Gaches 1967). Where what is known leaves it open whether the
optimum is zero, the first stands beside the terms ½xᵀPx, qⱼxⱼ and yᵢ sideᵢ that the objective is the sum of, and beside
the terms ½Pᵢⱼxᵢxⱼ where the bound holds for all points: without one an answer far away has large terms for no other
reason. Where these are zero, too, no unit is left to count digits in.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from typing import Any, Optional

from refclass.certificate import ASKED, Certificate, digits, status
from refclass.number.rational import ZERO
from refclass.optimise.programme.problem import Programme, dot, times, transposed_times

FAR = 10**6  # times the largest entry of a point, where `lower_bound` takes no point of the rows to be


def certify(
    p: Programme,
    x: Sequence[Fraction],
    y: Sequence[Fraction],
    asked: float = ASKED,
    bound: Optional[Fraction] = None,
    certain: bool = False,
    negative: Fraction = ZERO,
) -> Certificate:
    """Return what is proven of x with the multipliers y of the rows, for a convex programme without bounds beside them.

    bound     a lower bound on the objective, where one is known; else D(x, y) stands for it
    certain   whether the bound holds for all points of the rows
    negative  the part of its diagonal, δ, by which P is to be longer to be semidefinite: what is proven is proven for
              that P, whose objective, dual value and stationarity times x differ by δ Σ Pⱼⱼxⱼ² at most

    Exact     yes, whatever numbers the answer was computed in
    """
    Px, Ax, pull = times(p.P, x), times(p.A, x), transposed_times(p.A, y, p.n)
    curved, linear = dot(x, Px), dot(p.q, x)
    found: list[tuple[Fraction, str]] = [(ZERO, "")]
    unpaid, lacking, missed = ZERO, ZERO, False
    pressed: list[tuple[Fraction, Fraction]] = []
    for i, (v, w, low, high) in enumerate(zip(Ax, y, p.l, p.u)):
        excess = max(low - v if low is not None else ZERO, v - high if high is not None else ZERO, ZERO)
        missed |= excess > 0
        found.append((excess, f"row {i}: outside its sides"))
        side = high if w > 0 else low
        if w and side is None:
            unpaid = max(unpaid, abs(w))
            found.append((abs(w), f"row {i}: a multiplier of a side that it does not have"))
        elif w and side is not None:
            pressed.append((w, side))
            slack = abs(w * (v - side)) if v != side else ZERO
            lacking += slack
            found.append((slack, f"row {i}: its multiplier times its slack"))
    balances = [abs(a + b + c) for a, b, c in zip(Px, p.q, pull)]
    found += [(v, f"variable {j}: stationarity") for j, v in enumerate(balances)]
    supports = [w * side for w, side in pressed]
    primal, dual = curved / 2 + linear, -curved / 2 - sum(supports, ZERO) if bound is None else bound
    lacking += dot(balances, list(map(abs, x))) if any(balances) else ZERO
    scale, open_by = max(abs(primal), abs(dual)), lacking if bound is None else ZERO
    if min(primal, dual) - open_by <= 0 <= max(primal, dual) + open_by:
        terms = [abs(curved) / 2, sum(map(abs, supports), ZERO), sum([abs(a * b) for a, b in zip(p.q, x)], ZERO)]
        scale = max(scale, *terms, _curvature_terms(p, x) if certain else ZERO)
    errors = [(lacking if bound is None else primal - dual, scale), (unpaid, max(map(abs, y), default=ZERO))]
    longer = negative * sum([row.get(j, ZERO) * x[j] * x[j] for j, row in enumerate(p.P)], ZERO) if negative else ZERO
    errors += [(longer, scale)] if longer else []
    errors += _row_errors(p, x) if missed else []
    errors += [(v, t) for v, t in zip(balances, _variable_sizes(p, x, y)) if v] if any(balances) else []
    proven = min([digits(*own) for own in errors])
    worst = max(found)
    premise = [f"P is positive semidefinite but for {float(negative):.0e} of its diagonal"] if negative else []
    if proven < math.inf and (missed or bound is None):
        premise += [f"sides{'' if bound is not None else ' and q'} moved by what the answer misses of them"]
    words = worst[1] if worst[0] else ""
    return Certificate(
        status(proven, asked), primal, dual, primal - dual, worst[0], words, {}, "; ".join(premise), proven
    )


def duality_gap(p: Programme, x: Sequence[Fraction], y: Sequence[Fraction]) -> Fraction:
    """Return P(x) − D(x, y), for multipliers of sides that are there."""
    sides = [high if w > 0 else low for w, low, high in zip(y, p.l, p.u)]
    supports = [w * side for w, side in zip(y, sides) if w and side is not None]
    return dot(x, times(p.P, x)) + dot(p.q, x) + sum(supports, ZERO)


def residuals(p: Programme, x: Sequence[Fraction], y: Sequence[Fraction]) -> tuple[list[Fraction], list[Fraction]]:
    """Return by how much each row is outside its sides, and what stationarity lacks in each variable."""
    rows = zip(times(p.A, x), p.l, p.u)
    missed = [
        max(low - v if low is not None else ZERO, v - high if high is not None else ZERO, ZERO) for v, low, high in rows
    ]
    pull = zip(times(p.P, x), p.q, transposed_times(p.A, y, p.n))
    return missed, [abs(a + b + c) for a, b, c in pull]


def _curvature_terms(p: Programme, x: Sequence[Fraction]) -> Fraction:
    """Return the sum of the magnitudes that ½xᵀPx is the sum of."""
    return sum([abs(v * x[i] * x[j]) for i, row in enumerate(p.P) if x[i] for j, v in row.items()], ZERO) / 2


def _row_errors(p: Programme, x: Sequence[Fraction]) -> list[tuple[Fraction, Fraction]]:
    """Return by how much each row is outside its sides, and the size that the two are compared by."""
    found, largest = [], max(map(abs, x))
    for row, v, low, high in zip(p.A, times(p.A, x), p.l, p.u):
        excess = max(low - v if low is not None else ZERO, v - high if high is not None else ZERO, ZERO)
        if excess:
            size = sum(map(abs, row.values()), ZERO) * largest
            found.append((excess, size + max(abs(low or ZERO), abs(high or ZERO))))
    return found


def _variable_sizes(p: Programme, x: Sequence[Fraction], y: Sequence[Fraction]) -> list[Fraction]:
    """Return for each variable the size that its stationarity is compared by."""
    sizes = [abs(v) for v in p.q]
    for rows, weights in ((p.P, x), (p.A, y)):
        largest = max(map(abs, weights), default=ZERO)
        for row in rows if largest else ():
            for j, v in row.items():
                sizes[j] += abs(v) * largest
    return sizes


def lower_bound(p: Programme, x: Sequence[Fraction], y: Sequence[Fraction]) -> tuple[Optional[Fraction], bool]:
    """Return a lower bound on the objective of a convex programme, and whether it holds for all points of the rows.

        min P ≥ D(x, y) + Σⱼ min rⱼzⱼ    r = Px + q + Aᵀy,  zⱼ between the bounds of variable j

    Where the variable has no bound on the side to which rⱼ pulls it, |zⱼ| ≤ FAR times the largest entry of x is taken
    for granted. Multipliers of sides that are not there are taken for zero.

    Exact     yes
    """
    # Proof: zᵀPz/2 ≥ xᵀPz − xᵀPx/2 as P is convex, hence P(z) ≥ (Px + q)ᵀz − xᵀPx/2 = rᵀz − yᵀAz − xᵀPx/2, and yᵢaᵢz is
    # at most yᵢ times the side that yᵢ presses against.
    sides = [high if w > 0 else low for w, low, high in zip(y, p.l, p.u)]
    y = [ZERO if side is None else w for w, side in zip(y, sides)]
    Px, pull = times(p.P, x), transposed_times(p.A, y, p.n)
    found = -dot(x, Px) / 2 - sum([w * side for w, side in zip(y, sides) if w and side is not None], ZERO)
    low, high = _variable_bounds(p)
    far, certain = FAR * max(map(abs, x)), True
    for j, r in enumerate(a + b + c for a, b, c in zip(Px, p.q, pull)):
        if not r:
            continue
        bound = low[j] if r > 0 else high[j]
        if bound is None:
            bound, certain = -far if r > 0 else far, False
        found += r * bound
    return (None if far == 0 and not certain else found), certain


def _variable_bounds(p: Programme) -> tuple[list[Optional[Fraction]], list[Optional[Fraction]]]:
    """Return the tightest bounds of each variable that rows with one entry state."""
    low: list[Optional[Fraction]] = [None] * p.n
    high: list[Optional[Fraction]] = [None] * p.n
    for row, a, b in zip(p.A, p.l, p.u):
        if len(row) == 1:
            ((j, v),) = row.items()
            if not v:
                continue
            first, last = [None if side is None else side / v for side in ((a, b) if v > 0 else (b, a))]
            low[j] = max([v for v in (low[j], first) if v is not None], default=None)
            high[j] = min([v for v in (high[j], last) if v is not None], default=None)
    return low, high


def contradicts(p: Programme, y: Sequence[Fraction]) -> Optional[str]:
    """Return why multipliers y do not prove that no x satisfies the rows; None if they do (Farkas 1902).

        Aᵀy = 0      Σ uᵢ max(yᵢ, 0) − Σ lᵢ max(−yᵢ, 0) < 0

    Exact     yes
    """
    # Proof: for every x that satisfies the rows, 0 = yᵀAx ≤ Σ uᵢ max(yᵢ, 0) − Σ lᵢ max(−yᵢ, 0).
    total = ZERO
    for i, (w, low, high) in enumerate(zip(y, p.l, p.u)):
        side = high if w > 0 else low
        if w and side is None:
            return f"row {i} has no side that its multiplier presses against"
        total += w * side if w and side is not None else ZERO
    j = next((j for j, v in enumerate(transposed_times(p.A, y, p.n)) if v), None)
    if j is not None:
        return f"the multipliers do not cancel in variable {j}"
    return None if total < 0 else "the sides combined by the multipliers do not contradict each other"


def unbounded_along(p: Programme, x: Sequence[Fraction], d: Sequence[Fraction]) -> Optional[str]:
    """Return why the objective does not fall without end from the point x of the rows along d; None if it does.

        dᵀPd ≤ 0      (Px + q)ᵀd < 0      (Ad)ᵢ ≤ 0 where uᵢ exists,   (Ad)ᵢ ≥ 0 where lᵢ exists

    Exact     yes
    """
    # Proof: x + td satisfies the rows for t ≥ 0, and its objective is that of x, plus t(Px + q)ᵀd, plus ½t²dᵀPd.
    if not meets(p, x):
        return "the point x does not satisfy the rows"
    for i, (v, low, high) in enumerate(zip(times(p.A, d), p.l, p.u)):
        if (v > 0 and high is not None) or (v < 0 and low is not None):
            return f"the direction leaves row {i}"
    if dot(d, times(p.P, d)) > 0:
        return "the objective is curved upwards along the direction"
    slope = sum([a * (b + c) for a, b, c in zip(d, times(p.P, x), p.q)], ZERO)
    return None if slope < 0 else "the objective does not fall along the direction"


def is_concave_along(p: Programme, d: Sequence[Fraction]) -> Optional[str]:
    """Return why d does not prove that the objective is not convex where the equalities hold; None if it does.

    Exact     yes
    """
    for i, (v, low, high) in enumerate(zip(times(p.A, d), p.l, p.u)):
        if v and low is not None and low == high:
            return f"the direction leaves the equality of row {i}"
    return None if dot(d, times(p.P, d)) < 0 else "the curvature along the direction is not negative"


def meets(p: Programme, x: Sequence[Fraction]) -> bool:
    """Return whether x satisfies all rows, exactly."""
    rows = zip(times(p.A, x), p.l, p.u)
    return all((low is None or low <= v) and (high is None or v <= high) for v, low, high in rows)


def refusal_reason(p: Programme, witness: Any) -> Optional[str]:
    """Return why a witness does not prove the refusal that it is reported for; None if it does.

    witness    y, multipliers that contradict; or ray with a point x of the rows; or direction of negative curvature
    """
    if "y" in witness:
        return contradicts(p, witness["y"])
    if "ray" in witness:
        return unbounded_along(p, witness["x"], witness["ray"])
    return is_concave_along(p, witness["direction"])
