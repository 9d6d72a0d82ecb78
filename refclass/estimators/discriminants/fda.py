"""Flexible discriminant analysis."""

from __future__ import annotations

from functools import cached_property
from typing import Any

from refclass.certificate import Certificate
from refclass.estimators.protocol.flexible import Flexible
from refclass.estimators.protocol.given import regression_by_name as regressions
from refclass.estimators.protocol.regressor import Regressor
from refclass.number.tolerance import roundoff

WHOLLY = 120  # units of roundoff for each row: of twice as many 1 − μ is taken where a score is explained wholly


class FlexibleDiscriminantAnalysis(Flexible):
    """Linear discriminants with any regression in place of the linear one  [YANG-fda] [YANG-computation-of-fda].

        Ŷ = S Y,    YᵀŶΘ = YᵀYΘ diag(μ),    ΘᵀYᵀYΘ/n = I,    η(x) = Θᵀη*(x)
        class of x = argminₖ Σₗ (ηₗ(x) − η̄ₗᵏ)²/(μₗ(1 − μₗ)) − 2 log πₖ

    `predict_softmax` takes the largest fitted indicator instead; `reduced(L)` is the same fit in L coordinates;
    `fit_steps(X, y)` fits and yields its progress.

    A score that the regression explains wholly, so that the classes do not vary along it, counts as if roundoff of it
    were left: no μ is above 1 − 60·n·eps. In exact arithmetic it is refused.

    Parameters
    ----------
    regression : Regressor, str or dict, default "linear_regression"
        The regression: an estimator (LinearRegression, Ridge, PolynomialRegression, SmoothingSpline, BRUTO, MARS),
        or its name: "bruto", {"name": "polynomial", "degree": 2}.
    n_components : int or None, default None
        How many coordinates are used; None for all that explain something.
    priors : K numbers > 0, or None, default None
        The priors in the order of classes_; None for the shares of the classes.
    arithmetic : "float", "exact" or "decimal:n", default "float"
        The numbers that are computed with, for the regression, too. "exact" gives labels, and decision values with
        equal priors; not with n_components.

    Attributes
    ----------
    classes_ : list of K labels
        The classes, sorted where they can be compared, else in order of appearance.
    priors_ : list of K numbers
        The prior of each class; they sum to one.
    eigenvalues_ : list of L numbers from 0 to 1
        μ, the share of each score that the regression explains, the trivial one left out.
    scores_ : K × L numbers
        θ, a column for each coordinate.
    weights_ : list of L numbers
        1/(μ(1 − μ)).
    centroids_ : K × L numbers
        The class means of `transform`.
    degrees_of_freedom_ : number, or a list
        The degrees of freedom of the regression.
    certificate_ : Certificate
        The proof of scores and centroids, from the fitted values of the regression as they are.
    regression_certificate_ : Certificate
        The proof of the regression.

    Raises
    ------
    InvalidInput
        For bad data or parameters.
    NoAnswer
        If the regression explains no score.

    See Also
    --------
    PenalizedDiscriminantAnalysis, OptimalScoring

    References
    ----------
    - T. Hastie, R. Tibshirani and A. Buja (1994). Flexible discriminant analysis by optimal scoring. Journal of the
      American Statistical Association 89, 1255-1270.
    - T. Hastie, R. Tibshirani and J. Friedman (2009). The Elements of Statistical Learning, second edition, section
      12.5.

    Examples
    --------
    >>> model = FlexibleDiscriminantAnalysis(regression={"name": "polynomial", "degree": 2}, arithmetic="exact")
    >>> model.fit([[-3], [-2], [0], [1], [2], [4]], list("aabbaa")).predict([[-1], [1], [3]])
    ['b', 'b', 'a']
    """

    method = "fda"
    equations = ("YANG-fda", "YANG-computation-of-fda", "YANG-fda-smoother", "YANG-connection-with-lda", "YANG-T12.3")
    fitted = (
        "classes_",
        "priors_",
        "eigenvalues_",
        "scores_",
        "weights_",
        "centroids_",
        "degrees_of_freedom_",
    )

    def __init__(
        self,
        *,
        regression: Any = "linear_regression",
        n_components: Any = None,
        priors: Any = None,
        arithmetic: Any = "float",
    ) -> None:
        self.regression = regression
        self.n_components = n_components
        self.priors = priors
        self.arithmetic = arithmetic

    def work(self) -> int:
        """Return how many multiplications a fit is, about."""
        return super().work() + self.regressor().work(self._sample.n, self._sample.p)

    def apart(self) -> bool:
        """Return whether a score is explained but for roundoff: it counts so in doubles where it is so wholly."""
        return bool(max(self._model.weights) * WHOLLY * self._sample.n * roundoff(self._sample.kind) >= 1)

    def regressor(self) -> Regressor:
        """Return the regression."""
        return regressions.named(self.regression, self.arithmetic)

    @cached_property
    def regression_certificate_(self) -> Certificate:
        """The proof of the regression, exact, from the data as given."""
        self.is_fitted()
        known = vars(self).get("_twin", self)  # what is predicted follows from a fit in decimals, where there is one
        found: Certificate = known.inner_regression().certificate_
        return found
