"""Linear systems in Kronecker form: factors of the classes, and conjugate gradients for their mean.

    K_k x_k − K_k· x̄ + ν_k 1 = r_k              for each class k, over its free points F_k
    equal sums Σ x_k, Σ_k ν_k = 0                 x̄ = (1/m) Σ_k x_k, over all points

For given y = x̄ the classes are apart, each with the factor that decomposition has of it (`reduced_basis`); conjugate
gradients find y (`mean`), of the Schur complement Σ_k (K⁻¹ + W_k)⁻¹, W_k infinite on F_k and else 0. Their
preconditioner is m(K⁻¹ + W)⁻¹, one diagonal W, at each point such that 1/(κ + W) is the mean of the 1/(κ + W_k):
products with K alone.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import chain
from operator import mul
from typing import Any

from refclass.linear.polar import Products
from refclass.optimise.decomposition.reduced_basis import Basis
from refclass.optimise.quadratic.box_rows import combine

Columns = list[list[float]]

LEVEL = 100.0  # κ, in units of 1 over the largest entry of K
RESIDUAL = 0.1  # part of the first residual at which y is near enough
FEW = 4  # so many times fewer rows of K than all are added up as fast as a product with K is computed from distances
MOST_CONJUGATE = 60  # conjugate directions for one y


class Shared:
    """K, its rows kept, and products with it."""

    def __init__(self, K: Any) -> None:
        self.n = len(K)
        self.rows = [tuple(K.row(i)) for i in range(self.n)]
        self.product = Products(self.rows)
        self.largest = max(self.diagonal())

    def __len__(self) -> int:
        return self.n

    def row(self, i: int) -> tuple[float, ...]:
        """Return a row."""
        return self.rows[i]

    def diagonal(self) -> list[float]:
        """Return the diagonal."""
        return [row[i] for i, row in enumerate(self.rows)]

    def added(self, g: Sequence[float], moved: Sequence[int], steps: Sequence[float]) -> list[float]:
        """Return g + Kx for x with these entries: the rows of these, or a product of x with all."""
        if len(moved) * FEW < self.n:
            return combine(g, steps, [self.rows[i] for i in moved])
        x = [0.0] * self.n
        for i, v in zip(moved, steps):
            x[i] = v
        return [a + b for a, b in zip(g, self.product(x))]


class Block:
    """The equations K x + ν1 = r of one class over its free points, solved with the factor of a basis.

    points    the free points, but for those whose curvature follows from that of the others
    one       the x of the least xᵀKx whose sum is 1, and `level` that value

    Raises    ArithmeticError where there is no free point
    """

    def __init__(self, shared: Shared, free: Sequence[int], basis: Basis) -> None:
        basis.hold(free)
        if not basis.reference:
            raise ArithmeticError("a class without free points")
        self.factor = basis.factor
        self.points = [*basis.reference.values(), *self.factor.members]
        row = [shared.rows[self.points[0]][i] for i in self.points]
        first, *others = self.balanced([-v for v in row])
        self.one = [1.0 + first, *others]
        self.level = sum(map(mul, self.one, row))  # K·one is the same at all these points

    def balanced(self, r: Sequence[float]) -> list[float]:
        """Return the x whose sum is 0."""
        base, *others = r
        x = self.factor.back(self.factor.half([v - base for v in others]))
        return [-sum(x), *x]


class Blocks:
    """The system of all classes.

    free     of each class the points whose multipliers are free
    bases    of each class a basis, which is changed to hold them
    """

    def __init__(self, shared: Shared, free: Sequence[Sequence[int]], bases: Sequence[Basis]) -> None:
        self.shared, self.m = shared, len(free)
        self.own = [Block(shared, points, basis) for points, basis in zip(free, bases)]
        self.points = [block.points for block in self.own]
        counts = Counter(chain.from_iterable(self.points))
        level = LEVEL / shared.largest
        self.diagonal = [level * counts[i] / max(1, self.m - counts[i]) for i in range(shared.n)]

    def apart(self, r: Columns) -> tuple[Columns, list[float]]:
        """Return x and ν with K_k x_k + ν_k 1 = r_k, Σ ν_k = 0 and 1ᵀx_k the same for every class."""
        # Proof: with K·one = level and the sum t of x, oneᵀ(Kx + ν1) = level t + ν = oneᵀr.
        levels = [sum(map(mul, block.one, own)) for block, own in zip(self.own, r)]
        t = sum(levels) / sum([block.level for block in self.own])
        x = [[v + t * w for v, w in zip(block.balanced(own), block.one)] for block, own in zip(self.own, r)]
        return x, [v - t * block.level for v, block in zip(levels, self.own)]

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

    def solve(self, r: Columns, residual: float = RESIDUAL, most: int = MOST_CONJUGATE) -> tuple[Columns, list[float]]:
        """Return x and ν, after at most so many conjugate directions."""
        Ky = self.mean(self.summed(self.apart(r)[0]), residual, most)
        return self.apart([[a + b for a, b in zip(*both)] for both in zip(r, self.spread(Ky))])

    def mean(self, left: list[float], residual: float, most: int = MOST_CONJUGATE) -> list[float]:
        """Return K x̄ by conjugate gradients, from Σ x_k of the classes apart."""
        K = self.shared.product
        p = Kp = Ky = [0.0] * len(left)
        before, first = 0.0, 0.0
        for _ in range(most):
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
