"""Splines in longer decimals: which curves rounding has cost too much, and the optimum rounded once."""

from __future__ import annotations

import math
from collections.abc import Callable
from operator import mul, truediv
from typing import Any, NamedTuple, Optional

from refclass.errors import InvalidInput
from refclass.linear.vector import Vector, dot
from refclass.number.binary64 import BINARY64
from refclass.number.decimals import decimal
from refclass.number.field import Field, Number
from refclass.regress.spline.curve import Curve
from refclass.regress.spline.degrees_of_freedom import with_degrees
from refclass.regress.spline.smoother import RAGGED, Line, Operator, Pooled, Smoother

TRUSTED = 10**12  # one over the share of the criterion that rounding may cost before the curves are computed anew
FAR = 10**10  # one over the roundoff of responses, beside residuals, beyond which the curves are computed anew
DIGITS = 100
DECIMALS: Field = decimal(DIGITS)
MORE = 70  # decimals that an optimum is computed with beyond those that it is rounded to


def beyond(kind: Any) -> tuple[Field, Field]:
    """Return the field of doubles or decimals of a kind, and one of more digits to compute an optimum in."""
    if kind is float:
        return BINARY64, DECIMALS
    return decimal(kind.precision), decimal(max(DIGITS, kind.precision + MORE))


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


class Optimum(NamedTuple):
    """The curves of least criterion in longer decimals, and rounded once."""

    longer: Curve
    rounded: Curve


def optimum(operator: Operator, pooled: Pooled, kind: Any) -> Optional[Optimum]:
    """Return the optimum of a problem in fractions, computed in longer decimals, its numbers rounded once.

    None where numbers of that kind have fewer knots, or do not hold all of its numbers.
    """
    own, (F, D) = pooled.smoother, beyond(kind)
    if len(own.knots) != len(operator.smoother.knots):
        return None
    longer = in_decimals(own, D)
    responses = [Vector.of(map(D.lift, y)) for y in pooled.responses]
    lam = math.inf if isinstance(operator, Line) else D.lift(operator.lam)
    best = longer.at(lam).curve(longer.pooled(responses))
    found = rounded(best, own, F)
    return None if found is None else Optimum(best, found)


def rounded(curve: Curve, own: Smoother, F: Field = BINARY64) -> Optional[Curve]:
    """Return the curves at the knots of a smoother, in numbers of F; None where these do not hold all of them."""
    try:
        values, seconds = ([Vector.of(map(F.lift, v)) for v in rows] for rows in (curve.values, curve.seconds))
    except InvalidInput:
        return None
    return Curve(Vector.of(map(F.lift, own.knots)), tuple(values), tuple(seconds))


def in_decimals(own: Smoother, D: Field = DECIMALS) -> Smoother:
    """Return a smoother in decimals."""
    knots, weights, points = (Vector.of(map(D.lift, v)) for v in (own.knots, own.weights, own.points))
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
