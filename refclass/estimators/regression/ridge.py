"""Ridge regression."""

from __future__ import annotations

from typing import Any, Optional

from refclass.estimators.regression.linear_regression import LinearRegressor
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector
from refclass.number.field import Field
from refclass.number.rational import RATIONAL
from refclass.regress.linear import least_squares, ridge
from refclass.sample import data


class Ridge(LinearRegressor):
    """Least squares with a quadratic penalty on the coefficients  [ESL-12.45] [MMST-Ex11.5].

        minimise Σ wᵢ ‖yᵢ − b − Bᵀxᵢ‖² + λ tr BᵀΩB

    Parameters
    ----------
    penalty : number ≥ 0, default 1
        λ.
    omega : p × p matrix, or None, default None
        Ω, symmetric positive semidefinite; None for the identity.
    intercept : bool, default True
        Whether there is a b, which is not penalised.
    arithmetic : "float", "exact" or "decimal:n", default "float"
        The numbers that are computed with: binary64, fractions, or decimals of n digits.

    Attributes
    ----------
    coef_ : p numbers, or q × p
        B, a row for each response, in units of y over units of X.
    intercept_ : number, or q numbers
        b, in the units of y.
    objective_ : number
        The objective at the answer.
    degrees_of_freedom_ : number
        The trace of the map from y to the fitted values.
    fitted_values_ : n numbers, or n × q
        The fitted values at the rows of X, in the units of y, shaped as y.
    certificate_ : Certificate
        The proof, computed in exact arithmetic from the data as given when it is first asked for.

    Raises
    ------
    InvalidInput
        For bad data or parameters.
    NoAnswer
        With a null vector if they are not determined.

    See Also
    --------
    LinearRegression, KernelRidge

    References
    ----------
    - A. E. Hoerl and R. W. Kennard (1970). Ridge regression: biased estimation for nonorthogonal problems.
      Technometrics 12, 55-67.

    Examples
    --------
    >>> m = Ridge(penalty=1, arithmetic="exact").fit([[0], [1], [2]], [0, 1, 5])
    >>> [str(v) for v in (*m.coef_, *m.intercept_, m.objective_)], m.certificate_.gap
    (['5/3', '1/3', '17/3'], Fraction(0, 1))
    """

    method = "ridge"
    equations = ("ESL-12.45", "ESL-12.47", "MMST-Ex11.5")
    fitted = ("coef_", "intercept_", "objective_", "degrees_of_freedom_", "fitted_values_")

    def __init__(
        self, *, penalty: Any = 1, omega: Any = None, intercept: bool = True, arithmetic: str = "float"
    ) -> None:
        self.penalty = penalty
        self.omega = omega
        self.intercept = intercept
        self.arithmetic = arithmetic

    def _shape(self, F: Field, p: int) -> Optional[Matrix]:
        return None if self.omega is None else data.matrix(F, self.omega, columns=p, name="omega")

    def modelled(self, F: Field, X: Matrix, Y: Matrix, weights: Optional[Vector]) -> least_squares.Model:
        """Return the model in the arithmetic of F."""
        intercept, penalty = bool(self.one_of("intercept", True, False)), self.number(F, "penalty", least=0)
        return ridge.fit(F, X, Y, weights, penalty=penalty, omega=self._shape(F, len(X[0])), intercept=intercept)

    def penalty_matrix(self, p: int) -> Optional[Matrix]:
        """Return λΩ at its exact worth."""
        omega = self._shape(RATIONAL, p) or Matrix.identity(p, RATIONAL.kind)
        P: Matrix = self.number(RATIONAL, "penalty", least=0) * omega
        return P

    def objective(self, model: least_squares.Model) -> Any:
        """Return Σ wᵢ‖yᵢ − f(xᵢ)‖² + λ tr BᵀΩB."""
        F, B = self.field(), model.coefficients
        omega = self._shape(F, len(B)) or Matrix.identity(len(B), B.kind)
        return super().objective(model) + self.number(F, "penalty", least=0) * (B.T @ omega @ B).trace()
