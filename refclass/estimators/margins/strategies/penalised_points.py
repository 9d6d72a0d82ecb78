"""Loss plus penalty on the points of a fit: what was given, the problems it poses, the functions that solve them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Optional

from refclass.errors import InvalidInput
from refclass.estimators.protocol.given.kernel_input import Given
from refclass.kernels.linear import Linear
from refclass.kernels.matrices.gram import Rows
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector
from refclass.losses import loss as losses_by_name
from refclass.margins.penalised import multinomial, penalised
from refclass.margins.svm import fit as train
from refclass.number.field import Field, Number
from refclass.number.rational import RATIONAL


@dataclass(frozen=True)
class Functions:
    """The functions of the classes, one for two classes, and what the solver reports of them.

    models        the functions
    objectives    the objective at every step; the last is that of the answer
    steps         how many steps were made
    interval      the optimal intercepts, as far as the solver has them
    """

    models: tuple[train.Model, ...]
    objectives: tuple[Number, ...]
    steps: int
    interval: Optional[tuple[Any, Any]] = None


@dataclass(frozen=True)
class Options:
    """The parameters of a `KernelClassifier` that say how its problem is solved; tol is a number of the field."""

    method: str
    solver: str
    start: Any
    retarget: str
    tol: Any
    max_iter: Optional[int]
    seed: Optional[int]


@dataclass(frozen=True)
class Points:
    """The points of a fit; those without a weight take no part.

    given           all points, their kernel and its Gram matrix
    places          the points that have a weight
    labels          the class numbers of these
    weights         their weights
    classes         how many classes there are
    loss            the loss: its name, and its parameters
    penalty         λ
    intercept       whether there is an intercept
    coefficients    whether the norm is that of the coefficients
    """

    given: Given
    places: tuple[int, ...]
    labels: tuple[int, ...]
    weights: Vector
    classes: int
    loss: Mapping[str, Any]
    penalty: Fraction
    intercept: bool
    coefficients: bool

    def features(self, rows: Any) -> Matrix:
        """Return the table of K(xᵢ, xⱼ), i a row that has a weight: in the norm of coefficients, the features of i."""
        return Matrix.of([rows.row(i) for i in self.places])

    def table(self, F: Field, rows: Any) -> Any:
        """Return the Gram matrix: K itself, or ΦΦᵀ with Φ = K, over the rows that have a weight."""
        if self.coefficients:
            return Rows(F, Linear(), self.features(rows))
        if len(self.places) == len(rows):
            return rows
        if isinstance(rows, Rows):
            return rows.part(self.places)
        return Matrix.of([Vector.of([row[j] for j in self.places]) for row in self.features(rows)])

    def problem(self, F: Field, K: Any) -> penalised.Problem:
        """Return the problem of two classes with that Gram matrix."""
        kernel = self.given.kernel
        y = Vector.of([F.lift(2 * k - 1) for k in self.labels])
        loss: Any = losses_by_name.loss(F, **self.loss)
        # Premise: ΦΦᵀ is positive semidefinite whatever Φ is.
        positive, rounded = kernel.positive or self.coefficients, not (kernel.exact or self.coefficients)
        return penalised.Problem(K, y, self._lifted(F), loss, F.lift(self.penalty), self.intercept, positive, rounded)

    def exact_problem(self) -> penalised.Problem:
        """Return the problem with its numbers at their exact worth, as the user gave them."""
        K = self.given.exact_table() if self.coefficients else self.given.exactly()
        return self.problem(RATIONAL, self.table(RATIONAL, K))

    def multinomial(self) -> multinomial.Problem:
        """Return the problem of the multinomial deviance, for any number of classes."""
        F = self.given.F
        K = self.table(F, self.given.rows)
        return multinomial.problem(
            F, K, self.labels, self.classes, self._lifted(F), F.lift(self.penalty), self.intercept
        )

    def exact_multinomial(self) -> Any:
        """Return the same problem with the numbers as the user gave them; it is proven, not solved."""
        K, weights = self.table(RATIONAL, self.given.exact_table()), self._lifted(RATIONAL)
        return multinomial.Problem(RATIONAL, K, self.labels, self.classes, weights, self.penalty, self.intercept)

    def spread(self, a: Vector) -> Vector:
        """Return the coefficients of f over all rows: θ = Φᵀa in the norm of coefficients."""
        F = self.given.F
        if self.coefficients:
            return penalised.coefficients(F, a, self.features(self.given.rows))
        spread = [F.kind(0)] * len(self.given)
        for i, v in zip(self.places, a):
            spread[i] = v
        return Vector.of(spread)

    def picked(self, spread: Sequence[Any]) -> Vector:
        """Return the entries of the rows that have a weight.  Raises InvalidInput if another is not zero."""
        for i in set(range(len(spread))).difference(self.places):
            if spread[i]:
                raise InvalidInput("verify", need="alpha 0 where the weight is 0", got=spread[i], row=i)
        return Vector.of([self.given.F.lift(spread[i]) for i in self.places])

    def function(self, alpha: Vector, beta0: Number) -> train.Model:
        """Return the function of coefficients over all rows."""
        given = self.given
        return train.model(given.F, given.G, given.kernel, tuple(given.points), alpha, beta0)

    def _lifted(self, F: Field) -> Vector:
        return Vector.of(map(F.lift, self.weights.exactly()))
