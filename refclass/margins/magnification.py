"""Multipliers of functions that vanish beside the margins: those of the Gram matrix made larger.

Where functions h are far smaller than one, points that pay keep paying when K is replaced by tK, h by th; the losses
are linear there, tK at h/√t has t times the penalty of K and t times its losses but for constants, and the multipliers,
slopes of the losses, stay as they are. In doubles of one plus h they have no digits; in those of one plus th they do.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from fractions import Fraction
from typing import Any, Optional

from refclass.errors import NoAnswer, NotConverged, NotExact
from refclass.kernels.matrices.product import exact_product
from refclass.number.field import Number, rational
from refclass.number.tolerance import roundoff
from refclass.number.vanishing import vanish

ROUNDS = 4  # of magnification: what doubles say of functions that vanish may be wrong by decades
HELD = 2**60  # above the digits of doubles: functions smaller than K by more are not resolved in K itself
LEAST = Fraction(1, 2**1022)  # the least normal double


def refuse_denormal(K: Callable[[], Any], a: Sequence[Number], values: Sequence[Number], beta0: Number) -> None:
    """Raise NotExact where labels depend on functions that are denormal, or zero in doubles alone.

    K         returns the Gram matrix as given
    values    Ka in doubles

    An intercept that does not vanish beside one decides the labels whatever the functions are.
    """
    if max(map(abs, values)) < LEAST and vanish(abs(beta0), roundoff(float)):
        refuse_below_normal(Fraction(max(map(abs, exact_product(K(), list(map(rational, a)))))))


def refuse_below_normal(size: Fraction) -> None:
    """Raise NotExact where functions of a size that is not zero are denormal."""
    if 0 < size < LEAST:
        need = "functions within the normal doubles (scale the columns, or take decimals)"
        raise NotExact("magnified", need=need, got=size)


def power(size: Fraction) -> int:
    """Return k so that 4ᵏ times a positive size lies between 1/32 and 1/4.

    Example
        >>> power(Fraction(1, 100)), power(Fraction(3))
        (1, -2)
    """
    return (size.denominator.bit_length() - size.numerator.bit_length() - 3) // 2


def magnified(
    larger: Callable[[int], Any],
    found: Any,
    solve: Callable[[Any], Any],
    size: Callable[[Any], Fraction],
    reach: Fraction,
    most: Fraction,
) -> Optional[Any]:
    """Return the answer to 4ᵏK whose functions are of a size near most, and not above it; None where there is none.

    larger   returns 4ᵏK in doubles
    found    the answer to K
    solve    returns the answer to a Gram matrix in doubles
    size     returns the size of the functions that K gives the multipliers of an answer, exactly
    reach    the largest size that functions of K may have

    Raises    NotExact where doubles hold fewer digits of the functions because they are denormal
    """
    for _ in range(ROUNDS):
        k = power(max(size(found), reach / HELD) / (2 * most))
        with suppress(NotConverged, NoAnswer):
            found = solve(larger(k))
            own = size(found)
            if vanish(Fraction(4) ** k * own, rational(roundoff(float))) or Fraction(4) ** k * own > most:
                continue
            refuse_below_normal(own)
            return found
    return None
