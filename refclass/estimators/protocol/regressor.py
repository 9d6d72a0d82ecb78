"""What every regression estimator provides: fit on one response or several, predictions of the same shape, and R²."""

from __future__ import annotations

from collections.abc import Iterable
from copy import copy
from fractions import Fraction
from functools import cached_property
from typing import Any, Optional

from refclass.certificate import ASKED, Certificate, lost
from refclass.errors import InvalidInput, NotExact
from refclass.estimators.protocol.certificates import stated
from refclass.estimators.protocol.estimator import Estimator, Steps
from refclass.estimators.protocol.more_digits import STEEP, uneven_weights
from refclass.estimators.protocol.rounded_columns import lost_column, require_columns
from refclass.iteration import ending
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Rounded, Vector
from refclass.number.field import Field
from refclass.sample import data
from refclass.sample.determination import r_squared

LEAST = Fraction(1, 2**960)  # responses, and their ratios to columns, of which doubles hold sums, are no smaller


class Regressor(Estimator):
    """An estimator of numbers: y is a sequence of numbers, or of rows of them, one column for each response.

    A subclass says how to `regress`, and what to `describe` of the model; predictions, fitted values and coefficients
    are flat lists for one response given as numbers, lists of rows otherwise.
    """

    state = ("_model", "_field", "_width", "_flat")
    _estimator_type = "regressor"
    fitted_values_: list[Any]

    def regress(self, F: Field, X: Matrix, Y: Matrix, weights: Optional[Vector] = None) -> Any:
        """Return the model of layer 4 with this estimator's parameters, fitted to X (n × p) and Y (n × q).

        It has `predict(X)`, `fitted` and `degrees_of_freedom`; FDA requires this of a regression.
        """
        raise NotImplementedError

    def regressing(self, F: Field, X: Matrix, Y: Matrix, weights: Optional[Vector] = None) -> Steps[Any]:
        """Yield how far the regression has come, and return the model: for long fits, and what stands on them."""
        yield 0, 1, self.method
        return self.regress(F, X, Y, weights)

    def work(self, n: int, p: int) -> int:
        """Return how many multiplications a fit is, about."""
        return n * p**2 + p**3

    def describe(self, model: Any) -> None:
        """Set the attributes that are read off the model."""
        raise NotImplementedError

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Any:
        """Fit y on the rows of X; an integer weight stands for copies of its row.

        Raises    InvalidInput, naming row and column, for bad data or parameters
        """
        return ending(self.fit_steps(X, y, sample_weight))

    def fit_steps(self, X: Any, y: Any, sample_weight: Any = None) -> Steps[Any]:
        """Fit as `fit` does, and yield on the way how much is done, of how much, in words; return the estimator."""
        F = self.field()
        rows = data.matrix(F, X)
        Y, self._flat = responses(F, y, len(rows))
        if F.kind is not float:
            for name, numbers in (("X", rows), ("y", Y)):
                require_columns(self.method, numbers, name)
        weights = data.weight_vector(F, sample_weight, len(rows))
        if not any(weights):
            raise InvalidInput("data", need="a positive weight in sample_weight", got="none")
        self._hold(F, (yield from self.regressing(F, rows, Y, weights)), rows, Y, weights)
        require_digits(self, rows, Y, weights)
        return self

    def _hold(self, F: Field, model: Any, X: Matrix, Y: Matrix, weights: Vector) -> None:
        self._model, self._given = model, (X, Y, weights)
        self.__dict__.pop("certificate_", None)
        self._field, self._width = F, len(X[0])
        self.fitted_values_ = self.shown(model.fitted)
        self.describe(model)

    def holding(self, F: Field, model: Any, X: Matrix, Y: Matrix, weights: Vector) -> Regressor:
        """Return a fitted copy that holds a model which `regressing` has made for a classifier."""
        held = copy(self)
        held.arithmetic, held._flat = F.name, False
        held._hold(F, model, X, Y, weights)
        return held

    def prove(self, model: Any, X: Matrix, Y: Matrix, weights: Vector, eps: Any) -> Certificate:
        """Return the proof beside the model; eps is the spacing of the numbers it was computed in."""
        raise NotImplementedError

    @cached_property
    def certificate_(self) -> Certificate:
        """The proof, in exact arithmetic from the data as given; made when first asked for."""
        self.is_fitted()
        return self.covering(self.judged(self.prove(self._model, *self._given, self._field.eps)))

    def judged(self, found: Certificate) -> Certificate:
        """Return the proof of the model, with no more digits than the numbers stored beside it have of their own."""
        X, _, weights = self._given
        values = self.values(self._model, X)
        return stated.values(self._field, found, "fitted_values_", self._model.fitted, values, weights)

    def values(self, model: Any, X: Matrix) -> tuple[Matrix, Matrix]:
        """Return the values of the model at the rows of X, exact, and the sizes of the terms that they are sums of."""
        raise NotImplementedError

    def restated(self) -> Any:
        """Return a copy whose fitted attributes are set anew from the model that was proven."""
        again = copy(self)
        again.fitted_values_ = again.shown(self._model.fitted)
        again.describe(self._model)
        return again

    def predict(self, X: Any) -> list[Any]:
        """Return the fitted function at the rows of X: numbers, or rows of them where y was rows."""
        self.is_fitted()
        rows = data.matrix(self._field, X, columns=self._width)
        return self.shown(within_range(self.method, self._model.predict(rows)))

    def score(self, X: Any, y: Any) -> Any:
        """Return R² = 1 − Σ‖y − f(x)‖²/Σ‖y − ȳ‖², over all responses together.

        Raises    NoAnswer if the responses do not vary
        """
        self.is_fitted()
        rows = data.matrix(self._field, X, columns=self._width)
        Y, _ = responses(self._field, y, len(rows))
        return r_squared(self._field, self.method, Y.T, self._model.predict(rows).T)

    def shown(self, values: Matrix) -> list[Any]:
        """Return a matrix with a column for each response as y was given: a flat list, or a list of rows."""
        return [row[0] for row in values] if self._flat else [list(row) for row in values]


