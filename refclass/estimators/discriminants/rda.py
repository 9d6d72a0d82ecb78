"""Regularised discriminant analysis."""

from __future__ import annotations

from functools import cached_property
from typing import Any

from refclass.certificate import Certificate
from refclass.discriminants.gaussian import normal_certificate as proof
from refclass.discriminants.gaussian import rda
from refclass.estimators.discriminants.qda import Quadratic
from refclass.estimators.protocol.discriminant import table
from refclass.estimators.protocol.more_digits import in_more_digits
from refclass.linear.matrix import Matrix
from refclass.number.field import rational
from refclass.sample import covariance
from refclass.sample.moments import Moments, moments
from refclass.sample.observations import representable


class RegularizedDiscriminantAnalysis(Quadratic):
    """Quadratic discriminants with shrunken covariances  [ESL-4.13] [ESL-4.14] [ESL-4.3.1-family].

        Σ̂ₖ(α, γ) = α Σ̂ₖ + (1 − α)(γ Σ̂ + (1 − γ) σ̂² I),    σ̂² = tr(Σ̂)/p

    Divisors are nₖ − 1 for Σ̂ₖ and n − K for Σ̂. (1, ·) is QDA, (0, 1) LDA, (0, 0) with equal priors the nearest mean.

    Parameters
    ----------
    alpha : number from 0 to 1, default 0.5
        α, the share of the own covariance: 0 for one covariance, 1 for QDA.
    gamma : number from 0 to 1, default 1
        γ, the share of the pooled covariance: 0 for a multiple of the identity.
    priors : K numbers > 0, or None, default None
        The priors in the order of classes_; None for the shares of the classes.
    costs : K rows of K numbers ≥ 0, or None, default None
        costs[i][j] is the cost of deciding classes_[i] when classes_[j] is true; None for 1 for each error.
    pseudo_inverse : bool, default False
        Whether the pseudo-inverse of a singular Σ̂ₖ(α, γ) is used; otherwise it is refused.
    arithmetic : "float", "exact" or "decimal:n", default "float"
        The numbers that are computed with: binary64, fractions, or decimals of n digits.

    Attributes
    ----------
    classes_ : list of K labels
        The classes, sorted where they can be compared, else in order of appearance.
    priors_ : list of K numbers
        The prior of each class; they sum to one.
    means_ : K × p numbers
        The mean of each class, in the units of X.
    covariance_ : p × p numbers
        Σ̂, the pooled covariance, in the units of X squared.
    covariances_ : K × p × p numbers
        Σ̂ₖ(α, γ), in the units of X squared.
    log_determinants_ : list of K numbers
        log |Σ̂ₖ(α, γ)|; NotExact in exact arithmetic.
    condition_ : number ≥ 1
        The largest variance inflation, without unit: large where a covariance is nearly singular.
    certificate_ : Certificate
        The proof, computed in exact arithmetic from the data as given when it is first asked for.

    Raises
    ------
    InvalidInput
        For bad data or parameters.
    NoAnswer
        With the class and a null vector if a covariance is singular.

    See Also
    --------
    LinearDiscriminantAnalysis, QuadraticDiscriminantAnalysis

    References
    ----------
    - J. H. Friedman (1989). Regularized discriminant analysis. Journal of the American Statistical Association 84,
      165-175.
    - T. Hastie, R. Tibshirani and J. Friedman (2009). The Elements of Statistical Learning, second edition, section
      4.3.1.

    Examples
    --------
    >>> model = RegularizedDiscriminantAnalysis(alpha="1/2", arithmetic="exact")
    >>> model = model.fit([[0], [2], [4], [12]], list("aabb"))
    >>> [str(v[0][0]) for v in model.covariances_], model.predict([[1], [6]])
    (['19/2', '49/2'], ['a', 'b'])
    """

    method = "rda"
    equations = ("ESL-4.13", "ESL-4.14", "ESL-4.3.1-family")
    fitted = ("classes_", "priors_", "means_", "covariance_", "covariances_", "log_determinants_", "condition_")

    def __init__(
        self,
        *,
        alpha: Any = 0.5,
        gamma: Any = 1,
        priors: Any = None,
        costs: Any = None,
        pseudo_inverse: Any = False,
        arithmetic: Any = "float",
    ) -> None:
        self.alpha = alpha
        self.gamma = gamma
        self.priors = priors
        self.costs = costs
        self.pseudo_inverse = pseudo_inverse
        self.arithmetic = arithmetic

    @in_more_digits
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> RegularizedDiscriminantAnalysis:
        """Fit to the rows of X with labels y; an integer weight stands for copies of its row."""
        F, sample = self.field(), self.read(X, y, sample_weight)
        representable(sample, self.method)
        model = rda.fit(
            F,
            sample,
            alpha=self.number(F, "alpha", least=0, most=1),
            gamma=self.number(F, "gamma", least=0, most=1),
            priors=self.given_priors(F, sample.K),
            costs=self.given_costs(F, sample.K),
            pseudo_inverse=self.one_of("pseudo_inverse", True, False),
        )
        self.keep(model, sample).show(model.metrics)
        self.covariance_ = table(covariance.pooled(sample))
        return self

    @cached_property
    def certificate_(self) -> Certificate:
        """The proof, exact, from the data as given: by how much what defines the attributes fails, and where."""
        self.is_fitted()
        known = moments(self._sample)
        failed = proof.covariance("the pooled covariance", known.pooled("n-k"), self.covariance_)
        return self.concluded(known, self.exact_covariances(known), [failed])

    def exact_covariances(self, known: Moments) -> list[Matrix]:
        """Return the covariances that the classes should have, from the exact moments of the data."""
        F = self.field()
        alpha, gamma = rational(self.number(F, "alpha")), rational(self.number(F, "gamma"))
        shared = rda.toward_scalar(known.pooled("n-k"), gamma)
        own = [shared if alpha == 0 else known.of_class(k, "n-1") for k in range(self._sample.K)]
        return [rda.toward_pooled(sigma, shared, alpha) for sigma in own]
