"""Linear systems in Kronecker form with diagonals: factors of the classes, and conjugate gradients for their mean.

    (K_k + D_k) x_k − K_k· x̄ + ν_k 1 = r_k        for each class k, over the points F_k whose multipliers can move
    equal sums Σ x_k, Σ_k ν_k = 0                 x̄ = (1/m) Σ_k x_k, over all points

For given y = x̄ the classes are apart, each with a factor of its own; conjugate gradients find y (`mean`), of the Schur
complement Σ_k (K⁻¹ + W_k)⁻¹, W_k = 1/D_k on F_k and else 0. Their preconditioner is m(K⁻¹ + W)⁻¹, one diagonal W,
at each point such that 1/(κ + W) is the mean of the 1/(κ + W_k): products with K alone.

Where the entries of D_k are large beside what the first columns of a pivoted Cholesky factor Z leave of K, the block is
ZZᵀ + D_k there, and its inverse that of a matrix with as many rows as Z has columns (Woodbury 1950); the rest of K
counts where they are not.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import accumulate, compress
from operator import mul
from typing import Any

from refclass.linear.polar import IN_C, Products, gram
from refclass.linear.vector import dot
from refclass.optimise.multiclass import low_rank

Columns = list[list[float]]

PARTS = (12, 6)  # columns of Z, points for each: the choices
SMALL = 10.0  # part of D that the rest of K may have, by its trace
WORTH = 0.5  # part of the work of a whole factor below which less is taken
LOOP = 150  # multiplications that a product of two rows takes besides its own
LEVEL = 100.0  # κ, in units of 1 over the largest entry of K
RESIDUAL = 0.01  # part of the first residual at which y is near enough
MOST_CONJUGATE = 60  # conjugate directions for one y


class Triangle:
    """The factor of a matrix given by its lower triangle, scaled to a diagonal of ones; products from distances.

    Cost      n³/6 multiplications; a system n²
    Raises    ArithmeticError where a pivot has no digits
    """

    # Proof: no row of the factor is longer than 1, so that products from distances err by roundoff of 1 (`polar`).

    def __init__(self, lower: Sequence[Sequence[float]]) -> None:
        self.units = [1 / math.sqrt(a[i]) for i, a in enumerate(lower)]
        self.rows: list[tuple[tuple[float, ...], float, float]] = []
        for a, unit in zip(lower, self.units):
            row, square = self.below([unit * v * u for v, u in zip(a, self.units)][: len(self.rows)])
            if not square < 1:
                raise ArithmeticError("a pivot without digits")
            self.rows.append((tuple(row), square, math.sqrt(1 - square)))
        plain = [row for row, _, _ in self.rows]
        columns = [tuple([row[k] for row in plain[:k:-1]]) for k in range(len(plain))]
        self.columns = [(c, dot(c, c), root) for c, (_, _, root) in zip(columns, self.rows)][::-1]

    def below(self, b: Sequence[float]) -> tuple[list[float], float]:
        """Return the solution of the first equations, and its squared norm."""
        return _substituted(b, self.rows)

    def half(self, b: Sequence[float]) -> list[float]:
        """Return L⁻¹b."""
        size = math.hypot(*b) or 1.0
        return [size * v for v in self.below([v * unit / size for v, unit in zip(b, self.units)])[0]]

    def back(self, t: Sequence[float]) -> list[float]:
        """Return L⁻ᵀt."""
        size = math.hypot(*t) or 1.0
        x = _substituted([v / size for v in reversed(t)], self.columns)[0]
        return [size * v * unit for v, unit in zip(reversed(x), self.units)]


Row = tuple[tuple[float, ...], float, float]  # entries beside the diagonal, their squared norm, the diagonal entry


def _substituted(b: Sequence[float], rows: Sequence[Row]) -> tuple[list[float], float]:
    x: list[float] = []
    xx = 0.0
    for v, (row, square, root) in zip(b, rows):
        if IN_C:
            d = math.dist(row, x)
            w = (v - (square + xx - d * d) / 2) / root
        else:
            w = (v - dot(row, x)) / root
        x.append(w)
        xx += w * w
    return x, xx


class Shared:
    """K, and what the factors of all classes share of it: the first columns of Z, and what they leave of K."""

    def __init__(self, K: Any) -> None:
        self.n = len(K)
        self.rows = [tuple(K.row(i)) for i in range(self.n)]
        self.product = Products(self.rows)
        diagonal = [row[i] for i, row in enumerate(self.rows)]
        self.level = LEVEL / max(diagonal)
        self.Z = low_rank.leading(K, self.n // PARTS[-1])
        sums = list(accumulate([dot(column, column) for column in zip(*self.Z)], initial=0.0))
        self.choices = {0: math.inf}
        for q in [min(self.n // part, len(self.Z[0])) for part in PARTS]:
            self.choices[q] = max(sum(diagonal) - sums[q], 0.0) / SMALL
        self.rest: dict[int, Sequence[Sequence[float]]] = {0: self.rows}

    def left(self, q: int) -> Sequence[Sequence[float]]:
        """Return what q columns leave of K."""
        if q not in self.rest:
            Z = [z[:q] for z in self.Z]
            times = Products(Z)
            self.rest[q] = [[a - b for a, b in zip(row, times(z))] for row, z in zip(self.rows, Z)]
        return self.rest[q]

    def chosen(self, D: Columns) -> int:
        """Return the number of columns with which the factors for these diagonals take the least work."""

        def work(q: int) -> float:
            least, total = self.choices[q], 0.0
            for d in D:
                n, f = len(d), sum([v < least for v in d])
                total += f * f * (f / 3 + LOOP) / 2 + q * f * (f / 2 + LOOP) + q * q * (n + LOOP) / 2
            return total

        best = min(self.choices, key=work)
        return best if work(best) < WORTH * work(0) else 0


class ClassFactor:
    """The inverse of K_F + D for the points F of a class.

    q         how many columns of Z stand for K where D is large
    """

    def __init__(self, shared: Shared, q: int, points: Sequence[int], d: Sequence[float]) -> None:
        least = shared.choices[q]
        self.small = [v < least for v in d]
        self.roots = [math.sqrt(v) for v, own in zip(d, self.small) if not own]
        places = list(compress(points, self.small))
        lower = []
        if places:
            left = shared.left(q)
            lower = [[left[i][j] for j in places[: k + 1]] for k, i in enumerate(places)]
            for k, v in enumerate(compress(d, self.small)):
                lower[k][k] += v
        self.factor = Triangle(lower)
        self.columns: Any = None
        if q:
            columns = [tuple(self.half(column)) for column in zip(*[shared.Z[i][:q] for i in points])]
            self.columns, self.rows, lower = Products(columns), Products(list(zip(*columns))), gram(columns)
            for k, row in enumerate(lower):
                row[k] += 1
            self.middle = Triangle(lower)

    def half(self, b: Sequence[float]) -> list[float]:
        """Return L⁻¹b, the small entries of D first."""
        big = [v for v, own in zip(b, self.small) if not own]
        return self.factor.half(list(compress(b, self.small))) + [v / r for v, r in zip(big, self.roots)]

    def solve(self, b: Sequence[float]) -> list[float]:
        """Return (K_F + D)⁻¹ b."""
        t = self.half(b)
        if self.columns is not None:
            times = self.rows(self.middle.back(self.middle.half(self.columns(t))))
            t = [v - w for v, w in zip(t, times)]
        f = len(t) - len(self.roots)
        first, last = iter(self.factor.back(t[:f])), iter([v / r for v, r in zip(t[f:], self.roots)])
        return [next(first) if own else next(last) for own in self.small]


class Blocks:
    """The system of all classes for diagonals D.

    points    of each class those whose multipliers can move
    """

    def __init__(self, shared: Shared, points: Sequence[Sequence[int]], D: Columns, exact: bool) -> None:
        self.shared, self.points, self.m = shared, points, len(points)
        self.q = 0 if exact else shared.chosen(D)
        self.factors = [ClassFactor(shared, self.q, own, d) for own, d in zip(points, D)]
        self.ones = [factor.solve([1.0] * len(own)) for factor, own in zip(self.factors, points)]
        self.weights = list(map(sum, self.ones))
        level, inverse = shared.level, [self.m / shared.level] * shared.n
        for own, d in zip(points, D):
            for i, v in zip(own, d):
                inverse[i] -= 1 / level - 1 / (level + 1 / v)
        self.diagonal = [self.m / v - level for v in inverse]

    def apart(self, r: Columns, sums: Sequence[float]) -> tuple[Columns, list[float]]:
        """Return x and ν with (K_k + D_k) x_k + ν_k 1 = r_k, Σ ν_k = 0 and 1ᵀx_k + sums_k the same for every class."""
        x = [factor.solve(own) for factor, own in zip(self.factors, r)]
        totals = [sum(own) + s for own, s in zip(x, sums)]
        common = sum([t / w for t, w in zip(totals, self.weights)]) / sum([1 / w for w in self.weights])
        nu = [(t - common) / w for t, w in zip(totals, self.weights)]
        return [[v - level * one for v, one in zip(own, ones)] for own, ones, level in zip(x, self.ones, nu)], nu

    def summed(self, x: Columns) -> list[float]:
        """Return Σ_k x_k at all points."""
        total = [0.0] * self.shared.n
        for own, column in zip(self.points, x):
            for i, v in zip(own, column):
                total[i] += v
        return total

    def spread(self, v: Sequence[float]) -> Columns:
        """Return the entries of v at the points of each class."""
        return [[v[i] for i in own] for own in self.points]

    def solve(self, r: Columns, sums: Sequence[float]) -> tuple[Columns, list[float]]:
        """Return x and ν; sums are those that the classes have before x is added."""
        Ky = self.mean(self.summed(self.apart(r, sums)[0]))
        return self.apart([[a + b for a, b in zip(*both)] for both in zip(r, self.spread(Ky))], sums)

    def mean(self, left: list[float]) -> list[float]:
        """Return K x̄ by conjugate gradients, from Σ x_k of the classes apart."""
        K, zeros = self.shared.product, [0.0] * self.m
        p = Kp = Ky = [0.0] * len(left)
        before, first = 0.0, 0.0
        for _ in range(MOST_CONJUGATE):
            image = K(left)
            g = [v + w * t for v, w, t in zip(left, self.diagonal, image)]
            size = sum(map(mul, g, image))
            first = first or size
            if not size > RESIDUAL**2 * first:
                break
            beta = size / before if before else 0.0
            p = [v + beta * w for v, w in zip(g, p)]
            Kp = K(p)
            times = self.summed(self.apart(self.spread(Kp), zeros)[0])
            q = [self.m * v - w for v, w in zip(p, times)]
            curvature = sum(map(mul, q, Kp))
            if not curvature > 0.0:
                break
            t, before = size / curvature, size
            Ky = [v + t * w for v, w in zip(Ky, Kp)]
            left = [v - t * w for v, w in zip(left, q)]
        return Ky
