"""The eigen-expansion of a kernel on finitely many points: its features, and the penalty of each."""

from __future__ import annotations

from dataclasses import dataclass

from refclass.errors import NoAnswer
from refclass.linear.eigen import one_sided_jacobi
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector
from refclass.number.field import Field, Number


@dataclass(frozen=True)
class Eigen:
    """K = Σ_m δ_m φ_m φ_mᵀ, on n points  [ESL-12.26].

    values       δ, descending, all positive
    functions    φ_m at the points, one column for each value, orthonormal
    """

    values: Vector
    functions: Matrix

    def features(self, F: Field) -> Matrix:
        """Return h_m = √δ_m φ_m at the points, one row for each point: their inner products are K."""
        roots = Vector.of([F.sqrt(d) for d in self.values])
        return Matrix.of([row.times(roots) for row in self.functions])

    def weights(self, alpha: Vector) -> Vector:
        """Return θ, the weights on the φ_m, of the function Σ αᵢ K(xᵢ, ·): θ_m = δ_m φ_mᵀα."""
        return self.values.times(self.functions.T @ alpha)

    def penalty(self, theta: Vector) -> Number:
        """Return the squared norm Σ θ_m²/δ_m of the function Σ θ_m φ_m  [ESL-12.27].

        Rough directions, those of small δ, cost more.
        """
        return sum((t * t / d for t, d in zip(theta, self.values)), theta.kind(0))


def expand(F: Field, K: Matrix) -> Eigen:
    """Return the eigen-expansion of a Gram matrix, its zero eigenvalues left out.

    Exact     where the roots are rational
    Cost      that of `one_sided_jacobi.factor`
    Raises    NoAnswer if an eigenvalue is negative, its eigenvector the witness: K is then no Gram matrix; InvalidInput
              unless K is symmetric
    """
    factor = one_sided_jacobi.factor(F, K)
    n, r = len(K), factor.rank
    least = factor.eigenvalues[n - 1]
    positive = [m for m, d in enumerate(factor.eigenvalues) if d > 0][:r]
    if least < 0 and len(positive) < r:
        direction = factor.eigenvectors.column(n - 1)
        raise NoAnswer(
            "eigen", need="a positive semidefinite matrix", got=f"the eigenvalue {least}", direction=direction
        )
    if not positive:
        raise NoAnswer("eigen", need="a positive eigenvalue", got="none")
    return Eigen(factor.eigenvalues.pick(positive), factor.eigenvectors.block(range(n), positive))
