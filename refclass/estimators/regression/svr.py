"""Support vector regression."""

from __future__ import annotations

from typing import Any

from refclass.errors import NotExact
from refclass.estimators.protocol.kernel_regressor import KernelRegressor
from refclass.linear.vector import Vector
from refclass.losses import named
from refclass.number.decimals import decimal
from refclass.number.field import Field
from refclass.number.rational import RATIONAL
from refclass.regress.kernel import insensitive
from refclass.regress.kernel import machine as dual

DIGITS = 60  # of √ε in the proof, where it is irrational


class SVR(KernelRegressor):
    """The support vector machine for regression  [ESL-12.36] [MMST-11.113].

        minimise ½‖f‖² + C Σ wᵢ V(yᵢ − f(xᵢ) − b)        f(x) = Σ (α*ᵢ − αᵢ) K(xᵢ, x)

        loss="epsilon_insensitive"             V(r) = max(0, |r| − ε)
        loss="squared_epsilon_insensitive"     V(r) = max(0, |r| − ε)², the squared excess  [MMST-Ex11.2]
        loss="quadratic_epsilon_insensitive"   V(r) = max(0, r² − ε), as MMST prints it: a tube of half-width √ε

    C             a number > 0; 1/λ in the form Σ V + ½λ‖f‖²
    epsilon       a number ≥ 0, in the units of y (of y² for the last loss); a preset one, such as the default, asks for
                  a response scaled to match  [ESL-12.3.6-scale]
    kernel        "linear", {"name": "gaussian", "gamma": 1}, … or a kernel; gamma may be "scale", 1/(p · var X)
    loss          one of the three
    intercept     whether there is a b
    arithmetic    "float", "exact", "decimal:n"; a kernel that is not rational is taken, in exact arithmetic, at the
                  binary64 value of each entry of its Gram matrix

    Attributes
        coefficients_ (n, α* − α: positive above the tube), alpha_star_, alpha_ (n, ≥ 0), support_, intercept_,
        intercept_interval_ (all optimal intercepts), coef_ (linear kernel), objective_, dual_objective_, certificate_
        (exact; made when first asked for), n_iter_

    Raises    InvalidInput for bad data or parameters; NotExact in exact arithmetic if the last loss needs an irrational
              √ε; NoAnswer if the kernel is not positive semidefinite on the points

    Example
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
        loss = named.loss(F, self.one_of("loss", *losses), epsilon=epsilon)
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

    def describe(self, fitted: dual.Fitted, places: list[int], n: int) -> None:
        """Set alpha_ and alpha_star_."""
        below, above = insensitive.multipliers(fitted)
        self.alpha_, self.alpha_star_ = self._spread(below, n), self._spread(above, n)
