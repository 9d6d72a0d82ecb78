"""Logarithms of data that hold zeros."""

from __future__ import annotations

from typing import Any

from refclass.number.arithmetic import field
from refclass.sample import data, logarithms


def log_transform(X: Any, *, training: Any = None, arithmetic: Any = "float") -> list[list[Any]]:
    """Return the logarithms of the numbers of X, a zero counting as half the least positive value of its column.

    That value is taken from the training rows, so that test rows are transformed as those were  [LOG-ZERO].

    Parameters
    ----------
    X : rows of numbers ≥ 0
        The rows to be transformed.
    training : rows of numbers ≥ 0, optional
        The rows that set what stands for zero; those of X themselves if there are none.
    arithmetic : str
        "float" or "decimal:n"; a logarithm is no rational number.

    Returns
    -------
    list of lists
        The logarithms, row by row.

    Raises
    ------
    InvalidInput
        For a negative number, and for a column without a positive one.
    NotExact
        With exact arithmetic.

    Examples
    --------
    >>> [[round(v, 3) for v in row] for row in log_transform([[1, 4], [0, 2]])]
    [[0.0, 1.386], [-0.693, 0.693]]
    """
    F = field(arithmetic)
    rows = data.matrix(F, X)
    return [list(row) for row in logarithms.fit(rows if training is None else data.matrix(F, training))(F, rows)]
