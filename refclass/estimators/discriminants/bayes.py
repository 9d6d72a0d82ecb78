"""The best rule for normal classes that are known."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from functools import cached_property
from typing import Any, Optional

from refclass.certificate import Certificate
from refclass.discriminants.decision import decide, exact, risk
from refclass.discriminants.decision.exact import DECIMALS, concluded, exact_matrix, exact_vector, same
from refclass.discriminants.gaussian import bayes, lda
from refclass.discriminants.gaussian.ratio_rule import RatioRule
from refclass.errors import InvalidInput, NoAnswer
from refclass.estimators.discriminants.qda import Quadratic
from refclass.estimators.protocol.discriminant import table
from refclass.estimators.protocol.estimator import clone
from refclass.estimators.protocol.more_digits import limit, more
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector
from refclass.number import text
from refclass.number.decimals import decimal
from refclass.number.field import Field, Number, rational
from refclass.number.rational import RATIONAL
from refclass.sample import data, metric
from refclass.sample.metric import Metric

TENS = 3  # digits that a difference may lose of those that are computed with
MOST = 200  # digits in which parabolas that touch are told from others
LONGER: Field = decimal(25)  # nine digits more than doubles have
LEAST = Fraction(1, 2**1022)  # what is smaller is a denormal double, or none


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
        metrics = [_metric(F, A) for A in self._given_covariances(F, K, p)]
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

    def coarse(self, rows: Matrix) -> list[int]:
        """Return the numbers of the rows at which the scores have few digits, far from the means or from zero."""
        return sorted({*super().coarse(rows), *bayes.coarse(self.field(), self._model, rows)})

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
        # Method: of doubles in decimals, and rounded once: rare errors have their digits, too.
        self.is_fitted()
        F = self.field()
        if F.exact:
            return bayes.misclassification(F, self._model)
        found = self._to_digits(LONGER if F.kind is float else F)
        return Matrix.of([Vector.of(map(F.lift, row)) for row in found])

    def _to_digits(self, D: Field) -> Matrix:
        """Return the probabilities, in as many more decimals as parabolas that nearly touch lose.

        Ends of an interval that is no longer than roundoff are none: parabolas that touch leave a point.
        """
        digits = asked = getattr(D.kind, "precision", 0)
        while True:
            longer = decimal(digits)
            model = self._in(longer)
            lost = -int(longer.log(bayes.nearness(longer, model) + longer.eps) / longer.log(longer.kind(10)))
            if digits >= asked + lost - TENS or digits > MOST:
                found = bayes.misclassification(longer, model)
                return Matrix.of([Vector.of(map(D.lift, row)) for row in found])
            digits = 2 * digits

    def _in(self, D: Field) -> bayes.Model:
        """Return the rule in decimals, from the parameters as given, points measured from the first mean."""
        F = self.field()
        means = self._given_means(F)
        about = Matrix.of([mu - means.exactly()[0] for mu in means.exactly()])
        K, priors, costs = len(means), self.given_priors(RATIONAL, len(means)), self.given_costs(RATIONAL, len(means))
        pi = Vector.of([D.lift(v) for v in priors or [Fraction(1, K)] * K])
        centres, *sigmas = (
            Matrix.of([Vector.of(map(D.lift, row)) for row in A.exactly()])
            for A in (about, *self._given_covariances(F, *means.shape))
        )
        C = None if costs is None else Matrix.of([Vector.of(map(D.lift, row)) for row in costs])
        return bayes.rule(D, pi / pi.sum(), centres, [_metric(D, A) for A in sigmas], C)

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
        F = self.field()
        means = self._given_means(F)
        sigmas = self._given_covariances(F, *means.shape)
        K = len(means)
        even = exact_vector(self.given_priors(F, K) or [Fraction(1, K)] * K)
        failures = [*self.delivered(), exact.numbers("the priors", self.priors_, even / sum(even))]
        failures.append(same("the means", self.means_, table(means)))
        failures.append(same("the covariances", self.covariances_, [table(A) for A in sigmas] * (K // len(sigmas))))
        for name in {"log_determinants_", "condition_"} & set(vars(self)):  # derived when they are asked for
            again = getattr(type(self), name).func(self)
            failures.append(same(f"the {name[:-1]}", getattr(self, name), again))
        model = self._in(DECIMALS)
        try:
            P, reported = self._to_digits(DECIMALS), self.reported("misclassification_probabilities_")
        except NoAnswer:
            reported = None
        if reported is None:
            return concluded(failures, F.eps)
        costs = model.weighing.costs or decide.unit_costs(K, DECIMALS.kind)
        cost = Vector.of([risk.expected_cost(costs, P, model.priors)])
        least = LEAST if F.kind is float else Fraction(0)
        for name, found, want in (("probabilities", reported, P), ("expected cost", [[self.expected_cost_]], [cost])):
            sizes = [[max(rational(v), least) for v in row] for row in want]
            failures.append(exact.entries(f"the {name}", found, exact_matrix(want), sizes))
        return concluded(failures, F.eps, premise="probabilities are computed again with 50 digits")

    def labelled(self) -> list[Any]:
        """Return the labels that the classes should have, in order."""
        return list(self._named)


def _metric(F: Field, A: Matrix) -> Metric:
    """Return the metric of a covariance; of one that rounded numbers hardly tell from a singular one, from fractions.

    Raises    NoAnswer with a null vector, or a direction of negative variance, in fractions
    """
    try:
        known = metric.factor(F, A)
        if F.exact or known.condition <= limit(F.kind):
            return known
    except NoAnswer:
        if F.exact:
            raise
    known = metric.factor(RATIONAL, A.exactly())
    *rows, weights, pivots = (
        Vector.of([F.delivered("bayes", v) for v in row]) for row in (*known.rows, known.weights, known.pivots)
    )
    return Metric(A, Matrix.of(rows), weights, pivots)


def _nested(row: Any) -> bool:
    """Return whether a row is itself made of rows."""
    if not isinstance(row, Iterable) or isinstance(row, (str, bytes)):
        return False
    first: Optional[Any] = next(iter(row), None)
    return isinstance(first, Iterable) and not isinstance(first, (str, bytes))
