"""Exact rational vectors as integers on one common denominator: what certificates compute with.

    v = (k₁, …, kₙ) / D

A sum of products of integers is one loop in C; a sum of fractions takes a greatest common divisor at every step.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import lcm
from operator import add, mul, neg, sub
from typing import Any

from refclass.number.field import rational


@dataclass(frozen=True)
class Scaled:
    """A rational vector: integers over one positive denominator.

    Example
        >>> v = Scaled.of([0.5, 0.25])
        >>> v.integers, v.denominator, v @ v
        ((2, 1), 4, Fraction(5, 16))
    """

    integers: tuple[int, ...]
    denominator: int

    @classmethod
    def of(cls, values: Iterable[Any]) -> Scaled:
        """Return the values, each at its exact worth: a float or a decimal is a rational number."""
        try:
            ratios = [v.as_integer_ratio() for v in values]
        except AttributeError:
            ratios = [rational(v).as_integer_ratio() for v in values]
        denominator = lcm(*{q for _, q in ratios})
        return cls(tuple([p * (denominator // q) for p, q in ratios]), denominator)

    @classmethod
    def zeros(cls, n: int) -> Scaled:
        """Return the zero vector of length n."""
        return cls((0,) * n, 1)

    def __len__(self) -> int:
        return len(self.integers)

    def __getitem__(self, i: int) -> Fraction:
        return Fraction(self.integers[i], self.denominator)

    def _over(self, denominator: int) -> Iterable[int]:
        factor = denominator // self.denominator
        return self.integers if factor == 1 else [factor * k for k in self.integers]

    def __add__(self, other: Scaled) -> Scaled:
        together = lcm(self.denominator, other.denominator)
        return Scaled(tuple(map(add, self._over(together), other._over(together))), together)

    def __sub__(self, other: Scaled) -> Scaled:
        together = lcm(self.denominator, other.denominator)
        return Scaled(tuple(map(sub, self._over(together), other._over(together))), together)

    def __neg__(self) -> Scaled:
        return Scaled(tuple(map(neg, self.integers)), self.denominator)

    def __matmul__(self, other: Scaled) -> Fraction:
        return Fraction(sum(map(mul, self.integers, other.integers)), self.denominator * other.denominator)

    def times(self, other: Scaled) -> Scaled:
        """Return the products entry by entry."""
        return Scaled(tuple(map(mul, self.integers, other.integers)), self.denominator * other.denominator)

    def positive(self) -> Scaled:
        """Return the positive parts, max(v, 0) entry by entry."""
        return Scaled(tuple([k if k > 0 else 0 for k in self.integers]), self.denominator)

    def absolute(self) -> Scaled:
        """Return the absolute values."""
        return Scaled(tuple(map(abs, self.integers)), self.denominator)

    def where(self, keep: Sequence[bool]) -> Scaled:
        """Return the vector with zeros where keep is false."""
        return Scaled(tuple(map(mul, self.integers, keep)), self.denominator)

    def largest(self) -> tuple[Fraction, int]:
        """Return the largest entry and its place, (0, −1) for an empty vector."""
        if not self.integers:
            return Fraction(0), -1
        top = max(self.integers)
        return Fraction(top, self.denominator), self.integers.index(top)

    def fractions(self) -> list[Fraction]:
        """Return the entries as fractions."""
        return [Fraction(k, self.denominator) for k in self.integers]


def combination(rows: Iterable[Any], x: Scaled, n: int) -> Scaled:
    """Return Σ xᵢ rowᵢ exactly, for rows of length n paired with the entries of x.

    Cost      n multiplications of integers a row
    """
    total, denominator = [0] * n, 1
    for k, row in zip(x.integers, rows):
        part = row if isinstance(row, Scaled) else Scaled.of(row)
        if denominator % part.denominator:
            together = lcm(denominator, part.denominator)
            factor, denominator = together // denominator, together
            total = [factor * t for t in total]
        k *= denominator // part.denominator
        total = [t + k * r for t, r in zip(total, part.integers)]
    return Scaled(tuple(total), denominator * x.denominator)
