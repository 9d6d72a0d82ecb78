"""Huber's robust regression."""

from __future__ import annotations

from typing import Any

from refclass.estimators.protocol.kernel_regressor import KernelRegressor
from refclass.linear.vector import Vector
from refclass.number.field import Field, Number
from refclass.regress.kernel import huber
from refclass.regress.kernel import machine as dual


class HuberRegression(KernelRegressor):
    """Huber's regression with a quadratic penalty  [ESL-12.36] [ESL-12.38].

        minimise Σ wᵢ V(yᵢ − f(xᵢ) − b) + ½λ‖f‖²,    V(r) = r²/2 if |r| ≤ c, otherwise c|r| − c²/2

    f(x) = Σ cᵢ K(xᵢ, x) with λ cᵢ = wᵢ V′(rᵢ). It is solved as a quadratic problem.

    c             a number > 0, in the units of y; 1.345 times the spread of the noise loses 5 % of efficiency if the
                  noise is Gaussian  [ESL-12.3.6-efficiency]
    penalty       λ, a number > 0
    kernel        "linear", {"name": "gaussian", "gamma": 1}, … or a kernel; gamma may be "scale", 1/(p · var X)
    intercept     whether there is a b, which is not penalised
    arithmetic    "float", "exact", "decimal:n"; a kernel that is not rational is taken, in exact arithmetic, at the
                  binary64 value of each entry of its Gram matrix

    Attributes
        coefficients_ (n), intercept_, intercept_interval_ (all optimal intercepts), support_, coef_ (linear kernel),
        objective_, dual_objective_, certificate_ (exact; made when first asked for), n_iter_

    Raises    InvalidInput for bad data or parameters; NoAnswer if the kernel is not positive semidefinite on the points

    Example
        >>> m = HuberRegression(c=1, penalty=1, arithmetic="exact").fit([[0], [1], [2], [3]], [0, 1, 2, 9])
        >>> [str(v) for v in m.coefficients_], m.certificate_.gap
        (['0', '-1/3', '-2/3', '1'], Fraction(0, 1))
    """

    method = "huber"
    equations = ("ESL-12.36", "ESL-12.38")
    fitted = (
        "coefficients_",
        "support_",
        "intercept_",
        "intercept_interval_",
        "coef_",
        "objective_",
        "dual_objective_",
    )

    def __init__(
        self,
        *,
        c: Any = "1.345",
        penalty: Any = 1,
        kernel: Any = "linear",
        intercept: bool = True,
        arithmetic: str = "float",
    ) -> None:
        self.c = c
        self.penalty = penalty
        self.kernel = kernel
        self.intercept = intercept
        self.arithmetic = arithmetic

    def machine(self, F: Field, K: Any, y: Vector, weights: Vector, **known: bool) -> dual.Machine:
        """Return the machine to be fitted."""
        return huber.machine(F, K, y, weights / self.scale(F), self.number(F, "c", above=0), **known)

    def scale(self, F: Field) -> Number:
        """Return λ: the machine's objective is ½‖f‖² + (1/λ) Σ V."""
        return self.number(F, "penalty", above=0)
