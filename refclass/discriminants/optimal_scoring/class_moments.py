"""Class means of fitted values and their moments: what optimal scoring computes with."""

from __future__ import annotations

from refclass.discriminants.optimal_scoring import scoring
from refclass.errors import InvalidInput
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector, dot
from refclass.number.field import Field, Number
from refclass.number.tolerance import THRESHOLD
from refclass.sample.mean import shares
from refclass.sample.observations import Sample


def crossed(sample: Sample, fitted: Matrix) -> Matrix:
    """Return YᵀŶ/n, row k the mean over class k of the fitted indicators, times its share.

    Exact     yes
    """
    return Matrix.of([pi * mean for pi, mean in zip(shares(sample), class_means(sample, fitted))])


def class_means(sample: Sample, fitted: Matrix) -> Matrix:
    """Return the weighted mean of the fitted values of each class."""
    found = []
    for k in range(sample.K):
        places = sample.members(k)
        weights = sample.weights.pick(places)
        size = weights.sum()
        found.append(Vector.of([dot(weights, column) / size for column in zip(*(fitted[i] for i in places))]))
    return Matrix.of(found)


def keeps_constants(F: Field, M: Matrix, proportions: Vector) -> None:
    """Raise InvalidInput unless the regression reproduces the constant scores, or takes them out."""
    # Proof: for a smoother that keeps the constants Ŷ1 = S1 = 1, so that the rows of YᵀŶ/n sum to the shares; one that
    # takes them out (centred, without an intercept) makes them zero. Otherwise 1 is no eigenvector, and cannot be left.
    sums = Vector.of([row.sum() for row in M])
    unit = F.sqrt(F.eps) if F.eps else F.eps
    if min((sums - proportions).largest(), sums.largest()) > unit:
        raise InvalidInput("fda", need="a regression that keeps the constants", got=f"sums of fits {sums}")


def without_trivial(M: Matrix, proportions: Vector) -> Matrix:
    """Return the matrix made symmetric, less its part along the constant scores."""
    constant = sum(map(sum, M), M.kind(0))
    return (M + M.T) / 2 - constant * Matrix.outer(proportions, proportions)


def held(F: Field, values: Vector, n: int) -> Vector:
    """Return the μₗ, none above 1 − 60·n·eps: what roundoff leaves of a score that the regression explains wholly.

    Raises    NoAnswer in an exact field, where such a score has no weight
    """
    if F.exact:
        scoring.distance_weights(F, values, n)
        return values
    most = 1 - 2 * THRESHOLD * n * F.eps
    return Vector.of([min(mu, most) for mu in values])


def total(N: Matrix, pi: Vector) -> Number:
    """Return tr D⁻¹N, the sum of all μ."""
    return sum((row[k] / pi[k] for k, row in enumerate(N)), pi.kind(0))
