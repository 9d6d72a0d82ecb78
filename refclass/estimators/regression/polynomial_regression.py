"""Polynomial regression."""

from __future__ import annotations

from fractions import Fraction
from math import comb
from typing import Any, Optional

from refclass.certificate import Certificate
from refclass.estimators.protocol.certificates import stated
from refclass.estimators.protocol.regressor import Regressor
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector
from refclass.number.field import Field
from refclass.regress.linear import polynomial, ridge_certificate


class PolynomialRegression(Regressor):
    """Least squares on all monomials of the variables up to a total degree  [YANG-fda-example] [ESL-12.42].

        minimise Σᵢ wᵢ (yᵢ − Σ_{|a| ≤ degree} β_a xᵢ^a)²

    Monomials that depend on earlier ones on the sample have coefficient zero.

    Parameters
    ----------
    degree : int ≥ 0, default 1
        The highest total degree of a monomial.
    arithmetic : "float", "exact" or "decimal:n", default "float"
        The numbers that are computed with: binary64, fractions, or decimals of n digits.

    Attributes
    ----------
    coefficients_ : list of numbers, or rows of q
        The coefficient of each monomial.
    exponents_ : lists of p int
        The powers of each monomial, in the order of the coefficients.
    degrees_of_freedom_ : int
        The rank.
    fitted_values_ : n numbers, or n × q
        The fitted values at the rows of X, in the units of y, shaped as y.
    certificate_ : Certificate
        The proof, computed in exact arithmetic from the data as given when it is first asked for.

    Raises
    ------
    InvalidInput
        For bad data or parameters.
    NotConverged
        Where rounded coefficients keep less than a digit of the optimum, with its bounds.

    See Also
    --------
    FlexibleDiscriminantAnalysis : classes by this regression

    References
    ----------
    - T. Hastie, R. Tibshirani and J. Friedman (2009). The Elements of Statistical Learning, second edition, section
      12.5.

    Examples
    --------
    >>> model = PolynomialRegression(degree=2, arithmetic="exact").fit([[0], [1], [2], [3]], [1, 0, 1, 4])
    >>> [str(b) for b in model.coefficients_], model.predict([[4]])
    (['1', '-2', '1'], [Fraction(9, 1)])
    """

    method = "polynomial"
    equations = ("ESL-12.42", "YANG-fda-example")
    fitted = ("coefficients_", "exponents_", "degrees_of_freedom_", "fitted_values_")

    def __init__(self, *, degree: int = 1, arithmetic: Any = "float") -> None:
        self.degree = degree
        self.arithmetic = arithmetic

    def regress(self, F: Field, X: Matrix, Y: Matrix, weights: Optional[Vector] = None) -> polynomial.Model:
        """Return the fitted model of layer 4."""
        return polynomial.proven(F, X, Y, weights, degree=self.integer("degree", 0))

    def work(self, n: int, p: int) -> int:
        """Return how many multiplications a fit is, about: of as many columns as there are monomials."""
        return super().work(n, comb(p + self.integer("degree", 0), p))

    def prove(self, model: polynomial.Model, X: Matrix, Y: Matrix, weights: Vector, eps: Any) -> Certificate:
        """Return the proof that the coefficients are least squares."""
        return polynomial.certify(X, Y, model, weights)

    def judged(self, found: Certificate) -> Certificate:
        """Return the proof, with no more digits than the fitted values and, without dependence, the rank have."""
        found, model = super().judged(found), self._model
        if not found.unique.get("coefficients"):
            return found
        whole = Fraction(len(model.basis))
        return stated.number(self._field, found, "degrees_of_freedom_", model.degrees_of_freedom, whole)

    def values(self, model: polynomial.Model, X: Matrix) -> tuple[Matrix, Matrix]:
        """Return the values of the model at the rows of X, exact, and the sizes of the terms that they are sums of."""
        return ridge_certificate.values(polynomial.monomials(X, model), model.centred)

    def describe(self, model: polynomial.Model) -> None:
        """Set coefficients_, exponents_, degrees_of_freedom_."""
        self.coefficients_ = self.shown(model.coefficients)
        self.exponents_ = [list(a) for a in model.basis.exponents]
        self.degrees_of_freedom_ = model.degrees_of_freedom
