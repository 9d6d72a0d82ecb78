"""Scatter: sums of squares and cross-products about a centre, without a divisor.

total = within + between        T = W + B
"""

from __future__ import annotations

from typing import Optional

from refclass.linear import polar
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector, dot
from refclass.number.field import Number
from refclass.number.tolerance import roundoff
from refclass.sample.mean import class_means, mean, sizes
from refclass.sample.observations import Block, Sample

CANCELLED = 1000  # of a sum of squares, the share that is taken off without costing more than three digits


def scatter(block: Block, centre: Vector) -> Matrix:
    """Return the sums of squares and cross-products about a centre.

        S = Σᵢ wᵢ (xᵢ − c)(xᵢ − c)ᵀ

    Shapes    p × p, symmetric
    Exact     yes
    Cost      n·p(p+1)/2 multiplications, n·p more with weights
    """
    columns = [block.less(j, c) for j, c in enumerate(centre)]
    return products(columns if block.plain else [block.weighted(column) for column in columns], columns)


def products(left: list[tuple[Number, ...]], right: list[tuple[Number, ...]]) -> Matrix:
    """Return Σᵢ zᵢxᵢᵀ of columns on the left, x times weights, and on the right, which is symmetric."""
    if left is right and polar.IN_C and len(right[0]) >= polar.MANY and type(right[0][0]) is float:
        lower = polar.gram(right)
    else:
        lower = [[dot(left[i], right[j]) for j in range(i + 1)] for i in range(len(left))]
    return Matrix.of([Vector.of([lower[max(i, j)][min(i, j)] for j in range(len(left))]) for i in range(len(left))])


def of_class(sample: Sample, k: int, centre: Optional[Vector] = None) -> Matrix:
    """Return the scatter of class k about its mean (as computed, or reported).

    In rounded arithmetic the mean is rounded, too: what the deviations from it leave over is taken off, n δδᵀ for their
    mean δ, so that numbers that differ in their last digits only have their own scatter; where that would cancel, off
    the deviations themselves.
    """
    block = sample.blocks[k]
    about = mean(block) if centre is None else centre
    columns = [block.less(j, c) for j, c in enumerate(about)]
    pulled = columns if block.plain else [block.weighted(column) for column in columns]
    found = products(pulled, columns)
    if not roundoff(sample.kind):
        return found
    left = Vector.of([sum(z) / block.size for z in pulled])
    if any(CANCELLED * block.size * v * v > found[j][j] for j, v in enumerate(left)):
        columns = [tuple([v - mu for v in z]) for z, mu in zip(columns, left)]
        return products(columns if block.plain else [block.weighted(z) for z in columns], columns)
    return found - block.size * Matrix.outer(left, left) if any(left) else found


def within(sample: Sample, means: Optional[Matrix] = None) -> Matrix:
    """Return the scatter about the class means.

        W = Σₖ Σ_{g(i)=k} wᵢ (xᵢ − μ̂ₖ)(xᵢ − μ̂ₖ)ᵀ

    Shapes    p × p, symmetric positive semidefinite
    Exact     yes
    """
    centres = class_means(sample) if means is None else means
    total = of_class(sample, 0, centres[0])
    for k in range(1, sample.K):
        total = total + of_class(sample, k, centres[k])
    return total


def between(sample: Sample, means: Optional[Matrix] = None) -> Matrix:
    """Return the scatter of the class means about the grand mean, each counted nₖ times.

        B = Σₖ nₖ (μ̂ₖ − x̄)(μ̂ₖ − x̄)ᵀ

    Shapes    p × p, symmetric positive semidefinite, of rank K − 1 or less
    Exact     yes
    """
    centres = class_means(sample) if means is None else means
    counted = Block(tuple(zip(*centres)), sizes(sample))
    return scatter(counted, mean(counted))


def total(sample: Sample) -> Matrix:
    """Return the scatter about the grand mean: T = Σᵢ wᵢ (xᵢ − x̄)(xᵢ − x̄)ᵀ = W + B  [ESL-4.3.3-total]."""
    return scatter(sample.whole, mean(sample.whole))
