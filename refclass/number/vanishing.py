"""Functions that vanish beside the margins: what roundoff leaves of them, and what scale shows them.

A loss of the margin is asked at numbers near one. Where a decision function is far smaller, because columns or costs
are tiny or a penalty is large, a double of one plus the function has few digits of it or none, whatever the digits of
the objective; but losses that are linear there do not depend on the scale of the function.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from refclass.errors import NotExact
from refclass.number.field import Number, rational

VANISHING = 10**6  # units of roundoff, beside one, below which a function has fewer than six sure digits there
RESOLVED = 10**3  # roundings of an intercept that differences of the functions are to have, for three digits of them


def vanish(size: Number, eps: Number) -> bool:
    """Return whether functions of that size have fewer than six digits beside one."""
    return bool(size <= VANISHING * eps)


def refuse_ties(module: str, eps: Number, b: Sequence[Fraction], means: Sequence[Fraction], spread: Fraction) -> None:
    """Raise NotExact where the largest means of f are as near as f varies, and roundoff of b hides how it does.

    b         the intercepts
    means     those of the functions, intercepts included, over the points
    spread    by how much a function varies over the points at most
    """
    first, second = sorted(means)[-1:-3:-1]
    if first - second <= 4 * spread:
        refuse_hidden(module, spread, max(map(abs, b)) * rational(eps))


def refuse_hidden(module: str, spread: Fraction, rounded: Fraction) -> None:
    """Raise NotExact where functions vary by so little that the rounding of their intercepts hides it."""
    if 0 < spread < RESOLVED * rounded:
        need = "functions that vary by more than the roundoff of their intercepts (scale the columns, or take decimals)"
        raise NotExact(module, need=need, got=spread, roundoff=rounded)
