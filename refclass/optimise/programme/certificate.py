"""The proof of an answer to a quadratic programme, whoever gave it, in fractions.

    stationarity   Px + q + Aᵀy = 0                    primal   P(x) = ½xᵀPx + qᵀx
    sides          l ≤ Ax ≤ u                          dual     D(x, y) = −½xᵀPx − Σ uᵢ max(yᵢ, 0) + Σ lᵢ max(−yᵢ, 0)

For a convex programme P(x) ≥ min ≥ D(x, y) where both lines hold (Dorn 1960). Of rounded numbers neither does to the
last digit: then x and y satisfy them for a programme whose sides and q differ from those given by what is missed, and
P − D bounds how far x is from the optimum of that one. The digits are the fewest of three: of the gap beside the
objective, of the sides and of stationarity beside the largest terms that they sum (Rigal and Gaches 1967). Where what
the conditions lack leaves it open whether the optimum is zero, the gap stands beside the terms ½Pᵢⱼxᵢxⱼ, qⱼxⱼ and
yᵢ sideᵢ that the objective is the sum of. Where these are zero, too, no unit is left to count digits in.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from typing import Any, Optional

from refclass.certificate import ASKED, Certificate, digits, status
from refclass.number.rational import ZERO
from refclass.optimise.programme.problem import Programme, dot, times, transposed_times


def certify(p: Programme, x: Sequence[Fraction], y: Sequence[Fraction], asked: float = ASKED) -> Certificate:
    """Return what is proven of x with the multipliers y of the rows, for a convex programme without bounds beside them.

    Exact     yes, whatever numbers the answer was computed in
    """
    Px, Ax, pull = times(p.P, x), times(p.A, x), transposed_times(p.A, y, p.n)
    curved, linear = dot(x, Px), dot(p.q, x)
    found: list[tuple[Fraction, str]] = [(ZERO, "")]
    missed, unpaid, lacking = ZERO, ZERO, ZERO
    pressed: list[tuple[Fraction, Fraction]] = []
    for i, (v, w, low, high) in enumerate(zip(Ax, y, p.l, p.u)):
        excess = max(low - v if low is not None else ZERO, v - high if high is not None else ZERO, ZERO)
        missed = max(missed, excess)
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
    supports = dot(*zip(*pressed)) if pressed else ZERO
    primal, dual = curved / 2 + linear, -curved / 2 - supports
    scale, lacking = max(abs(primal), abs(dual)), lacking + (dot(balances, list(map(abs, x))) if any(balances) else 0)
    if min(primal, dual) - lacking <= 0 <= max(primal, dual) + lacking:
        scale = max(scale, _objective_terms(p, x), sum([abs(w * side) for w, side in pressed], ZERO))
    errors = [(primal - dual, scale), (unpaid, max(map(abs, y), default=ZERO))]
    errors += [(missed, _row_terms(p, x))] if missed else []
    errors += [(max(balances), _terms(p, x, y))] if any(balances) else []
    proven = min([digits(*own) for own in errors])
    worst = max(found)
    words = "" if proven == math.inf else "sides and q moved by what the answer misses of them"
    return Certificate(
        status(proven, asked), primal, dual, primal - dual, worst[0], worst[1] if worst[0] else "", {}, words, proven
    )


def residuals(p: Programme, x: Sequence[Fraction], y: Sequence[Fraction]) -> tuple[list[Fraction], list[Fraction]]:
    """Return by how much each row is outside its sides, and what stationarity lacks in each variable."""
    rows = zip(times(p.A, x), p.l, p.u)
    missed = [
        max(low - v if low is not None else ZERO, v - high if high is not None else ZERO, ZERO) for v, low, high in rows
    ]
    pull = zip(times(p.P, x), p.q, transposed_times(p.A, y, p.n))
    return missed, [abs(a + b + c) for a, b, c in pull]


def _objective_terms(p: Programme, x: Sequence[Fraction]) -> Fraction:
    """Return the sum of the magnitudes that the objective is the sum of."""
    squares = [abs(v * x[i] * x[j]) for i, row in enumerate(p.P) if x[i] for j, v in row.items()]
    return sum(squares, ZERO) / 2 + sum([abs(a * b) for a, b in zip(p.q, x)], ZERO)


def _row_terms(p: Programme, x: Sequence[Fraction]) -> Fraction:
    """Return the largest sum of magnitudes that a row and its sides are compared by."""
    values = times([{j: abs(a) for j, a in row.items()} for row in p.A], list(map(abs, x)))
    return max([v + max(abs(low or ZERO), abs(high or ZERO)) for v, low, high in zip(values, p.l, p.u)])


def _terms(p: Programme, x: Sequence[Fraction], y: Sequence[Fraction]) -> Fraction:
    """Return the largest sum of magnitudes that stationarity in one variable is the sum of."""
    sizes = [abs(v) for v in p.q]
    for rows, weights in ((p.P, x), (p.A, y)):
        for row, w in zip(rows, weights):
            if w:
                for j, v in row.items():
                    sizes[j] += abs(v * w)
    return max(sizes)


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
