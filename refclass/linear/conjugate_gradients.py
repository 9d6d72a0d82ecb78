"""Conjugate gradients for positive definite systems of doubles (Hestenes and Stiefel 1952), bordered by ones or not.

    | A   1 | | a  |   | y |
    | 1ᵀ  0 | | β₀ | = | 0 |        without the border A a = y

A factor takes n³/6 multiplications and a step n², so that these pay where few steps suffice: where the eigenvalues of A
are close to each other, but for a few. With the border all steps keep Σ aᵢ = 0, by projection of the residual.
"""

from __future__ import annotations

import math
from typing import Optional

from refclass.linear.matrix import Matrix
from refclass.linear.polar import Products
from refclass.linear.vector import Vector, dot
from refclass.number.tolerance import roundoff

ORDER = 400  # from which on the steps that a usual system takes cost less than a factor
TRIAL = 8  # steps after which the others are foretold
SHARE = 2.0**-26  # of the residual that is left until it is computed afresh
ROUNDS = 3  # of that kind
ROUNDOFF_UNITS = 8  # of the largest row's norm times that of a, in the residual at the end


def worthwhile(A: Matrix) -> bool:
    """Return whether the steps may take less time than a factor."""
    return A.kind is float and len(A) >= ORDER


def solve(A: Matrix, y: Vector, border: bool) -> Optional[tuple[Vector, float]]:
    """Return a and β₀, zero without the border; None where a factor would take less time, or leave a smaller residual.

    The residual of what is returned is roundoff, as it is computed from a itself.

    Shapes    A: n × n; y: n
    Cost      n² multiplications a step, at most n/6 steps, n² for the norms of the rows, and n² for each of at most
              `ROUNDS` residuals
    """
    product, steps = Products(A), len(A) // 6
    a, unit = [0.0 * t for t in y], 0.0
    left, beta0 = _levelled(y, border)
    for turn in range(ROUNDS):
        found = _descended(product, left, border, unit / 2, steps, foretold=turn == 0)
        if found is None:
            return None
        a, steps = [u + v for u, v in zip(a, found[0])], steps - found[1]
        left, beta0 = _levelled([t - dot(row, a) for t, row in zip(y, A)], border)
        unit = ROUNDOFF_UNITS * roundoff(float) * (product.size * math.hypot(*a) + y.largest())
        if max(map(abs, left)) <= unit:
            return Vector.of(a), beta0
    return None


def _levelled(r: list[float] | Vector, border: bool) -> tuple[list[float], float]:
    """Return a residual less its mean, and the mean; as it is without the border."""
    mean = sum(r) / len(r) if border else 0.0
    return [v - mean for v in r], mean


def _descended(
    product: Products, r: list[float], border: bool, least: float, limit: int, *, foretold: bool
) -> Optional[tuple[list[float], int]]:
    """Return the solution for the right side r to a small share of it, or to a residual of `least`, and the steps.

    None beyond the limit, and after a few steps where two such shares are foretold to take more.
    """
    x, p, rr = [0.0] * len(r), r, dot(r, r)
    first = rr
    for count in range(1, limit + 1):
        image = product(p)
        bend = dot(p, image)
        if not bend > 0:
            return None
        step = rr / bend
        x = [u + step * v for u, v in zip(x, p)]
        r, _ = _levelled([u - step * v for u, v in zip(r, image)], border)
        last, rr = rr, dot(r, r)
        if rr <= max(SHARE * SHARE * first, least * least):
            return x, count
        if foretold and count == TRIAL and 2 * TRIAL * math.log(SHARE) < limit * math.log(rr / first) / 2:
            return None
        p = [u + rr / last * v for u, v in zip(r, p)]
    return None
