"""Decimals that keep their digits as an integer, for interpreters whose decimals hold them as text (PyPy).

There an operation turns the text of its operands into integers, and its result into text again, in time that grows with
the square of the digits. `kept` gives a class of decimals that keeps the integer, and has the text made when it is
asked for; `install` gives it operators that compute with integers. Results are those of the decimals themselves.
"""

from __future__ import annotations

import operator
from collections.abc import Sequence
from typing import Any, Callable, Optional

FAR = 8  # times its digits that exponents of a sum may be apart
LARGEST_EXPONENT = 10**15  # beyond it decimals themselves decide what overflows
POWERS = [10**k for k in range(512)]

Pair = tuple[int, int]  # n and e of n · 10ᵉ


def power(k: int) -> int:
    """Return 10ᵏ."""
    return POWERS[k] if k < len(POWERS) else int(10**k)


def length(n: int) -> int:
    """Return the number of digits of an integer that is not zero."""
    # Proof: of b bits are ⌊b log₁₀2⌋ digits or one more; 30103/100000 exceeds log₁₀2 by less than 10⁻⁸.
    least = n.bit_length() * 30103 // 100000
    return least + (abs(n) >= power(least))


def rounded(n: int, e: int, digits: int) -> Pair:
    """Return n · 10ᵉ to so many digits, halves to even.

    Example
        >>> rounded(12345, 0, 4), rounded(-99999, -2, 3)
        ((1234, 1), (-100, 1))
    """
    drop = length(n) - digits if n else 0
    if drop <= 0:
        return n, e
    unit = power(drop)
    quotient, rest = divmod(abs(n), unit)
    if 2 * rest > unit or (2 * rest == unit and quotient & 1):
        quotient += 1
        if quotient == power(digits):
            quotient, drop = power(digits - 1), drop + 1
    return (quotient if n > 0 else -quotient), e + drop


def total(n: int, e: int, m: int, f: int, digits: int) -> Optional[Pair]:
    """Return n · 10ᵉ + m · 10ᶠ, exactly; None where the exponents are far apart."""
    apart = e - f
    if not apart:
        return n + m, e
    if abs(apart) > FAR * digits:
        return None
    return (n * power(apart) + m, f) if apart > 0 else (n + m * power(-apart), e)


def added(n: int, e: int, m: int, f: int, digits: int) -> Optional[Pair]:
    """Return the sum, rounded."""
    found = total(n, e, m, f, digits)
    return found and rounded(*found, digits)


def subtracted(n: int, e: int, m: int, f: int, digits: int) -> Optional[Pair]:
    """Return the difference, rounded."""
    return added(n, e, -m, f, digits)


def multiplied(n: int, e: int, m: int, f: int, digits: int) -> Pair:
    """Return the product, rounded."""
    return rounded(n * m, e + f, digits)


def divided(n: int, e: int, m: int, f: int, digits: int) -> Pair:
    """Return the quotient, rounded; where it is exact with the exponent nearest to e − f that it can have.

    Example
        >>> divided(1, 0, 8, 0, 5), divided(-2, 0, 3, 0, 5), divided(600, 0, 2, 0, 5)
        ((125, -3), (-66667, -5), (300, 0))
    """
    more = max(0, length(m) - length(n) + digits + 1)
    quotient, rest = divmod(abs(n) * power(more), abs(m))
    e = e - f - more
    if rest:  # one more digit, which only says that others follow
        quotient, e = 10 * quotient + 1, e - 1
    else:
        quotient, e = _shortened(quotient, e, more)
    return rounded(quotient if (n > 0) == (m > 0) else -quotient, e, digits)


def _shortened(n: int, e: int, most: int) -> Pair:
    """Return the same number with as many of its last zeros, at most so many, in the exponent."""
    step = 1 << most.bit_length()
    while step:
        if step <= most:
            shorter, rest = divmod(n, power(step))
            if not rest:
                n, e, most = shorter, e + step, most - step
        step >>= 1
    return n, e


OPERATORS: dict[str, Callable[[int, int, int, int, int], Optional[Pair]]] = {
    "__add__": added,
    "__sub__": subtracted,
    "__mul__": multiplied,
    "__truediv__": divided,
}
COMPARISONS = ("__lt__", "__le__", "__gt__", "__ge__", "__eq__")


