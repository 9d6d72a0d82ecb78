"""Axes: from numbers to places on a picture, with ticks at round numbers."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from refclass.errors import InvalidInput
from refclass.number import text

ROUND = (1, 2, 5, 10)  # times a power of ten: what ticks are multiples of


@dataclass(frozen=True)
class Axis:
    """A range of numbers with a name.

    Raises    InvalidInput unless low < high are finite, as far apart as a double can say
    """

    name: str
    low: float
    high: float

    def __post_init__(self) -> None:
        width = self.high - self.low
        if not (0 < width < math.inf and width > 1e-12 * max(abs(self.low), abs(self.high))):
            raise InvalidInput("axis", need="a range of finite numbers, low < high", got=(self.low, self.high))

    def holds(self, value: float) -> bool:
        """Return whether the number lies in the range."""
        return self.low <= value <= self.high

    def share(self, value: float) -> float:
        """Return how far along the axis the number lies: 0 at the low end, 1 at the high one."""
        return (value - self.low) / (self.high - self.low)

    def ticks(self, about: int = 7) -> list[tuple[float, str]]:
        """Return round numbers in the range, each with its label.

        They are multiples of 1, 2 or 5 times a power of ten, at most `about` + 1 of them.

        Example
            >>> Axis("x", -0.1, 1.05).ticks()
            [(0.0, '0'), (0.2, '0.2'), (0.4, '0.4'), (0.6, '0.6'), (0.8, '0.8'), (1.0, '1')]
            >>> [label for _, label in Axis("x", 2.0e9, 2.4e9).ticks()]
            ['2e9', '2.1e9', '2.2e9', '2.3e9', '2.4e9']
        """
        low, high = Fraction(self.low), Fraction(self.high)
        power = math.floor(math.log10((self.high - self.low) / about))
        unit = Fraction(10) ** power
        k = next(k for k in ROUND if high - low <= about * k * unit)
        wholes = range(math.ceil(low / unit / k) * k, math.floor(high / unit) + 1, k)
        return [(float(whole * unit), label(whole, power)) for whole in wholes]


def label(whole: int, power: int) -> str:
    """Return whole · 10^power as text, not rounded, as short as it can be.

    Example
        >>> [label(*v) for v in ((0, 3), (-5, -1), (25, 0), (3, 6), (-1, -5), (1230, -2))]
        ['0', '-0.5', '25', '3e6', '-1e-5', '12.3']
    """
    if whole == 0:
        return "0"
    while whole % 10 == 0:
        whole, power = whole // 10, power + 1
    sign, digits = ("-" if whole < 0 else ""), str(abs(whole))
    if power >= 0 and len(digits) + power <= 5:
        return sign + digits + "0" * power
    if -5 < power < 0:
        padded = digits.rjust(1 - power, "0")
        return f"{sign}{padded[:power]}.{padded[power:]}"
    mantissa = digits if len(digits) == 1 else f"{digits[0]}.{digits[1:]}"
    return f"{sign}{mantissa}e{power + len(digits) - 1}"


def spanning(name: str, values: Iterable[Any], margin: float = 0.05) -> Axis:
    """Return the axis that holds the numbers with a margin on both sides, a share of their range.

    A single number stands in the middle of a range.

    Raises    InvalidInput if there is no number, or one that is not finite
    """
    numbers = [text.approximate(v) for v in values]
    if not numbers or not all(map(math.isfinite, numbers)):
        raise InvalidInput("axis", need="finite numbers to show", got="none" if not numbers else "others", axis=name)
    low, high = min(numbers), max(numbers)
    around = max(margin * (high - low), 1e-9 * max(abs(low), abs(high))) if low < high else abs(low) / 2 or 1.0
    return Axis(name, low - around, high + around)
