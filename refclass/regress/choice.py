"""The proof that a smoothing parameter has the lowest GCV of all: a lower bound over λ ∈ [0, ∞], in decimals.

The digits of λ itself say little: where GCV is flat, its square root is what GCV knows of λ. A λ is judged by its GCV.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from decimal import MAX_EMAX, MIN_EMIN, Context, Decimal, localcontext
from fractions import Fraction
from typing import Any, Optional

from refclass.linear.vector import Vector
from refclass.number.binary64 import BINARY64
from refclass.number.field import Field, rational
from refclass.optimise.certificate import digits
from refclass.regress.criterion import Criterion, isolated
from refclass.regress.degrees import ladder, limited
from refclass.regress.smoother import Pooled, Smoother

DIGITS = 50  # each value of GCV is computed in so many
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
    pooled: Pooled, lam: Any, *, cost: Any = 1, spent: Any = 0, most: Any = None, n: Any = None, eps: Any = 0
) -> Choice:
    """Return how low the GCV of λ is, beside all others.

    Given     responses pooled at their knots, exact; what is charged besides cost · tr S; a limit on tr S; n, the sum of
              the weights; eps, the roundoff of the arithmetic that λ was found in: where the line leaves no more than
              such roundings of the responses, the digits are those of GCV about the mean
    Exact     no: every value is computed in 50 digits, and bounds are moved by more than those can lose
    Cost      O(m) for each of some 60 λ
    """
    with localcontext(Context(prec=DIGITS, Emin=MIN_EMIN, Emax=MAX_EMAX)):
        F = replace(BINARY64, name="decimal", kind=Decimal, lift=_decimal, eps=Decimal(10) ** (1 - DIGITS))
        F = replace(F, exp=Decimal.exp, log=Decimal.ln, sqrt=Decimal.sqrt)
        own, total = _lifted(pooled), pooled.smoother.weights.sum() if n is None else n
        criterion = Criterion(own, _decimal(total), _decimal(cost), _decimal(spent))
        limit = None if most is None else _decimal(most)
        value = criterion(own.smoother.at(lam if lam == math.inf else _decimal(lam)))
        least = value
        if len(own.smoother.knots) > 2 and (limit is None or limit > 2):
            rungs = ladder(F, own.smoother, limit)
            least = isolated(F, criterion, rungs, closed=limited(own.smoother, limit))[1]
        if value is None or least is None:
            return Choice(None, None, None)
        primal = Fraction(value) * (1 + TRUSTED)
        dual = min(primal, Fraction(least) * (1 - TRUSTED))
        line = own.smoother.at(math.inf).residual(own)
        noisy = line <= criterion.noise(replace(F, eps=_decimal(eps)))
        scale = max(primal, Fraction(_square(own) / criterion.n)) if noisy else primal
        return Choice(primal, dual, digits(primal - dual, scale))


def _decimal(value: Any) -> Decimal:
    """Return the number rounded in the present context."""
    exact = rational(value)
    return Decimal(exact.numerator) / Decimal(exact.denominator)


def _lifted(pooled: Pooled) -> Pooled:
    """Return the responses and their smoother in decimals."""
    own = pooled.smoother
    knots, weights, points = (Vector.of(map(_decimal, v)) for v in (own.knots, own.weights, own.points))
    smoother = Smoother(knots, own.place, weights, points)
    larger = Pooled(smoother, (), tuple(Vector.of(map(_decimal, y)) for y in pooled.means))
    larger.__dict__["within"] = _decimal(pooled.within)
    return larger


def _square(pooled: Pooled) -> Decimal:
    """Return the squares about zero, which those about the means do not exceed."""
    total: Decimal = pooled.square
    return total
