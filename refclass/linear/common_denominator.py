"""Exact rational vectors as integers on one common denominator: what certificates compute with.

    v = (k₁, …, kₙ) / D

A sum of products of integers is one loop in C; a sum of fractions takes a greatest common divisor at every step.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import reduce
from itertools import compress, repeat
from math import frexp, lcm
from operator import add, mul, neg, or_, sub
from typing import Any, Optional

from refclass.number.field import rational

MANTISSA, WIDEST = 53, 1000  # bits of a double's digits; bits that a power of two between doubles may have
SPARSE = 1, 2  # share of a row's entries that are zero, above which the others are taken one by one
FEW, LOW = 8, (1 << 32) - 1  # so many entries say whether all may be multiples of 2³²

Cleared = tuple[list[int], int]  # numerators over one denominator


def cleared(values: Iterable[Any]) -> Cleared:
    """Return integers and a denominator d > 0, of which the values, of any kinds, are the quotients.

    Exact     yes
    Raises    InvalidInput for infinities and NaN

    Example
        >>> cleared([0.5, -3.0, 0.25])
        ([2, -12, 1], 4)
    """
    given = list(values)
    all_doubles = set(map(type, given)) == {float}
    known = _of_doubles(given) if all_doubles else None
    if known is not None:
        return known
    try:
        ratios = [v.as_integer_ratio() for v in given]
    except (OverflowError, ValueError, AttributeError):
        ratios = [rational(v).as_integer_ratio() for v in given]
    if all_doubles:  # powers of two too far apart for `_of_doubles`
        bits = max([q.bit_length() for _, q in ratios], default=1)
        return [p << (bits - q.bit_length()) for p, q in ratios], 1 << (bits - 1)
    denominators = {q for _, q in ratios}
    common = lcm(*denominators)
    if len(denominators) == 1:
        return [p for p, _ in ratios], common
    return [p * (common // q) for p, q in ratios], common


def _of_doubles(values: Sequence[float]) -> Optional[Cleared]:
    """Return doubles as integers over a power of two, by one multiplication each; None where that is not exact."""
    sizes = list(map(abs, values))
    least, most = min(sizes), max(sizes)
    if not least:
        least = min(filter(None, sizes), default=1)
    whole = sum(sizes)
    if whole - whole != 0:  # infinities, and what is not a number
        return None
    # Premise: a double is a multiple of 2^(e − 53) with its exponent e, hence of that of the least of them.
    bits = MANTISSA - frexp(least)[1]
    if not 0 <= bits < WIDEST or not bits + frexp(most)[1] < WIDEST:
        return None
    integers = list(map(int, map(mul, values, repeat(float(1 << bits)))))
    if reduce(or_, integers[:FEW]) & LOW:
        return integers, 1 << bits
    every = reduce(or_, integers)  # few digits in binary: a power of two divides all
    shift = min(bits, (every & -every).bit_length() - 1) if every else bits
    return [k >> shift for k in integers], 1 << (bits - shift)


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
        if isinstance(values, Scaled):
            return values
        integers, denominator = cleared(values)
        return cls(tuple(integers), denominator)

    @classmethod
    def zeros(cls, n: int) -> Scaled:
        """Return the zero vector of length n."""
        return cls((0,) * n, 1)

    def __len__(self) -> int:
        return len(self.integers)

    def __getitem__(self, i: int) -> Fraction:
        return Fraction(self.integers[i], self.denominator)

    def __iter__(self) -> Iterator[Fraction]:
        return iter(self.fractions())

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

    def scaled(self, c: Fraction) -> Scaled:
        """Return c times the vector."""
        return Scaled(tuple([c.numerator * k for k in self.integers]), self.denominator * c.denominator)

    def times(self, other: Scaled) -> Scaled:
        """Return the products entry by entry."""
        return Scaled(tuple(map(mul, self.integers, other.integers)), self.denominator * other.denominator)

    def plus(self, c: Fraction) -> Scaled:
        """Return the vector with a number added to every entry."""
        together = lcm(self.denominator, c.denominator)
        shift = c.numerator * (together // c.denominator)
        return Scaled(tuple([k + shift for k in self._over(together)]), together)

    def same(self, other: Scaled) -> bool:
        """Return whether two vectors have equal entries."""
        return not any((self - other).integers)

    def at(self, places: Iterable[int]) -> Scaled:
        """Return the entries at the places, in their order."""
        return Scaled(tuple([self.integers[i] for i in places]), self.denominator)

    def support(self) -> tuple[list[int], Scaled]:
        """Return the places of the entries that are not zero, and these entries."""
        places = [i for i, k in enumerate(self.integers) if k]
        return places, self.at(places)

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


def nonzero(row: Sequence[Any]) -> Optional[list[int]]:
    """Return the places of the entries that are not zero, of a row of doubles that has so few; None of another.

    Example
        >>> nonzero([0.0, 0.0, 2.0, 0.0]), nonzero([1.0, 0.0])
        ([2], None)
    """
    if type(row[0]) is not float or row.count(0) * SPARSE[1] <= len(row) * SPARSE[0]:
        return None
    return list(compress(range(len(row)), row))


def combination(rows: Iterable[Any], x: Scaled, n: int) -> Scaled:
    """Return Σ xᵢ rowᵢ exactly, for rows of length n paired with the entries of x.

    Cost      n + 1 multiplications of integers a row, and n more where the denominator grows
    """
    return combinations(rows, [x], n)[0]


def combinations(rows: Iterable[Any], vectors: Sequence[Scaled], n: int) -> list[Scaled]:
    """Return Σ xᵢ rowᵢ as `combination` does, for each vector x; a row is put on its denominator once for all.

    Cost      n + 1 multiplications of integers for each entry that is not zero, and n for each vector where the
              denominator grows; of rows of doubles that are zero mostly, one for each other entry in place of n
    """
    totals, denominator = [[0] * n for _ in vectors], 1
    for row, *entries in zip(rows, *[x.integers for x in vectors]):
        places = None if isinstance(row, Scaled) else nonzero(row)
        part = Scaled.of(row if places is None else map(row.__getitem__, places))
        if denominator % part.denominator:
            together = lcm(denominator, part.denominator)
            factor, denominator = together // denominator, together
            totals = [[factor * t for t in total] for total in totals]
        unit = denominator // part.denominator
        for j, k in enumerate(entries):
            k *= unit
            if k and places is None:
                totals[j] = [t + k * r for t, r in zip(totals[j], part.integers)]
            elif k and places is not None:
                total = totals[j]
                for i, r in zip(places, part.integers):
                    total[i] += k * r
    return [Scaled(tuple(total), denominator * x.denominator) for total, x in zip(totals, vectors)]
