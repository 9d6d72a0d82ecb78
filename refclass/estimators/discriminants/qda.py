"""Quadratic discriminant analysis."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import cache, cached_property
from typing import Any

from refclass.certificate import Certificate
from refclass.discriminants.decision.exact import Failure, concluded, length
from refclass.discriminants.gaussian import normal_certificate as proof
from refclass.discriminants.gaussian import qda
from refclass.discriminants.gaussian.normal_certificate import PSEUDO
from refclass.errors import NotExact, Refusal, quoted
from refclass.estimators.protocol.discriminant import DECIDING, Discriminant, Probabilistic, table
from refclass.estimators.protocol.more_digits import at_ceiling, in_more_digits, steep, twin
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector
from refclass.number.field import Number
from refclass.sample.metric import Metric
from refclass.sample.moments import Moments, moments
from refclass.sample.observations import representable


class Quadratic(Probabilistic, Discriminant):
    """A rule of normal classes, each with a covariance of its own: what QDA and RDA have in common."""

    _metrics: list[Metric]

    def exact_covariances(self, known: Moments) -> list[Matrix]:
        """Return the covariances that the classes should have, from the exact moments of the data."""
        raise NotImplementedError

    def doubtful(self) -> bool:
        """Return whether doubles leave a covariance few digits, or another rank than it has."""
        exact = cache(lambda: self.exact_covariances(moments(self._sample)))
        return any(steep(own, lambda k=k: exact()[k]) for k, own in enumerate(self._metrics))  # type: ignore[misc]

    @cached_property
    def _more(self) -> Any:
        """The fit in decimals; None where there is none, or no data are held."""
        try:
            return twin(self) if hasattr(self, "_sample") else None
        except Refusal:
            return None

    def show(self, metrics: Sequence[Metric]) -> None:
        """Set the attributes that are read off the model and the metric of each class."""
        self.priors_ = list(self._model.priors)
        self.means_ = table(self._model.means)
        self.covariances_ = [table(metric.matrix) for metric in metrics]
        self._metrics = list(metrics)

    @cached_property
    def log_determinants_(self) -> list[Number]:
        """The logarithm of the determinant of each class's covariance.  Raises NotExact in exact arithmetic."""
        self.is_fitted()
        return [metric.log_determinant(self.field()) for metric in self._metrics]

    @cached_property
    def condition_(self) -> Number:
        """The largest variance inflation of any covariance: large where one of them is nearly singular."""
        self.is_fitted()
        return max(metric.condition for metric in self._metrics)

    def concluded(self, known: Moments, sigmas: Sequence[Matrix], failures: Sequence[Failure]) -> Certificate:
        """Return the certificate of priors, means and covariances, from the exact moments of the data.

        sigmas      the covariances that the classes should have, exactly
        failures    of what else is delivered
        """
        _, failed = proof.priors(known, self.given_priors(self.field(), len(sigmas)), self.priors_)
        found = [*self.delivered(), failed, proof.means(known, self.means_), *failures]
        if length(self.covariances_) != len(sigmas):
            return concluded([(Fraction(1), "the number of the covariances")], self.field().eps)
        for label, sigma, own, metric in zip(self._sample.classes, sigmas, self.covariances_, self._metrics):
            found.append(proof.covariance(f"the covariance of class {quoted(label)}", sigma, own))
            found.append(proof.undone(label, sigma, metric))
        full = all(metric.rank == self._sample.p for metric in self._metrics)
        if full:
            found.append(proof.condition(sigmas, self.condition_))
            logs = self.reported("log_determinants_")
            found += [] if logs is None else [proof.log_determinants(sigmas, logs)]
        unique = {"directions": full}
        return at_ceiling(self, concluded(found, self.field().eps, premise="" if full else PSEUDO, unique=unique))

    def score_of(self, x: Vector) -> Any:
        """Return the decision value or values at one point."""
        r = getattr(self._model, "contrasts", self._model.exponents)(x)
        if min(r) <= -qda.BEYOND:
            got = f"one of 10^{len(str(qda.BEYOND)) - 1} or more"
            raise NotExact(self.method, need="differences of scores within the range of numbers", got=got)
        if len(self.classes_) > 2:
            return list(self._model.weighing.scores(r))
        r0, r1 = r + self._model.weighing.offsets()
        return r1 - r0 + self._model.weighing.preference()


