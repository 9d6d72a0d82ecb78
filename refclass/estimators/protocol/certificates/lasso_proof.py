"""The certificate of a fit with an absolute penalty, whoever shows its coefficients."""

from __future__ import annotations

from copy import copy
from functools import cached_property
from math import inf
from typing import Any

from refclass.certificate import ASKED, Certificate
from refclass.estimators.protocol.certificates import stated
from refclass.estimators.protocol.estimator import Estimator
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector
from refclass.number.field import Number
from refclass.regress.linear import lasso


class LassoProof(Estimator):
    """An estimator whose `_model` is a lasso's, fitted to X, y and the penalty in `_given`; `_tell` sets attributes."""

    objective_: Any
    _given: tuple[Matrix, Vector, Number]
    _model: lasso.Model

    def _tell(self) -> None:
        raise NotImplementedError

    @cached_property
    def certificate_(self) -> Certificate:
        """The proof, exact, from the data as given: primal, dual, gap, worst violation and where."""
        self.is_fitted()
        (X, y, penalty), F = self._given, self._model.F
        found = lasso.certify(X, y, self._model.exact(), penalty, asked=inf if F.exact else ASKED)
        return self.covering(stated.objectives(F, found, self.objective_))

    def restated(self) -> Any:
        """Return a copy whose fitted attributes are set anew from the model that was proven."""
        again = copy(self)
        again._tell()
        return again
