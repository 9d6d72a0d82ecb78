"""The singular value decomposition A = U Σ Vᵀ by one-sided Jacobi rotations (Hestenes 1958; de Rijk 1989).

The columns of A are rotated until each is orthogonal to the others, A V = U Σ; their lengths are then the singular
values. A matrix with fewer rows than columns is transposed first.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from refclass.errors import InvalidInput
from refclass.linear import canon, residual
from refclass.linear.eigen import hestenes
from refclass.linear.factorisations import householder
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector, dot
from refclass.number.field import Field
from refclass.number.tolerance import magnitude, negligible


@dataclass(frozen=True)
class Factor:
    """A = U diag(σ) Vᵀ, UᵀU = VᵀV = I, with k = min(m, n) values.

    left      U, m × k
    values    σ ≥ 0, descending
    right     V, n × k; the first entry of largest modulus of each column is positive
    rank      how many values exceed roundoff of the largest
    """

    left: Matrix
    values: Vector
    right: Matrix
    rank: int

    def solve(self, b: Vector) -> Vector:
        """Return the shortest x that minimises ‖A x − b‖: the pseudo-inverse of A times b.

            x = Σ vᵢ (uᵢᵀb) / σᵢ,    i ≤ rank

        Shapes    b: m; x: n
        Raises    InvalidInput if the length differs
        """
        if len(b) != len(self.left):
            raise InvalidInput("svd", need=f"a right side of {len(self.left)} rows", got=len(b))
        x = Vector.of([self.values.kind(0)] * len(self.right))
        for u, d, v, _ in zip(self.left.T, self.values, self.right.T, range(self.rank)):
            x = x + ((u @ b) / d) * v
        return x


def factor(F: Field, A: Matrix) -> Factor:
    """Return the singular value decomposition of a matrix of any shape and rank.

    Shapes    A: m × n
    Exact     where the roots are rational
    Cost      with n ≤ m, sweeps (five to nine for doubles and n ≤ 100) of n(n − 1)/2 pairs, each a dot product and,
              unless orthogonal already, a rotation of 4(m + n) multiplications
    Raises    NotExact for an irrational root in an exact field; NotConverged if 100 sweeps do not suffice
    Laws      A = U diag(σ) Vᵀ; UᵀU = VᵀV = I

    Example
        >>> from refclass.number.binary64 import BINARY64
        >>> factor(BINARY64, Matrix([[0.0, 2.0], [1.0, 0.0]])).values
        Vector(2.0, 1.0)
    """
    wide = len(A) < len(A[0])
    tall = A.T if wide else A
    unit = magnitude(A.largest())
    n, kind = len(tall[0]), A.kind
    columns, right = hestenes.orthogonal(F, (tall / unit).T, Matrix.identity(n, kind))
    lengths = [F.sqrt(dot(x, x)) for x in columns]
    order = canon.descending(lengths)
    longest = lengths[order[0]]
    # Premise: a column shorter than this is what rotations left of one that depended on others; it has no direction.
    kept = [i for i in order if lengths[i] > longest * F.eps**4]
    values = [lengths[i] if i in kept else kind(0) for i in order]
    U = _completed(F, [Vector.of(columns[i]) / lengths[i] for i in kept], tall)
    V = [Vector.of(right[i]) for i in order]
    U, V = (V, U) if wide else (U, V)
    U = [u if canon.sign(v) == v else -u for u, v in zip(U, V)]
    rank = sum(not negligible(F, h, longest, max(A.shape)) for h in lengths)
    return Factor(Matrix.of(U).T, unit * Vector.of(values), canon.signs(Matrix.of(V).T), rank)


def _completed(F: Field, known: list[Vector], A: Matrix) -> list[Vector]:
    """Return as many orthonormal vectors as A has columns, the known ones first."""
    m, n = A.shape
    if not known:
        return [Vector.unit(m, i, A.kind) for i in range(n)]
    if len(known) == n:
        return known
    return known + list(householder.factor(F, Matrix.of(known).T).orthonormal.T[len(known) : n])


def certify(A: Matrix, factor: Factor) -> dict[str, Any]:
    """Return the claims of the factor with their ratios."""
    scaled = Matrix.of([row.times(factor.values) for row in factor.left])
    return {
        "A = U diag(σ) Vᵀ": residual.equality(scaled @ factor.right.T, A, max(A.shape)),
        "UᵀU = I": residual.orthonormality(factor.left),
        "VᵀV = I": residual.orthonormality(factor.right),
    }
