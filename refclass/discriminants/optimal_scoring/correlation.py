"""Canonical correlation: the combinations of two sets of variables that correlate most.

max corr(Xa, Yb)        Sxy Syy⁻¹ Syx a = ρ² Sxx a
"""

from __future__ import annotations

from dataclasses import dataclass

from refclass.errors import InvalidInput
from refclass.linear.eigen import pencil
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector
from refclass.number.field import Field
from refclass.sample import metric
from refclass.sample.indicator import indicator
from refclass.sample.mean import mean
from refclass.sample.observations import Block, Sample
from refclass.sample.scatter import scatter


@dataclass(frozen=True)
class Correlations:
    """The canonical correlations of X with Y.

    squares    ρ₁² ≥ ρ₂² ≥ …, as many as the smaller set has variables
    vectors    columns a, the combinations of X, aᵀSxx a = 1 for sums of squares and products Sxx about the mean
    """

    squares: Vector
    vectors: Matrix


def fit(F: Field, X: Matrix, Y: Matrix) -> Correlations:
    """Return the canonical correlations of two sets of variables  [ESL-4.3.3-correlation].

    Shapes    X: n × p; Y: n × q
    Raises    NoAnswer with a null vector if variables of one set are linearly dependent
    """
    if len(X) != len(Y):
        raise InvalidInput("correlation", need=f"{len(X)} rows in Y, as in X", got=len(Y))
    p, q = X.shape[1], Y.shape[1]
    both = Block((*zip(*X), *zip(*Y)), Vector.of([X.kind(1)] * len(X)))
    S = scatter(both, mean(both))
    first, second = range(p), range(p, p + q)
    Sxx, Sxy, Syy = S.block(first, first), S.block(first, second), S.block(second, second)
    explained = Sxy @ metric.factor(F, Syy).solve(Sxy.T)
    known = pencil.factor(F, (explained + explained.T) / 2, Sxx)
    count = min(p, q)
    return Correlations(known.eigenvalues.pick(range(count)), known.vectors.block(first, range(count)))


def with_classes(F: Field, sample: Sample) -> Correlations:
    """Return the canonical correlations of X with the indicator matrix  [ESL-4.3.3-correlation].

    The last column of the indicator matrix follows from the others, and is left out.
    """
    Y = indicator(sample)
    return fit(F, sample.X, Y.block(range(sample.n), range(sample.K - 1)))