class QuadraticDiscriminantAnalysis(Quadratic):
    """Normal classes, each with its own covariance: quadratic boundaries  [ESL-4.12] [KIM-2.3-plugin].

        δₖ(x) = −½ log|Σ̂ₖ| − ½ (x − μ̂ₖ)ᵀΣ̂ₖ⁻¹(x − μ̂ₖ) + log πₖ        class of x = argmaxₖ δₖ(x)

    Parameters
    ----------
    priors : K numbers > 0, or None, default None
        The priors in the order of classes_; None for the shares of the classes.
    costs : K rows of K numbers ≥ 0, or None, default None
        costs[i][j] is the cost of deciding classes_[i] when classes_[j] is true; None for 1 for each error.
    divisor : "n-1" or "n", default "n-1"
        The divisor of each covariance Σ̂ₖ: nₖ − 1 or nₖ.
    pseudo_inverse : bool, default False
        Whether the pseudo-inverse of a singular Σ̂ₖ is used, with the product of its eigenvalues other than zero;
        otherwise it is refused.
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
    covariances_ : K × p × p numbers
        Σ̂ₖ, in the units of X squared.
    log_determinants_ : list of K numbers
        log |Σ̂ₖ|; NotExact in exact arithmetic.
    condition_ : number ≥ 1
        The largest variance inflation, without unit: large where a covariance is nearly singular.
    certificate_ : Certificate
        The proof, computed in exact arithmetic from the data as given when it is first asked for.

    Raises
    ------
    InvalidInput
        For bad data or parameters.
    NoAnswer
        With the class and a null vector if a Σ̂ₖ is singular.

    See Also
    --------
    LinearDiscriminantAnalysis : one covariance for all classes
    RegularizedDiscriminantAnalysis : between the two

    References
    ----------
    - T. Hastie, R. Tibshirani and J. Friedman (2009). The Elements of Statistical Learning, second edition, section
      4.3.
    - M. Kim (2010). Statistical Classification, section 2.3.

    Examples
    --------
    >>> X, y = [[0], [2], [4], [12]], ["a", "a", "b", "b"]
    >>> model = QuadraticDiscriminantAnalysis(arithmetic="exact").fit(X, y)
    >>> model.covariances_, model.predict([[-20], [1], [20]])
    ([[[Fraction(2, 1)]], [[Fraction(32, 1)]]], ['b', 'a', 'b'])
    """

    method = "qda"
    equations = ("ESL-4.12", "KIM-2.3-plugin", "ESL-4.3-boundary")
    fitted = ("classes_", "priors_", "means_", "covariances_", "log_determinants_", "condition_")

    def __init__(
        self,
        *,
        priors: Any = None,
        costs: Any = None,
        divisor: Any = "n-1",
        pseudo_inverse: Any = False,
        arithmetic: Any = "float",
    ) -> None:
        self.priors = priors
        self.costs = costs
        self.divisor = divisor
        self.pseudo_inverse = pseudo_inverse
        self.arithmetic = arithmetic

    @in_more_digits
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> QuadraticDiscriminantAnalysis:
        """Fit to the rows of X with labels y; an integer weight stands for copies of its row."""
        F, sample = self.field(), self.read(X, y, sample_weight)
        representable(sample, self.method)
        model = qda.fit(
            F,
            sample,
            priors=self.given_priors(F, sample.K),
            costs=self.given_costs(F, sample.K),
            divisor=self.one_of("divisor", "n-1", "n"),
            pseudo_inverse=self.one_of("pseudo_inverse", True, False),
        )
        self.keep(model, sample).show(model.metrics)
        return self

    def without_each(self, X: Any, y: Any, method: str) -> Iterator[Any]:
        """Fit, and return the rules without each row  [CV-LOO]; not with pseudo-inverses."""
        if self.pseudo_inverse is not False or method not in DECIDING:
            return super().without_each(X, y, method)
        model, given = self.fit(X, y)._model, self.priors is not None
        return qda.without_each(self.field(), self._sample, model, divisor=self.divisor, given=given)

    @cached_property
    def certificate_(self) -> Certificate:
        """The proof, exact, from the data as given: by how much what defines the attributes fails, and where."""
        self.is_fitted()
        known = moments(self._sample)
        return self.concluded(known, self.exact_covariances(known), [])

    def exact_covariances(self, known: Moments) -> list[Matrix]:
        """Return the covariances that the classes should have, from the exact moments of the data."""
        return [known.of_class(k, self.divisor) for k in range(self._sample.K)]
