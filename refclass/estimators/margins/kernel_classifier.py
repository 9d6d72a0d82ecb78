"""Loss plus penalty with a kernel: every loss of the texts."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from copy import copy
from functools import cached_property
from typing import Any, Optional, Union

from refclass.certificate import Certificate
from refclass.errors import InvalidInput, quoted
from refclass.estimators.margins.strategies.loss_of_two_classes import LossOfTwoClasses
from refclass.estimators.margins.strategies.multinomial_deviance import MultinomialDeviance
from refclass.estimators.margins.strategies.penalised_points import Options, Points
from refclass.estimators.margins.strategies.stochastic_loss import StochasticLoss
from refclass.estimators.protocol.certificates import stated
from refclass.estimators.protocol.certificates.claimed import Reported
from refclass.estimators.protocol.estimator import Classifier, Estimator
from refclass.estimators.protocol.given import kernel_input as points
from refclass.estimators.protocol.given.kernel_input import Given
from refclass.estimators.protocol.multiclass_attributes import NoPosterior
from refclass.losses import loss as losses_by_name
from refclass.margins.penalised import kernel_logistic, multinomial
from refclass.margins.penalised.retargeted import CORRECTED, PRINTED
from refclass.number import text
from refclass.number.field import Number
from refclass.number.rational import RATIONAL
from refclass.regress.kernel.fitted_machine import Solved
from refclass.sample import data

Answer = Union[LossOfTwoClasses, MultinomialDeviance, StochasticLoss]

LOSSES = losses_by_name.of_margins()


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
        The least and the largest optimal intercept, as far as the solver determines them.
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
        posed = self._posed(given, y, sample_weight)
        tol = None if self.tol is None else self.number(given.F, "tol", above=0)
        options = Options(self.method, self.solver, self.start, self.retarget, tol, self.max_iter, self.seed)
        return self._take(self._strategy(posed).solved(posed, options))

    def claim(self, X: Any, y: Any, reported: Reported, sample_weight: Any = None) -> bool:
        """Take the coefficients and intercepts that somebody reports for those of the fit; nothing is solved.

        Return False, and take nothing, where they are not reported, and in the norm of coefficients, where they are the
        only ones but do not give the multipliers that a proof needs.
        Raises    InvalidInput where their form does not fit the data
        """
        if "alpha" not in reported or (self.norm == "coefficients" and self.solver != "stochastic"):
            return False
        posed = self._posed(self.given(X), y, sample_weight)
        self._take(self._strategy(posed).reported(posed, reported))
        return True

    def _strategy(self, posed: Points) -> type[Answer]:
        """Return how the problem is solved, and its answers proven."""
        if posed.classes > 2:
            return MultinomialDeviance
        return StochasticLoss if self.solver == "stochastic" else LossOfTwoClasses

    def _take(self, answer: Answer) -> KernelClassifier:
        """Take an answer for one's own; return the estimator."""
        for name in ("certificate_", "coef_", "intercept_interval_"):
            self.__dict__.pop(name, None)
        self._answer, self._functions = answer, answer.functions()
        self._model = self._functions.models
        return self._describe()

    def _describe(self) -> KernelClassifier:
        """Set the attributes that are read off the functions."""
        found = self._functions
        alphas = [list(model.coefficients) for model in found.models]
        self.classes_ = self._named
        self.alpha_ = alphas[0] if len(alphas) == 1 else [list(row) for row in zip(*alphas)]
        self.intercept_ = [model.beta0 for model in found.models]
        if found.interval is not None:
            self.intercept_interval_ = found.interval
        if found.models[0].beta is not None:
            self.coef_ = [list(model.beta or ()) for model in found.models]
        self.objectives_, self.objective_ = list(found.objectives), found.objectives[-1]
        self.n_iter_ = found.steps
        return self

    def restated(self) -> KernelClassifier:
        """Return a copy whose fitted attributes are set anew from the functions that were proven."""
        return copy(self)._describe()

    def _posed(self, given: Given, y: Any, sample_weight: Any) -> Points:
        """Return the points of the fit, the parameters checked; keep the labels."""
        self._check()
        names, numbers = data.labels(y, len(given))
        weights = data.weight_vector(given.F, sample_weight, len(given))
        places = tuple([i for i, w in enumerate(weights) if w])
        labels = tuple([numbers[i] for i in places])
        for k, name in enumerate(names):
            if k not in labels:
                raise InvalidInput("data", need="a positive weight in every class", got="none", label=name)
        if len(names) < 2 or (len(names) > 2 and self.loss != "deviance"):
            need = "labels of two classes in y" + (", or of more" if self.loss == "deviance" else "")
            raise InvalidInput("data", need=need, got=f"{len(names)}: {quoted(list(names))}")
        self._named = list(names)
        self.number(given.F, "penalty", above=0)
        penalty = self.number(RATIONAL, "penalty", above=0)
        loss, intercept, coefficients = self._described(), bool(self.intercept), self.norm == "coefficients"
        return Points(given, places, labels, weights.pick(places), len(names), loss, penalty, intercept, coefficients)

    def _check(self) -> None:
        if self._described().get("name") not in LOSSES:
            raise InvalidInput(self.method, need=f"loss among {list(LOSSES)}", got=repr(self.loss))
        self.one_of("norm", "function", "coefficients")
        self.one_of("intercept", True, False)
        self.one_of("retarget", CORRECTED, PRINTED)
        if self.retarget == PRINTED and self.loss != "squared_ramp":
            raise InvalidInput(self.method, need='loss="squared_ramp" for another retarget', got=quoted(self.loss))
        self.integer("max_iter", 1, or_none=True)
        if type(self.seed) is not (int if self.solver == "stochastic" else type(None)):
            raise InvalidInput(self.method, need='a whole number as seed for "stochastic" only', got=self.seed)

    def _described(self) -> Mapping[str, Any]:
        given = self.loss if isinstance(self.loss, Mapping) else {"name": self.loss}
        return {k: text.parse(v) if k != "name" and isinstance(v, str) else v for k, v in given.items()}

    @cached_property
    def certificate_(self) -> Certificate:
        """The proof, from the data as given, exact but for the deviance, whose exponentials have 60 digits or more."""
        return self.proven(self.field().eps)

    def proven(self, eps: Any) -> Certificate:
        """Return the proof; eps is the spacing of the numbers that the answer was computed in."""
        self.is_fitted()
        found = self._functions
        return self.covering(stated.functions(self._answer.certificate(eps), found.models, found.objectives[-1]))

    def solved(self) -> list[Solved]:
        """Return the machine that was solved, with its multipliers; none for a loss that is not piecewise quadratic."""
        self.is_fitted()
        return self._answer.machines() if isinstance(self._answer, LossOfTwoClasses) else []

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
