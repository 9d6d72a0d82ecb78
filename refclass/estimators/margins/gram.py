"""The Gram matrix of the user's points."""

from __future__ import annotations

from typing import Any

from refclass.estimators.protocol.given.kernel_input import kernel_at
from refclass.kernels.matrices import gram as table
from refclass.number.arithmetic import field
from refclass.sample import data


def gram(X: Any, Z: Any = None, *, kernel: Any = "linear", arithmetic: Any = "float") -> list[list[Any]]:
    """Return K(x, z), one row for each x in X, one column for each z in Z; without Z, for each z in X.

    Parameters
    ----------
    X : n rows of p numbers, or n strings
        The points; for the precomputed kernel its square table without Z, rows of that length with it.
    Z : m rows of p numbers, or None, default None
        The other points; for the precomputed kernel its square table.
    kernel : str, dict or Kernel, default "linear"
        The kernel: a name, a name with its parameters, {"name": "gaussian", "gamma": 2}, or a kernel object. A gamma
        of "scale" is 1 / (p · variance of all entries) of Z, or of X without Z.
    arithmetic : "float", "exact" or "decimal:n", default "float"
        The numbers that are computed with: binary64, fractions, or decimals of n digits.

    Returns
    -------
    n × m numbers
        The kernel values, as lists.

    Exact
    -----
    If the arithmetic is, and the kernel is rational (linear, polynomial, spline, string).

    Raises
    ------
    InvalidInput
        For points or parameters that the kernel does not take, naming row and column.
    NotExact
        For a value that is not rational in exact arithmetic.

    See Also
    --------
    judge_kernel : whether the table is positive semidefinite

    Examples
    --------
    >>> gram([[1, 2], [3, 4]], kernel={"name": "polynomial", "degree": 2, "c": 1}, arithmetic="exact")
    [[Fraction(36, 1), Fraction(144, 1)], [Fraction(144, 1), Fraction(676, 1)]]
    """
    F = field(arithmetic)
    k, training = kernel_at(F, kernel, X if Z is None else Z)
    if Z is None:
        return [list(row) for row in table.gram(F, k, training)]
    return [list(row) for row in table.gram(F, k, k.points(F, X, data.matrix, training), training)]
