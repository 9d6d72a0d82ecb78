"""Means: of all observations, and of each class."""

from __future__ import annotations

from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector, dot
from refclass.sample.data import Block, Sample


def mean(block: Block) -> Vector:
    """Return the weighted mean.

        x̄ = Σᵢ wᵢxᵢ / Σᵢ wᵢ

    Exact     yes
    Cost      n·p additions, p divisions; n·p multiplications with weights
    """
    size, zero = block.size, block.weights.kind(0)
    if block.plain:
        return Vector.of([sum(column, zero) / size for column in block.columns])
    return Vector.of([dot(block.weights, column) / size for column in block.columns])


def class_means(sample: Sample) -> Matrix:
    """Return the mean of each class, one a row  [ESL-4.12] [KIM-2.27].

        μ̂ₖ = Σ_{g(i)=k} wᵢxᵢ / nₖ    nₖ = Σ_{g(i)=k} wᵢ

    Shapes    K × p
    Exact     yes
    """
    return Matrix.of([mean(block) for block in sample.blocks])


def sizes(sample: Sample) -> Vector:
    """Return the number of observations of each class, copies counted: nₖ."""
    return Vector.of([block.size for block in sample.blocks])


def shares(sample: Sample) -> Vector:
    """Return the share of each class among the observations, the usual estimate of the priors: π̂ₖ = nₖ/n."""
    n = sizes(sample)
    pi: Vector = n / n.sum()
    return pi


def mixture(weights: Vector, means: Matrix) -> Vector:
    """Return the mean of the means under weights that sum to one: m = Σₖ πₖμₖ."""
    return Vector.of([dot(weights, column) for column in means.T])
