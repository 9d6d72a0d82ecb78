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

    Parameters
    ----------
    c : number > 0, default "1.345"
        Where the loss turns linear, in the units of y; 1.345 times the spread of the noise loses 5 % of efficiency
        if the noise is Gaussian [ESL-12.3.6-efficiency].
    penalty : number > 0, default 1
        λ.
    kernel : str, dict or Kernel, default "linear"
        The kernel: "linear", {"name": "gaussian", "gamma": 1}, … or a kernel object. gamma may be "scale", which is
        1/(p · var X).
    intercept : bool, default True
        Whether there is a b, which is not penalised.
    arithmetic : "float", "exact" or "decimal:n", default "float"
        The numbers that are computed with: binary64, fractions, or decimals of n digits. A kernel that is not
        rational is taken, in exact arithmetic, at the binary64 value of each entry of its Gram matrix.

    Attributes
    ----------
    coefficients_ : list of n numbers
        cᵢ, with λcᵢ = wᵢV′(rᵢ).
    support_ : list of int
        The rows of X whose multiplier is not zero.
    intercept_ : list of one number
        b, in the units of y.
    intercept_interval_ : pair of numbers
        The least and the largest optimal intercept.
    coef_ : list of p numbers
        The coefficients of a linear kernel, in units of y over units of X.
    objective_ : number
        The objective at the answer.
    dual_objective_ : number
        The dual objective at the answer; equal to objective_ at an optimum.
    n_iter_ : int
        How many iterations were made.
    certificate_ : Certificate
        The proof, computed in exact arithmetic from the data as given when it is first asked for.

    Raises
    ------
    InvalidInput
        For bad data or parameters.
    NoAnswer
        If the kernel is not positive semidefinite on the points.

    See Also
    --------
    SVR, KernelRidge : other losses

    References
    ----------
    - P. J. Huber (1964). Robust estimation of a location parameter. Annals of Mathematical Statistics 35, 73-101.
    - T. Hastie, R. Tibshirani and J. Friedman (2009). The Elements of Statistical Learning, second edition, section
      12.3.6.

    Examples
    --------
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
