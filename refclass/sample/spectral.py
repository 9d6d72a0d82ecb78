"""The metric of a covariance by its eigen-decomposition, singular covariances included when asked."""

from __future__ import annotations

from refclass.errors import NoAnswer
from refclass.linear.eigen import one_sided_jacobi
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector
from refclass.number.field import Field
from refclass.number.tolerance import negligible
from refclass.sample.metric import Metric, pseudo


def factor(F: Field, A: Matrix, *, singular: bool = False) -> Metric:
    """Return the metric of a covariance by A = U D Uᵀ: Z = Uᵀ, w = 1/D  [ESL-4.3.2-eigen].

        vᵀA⁻¹v = ‖D^(−1/2) Uᵀv‖²        log |A| = Σ log dₗ

    With `singular` an eigenvalue that is zero up to roundoff is left out: the pseudo-inverse.

    Raises    NoAnswer with a null vector if A is singular (unless that was asked for), or is indefinite
    """
    known = one_sided_jacobi.factor(F, A)
    values, vectors = known.eigenvalues, known.eigenvectors.T
    kept = []
    for d, u in zip(values, vectors):
        if negligible(F, d, abs(values[0]), len(A)):
            if not singular:
                got = "a singular one"
                raise NoAnswer("spectral", need="a positive definite covariance", got=got, null_vector=u)
        elif d < 0:
            raise NoAnswer("spectral", need="a covariance", got="a negative variance", direction=u)
        else:
            kept.append((d, u))
    if not kept:
        raise NoAnswer("spectral", need="a covariance other than zero", got="zero")
    rows = Matrix.of([u for _, u in kept])
    return Metric(A, rows, Vector.of([1 / d for d, _ in kept]), Vector.of([d for d, _ in kept]))


def pseudo_inverse(F: Field, A: Matrix) -> Metric:
    """Return the metric of the pseudo-inverse of a covariance: exact on fractions, by eigenvalues elsewhere."""
    return pseudo(A) if F.exact else factor(F, A, singular=True)
