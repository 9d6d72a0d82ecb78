"""Regression with a kernel, polynomials beside it unpenalised: thin-plate and smoothing splines for every loss."""

from __future__ import annotations

from typing import Any

from refclass.errors import NoAnswer
from refclass.estimators.protocol.semiparametric import SemiparametricMachine
from refclass.linear.vector import Vector
from refclass.number.field import Number
from refclass.sample import data


class SemiparametricRegression(SemiparametricMachine):
    """Regression with polynomials that cost nothing beside the kernel  [ESL-12.30] [ESL-12.3.3-additive].

        minimise Σ wᵢ V(yᵢ − f(xᵢ)) + ½λ‖g‖²        f(x) = g(x) + Σ dₖ tₖ(x)        g = Σ cᵢ K(xᵢ, ·)

    The tₖ are the monomials up to a degree; the c are contrasts, Σ cᵢ tₖ(xᵢ) = 0. With the squared loss, the kernel
    "spline" and degree 1 it is the additive smoothing spline; with "thin_plate" the thin-plate smoothing spline.

    Parameters
    ----------
    loss : str or dict, default "squared"
        V: "squared" (r²), {"name": "huber", "c": 1}, {"name": "epsilon_insensitive", "epsilon": "1/10"} or
        {"name": "squared_epsilon_insensitive", "epsilon": 0}.
    penalty : number > 0, default 1
        λ.
    kernel : str, dict or Kernel, default "spline"
        The kernel, on rows of numbers: "spline", {"name": "thin_plate", "sigma": 1}, {"name": "gaussian", "gamma": 1},
        …
    degree : int ≥ 0, default 1
        The degree of the polynomials that cost nothing; 0 for the intercept alone.
    arithmetic : "float", "exact" or "decimal:n", default "float"
        The numbers of the answer; it is computed in fractions and rounded, for "float" in doubles where these prove
        nine digits. A kernel that is not rational is taken at the binary64 value of each entry of its Gram matrix.

    Attributes
    ----------
    coefficients_ : list of n numbers
        The cᵢ.
    support_ : list of int
        The rows of X whose coefficient is not zero.
    polynomial_ : list of m numbers
        The dₖ: of 1, x₁, x₂, …, x₁², x₁x₂, …
    objective_ : number
        The objective at the answer.
    dual_objective_ : number or None
        The lower bound that the coefficients prove; None where they prove none.
    certificate_ : Certificate
        The proof, computed in exact arithmetic from the data as given when it is first asked for.

    Raises
    ------
    InvalidInput
        For bad data or parameters.
    NoAnswer
        If a polynomial vanishes at all points, or the kernel is not positive semidefinite on the contrasts.

    See Also
    --------
    KernelRidge, HuberRegression, SVR : with an intercept alone
    SmoothingSpline : one variable, with the choice of λ
    SemiparametricClassifier : the same for two classes

    References
    ----------
    - G. Wahba (1990). Spline Models for Observational Data. SIAM, section 2.4.
    - A. J. Smola, T. T. Friess and B. Schölkopf (1999). Semiparametric support vector and linear programming machines.
      Advances in Neural Information Processing Systems 11.

    Examples
    --------
    >>> m = SemiparametricRegression(arithmetic="exact").fit([[0], [1], [2], [3]], [1, 3, 5, 7])
    >>> [str(v) for v in m.polynomial_], m.support_, m.objective_
    (['1', '2'], [], Fraction(0, 1))
    """

    method = "semiparametric_regression"
    losses = ("squared", "huber", "epsilon_insensitive", "squared_epsilon_insensitive")
    equations = ("ESL-12.30", "ESL-12.3.3-additive", "MMST-T11.1")
    _estimator_type = "regressor"

    def __init__(
        self,
        *,
        loss: Any = "squared",
        penalty: Any = 1,
        kernel: Any = "spline",
        degree: int = 1,
        arithmetic: str = "float",
    ) -> None:
        self.loss = loss
        self.penalty = penalty
        self.kernel = kernel
        self.degree = degree
        self.arithmetic = arithmetic

    def responses(self, y: Any, n: int) -> Vector:
        """Return the numbers of y at their exact worth."""
        return data.vector(self.field(), y, n).exactly()

    def predict(self, X: Any) -> list[Number]:
        """Return f(x) for each row of X."""
        return self.scores(X)

    def score(self, X: Any, y: Any) -> Any:
        """Return R² = 1 − Σ(y − f(x))²/Σ(y − ȳ)².  Raises NoAnswer if y does not vary."""
        said = self.predict(X)
        truth = data.vector(self._model.F, y, len(said))
        mean = truth.sum() / len(truth)
        total = sum((v - mean) * (v - mean) for v in truth)
        if total == 0:
            raise NoAnswer(self.method, need="responses that vary", got="all equal")
        return 1 - sum((v - f) * (v - f) for v, f in zip(truth, said)) / total
