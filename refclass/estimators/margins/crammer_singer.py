"""The direct support vector machine for many classes."""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property
from math import isfinite
from typing import Any, Optional

from refclass.certificate import Certificate
from refclass.errors import InvalidInput, NotExact, quoted
from refclass.estimators.protocol.all_classes import AllClasses
from refclass.estimators.protocol.certificates import stated
from refclass.estimators.protocol.certificates.claimed import Reported
from refclass.estimators.protocol.given.kernel_input import Given, given, is_infinite
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector
from refclass.margins.crammer_singer import certificate, problem
from refclass.margins.crammer_singer import fit as crammer_singer_train
from refclass.margins.crammer_singer.problem import Machine
from refclass.number.binary64 import BINARY64
from refclass.number.field import Number
from refclass.sample import data


class CrammerSingerSVC(AllClasses):
    """The direct many-class machine of Crammer and Singer, without intercepts  [ISML-27.5-soft] [ISML-27.5-hard].

        minimise ½ Σ_k ‖f_k‖² + Σ Cᵢξᵢ
        subject to f_{yᵢ}(xᵢ) − f_k(xᵢ) ≥ 1 − ξᵢ for k ≠ yᵢ,  ξᵢ ≥ 0,    f_k(x) = Σᵢ α_ik K(xᵢ, x)

    The largest of the K scores f_k(x) is the class of x. Cᵢ = C · sample weight.

    A polynomial kernel of degree 3 of columns that are not scaled is beyond doubles: on the glass data (214 rows, nine
    columns, six classes) a fit is refused with its bounds after some seconds.

    Two classes: f_1 − f_2 is the decision function of `SVC(C=2C, intercept=False)`, and the objective half of its.

    Parameters
    ----------
    C : number > 0, or inf, default 1
        The cost of slack, in units of the objective; inf for no slack, the hard margin.
    kernel : str, dict or Kernel, default "linear"
        The kernel: "linear", {"name": "gaussian", "gamma": 1}, … or a kernel object. gamma may be "scale", which is
        1/(p · var X).
    tol : number > 0, or None, default None
        The largest violation of an optimality condition, in units of margin, at which the solver stops.
    max_iter : int ≥ 1, or None, default None
        The most rounds it may take.
    arithmetic : "float", "exact" or "decimal:n", default "float"
        The numbers that are computed with: binary64, fractions, or decimals of n digits. A kernel that is not
        rational is taken, in exact arithmetic, at the binary64 value of each entry of its Gram matrix.

    Attributes
    ----------
    classes_ : list of K labels
        The classes, sorted where they can be compared, else in order of appearance.
    alpha_ : n × K numbers
        The multipliers: at most Cᵢ in the column of the own class, at most 0 in the others, each row summing to 0.
    support_ : list of int
        The rows of X whose multiplier is not zero.
    coef_ : K × p numbers
        The coefficients of the scores, for a linear kernel.
    objective_ : number
        The objective of the scores that are delivered: by coef_ for a linear kernel, else by alpha_.
    dual_objective_ : number
        The dual objective at the answer; equal to objective_ at an optimum.
    n_iter_ : int
        How many iterations were made.
    certificate_ : Certificate
        The proof, computed in exact arithmetic from the data as given when it is first asked for.

    Raises
    ------
    InvalidInput
        For bad data or parameters.
    NoAnswer
        If C = inf and no scores keep the margins, with weights on the constraints that contradict as witness.
    NotConverged
        With the best state, after max_iter rounds.
    NotExact
        If a cost, C times a weight, is so small or so large that its square is no double.

    See Also
    --------
    LeeLinWahbaSVC, OneVersusRest

    References
    ----------
    - K. Crammer and Y. Singer (2001). On the algorithmic implementation of multiclass kernel-based vector machines.
      Journal of Machine Learning Research 2, 265-292.
    - M. Sugiyama (2016). Introduction to Statistical Machine Learning, section 27.5.

    Examples
    --------
    >>> machine = CrammerSingerSVC(arithmetic="exact").fit([[0, 1], [1, 0], [-1, -1]], ["a", "b", "c"])
    >>> machine.predict([[0, 2], [3, 1], [-2, -1]]), machine.certificate_.gap
    (['a', 'b', 'c'], Fraction(0, 1))
    """

    method = "crammer_singer"
    equations = (
        "ISML-27.5-rule",
        "ISML-27.5-hard",
        "ISML-27.5-soft",
        "ISML-27.5-dual",
        "ISML-27.5-weights",
        "ISML-27.5-predict",
    )
    fitted = ("classes_", "alpha_", "support_", "coef_", "objective_", "dual_objective_")
    objective_: Any
    _model: problem.Model

    def __init__(
        self,
        *,
        C: Any = 1,
        kernel: Any = "linear",
        tol: Any = None,
        max_iter: Optional[int] = None,
        arithmetic: str = "float",
    ) -> None:
        self.C = C
        self.kernel = kernel
        self.tol = tol
        self.max_iter = max_iter
        self.arithmetic = arithmetic

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> CrammerSingerSVC:
        """Train on rows X with labels y of two classes or more, and optional weights ≥ 0 that multiply C."""
        F = self.field()
        tol = None if self.tol is None else self.number(F, "tol", above=0)
        self.integer("max_iter", 1, or_none=True)
        machine = self._pose(given(F, self.kernel, X), y, sample_weight)
        tol = None if tol is None else float(tol)
        self._trained = crammer_singer_train.train(F, machine, tol=tol, max_iter=self.max_iter)
        self._describe()
        return self

    def claim(self, X: Any, y: Any, reported: Reported, sample_weight: Any = None) -> bool:
        """Take the multipliers that somebody reports for one's own; nothing is solved.

        Return False, and take nothing, where they are not reported, or for classes in another order.
        Raises    InvalidInput where their form does not fit the data
        """
        F = self.field()
        machine = self._pose(given(F, self.kernel, X), y, sample_weight)
        if "alpha" not in reported or reported.values.get("classes", self.classes_) != self.classes_:
            return False
        rows = reported.rows("alpha", len(machine.labels), machine.classes)
        alpha = Matrix.of([Vector.of(map(F.lift, row)) for row in rows])
        self._trained = crammer_singer_train.taken(F, machine, alpha)
        self._describe()
        if self._model.weights is not None and "coef" in reported:  # the scores are those of reported coefficients
            rows = reported.rows("coef", machine.classes, len(self._model.weights[0]))
            self._model = replace(self._model, weights=Matrix.of([Vector.of(map(F.lift, row)) for row in rows]))
            found, model = (
                certificate.certify(replace(machine, K=self._posed[0].exactly()), alpha, planes=rows),
                self._model,
            )
            self.objective_ = self.objective_ if found.primal is None else F.lift(found.primal)
            if stated.combinations(BINARY64, found, "coef_", rows, model.points, model.coefficients) is found:
                self.coef_ = [list(row) for row in model.weights or ()]  # both are the optimum, rounded
        return True

    def _pose(self, given: Given, y: Any, sample_weight: Any) -> Machine:
        """Keep the points, the classes and the machine to be trained; return that."""
        classes, machine = self._asked(given, y, sample_weight)
        self._posed, self.classes_ = (given, classes, machine), classes
        return machine

    def _asked(self, given: Given, y: Any, sample_weight: Any) -> tuple[list[Any], Machine]:
        F, kernel = given.F, given.kernel
        classes, labels = data.labels(y, len(given))
        if len(classes) < 2:
            raise InvalidInput("data", need="at least 2 classes", got=f"{len(classes)}: {quoted(list(classes))}")
        C = None if is_infinite(self.C) else self.number(F, "C", above=0)
        weights = data.weight_vector(F, sample_weight, len(labels))
        present = {g for g, w in zip(labels, weights) if w}
        for k, name in enumerate(classes):
            if k not in present:
                raise InvalidInput("data", need="a positive weight in every class", got="none", label=name)
        costs = tuple([w if w == 0 else None if C is None else C * w for w in weights])
        if F.kind is float and not all(v * v > 0 and isfinite(v * v) for v in costs if v):
            got = f"{min(v for v in costs if v):.3g} to {max(v for v in costs if v):.3g}"
            raise NotExact("crammer_singer", need="costs whose squares doubles hold", got=got)
        return list(classes), Machine(given.rows, labels, len(classes), costs, kernel.positive, not kernel.exact)

    def _describe(self) -> None:
        for name in ("certificate_", "coef_"):
            self.__dict__.pop(name, None)
        alpha, (given, classes, _) = self._trained.alpha, self._posed
        self.classes_ = classes
        self.alpha_ = [list(row) for row in alpha]
        self.support_ = [i for i, row in enumerate(alpha) if any(row)]
        self.objective_ = self._trained.objective
        self.dual_objective_ = self._trained.dual_objective
        self.n_iter_ = self._trained.steps
        self._model = problem.model(given.F, given.G, given.kernel, given.points, alpha, self._trained.planes)
        if self._model.weights is not None:
            self.coef_ = [list(row) for row in self._model.weights]

    @cached_property
    def certificate_(self) -> Certificate:
        """The proof, exact, from the data as given: primal, dual, gap, worst violation and where."""
        return self.proven(self.field().eps)

    def proven(self, eps: Any) -> Certificate:
        """Return the proof; eps is the spacing of the numbers that the answer was computed in."""
        self.is_fitted()
        given, _, machine = self._posed
        machine = replace(machine, K=given.exactly())
        trained, planes = self._trained, self._model.weights
        found = certificate.certify(machine, trained.alpha, planes=planes)
        found = replace(found, ceiling=trained.ceiling)
        return self.covering(
            self._stated(stated.objectives(self._model.F, found, trained.objective, trained.dual_objective))
        )

    def _stated(self, found: Certificate) -> Certificate:
        """Return the certificate, or a refusal where the weights are not those of the multipliers."""
        model = self._model
        if model.weights is None:
            return found
        return stated.combinations(model.F, found, "coef_", model.weights, model.points, model.coefficients)

    def decision_function(self, X: Any) -> list[list[Number]]:
        """Return the K scores f_k(x) for each row of X, in the order of classes_."""
        self.is_fitted()
        model = self._model
        points = model.kernel.points(model.G, X, data.matrix, training=model.points)
        return [list(row) for row in model.scores(points)]

    def predict(self, X: Any) -> list[Any]:
        """Return the label with the largest score for each row of X; in a tie the first of them in classes_."""
        return [self.classes_[row.index(max(row))] for row in self.decision_function(X)]
