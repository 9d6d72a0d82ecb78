"""The metric of a covariance: Mahalanobis's distance, and what else a factored covariance gives.

    A⁻¹ = Zᵀ diag(w) Z        |A| = Π pivots        ‖v‖² = vᵀA⁻¹v = Σₖ wₖ (Zv)ₖ²

Three ways lead there: Pᵀ A P = L D Lᵀ, without roots, here; A = U D Uᵀ, the eigen-decomposition, in `spectral`; and for
a singular covariance, only when asked, the pseudo-inverse, which is zero along directions in which the observations do
not vary.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from math import dist, prod
from operator import mul
from typing import Any, overload

from refclass.errors import NoAnswer
from refclass.linear import residual
from refclass.linear.factorisations import ldl, triangular
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector, dot
from refclass.number.field import Field, Number
from refclass.number.tolerance import negligible


@dataclass(frozen=True)
class Metric:
    """A⁻¹ = Zᵀ diag(w) Z, or the pseudo-inverse A⁺ of a singular A in the same form.

    matrix    A, p × p
    rows      Z, r × p, where r is the rank of A; more rows where terms were added to A⁻¹
    weights   w, r numbers > 0
    pivots    r numbers > 0 whose product is |A|; for a singular A, the product of its eigenvalues other than zero
    """

    matrix: Matrix
    rows: Matrix
    weights: Vector
    pivots: Vector

    @property
    def rank(self) -> int:
        """The rank of A."""
        return min(len(self.rows), len(self.matrix))

    @property
    def determinant(self) -> Number:
        """|A|, or the product of the eigenvalues of A other than zero."""
        return prod(self.pivots, start=self.pivots.kind(1))

    def log_determinant(self, F: Field) -> Number:
        """Return log |A| = Σ log pivots."""
        return sum(map(F.log, self.pivots), F.kind(0))

    @overload
    def solve(self, b: Vector) -> Vector: ...

    @overload
    def solve(self, b: Matrix) -> Matrix: ...

    def solve(self, b: Any) -> Any:
        """Return A⁻¹ b, or A⁺ b.

        Shapes    b: p, or p × m, solved column by column
        Exact     yes
        """
        if isinstance(b, Matrix):
            return Matrix.of([self.solve(column) for column in b.T]).T
        return self._turned @ (self.rows @ b).times(self.weights)

    @cached_property
    def _turned(self) -> Matrix:
        return self.rows.T

    def squared(self, v: Vector) -> Number:
        """Return vᵀA⁻¹v, the square of Mahalanobis's length.

        Exact     yes
        Cost      r·p + 2r multiplications
        """
        y = self.rows @ v
        return dot(y.times(y), self.weights)

    def white(self, F: Field) -> Matrix:
        """Return the matrix that makes the covariance the identity: diag(√w) Z, with ‖white·v‖² = vᵀA⁻¹v.

        Shapes    r × p
        Exact     only where the roots are
        """
        return Matrix.of([F.sqrt(w) * z for w, z in zip(self.weights, self.rows)])

    @property
    def condition(self) -> Number:
        """The largest variance inflation: how many times a variable varies more than what the others leave of it.

            maxⱼ Aⱼⱼ (A⁻¹)ⱼⱼ = maxⱼ 1/(1 − Rⱼ²)

        One for uncorrelated variables, whatever their units; beyond bounds as A gets near to a singular one.

        Exact     yes
        """
        inverse = [dot(z, map(mul, z, self.weights)) for z in self._turned]
        return max(map(mul, self.matrix.diagonal(), inverse))


def squared_distances(white: Matrix, x: Vector, centres: Sequence[Vector]) -> list[Number]:
    """Return ‖white·x − c‖² for each centre c, which is white, too.

    Cost      r·p multiplications, and r more for each centre
    """
    z = white @ x
    if type(x[0]) is float:
        return [dist(z, c) ** 2 for c in centres]
    return [(z - c) @ (z - c) for c in centres]


def factor(F: Field, A: Matrix) -> Metric:
    """Return the metric of a positive definite covariance, by Pᵀ A P = L D Lᵀ: Z = L⁻¹Pᵀ, w = 1/D.

    Exact     yes, where F is; a pivot that roundoff could have made of zero is taken for zero: one below
              30·p·eps times the variance of its variable, so that units do not matter
    Raises    NoAnswer with a null vector if A is singular, with v, vᵀAv < 0, if it is indefinite
    """
    known = definite(F, A)
    permutation = Matrix.of([Vector.unit(len(A), i, A.kind) for i in known.order])
    pivots = Vector.of([block[0] for block in known.blocks])
    return Metric(A, triangular.solve_lower(known.lower, permutation), Vector.of([1 / d for d in pivots]), pivots)


def definite(F: Field, A: Matrix) -> ldl.Factor:
    """Return Pᵀ A P = L D Lᵀ of a positive definite covariance, which solves one system without its metric.

    Raises    NoAnswer unless every pivot is positive beyond roundoff, as `factor`
    """
    known, need = ldl.factor(A), "a positive definite covariance"
    for k, (block, i) in enumerate(zip(known.blocks, known.order)):
        size = max(map(abs, block))
        if negligible(F, size, abs(A[i][i]), len(A)):
            raise NoAnswer("metric", need=need, got="a singular one", pivot=block[0], null_vector=_back(known, k))
        if len(block) == 3 or block[0] < 0:
            v = known.negative_direction
            raise NoAnswer("metric", need=need, got="a negative variance", direction=v)
    return known


def _back(known: ldl.Factor, k: int) -> Vector:
    """Return v = P L⁻ᵀ eₖ, for which A v = dₖ P L eₖ: a null vector where the pivot dₖ is zero."""
    w = triangular.solve_upper(known.lower.T, Vector.unit(len(known.order), k, known.lower.kind))
    x = list(w)
    for value, i in zip(w, known.order):
        x[i] = value
    return Vector.of(x)


def pseudo(A: Matrix) -> Metric:
    """Return the metric of the pseudo-inverse (Moore and Penrose's) of a covariance, singular or not.

    With C the columns of A that hold pivots and M their rows, A = C M⁻¹ Cᵀ, and

        A⁺ = C G⁻¹ M G⁻¹ Cᵀ,  G = CᵀC        M = L D Lᵀ:  Z = Lᵀ G⁻¹ Cᵀ,  w = D        Π λ = |G| / |M|

    Exact     yes; meant for fractions (for rounded numbers `spectral` loses fewer digits)
    Raises    NoAnswer if A is zero or has a negative eigenvalue
    """
    known = ldl.factor(A)
    if known.inertia[1]:
        v = known.negative_direction
        raise NoAnswer("metric", need="a covariance", got="a negative variance", direction=v)
    chosen = [i for block, i in zip(known.blocks, known.order) if block[0] > 0]
    if not chosen:
        raise NoAnswer("metric", need="a covariance other than zero", got="zero")
    C = A.block(range(len(A)), chosen)
    inner, outer = ldl.factor(A.block(chosen, chosen)), ldl.factor(C.T @ C)
    reached = outer.solve(C.T)
    rows = inner.lower.T @ Matrix.of([reached[i] for i in inner.order])
    weights = Vector.of([block[0] for block in inner.blocks])
    pivots = Vector.of([g[0] / m for g, m in zip(outer.blocks, weights)])
    return Metric(A, rows, weights, pivots)


def certify(metric: Metric) -> dict[str, Any]:
    """Return the claim that A is what the metric undoes, with its ratio: A (Zᵀ diag(w) Z) A = A."""
    A = metric.matrix
    return {"A A⁻¹ A = A": residual.equality(A @ metric.solve(A), A, 2 * len(A))}
