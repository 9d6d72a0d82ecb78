"""Numbers as text: parsed without rounding, shown without loss.

parse("0.1") = 1/10     parse("1/3") = 1/3     parse("-2e-3") = -1/500
"""

from __future__ import annotations

import re
from decimal import Decimal
from fractions import Fraction
from typing import Any

from refclass.errors import InvalidInput, quoted

SHORT_INTEGER = 10**1000  # integers below it are written by Python itself, which refuses much longer ones
NUMBER = re.compile(r"[+-]?(\d+/0*[1-9]\d*|(\d+\.?\d*|\.\d+)([eE][+-]?\d{1,4})?)")
BY_ZERO = re.compile(r"[+-]?\d+/0+")


def parse(text: str) -> Fraction:
    """Return the rational number that the text denotes: an integer, a decimal, or p/q.

    Raises    InvalidInput for anything else, infinities and NaN included

    Example
        >>> parse("0.25"), parse("-7/3"), parse("1e-2")
        (Fraction(1, 4), Fraction(-7, 3), Fraction(1, 100))
    """
    stripped = text.strip()
    if not NUMBER.fullmatch(stripped):
        need = "a denominator other than zero" if BY_ZERO.fullmatch(stripped) else "a number"
        raise InvalidInput("number", need=need, got=quoted(text))
    above, slash, below = stripped.partition("/")
    if slash or above.lstrip("+-").isdecimal():
        return Fraction(whole(above), whole(below) if slash else 1)
    mantissa, _, power = stripped.lower().partition("e")
    before, _, after = mantissa.partition(".")
    return Fraction(whole(before + after)) * Fraction(10) ** (int(power or 0) - len(after))


HEXADECIMAL = re.compile(r"[+-]?0[xX]([0-9a-fA-F]+\.?[0-9a-fA-F]*|\.[0-9a-fA-F]+)([pP][+-]?\d{1,4})?")


def read(value: Any) -> Any:
    """Return the rational that a text denotes, "1/3", "2e-5" or a hexadecimal float; what is none as it is.

    Example
        >>> read("1/3"), read("0x1.8p-3"), read("a"), read("1/0"), read(2)
        (Fraction(1, 3), Fraction(3, 16), 'a', '1/0', 2)
    """
    if not isinstance(value, str):
        return value
    stripped = value.strip()
    if NUMBER.fullmatch(stripped):
        return parse(stripped)
    if HEXADECIMAL.fullmatch(stripped):
        try:
            return Fraction(float.fromhex(stripped))
        except OverflowError:
            return value
    return value


def read_within(values: Any) -> Any:
    """Return lists of lists of any depth, every text in them that denotes a number read as the rational.

    Example
        >>> read_within([[0, "1/2"], ["1", 0]])
        [[0, Fraction(1, 2)], [Fraction(1, 1), 0]]
    """
    return list(map(read_within, values)) if isinstance(values, (list, tuple)) else read(values)


def show(number: Any) -> str:
    """Return the number as text that `parse` reads back to the same value.

    Example
        >>> show(Fraction(-1, 4)), show(0.1), show(3)
        ('-1/4', '0.1', '3')
    """
    if isinstance(number, float):
        return repr(number)
    if isinstance(number, Decimal):
        return str(number).replace("E+", "E")
    if isinstance(number, Fraction) and number.denominator != 1:
        return f"{digits(number.numerator)}/{digits(number.denominator)}"
    return digits(int(number))


def digits(n: int) -> str:
    """Return the decimal digits of an integer of any length.

    Example
        >>> len(digits(10**9999)), digits(-12)
        (10000, '-12')
    """
    # Premise: Python refuses to write more than some thousands of digits at once; halving is faster, too.
    if abs(n) < SHORT_INTEGER:
        return str(n)
    if n < 0:
        return "-" + digits(-n)
    half = n.bit_length() * 30103 // 200000
    high, low = divmod(n, 10**half)
    return digits(high) + digits(low).rjust(half, "0")


def whole(text: str) -> int:
    """Return the integer of any length that the digits denote.

    Example
        >>> whole("1" + "0" * 9999) == 10**9999, whole("-12")
        (True, -12)
    """
    if len(text) <= 1000:
        return int(text)
    half = len(text) // 2
    low = text[-half:]
    high = whole(text[:-half])
    unit: int = 10**half
    return high * unit + (-whole(low) if text[0] == "-" else whole(low))


def approximate(number: Any) -> float:
    """Return the nearest double, for people; infinite when beyond the range of doubles.

    Example
        >>> approximate(Fraction(1, 3))
        0.3333333333333333
    """
    try:
        return float(number)
    except OverflowError:
        return float("inf") if number > 0 else float("-inf")
