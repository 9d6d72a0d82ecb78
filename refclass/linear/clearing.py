"""Exact sums of products in integers: the denominators of each row are cleared once, numbers being of any kind.

A float is an integer times a power of two, a decimal one times a power of ten. With the rows and columns of two
matrices brought to integers over one denominator each, the entries of their product are sums of products of integers, a
loop in C, and one fraction is made for each entry instead of one for each term.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from math import isqrt
from operator import mul

from refclass.linear.common_denominator import cleared
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector
from refclass.number.field import Number, rational

ROOT_BITS = 64  # least number of bits of a root: some more than a double has, as it is a scale and not an answer


def dot(x: Sequence[int], y: Sequence[int]) -> int:
    """Return the sum of products of integers."""
    return sum(map(mul, x, y))


def product(A: Iterable[Iterable[Number]], B: Iterable[Iterable[Number]]) -> Matrix:
    """Return A B in fractions, whatever kinds of numbers A and B hold.

    Shapes    A: m × n; B: n × q
    Exact     yes
    Cost      m·n·q multiplications of integers
    """
    rows = [cleared(row) for row in A]
    columns = [cleared(column) for column in zip(*B)]
    return Matrix.of([Vector.of([Fraction(dot(x, y), c * d) for y, d in columns]) for x, c in rows])


def sizes(A: Iterable[Iterable[Number]], B: Iterable[Iterable[Number]]) -> Matrix:
    """Return |A| |B|: what the entries of A B are sums of, in size.

    Exact     yes
    """
    return product([list(map(abs, row)) for row in A], [list(map(abs, row)) for row in B])


def relative(missed: Iterable[Iterable[Number]], scale: Iterable[Iterable[Number]]) -> Fraction:
    """Return the largest ratio of entries of two matrices, in size: 0/0 counts as 0, and anything else over 0 as 1.

    Exact     yes

    Example
        >>> relative([[1, 0]], [[4, 0]]), relative([[3]], [[0]])
        (Fraction(1, 4), Fraction(1, 1))
    """
    above, below = 0, 1  # the largest ratio so far, in integers: no fraction is made for the others
    for row, units in zip(missed, scale):
        for v, unit in zip(row, units):
            if v:
                (a, b), (c, d) = rational(v).as_integer_ratio(), rational(unit).as_integer_ratio()
                a, b = (abs(a * d), abs(b * c)) if c else (1, 1)
                if a * below > above * b:
                    above, below = a, b
    return Fraction(above, below)


def backward_error(
    A: Sequence[Sequence[Number]], X: Sequence[Sequence[Number]], B: Matrix, terms: Sequence[Sequence[Number]] = ()
) -> Fraction:
    """Return the largest |B − A X| / (|A||X| + |B|) of an entry: the backward error of Oettli and Prager (1964).

    Shapes    A: m × n; X: n × q; B: m × q
    terms     the size of what B is the difference of, where that is more than |B|

    Exact     yes
    """
    missed = product(A, X) - B
    scale = sizes(A, X)
    known = terms or B
    total = [[rational(s) + abs(rational(b)) for s, b in zip(row, other)] for row, other in zip(scale, known)]
    return relative(missed, total)


def root(x: Fraction) -> Fraction:
    """Return √x, rounded down to 64 bits or more: the size of something, never an answer.

    Example
        >>> root(Fraction(9, 4))
        Fraction(3, 2)
    """
    n = x.numerator * x.denominator
    shift = max(0, ROOT_BITS - n.bit_length() // 2)
    return Fraction(isqrt(n << 2 * shift), x.denominator << shift)
