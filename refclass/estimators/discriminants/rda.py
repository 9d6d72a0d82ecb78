"""Regularised discriminant analysis."""

from __future__ import annotations

from functools import cached_property
from typing import Any

from refclass.certificate import Certificate
from refclass.discriminants.gaussian import normal_certificate as proof
from refclass.discriminants.gaussian import rda
from refclass.estimators.discriminants.qda import Quadratic
from refclass.estimators.protocol.discriminant import table
from refclass.number.field import rational
from refclass.sample import covariance
from refclass.sample.moments import moments
from refclass.sample.units import representable


class RegularizedDiscriminantAnalysis(Quadratic):
    """Quadratic discriminants with shrunken covariances  [ESL-4.13] [ESL-4.14] [ESL-4.3.1-family].

        Σ̂ₖ(α, γ) = α Σ̂ₖ + (1 − α)(γ Σ̂ + (1 − γ) σ̂² I),    σ̂² = tr(Σ̂)/p

    alpha           from 0 (one covariance) to 1 (QDA)
    gamma           from 0 (a multiple of the identity) to 1 (the pooled covariance)
    priors          None: the shares of the classes, or K numbers > 0 in the order of classes_
    costs           None, or K rows of K numbers: costs[i][j] of deciding classes_[i] when classes_[j] is true
    pseudo_inverse  False: a singular Σ̂ₖ(α, γ) is refused; True: its pseudo-inverse is used
    arithmetic      "float", "exact", "decimal:n"

    Divisors are nₖ − 1 for Σ̂ₖ and n − K for Σ̂. (1, ·) is QDA, (0, 1) LDA, (0, 0) with equal priors the nearest mean.

    Attributes
        classes_, priors_, means_ (K × p), covariance_ (Σ̂), covariances_ (Σ̂ₖ(α, γ)), log_determinants_, condition_,
        certificate_

    Raises    InvalidInput for bad data or parameters; NoAnswer with the class and a null vector if a covariance is
              singular
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
        F, known = self.field(), moments(self._sample)
        alpha, gamma = rational(self.number(F, "alpha")), rational(self.number(F, "gamma"))
        pooled = known.pooled("n-k")
        shared = rda.toward_scalar(pooled, gamma)
        own = [shared if alpha == 0 else known.of_class(k, "n-1") for k in range(self._sample.K)]
        sigmas = [rda.toward_pooled(sigma, shared, alpha) for sigma in own]
        return self.concluded(known, sigmas, [proof.covariance("the pooled covariance", pooled, self.covariance_)])
