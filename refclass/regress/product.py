"""Gram matrix times vector in exact rationals: what every proof of a kernel machine computes with."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from refclass.kernels.linear import Linear
from refclass.linear.vector import Vector
from refclass.optimise.scaled import Scaled, combination


def linear_points(K: Any) -> Any:
    """Return the points X where K = X Xᵀ is the Gram matrix of a linear kernel, else None."""
    return K.X if isinstance(getattr(K, "kernel", None), Linear) else None


def exact_product(K: Any, a: Sequence[Fraction]) -> Vector:
    """Return K a in exact rationals; for a linear kernel as X(Xᵀa)  [ESL-12.10] [ESL-12.39].

    Shapes    K: a Matrix, or a store of rows, over any numbers, each taken at its exact worth; a: n
    Exact     yes
    Cost      n multiplications of integers for each entry of a that is not zero; 2np for a linear kernel
    """
    support = [i for i, v in enumerate(a) if v]
    weights = Scaled.of([a[i] for i in support])
    points = linear_points(K)
    if points is not None:
        beta = combination([points[i] for i in support], weights, len(points[0]))
        return Vector.of([Scaled.of(x) @ beta for x in points])
    return Vector.of(combination(map(K.row, support), weights, len(a)).fractions())
