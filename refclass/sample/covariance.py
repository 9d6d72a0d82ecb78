"""Covariances: scatter over one of the divisors in use.

of a class    nₖ − 1 (unbiased), nₖ (maximum likelihood)
pooled        n − K (unbiased), n (maximum likelihood)
total         n − 1, n
"""

from __future__ import annotations

from typing import Optional

from refclass.errors import InvalidInput, NoAnswer, quoted
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector
from refclass.number.field import Number
from refclass.sample import scatter
from refclass.sample.mean import class_means, mean, sizes
from refclass.sample.observations import Block, Sample


def pooled(sample: Sample, divisor: str = "n-k", means: Optional[Matrix] = None) -> Matrix:
    """Return the pooled covariance of the classes.

        Σ̂ = W / (n − K)    or    W / n

    Exact     yes
    Raises    InvalidInput for another divisor, NoAnswer unless n > K
    """
    d = _divisor(sizes(sample).sum(), sample.K, divisor, "n-k", "n")
    return _over(scatter.within(sample, means), d)


def of_class(sample: Sample, k: int, divisor: str = "n-1") -> Matrix:
    """Return the covariance of class k.

        Sₖ = (1/(nₖ − 1)) Σ_{g(i)=k} wᵢ (xᵢ − μ̂ₖ)(xᵢ − μ̂ₖ)ᵀ    or with divisor nₖ

    Exact     yes
    Raises    InvalidInput for another divisor, NoAnswer unless nₖ > 1
    """
    d = _divisor(sample.blocks[k].size, 1, divisor, "n-1", "n", label=sample.classes[k])
    return _over(scatter.of_class(sample, k), d)


def of_classes(sample: Sample, divisor: str = "n-1") -> tuple[Matrix, ...]:
    """Return the covariance of every class."""
    return tuple(of_class(sample, k, divisor) for k in range(sample.K))


def total(sample: Sample, divisor: str = "n") -> Matrix:
    """Return the covariance of all observations, their classes ignored."""
    return _over(scatter.total(sample), _divisor(sample.whole.size, 1, divisor, "n-1", "n"))


def pooled_from_total(total: Matrix, counts: Vector, means: Matrix) -> Matrix:
    """Return the pooled covariance that a total covariance, divisor n − 1, and the class means imply  [KIM-4.1].

        Σ̂ = ((n − 1) T − Σₖ nₖ(μ̂ₖ − x̄)(μ̂ₖ − x̄)ᵀ) / (n − K)

    Exact     yes
    Raises    NoAnswer unless n > K
    """
    counted = Block(tuple(zip(*means)), counts)
    n = counts.sum()
    apart = scatter.scatter(counted, mean(counted))
    within = Matrix.of([(n - 1) * t - b for t, b in zip(total, apart)])
    return _over(within, _divisor(n, len(means), "n-k", "n-k", "n"))


def between(sample: Sample, weighted: bool = True) -> Matrix:
    """Return the covariance of the class means.

        weighted      Σₖ (nₖ/n) (μ̂ₖ − x̄)(μ̂ₖ − x̄)ᵀ
        unweighted    (1/(K − 1)) Σₖ (μ̂ₖ − m)(μ̂ₖ − m)ᵀ    m the mean of the means

    Exact     yes
    """
    if weighted:
        return _over(scatter.between(sample), sizes(sample).sum())
    means = class_means(sample)
    centre = sum(means[1:], means[0]) / sample.K
    rows = [m - centre for m in means]
    return _over(Matrix.of(rows).T @ Matrix.of(rows), sample.K - 1)


def _over(A: Matrix, d: Number) -> Matrix:
    return Matrix.of([x / d for x in A])


def _divisor(n: Number, lost: int, divisor: str, unbiased: str, likely: str, **where: object) -> Number:
    if divisor not in (unbiased, likely):
        raise InvalidInput("covariance", need=f'divisor "{unbiased}" or "{likely}"', got=quoted(divisor))
    d = n - lost if divisor == unbiased else n
    if not d > 0:
        raise NoAnswer("covariance", need=f"more than {lost} observations (divisor {divisor})", got=n, **where)
    return d
