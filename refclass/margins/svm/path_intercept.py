"""The intercepts of a path's machine that are best for multipliers as they were rounded.

With equal costs C the slope of Σ C[1 − yᵢ(vᵢ + b)]₊ in b, v the values of the function without its intercept, rises by
C at each place yᵢ − vᵢ, from −C times the number of points with y = 1 on. It is zero between the place of that number,
in ascending order, and the next.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import isfinite, sqrt
from typing import Any

from refclass.linear import combination
from refclass.linear.common_denominator import Scaled
from refclass.linear.vector import Vector
from refclass.number.field import Number

ERROR = 2**-40  # of √(Kᵢᵢ Kⱼⱼ): more than doubles err by in entries of K and in products with it, for n and p ≤ 2¹²
MOST = 2**12


def best(held: Any, y: Vector, alpha: Sequence[Number], cost: Fraction, near: Any = None) -> tuple[Fraction, Fraction]:
    """Return the least and the largest intercept that is best for the multipliers C α.

    held     the Gram matrix with every entry at its exact worth
    near     the same in doubles, positive semidefinite, by which most points are seen to lie far from these places

    Shapes    y, alpha: n numbers
    Exact     yes
    """
    positive = y.count(1)
    below, looked = (0, range(len(y))) if near is None else _candidates(near, y, alpha, float(cost))
    signed = Scaled.of([a if t > 0 else -a for a, t in zip(alpha, y)])
    places = sorted([int(y[i]) - cost * (Scaled.of(held.row(i)) @ signed) for i in looked])
    return places[positive - 1 - below], places[positive - below]


def _candidates(near: Any, y: Vector, alpha: Sequence[Number], cost: float) -> tuple[int, Sequence[int]]:
    """Return how many places are surely below those asked for, and the points of which doubles do not say as much.

    Proof: each place errs by at most e; those below the least place asked for by more than 2e are below it.
    """
    weights = {i: a * t * cost for i, (a, t) in enumerate(zip(map(float, alpha), map(float, y))) if a}
    roots = list(map(sqrt, near.diagonal()))
    if not weights:
        return 0, range(len(y))
    values = combination.total(list(weights.values()), [near.row(i) for i in weights])
    places = [t - v for t, v in zip(y, values)]
    reach = 2 * ERROR * max(roots) * sum(abs(w) * roots[i] for i, w in weights.items())
    if not isfinite(sum(places) + reach) or len(y) > MOST:
        return 0, range(len(y))
    order, positive = sorted(places), y.count(1)
    low, high = order[positive - 1] - reach, order[positive] + reach
    return sum([b < low for b in places]), [i for i, b in enumerate(places) if low <= b <= high]
