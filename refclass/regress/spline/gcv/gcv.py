"""Generalised cross-validation: the price of a fit, counted in the parameters it spent."""

from __future__ import annotations

from typing import Optional

from refclass.number.field import Field, Number
from refclass.number.tolerance import near


def gcv(rss: Number, n: Number, charge: Number) -> Optional[Number]:
    """Return the generalised cross-validation score of a fit  [GAP-9].

        GCV = (RSS/n)/(1 − C/n)²

    RSS is the weighted sum of squared residuals over all responses, n the sum of the weights, C what the fit is
    charged: its degrees of freedom times their cost. A fit that is charged n or more has no score: None.

    Exact    yes
    Laws     increasing in RSS and in C

    Example
        >>> from fractions import Fraction
        >>> gcv(Fraction(6), Fraction(4), Fraction(1)), gcv(Fraction(0), Fraction(4), Fraction(4))
        (Fraction(8, 3), None)
    """
    if not charge < n:
        return None
    kept = 1 - charge / n
    return rss / n / (kept * kept)


def lower(a: Optional[Number], b: Optional[Number]) -> bool:
    """Return whether score a is lower than score b, no score being higher than any."""
    return a is not None and (b is None or bool(a < b))


def clearly_lower(F: Field, a: Optional[Number], b: Optional[Number], n: int) -> bool:
    """Return whether score a is lower than score b beyond the roundoff of sums of n terms."""
    return lower(a, b) and (b is None or not near(F, a, b, steps=n))
