"""Support vector regression."""

from __future__ import annotations

from typing import Any

from refclass.errors import InvalidInput, NotExact
from refclass.estimators.protocol.kernel_regressor import KernelRegressor
from refclass.linear.vector import Vector
from refclass.losses import loss as losses_by_name
from refclass.number.decimals import decimal
from refclass.number.field import Field, rational
from refclass.number.rational import RATIONAL
from refclass.regress.kernel import fitted_machine
from refclass.regress.kernel import machine as dual
from refclass.regress.kernel.tube import insensitive
from refclass.regress.kernel.tube.tube_optimality import Optimality, optimality

DIGITS = 60  # of √ε in the proof, where it is irrational


class SVR(KernelRegressor):
    """The support vector machine for regression  [ESL-12.36] [MMST-11.113].

        minimise ½‖f‖² + C Σ wᵢ V(yᵢ − f(xᵢ) − b)        f(x) = Σ (α*ᵢ − αᵢ) K(xᵢ, x)

        loss="epsilon_insensitive"             V(r) = max(0, |r| − ε)
        loss="squared_epsilon_insensitive"     V(r) = max(0, |r| − ε)², the squared excess  [MMST-Ex11.2]
        loss="quadratic_epsilon_insensitive"   V(r) = max(0, r² − ε), as MMST prints it: a tube of half-width √ε

    Parameters
    ----------
    C : number > 0, default 1
        The cost of the loss; 1/λ in the form Σ V + ½λ‖f‖².
    epsilon : number ≥ 0, default "1/10"
        ε, in the units of y (of y² for the last loss); a preset one, such as the default, requires a response
        scaled to match [ESL-12.3.6-scale].
    kernel : str, dict or Kernel, default "linear"
        The kernel: "linear", {"name": "gaussian", "gamma": 1}, … or a kernel object. gamma may be "scale", which is
        1/(p · var X).
    loss : str, default "epsilon_insensitive"
        "epsilon_insensitive", "squared_epsilon_insensitive" or "quadratic_epsilon_insensitive".
    intercept : bool, default True
        Whether there is a b.
    arithmetic : "float", "exact" or "decimal:n", default "float"
        The numbers that are computed with: binary64, fractions, or decimals of n digits. A kernel that is not
        rational is taken, in exact arithmetic, at the binary64 value of each entry of its Gram matrix.

    Attributes
    ----------
    coefficients_ : list of n numbers
        α* − α: positive above the tube.
    alpha_ : list of n numbers ≥ 0
        The multipliers of points below the tube.
    alpha_star_ : list of n numbers ≥ 0
        The multipliers of points above the tube.
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
    NotExact
        In exact arithmetic if the last loss needs an irrational √ε.
    NoAnswer
        If the kernel is not positive semidefinite on the points.

    See Also
    --------
    HuberRegression, KernelRidge : other losses

    References
    ----------
    - V. Vapnik (1995). The Nature of Statistical Learning Theory. Springer.
    - T. Hastie, R. Tibshirani and J. Friedman (2009). The Elements of Statistical Learning, second edition, section
      12.3.6.
    - A. J. Izenman (2008). Modern Multivariate Statistical Techniques, section 11.5.

    Examples
    --------
    >>> m = SVR(C=1, epsilon="1/2", arithmetic="exact").fit([[0], [1], [2]], [0, 1, 4])
    >>> [str(v) for v in (*m.coef_, *m.intercept_, m.objective_)], m.certificate_.gap
    (['1', '1/2', '3/2'], Fraction(0, 1))
    """

    method = "svr"
    equations = ("ESL-12.36", "ESL-12.39", "ESL-12.40", "ESL-12.41", "MMST-11.113", "MMST-11.124", "MMST-11.132")
    fitted = (
        "coefficients_",
        "alpha_",
        "alpha_star_",
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
        C: Any = 1,
        epsilon: Any = "1/10",
        kernel: Any = "linear",
        loss: str = "epsilon_insensitive",
        intercept: bool = True,
        arithmetic: str = "float",
    ) -> None:
        self.C = C
        self.epsilon = epsilon
        self.kernel = kernel
        self.loss = loss
        self.intercept = intercept
        self.arithmetic = arithmetic

    def machine(self, F: Field, K: Any, y: Vector, weights: Vector, **known: bool) -> dual.Machine:
        """Return the machine to be fitted."""
        losses = ("epsilon_insensitive", "squared_epsilon_insensitive", "quadratic_epsilon_insensitive")
        epsilon = self.number(F, "epsilon", least=0)
        loss = losses_by_name.loss(F, self.one_of("loss", *losses), epsilon=epsilon)
        return insensitive.machine(F, K, y, self.number(F, "C", above=0) * weights, loss, **known)

    def exact_machine(self, K: Any, y: Vector, weights: Vector, **known: bool) -> dual.Machine:
        """Return the machine with its parameters at their exact worth, an irrational √ε to 60 digits."""
        try:
            return self.machine(RATIONAL, K, y, weights, **known)
        except NotExact:
            F = decimal(DIGITS)
            rounded = self.machine(F, None, Vector.of(map(F.lift, y)), Vector.of(map(F.lift, weights)), **known)
            pieces = tuple([tuple([p.lifted(RATIONAL) for p in own]) for own in rounded.pieces])
            return dual.Machine(K, y, pieces, **known)

    def conditions(self) -> Optimality:
        """Return what the optimality conditions say of the fit, in fractions from the data as given  [MMST-11.115].

        Raises    InvalidInput for another loss than "epsilon_insensitive", and for weights that differ
        """
        self.is_fitted()
        weights = set(map(rational, self._posed.weights))
        if self.loss != "epsilon_insensitive" or len(weights) > 1:
            raise InvalidInput(self.method, need="loss epsilon_insensitive and equal weights", got=repr(self.loss))
        machine = self._whole()
        below, above = (Vector.of(map(rational, v)) for v in insensitive.multipliers(self._fitted))
        C = self.number(RATIONAL, "C", above=0) * weights.pop()
        epsilon = self.number(RATIONAL, "epsilon", least=0)
        found, free = rational(self._fitted.beta0), machine.intercept
        return optimality(machine.K, machine.y, (below, above), found, C, epsilon, intercept=free)

    def describe(self, fitted: fitted_machine.Fitted, places: list[int], n: int) -> None:
        """Set alpha_ and alpha_star_."""
        below, above = insensitive.multipliers(fitted)
        self.alpha_, self.alpha_star_ = self._spread(below, n), self._spread(above, n)
