"""The proof that a smoothing parameter has the lowest GCV of all: a lower bound over λ ∈ [0, ∞], in decimals.

The digits of λ itself say little: where GCV is flat, its square root is what GCV knows of λ. A λ is judged by its GCV.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, Optional

from refclass.certificate import digits
from refclass.linear.vector import Vector
from refclass.number.decimals import decimal
from refclass.number.field import Field, Number, rational
from refclass.regress.spline.degrees_of_freedom import ladder, limited
from refclass.regress.spline.gcv_criterion import GAP, Criterion, isolated
from refclass.regress.spline.smoother import Pooled, Smoother

DIGITS = 40  # each value of GCV is computed in so many
TRUSTED = Fraction(1, 10**20)  # and taken to be right to this share of itself


@dataclass(frozen=True)
class Choice:
    """What is proven of a smoothing parameter that was chosen.

    primal    its GCV, from above
    dual      a lower bound on GCV over all λ that are allowed
    digits    the digits of GCV that the two prove; None where GCV has no value
    """

    primal: Optional[Fraction]
    dual: Optional[Fraction]
    digits: Optional[float]


def certify(
    pooled: Pooled,
    lam: Any,
    *,
    cost: Any = 1,
    spent: Any = 0,
    most: Any = None,
    n: Any = None,
    eps: Any = 0,
    gap: Any = GAP,
) -> Choice:
    """Return how low the GCV of λ is, beside all others.

    Given     the responses pooled at their knots, exact; what is charged besides cost · tr S; a limit on tr S; n, the
              sum of the weights; eps, the roundoff of the arithmetic that λ was found in: where the line leaves no more
              than such roundings of the responses, the digits are those of GCV about zero
    Exact     no: every value is computed in 40 digits, and bounds are moved by more than those can lose
    Cost      O(m) for each of some 60 λ
    """
    F = decimal(DIGITS)
    own, total = _lifted(F, pooled), pooled.smoother.weights.sum() if n is None else n
    criterion = Criterion(own, F.lift(total), F.lift(rational(cost)), F.lift(rational(spent)))
    limit = None if most is None else F.lift(rational(most))
    value = criterion(own.smoother.at(lam if lam == math.inf else F.lift(rational(lam))))
    least = value
    if len(own.smoother.knots) > 2 and (limit is None or limit > 2):
        rungs = ladder(F, own.smoother, limit)
        least = isolated(F, criterion, rungs, closed=limited(own.smoother, limit), gap=gap)[1]
    if value is None or least is None:
        return Choice(None, None, None)
    primal = Fraction(value) * (1 + TRUSTED)
    dual = min(primal, Fraction(least) * (1 - TRUSTED))
    line = own.smoother.at(math.inf).residual(own)
    noisy = line <= criterion.noise(replace(F, eps=F.lift(rational(eps))))
    scale = max(primal, Fraction(_square(own) / criterion.n)) if noisy else primal
    return Choice(primal, dual, digits(primal - dual, scale))


def _lifted(F: Field, pooled: Pooled) -> Pooled:
    """Return the responses and their smoother in decimals."""
    own = pooled.smoother
    knots, weights, points = (Vector.of(map(F.lift, v)) for v in (own.knots, own.weights, own.points))
    smoother = Smoother(knots, own.place, weights, points)
    larger = Pooled(smoother, (), tuple(Vector.of(map(F.lift, y)) for y in pooled.means))
    larger.__dict__["within"] = F.lift(pooled.within)
    return larger


def _square(pooled: Pooled) -> Number:
    """Return the squares about zero, which those about the means do not exceed."""
    return pooled.square
