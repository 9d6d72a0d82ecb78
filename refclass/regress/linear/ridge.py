"""Ridge regression: least squares with a quadratic penalty on the coefficients.

minimise Σᵢ wᵢ ‖yᵢ − b − Bᵀxᵢ‖² + λ tr(BᵀΩB)
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any, Optional

from refclass.errors import InvalidInput
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector
from refclass.number.field import Field, Number
from refclass.regress.linear import least_squares
from refclass.regress.linear.least_squares import Linear
from refclass.sample import metric


@dataclass(frozen=True)
class Model(least_squares.Model):
    """A linear function fitted with a penalty.

    gram    XᵀWX, without the penalty
    """

    gram: Matrix

    @cached_property
    def degrees_of_freedom(self) -> Number:
        """The trace of the map from responses to fitted values: tr (XᵀWX + λΩ)⁻¹XᵀWX, and one for the intercept."""
        return self.known.solve(self.gram).trace() + self.constant


def fit(
    F: Field,
    X: Matrix,
    Y: Matrix,
    weights: Optional[Vector] = None,
    *,
    penalty: Number,
    omega: Optional[Matrix] = None,
    intercept: bool = True,
) -> Model:
    """Return the penalised fit; the intercept is not penalised  [YANG-pda].

        B = (XᵀWX + λΩ)⁻¹ XᵀWY        X, Y centred if there is an intercept

    Shapes    X: n × p; Y: n × q; omega: p × p, symmetric positive semidefinite, the identity if none is given
    Exact     yes, where F is
    Raises    InvalidInput for a negative penalty or another shape; NoAnswer with a null vector if XᵀWX + λΩ is singular
    Laws      the gradient Xᵀ W (Y − Ŷ) − λΩB is zero; with λ = 0, the least-squares fit
    """
    if penalty < 0:
        raise InvalidInput("ridge", need="a penalty ≥ 0", got=penalty)
    p = len(X[0])
    shape = Matrix.identity(p, X.kind) if omega is None else omega.symmetric()
    if len(shape) != p:
        raise InvalidInput("ridge", need=f"a penalty matrix {p} × {p}", got=f"{len(shape)} × {len(shape)}")
    design = least_squares.centred(X, weights, intercept)
    P = penalty * shape
    gram = least_squares.products(design)
    known = metric.factor(F, gram + P)
    B, b = least_squares.solved(F, design, Y, known, P)
    middle = least_squares.middle_of(design, Y)
    fitted = least_squares.fits(design, middle, B)
    return Model(b, B, middle, design.origin, fitted, known, int(intercept), None, gram)


def objective(X: Matrix, Y: Matrix, model: Linear, penalty: Number, omega: Optional[Matrix] = None) -> Number:
    """Return Σ ‖yᵢ − f(xᵢ)‖² + λ tr(BᵀΩB).

    Exact     yes
    """
    missed = sum((r @ r for r in Y - model.predict(X)), X.kind(0))
    B = model.coefficients
    rough = B.T @ (B if omega is None else omega @ B)
    return missed + penalty * rough.trace()


def certify(X: Matrix, Y: Matrix, model: Linear, penalty: Number, omega: Optional[Matrix] = None) -> dict[str, Any]:
    """Return the claim of a fit without weights with its size: the largest entry of Xᵀ(Y − Ŷ) − λΩB."""
    B = model.coefficients
    gradient = X.T @ (Y - model.predict(X)) - penalty * (B if omega is None else omega @ B)
    return {"Xᵀ(Y − Ŷ) − λΩB = 0": gradient.largest()}
