"""The support vector classifier."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from functools import cached_property
from typing import Any, Optional

from refclass.errors import InvalidInput
from refclass.estimators.estimator import Classifier
from refclass.estimators.points import exact_rows, kernel_points, kernel_rows, two_classes
from refclass.kernels.kernel import Kernel
from refclass.linear.vector import Vector
from refclass.margins import proof, train
from refclass.margins.soft import Machine
from refclass.number.field import Field, Number
from refclass.optimise.certificate import Certificate
from refclass.sample import data


class SVC(Classifier):
    """The two-class support vector machine  [ESL-12.8] [ISML-27.2] [MMST-11.34] [KIM-3.33].

        minimise ½‖f‖² + Σ Cᵢ ξᵢ                  loss="hinge"
        minimise ½‖f‖² + Σ Cᵢ ξᵢ²                 loss="squared_hinge"
        subject to yᵢ (f(xᵢ) + b) ≥ 1 − ξᵢ, ξᵢ ≥ 0,    f(x) = Σ αᵢ yᵢ K(xᵢ, x)

    y is +1 for classes_[1] and −1 for classes_[0]; Cᵢ = C · class weight · sample weight.

    C              a number > 0, or inf: no slack, the hard margin
    kernel         "linear", {"name": "gaussian", "gamma": 1}, … or a kernel; gamma may be "scale", 1/(p · var X)
    loss           "hinge" or "squared_hinge"
    intercept      whether there is a b
    class_weight   None, "balanced" (n / (2 nₖ)), or a weight for each label
    solver         "auto", "active_set", "smo", "chunking", "decomposition", "gradient_ascent"
    tol            the largest violation of an optimality condition at which an iterative solver stops
    max_iter       the most steps it may take
    arithmetic     "float", "exact", "decimal:n"; a kernel that is not rational is taken, in exact arithmetic, at the
                   binary64 value of each entry of its Gram matrix

    Attributes
        alpha_ (n, unsigned), support_, dual_coef_ (yᵢαᵢ on support_), intercept_, intercept_interval_ (all optimal
        intercepts), coef_ (linear kernel), objective_, dual_objective_, margin_ (1/‖f‖), certificate_ (exact; made when
        first asked for), n_iter_, classes_

    Raises    InvalidInput for bad data or parameters; NoAnswer if C = inf and the classes cannot be separated, with a
              point shared by their convex hulls as witness; NotConverged, with the best state, after max_iter steps
    """

    method = "svc"
    equations = ("ESL-12.8", "ESL-12.10", "ESL-12.13", "ESL-12.18", "ISML-27.3", "MMST-11.48", "KIM-3.46")
    fitted = (
        "classes_",
        "alpha_",
        "intercept_",
        "intercept_interval_",
        "support_",
        "dual_coef_",
        "coef_",
        "objective_",
        "dual_objective_",
        "margin_",
    )

    def __init__(
        self,
        *,
        C: Any = 1,
        kernel: Any = "linear",
        loss: str = "hinge",
        intercept: bool = True,
        class_weight: Any = None,
        solver: str = "auto",
        tol: Any = None,
        max_iter: Optional[int] = None,
        arithmetic: str = "float",
    ) -> None:
        self.C = C
        self.kernel = kernel
        self.loss = loss
        self.intercept = intercept
        self.class_weight = class_weight
        self.solver = solver
        self.tol = tol
        self.max_iter = max_iter
        self.arithmetic = arithmetic

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> SVC:
        """Train on rows X with labels y of two classes, and optional weights ≥ 0 that multiply C."""
        F = self.field()
        tol, most = self._positive("tol"), self._positive("max_iter", whole=True)
        G, kernel, points = kernel_points(F, self.kernel, X)
        self.classes_, _, machine = self._asked(F, G, kernel, points, y, sample_weight)
        self._trained = train.train(F, machine, solver=self.solver, tol=tol, max_iter=most)
        self._machine, self._given = machine, points
        self._describe(F, G, kernel, points)
        return self

    def machine(self, X: Any, y: Any, sample_weight: Any = None) -> tuple[Machine, list[Any]]:
        """Return the machine to be trained, its data exact, and the two labels in class order: nothing is solved."""
        F = self.field()
        G, kernel, points = kernel_points(F, self.kernel, X)
        classes, _, machine = self._asked(F, G, kernel, points, y, sample_weight)
        return exact_machine(machine, kernel, points), classes

    def _asked(
        self, F: Field, G: Field, kernel: Kernel, points: Any, y: Any, sample_weight: Any
    ) -> tuple[list[Any], Vector, Machine]:
        classes, signs = two_classes(F, y, len(points))
        costs = self._costs(F, classes, signs, sample_weight)
        squared = self.one_of("loss", "hinge", "squared_hinge") == "squared_hinge"
        intercept = bool(self.one_of("intercept", True, False))
        K = kernel_rows(F, G, kernel, points)
        rounded = not kernel.exact
        return classes, signs, Machine(K, signs, costs, squared, intercept, kernel.positive, rounded)

    def _positive(self, name: str, whole: bool = False) -> Any:
        value = getattr(self, name)
        if value is None:
            return None
        if whole and (type(value) is not int or value < 1):
            raise InvalidInput(self.method, need=f"{name} a whole number ≥ 1", got=repr(value))
        return value if whole else self.number(self.field(), name, above=0)

    def _costs(self, F: Field, classes: list[Any], signs: Vector, sample_weight: Any) -> tuple[Any, ...]:
        C = None if is_infinite(self.C) else self.number(F, "C", above=0)
        weights = data.weight_vector(F, sample_weight, len(signs))
        by_class = self._class_weights(F, classes, signs)
        total = [w * by_class[0 if t < 0 else 1] for w, t in zip(weights, signs)]
        for k, side in enumerate((-1, 1)):
            if not any(w for w, t in zip(total, signs) if t == side):
                got, label = "none", classes[k]
                raise InvalidInput(self.method, need="a positive weight in every class", got=got, label=label)
        return tuple([w if w == 0 else None if C is None else C * w for w in total])

    def _class_weights(self, F: Field, classes: list[Any], signs: Vector) -> list[Number]:
        if self.class_weight is None:
            return [F.lift(1), F.lift(1)]
        if self.class_weight == "balanced":
            n = len(signs)
            return [F.lift(Fraction(n, 2 * sum(1 for t in signs if t == side))) for side in (-1, 1)]
        if not isinstance(self.class_weight, Mapping) or any(c not in classes for c in self.class_weight):
            need = f'class_weight None, "balanced", or weights for labels among {classes}'
            raise InvalidInput(self.method, need=need, got=repr(self.class_weight))
        weights = [F.lift(self.class_weight.get(c, 1)) for c in classes]
        for c, w in zip(classes, weights):
            if w < 0:
                raise InvalidInput(self.method, need="class weights ≥ 0", got=w, label=c)
        return weights

    def _describe(self, F: Field, G: Field, kernel: Kernel, points: Any) -> None:
        for name in ("certificate_", "margin_"):
            self.__dict__.pop(name, None)
        trained, signs = self._trained, self._machine.y
        signed = trained.alpha.times(signs)
        self.alpha_ = list(trained.alpha)
        self.support_ = [i for i, a in enumerate(self.alpha_) if a > 0]
        self.dual_coef_ = [[signed[i] for i in self.support_]]
        self.intercept_ = [trained.beta0]
        self.intercept_interval_ = trained.interval
        self.objective_ = trained.objective
        self.dual_objective_ = trained.dual_objective
        self.n_iter_ = trained.steps
        support = tuple(points[i] for i in self.support_)
        coefficients = Vector.of([signed[i] for i in self.support_])
        self._model = train.model(F, G, kernel, support, coefficients, trained.beta0)
        if self._model.beta is not None:
            self.coef_ = [list(self._model.beta)]
        else:
            self.__dict__.pop("coef_", None)

    @cached_property
    def margin_(self) -> Number:
        """The half-width of the band in feature space, 1/‖f‖  [ESL-12.4].  Raises NotExact where it is irrational."""
        self.is_fitted()
        return 1 / self.field().sqrt(self._trained.square)

    @cached_property
    def certificate_(self) -> Certificate:
        """The proof, exact, from the data as given: primal, dual, gap, worst violation and where."""
        self.is_fitted()
        F = self.field()
        machine = exact_machine(self._machine, self._model.kernel, self._given)
        return proof.certify(machine, self._trained.alpha, self._trained.beta0, eps=F.eps)

    def decision_function(self, X: Any) -> list[Number]:
        """Return f(x) + b for each row of X; positive speaks for classes_[1]."""
        self.is_fitted()
        model = self._model
        return list(model.scores(model.kernel.points(model.G, X, data.matrix, training=model.points)))

    def predict(self, X: Any) -> list[Any]:
        """Return a label for each row of X; a decision value of zero is given to classes_[1]  [MMST-11.2]."""
        return [self.classes_[1 if f >= 0 else 0] for f in self.decision_function(X)]


def is_infinite(value: Any) -> bool:
    """Return whether a cost is given as inf, the hard margin."""
    return value == "inf" or (isinstance(value, float) and math.isinf(value) and value > 0)


def exact_machine(machine: Machine, kernel: Kernel, points: Any) -> Machine:
    """Return the machine as its user gave it: a rational kernel is computed from the data in exact arithmetic."""
    return replace(machine, K=exact_rows(kernel, points, machine.K))
