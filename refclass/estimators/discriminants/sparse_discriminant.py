"""Linear discriminant analysis of two classes with sparse coefficients."""

from __future__ import annotations

from copy import copy
from functools import cached_property
from typing import Any

from refclass.certificate import Certificate
from refclass.errors import InvalidInput, NoAnswer, quoted
from refclass.estimators.discriminants.lda import LinearDiscriminantAnalysis
from refclass.estimators.protocol.certificates import stated
from refclass.estimators.protocol.estimator import Classifier, Estimator
from refclass.estimators.protocol.rounded_columns import require_columns
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector
from refclass.number.rational import RATIONAL
from refclass.regress.linear import lasso
from refclass.sample import data


class SparseDiscriminant(Classifier, Estimator):
    """Linear discriminant analysis of two classes, most coefficients zero  [ESL-4.3.1-sparse].

        minimise Σ (tᵢ − (xᵢ − x̄)ᵀβ)² + λ Σ|β_j|        tᵢ = −n/n₁ in the first class, n/n₂ in the second

    Least squares on two classes has the direction of linear discriminant analysis (ESL, exercise 4.2); an absolute
    penalty makes coefficients zero. The rule is linear discriminant analysis of the one variable xᵀβ. At λ = 0 it is
    that of all variables. Smooth coefficients are those of `PenalizedDiscriminantAnalysis` with omega="roughness".

    Parameters
    ----------
    penalty : number ≥ 0, default 1
        λ.
    priors : two numbers > 0, or None, default None
        The priors in the order of classes_; None for the shares of the classes.
    arithmetic : "float", "exact" or "decimal:n", default "float"
        The numbers of the answer; β is computed in fractions.

    Attributes
    ----------
    classes_ : list of two labels
        The classes, sorted where they can be compared, else in order of appearance.
    coef_ : 1 × p numbers
        β.
    support_ : list of int
        The columns whose coefficient is not zero.
    objective_ : number
        The objective at the answer.
    certificate_ : Certificate
        The proof of β, computed in exact arithmetic from the data as given when it is first asked for.

    Raises
    ------
    InvalidInput
        For bad data, parameters, or more than two classes.
    NoAnswer
        Where the penalty leaves no coefficient, or the classes do not vary along xᵀβ.
    NotConverged
        Where the arithmetic holds no digit of the optimum; `primal` and `dual` of its witness bound it.

    See Also
    --------
    LinearDiscriminantAnalysis, PenalizedDiscriminantAnalysis, Lasso

    References
    ----------
    - L. Clemmensen and others (2011). Sparse discriminant analysis. Technometrics 53,
      406-413.
    - T. Hastie, R. Tibshirani and J. Friedman (2009). The Elements of Statistical Learning, second edition, section
      4.3.1.

    Examples
    --------
    >>> X, y = [[0, 1], [1, 0], [0, 0], [4, 1], [5, 0], [4, 0]], list("aaabbb")
    >>> m = SparseDiscriminant(penalty=2, arithmetic="exact").fit(X, y)
    >>> m.support_, m.predict([[1, 9], [5, -9]]), m.certificate_.gap
    ([0], ['a', 'b'], Fraction(0, 1))
    """

    method = "sparse_discriminant"
    equations = ("ESL-4.3.1-sparse",)
    fitted = ("classes_", "coef_", "support_", "objective_")
    state = ("_model", "_rule")
    only_two_classes = True

    def __init__(self, *, penalty: Any = 1, priors: Any = None, arithmetic: str = "float") -> None:
        self.penalty = penalty
        self.priors = priors
        self.arithmetic = arithmetic

    def fit(self, X: Any, y: Any) -> SparseDiscriminant:
        """Fit rows X with labels y.

        Raises    InvalidInput, naming row and column, for bad data or parameters; NoAnswer where no coefficient is
                  left; NotConverged with the bounds where the arithmetic holds no digit of the optimum
        """
        F, lam = self.field(), self.number(RATIONAL, "penalty", least=0)
        rows = data.matrix(F, X)
        require_columns(self.method, rows)
        y = data.sequence(y)
        names, numbers = data.labels(y, len(rows))
        if len(names) != 2:
            raise InvalidInput("data", need="labels of two classes in y", got=f"{len(names)}: {quoted(list(names))}")
        self._names = list(names)
        self._given = (*_centred(rows, numbers), lam)
        self._model = lasso.Model.of(F, lasso.fit(*self._given))
        if not any(self._model.beta):
            raise NoAnswer(self.method, need="a penalty that leaves a coefficient", got=self.penalty)
        line = self._along(rows)
        self._rule = LinearDiscriminantAnalysis(priors=self.priors, arithmetic=self.arithmetic).fit(line, y)
        self.__dict__.pop("certificate_", None)
        self._tell()
        lasso.require(self.method, self.certificate_, F)
        return self

    def _tell(self) -> None:
        self.classes_ = list(self._names)
        self.coef_ = [list(self._model.beta)]
        self.support_ = [j for j, v in enumerate(self._model.beta) if v]
        self.objective_ = self._model.F.lift(lasso.objective(*self._given[:2], self._model.exact(), self._given[2]))

    @cached_property
    def certificate_(self) -> Certificate:
        """The proof, exact, from the data as given: primal, dual, gap, worst violation and where."""
        self.is_fitted()
        found = self._model.certificate(*self._given)
        return self.covering(stated.objectives(self._model.F, found, self.objective_))

    def restated(self) -> SparseDiscriminant:
        """Return a copy whose fitted attributes are set anew from the model that was proven."""
        again = copy(self)
        again._tell()
        return again

    def _line(self, X: Any) -> list[list[Any]]:
        self.is_fitted()
        return self._along(data.matrix(self._model.F, X, columns=len(self._model.beta)))

    def _along(self, rows: Matrix) -> list[list[Any]]:
        """Return xᵀβ of the rows as they were given, in fractions: far from the origin doubles of it are roundoff."""
        return [[v] for v in rows.exactly() @ self._model.exact()]

    def decision_function(self, X: Any) -> list[Any]:
        """Return for each row of X a number, positive for classes_[1]."""
        line = self._line(X)
        found: list[Any] = self._rule.decision_function(line)
        return found

    def predict(self, X: Any) -> list[Any]:
        """Return a label for each row of X."""
        line = self._line(X)
        return list(self._rule.predict(line))


def _centred(rows: Matrix, numbers: Any) -> tuple[Matrix, Vector]:
    """Return the rows less their mean, and the responses −n/n₁ and n/n₂, in fractions."""
    exact = rows.exactly()
    n = len(exact)
    mean = Vector.of([column.sum() / n for column in exact.T])
    each = [RATIONAL.lift(n) / sum(k == c for k in numbers) for c in (0, 1)]
    return Matrix.of([row - mean for row in exact]), Vector.of([-each[0] if k == 0 else each[1] for k in numbers])
