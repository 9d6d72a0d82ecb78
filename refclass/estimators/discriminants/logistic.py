"""Logistic regression."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from functools import cached_property
from typing import Any, Optional

from refclass.certificate import ASKED, Certificate
from refclass.discriminants.decision.exact import DIGITS, concluded, exact_matrix, exact_vector, length, same, shaped
from refclass.discriminants.logistic import ascent, fit_certificate, logistic
from refclass.errors import NotExact, Refusal
from refclass.estimators.protocol import more_digits
from refclass.estimators.protocol.discriminant import Discriminant, Probabilistic, table
from refclass.estimators.protocol.estimator import clone
from refclass.estimators.protocol.more_digits import (
    at_ceiling,
    faint,
    in_more_digits,
    limit,
    moved,
    shrinkage,
)
from refclass.kernels.linear import Linear
from refclass.linear.clearing import relative
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector
from refclass.margins.penalised import balanced_intercepts
from refclass.margins.reduction import hidden_labels
from refclass.number.decimals import decimal
from refclass.number.field import Number, rational
from refclass.number.tolerance import decades
from refclass.number.vanishing import RESOLVED, refuse_ties
from refclass.sample.observations import Sample, representable, spread_out

MOST = 100_000  # multiplications of decimals a step, n·p², up to which a ceiling is computed
EXPONENTIAL = 6  # a tenth of the multiplications that an exponential of 100 digits takes, with what it is used for
FARTHER = 4  # times as many steps that Newton's method takes to a value far from the others, about 40
PREMISE = f"exponentials and logarithms are taken at {DIGITS} digits"


class LogisticRegression(Probabilistic, Discriminant):
    """Posteriors with linear log-odds, by maximum likelihood  [YANG-logistic-regression].

        maximise Σᵢ wᵢ log Pr(g(i) | xᵢ) − ½λ Σₖ ‖βₖ‖²,    Pr(k | x) = exp fₖ(x) / Σₗ exp fₗ(x),    fₖ = β₀ₖ + βₖᵀx

    The fₖ sum to zero; with two classes f = f₁ − f₀ is the log-odds of classes_[1], and the penalty is ¼λ‖β‖².

    Without a penalty there is a maximum only if no linear function separates the classes, completely or but for points
    in between; that is decided in exact arithmetic from the numbers given.

    Parameters
    ----------
    penalty : number ≥ 0, default 0
        λ; the intercepts are not penalised.
    max_iter : int ≥ 1, default 100
        The most steps of Newton's method (with step halving).
    arithmetic : "float", "decimal:n" or "exact", default "float"
        The numbers that are computed with: binary64, or decimals of n digits. In "exact", separable data are
        refused with their witness, all else with NotExact.

    Attributes
    ----------
    classes_ : list of K labels
        The classes, sorted where they can be compared, else in order of appearance.
    coef_ : K × p numbers, or 1 × p for two classes
        βₖ, in inverse units of X; for two classes the coefficients of the log-odds of classes_[1].
    intercept_ : list of K numbers, or of one
        β₀ₖ; for two classes the constant of the log-odds.
    log_likelihood_ : number ≤ 0
        Σᵢ wᵢ log Pr(g(i) | xᵢ), without the penalty.
    standard_errors_ : p + 1 numbers, or K rows of them
        The standard errors, from the information at the fit: of the intercept, then of the coefficients.
    n_iter_ : int
        How many iterations were made.
    certificate_ : Certificate
        The proof, to 50 digits, from the data as given.

    Raises
    ------
    InvalidInput
        For bad data or parameters.
    NoAnswer
        With the separating direction (β₀, β) if the classes are separable, with a null vector if columns are
        linearly dependent.
    NotConverged
        After max_iter steps; where fewer than nine digits are proven of a fit too large for more digits.
    NotExact
        Where roundoff of the constants hides which class is more likely, in a fit too large for more digits.

    See Also
    --------
    KernelClassifier : the same loss with a kernel

    References
    ----------
    - T. Hastie, R. Tibshirani and J. Friedman (2009). The Elements of Statistical Learning, second edition, section
      4.4.

    Examples
    --------
    >>> model = LogisticRegression(penalty=1).fit([[0], [1], [3], [4]], list("abab"))
    >>> round(model.coef_[0][0], 6), model.predict([[0], [4]]), model.certificate_.status
    (0.342406, ['a', 'b'], 'within roundoff')
    """

    method = "logistic"
    equations = ("YANG-logistic-regression", "YANG-estimation-lda")
    fitted = ("classes_", "coef_", "intercept_", "log_likelihood_", "standard_errors_", "n_iter_")

    def __init__(self, *, penalty: Any = 0, max_iter: Any = 100, arithmetic: Any = "float") -> None:
        self.penalty = penalty
        self.max_iter = max_iter
        self.arithmetic = arithmetic

    def doubtful(self) -> bool:
        """Return whether doubles leave the information few digits, or scores that hardly vary."""
        if 10 ** shrinkage(self._sample, self._model.penalty) > limit(self._sample.kind):
            return True
        if self.field().kind is not float and moved(self._model.coefficients.T, self._sample.X) * 10 ** (ASKED + 1) > 1:
            return True  # in doubles the constants are found anew for the coefficients as they are rounded
        if self._model.settled:
            return False
        if faint(Matrix.of([self._model.coefficients @ x for x in self._sample.X])):
            return True
        if self._is_far() or spread_out(self._sample, limit(self._sample.kind)):
            return True
        condition = logistic.condition(self.field(), self._sample, self._model)
        return condition is None or bool(condition > limit(self._sample.kind))

    def _is_far(self) -> bool:
        """Return whether the roundoff of a point, as measured from the mean, may move its scores and its class, too.

        One value far from all others takes the mean along, and the others' digits behind the point.
        """
        s, eps = self._sample, self.field().eps
        reach = [max(column) - min(column) for column in zip(*s.X)]
        most = max([sum([abs(b) * v for b, v in zip(row, reach)]) for row in self._model.coefficients]) * eps
        if not most * 10**ASKED > 1:
            return False
        return any(ends[-1] - ends[-2] <= most for ends in map(sorted, map(self._model.scores, s.X)))

    def certain(self, refusal: Refusal) -> bool:
        """Return whether classes are proven to be separated, or steps have run out."""
        return refusal.module == self.method

    def work(self) -> int:
        """Return how many multiplications a fit is, about; with weights that take hundreds of digits, too many."""
        s = self._sample
        return more_digits.MOST + 1 if decades(s.weights) > more_digits.DIGITS else _work(s)

    def further(self) -> int:
        """Return the digits of a value far from all others: those of its margin, and of the others' share in it."""
        return 2 * ascent.apart(self._sample) if ascent.is_far(self._sample) else 0

    @in_more_digits
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> LogisticRegression:
        """Fit to the rows of X with labels y; an integer weight stands for copies of its row."""
        F, sample = self.field(), self.read(X, y, sample_weight)
        representable(sample, self.method)
        penalty = self.number(F, "penalty", least=0)
        model = logistic.fit(F, sample, penalty=penalty, max_iter=self.integer("max_iter", 1))
        if penalty and _work(sample) > more_digits.MOST:
            model = self._resolved(model, sample)
        self.keep(model, sample)
        self.log_likelihood_ = model.log_likelihood
        self.n_iter_ = model.steps
        if sample.K == 2:
            beta, beta0 = model.log_odds()
            self.coef_, self.intercept_ = [list(beta)], [beta0]
        else:
            self.coef_, self.intercept_ = table(model.coefficients), list(model.constants)
        return self

    def _resolved(self, model: logistic.Model, sample: Sample) -> logistic.Model:
        """Return the model with constants of all digits where classes are as likely as each other but for roundoff.

        That is asked where a fit in more digits, which would show it, takes too long. Constants are solved for in
        decimals that hold the functions beside one.

        Raises    NotExact where rounded constants hide the functions all the same
        """
        eps, size = self.field().eps, max(1, *map(abs, model.constants))
        columns = list(zip(*[model.scores(x) for x in sample.X]))
        first, second = sorted([sum(own) / sample.n for own in columns])[-1:-3:-1]
        if not eps or first - second > RESOLVED * eps * size + 4 * max(max(own) - min(own) for own in columns):
            return model
        a = [_multipliers(model, sample, k) for k in range(sample.K)]
        functions = [hidden_labels.Function(Linear(), list(sample.X), own, size) for own in a]
        try:
            for own in functions:
                hidden_labels.refuse(self.method, eps, own)
        except NotExact:
            if model.origin is not None:
                raise
            return _with_constants(model, sample)
        return model

    @cached_property
    def standard_errors_(self) -> list[Any]:
        """The standard errors, from the information at the fit: of the intercept, then of the coefficients."""
        self.is_fitted()
        rows: list[list[Number]] = logistic.standard_errors(self.field(), self._sample, self._model)
        return rows[0] if self._sample.K == 2 else rows

    @cached_property
    def certificate_(self) -> Certificate:
        """The proof, to 50 digits, from the data as given: how far score equations, likelihood and errors are off.

        Where rounded numbers leave the score equations fewer than nine digits, it names the ceiling: those of the
        maximum, computed in decimals, each number rounded.
        """
        self.is_fitted()
        s, two, lam = self._sample, self._sample.K == 2, self.number(self.field(), "penalty")
        K = 1 if two else s.K
        if not shaped(self.coef_, K, s.p) or length(self.intercept_) != K:
            return concluded([(Fraction(1), "the shape of the coefficients")], self.field().eps)
        B, b = _of_each_class(self.coef_, self.intercept_)
        at = fit_certificate.likelihood(s, B, b, lam)
        failures = [*self.delivered(), *fit_certificate.score_equations(at, B, lam)]
        both = [Vector.of([c, *row]) for c, row in zip(b, B)]
        sums = [[sum(column) for column in zip(*both)]]
        reach = [[sum(map(abs, column)) for column in zip(*both)]]
        failures.append((relative(sums, reach), "the sum of the classes' coefficients"))
        failures.append(fit_certificate.value("the log-likelihood", self.log_likelihood_, at.value, at.bulk))
        errors = [self.standard_errors_] if two else self.standard_errors_
        known = fit_certificate.information(at, lam)
        failures.append(fit_certificate.standard_errors(at, lam, errors, known))
        failures.append(fit_certificate.scores(at, B, b, lam, known))
        failures.append(same("n_iter_", self.n_iter_, self._model.steps))
        unique = {"coefficients": True}
        value = at.value - rational(lam) * sum((row @ row for row in B), Fraction(0)) / 2
        found = concluded(failures, self.field().eps, premise=PREMISE, unique=unique, primal=value)
        few = found.digits is not None and found.digits < ASKED
        if not few or hasattr(self, "_twin") or s.n * s.p**2 > MOST or _exponentials(s) > more_digits.MOST:
            return at_ceiling(self, found)
        return replace(found, ceiling=self._ceiling(lam))

    def _ceiling(self, lam: Number) -> Optional[float]:
        """Return the digits of the score equations at the rounded maximum; None where decimals refuse it."""
        s, F = self._sample, self.field()
        rows, labels = [list(x.exactly()) for x in s.X], [s.classes[g] for g in s.labels]
        digits = DIGITS + getattr(F.kind, "precision", 0) + decades(s.weights)
        twin = clone(self).set_params(arithmetic=f"decimal:{digits}", penalty=rational(lam))
        try:
            best = twin.fit(rows, labels, list(s.weights))
            B, b = _of_each_class([list(map(F.lift, row)) for row in best.coef_], list(map(F.lift, best.intercept_)))
        except Refusal:
            return None
        at = fit_certificate.likelihood(s, B, b, lam)
        missed = fit_certificate.scores(at, B, b, lam, fit_certificate.information(at, lam))
        return concluded([*fit_certificate.score_equations(at, B, lam), missed], F.eps).digits


