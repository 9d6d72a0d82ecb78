"""The Gram matrix of the user's points."""

from __future__ import annotations

from typing import Any

from refclass.kernels import gram as table
from refclass.kernels.named import kernel as by_name
from refclass.number.arithmetic import field
from refclass.sample import data


def gram(X: Any, Z: Any = None, *, kernel: Any = "linear", arithmetic: Any = "float") -> list[list[Any]]:
    """Return K(x, z), one row for each x in X, one column for each z in Z; without Z, for each z in X.

    `kernel` is a name with its parameters, {"name": "gaussian", "gamma": 2}, or a kernel. X holds rows of
    numbers, for a string kernel strings; for the precomputed kernel Z is its square table (X, without Z), and X holds
    rows of that length. `arithmetic` is "float", "exact" or "decimal:n".

    Exact     if the arithmetic is, and the kernel is rational (linear, polynomial, spline, string)
    Raises    InvalidInput, naming row and column, for points or parameters that the kernel does not take; NotExact for
              a value that is not rational in exact arithmetic

    Example
        >>> gram([[1, 2], [3, 4]], kernel={"name": "polynomial", "degree": 2, "c": 1}, arithmetic="exact")
        [[Fraction(36, 1), Fraction(144, 1)], [Fraction(144, 1), Fraction(676, 1)]]
    """
    F = field(arithmetic)
    k = by_name(F, kernel)
    if Z is None:
        return [list(row) for row in table.gram(F, k, k.points(F, X, data.matrix))]
    training = k.points(F, Z, data.matrix)
    return [list(row) for row in table.gram(F, k, k.points(F, X, data.matrix, training), training)]
