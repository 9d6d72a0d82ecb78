"""The coefficient of determination: which share of the variation of responses a function explains."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

from refclass.errors import NoAnswer
from refclass.linear.vector import Vector
from refclass.number.field import Field, Number, rational


def r_squared(F: Field, module: str, reported: Iterable[Vector], said: Iterable[Vector]) -> Number:
    """Return R² = 1 − Σ‖y − f(x)‖²/Σ‖y − ȳ‖², over all responses together.

    Given     for each response its values and the predicted ones
    Exact     yes: the sums are of fractions, rounded once, so that no square leaves the range of doubles
    Raises    NoAnswer if the responses do not vary

    Example
        >>> from refclass.number.binary64 import BINARY64
        >>> r_squared(BINARY64, "example", [Vector((1e200, 3e200))], [Vector((1e200, 2e200))])
        0.5
    """
    total = left = Fraction(0)
    for y, f in zip(reported, said):
        exact = list(map(rational, y))
        mean = sum(exact, Fraction(0)) / len(exact)
        total += sum(((v - mean) ** 2 for v in exact), Fraction(0))
        left += sum(((v - rational(u)) ** 2 for v, u in zip(exact, f)), Fraction(0))
    if total == 0:
        raise NoAnswer(module, need="responses that vary", got="all equal")
    return F.lift(1 - left / total)