def kept(base: Any) -> Any:
    """Return the class of decimals that keep an integer; base is the class of decimals that hold text."""

    class Kept(base):  # type: ignore[misc]
        """A decimal with its digits as an integer, as text, or as both.

        whole    the digits with their sign; None for infinities and NaN
        """

        __slots__ = ("_integer", "_text")
        _integer: Any
        _text: Any

        @property
        def _int(self) -> str:  # the digits, as the base asks for them
            if self._text is None:
                self._text = str(abs(self._integer))
            return str(self._text)

        @_int.setter
        def _int(self, text: str) -> None:
            self._integer, self._text = None, text

        @property
        def whole(self) -> Any:
            if self._integer is None and not self._is_special:
                self._integer = -int(self._text) if self._sign else int(self._text)
            return self._integer

        def __bool__(self) -> bool:
            return bool(self.whole != 0)

        def adjusted(self) -> int:
            return int(length(self.whole) + self._exp - 1 if self.whole else super().adjusted())

        def __float__(self) -> float:
            if self.whole is None or self._exp > 0:
                return float(super().__float__())
            return float(self.whole / power(-self._exp))  # the division of integers rounds once

    return Kept


def made(kind: Any, n: int, e: int) -> Any:
    """Return the decimal n · 10ᵉ of a kind that keeps integers."""
    self = object.__new__(kind)
    self._integer, self._text, self._exp, self._sign, self._is_special = n, None, e, int(n < 0), False
    return self


def quotient(kind: Any, n: int, m: int, digits: int) -> Any:
    """Return n/m, of integers that are not zero, as a decimal of a kind that keeps integers, rounded."""
    return made(kind, *divided(n, 0, m, 0, digits))


def install(kind: Any, digits: int) -> Any:
    """Return a kind that keeps integers, whose operators now compute with them; zeros, infinities and NaN aside."""
    for name, function in OPERATORS.items():
        setattr(kind, name, _operator(kind, digits, function, getattr(kind, name)))
    for name in COMPARISONS:
        setattr(kind, name, _comparison(kind, digits, getattr(operator, name), getattr(kind, name)))
    kind.__neg__ = _unary(kind, digits, operator.neg, kind.__neg__)
    kind.__abs__ = _unary(kind, digits, abs, kind.__abs__)
    return kind


def _unary(kind: Any, digits: int, function: Any, own: Any) -> Any:
    def operate(self: Any, *given: Any, **named: Any) -> Any:
        if self.whole and not given and not named:
            return made(kind, *rounded(function(self.whole), self._exp, digits))
        return own(self, *given, **named)

    return operate


def _operator(kind: Any, digits: int, function: Any, own: Any) -> Any:
    def operate(self: Any, other: Any, context: Any = None) -> Any:
        if type(other) is kind and context is None and self.whole and other.whole:
            e, f = self._exp, other._exp
            if abs(e) + abs(f) < LARGEST_EXPONENT:
                found = function(self.whole, e, other.whole, f, digits)
                if found is not None:
                    return made(kind, *found)
        return own(self, other, context)

    return operate


def _comparison(kind: Any, digits: int, compare: Any, own: Any) -> Any:
    def judge(self: Any, other: Any, context: Any = None) -> Any:
        n = self.whole
        if n is not None and context is None:
            if type(other) is int and not other:
                return compare(n, 0)
            if type(other) is kind and other.whole is not None:
                if self._exp == other._exp:
                    return compare(n, other.whole)
                found = total(n, self._exp, -other.whole, other._exp, digits)
                if found is not None:
                    return compare(found[0], 0)
        return own(self, other, context)

    return judge


def inner_product(kind: Any, digits: int, x: Sequence[Any], y: Sequence[Any]) -> Any:
    """Return Σ xᵢyᵢ of numbers that keep integers, rounded once; None where their sizes are far apart."""
    n, e = 0, 0
    for a, b in zip(x, y):
        m, f = a.whole, b.whole
        if m is None or f is None:
            return None
        if m and f:
            found = total(n, e, m * f, a._exp + b._exp, 2 * digits) if n else (m * f, a._exp + b._exp)
            if found is None:
                return None
            n, e = found
    return made(kind, *rounded(n, e, digits))
