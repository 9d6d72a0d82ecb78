"""The record of what a number system offers beyond + − × ÷ and <.

A module takes a `Field` as first argument, called F, only if it needs a root, a transcendental function or a tolerance.
"""

from __future__ import annotations

import numbers
from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from math import isfinite
from typing import Any, Callable

from refclass.errors import InvalidInput, NotExact, quoted
from refclass.number import text

# A number is whatever its field lifts to: float, Fraction, Decimal, or a test's own kind. Python's type system has no
# name for "an ordered field", so the annotation is for the reader, not for the checker.
Number = Any

# Decimal exponent beyond which a number is refused: its fraction would be an integer of as many digits.
MAX_DECIMAL_EXPONENT = 100000


@dataclass(frozen=True)
class Field:
    """A number system: its kind, the conversion into it, its unit of roundoff, and its functions.

    name    its name in messages and in `arithmetic=`
    kind    the type that every number of the field has
    lift    the conversion of any number; refuses NaN, infinities and what is not a number. Exact fields and decimals
            convert the text of a number, too; doubles, which would round it, refuse it
    eps     the spacing of the numbers at 1; zero in an exact field
    sqrt … erf, pi    the functions; an exact field refuses irrational results with NotExact
    """

    name: str
    kind: type
    lift: Callable[[Any], Number]
    eps: Number
    sqrt: Callable[[Number], Number]
    exp: Callable[[Number], Number]
    log: Callable[[Number], Number]
    tanh: Callable[[Number], Number]
    sin: Callable[[Number], Number]
    cos: Callable[[Number], Number]
    erf: Callable[[Number], Number]
    pi: Callable[[], Number]

    @property
    def exact(self) -> bool:
        """Return whether arithmetic in the field makes no error."""
        return bool(self.eps == 0)

    def delivered(self, module: str, value: Any) -> Number:
        """Return a number of an answer, lifted into the field.

        Raises    NotExact, in the name of the module, for one beyond the range of doubles
        """
        try:
            return self.lift(value)
        except InvalidInput:
            raise NotExact(module, need="an answer within the range of doubles", got="a larger one") from None

    def parameter(self, value: Any) -> Number:
        """Return a parameter, a number or its text ("1/3"), lifted into the field.

        Raises    InvalidInput, also for a truth value: it is no number, though Python counts with it
        """
        if isinstance(value, bool):
            raise InvalidInput("number", need="a number", got=value)
        return self.lift(text.read(value))

    def lift_all(self, values: Iterable[Any]) -> list[Number]:
        """Return the values, each lifted into the field."""
        return list(map(self.lift, values))


def rational(value: Any) -> Fraction:
    """Return the exact value of a number of any kind, or of its text: a float is a rational, too.

    Raises    InvalidInput for NaN, infinities, what is not a number, and decimals beyond 10^±100000

    Example
        >>> rational(0.5), rational("1/3"), rational(Decimal("0.1"))
        (Fraction(1, 2), Fraction(1, 3), Fraction(1, 10))
    """
    kind = type(value)
    if kind is Fraction:
        return value  # type: ignore[no-any-return]
    if kind is not float:
        if isinstance(value, str):
            return text.parse(value)
        if isinstance(value, numbers.Rational):  # ints and fractions of any make
            return Fraction(int(value.numerator), int(value.denominator))
        if isinstance(value, Decimal) and value.is_finite() and value and abs(value.adjusted()) > MAX_DECIMAL_EXPONENT:
            raise InvalidInput("number", need=f"a number within 10^±{MAX_DECIMAL_EXPONENT}", got=value)
    try:
        return Fraction(*value.as_integer_ratio())
    except (ValueError, OverflowError):  # as_integer_ratio of NaN and of infinities
        raise InvalidInput("number", need="a finite number", got=value) from None
    except (AttributeError, TypeError):
        raise InvalidInput("number", need="a number", got=quoted(value)) from None


def finite(value: Any) -> bool:
    """Return whether a number is neither infinite nor NaN; decimals and fractions beyond the doubles are finite.

    Example
        >>> finite(float("inf")), finite(Decimal("1e636")), finite(Fraction(10**400))
        (False, True, True)
    """
    if isinstance(value, Decimal):
        return value.is_finite()
    return not isinstance(value, float) or isfinite(value)
