"""The best rule for normal classes that are known."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from functools import cached_property
from typing import Any, Optional

from refclass.certificate import Certificate
from refclass.discriminants.decision import decide, exact, risk
from refclass.discriminants.decision.exact import concluded, exact_matrix, exact_vector, same
from refclass.discriminants.gaussian import bayes, lda
from refclass.discriminants.gaussian.ratio_rule import RatioRule
from refclass.errors import InvalidInput, NoAnswer
from refclass.estimators.discriminants.qda import Quadratic
from refclass.estimators.protocol.discriminant import table
from refclass.estimators.protocol.estimator import clone
from refclass.estimators.protocol.more_digits import more
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector
from refclass.number import text
from refclass.number.field import Field, Number
from refclass.sample import data, metric


class GaussianBayesRule(Quadratic):
    """The rule of least expected cost for normal classes with known parameters  [KIM-Thm2.1.2] [YANG-bayes-classifier].

        class of x = argminᵢ Σⱼ c(i|j) πⱼ fⱼ(x),    fⱼ the normal density of mean μⱼ and covariance Σⱼ

    Nothing is estimated: `fit()` checks the parameters; labels y, if given, name the classes in class order, and else
    they are 0 … K − 1.

    Parameters
    ----------
    means : K rows of p numbers, or K numbers
        The mean of each class; for one variable numbers will do.
    covariances : p × p matrix, or K of them
        One covariance for all classes, or one for each; for one variable variances will do.
    priors : K numbers > 0, or None, default None
        The priors; None for equal ones.
    costs : K rows of K numbers ≥ 0, or None, default None
        costs[i][j] is the cost of deciding class i when class j is true; None for 1 for each error.
    arithmetic : "float", "exact" or "decimal:n", default "float"
        The numbers that are computed with: binary64, fractions, or decimals of n digits.

    Attributes
    ----------
    classes_ : list of K labels
        The labels given to `fit`, in order of appearance, or 0 … K − 1.
    priors_ : list of K numbers
        The prior of each class; they sum to one.
    means_ : K × p numbers
        The means, as given.
    covariances_ : K × p × p numbers
        The covariance of each class.
    log_determinants_ : list of K numbers
        The logarithm of the determinant of each covariance.
    condition_ : number ≥ 1
        The largest variance inflation, without unit: large where a covariance is nearly singular.
    misclassification_probabilities_ : K × K numbers
        P[i][j], the probability of deciding classes_[i] when classes_[j] is true, in closed form: for one variable,
        or two classes with one covariance.
    expected_cost_ : number
        The expected cost, in the units of costs; without costs the error rate.
    certificate_ : Certificate
        The proof, computed in exact arithmetic from the data as given when it is first asked for.

    Raises
    ------
    InvalidInput
        For bad parameters.
    NoAnswer
        If a covariance is singular.
    NotExact
        For what exact arithmetic does not have, when it is asked for.

    See Also
    --------
    LinearDiscriminantAnalysis : the same rule with estimated parameters

    References
    ----------
    - M. Kim (2010). Statistical Classification, theorems 2.1.2 and 2.1.3.

    Examples
    --------
    >>> rule = GaussianBayesRule(means=[0, 4], covariances=[1, 9]).fit()
    >>> round(rule.expected_cost_, 5), rule.predict([[1.6], [1.7]])
    (0.12842, [0, 1])
    """

    method = "bayes"
    equations = ("KIM-Thm2.1.1", "KIM-Thm2.1.2", "KIM-2.9", "YANG-bayes-classifier")
    fitted = ("classes_", "priors_", "means_", "covariances_", "misclassification_probabilities_", "expected_cost_")

    def __init__(
        self, *, means: Any, covariances: Any, priors: Any = None, costs: Any = None, arithmetic: Any = "float"
    ) -> None:
        self.means = means
        self.covariances = covariances
        self.priors = priors
        self.costs = costs
        self.arithmetic = arithmetic

    def fit(self, X: Any = None, y: Any = None) -> GaussianBayesRule:
        """Check the parameters; the data only name the classes, and must have as many columns as the means."""
        F = self.field()
        self.forget()
        means = self._given_means(F)
        K, p = means.shape
        if K < 2:
            raise InvalidInput(self.method, need="the means of at least two classes", got=K)
        if X is not None:
            data.matrix(F, X, columns=p)
        metrics = [metric.factor(F, A) for A in self._given_covariances(F, K, p)]
        priors = self.given_priors(F, K) or Vector.of([F.kind(1) / K] * K)
        costs = self.given_costs(F, K)
        self.classes_ = self._named = self._names(y, K)
        self._model, self._width = bayes.rule(F, priors, means, metrics, costs), p
        self.show(metrics * (K if len(metrics) == 1 else 1))
        return self

    @cached_property
    def _more(self) -> Any:
        """The rule in more decimals."""
        known = clone(self).set_params(arithmetic=f"decimal:{more(self.field())}").fit()
        known.classes_ = list(self.classes_)
        return known

    def _names(self, y: Any, K: int) -> list[Any]:
        if y is None:
            return list(range(K))
        names = list(data.labels(y)[0])
        if len(names) != K:
            raise InvalidInput(self.method, need=f"labels of {K} classes in y, as in means", got=len(names))
        return names

    def _given_means(self, F: Field) -> Matrix:
        """Return the means as rows: numbers are rows of one."""
        given = text.read_within(self.means)
        if isinstance(given, Iterable) and not isinstance(given, (str, bytes)):
            given = [[v] if not isinstance(v, Iterable) or isinstance(v, str) else v for v in given]
        return data.matrix(F, given, name="means")

    def _given_covariances(self, F: Field, K: int, p: int) -> list[Matrix]:
        """Return one covariance, or K."""
        given = text.read_within(self.covariances)
        if not isinstance(given, Iterable) or isinstance(given, (str, bytes)):
            given = [[given]]
        entries = list(given)
        if p == 1 and not any(isinstance(row, Iterable) and not isinstance(row, str) for row in entries):
            return self._counted([data.matrix(F, [[v]], name="covariances") for v in entries], K)
        if all(not _nested(row) for row in entries):
            return [self._square(data.matrix(F, entries, columns=p, name="covariances"), p)]
        return self._counted([self._square(data.matrix(F, A, columns=p, name="covariances"), p) for A in entries], K)

    def _counted(self, found: list[Matrix], K: int) -> list[Matrix]:
        if len(found) != K:
            raise InvalidInput(self.method, need=f"one covariance, or {K} of them", got=len(found))
        return found

    def _square(self, A: Matrix, p: int) -> Matrix:
        if len(A) != p:
            raise InvalidInput(self.method, need=f"covariances of {p} rows", got=len(A))
        return A.symmetric()

    @cached_property
    def misclassification_probabilities_(self) -> list[list[Number]]:
        """P[i][j], the probability of deciding classes_[i] when classes_[j] is true  [KIM-2.1] [KIM-2.2]."""
        return table(self._probabilities)

    @cached_property
    def _probabilities(self) -> Matrix:
        self.is_fitted()
        return bayes.misclassification(self.field(), self._model)

    @cached_property
    def expected_cost_(self) -> Number:
        """The expected cost of misclassification  [KIM-2.9]; without costs the error rate."""
        self.is_fitted()
        priors, costs = self._model.priors, self._model.weighing.costs
        unit = decide.unit_costs(len(priors), priors.kind)
        return risk.expected_cost(costs or unit, self._probabilities, priors)

    def ratio_rule(self) -> RatioRule:
        """Return the rule as one for the ratio of two densities, with every form of its derivation  [KIM-2.11].

        Raises    InvalidInput unless there are two classes with one covariance
        """
        self.is_fitted()
        model = self._model
        if not isinstance(model, lda.Model) or len(model.means) != 2:
            raise InvalidInput(self.method, need="two classes with one covariance", got=f"{len(model.means)} classes")
        costs = model.weighing.costs or decide.unit_costs(len(model.means), model.priors.kind)
        return RatioRule(self.field(), model, costs)

    def actual_error(self, beta: Any, beta0: Any) -> Number:
        """Return the error rate that a linear rule has under these two normal classes  [RISK-ACTUAL] [PLUGIN].

        beta, beta0    of f(x) = βᵀx + β₀, above zero for the second class; where they were estimated, this is the rate
                       that counting errors on the training rows estimates, and never below `expected_cost_`

        Raises    InvalidInput for more than two classes or another number of inputs; NoAnswer for β = 0
        """
        self.is_fitted()
        F, means = self.field(), self._model.means
        if len(means) != 2:
            raise InvalidInput(self.method, need="two classes", got=len(means))
        given = self._given_means(F)
        covariances = self._given_covariances(F, *given.shape)
        own = covariances * (2 if len(covariances) == 1 else 1)
        slope = data.vector(F, beta, self._width, name="beta")
        missed = risk.of_plane(F, slope, data.vector(F, [beta0], 1, name="beta0")[0], means, own)
        priors = self._model.priors
        return priors[0] * missed[0] + priors[1] * missed[1]

    @cached_property
    def certificate_(self) -> Certificate:
        """That the parameters are those given, and the probabilities theirs, computed again with 50 digits.

        Where no closed form is known, the parameters alone.
        """
        self.is_fitted()
        F, D = self.field(), exact.DECIMALS
        means = self._given_means(F)
        sigmas = self._given_covariances(F, *means.shape)
        K, priors = len(means), self.given_priors(F, len(means))
        even, costs = exact_vector(priors or [Fraction(1, len(means))] * K), self.given_costs(F, K)
        even = even / sum(even)
        failures = [*self.delivered(), exact.numbers("the priors", self.priors_, even)]
        failures.append(same("the means", self.means_, table(means)))
        failures.append(same("the covariances", self.covariances_, [table(A) for A in sigmas] * (K // len(sigmas))))
        for name in {"log_determinants_", "condition_"} & set(vars(self)):  # derived when they are asked for
            again = getattr(type(self), name).func(self)
            failures.append(same(f"the {name[:-1]}", getattr(self, name), again))
        lift = [Matrix.of([Vector.of(map(D.lift, row)) for row in A]) for A in (means, *sigmas)]
        C = None if costs is None else Matrix.of([Vector.of(map(D.lift, row)) for row in costs])
        pi = Vector.of(map(D.lift, even))
        model = bayes.rule(D, pi, lift[0], [metric.factor(D, A) for A in lift[1:]], C)
        try:
            P, reported = bayes.misclassification(D, model), self.reported("misclassification_probabilities_")
        except NoAnswer:
            reported = None
        if reported is None:
            return concluded(failures, F.eps)
        failures.append(exact.entries("the probabilities", reported, exact_matrix(P)))
        cost = risk.expected_cost(C or decide.unit_costs(K, D.kind), P, pi)
        failures.append(exact.numbers("the expected cost", [self.expected_cost_], [cost]))
        return concluded(failures, F.eps, premise="probabilities are computed again with 50 digits")

    def labelled(self) -> list[Any]:
        """Return the labels that the classes should have, in order."""
        return list(self._named)


def _nested(row: Any) -> bool:
    """Return whether a row is itself made of rows."""
    if not isinstance(row, Iterable) or isinstance(row, (str, bytes)):
        return False
    first: Optional[Any] = next(iter(row), None)
    return isinstance(first, Iterable) and not isinstance(first, (str, bytes))
