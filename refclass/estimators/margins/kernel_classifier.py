"""Loss plus penalty with a kernel: every loss of the texts."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from copy import copy
from dataclasses import replace
from functools import cached_property
from math import inf
from random import Random
from typing import Any, Optional

from refclass.certificate import ASKED, Certificate
from refclass.errors import InvalidInput, quoted
from refclass.estimators.protocol.certificates import stated
from refclass.estimators.protocol.certificates.claimed import Reported
from refclass.estimators.protocol.estimator import Classifier, Estimator
from refclass.estimators.protocol.given import kernel_input as points
from refclass.estimators.protocol.given import starting
from refclass.estimators.protocol.given.kernel_input import Given
from refclass.estimators.protocol.multiclass_attributes import NoPosterior
from refclass.kernels.linear import Linear
from refclass.kernels.matrices.gram import Rows
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector
from refclass.losses import named
from refclass.margins.penalised import fit as minimise
from refclass.margins.penalised import (
    kernel_logistic,
    multinomial,
    multinomial_certificate,
    multinomial_safeguard,
    penalised,
    stochastic,
)
from refclass.margins.penalised.retargeted import CORRECTED, PRINTED, Start
from refclass.margins.svm import fit as train
from refclass.number import text
from refclass.number.field import Field, Number, rational
from refclass.number.rational import RATIONAL
from refclass.sample import data

LOSSES = named.of_margins()


class KernelClassifier(Classifier, Estimator):
    """Loss plus penalty  [ESL-12.25] [ESL-12.29] [ISML-27.5] [KIM-3.33].

        minimise Σ wᵢ L(yᵢ f(xᵢ)) + ½λ‖·‖²        f(x) = Σ αᵢ K(xᵢ, x) + b

    y is +1 for classes_[1] and −1 for classes_[0]. The loss L(m) is

        "hinge"             [1 − m]₊
        "squared_hinge"     [1 − m]₊², without ISML's ½
        "huberised"         −4m if m < −1, otherwise [1 − m]₊²
        "huberised_hinge"   ½ − m if m < 0, otherwise ½[1 − m]₊²
        "squared"           (1 − m)²
        {"name": "power_hinge", "p": 3}    [1 − m]₊^p, p > 1: the slack of the support vector machine to the power of p
        "deviance"          log(1 + e^(−m)); for more than two classes −log p_k, p_k = e^(f_k)/Σ e^(f_l)
        "ramp"              min(1, [1 − m]₊), not convex
        "squared_ramp"      min(1, [1 − m]₊)², not convex, without ISML's ½

    Parameters
    ----------
    loss : str or dict, default "hinge"
        The loss, one of the names above, with its parameter where it has one.
    penalty : number > 0, default 1
        λ.
    kernel : str, dict or Kernel, default "linear"
        The kernel: "linear", {"name": "gaussian", "gamma": 1}, … or a kernel object. gamma may be "scale", which is
        1/(p · var X).
    intercept : bool, default True
        Whether there is a b, which is not penalised.
    norm : "function" or "coefficients", default "function"
        ‖f‖² = αᵀKα; or ‖α‖², as ISML's listings have it.
    solver : str, default "auto"
        "auto", "quadratic", "retarget" (iteratively retargeted least squares), "newton", "differences" (difference
        of convex functions), where the loss allows it; "stochastic" (a plain descent that only comes near) for
        hinge and squared hinge in the norm of coefficients, without intercept and weights.
    start : n or n + 1 numbers, or None, default None
        α, then b, from which "retarget" and "differences" begin; None for penalised least squares, for the ramp the
        hinge.
    retarget : "corrected" or "printed", default "corrected"
        The retargeting of the squared ramp: corrected, or as printed, with the Huberised hinge's limit
        [ERR-ISML-01].
    tol : number > 0, or None, default None
        Retargeting ends when ‖f − f before‖ is below it; None for 10⁻⁶.
    max_iter : int ≥ 1, or None, default None
        The most steps; None for 1000, for Newton's method 200, after which the limit is computed without it, and
        for the stochastic descent 100 n.
    seed : int or None, default None
        For "stochastic" only: the seed of its random choices.
    arithmetic : "float", "exact" or "decimal:n", default "float"
        The numbers that are computed with; the deviance has no exact answers. A kernel that is not rational is
        taken, in exact arithmetic, at the binary64 value of each entry of its Gram matrix.

    Attributes
    ----------
    classes_ : list of K labels
        The classes, sorted where they can be compared, else in order of appearance.
    alpha_ : n numbers, or n × K
        The coefficients of f; K columns for more than two classes.
    intercept_ : list of numbers
        b; K of them for more than two classes.
    intercept_interval_ : pair of numbers
        The least and the largest optimal intercept, as far as the solver knows.
    coef_ : 1 × p numbers, or K × p
        For a linear kernel Σ αᵢxᵢ, but for the rounding of the αᵢ.
    objective_ : number
        The objective at the answer.
    objectives_ : list of numbers
        The objective at every step of an iteration; the last is objective_.
    n_iter_ : int
        How many iterations were made.
    certificate_ : Certificate
        The proof, computed in exact arithmetic from the data as given when it is first asked for.

    Raises
    ------
    InvalidInput
        For bad data, parameters, or more than two classes where the loss takes two.
    NotExact
        For the deviance in exact arithmetic.
    NoAnswer
        If the kernel is not positive semidefinite on the points.

    See Also
    --------
    SVC : the hinge with costs C
    LogisticRegression : the deviance without a kernel

    References
    ----------
    - T. Hastie, R. Tibshirani and J. Friedman (2009). The Elements of Statistical Learning, second edition, sections
      12.3.2 to 12.3.4.
    - M. Sugiyama (2016). Introduction to Statistical Machine Learning, chapter 27.

    Examples
    --------
    >>> X, y = [[0], [1], [3], [4]], [-1, 1, -1, 1]
    >>> m = KernelClassifier(loss="squared_hinge", penalty=2, arithmetic="exact").fit(X, y)
    >>> [str(v) for v in m.coef_[0]], str(m.objective_), m.certificate_.gap, m.predict([[5]])
    (['2/11'], '40/11', Fraction(0, 1), [1])
    """

    method = "kernel_classifier"
    only_two_classes = property(lambda self: self.loss != "deviance")
    equations = (
        "ESL-12.25", "ESL-12.28", "ESL-12.29", "ESL-12.31", "ESL-12.32", "ESL-12.3.8-multinomial",
        "ISML-27.5", "ISML-27.6.2-objective", "ISML-27.6.2-retarget", "ISML-27.6.3-objective",
        "ISML-27.6.3-squared-objective", "ISML-27.6.3-retarget", "KIM-3.33", "MMST-11.68",
    )  # fmt: skip
    fitted = ("classes_", "alpha_", "intercept_", "intercept_interval_", "coef_", "objective_", "objectives_")

    def __init__(
        self,
        *,
        loss: str = "hinge",
        penalty: Any = 1,
        kernel: Any = "linear",
        intercept: bool = True,
        norm: str = "function",
        solver: str = "auto",
        start: Any = None,
        retarget: str = CORRECTED,
        tol: Any = None,
        max_iter: Optional[int] = None,
        seed: Optional[int] = None,
        arithmetic: str = "float",
    ) -> None:
        self.loss = loss
        self.penalty = penalty
        self.kernel = kernel
        self.intercept = intercept
        self.norm = norm
        self.solver = solver
        self.start = start
        self.retarget = retarget
        self.tol = tol
        self.max_iter = max_iter
        self.seed = seed
        self.arithmetic = arithmetic

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> KernelClassifier:
        """Fit rows X with labels y; a weight ≥ 0 multiplies the loss of its row.

        Raises    InvalidInput, naming row and column, for bad data or parameters
        """
        return self.fit_given(self.given(X), y, sample_weight)

    def given(self, X: Any) -> Given:
        """Return the points that X stands for, with their kernel and its Gram matrix."""
        return points.given(self.field(), self.kernel, X)

    def fit_given(self, given: Given, y: Any, sample_weight: Any = None) -> KernelClassifier:
        """Fit points with labels y, as `fit` does."""
        self._begin(given, y, sample_weight)
        if len(self.classes_) == 2:
            self._two(given.F)
        else:
            self._many(given.F)
        return self

    def claim(self, X: Any, y: Any, reported: Reported, sample_weight: Any = None) -> bool:
        """Take the coefficients and intercepts that somebody reports for those of the fit; nothing is solved.

        Return False, and take nothing, where they are not reported, and in the norm of coefficients, where they are the
        only ones but do not tell the multipliers that a proof needs.
        Raises    InvalidInput where their form does not fit the data
        """
        if "alpha" not in reported or (self.norm == "coefficients" and self.solver != "stochastic"):
            return False
        given = self.given(X)
        self._begin(given, y, sample_weight)
        F, n, K = given.F, len(given), len(self.classes_)
        if K > 2:
            columns = list(zip(*reported.rows("alpha", n, K)))
            beta0 = reported.numbers("intercept", K) if "intercept" in reported else [0] * K
            self._tell_many(F, [self._picked(F, column) for column in columns], Vector.of(map(F.lift, beta0)))
            return True
        problem = self._problem(F, self._table(F, self._rows))
        alpha, beta0 = reported.numbers("alpha", n), F.lift(reported.number("intercept", None if self.intercept else 0))
        if self.solver == "stochastic":
            self._descended(F, problem, Vector.of(map(F.lift, alpha)))
            return True
        a = self._picked(F, alpha)
        values = problem.table() @ a
        objective = problem.objective(F, Vector.of([v + beta0 for v in values]), a @ values)
        self._tell_two(
            F, penalised.Fit(a, beta0, values, penalised.interval(problem, a, beta0, values), (objective,), 0)
        )
        return True

    def _picked(self, F: Field, spread: Sequence[Any]) -> Vector:
        """Return the entries of the rows that have a weight.  Raises InvalidInput if another is not zero."""
        for i in set(range(len(spread))).difference(self._places):
            if spread[i]:
                raise InvalidInput("verify", need="alpha 0 where the weight is 0", got=spread[i], row=i)
        return Vector.of([F.lift(spread[i]) for i in self._places])

    def _begin(self, given: Given, y: Any, sample_weight: Any) -> None:
        """Check the parameters, and set the labels, the weights and the Gram matrix."""
        self._check()
        names, numbers = data.labels(y, len(given))
        self._weigh(given.F, names, numbers, sample_weight)
        self.classes_, self._named = list(names), list(names)
        self._given = given.G, given.kernel, given.points
        self._rows = given.rows
        for name in ("certificate_", "coef_", "intercept_interval_"):
            self.__dict__.pop(name, None)

    def _check(self) -> None:
        if self._described().get("name") not in LOSSES:
            raise InvalidInput(self.method, need=f"loss among {list(LOSSES)}", got=repr(self.loss))
        self.one_of("norm", "function", "coefficients")
        self.one_of("intercept", True, False)
        self.one_of("retarget", CORRECTED, PRINTED)
        if self.retarget == PRINTED and self.loss != "squared_ramp":
            raise InvalidInput(self.method, need='loss="squared_ramp" for another retarget', got=quoted(self.loss))
        if self.max_iter is not None and (type(self.max_iter) is not int or self.max_iter < 1):
            raise InvalidInput(self.method, need="max_iter a whole number ≥ 1", got=quoted(self.max_iter))
        if type(self.seed) is not (int if self.solver == "stochastic" else type(None)):
            raise InvalidInput(self.method, need='a whole number as seed for "stochastic" only', got=self.seed)

    def _described(self) -> Mapping[str, Any]:
        given = self.loss if isinstance(self.loss, Mapping) else {"name": self.loss}
        return {k: text.parse(v) if k != "name" and isinstance(v, str) else v for k, v in given.items()}

    def _weigh(self, F: Field, names: Any, numbers: Any, sample_weight: Any) -> None:
        """Set which rows have a weight, their weights and their class numbers."""
        weights = data.weight_vector(F, sample_weight, len(numbers))
        self._places = [i for i, w in enumerate(weights) if w]
        self._labels = tuple([numbers[i] for i in self._places])
        for k, name in enumerate(names):
            if k not in self._labels:
                raise InvalidInput("data", need="a positive weight in every class", got="none", label=name)
        if len(names) < 2 or (len(names) > 2 and self.loss != "deviance"):
            need = "labels of two classes in y" + (", or of more" if self.loss == "deviance" else "")
            raise InvalidInput("data", need=need, got=f"{len(names)}: {list(names)}")
        self._weights = weights.pick(self._places)

    def _features(self, rows: Any) -> Matrix:
        """Return the table of K(xᵢ, xⱼ), i a row that has a weight: in the norm of coefficients, the features of i."""
        return Matrix.of([rows.row(i) for i in self._places])

    def _table(self, F: Field, rows: Any) -> Any:
        """Return the Gram matrix: K itself, or ΦΦᵀ with Φ = K, over the rows that have a weight."""
        if self.norm == "coefficients":
            return Rows(F, Linear(), self._features(rows))
        if len(self._places) == len(rows):
            return rows
        if isinstance(rows, Rows):
            return rows.part(self._places)
        return Matrix.of([Vector.of([row[j] for j in self._places]) for row in self._features(rows)])

    def _coefficients(self, F: Field, a: Vector) -> Vector:
        """Return the coefficients of f over all rows: θ = Φᵀa in the norm of coefficients."""
        if self.norm == "coefficients":
            return penalised.coefficients(F, a, self._features(self._rows))
        spread = [F.kind(0)] * len(self._rows)
        for i, v in zip(self._places, a):
            spread[i] = v
        return Vector.of(spread)

    def _problem(self, F: Field, K: Any) -> penalised.Problem:
        _, kernel, _ = self._given
        y = Vector.of([F.lift(2 * k - 1) for k in self._labels])
        weights = Vector.of(map(F.lift, map(rational, self._weights)))
        loss: Any = named.loss(F, **self._described())
        squared = self.norm == "coefficients"  # ΦΦᵀ is positive semidefinite whatever Φ
        positive, rounded = kernel.positive or squared, not (kernel.exact or squared)
        lam = self.number(F, "penalty", above=0)
        return penalised.Problem(K, y, weights, loss, lam, bool(self.intercept), positive, rounded)

    def _two(self, F: Field) -> None:
        problem = replace(self._problem(F, self._table(F, self._rows)), whole=self._exactly)
        if self.solver == "stochastic":
            self._descend(F, problem)
            return
        tol = None if self.tol is None else self.number(F, "tol", above=0)
        options = {"solver": self.solver, "retarget": self.retarget, "tol": tol, "max_steps": self.max_iter}
        self._tell_two(F, minimise.minimise(F, problem, start=self._start(F, problem), **options))  # type: ignore[arg-type]

    def _tell_two(self, F: Field, fit: penalised.Fit) -> None:
        self._fit, self.n_iter_, beta = fit, fit.steps, fit.beta
        alpha = beta if self.norm == "coefficients" and beta is not None else self._coefficients(F, fit.a)
        self._show(F, [alpha], [fit.beta0], fit.objectives, fit.interval, None if alpha is beta else beta)

    def _show(
        self, F: Field, alphas: Any, beta0: Sequence[Number], objectives: Any, interval: Any = None, beta: Any = None
    ) -> None:
        """Keep the functions of the classes, and what the solver says of them, and set the attributes."""
        self._model: tuple[train.Model, ...] = tuple([self._function(F, a, b) for a, b in zip(alphas, beta0)])
        if beta is not None:
            self._model = (replace(self._model[0], beta=beta),)
        self._reached, self._between = tuple(objectives), interval
        self._describe()

    def _describe(self) -> None:
        """Set the attributes that are read off the functions."""
        alphas = [list(model.coefficients) for model in self._model]
        self.alpha_ = alphas[0] if len(alphas) == 1 else [list(row) for row in zip(*alphas)]
        self.intercept_ = [model.beta0 for model in self._model]
        if self._between is not None:
            self.intercept_interval_ = self._between
        if self._model[0].beta is not None:
            self.coef_ = [list(model.beta or ()) for model in self._model]
        self.objectives_, self.objective_ = list(self._reached), self._reached[-1]

    def restated(self) -> KernelClassifier:
        """Return a copy whose fitted attributes are set anew from the functions that were proven."""
        again = copy(self)
        again._describe()
        again.classes_ = self._named
        return again

    def _descend(self, F: Field, problem: penalised.Problem) -> None:
        if (self.start, self.tol) != (None, None):
            raise InvalidInput(self.method, need="neither start nor tol for stochastic", got="one")
        self.n_iter_ = 100 * len(self._labels) if self.max_iter is None else self.max_iter
        self._descended(F, problem, stochastic.fit(F, problem, Random(self.seed), self.n_iter_))

    def _descended(self, F: Field, problem: penalised.Problem, theta: Vector) -> None:
        self._theta = theta
        f = Vector.of([phi @ theta for phi in problem.K.X])
        zero = F.kind(0)
        self._show(F, [theta], [zero], [problem.objective(F, f, theta @ theta)], (zero, zero))

    def _function(self, F: Field, alpha: Vector, beta0: Number) -> train.Model:
        return train.model(F, *self._given[:2], tuple(self._given[2]), alpha, beta0)

    def _start(self, F: Field, problem: penalised.Problem) -> Optional[Start]:
        if self.start is None:
            return None
        alpha, beta0 = starting.coefficients(F, self.method, self.start, len(self._rows), bool(self.intercept))
        features = self._features(self._rows)
        f = Vector.of([v + beta0 for v in features @ alpha])
        if self.norm == "coefficients":
            return Start(f, alpha @ alpha)
        products = Vector.of([self._rows.row(i) @ alpha for i in range(len(self._rows))])
        return Start(f, alpha @ products)

    def _many(self, F: Field) -> None:
        if self.solver not in ("auto", minimise.NEWTON) or self.start is not None or self.tol is not None:
            need = "solver auto or newton, and neither start nor tol, for more than two classes"
            raise InvalidInput(self.method, need=need, got=self.solver)
        fit = multinomial_safeguard.fit(self._classes(F), self._exact_table, self.max_iter)
        self._tell_many(F, fit.alpha, fit.beta0, fit.objectives)
        self.n_iter_ = len(fit.objectives) - 1

    def _tell_many(self, F: Field, multipliers: Sequence[Vector], beta0: Vector, objectives: Any = None) -> None:
        flat = Vector.of([*(v for a in multipliers for v in a), *beta0])
        objectives = objectives or [self._classes(F).objective(flat)]
        self._fits = tuple(multipliers), beta0
        self._show(F, [self._coefficients(F, a) for a in multipliers], beta0, objectives)

    def _classes(self, F: Field) -> multinomial.Problem:
        K = self._table(F, self._rows)
        weights = Vector.of(map(F.lift, map(rational, self._weights)))
        lam, intercept = self.number(F, "penalty", above=0), bool(self.intercept)
        return multinomial.problem(F, K, self._labels, len(self.classes_), weights, lam, intercept)

    @cached_property
    def certificate_(self) -> Certificate:
        """The proof, from the data as given, exact but for the deviance, whose exponentials have 60 digits or more."""
        return self.proven(self.field().eps)

    def proven(self, eps: Any) -> Certificate:
        """Return the proof; eps is the spacing of the numbers that the answer was computed in."""
        self.is_fitted()
        return self.covering(stated.functions(self._proof(eps), self._model, self._reached[-1]))

    def _proof(self, eps: Any) -> Certificate:
        """Return the proof of the multipliers and intercepts."""
        if len(self._named) > 2:
            return multinomial_certificate.certify(self._classes(self.field()), self._exact_table(), *self._fits)
        if self.solver == "stochastic":
            return stochastic.certify(RATIONAL, self._exactly(), self._theta)
        if self._fit.proven and eps:
            return self._fit.proven
        return minimise.certify(RATIONAL, self._exactly(), self._fit, asked=inf if eps == 0 else ASKED)

    def _exactly(self) -> penalised.Problem:
        """Return the problem with its numbers at their exact worth, as the user gave them."""
        exact = points.exact_table if self.norm == "coefficients" else points.exact_rows
        return self._problem(RATIONAL, self._table(RATIONAL, exact(*self._given[1:], self._rows)))

    def _exact_table(self) -> Any:
        return self._table(RATIONAL, points.exact_table(*self._given[1:], self._rows))

    def decision_function(self, X: Any) -> list[Any]:
        """Return f(x) for each row of X, positive for classes_[1]; K numbers for K > 2 classes."""
        self.is_fitted()
        first = self._model[0]
        Z = first.kernel.points(first.G, X, data.matrix, training=first.points)
        scores = [model.scores(Z) for model in self._model]
        return list(scores[0]) if len(scores) == 1 else [list(row) for row in zip(*scores)]

    def predict(self, X: Any) -> list[Any]:
        """Return a label for each row of X; exactly zero is given to classes_[1], a tie of more to the first."""
        f = self.decision_function(X)
        if len(self.classes_) == 2:
            return [self.classes_[1 if v >= 0 else 0] for v in f]
        return [self.classes_[row.index(max(row))] for row in f]

    @property
    def predict_proba(self) -> Callable[[Any], list[list[Number]]]:
        """X -> the probability of each class for each row of X  [ESL-12.32].  NoPosterior unless the deviance's."""
        if self.loss != "deviance":
            raise NoPosterior(self.method, need='loss="deviance" for probabilities', got=quoted(self.loss))
        return self._posterior

    def _posterior(self, X: Any) -> list[list[Number]]:
        F, f = self.field(), self.decision_function(X)
        if len(self.classes_) == 2:
            return [[kernel_logistic.probability(F, -v), kernel_logistic.probability(F, v)] for v in f]
        return [list(multinomial.probabilities(F, row)) for row in f]
