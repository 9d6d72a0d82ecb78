"""A support vector machine of two classes, with the methods of `SVC`: attributes, margin, proof, values, labels."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from math import sqrt
from typing import Any, Optional

from refclass.certificate import Certificate
from refclass.errors import InvalidInput, NotExact
from refclass.estimators.protocol.certificates import stated
from refclass.estimators.protocol.given.kernel_input import Given
from refclass.estimators.protocol.multiclass_attributes import NoMargin, OneMachine
from refclass.kernels.matrices import gram
from refclass.kernels.matrices.product import linear_points, squared_norm
from refclass.kernels.spaces.rkhs import Element, Expansion
from refclass.linear.common_denominator import Scaled
from refclass.linear.vector import Vector
from refclass.margins.svm import certificate
from refclass.margins.svm import fit as train
from refclass.margins.svm.geometry.fitted_hyperplane import Hyperplane
from refclass.margins.svm.geometry.hyperplane import side
from refclass.margins.svm.optimality import Optimality, optimality
from refclass.margins.svm.soft import Machine
from refclass.number.field import Field, Number, rational
from refclass.number.text import approximate
from refclass.regress.kernel.fitted_machine import Fitted
from refclass.sample import data

ROUNDED = 1 / 2**40  # part of the terms of ‖f‖² below which it may be their roundoff


def costs_of_points(
    method: str, C: Optional[Number], weights: Vector, signs: Vector, classes: Sequence[Any]
) -> tuple[Optional[Number], ...]:
    """Return C times the weight of each point, None for no slack, 0 for no part in the machine.

    Raises    InvalidInput for a class without a weight
    """
    for label, sign in zip(classes, (-1, 1)):
        if not any(w for w, t in zip(weights, signs) if t == sign):
            raise InvalidInput(method, need="a positive weight in every class", got="none", label=label)
    of_weight = {w: w if w == 0 else None if C is None else C * w for w in set(weights)}  # equal costs are one number
    return tuple(map(of_weight.__getitem__, weights))


@dataclass(frozen=True)
class Held:
    """What a fit leaves beside the decision function: the multipliers, the machine that they solve, and its points."""

    trained: Fitted
    machine: Machine
    given: Given

    def model(self) -> train.Model:
        """Return the decision function, over the support vectors alone."""
        trained, given = self.trained, self.given
        support = [i for i, a in enumerate(trained.a) if a] or [0]  # a constant keeps a point, which says its length
        points, weights = tuple([given.points[i] for i in support]), Vector.of([trained.a[i] for i in support])
        return train.model(given.F, given.G, given.kernel, points, weights, trained.beta0, trained.beta)

    def proven(self, method: str) -> train.Model:
        """Return the decision function.  Raises NotConverged where it is not the one that the fit has proven."""
        model, found = self.model(), self.trained.proven
        if found is not None:
            stated.require(
                method, stated.functions(found, [model], self.trained.objective, self.trained.dual_objective)
            )
        return model

    def exactly(self) -> Machine:
        """Return the machine with the Gram matrix of its data as the user gave them."""
        return replace(self.machine, K=self.given.exactly())


@dataclass(frozen=True)
class BinaryMachine:
    """One machine of two classes.

    method     the name of the estimator, for refusals
    classes    the two labels; positive values of the function mean the second
    model      the decision function
    held       what the fit has left; None if the function was stored without it
    """

    method: str
    classes: Sequence[Any]
    model: train.Model
    held: Optional[Held]

    @property
    def fit(self) -> Held:
        """What the fit has left."""
        assert self.held is not None
        return self.held

    def attributes(self) -> dict[str, Any]:
        """Return the fitted attributes by name."""
        trained = self.fit.trained
        signed = trained.a
        support = [i for i, a in enumerate(signed) if a]
        found = {
            "alpha_": list(trained.alpha),
            "support_": support,
            "dual_coef_": [[signed[i] for i in support]],
            "intercept_": [trained.beta0],
            "intercept_interval_": trained.interval,
            "objective_": trained.objective,
            "dual_objective_": trained.dual_objective,
            "n_iter_": trained.steps,
        }
        return found if self.model.beta is None else {**found, "coef_": [list(self.model.beta)]}

    @property
    def estimators_(self) -> list[Any]:
        """Raises OneMachine: there is one machine."""
        raise OneMachine(self.method, need="more than two classes for estimators_", got=list(self.classes))

    def names(self) -> list[str]:
        """Return what the machine separates, in words."""
        return [f"for {self.classes[1]}"]

    def margin(self, F: Field) -> Any:
        """Return 1/‖f‖  [ESL-12.4].  Raises NotExact where it is irrational or imaginary, NoMargin where f = 0."""
        square = self._square(F)
        if square == 0:
            raise NoMargin(self.method, need="a function that is not constant, for a margin", got="f = 0")
        if square < 0:
            need = "a kernel that is positive semidefinite, for a margin"
            raise NotExact(self.method, need=need, got=f"‖f‖² = {approximate(square):.6g}")
        return 1 / F.sqrt(square)

    def _square(self, F: Field) -> Any:
        """Return ‖f‖²; in doubles that of the multipliers as they are, where it is roundoff of its terms."""
        trained, machine = self.fit.trained, self.fit.machine
        if F.kind is not float or self.model.beta is not None:
            return trained.square
        terms = sum([abs(a) * sqrt(abs(k)) for a, k in zip(trained.a, machine.K.diagonal())])
        if abs(trained.square) > ROUNDED * terms * terms:
            return trained.square
        return float(squared_norm(self.fit.exactly().K, Scaled.of(trained.a)))

    def certificate(self, margin: Any) -> Certificate:
        """Return the proof, exact, from the data as given; `margin` is what is said of 1/‖f‖, None if nothing is."""
        trained, model = self.fit.trained, self.model
        beta = None if model.beta is None or model.F.exact else Vector.of(model.beta)
        machine = self.fit.machine
        if linear_points(machine.K) is None or gram.rounded(self.fit.given.points):
            machine = self.fit.exactly()  # else a proof takes the points as they are
        found = trained.proven or certificate.certify(machine, trained.alpha, trained.beta0, beta=beta)
        found = stated.functions(found, [model], trained.objective, trained.dual_objective)
        if margin is None:
            return found
        square = squared_norm(machine.K, Scaled.of(trained.a)) if beta is None else Scaled.of(beta) @ Scaled.of(beta)
        return stated.reciprocal_root(model.F, found, "margin_", margin, square)

    def conditions(self) -> Optimality:
        """Return what the optimality conditions say of the multipliers, in fractions, from the data as given."""
        trained = self.fit.trained
        # Premise: multipliers of doubles have the costs of doubles for their bounds.
        machine = replace(self.fit.exactly(), given=None)
        alpha = Vector.of(map(rational, trained.alpha))
        return optimality(certificate.lifted(machine), alpha, rational(trained.beta0))

    def hyperplane(self) -> Hyperplane:
        """Return the hyperplane.  Raises InvalidInput unless the kernel is linear."""
        if self.model.beta is None:
            raise InvalidInput(self.method, need="a linear kernel, for a hyperplane", got="another")
        return Hyperplane(self.model.F, self.model.beta, self.model.beta0)

    def function(self) -> Element:
        """Return f = Σ αᵢyᵢ K(xᵢ, ·), without b, as an element of the kernel's Hilbert space."""
        model = self.model
        return Element(model.G, Expansion(model.kernel, model.points, Vector.of(map(model.G.lift, model.coefficients))))

    def decision_function(self, X: Any) -> list[Any]:
        """Return f(x) + b for each row of X."""
        model = self.model
        return list(model.scores(model.kernel.points(model.G, X, data.matrix, training=model.points)))

    def predict(self, X: Any) -> list[Any]:
        """Return a label for each row of X; a tie is given to the second  [ESL-12.18] [MMST-11.2]."""
        return [self.classes[side(f) >= 0] for f in self.decision_function(X)]

    @property
    def votes(self) -> Callable[[Any], list[list[int]]]:
        """X -> for each row of X how many machines each class wins."""
        return lambda X: [[0, 1] if f >= 0 else [1, 0] for f in self.decision_function(X)]

    def ties(self, X: Any) -> list[list[Any]]:
        """Return for each row of X the labels that the rule cannot distinguish: one, or both on the boundary."""
        return [[self.classes[f > 0]] if f else list(self.classes) for f in self.decision_function(X)]

    def unclassifiable(self, X: Any) -> list[bool]:
        """Return for each row of X whether it lies on the boundary."""
        return [side(f) == 0 for f in self.decision_function(X)]
