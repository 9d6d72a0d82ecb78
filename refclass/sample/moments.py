"""The moments of the classes in fractions, from the data as given: means, and scatter about them.

Each column is brought to integers over one denominator, once. With n, s, P the sums of w, w x, w x xᵀ over a class,

    μ̂ = s/n        W = P − s sᵀ/n

in which nothing is lost, however far the data lie from zero.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import repeat
from operator import add, lshift, mul

from refclass.errors import NoAnswer
from refclass.linear.clearing import dot
from refclass.linear.common_denominator import cleared
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector, as_given
from refclass.number.field import Number
from refclass.sample.observations import Sample

PACKED = 4  # columns from which on their products are packed into one


@dataclass(frozen=True)
class Moments:
    """Exact moments of the classes.

    sizes      nₖ, sums of weights
    means      K × p
    sizes_of   K × p, the means of |x|: what the means are sums of, in size
    scatters   Wₖ, about the class means, p × p each
    """

    sizes: Vector
    means: Matrix
    sizes_of: Matrix
    scatters: tuple[Matrix, ...]

    @property
    def n(self) -> Fraction:
        """The sum of all weights."""
        return sum(self.sizes, Fraction(0))

    @property
    def shares(self) -> Vector:
        """nₖ/n."""
        return self.sizes / self.n

    @cached_property
    def centre(self) -> Vector:
        """The mean of all observations."""
        return self.mixture(self.shares)

    def mixture(self, priors: Sequence[Number]) -> Vector:
        """Return the mean of the class means under weights."""
        return Vector.of([sum((pi * v for pi, v in zip(priors, column)), Fraction(0)) for column in zip(*self.means)])

    @cached_property
    def within(self) -> Matrix:
        """W = Σₖ Wₖ."""
        total = self.scatters[0]
        for scatter in self.scatters[1:]:
            total = total + scatter
        return total

    @cached_property
    def total(self) -> Matrix:
        """T = W + B, about the mean of all observations."""
        total: Matrix = self.within + self.n * self.between(self.shares)
        return total

    def between(self, priors: Sequence[Number]) -> Matrix:
        """Return Σₖ πₖ (μ̂ₖ − m)(μ̂ₖ − m)ᵀ with m = Σₖ πₖμ̂ₖ/Σₖ πₖ."""
        total = sum(priors, Fraction(0))
        centre = self.mixture(priors) / total
        away = [cleared(mu - centre) for mu in self.means]
        weights, unit = cleared([w / (d * d) for w, (_, d) in zip(priors, away)])
        columns = list(zip(*[v for v, _ in away]))
        pulled = [list(map(mul, weights, column)) for column in columns]
        return Matrix.of([Vector.of([Fraction(dot(v, u), unit) for u in columns]) for v in pulled])

    def pooled(self, divisor: str) -> Matrix:
        """Return W/(n − K), or W/n with divisor "n".  Raises NoAnswer unless n > K."""
        d = self.n - (0 if divisor == "n" else len(self.sizes))
        if not d > 0:
            raise NoAnswer("moments", need=f"more than {len(self.sizes)} observations", got=self.n)
        found: Matrix = self.within / d
        return found

    def of_class(self, k: int, divisor: str) -> Matrix:
        """Return Wₖ/(nₖ − 1), or Wₖ/nₖ with divisor "n".  Raises NoAnswer unless nₖ > 1."""
        d = self.sizes[k] - (0 if divisor == "n" else 1)
        if not d > 0:
            raise NoAnswer("moments", need="more than 1 observation in a class", got=self.sizes[k])
        found: Matrix = self.scatters[k] / d
        return found


def moments(sample: Sample) -> Moments:
    """Return the exact moments of a sample of any kind of numbers.

    Exact     yes
    Cost      n·p(p + 1)/2 multiplications of integers; for more than a few columns np long ones
    """
    found = [_of_block(block.given or block.columns, as_given(block.weights)) for block in sample.blocks]
    sizes, means, sizes_of, scatters = zip(*found)
    return Moments(Vector.of(sizes), Matrix.of(means), Matrix.of(sizes_of), tuple(scatters))


def _of_block(
    columns: Sequence[Sequence[Number]], weights: Sequence[Number]
) -> tuple[Fraction, Vector, Vector, Matrix]:
    w, unit = cleared(weights)
    plain = set(w) == {unit}
    known = [cleared(column) for column in columns]
    pulled = [x if plain else [a * b for a, b in zip(w, x)] for x, _ in known]
    scale = 1 if plain else unit
    n = len(w) if plain else sum(w)
    sums = [sum(z) for z in pulled]
    means = Vector.of([Fraction(s, n * d) for s, (_, d) in zip(sums, known)])
    sizes = [list(map(abs, z)) for z in pulled]
    away = Vector.of([Fraction(sum(size), n * d) for size, (_, d) in zip(sizes, known)])
    products = _products(pulled, [x for x, _ in known], max(map(max, sizes)))
    upper = [
        [
            Fraction(n * product - sums[i] * sums[j], n * scale * known[i][1] * known[j][1])
            for j, product in enumerate(row, i)
        ]
        for i, row in enumerate(products)
    ]
    p = range(len(known))
    scatter = Matrix.of([Vector.of([upper[min(i, j)][abs(i - j)] for j in p]) for i in p])
    return Fraction(n, scale), means, away, scatter


def _products(left: Sequence[Sequence[int]], right: Sequence[Sequence[int]], largest: int) -> list[list[int]]:
    """Return for each column of integers on the left its sums of products with those on the right from its own on.

    largest    no entry is larger in absolute value; on the right rows aside that are zero on the left, whose
               products are zero whatever stands there (rows of weight zero)

    Cost      with more than a few columns one long product for each row and column (Kronecker substitution: the
              entries of a row, from the column on, are the digits of one integer), else a product for each pair
    """
    if len(right) < PACKED:
        return [[dot(x, y) for y in right[i:]] for i, x in enumerate(left)]
    width = 2 * largest.bit_length() + len(left[0]).bit_length() + 1
    rows, found = [0] * len(left[0]), []
    for i in reversed(range(len(right))):
        rows = list(map(add, map(lshift, rows, repeat(width)), right[i]))
        found.append(_digits(dot(left[i], rows), width, len(right) - i))
    return found[::-1]


def _digits(value: int, width: int, count: int) -> list[int]:
    """Return the signed digits of an integer to the base 2^width, from the lowest, each of less than half its size."""
    found, half, whole = [], 1 << (width - 1), 1 << width
    for _ in range(count):
        digit = value & (whole - 1)
        digit -= whole if digit >= half else 0
        found.append(digit)
        value = (value - digit) >> width
    return found
