"""The spectral factor A = V diag(λ) Vᵀ of a symmetric matrix, as every eigenvalue method of this package returns it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from refclass.errors import InvalidInput, NoAnswer
from refclass.linear import canon, residual
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector
from refclass.number.field import Field, Number
from refclass.number.tolerance import negligible


@dataclass(frozen=True)
class Factor:
    """A = V diag(λ) Vᵀ, VᵀV = I.

    eigenvalues     λ, descending
    eigenvectors    V, one column for each; its first entry of largest modulus is positive
    rank            how many eigenvalues exceed roundoff of the largest in modulus

    Eigenvectors whose eigenvalues are equal are not unique, only their span is: see `canon`.
    """

    eigenvalues: Vector
    eigenvectors: Matrix
    rank: int

    def solve(self, b: Vector) -> Vector:
        """Return the solution of A x = b, V diag(λ)⁻¹ Vᵀb.

        Shapes    b, x: n
        Raises    InvalidInput if the length differs; NoAnswer with a null vector if A is singular up to roundoff
        """
        n = len(self.eigenvalues)
        if len(b) != n:
            raise InvalidInput("spectrum", need=f"a right side of {n} numbers", got=len(b))
        if self.rank < n:
            sizes = list(map(abs, self.eigenvalues))
            null = self.eigenvectors.column(sizes.index(min(sizes)))
            raise NoAnswer("spectrum", need=f"a matrix of rank {n}", got=f"rank {self.rank}", null_vector=null)
        coordinates = self.eigenvectors.T @ b
        return self.eigenvectors @ Vector.of([c / d for c, d in zip(coordinates, self.eigenvalues)])


def ordered(F: Field, values: Sequence[Number], vectors: Sequence[Vector]) -> Factor:
    """Return the factor with these eigenvalues and orthonormal eigenvectors, in canonical order and signs.

    Shapes    n values, n vectors of length n
    """
    order, largest = canon.descending(values), max(map(abs, values))
    rank = sum(not negligible(F, d, largest, len(values)) for d in values)
    V = Matrix.of([canon.sign(vectors[i]) for i in order]).T
    return Factor(Vector.of([values[i] for i in order]), V, rank)


def certify(A: Matrix, factor: Factor) -> dict[str, Any]:
    """Return the claims of the factor with their ratios."""
    V = factor.eigenvectors
    scaled = Matrix.of([row.times(factor.eigenvalues) for row in V])
    return {
        "A = V diag(λ) Vᵀ": residual.equality(scaled @ V.T, A, len(A)),
        "VᵀV = I": residual.orthonormality(V),
    }
