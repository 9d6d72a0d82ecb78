"""Linear discriminant analysis."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import Any

from refclass.certificate import ASKED, Certificate
from refclass.discriminants.gaussian import lda, variates
from refclass.errors import InvalidInput
from refclass.estimators.protocol.canonical import Canonical
from refclass.estimators.protocol.discriminant import DECIDING, Probabilistic, table
from refclass.estimators.protocol.more_digits import at_ceiling, in_more_digits
from refclass.linear.vector import Vector
from refclass.number.field import Number
from refclass.sample.observations import Sample, representable


class LinearDiscriminantAnalysis(Probabilistic, Canonical):
    """Normal classes with one covariance: linear boundaries  [ESL-4.10] [KIM-2.27].

        δₖ(x) = xᵀΣ̂⁻¹μ̂ₖ − ½ μ̂ₖᵀΣ̂⁻¹μ̂ₖ + log πₖ        class of x = argmaxₖ δₖ(x)

    Attributes that need roots or logarithms are refused in exact arithmetic when asked for; labels are exact all the
    same.

    Parameters
    ----------
    priors : K numbers > 0, or None, default None
        The priors in the order of classes_; None for the shares of the classes.
    costs : K rows of K numbers ≥ 0, or None, default None
        costs[i][j] is the cost of deciding classes_[i] when classes_[j] is true; None for 1 for each error.
    divisor : "n-k" or "n", default "n-k"
        The divisor of the pooled covariance Σ̂ = W/divisor.
    cutpoint : "gaussian" or "empirical", default "gaussian"
        The cut on the direction: of normal classes; or, for two classes, where the fewest observations err.
    n_components : int or None, default None
        L: the nearest class mean in the L leading canonical variates [ESL-4.3.3-reduced]; None for all directions.
    pseudo_inverse : bool, default False
        Whether the pseudo-inverse of a singular Σ̂ is used, for which directions without variance within the
        classes do not exist; otherwise a singular Σ̂ is refused.
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
        Σ̂, in the units of X squared.
    coef_ : K × p numbers, or 1 × p for two classes
        Σ̂⁻¹(μ̂ₖ − m) with m = Σ πₖμ̂ₖ; for two classes the coefficients of the log-odds of classes_[1].
    intercept_ : list of K numbers, or of one
        −½ (μ̂ₖ − m)ᵀΣ̂⁻¹(μ̂ₖ + m) + log (πₖ/π₁), which is δₖ less what all classes share, in every arithmetic
        alike; for two classes the constant of the log-odds, costs included.
    eigenvalues_ : list of r numbers
        The eigenvalues of Σ̂⁻¹B with B = Σ πₖ(μ̂ₖ − m)(μ̂ₖ − m)ᵀ, descending, without unit.
    scalings_ : p × r numbers
        The directions of the canonical variates as columns a with aᵀΣ̂a = 1.
    condition_ : number ≥ 1
        The largest variance inflation, without unit: large where a covariance is nearly singular.
    certificate_ : Certificate
        The proof, computed in exact arithmetic from the data as given when it is first asked for.

    Raises
    ------
    InvalidInput
        For bad data or parameters.
    NoAnswer
        With a null vector if Σ̂ is singular.

    See Also
    --------
    QuadraticDiscriminantAnalysis : a covariance for each class
    FisherDiscriminant : the same directions without priors

    References
    ----------
    - T. Hastie, R. Tibshirani and J. Friedman (2009). The Elements of Statistical Learning, second edition, section
      4.3.
    - M. Kim (2010). Statistical Classification, section 2.2.

    Examples
    --------
    >>> model = LinearDiscriminantAnalysis(arithmetic="exact").fit([[0], [2], [6], [8]], ["a", "a", "b", "b"])
    >>> model.predict([[3], [5]]), model.ties([[4]])
    (['a', 'b'], [['a', 'b']])
    """

    method = "lda"
    state = (*Canonical.state, "_rule")
    equations = ("ESL-4.9", "ESL-4.10", "ESL-4.11", "KIM-2.27", "ESL-4.3.3-reduced")
    fitted = (
        "classes_",
        "priors_",
        "means_",
        "covariance_",
        "coef_",
        "intercept_",
        "eigenvalues_",
        "scalings_",
        "condition_",
    )

    def __init__(
        self,
        *,
        priors: Any = None,
        costs: Any = None,
        divisor: Any = "n-k",
        cutpoint: Any = "gaussian",
        n_components: Any = None,
        pseudo_inverse: Any = False,
        arithmetic: Any = "float",
    ) -> None:
        self.priors = priors
        self.costs = costs
        self.divisor = divisor
        self.cutpoint = cutpoint
        self.n_components = n_components
        self.pseudo_inverse = pseudo_inverse
        self.arithmetic = arithmetic

    @in_more_digits
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> LinearDiscriminantAnalysis:
        """Fit to the rows of X with labels y; an integer weight stands for copies of its row."""
        F, sample = self.field(), self.read(X, y, sample_weight)
        representable(sample, self.method)
        empirical = self.one_of("cutpoint", "gaussian", "empirical") == "empirical"
        if empirical and (sample.K != 2 or self.costs is not None or self.n_components is not None):
            need = "two classes, and neither costs nor n_components, for the empirical cutpoint"
            raise InvalidInput(self.method, need=need, got=f"{sample.K} classes")
        self._full = lda.fit(
            F,
            sample,
            priors=self.given_priors(F, sample.K),
            costs=self.given_costs(F, sample.K),
            divisor=self.one_of("divisor", "n-k", "n"),
            pseudo_inverse=self.one_of("pseudo_inverse", True, False),
        )
        count = self.components(min(sample.p, sample.K - 1))
        self.keep(self._full, sample)
        self._rule = None
        if empirical:
            self._rule = self._empirical(sample)
        elif count is not None:
            self._model = self.looking()
        self.priors_ = list(self._full.priors)
        self.means_ = table(self._full.means)
        self.covariance_ = table(self._full.metric.matrix)
        return self

    def doubtful(self) -> bool:
        """Return whether doubles leave the covariance, or far from the origin a constant, few digits."""
        return super().doubtful() or self._is_far()

    def _is_far(self) -> bool:
        """Return whether the constants cancel so far that roundoff of the directions leaves them fewer than asked for.

        Proof: a constant is a sum of d·c and of what does not depend on the origin; d is rounded.
        """
        full, eps = self._full, self.field().eps
        (first, constant), *others = zip(full.directions, full.constants)
        middle = Vector.of(map(abs, full.means[0]))
        return any(
            eps * (Vector.of(map(abs, d - first)) @ middle) * 10**ASKED > max(1, abs(c - constant)) for d, c in others
        )

    def looking(self) -> variates.Model:
        """Return the rule that looks at the leading variates only."""
        full = self._full
        return variates.model(self.field(), self._leading, full.means, full.priors, full.weighing.costs, full.away)

    def without_each(self, X: Any, y: Any, method: str) -> Iterator[Any]:
        """Fit, and return the rules without each row  [CV-LOO]; not with another cutpoint or fewer variates."""
        plain = self.cutpoint == "gaussian" and self.n_components is None and self.pseudo_inverse is False
        if not plain or method not in DECIDING:
            return super().without_each(X, y, method)
        model, given = self.fit(X, y)._full, self.priors is not None
        from refclass.discriminants.gaussian import lda_deletion  # what no fit needs

        return lda_deletion.without_each(self.field(), self._sample, model, divisor=self.divisor, given=given)

    def _empirical(self, sample: Sample) -> Any:
        """Return the direction with the cut of fewest training errors  [ESL-4.3-cutpoint]."""
        from refclass.discriminants.gaussian import cutpoint, normal_certificate  # loaded where they are asked for

        d, _ = lda.log_odds(self._full)
        if self.work() > cutpoint.WORK:
            values = [d @ x for x in sample.X]
            return cutpoint.Rule(d, cutpoint.empirical(values, sample.labels, sample.weights).cut)
        known = self._exactly()
        apart, full = known.means[1] - known.means[0], self.pseudo_inverse is False
        found = normal_certificate.cut_along(sample, known.pooled(self.divisor), apart, full)
        return cutpoint.Rule(d, self.field().delivered("lda", found))

    def axes(self) -> variates.Variates:
        """Return the canonical variates, of the class means weighted by the priors."""
        model = self._full
        return variates.weighted(self.field(), model.means, model.metric, model.priors, model.away, model.origin)

    def masses(self) -> Vector:
        """Return the priors."""
        priors: Vector = self._full.priors
        return priors

    @cached_property
    def _linear(self) -> tuple[Any, Any]:
        """The directions and constants of the scores, without priors and costs: K rows and numbers."""
        self.is_fitted()
        return self._model.directions, self._model.constants

    @cached_property
    def coef_(self) -> list[list[Number]]:
        """The coefficients: K rows, or for two classes one."""
        self.is_fitted()
        if self._rule is not None:
            return [list(self._rule.direction)]
        directions, _ = self._linear
        return table(directions) if len(directions) > 2 else [list(directions[1] - directions[0])]

    @cached_property
    def intercept_(self) -> list[Number]:
        """The intercepts: K numbers, or for two classes one.  Raises NotExact where a logarithm is irrational."""
        self.is_fitted()
        if self._rule is not None:
            return [-self._rule.cut]
        constants = self._linear[1] + self._model.weighing.offsets()
        if len(constants) > 2:
            return list(constants)
        return [constants[1] - constants[0] + self._model.weighing.preference()]

    @cached_property
    def certificate_(self) -> Certificate:
        """The proof, exact, from the data as given: by how much what defines the attributes fails, and where."""
        from refclass.estimators.protocol.certificates import canonical_certificate  # loaded when it is first asked for

        self.is_fitted()
        return at_ceiling(self, canonical_certificate.linear(self))

    def predict(self, X: Any) -> list[Any]:
        """Return a label for each row of X; a tie goes to the class that comes first in classes_."""
        self.is_fitted()
        if self._rule is None:
            return super().predict(X)
        return [self.classes_[1 if self._rule.score(x) > 0 else 0] for x in self.rows(X)]

    def ties(self, X: Any) -> list[list[Any]]:
        """Return for each row of X the labels that the rule cannot distinguish: one, or several that tie."""
        self.is_fitted()
        rule = self._model if self._rule is None else self._rule
        return [[self.classes_[k] for k in rule.decide(x).classes] for x in self.rows(X)]

    def score_of(self, x: Vector) -> Any:
        """Return the decision value or values at one point."""
        if self._rule is not None:
            return self._rule.score(x)
        scores = self._model.scores(x)
        return scores[1] - scores[0] + self._model.weighing.preference() if len(scores) == 2 else list(scores)
