"""Splines in decimals: which curves rounding has cost too much, and the optimum rounded to doubles once."""

from __future__ import annotations

import math
from collections.abc import Callable
from math import isfinite
from operator import mul, truediv
from typing import Optional

from refclass.linear.vector import Vector, dot
from refclass.number.decimals import decimal
from refclass.number.field import Field, Number
from refclass.regress.spline.curve import Curve
from refclass.regress.spline.degrees_of_freedom import with_degrees
from refclass.regress.spline.smoother import RAGGED, Line, Operator, Pooled, Smoother

TRUSTED = 10**12  # one over the share of the criterion that rounding may cost before the curves are computed anew
FAR = 10**10  # one over the roundoff of responses, beside residuals, beyond which the curves are computed anew
DECIMALS: Field = decimal(100)


def loose(operator: Operator, curve: Curve, least: Number, share: int = TRUSTED) -> bool:
    """Return whether rounding has cost the curves of a λ < ∞ more than one part in `share` of the criterion.

    Given     least: the criterion
    Cost      6mq multiplications
    """
    made, lost = operator.smoother._bands, operator.lam * 0
    for g, seconds in zip(curve.values, curve.seconds):
        gamma = seconds[1:-1]
        e = made.differences(g) - made.stretched(gamma)
        lost = lost + 2 * abs(dot(e, gamma)) + 2 * sum(map(truediv, map(mul, e, e), made.diagonal))
    return not bool(operator.lam * lost * share <= least)


def optimum(operator: Operator, pooled: Pooled) -> Optional[Curve]:
    """Return the optimum of a problem in fractions, computed in decimals, its numbers rounded to doubles once.

    None where doubles have fewer knots, or not all of its numbers.
    """
    own = pooled.smoother
    if len(own.knots) != len(operator.smoother.knots):
        return None
    longer = in_decimals(own)
    responses = [Vector.of(map(DECIMALS.lift, y)) for y in pooled.responses]
    lam = math.inf if isinstance(operator, Line) else DECIMALS.lift(operator.lam)
    return rounded(longer.at(lam).curve(longer.pooled(responses)), own)


def rounded(curve: Curve, own: Smoother) -> Optional[Curve]:
    """Return the curves at the knots of a smoother, in doubles; None where these do not hold all of their numbers."""
    values, seconds = ([Vector.of(map(float, v)) for v in rows] for rows in (curve.values, curve.seconds))
    if not all(isfinite(v) for row in (*values, *seconds) for v in row):
        return None
    return Curve(Vector.of(map(float, own.knots)), tuple(values), tuple(seconds))


def in_decimals(own: Smoother) -> Smoother:
    """Return a smoother in decimals."""
    knots, weights, points = (Vector.of(map(DECIMALS.lift, v)) for v in (own.knots, own.weights, own.points))
    return Smoother(knots, own.place, weights, points)


def ragged(F: Field, smoother: Smoother, exact: Callable[[], Smoother]) -> bool:
    """Return whether λ is to be searched for in decimals, which have the same knots."""
    return F.kind is float and bool(smoother.unevenness > RAGGED) and len(exact().knots) == len(smoother.knots)


def of_degrees(F: Field, smoother: Smoother, exact: Callable[[], Smoother], wanted: Number) -> Operator:
    """Return the operator of a trace, found in decimals where gaps are so uneven that doubles lose its digits.

    Given     exact: what makes the same smoother in fractions
    Raises    InvalidInput unless 2 ≤ wanted ≤ m; NotExact for a number strictly between in an exact field
    """
    if not 2 < wanted < len(smoother.knots) or not ragged(F, smoother, exact):
        return with_degrees(F, smoother, wanted)
    found = with_degrees(DECIMALS, in_decimals(exact()), DECIMALS.lift(wanted))
    return smoother.at(F.lift(found.lam))
