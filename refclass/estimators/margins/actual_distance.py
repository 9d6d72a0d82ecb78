"""The support vector classifier with slack in actual distance."""

from __future__ import annotations

from copy import copy
from fractions import Fraction
from functools import cached_property, partial
from math import inf
from typing import Any

from refclass.certificate import Certificate
from refclass.errors import InvalidInput, quoted
from refclass.estimators.margins.svc import SVC
from refclass.estimators.protocol.estimator import Classifier, Estimator
from refclass.estimators.protocol.rounded_columns import require_columns
from refclass.kernels.matrices import expansions
from refclass.margins.svm import actual_distance
from refclass.margins.svm.actual_distance import Model
from refclass.sample import data


class ActualDistanceSVC(Classifier, Estimator):
    """The support vector classifier with slack in actual distance  [ESL-12.5] [YANG-nonseparable-case].

        maximise M   subject to   yᵢ(xᵢᵀu + u₀) ≥ M − ξᵢ,   ξᵢ ≥ 0,   ‖u‖ = 1,   Σ ξᵢ ≤ B

    y is +1 for classes_[1] and −1 for classes_[0]. The problem is not convex. Yet each soft margin is its optimum,
    among all points, for the budget Σ ξᵢ/‖β‖ [RC-31]; C is sought for which that is B. Budgets that no soft margin has,
    below the limit for C → ∞ of classes that overlap, are refused: there nothing is proven.

    Parameters
    ----------
    budget : number ≥ 0, or None, default None
        B, a sum of distances in the units of X; 0 for the hard margin, None for that of the soft margin of cost C.
    C : number > 0, default 1
        The cost, where no budget is given.
    arithmetic : "float", "exact" or "decimal:n", default "float"
        The numbers that are computed with; exact only where ‖β‖ is rational. C is sought in doubles.

    Attributes
    ----------
    classes_ : list of two labels
        The classes, sorted where they can be compared, else in order of appearance.
    coef_ : 1 × p numbers
        u, of length one.
    intercept_ : list of one number
        u₀.
    distance_ : number
        M.
    slack_ : list of n numbers
        The ξᵢ.
    budget_ : number
        Σ ξᵢ: B to twelve digits.
    cost_ : number
        The cost of the soft margin.
    certificate_ : Certificate
        The proof of the soft margin; with it (u, u₀, M) is the optimum for `budget_`.

    Raises
    ------
    InvalidInput
        For bad data, parameters, or more than two classes.
    NoAnswer
        For a budget that no soft margin has, and where β is zero.
    NotConverged
        Where no cost with the budget is found.
    NotExact
        In exact arithmetic, where ‖β‖ is not rational.

    See Also
    --------
    SVC : slack relative to the margin

    References
    ----------
    - T. Hastie, R. Tibshirani and J. Friedman (2009). The Elements of Statistical Learning, second edition, section
      12.2.

    Examples
    --------
    >>> m = ActualDistanceSVC(budget=6).fit([[0], [1], [3], [2], [4], [5]], [-1, -1, -1, 1, 1, 1])
    >>> round(m.distance_, 9), round(m.budget_, 9), m.predict([[0], [9]])
    (2.0, 6.0, [-1, 1])
    """

    method = "actual_distance"
    equations = ("ESL-12.5", "YANG-nonseparable-case")
    fitted = ("classes_", "coef_", "intercept_", "distance_", "slack_", "budget_", "cost_")
    state = ("_model", "_machine")
    only_two_classes = True

    def __init__(self, *, budget: Any = None, C: Any = 1, arithmetic: str = "float") -> None:
        self.budget = budget
        self.C = C
        self.arithmetic = arithmetic

    def fit(self, X: Any, y: Any) -> ActualDistanceSVC:
        """Fit rows X with labels y.

        Raises    InvalidInput, naming row and column, for bad data or parameters; NoAnswer for too small a budget
        """
        F = self.field()
        budget = None if self.budget is None else self.number(F, "budget", least=0)
        cost, rows = self.number(F, "C", above=0), data.matrix(F, X)
        require_columns(self.method, rows)
        y = data.sequence(y)
        names, numbers = data.labels(y, len(rows))
        if len(names) != 2:
            raise InvalidInput("data", need="labels of two classes in y", got=f"{len(names)}: {quoted(list(names))}")
        signs = [2 * k - 1 for k in numbers]

        def fitted(C: Any, arithmetic: Any = self.arithmetic) -> tuple[SVC, Model]:
            points = rows.exactly() if arithmetic == "exact" else rows
            machine = SVC(C=C, arithmetic=arithmetic).fit(points, y)
            values = machine.decision_function(points)
            normal, offset = machine.coef_[0], machine.intercept_[0]
            return machine, actual_distance.of_soft_margin(F, normal, offset, [s * v for s, v in zip(signs, values)])

        extent = max([max(column) - min(column) for column in zip(*rows)]) or F.kind(1)
        # Premise: nine digits of an objective may leave β few, and its length none; of a linear machine the exact
        # optimum costs little more.
        exactly = partial(fitted, arithmetic="exact")
        if budget:
            self._machine, self._model = actual_distance.search(fitted, exactly, float(budget), float(extent))
        else:
            self._machine, self._model = exactly(cost if budget is None else inf)
        self._names = list(names)
        self.__dict__.pop("certificate_", None)
        self._tell()
        return self

    def _tell(self) -> None:
        model = self._model
        C = self._machine.C
        self.classes_, self.cost_ = list(self._names), self.field().lift(C) if isinstance(C, Fraction) else C
        self.coef_, self.intercept_, self.distance_ = [list(model.u)], [model.u0], model.M
        self.slack_, self.budget_ = list(model.slack), model.budget

    @cached_property
    def certificate_(self) -> Certificate:
        """The proof of the soft margin, exact, from the data as given."""
        self.is_fitted()
        found: Certificate = self._machine.certificate_
        return self.covering(found)

    def restated(self) -> ActualDistanceSVC:
        """Return a copy whose fitted attributes are set anew from the model that was proven."""
        again = copy(self)
        again._tell()
        return again

    def decision_function(self, X: Any) -> list[Any]:
        """Return the signed distance of each row of X from the boundary."""
        self.is_fitted()
        rows = data.matrix(self.field(), X, columns=len(self._model.u))
        return [f for (f,) in expansions.linear([(self._model.u, self._model.u0)], rows)]

    def predict(self, X: Any) -> list[Any]:
        """Return a label for each row of X; a distance of zero is given to classes_[1]."""
        return [self.classes_[1 if v >= 0 else 0] for v in self.decision_function(X)]
