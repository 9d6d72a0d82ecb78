"""Least squares with an absolute penalty."""

from __future__ import annotations

from copy import copy
from functools import cached_property
from typing import Any

from refclass.certificate import Certificate
from refclass.errors import InvalidInput
from refclass.estimators.protocol.certificates import stated
from refclass.estimators.protocol.estimator import Estimator
from refclass.estimators.protocol.regressor import require_digits, within_range
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector
from refclass.number.field import Number
from refclass.number.rational import RATIONAL
from refclass.regress.linear import lasso
from refclass.sample import data


class Lasso(Estimator):
    """Least squares with an absolute penalty  [CMP-LASSO].

        minimise Σ wᵢ(yᵢ − xᵢᵀβ)² + λ Σ|β_j|

    The inputs are measured from the point where the response is zero: there is no intercept. The optimum is computed in
    fractions, in which a float is the rational that it is, and then shown in the arithmetic.

    Parameters
    ----------
    penalty : number ≥ 0, default 1
        λ.
    arithmetic : "float", "exact" or "decimal:n", default "float"
        The numbers of the answer.

    Attributes
    ----------
    coef_ : list of p numbers
        β, in units of y over units of X.
    objective_ : number
        The objective at the answer.
    certificate_ : Certificate
        The proof, computed in exact arithmetic from the data as given when it is first asked for.

    Raises
    ------
    InvalidInput
        For bad data, weights or a penalty below zero.
    NotConverged
        Where the arithmetic holds no digit of the optimum; `primal` and `dual` of its witness bound it.

    See Also
    --------
    Ridge : the quadratic penalty

    References
    ----------
    - R. Tibshirani (1996). Regression shrinkage and selection via the lasso. Journal of the Royal Statistical Society
      B 58, 267-288.

    Examples
    --------
    >>> m = Lasso(penalty=2).fit([[1, 0], [0, 1]], [3, 1])
    >>> m.coef_, m.objective_, m.certificate_.gap
    ([2.0, 0.0], 6.0, Fraction(0, 1))
    """

    method = "lasso"
    equations = ()
    fitted = ("coef_", "objective_")
    _estimator_type = "regressor"

    def __init__(self, *, penalty: Any = 1, arithmetic: str = "float") -> None:
        self.penalty = penalty
        self.arithmetic = arithmetic

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Lasso:
        """Fit y on the rows of X, which may have weights ≥ 0.

        Raises    InvalidInput, naming row and column, for bad data or parameters; NotExact at the ends of the doubles;
                  NotConverged with the bounds where the arithmetic holds no digit of the optimum
        """
        F, lam = self.field(), self.number(RATIONAL, "penalty", least=0)
        H = data.matrix(F, X)
        weights = data.weight_vector(F, sample_weight, len(H))
        if not any(weights):
            raise InvalidInput("data", need="a positive weight in sample_weight", got="none")
        self._given = H.exactly(), data.vector(F, y, len(H)).exactly(), lam, weights.exactly()
        self._model = lasso.Model.of(F, lasso.fit(*self._given))
        self.__dict__.pop("certificate_", None)
        self._tell()
        lasso.require(self.method, self.certificate_, F)
        require_digits(self, H, Matrix.of([Vector.of(map(F.lift, self._given[1]))]).T, weights)
        return self

    def _tell(self) -> None:
        self.coef_ = list(self._model.beta)
        self.objective_ = self._model.F.lift(lasso.objective(*self._given[:2], self._model.exact(), *self._given[2:]))

    @cached_property
    def certificate_(self) -> Certificate:
        """The proof, exact, from the data as given: primal, dual, gap, worst violation and where."""
        self.is_fitted()
        found = self._model.certificate(*self._given)
        return self.covering(stated.objectives(self._model.F, found, self.objective_))

    def restated(self) -> Lasso:
        """Return a copy whose fitted attributes are set anew from the model that was proven."""
        again = copy(self)
        again._tell()
        return again

    def predict(self, X: Any) -> list[Number]:
        """Return xᵀβ for each row of X."""
        self.is_fitted()
        rows = data.matrix(self._model.F, X, columns=len(self._model.beta))
        found = rows @ self._model.beta
        within_range(self.method, Matrix.of([found]).T)
        return list(found)
