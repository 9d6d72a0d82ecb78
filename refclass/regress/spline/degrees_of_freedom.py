"""Degrees of freedom of a smoother: operators over the whole range, and the one of a given trace."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from operator import attrgetter
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
    first = with_degrees(F, smoother, most, rungs)
    rest = [r for r in rungs if r.lam > 2 * first.lam]
    return [first, *(rest or [smoother.at(16 * first.lam)])]


def limited(smoother: Smoother, most: Optional[Number]) -> bool:
    """Return whether the limit on the trace excludes the interpolant."""
    return most is not None and bool(most < len(smoother.knots))


def with_degrees(F: Field, smoother: Smoother, wanted: Number, known: Sequence[Operator] = ()) -> Operator:
    """Return the operator with that trace, found in a bracket of λ.

    Given     known: operators whose λ may bracket it
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
    tried = sorted(known or [smoother.at(smoother.unit)], key=attrgetter("lam"))
    while tried[0].degrees_of_freedom < wanted:  # the trace falls as λ grows
        tried.insert(0, smoother.at(tried[0].lam / 16))
    while tried[-1].degrees_of_freedom > wanted:
        tried.append(smoother.at(tried[-1].lam * 16))
    k = next(i for i, o in enumerate(tried) if o.degrees_of_freedom <= wanted)
    return _bracketed(F, tried[k - 1], tried[k], wanted) if k else tried[0]


def _bracketed(F: Field, low: Operator, high: Operator, wanted: Number) -> Operator:
    """Return the operator with that trace, between one of a larger and one of no larger trace.

    By turns a secant's step from the better end and one of twice its length, which tends to end beyond what is wanted
    (Alefeld, Potra and Shi 1995), and bisection where these two have not halved the bracket.
    """
    turn, width = 0, high.lam - low.lam
    while high.lam - low.lam > 4 * F.eps * high.lam:
        a, b = low.lam, high.lam
        if turn % 3 == 2:
            if 2 * (b - a) <= width:
                turn += 1
                continue
            middle = F.sqrt(a) * F.sqrt(b) if b > 2 * a else (a + b) / 2
        else:
            width = b - a if turn % 3 == 0 else width
            over, under = low.degrees_of_freedom - wanted, wanted - high.degrees_of_freedom
            step = (1 + turn % 3) * (b - a) * min(over, under) / (over + under)
            least = 2 * F.eps * b
            middle = min(max(a + step if over < under else b - step, a + least), b - least)
        found = low.smoother.at(middle)
        low, high = (found, high) if found.degrees_of_freedom > wanted else (low, found)
        turn += 1
    return high
