"""Polynomial regression."""

from __future__ import annotations

from typing import Any, Optional

from refclass.certificate import Certificate
from refclass.errors import InvalidInput
from refclass.estimators.protocol.regressor import Regressor
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector
from refclass.number.field import Field
from refclass.regress.linear import polynomial


class PolynomialRegression(Regressor):
    """Least squares on all monomials of the variables up to a total degree  [YANG-fda-example] [ESL-12.42].

        minimise Σᵢ wᵢ (yᵢ − Σ_{|a| ≤ degree} β_a xᵢ^a)²

    degree        an integer ≥ 0: the highest total degree of a monomial
    arithmetic    "float", "exact", "decimal:n"

    Monomials that depend on earlier ones on the sample have coefficient zero.

    Attributes
        coefficients_, exponents_ (the powers of each monomial, in the order of the coefficients), degrees_of_freedom_
        (the rank), fitted_values_, certificate_ (exact; made when first asked for)

    Raises    InvalidInput for bad data or parameters

    Example
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
        if type(self.degree) is not int or self.degree < 0:
            raise InvalidInput(self.method, need="degree an integer ≥ 0", got=repr(self.degree))
        return polynomial.proven(F, X, Y, weights, degree=self.degree)

    def prove(self, model: polynomial.Model, X: Matrix, Y: Matrix, weights: Vector, eps: Any) -> Certificate:
        """Return the proof that the coefficients are least squares."""
        return polynomial.certify(X, Y, model, weights)

    def describe(self, model: polynomial.Model) -> None:
        """Set coefficients_, exponents_, degrees_of_freedom_."""
        self.coefficients_ = self.shown(model.coefficients)
        self.exponents_ = [list(a) for a in model.basis.exponents]
        self.degrees_of_freedom_ = model.degrees_of_freedom
