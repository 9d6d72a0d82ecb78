"""Huber's regression with a quadratic penalty: least squares that a far point cannot pull by more than c.

    minimise Σ V(rᵢ) + ½λ‖β‖²,   V(r) = r²/2 if |r| ≤ c, otherwise c|r| − c²/2        [ESL-12.36] [ESL-12.38]

With uᵢ = V′(rᵢ), which is rᵢ cut off at ±c, the optimum is β = Σ (uᵢ/λ) xᵢ with Σ uᵢ = 0.
"""

from __future__ import annotations

from typing import Any

from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector
from refclass.losses.huber import Huber
from refclass.number.field import Field, Number
from refclass.regress.kernel import machine as dual


def machine(F: Field, K: Any, y: Vector, costs: Vector, c: Number, **known: bool) -> dual.Machine:
    """Return the machine that minimises ½‖f‖² + Σ Cᵢ V(rᵢ); with C = 1/λ the penalised form over λ  [ESL-12.36].

    Its dual is a quadratic problem with K + I/C in a box:

        minimise ½aᵀ(K + I/C)a − yᵀa   subject to   Σ a = 0,   |aᵢ| ≤ Cc

    Exact     yes
    """
    return dual.of_residual(K, y, costs, Huber(c).pieces(F), **known)


def objective(F: Field, square: Number, r: Vector, c: Number, penalty: Number) -> Number:
    """Return Σ V(rᵢ) + ½λ‖f‖²  [ESL-12.36] [ESL-12.38].

    Exact     yes
    """
    loss = Huber(c)
    return sum((loss(F, v) for v in r), F.kind(0)) + penalty * square / 2


def clipped(r: Vector, c: Number) -> Vector:
    """Return V′(rᵢ): the residuals, cut off at ±c  [ESL-12.38].

    Exact     yes
    """
    return Vector([max(-c, min(c, v)) for v in r])


def gradient(r: Vector, beta: Vector, X: Matrix, c: Number, penalty: Number) -> tuple[Vector, Number]:
    """Return the derivatives of the objective in β and β₀: λβ − Σ V′(rᵢ)xᵢ and −Σ V′(rᵢ)  [ESL-12.36].

    Exact     yes
    """
    u = clipped(r, c)
    return penalty * beta - X.T @ u, -u.sum()