def _of_each_class(coefficients: Any, constants: Any) -> tuple[Matrix, Vector]:
    """Return the exact coefficients and constants of every class; of the log-odds of two, the halves."""
    B, b = exact_matrix(coefficients), exact_vector(constants)
    return (B, b) if len(B) > 1 else (Matrix.of([B[0] / -2, B[0] / 2]), Vector.of([b[0] / -2, b[0] / 2]))


def _work(s: Sample) -> int:
    return s.n * (s.K * s.p) ** 2 + (s.K * s.p) ** 3 + _exponentials(s)


def _exponentials(s: Sample) -> int:
    """Return how many multiplications, a tenth of those of ten steps, the exponentials of the posteriors are, about."""
    return EXPONENTIAL * s.n * s.K * (FARTHER if spread_out(s, limit(s.kind)) else 1)


def _multipliers(model: logistic.Model, sample: Sample, k: int) -> list[Number]:
    """Return what the coefficients of a class are sums of points with: wᵢ(1{gᵢ = k} − pᵢₖ)/λ."""
    rows = zip(sample.weights, sample.labels, map(model.posterior, sample.X))
    return [w * (int(g == k) - p[k]) / model.penalty for w, g, p in rows]


def _with_constants(model: logistic.Model, sample: Sample) -> logistic.Model:
    """Return the model with constants in which every class keeps its weight, to all digits.

    Raises    NotExact where their roundoff is more than the functions vary by
    """
    h = [
        [sum((rational(c) * rational(v) for c, v in zip(row, x)), Fraction(0)) for x in sample.X]
        for row in model.coefficients
    ]
    spread = max(max(own) - min(own) for own in h)
    D = decimal(balanced_intercepts.places(spread, model.F))
    b = balanced_intercepts.balanced(D, logistic.counted(sample), [Vector.of(map(D.lift, own)) for own in h])
    exact = list(map(rational, b))
    refuse_ties(
        "logistic", model.F.eps, exact, [c + sum(own, Fraction(0)) / len(own) for c, own in zip(exact, h)], spread
    )
    return replace(model, constants=Vector.of(map(model.F.lift, b)))
