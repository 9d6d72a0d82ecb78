"""Kernel ridge regressions without each observation in turn, from the factor of the system of all of them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Optional

from refclass.linear.vector import Vector
from refclass.number.field import Field, Number
from refclass.regress.kernel.ridge import kernel_ridge
from refclass.sample.sherman_morrison import STEEP


def without_each(F: Field, model: kernel_ridge.Model) -> Iterator[Optional[tuple[Vector, Number]]]:
    """Yield for each observation the α, with αᵢ = 0, and β₀ of the ridge regression fitted to all the others.

        α₍ᵢ₎ = α − P eᵢ r,    r = αᵢ/Pᵢᵢ,    where α = P y

    r is the residual of observation i without it.

    Exact     yes, where F is
    Cost      a solution with the factor of the system for each observation, n² multiplications; a fit has n³/6
    """
    # Proof: with yᵢ − r in place of yᵢ the system gives αᵢ = 0, and then its other rows are those of the system without
    # row and column i. Its row i says that yᵢ − r is the value there of the function without observation i.
    n, zero = len(model.alpha), model.alpha.kind(0)
    size = model.system.matrix.trace() * max(model.weights)
    steep = size * (F.eps * STEEP) > model.penalty
    for i in range(n):
        column, level = model.system.solve(Vector.unit(n, i, model.alpha.kind))
        if steep or not column[i] > 0:
            yield None
            continue
        r = model.alpha[i] / column[i]
        alpha = model.alpha - r * column
        yield Vector.of([*alpha[:i], zero, *alpha[i + 1 :]]), model.beta0 - r * level
