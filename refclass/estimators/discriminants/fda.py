"""Flexible discriminant analysis."""

from __future__ import annotations

from functools import cached_property
from typing import Any

from refclass.certificate import Certificate
from refclass.discriminants.optimal_scoring.scaled_regression import Scaled, divided
from refclass.estimators.protocol import regression_by_name as regressions
from refclass.estimators.protocol.flexible import Flexible
from refclass.estimators.protocol.regressor import Regressor
from refclass.sample.indicator import indicator


class FlexibleDiscriminantAnalysis(Flexible):
    """Linear discriminants with any regression in place of the linear one  [YANG-fda] [YANG-computation-of-fda].

        Ŷ = S Y,    YᵀŶΘ = YᵀYΘ diag(μ),    ΘᵀYᵀYΘ/n = I,    η(x) = Θᵀη*(x)
        class of x = argminₖ Σₗ (ηₗ(x) − η̄ₗᵏ)²/(μₗ(1 − μₗ)) − 2 log πₖ

    regression      a regression estimator (LinearRegression, Ridge, PolynomialRegression, SmoothingSpline, BRUTO,
                    MARS), or its name: "bruto", {"name": "polynomial", "degree": 2}
    n_components    None: all coordinates that explain something, or how many
    priors          None: the shares of the classes, or K numbers > 0 in the order of classes_
    arithmetic      "float", "exact" (labels, decision values with equal priors; not with n_components), "decimal:n",
                    for the regression, too

    Attributes
        classes_, priors_, eigenvalues_ (μ, the trivial one left out), scores_ (K × L: θ), weights_ (1/(μ(1 − μ))),
        centroids_ (K × L, the class means of `transform`), degrees_of_freedom_ (of the regression), certificate_ (of
        scores and centroids), regression_certificate_

    `predict_softmax` takes the largest fitted indicator instead; `reduced(L)` is the same fit in L coordinates;
    `fit_steps(X, y)` fits and tells how far it has come.

    A score that the regression explains wholly, so that the classes do not vary along it, counts as if roundoff of it
    were left: no μ is above 1 − 60·n·eps. In exact arithmetic it is refused.

    Raises    InvalidInput for bad data or parameters; NoAnswer if the regression explains no score

    Example
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

    def regressor(self) -> Regressor:
        """Return the regression."""
        return regressions.named(self.regression, self.arithmetic)

    @cached_property
    def regression_certificate_(self) -> Certificate:
        """The proof of the regression, exact, from the data as given."""
        self.is_fitted()
        s = self._sample
        regression, Y, X = self._model.regression, indicator(s), s.X
        if isinstance(regression, Scaled):
            regression, X = regression.inner, divided(X, regression.units)
        return self.regressor().prove(regression, X, Y, s.weights, self.field().eps)
