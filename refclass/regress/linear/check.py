"""What every flexible regression requires of its sample before it begins."""

from __future__ import annotations

from typing import Optional

from refclass.errors import InvalidInput
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector
from refclass.number.field import Field


def weights(F: Field, module: str, X: Matrix, Y: Matrix, given: Optional[Vector] = None) -> Vector:
    """Return the weights of the sample, ones if none are given.

    Raises    InvalidInput unless X, Y and the weights have as many rows, no weight is negative, and one is positive
    """
    if len(X) != len(Y):
        raise InvalidInput(module, need="as many rows in X as in Y", got=f"{len(X)} and {len(Y)}")
    w = Vector.of([F.kind(1)] * len(X)) if given is None else given
    if len(w) != len(X):
        raise InvalidInput(module, need=f"{len(X)} weights, one for each row of X", got=len(w))
    for i, v in enumerate(w):
        if v < 0:
            raise InvalidInput(module, need="weights ≥ 0", got=v, row=i)
    if not any(w):
        raise InvalidInput(module, need="a positive weight", got="none")
    return w
