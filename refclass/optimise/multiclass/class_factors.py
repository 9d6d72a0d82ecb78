"""Linear systems in Kronecker form: factors of the classes, and conjugate gradients for their mean.

    K_k x_k − K_k· x̄ + ν_k 1 = r_k              for each class k, over its free points F_k
    equal sums Σ x_k, Σ_k ν_k = 0                 x̄ = (1/m) Σ_k x_k, over all points

For given y = x̄ the classes are apart, each with a factor of its own; conjugate gradients find y (`mean`), of the Schur
complement Σ_k (K⁻¹ + W_k)⁻¹, W_k infinite on F_k and else 0. Their preconditioner is m(K⁻¹ + W)⁻¹, one diagonal W,
at each point such that 1/(κ + W) is the mean of the 1/(κ + W_k): products with K alone.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import chain, repeat
from operator import mul
from typing import Any, Optional

from refclass.linear.factorisations.lower_triangle import Triangle
from refclass.linear.polar import Products

Columns = list[list[float]]

RIDGE = 1e-13  # of the largest entry of K, added to its diagonal: pivots keep a digit
LEVEL = 100.0  # κ, in units of 1 over the largest entry of K
RESIDUAL = 0.1  # part of the first residual at which y is near enough
MOST_CONJUGATE = 60  # conjugate directions for one y


class Shared:
    """K, its rows kept, and products with it."""

    def __init__(self, K: Any) -> None:
        self.n = len(K)
        self.rows = [tuple(K.row(i)) for i in range(self.n)]
        self.product = Products(self.rows)
        self.largest = max([row[i] for i, row in enumerate(self.rows)])


class Blocks:
    """The system of all classes.

    points    of each class those whose multipliers are free
    known     another such system: factors of classes with the same points are its own
    """

    def __init__(self, shared: Shared, points: Sequence[Sequence[int]], known: Optional[Blocks] = None) -> None:
        self.shared, self.points, self.m = shared, points, len(points)
        before = zip(known.points, known.factors) if known else repeat((None, None))
        self.factors: list[Triangle] = [
            last if last and own == old else self.factor(own) for own, (old, last) in zip(points, before)
        ]
        self.ones = [factor.solve([1.0] * len(own)) for factor, own in zip(self.factors, points)]
        self.weights = list(map(sum, self.ones))
        counts = Counter(chain.from_iterable(points))
        level = LEVEL / shared.largest
        self.diagonal = [level * counts[i] / max(1, self.m - counts[i]) for i in range(shared.n)]

    def factor(self, own: Sequence[int]) -> Triangle:
        """Return the factor of a class."""
        ridge, rows = RIDGE * self.shared.largest, self.shared.rows
        lower = [[rows[i][j] for j in own[: k + 1]] for k, i in enumerate(own)]
        for k, row in enumerate(lower):
            row[k] += ridge
        return Triangle(lower)

    def apart(self, r: Columns) -> tuple[Columns, list[float]]:
        """Return x and ν with K_k x_k + ν_k 1 = r_k, Σ ν_k = 0 and 1ᵀx_k the same for every class."""
        x = [factor.solve(own) for factor, own in zip(self.factors, r)]
        totals = list(map(sum, x))
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

    def solve(self, r: Columns, residual: float = RESIDUAL) -> tuple[Columns, list[float]]:
        """Return x and ν."""
        Ky = self.mean(self.summed(self.apart(r)[0]), residual)
        return self.apart([[a + b for a, b in zip(*both)] for both in zip(r, self.spread(Ky))])

    def mean(self, left: list[float], residual: float) -> list[float]:
        """Return K x̄ by conjugate gradients, from Σ x_k of the classes apart."""
        K = self.shared.product
        p = Kp = Ky = [0.0] * len(left)
        before, first = 0.0, 0.0
        for _ in range(MOST_CONJUGATE):
            image = K(left)
            g = [v + w * t for v, w, t in zip(left, self.diagonal, image)]
            size = sum(map(mul, g, image))
            first = first or size
            if not size > residual**2 * first:
                break
            beta = size / before if before else 0.0
            p = [v + beta * w for v, w in zip(g, p)]
            Kp = K(p)
            times = self.summed(self.apart(self.spread(Kp))[0])
            q = [self.m * v - w for v, w in zip(p, times)]
            curvature = sum(map(mul, q, Kp))
            if not curvature > 0.0:
                break
            t, before = size / curvature, size
            Ky = [v + t * w for v, w in zip(Ky, Kp)]
            left = [v - t * w for v, w in zip(left, q)]
        return Ky
