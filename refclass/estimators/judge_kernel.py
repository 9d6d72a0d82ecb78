"""Mercer's condition for the user's kernel: whether a Gram matrix is positive semidefinite, decided exactly."""

from __future__ import annotations

from fractions import Fraction
from typing import Any, Optional

from refclass.estimators.protocol.given.kernel_input import kernel_at
from refclass.kernels.matrices import gram, mercer
from refclass.number.arithmetic import field


def judge_kernel(kernel: Any, X: Any = None, *, arithmetic: Any = "float") -> tuple[bool, Optional[list[Fraction]]]:
    """Return whether a kernel's Gram matrix is positive semidefinite, and a witness if it is not  [MMST-11.3.3-gram].

    K is positive semidefinite if uᵀKu ≥ 0 for every u. A kernel has Mercer's property if that holds for all points; one
    set of points with a witness refutes it, no set proves it.

    Parameters
    ----------
    kernel : matrix, or kernel with X
        A symmetric Gram matrix K, n rows of n numbers; or, with `X`, a kernel: its name, its name with parameters as
        in {"name": "sigmoid", "a": 1, "b": -1}, or a kernel object, combined ones included.
    X : rows of numbers, optional
        The points at which the kernel is evaluated (strings for a string kernel).
    arithmetic : str
        "float", "exact" or "decimal:n": how the entries of K are computed or read. They are then taken as the rational
        numbers that they are: roundoff in them can cost a nearly singular K its semidefiniteness.

    Returns
    -------
    semidefinite : bool
        Whether uᵀKu ≥ 0 for every u.
    witness : list of Fraction, or None
        A vector u with uᵀKu < 0; None if there is none.

    Raises
    ------
    InvalidInput
        For a matrix that is not square and symmetric, or points or parameters that the kernel does not take.
    NotExact
        For a value that is not rational, in exact arithmetic.

    Examples
    --------
    >>> judge_kernel([[1, 2], [2, 1]])
    (False, [Fraction(1, 1), Fraction(-1, 1)])
    >>> judge_kernel({"name": "sum", "left": "linear", "right": {"name": "gaussian", "gamma": 1}}, [[0], [1], [3]])
    (True, None)
    """
    F = field(arithmetic)
    verdict = mercer.judge(gram.gram(F, *kernel_at(F, *(("precomputed", kernel) if X is None else (kernel, X)))))
    return verdict.semidefinite, None if verdict.witness is None else list(verdict.witness)
