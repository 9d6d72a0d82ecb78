"""The metric of a covariance that has lost one term (Sherman and Morrison 1950), and when that is not to be trusted.

    (A − c v vᵀ)⁻¹ = A⁻¹ + c u uᵀ/(1 − h)        |A − c v vᵀ| = (1 − h)|A|        u = A⁻¹v,  h = c vᵀu

The models without each observation in turn (`lda.without_each`, `qda.without_each`, `row_deletion`) follow from the
model of all of them by one such term, without a refit. Without observation i, of weight w and class g, and with
v = xᵢ − μ̂_g and s = w/(n_g − w),

    μ̂_g becomes μ̂_g − s v        W becomes W − s n_g v vᵀ

Everything is exact on fractions: equal, with ==, to the model of a fit. Where 1 − h is zero the fit would be refused;
where it is so small that digits would cancel, None says that only a fit will do.
"""

from __future__ import annotations

from typing import Optional

from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector
from refclass.number.field import Field, Number
from refclass.sample.metric import Metric

CLOSE = 64  # if less than one part in so many is left of 1, digits have cancelled
STEEP = 2**26  # units of roundoff to one: where a system multiplies them by more than that, its terms are not trusted


def downdated(known: Metric, v: Vector, loss: Number, scale: Number) -> Optional[Metric]:
    """Return the metric of scale·(A − loss·vvᵀ) from that of a positive definite A; None where digits would cancel.

        A⁻¹ = Zᵀ diag(w) Z  becomes  (Zᵀ diag(w) Z + loss·uuᵀ/(1 − h))/scale

    Exact     yes
    Cost      with p variables 4p² + 4p + 3 multiplications and p + 1 divisions
    """
    u = known.solve(v)
    left = 1 - loss * (u @ v)
    if left * CLOSE <= 1:
        return None
    A = Matrix.of([(row - (loss * a) * v) * scale for row, a in zip(known.matrix, v)])
    weights = Vector.of([*known.weights / scale, loss / (left * scale)])
    return Metric(A, Matrix.of([*known.rows, u]), weights, Vector.of([*known.pivots * scale, left]))


def is_steep(F: Field, known: Metric) -> bool:
    """Return whether a system multiplies roundoff by so much that what is left of it is not trusted."""
    return bool(known.condition * (F.eps * STEEP) > 1)
