"""Linear regressions without each observation in turn, by leverages (Sherman and Morrison 1950; Cook 1977).

h is the leverage of an observation, e = yᵢ − ŷᵢ its residual, and e/(1 − h) its residual without it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Optional

from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector
from refclass.number.field import Field
from refclass.regress.linear import least_squares
from refclass.regress.linear.least_squares import Linear
from refclass.sample.mean import mean
from refclass.sample.observations import Block
from refclass.sample.sherman_morrison import CLOSE, is_steep


def without_each(
    F: Field, X: Matrix, Y: Matrix, weights: Vector, model: least_squares.Model
) -> Iterator[Optional[Linear]]:
    """Yield for each observation the linear function fitted to all the others; None where only a fit will do.

        B₍ᵢ₎ = B − w a eᵀ/(1 − h)        a = (XᵀWX + P)⁻¹v,  e = yᵢ − ŷᵢ,  h = w (1/Σw + vᵀa),  v = xᵢ − x̄

    and the constant follows; without one 1/Σw and x̄ are left out. P is the penalty, or nothing.

    model     least squares, or ridge regression, on all observations with these weights

    Exact     yes, where F is
    Cost      about 2p² + (p + 2)q multiplications an observation; a fit has n·p(p + 1)/2
    Laws      yᵢ − f₍ᵢ₎(xᵢ) = (yᵢ − f(xᵢ))/(1 − h)
    """
    steep, zero = is_steep(F, model.known), X.kind(0)
    centre = mean(Block.of(X, weights)) if model.constant else Vector.of([zero] * len(X[0]))
    share = model.constant / weights.sum()
    for x, y, fitted, w in zip(X, Y, model.fitted, weights):
        v = x - centre
        a = model.known.solve(v)
        left = 1 - w * (share + v @ a)
        if steep or left * CLOSE <= 1:
            yield None
            continue
        pull = (w / left) * (y - fitted)
        B = Matrix.of([row - c * pull for row, c in zip(model.coefficients, a)])
        yield Linear(model.intercepts - (share - centre @ a) * pull, B)
