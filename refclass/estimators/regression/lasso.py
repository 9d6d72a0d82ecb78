"""Least squares with an absolute penalty."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from refclass.number.arithmetic import field
from refclass.number.field import Number
from refclass.number.rational import RATIONAL
from refclass.regress.linear import lasso as model
from refclass.sample import data


@dataclass(frozen=True)
class Lasso:
    """Coefficients of the lasso with their proof.

    coefficients    one for each column
    objective       ‖y − Xβ‖² + λ Σ|β_j|, in fractions
    gap             objective less a lower bound of the minimum: 0 for the optimum
    """

    coefficients: list[Any]
    objective: Number
    gap: Number


def lasso(X: Any, y: Any, *, penalty: Any, arithmetic: Any = "float") -> Lasso:
    """Return the coefficients that minimise ‖y − Xβ‖² + λ Σ|β_j|, without an intercept  [CMP-LASSO].

    They are computed in fractions, in which a float is the rational that it is, and then shown in the arithmetic.

    Parameters
    ----------
    X : n rows of M numbers
        The inputs, measured from the point where the response is zero: there is no intercept.
    y : n numbers
        The responses.
    penalty : number ≥ 0
        λ.
    arithmetic : "float", "exact" or "decimal:n", default "float"
        The numbers in which the coefficients are returned.

    Returns
    -------
    found : Lasso
        The coefficients, the objective and its gap, which is zero.

    Raises
    ------
    InvalidInput
        For bad data or a penalty below zero.

    References
    ----------
    - R. Tibshirani (1996). Regression shrinkage and selection via the lasso. Journal of the Royal Statistical Society
      B 58, 267-288.

    Examples
    --------
    >>> found = lasso([[1, 0], [0, 1]], [3, 1], penalty=2)
    >>> found.coefficients, found.gap
    ([2.0, 0.0], Fraction(0, 1))
    """
    F = field(arithmetic)
    H = data.matrix(RATIONAL, X)
    target = data.vector(RATIONAL, y, len(H), name="y")
    lam = data.vector(RATIONAL, [penalty], 1, name="penalty")[0]
    beta = model.fit(H, target, lam)
    value = model.objective(H, target, beta, lam)
    return Lasso([F.lift(v) for v in beta], value, value - model.dual(H, target, beta, lam))
