"""Degrees of freedom of a smoother: operators over the whole range, and the one of a given trace."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Optional

from refclass.errors import InvalidInput, NotExact
from refclass.number.field import Field, Number
from refclass.regress.spline.smoother import Operator, Smoother


def ladder(F: Field, smoother: Smoother, most: Optional[Number] = None) -> list[Operator]:
    """Return operators from nearly the interpolant to nearly the line, λ sixteen times larger from each to the next.

    They depend on the abscissae only, and are made once for all responses.

    Given     most: a limit on the trace; where it is below m the first operator is the one that attains it
    """
    m = len(smoother.knots)
    if m < 3:
        return []
    near = Fraction(1, 1000)
    rungs = [smoother.at(smoother.unit)]
    while rungs[-1].degrees_of_freedom - 2 > F.lift(near) and len(rungs) < 100:
        rungs.append(smoother.at(rungs[-1].lam * 16))
    while m - rungs[0].degrees_of_freedom > F.lift(near) and len(rungs) < 200:
        if most is not None and rungs[0].degrees_of_freedom > most:
            break
        rungs.insert(0, smoother.at(rungs[0].lam / 16))
    if not limited(smoother, most):
        return rungs
    first = with_degrees(F, smoother, most)
    rest = [r for r in rungs if r.lam > 2 * first.lam]
    return [first, *(rest or [smoother.at(16 * first.lam)])]


def limited(smoother: Smoother, most: Optional[Number]) -> bool:
    """Return whether the limit on the trace excludes the interpolant."""
    return most is not None and bool(most < len(smoother.knots))


def with_degrees(F: Field, smoother: Smoother, wanted: Number) -> Operator:
    """Return the operator with that trace, found by bisection of log λ.

    Raises    InvalidInput unless 2 ≤ wanted ≤ m; NotExact for a number strictly between in an exact field
    """
    m = len(smoother.knots)
    least = min(2, m)
    if not least <= wanted <= m:
        need = f"degrees of freedom from {least} to {m}, the number of distinct x"
        raise InvalidInput("spline", need=need, got=wanted)
    if wanted == least:
        return smoother.at(math.inf)
    if wanted == m:
        return smoother.at(smoother.unit * 0)
    if F.exact:
        raise NotExact("spline", need=f"degrees of freedom 2 or {m} in exact arithmetic, or lam", got=wanted)
    low = high = smoother.unit  # the trace falls as λ grows
    while smoother.at(low).degrees_of_freedom < wanted:
        low = low / 16
    while smoother.at(high).degrees_of_freedom > wanted:
        high = high * 16
    while high - low > 4 * F.eps * high:
        middle = F.sqrt(low) * F.sqrt(high) if high > 2 * low else (low + high) / 2
        if smoother.at(middle).degrees_of_freedom > wanted:
            low = middle
        else:
            high = middle
    return smoother.at(high)