def require_digits(fitted: Any, rows: Matrix, Y: Matrix, weights: Optional[Vector] = None) -> None:
    """Refuse a fit whose digits doubles have lost.

    Raises    NotConverged with the bounds where a row that weighs most, curves on uneven gaps, or monomials that nearly
              depend, leave less than one,
              and where curves, or data that vary by little more than the numbers read are rounded by, have fewer than
              are asked for and miss their ceiling; NotExact where responses, or their ratios to a column, are near the
              ends of doubles and fewer are left than are asked for, or than one where the ceiling is known
    """
    if rows.kind is Fraction:
        return
    coarse = any(lost_column(M, STEEP) is not None for M in (rows, Y))
    largest = [max(map(abs, column)) for column in (*rows.T, [1])]
    sizes = [t for t in (max(map(abs, column)) for column in Y.T) if t]
    extreme = rows.kind is float and not all(LEAST <= t / s <= 1 / LEAST for t in sizes for s in largest if s)
    uneven = weights is not None and uneven_weights(weights)
    model = getattr(fitted, "_model", None)
    doubtful, steep = coarse or getattr(model, "doubtful", False), getattr(model, "steep", False)
    found = fitted.certificate_ if extreme or uneven or doubtful or steep else None
    if found is None or found.digits is None:
        return
    short = doubtful and found.digits < (ASKED if found.ceiling is None else min(ASKED, found.ceiling - 1))
    if short or (found.digits < 1 and (uneven or doubtful or steep)):
        numbers = "" if steep and not short else "doubles" if rows.kind is float else "decimals"
        raise lost(fitted.method, found.digits, found, numbers)
    if extreme and found.digits < ASKED and (found.ceiling or 0) < 1:
        need = "a fit within the range of doubles (scale X and y, or use exact arithmetic)"
        raise NotExact(fitted.method, need=need, got=f"one of {found.digits:.1f} digits")


def within_range(method: str, values: Any) -> Any:
    """Return values at points.  Raises InvalidInput, naming the row, where one is beyond the range of numbers."""
    for i, row in enumerate(values):
        if any(v - v != 0 for v in row):
            need = "points whose values are within the range of numbers"
            raise InvalidInput(method, need=need, got="one beyond it", row=i)
    return values


def responses(F: Field, y: Any, n: int) -> tuple[Matrix, bool]:
    """Return y as a matrix over F, n × q, and whether it was one response given as plain numbers.

    Raises    InvalidInput, naming row and column
    """
    given = data.sequence(y, "y as a sequence of numbers or of rows of them")
    if given and isinstance(given[0], Iterable) and not isinstance(given[0], (str, bytes)):
        Y = data.matrix(F, given, name="y")
        if len(Y) != n:
            raise InvalidInput("data", need=f"{n} rows in y, one for each row of X", got=len(Y))
        return Y, False
    found = data.vector(F, given, n)
    rows = [found.pick([i]) for i in range(n)] if isinstance(found, Rounded) else [Vector.of([v]) for v in found]
    return Matrix.of(rows), True
