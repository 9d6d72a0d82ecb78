"""Linear regression by least squares."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from fractions import Fraction
from math import sqrt
from operator import mul
from typing import Any, Optional

from refclass.certificate import ASKED, Certificate
from refclass.errors import InvalidInput, NoAnswer, NotExact
from refclass.estimators.protocol.certificates import stated
from refclass.estimators.protocol.more_digits import limit, uneven_weights
from refclass.estimators.protocol.regressor import Regressor
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Rounded, Vector
from refclass.number.field import Field
from refclass.number.rational import RATIONAL
from refclass.number.tolerance import roundoff
from refclass.regress.linear import least_squares, ridge_certificate, row_deletion
from refclass.sample.mean import Origin, mean, of_fractions
from refclass.sample.observations import Block

TRACE = 60  # digits of the decimals that a trace is proven in, besides those of the arithmetic
WORK = 10**7  # multiplications np² up to which a fit that doubles may spoil is computed in fractions


class LinearRegressor(Regressor):
    """A linear function fitted by least squares, with a penalty or without: coef_, intercept_, and an exact proof."""

    intercept: Any

    def regress(self, F: Field, X: Matrix, Y: Matrix, weights: Optional[Vector] = None) -> least_squares.Model:
        """Return the fitted model of layer 4; what rounded numbers cannot hold on the way is computed in fractions."""
        if F.exact:
            return self.modelled(F, X, Y, weights)
        # Premise: a mean rounded beside a row that outweighs others is no mean of these, and the objective hides it.
        if weights is not None and uneven_weights(weights) and len(X) * len(X[0]) ** 2 <= WORK:
            return self._exactly(F, X, Y, weights)
        try:
            model = self.modelled(F, X, Y, weights)
            if all(v - v == 0 for row in model.fitted for v in row):
                return self._proven(F, X, Y, weights, model)
        except (InvalidInput, NoAnswer, OverflowError, ZeroDivisionError):
            pass  # Premise: whether there is an answer is for exact arithmetic to say.
        return self._exactly(F, X, Y, weights)

    def _exactly(self, F: Field, X: Matrix, Y: Matrix, weights: Optional[Vector]) -> least_squares.Model:
        """Return the exact model, rounded."""
        rows, exact = X.exactly(), None if weights is None else weights.exactly()
        found = self.modelled(RATIONAL, rows, Y.exactly(), exact)
        if not found.constant:  # far from zero terms of Bᵀx cancel without an intercept, too
            weights = exact or Vector.of([RATIONAL.kind(1)] * len(X))
            found = replace(found, middle=found.at(mean(Block.of(rows, weights))))
        return _rounded(F, found, of_fractions(F, rows, exact))

    def _proven(
        self, F: Field, X: Matrix, Y: Matrix, weights: Optional[Vector], model: least_squares.Model
    ) -> least_squares.Model:
        """Return the model, or the exact one rounded, where that proves more and the model less than is asked for.

        So it is, too, where columns depend on each other so nearly that an objective of many digits leaves coefficients
        few: away from the points the function is another.
        """
        if least_squares.digits_suffice(X, Y, model, weights) or len(X) * len(X[0]) ** 2 > WORK:
            return model
        w = Vector.of([X.kind(1)] * len(X)) if weights is None else weights
        digits = self._certified(model, X, Y, w).digits or 0
        steep = model.known.condition > limit(X.kind)
        if digits >= ASKED and not steep:
            return model
        exact = self._exactly(F, X, Y, weights)
        return exact if (self._certified(exact, X, Y, w).digits or 0) >= min(digits, ASKED) else model

    def modelled(self, F: Field, X: Matrix, Y: Matrix, weights: Optional[Vector]) -> least_squares.Model:
        """Return the model in the arithmetic of F."""
        raise NotImplementedError

    def penalty_matrix(self, p: int) -> Optional[Matrix]:
        """Return the penalty on the coefficients at its exact worth, p × p, None if there is none."""
        return None

    def describe(self, model: least_squares.Model) -> None:
        """Set coef_, intercept_, objective_, degrees_of_freedom_."""
        B = model.coefficients.T
        self.coef_ = list(B[0]) if self._flat else [list(b) for b in B]
        self.intercept_ = list(model.intercepts)
        self.objective_ = self._objective(model)
        F, steep = self.field(), limit(self._given[0].kind)
        few = (
            not F.exact and len(self._given[0]) * len(self._given[0][0]) ** 2 <= WORK and model.known.condition > steep
        )
        self.degrees_of_freedom_ = F.lift(self._trace() if few else model.degrees_of_freedom)

    def objective(self, model: least_squares.Model) -> Any:
        """Return Σ wᵢ‖yᵢ − f(xᵢ)‖², without the penalty."""
        X, Y, w = self._given
        return sum((v * (r @ r) for v, r in zip(w, Y - model.fitted)), X.kind(0))

    def _objective(self, model: least_squares.Model) -> Any:
        """Return the objective of coef_ and intercept_: exact and rounded where rounding loses its digits."""
        value, F = self.objective(model), self.field()
        if F.exact or (F.kind is float and self._holds(model, value)):
            return value
        X, Y, w = self._given
        with suppress(InvalidInput):  # one beyond the range of doubles
            return self.field().lift(ridge_certificate.objective(*self._system(model, X, Y, w)))
        return value

    def _holds(self, model: least_squares.Model, value: float) -> bool:
        """Return whether roundoff changes an objective in doubles after its first ten digits at most.

        Proof: a residual is a sum of p + 2 terms, none larger than the sum s of their largest values: it is off by at
        most (p + 4)us = e, and √(Σwᵢrᵢ²), a norm, by √(Σwᵢ) e for each response.
        """
        X, Y, w = self._given
        b, B = model.intercepts, model.coefficients
        sizes = [max(map(abs, column)) for column in zip(*X)]
        terms = [abs(b[k]) + sum(map(mul, map(abs, c), sizes)) for k, c in enumerate(B.T)]
        most = max(t + max(map(abs, column)) for t, column in zip(terms, zip(*Y)))
        error = (len(sizes) + 4) * roundoff(float) * most
        return bool(2 * error * sqrt(sum(w) * len(terms)) * 10 ** (ASKED + 1) <= sqrt(value))

    def without_each(self, X: Any, y: Any, method: str) -> Iterator[Any]:
        """Fit, and return the linear functions without each row  [CV-LOO]."""
        if method != "predict":
            return super().without_each(X, y, method)
        model = self.fit(X, y)._model
        return row_deletion.without_each(self.field(), *self._given, model)

    def prove(self, model: least_squares.Model, X: Matrix, Y: Matrix, weights: Vector, eps: Any) -> Certificate:
        """Return the proof: objective, a lower bound on it, gap, worst gradient; beside few digits their ceiling."""
        found = self._certified(model, X, Y, weights)
        if X.kind is Fraction or (found.digits or 0) >= ASKED or len(X) * len(X[0]) ** 2 > WORK:
            return found
        best = self._exactly(self.field(), X, Y, weights)
        return ridge_certificate.limited(found, self._certified(best, X, Y, weights))

    def _certified(self, model: least_squares.Model, X: Matrix, Y: Matrix, weights: Vector) -> Certificate:
        X, Y, B, weights, P = self._system(model, X, Y, weights)
        return ridge_certificate.certify(X, Y, B, weights, P)

    def judged(self, found: Certificate) -> Certificate:
        """Return the proof, with no more digits than fitted values, objective and degrees of freedom have."""
        found = stated.objectives(self._field, super().judged(found), self.objective_)
        return stated.number(self._field, found, "degrees_of_freedom_", self.degrees_of_freedom_, self._trace())

    def _trace(self) -> Fraction:
        """Return the trace of the map from responses to fitted values, in an exact field the exact one."""
        rows, _, _, w, P = self._system(self._model, *self._given)
        if P is None:
            return Fraction(len(rows[0]))  # dependent columns are refused
        digits = None if self._field.exact else TRACE + getattr(self._field.kind, "precision", 0)
        return ridge_certificate.trace(rows, w, P, digits)

    def values(self, model: least_squares.Model, X: Matrix) -> tuple[Matrix, Matrix]:
        """Return the values of the model at the rows of X, exact, and the sizes of the terms that they are sums of."""
        rows, _, B, _, _ = self._system(model, *self._given)
        return ridge_certificate.values(rows, B)

    def _system(
        self, model: least_squares.Model, X: Matrix, Y: Matrix, weights: Vector
    ) -> tuple[Matrix, Matrix, Matrix, Vector, Optional[Matrix]]:
        """Return rows, responses, coefficients, weights and penalty with the constant as a column before the others."""
        B, P = model.coefficients, self.penalty_matrix(len(X[0]))
        if any(isinstance(x, Rounded) for x in X):
            X = X.exactly()
        one = X.kind(1)
        if self.intercept:
            X = Matrix.of([Vector.of((one, *x)) for x in X])
            B = Matrix.of([model.intercepts, *B])
            P = None if P is None else _bordered(P)
        return X, Y, B, weights, P


def _rounded(F: Field, model: least_squares.Model, about: Optional[Origin]) -> least_squares.Model:
    """Return an exact model in a rounded field, points measured from `about`.

    Raises    NotExact for one that is beyond its numbers
    """
    try:
        tables = [[Vector.of(map(F.lift, row)) for row in rows] for rows in (model.coefficients, model.fitted)]
        b, middle = (Vector.of(map(F.lift, v)) for v in (model.intercepts, model.middle))
    except InvalidInput as refusal:
        need = f"an answer within the range of {'doubles' if F.kind is float else F.name}"
        raise NotExact("linear_regression", need=need, got=refusal.got) from None
    B, fitted = map(Matrix.of, tables)
    whole = least_squares.Measured(model.intercepts, model.coefficients, model.middle, None)
    return replace(model, intercepts=b, coefficients=B, fitted=fitted, middle=middle, origin=about, whole=whole)


def _bordered(P: Matrix) -> Matrix:
    """Return the penalty matrix of the coefficients with the constant, which is not penalised, before them."""
    zero = P.kind(0)
    return Matrix([[zero] * (len(P) + 1), *[[zero, *row] for row in P]])


class LinearRegression(LinearRegressor):
    """Least squares on the variables and a constant  [ESL-12.35] [YANG-linear-regression].

        minimise Σ wᵢ ‖yᵢ − b − Bᵀxᵢ‖²

    Parameters
    ----------
    intercept : bool, default True
        Whether there is a b.
    arithmetic : "float", "exact" or "decimal:n", default "float"
        The numbers that are computed with: binary64, fractions, or decimals of n digits.

    Attributes
    ----------
    coef_ : p numbers, or q × p
        B, a row for each response, in units of y over units of X.
    intercept_ : number, or q numbers
        b, in the units of y.
    objective_ : number
        The sum of squares, in the units of y squared.
    degrees_of_freedom_ : number
        The trace of the map from y to the fitted values.
    fitted_values_ : n numbers, or n × q
        The fitted values at the rows of X, in the units of y, shaped as y.
    certificate_ : Certificate
        The proof, computed in exact arithmetic from the data as given when it is first asked for.

    Raises
    ------
    InvalidInput
        For bad data or parameters.
    NoAnswer
        With a null vector if the columns of X and the constant are linearly dependent.

    See Also
    --------
    Ridge : with a penalty

    References
    ----------
    - T. Hastie, R. Tibshirani and J. Friedman (2009). The Elements of Statistical Learning, second edition, section
      3.2.

    Examples
    --------
    >>> m = LinearRegression(arithmetic="exact").fit([[0], [1], [2]], [0, 1, 4])
    >>> [str(v) for v in (*m.coef_, *m.intercept_, m.objective_)], m.certificate_.status
    (['2', '-1/3', '2/3'], 'optimal')
    """

    method = "linear_regression"
    equations = ("ESL-12.35", "YANG-linear-regression")
    fitted = ("coef_", "intercept_", "objective_", "degrees_of_freedom_", "fitted_values_")

    def __init__(self, *, intercept: bool = True, arithmetic: str = "float") -> None:
        self.intercept = intercept
        self.arithmetic = arithmetic

    def modelled(self, F: Field, X: Matrix, Y: Matrix, weights: Optional[Vector]) -> least_squares.Model:
        """Return the model in the arithmetic of F."""
        intercept = bool(self.one_of("intercept", True, False))
        return least_squares.fit(F, X, Y, weights, intercept=intercept)
