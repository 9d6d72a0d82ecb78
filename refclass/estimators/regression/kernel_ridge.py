"""Ridge regression with a kernel."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from functools import cached_property
from math import inf
from typing import Any, Optional

from refclass.certificate import ASKED, Certificate, digits, refused, shown, status
from refclass.errors import NoAnswer
from refclass.estimators.protocol.certificates import stated
from refclass.estimators.protocol.certificates.claimed import Reported
from refclass.estimators.protocol.kernel_regressor import KernelRegressor
from refclass.kernels.matrices import gram
from refclass.kernels.matrices.product import linear_points
from refclass.linear.vector import Vector
from refclass.margins.svm import fit
from refclass.number.field import Field, Number, rational
from refclass.number.tolerance import roundoff
from refclass.regress.kernel import certificate, fitted_machine, premises
from refclass.regress.kernel import fit as training
from refclass.regress.kernel import machine as dual
from refclass.regress.kernel.ridge import kernel_ridge, ridge_deletion

SHORT = 300  # points, or columns of a linear kernel, for which a system in longer numbers takes about a second
SETTLED = 10**10  # one over the share of the sizes of its terms that rounding may cost the constant


class KernelRidge(KernelRegressor):
    """Ridge regression with a kernel  [ESL-12.45] [ESL-12.49].

        minimise Σ wᵢ(yᵢ − f(xᵢ) − b)² + λ‖f‖²        f(x) = Σ αᵢ K(xᵢ, x)

    Parameters
    ----------
    penalty : number > 0, default 1
        λ.
    kernel : str, dict or Kernel, default "linear"
        The kernel: "linear", {"name": "gaussian", "gamma": 1}, … or a kernel object. gamma may be "scale", which is
        1/(p · var X).
    intercept : bool, "penalised" or "absorbed", default True
        False: b = 0. True: b is free [ESL-Ex12.3]. "penalised": λb² is added to the objective. "absorbed": the same
        function, the constant counted with the basis: K + 1 is the kernel and intercept_ is 0.
    arithmetic : "float", "exact" or "decimal:n", default "float"
        The numbers that are computed with: binary64, fractions, or decimals of n digits. A kernel that is not
        rational is taken, in exact arithmetic, at the binary64 value of each entry of its Gram matrix.

    Attributes
    ----------
    coefficients_ : list of n numbers
        The αᵢ.
    support_ : list of int
        The rows of X whose multiplier is not zero.
    intercept_ : list of one number
        b, in the units of y.
    intercept_interval_ : pair of numbers
        The intercept twice: it is unique.
    coef_ : list of p numbers
        The coefficients of a linear kernel, in units of y over units of X.
    objective_ : number
        The objective at the answer.
    dual_objective_ : number
        The dual objective at the answer; equal to objective_ at an optimum.
    degrees_of_freedom_ : number
        The trace of the map from y to the fitted values.
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
    Ridge : the linear kernel by p × p systems

    References
    ----------
    - C. Saunders, A. Gammerman and V. Vovk (1998). Ridge regression learning algorithm in dual variables. International
      Conference on Machine Learning.
    - T. Hastie, R. Tibshirani and J. Friedman (2009). The Elements of Statistical Learning, second edition, section
      12.3.7.

    Examples
    --------
    >>> m = KernelRidge(penalty=1, intercept=True, arithmetic="exact").fit([[0], [1], [2]], [0, 1, 5])
    >>> [str(v) for v in (*m.coef_, *m.intercept_, m.degrees_of_freedom_)], m.certificate_.gap
    (['5/3', '1/3', '5/3'], Fraction(0, 1))
    """

    method = "kernel_ridge"
    equations = ("ESL-12.45", "ESL-12.46", "ESL-12.47", "ESL-12.48", "ESL-12.49", "ESL-Ex12.3", "MMST-Ex11.5")
    fitted = (
        "coefficients_",
        "intercept_",
        "coef_",
        "objective_",
        "dual_objective_",
        "degrees_of_freedom_",
    )

    def __init__(
        self,
        *,
        penalty: Any = 1,
        kernel: Any = "linear",
        intercept: Any = True,
        arithmetic: str = "float",
    ) -> None:
        self.penalty = penalty
        self.kernel = kernel
        self.intercept = intercept
        self.arithmetic = arithmetic

    def _free_constant(self) -> bool:
        return self.one_of("intercept", True, False, "penalised", "absorbed") is True

    def machine(self, F: Field, K: Any, y: Vector, weights: Vector, **known: bool) -> dual.Machine:
        """Return the machine whose optimum the linear system gives."""
        table = kernel_ridge.with_constant(K) if self.intercept in ("penalised", "absorbed") else K
        return kernel_ridge.machine(F, table, y, weights, self.number(F, "penalty", above=0), **known)

    def scale(self, F: Field) -> Number:
        """Return 2λ: the machine's objective is ½‖f‖² + Σ (wᵢ/2λ) rᵢ²."""
        return 2 * self.number(F, "penalty", above=0)

    def solve(self, F: Field, machine: dual.Machine) -> fitted_machine.Fitted:
        """Return the solution of the linear system."""
        self.__dict__.pop("_ridge", None)
        self._machine = machine
        solver = self._solved if F.kind is float else kernel_ridge.unsolved
        # Proof: half of ‖f − f*‖² is at most the gap; an objective of eighteen digits leaves the values of f nine.
        asked = ASKED if F.kind is not float or self._is_sound(machine) or not _is_short(machine) else 2 * ASKED
        found = training.fit(F, machine, self._whole, solver=solver, asked=asked)
        return self._settled(F, machine, found) if F.kind is float and machine.intercept else found

    def _settled(self, F: Field, rounded: dual.Machine, fitted: fitted_machine.Fitted) -> fitted_machine.Fitted:
        """Return the fit, its constant the best beside its coefficients where rounding has cost it digits.

        An objective of twelve digits leaves a constant six.
        """
        if fitted.beta is None:  # Premise: the values are those of the coefficients, but for roundoff.
            w = self._posed.weights
            apart = abs(w @ (rounded.y - fitted.values) / w.sum() - fitted.beta0)
            if apart * SETTLED <= max(rounded.y.largest(), abs(fitted.beta0)):
                return fitted
        machine = self._whole()
        best, size = self._best(machine, fitted)
        if abs(rational(fitted.beta0) - best) * SETTLED <= size:
            return fitted
        beta0 = F.lift(best)
        proven = certificate.certify(machine, fitted.a, beta0, beta=fitted.beta)
        if fitted.proven is not None:
            proven = replace(proven, ceiling=fitted.proven.ceiling)
        return replace(fitted, beta0=beta0, interval=(beta0, beta0), proven=proven, objectives=None)

    def _best(self, machine: dual.Machine, fitted: fitted_machine.Fitted) -> tuple[Fraction, Fraction]:
        """Return the best constant beside the coefficients, and the size of its terms, both exact."""
        beta = None if fitted.beta is None else list(map(rational, fitted.beta))
        return kernel_ridge.constant(machine, list(map(rational, fitted.a)), beta)

    @cached_property
    def _ridge(self) -> kernel_ridge.Model:
        """The factored system with the solution.  Raises NoAnswer where rounded numbers cannot hold it."""
        F, machine = self.field(), self._machine
        table = gram.whole(machine.K)
        penalty, free = self.number(F, "penalty", above=0), machine.intercept
        weights, positive = self._posed.weights, machine.positive
        return kernel_ridge.fit(F, table, machine.y, weights, penalty=penalty, intercept=free, positive=positive)

    def _solved(self, machine: dual.Machine) -> fitted_machine.Fitted:
        model = self._ridge
        parts = tuple([(v,) for v in model.alpha])
        ends = model.beta0, model.beta0
        found = fitted_machine.Fitted(model.alpha, parts, model.values, model.beta0, ends, model.square, 0)
        return fitted_machine.valued(machine, found)

    def without_each(self, X: Any, y: Any, method: str) -> Iterator[Any]:
        """Fit, and return the functions without each row  [CV-LOO]; not where the kernel depends on the data."""
        scaled = isinstance(self.kernel, Mapping) and self.kernel.get("gamma") == "scale"
        if method != "predict" or scaled or not self.fit(X, y)._posed.known["positive"]:
            return super().without_each(X, y, method)
        try:
            return map(self._with, ridge_deletion.without_each(self.field(), self._ridge))
        except NoAnswer:
            return super().without_each(X, y, method)

    def _with(self, solution: Optional[tuple[Vector, Number]]) -> Optional[fit.Model]:
        """Return the function of these coefficients and this constant."""
        if solution is None:
            return None
        (alpha, beta0), model = solution, self._model
        constant = alpha.sum() if self.intercept in ("penalised", "absorbed") else beta0
        return fit.model(model.F, model.G, model.kernel, model.points, alpha, constant)

    def claim(self, X: Any, y: Any, reported: Reported, sample_weight: Any = None) -> bool:
        """Take nothing: the coefficients are the only ones, and computed anew by whoever judges others."""
        return False

    def constant(self, fitted: fitted_machine.Fitted) -> Number:
        """Return what f(x) adds to Σ αᵢ K(xᵢ, x): Σ αᵢ where the constant is penalised or absorbed."""
        if self.intercept not in ("penalised", "absorbed"):
            return fitted.beta0
        return fitted.a.sum() if fitted.beta is None else fitted.beta[-1]

    def describe(self, fitted: fitted_machine.Fitted, places: list[int], n: int) -> None:
        """Set intercept_ to zero where the constant is absorbed, and intercept_interval_ to the only intercept."""
        if self.intercept == "absorbed":
            self.intercept_ = [0 * fitted.beta0]
        self.intercept_interval_ = (self.intercept_[0], self.intercept_[0])

    def proven(self, eps: Any) -> Certificate:
        """Return the proof, with no more digits than the constant, and a trace that was asked for, have."""
        found, F, model, machine = super().proven(eps), self.field(), self._model, self._whole()
        if self.intercept in ("penalised", "absorbed"):
            found = stated.combinations(
                F, found, "intercept_", [[model.beta0]], [[1]] * len(machine.y), [self._fitted.a]
            )
        elif machine.intercept:
            best, size = self._best(machine, self._fitted)
            right = stated.number(F, found, "intercept_", model.beta0, best, size)
            found = right if right is found or F.exact else _limited(right, digits(rational(F.lift(best)) - best, size))
        elif model.beta0:
            found = refused(found, f"intercept_ is {shown(model.beta0)}, and there is none")
        if "degrees_of_freedom_" not in vars(self):
            return found
        bounds = kernel_ridge.trace_bounds(machine)
        return stated.between(F, found, "degrees_of_freedom_", self.degrees_of_freedom_, bounds)

    @cached_property
    def degrees_of_freedom_(self) -> Number:
        """The trace of the map from y to the fitted values; of an ill-conditioned system computed in longer numbers."""
        self.is_fitted()
        F, machine = self.field(), self._machine
        if F.exact or (F.kind is not float and not machine.positive):
            return self._ridge.degrees_of_freedom
        if F.kind is float and self._is_sound(machine):
            return self._ridge.degrees_of_freedom
        return F.lift(kernel_ridge.degrees_of_freedom(self._whole()))

    def _is_sound(self, machine: dual.Machine) -> bool:
        """Return whether doubles solve the system to nine digits, by a bound on its condition."""
        largest = max(map(abs, machine.K.diagonal()))
        curvatures = [own[0].curvature for own in machine.pieces]
        least, most = min(curvatures), max(curvatures)
        sound = 0 < least <= most < inf and not premises.narrow(machine.K)
        return bool(sound and roundoff(float) * len(machine.y) * (largest / least + 1) * 10**ASKED < 1)


def _limited(found: Certificate, most: float) -> Certificate:
    """Return a proof of so many digits as a constant has, with the digits that the arithmetic holds of it."""
    most = most if found.ceiling is None else min(most, found.ceiling)
    return replace(found, status=status(found.digits, ceiling=most), ceiling=most)


def _is_short(machine: dual.Machine) -> bool:
    """Return whether the optimum in longer numbers takes at most about as long as its proof."""
    points = linear_points(machine.K)
    return len(machine.y) <= SHORT or (points is not None and len(points[0]) <= SHORT)
