"""Linear discriminants without each observation in turn (Sherman and Morrison 1950)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Optional

from refclass.discriminants.gaussian.lda import Model, rule
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector
from refclass.number.field import Field
from refclass.sample import sherman_morrison
from refclass.sample.mean import shares_without, sizes
from refclass.sample.observations import Sample


def without_each(
    F: Field, sample: Sample, model: Model, *, divisor: str = "n-k", given: bool = False
) -> Iterator[Optional[Model]]:
    """Yield for each observation the linear rule fitted to all the others; None where only a fit will do.

        Σ̂₍ᵢ₎ = (W − s n_g v vᵀ)/(n − w − K)    or, with divisor "n", / (n − w)

    model      the rule fitted to all observations, with that divisor
    given      whether its priors were given, and stay; otherwise they are the shares of those that are left

    Exact     yes, where F is
    Cost      about (2K + 4)p² multiplications an observation; a fit has n·p(p + 1)/2
    """
    n_k, n = sizes(sample), sizes(sample).sum()
    lost = sample.K if divisor == "n-k" else 0
    steep, costs = sherman_morrison.is_steep(F, model.metric), model.weighing.costs
    for x, g, w in zip(sample.X, sample.labels, sample.weights):
        left = n - lost - w
        if steep or model.origin is not None or n_k[g] <= w or left <= 0:
            yield None
            continue
        v, s = x - model.means[g], w / (n_k[g] - w)
        known = sherman_morrison.downdated(model.metric, v, s * n_k[g] / (n - lost), (n - lost) / left)
        priors = model.priors if given else shares_without(n_k, g, w)
        yield None if known is None else rule(F, priors, _moved(model.means, g, s * v), known, costs)


def _moved(means: Matrix, g: int, shift: Vector) -> Matrix:
    return Matrix.of([*means[:g], means[g] - shift, *means[g + 1 :]])
