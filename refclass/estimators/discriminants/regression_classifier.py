"""Two classes by the sign of a regression."""

from __future__ import annotations

from functools import cached_property
from typing import Any

from refclass.certificate import Certificate
from refclass.discriminants.decision.exact import concluded, same
from refclass.discriminants.optimal_scoring import regression_sign
from refclass.estimators.protocol.discriminant import Discriminant
from refclass.estimators.protocol.estimator import Steps
from refclass.estimators.protocol.flexible import unsure
from refclass.estimators.protocol.given import regression_by_name as regressions
from refclass.estimators.protocol.more_digits import in_more_digits, rounded
from refclass.estimators.protocol.regressor import Regressor, require_digits
from refclass.iteration import ending
from refclass.linear.vector import Vector


class RegressionClassifier(Discriminant):
    """The sign of a regression on −1 and +1: by BRUTO or MARS  [ESL-T12.2].

        f fitted to yᵢ = −1 for classes_[0], +1 for classes_[1]        class of x: classes_[1] where f(x) > 0

    Where f(x) = 0 both classes tie; `predict` gives classes_[0].

    Parameters
    ----------
    regression : Regressor, str or dict, default "bruto"
        A regression estimator, or its name: "bruto", {"name": "mars", "degree": 4}.
    arithmetic : "float", "exact" or "decimal:n", default "float"
        The numbers that are computed with, for the regression, too.

    Attributes
    ----------
    classes_ : list of 2 labels
        The classes, in order.
    degrees_of_freedom_ : number, or a list
        The degrees of freedom of the regression.
    certificate_ : Certificate
        The proof of the regression, in exact arithmetic from the data as given.

    Raises
    ------
    InvalidInput
        For bad data or parameters, and unless there are two classes.

    See Also
    --------
    FlexibleDiscriminantAnalysis : more than two classes

    References
    ----------
    - T. Hastie, R. Tibshirani and J. Friedman (2009). The Elements of Statistical Learning, second edition, table 12.2.

    Examples
    --------
    >>> model = RegressionClassifier(regression={"name": "polynomial", "degree": 2}, arithmetic="exact")
    >>> model.fit([[-2], [-1], [0], [1], [2]], list("abbba")).predict([[-3], [0.5]])
    ['a', 'b']
    """

    method = "regression_classifier"
    equations = ("ESL-T12.2", "YANG-curse-orange")
    fitted = ("classes_", "degrees_of_freedom_")
    only_two_classes = True

    def __init__(self, *, regression: Any = "bruto", arithmetic: Any = "float") -> None:
        self.regression = regression
        self.arithmetic = arithmetic

    def work(self) -> int:
        """Return how many multiplications a fit is, about."""
        return regressions.named(self.regression, self.arithmetic).work(self._sample.n, self._sample.p)

    def doubtful(self) -> bool:
        """Return whether doubles leave the equations of a linear regression, or those of a polynomial, few digits."""
        return unsure(self._model.regression, self._sample, regression_sign.responses(self._sample))

    @in_more_digits
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> RegressionClassifier:
        """Fit to the rows of X with labels y; an integer weight stands for copies of its row."""
        return ending(self.fit_steps(X, y, sample_weight))

    def fit_steps(self, X: Any, y: Any, sample_weight: Any = None) -> Steps[RegressionClassifier]:
        """Fit as `fit` does, and yield on the way how much is done, of how much, in words; return the estimator."""
        F, sample = self.field(), self.read(X, y, sample_weight)
        target = regression_sign.responses(sample)
        regressor = regressions.named(self.regression, self.arithmetic)
        fitted = yield from regressor.regressing(F, sample.X, target, sample.weights)
        self.keep(regression_sign.Model(fitted), sample)
        self.degrees_of_freedom_ = fitted.degrees_of_freedom
        require_digits(self._regression, sample.X, target, sample.weights)
        return self

    @cached_property
    def _regression(self) -> Regressor:
        """Return the regression, fitted."""
        s, regressor = self._sample, regressions.named(self.regression, self.arithmetic)
        return regressor.holding(self.field(), self._model.regression, s.X, regression_sign.responses(s), s.weights)

    def score_of(self, x: Vector) -> Any:
        """Return f(x)."""
        return self._model.value(x)

    @cached_property
    def certificate_(self) -> Certificate:
        """The proof of the regression, exact, from the data as given."""
        self.is_fitted()
        known = getattr(self, "_twin", self)  # what is predicted follows from a fit in decimals, where there is one
        freedom = rounded(known._model.regression.degrees_of_freedom, self.field())
        failures = [*self.delivered(), same("degrees_of_freedom_", self.degrees_of_freedom_, freedom)]
        worst, where = max(failures, key=lambda failure: failure[0])
        if worst:
            return concluded([(worst, where)], known.field().eps)
        found: Certificate = known._regression.certificate_
        return found
