"""The regularisation path of the support vector classifier."""

from __future__ import annotations

from copy import copy
from dataclasses import replace
from functools import cached_property
from typing import Any

from refclass.certificate import ASKED, Certificate
from refclass.errors import InvalidInput, NotConverged, quoted
from refclass.estimators.margins.svc import SVC
from refclass.estimators.protocol.estimator import ClassLabels, Estimator
from refclass.estimators.protocol.given import kernel_input
from refclass.estimators.protocol.given.kernel_input import Given, signs
from refclass.estimators.protocol.rounded_columns import require_columns
from refclass.linear.matrix import Matrix
from refclass.margins.svm.path import certificate, fit, record
from refclass.margins.svm.path.model import Model
from refclass.number.field import Number
from refclass.number.vanishing import vanish
from refclass.regress.kernel.fitted_machine import Fitted
from refclass.sample import data


class SVMPath(Estimator):
    """Every two-class support vector machine, from λ = ∞ to λ = 0  [ESL-12.33] [ESL-12.34] [ESL-12.3.5-path].

        minimise Σ [1 − yᵢf(xᵢ)]₊ + (λ/2) ‖f‖²,   f(x) = (1/λ) Σ αᵢyᵢK(x, xᵢ) + β₀,   0 ≤ αᵢ ≤ 1

    y is +1 for classes_[1] and −1 for classes_[0]. α and λβ₀ are linear in λ between break points.

    Parameters
    ----------
    kernel : str, dict or Kernel, default "linear"
        The kernel: "linear", {"name": "gaussian", "gamma": 1}, … or a kernel object, positive semidefinite.
    solver : "auto" or "hastie", default "auto"
        "auto" follows the path with updated factors and goes on in decimals where doubles lose it; "hastie" is the
        algorithm as its paper states it, in doubles as far as they distinguish all events.
    arithmetic : "float", "exact" or "decimal:n", default "float"
        The numbers that are computed with: binary64, fractions, or decimals of n digits. A kernel that is not
        rational is taken, in exact arithmetic, at the binary64 value of each entry of its Gram matrix.

    Attributes
    ----------
    classes_ : list of 2 labels
        The classes, in order.
    lambdas_ : list of numbers > 0
        The break points, descending; equal where numbers do not tell them apart.
    alphas_ : break points × n numbers
        α, from 0 to 1, at each break point.
    intercepts_ : list of numbers
        β₀ at each break point.
    events_ : lists of pairs
        The events (kind, row) at each break point; kind is "from_left" or "from_right", where a point with α = 1 or
        0 joins the elbow, "to_left" or "to_right", where one leaves it with α = 1 or 0.
    least_lambda_ : number ≥ 0
        λ down to which the break points are reported; 0 where there are no more. Below it the path was not followed, as
        where the kernel has negative curvature, or its break points, once they are rounded, have less than one digit:
        there `at` proves each machine, or refuses.
    certificate_ : Certificate
        The proof, computed in exact arithmetic from the data as given when it is first asked for.

    Raises
    ------
    InvalidInput
        For bad data or parameters.
    NotConverged
        With bounds: where the path is lost; where less than one digit is left of its first break point, once that is
        rounded; where doubles do not distinguish the events of solver="hastie", or prove fewer than nine digits there.
    NotExact
        Where λ of the first break point, or 1/λ, is beyond the range of the numbers, as of columns of 10⁻¹⁵⁵.

    See Also
    --------
    SVC : the machine of one C = 1/λ

    References
    ----------
    - T. Hastie, S. Rosset, R. Tibshirani and J. Zhu (2004). The entire regularization path for the support vector
      machine. Journal of Machine Learning Research 5, 1391-1415.
    - T. Hastie, R. Tibshirani and J. Friedman (2009). The Elements of Statistical Learning, second edition, section
      12.3.5.

    Examples
    --------
    >>> path = SVMPath(arithmetic="exact").fit([[0], [1], [3], [4]], list("aabb"))
    >>> [str(v) for v in path.lambdas_], path.at(1).predict([[1.9], [2.1]])
    (['12', '4', '2'], ['a', 'b'])
    """

    classes_ = ClassLabels()
    takes_labels = True
    only_two_classes = True
    method = "svm_path"
    equations = ("ESL-12.25", "ESL-12.33", "ESL-12.34", "ESL-12.3.5-sets", "ESL-12.3.5-path")
    fitted = ("classes_", "lambdas_", "alphas_", "intercepts_", "events_", "least_lambda_")
    state = ("_kept",)

    def __init__(self, *, kernel: Any = "linear", solver: str = "auto", arithmetic: str = "float") -> None:
        self.kernel = kernel
        self.solver = solver
        self.arithmetic = arithmetic

    def fit(self, X: Any, y: Any) -> SVMPath:
        """Follow the path of rows X with labels y of two classes.

        Raises    InvalidInput, naming row and column, for bad data; NotExact for columns that decimals round too far
        """
        F = self.field()
        self.one_of("solver", *fit.SOLVERS)
        given = kernel_input.given(F, self.kernel, X)
        if F.kind is not float and type(given.points) is Matrix:
            require_columns(self.method, given.points)
        return self.fit_given(given, y)

    def fit_given(self, given: Given, y: Any) -> SVMPath:
        """Follow the path of points whose Gram matrix is given, with labels y of two classes."""
        F = given.F
        names, numbers = data.labels(y, len(given))
        sides = signs(F, names, numbers)
        found = fit.fit(given.rows, sides, given.exactly(), solver=self.solver, positive=given.kernel.positive)
        if not given.kernel.positive and certificate.certify(found).status == "not converged":
            found = fit.stationary_part(found)
            proof = certificate.certify(found)
            if proof.status == "not converged":
                need = "a path of stationary points; in a kernel that is not positive semidefinite there may be none"
                raise NotConverged(self.method, need=need, got=proof.where, primal=proof.primal, dual=proof.dual)
        self._hold(list(names), given, found)
        return self

    def _hold(self, names: list[Any], given: Given, model: Model) -> None:
        """Take a path of given points, and set the fitted attributes."""
        self._named, self._given, self._model = names, given, model
        for name in ("certificate_", "_proof"):
            self.__dict__.pop(name, None)
        self._describe()

    @property
    def _kept(self) -> tuple[Any, ...]:
        """What a stored path holds: the points and their kernel, and the path without the Gram matrix."""
        given = self._given
        return self._named, given.F, given.G, given.kernel, given.points, record.record(self._model)

    @_kept.setter
    def _kept(self, kept: tuple[Any, ...]) -> None:
        names, *described, reported = kept
        given = Given(*described)
        model = record.model(reported, given.rows, given.exactly())
        self._hold(names, given, replace(model, positive=given.kernel.positive))

    def _describe(self) -> None:
        """Set the attributes that are read off the path."""
        self.classes_ = self._named
        self.lambdas_ = self._model.lambdas
        self.alphas_ = self._model.alphas
        self.events_ = self._model.events
        self.least_lambda_ = self._model.least
        self.__dict__.pop("intercepts_", None)

    @cached_property
    def intercepts_(self) -> list[Any]:
        """β₀ at each break point, best for the multipliers as they are rounded; computed when it is asked for."""
        self.is_fitted()
        return self._model.intercepts

    @cached_property
    def certificate_(self) -> Certificate:
        """The proof, exact, from the data as given, of the machines at the break points as one problem, their sum.

        Of a long path some break points are judged, the first and the last among them; the premise says how many.
        """
        self.is_fitted()
        return self.covering(self._proof)

    @cached_property
    def _proof(self) -> Certificate:
        return certificate.certify(self._model)

    def restated(self) -> SVMPath:
        """Return a copy whose fitted attributes are set anew from the path that was proven."""
        again = copy(self)
        again._describe()
        again.__dict__["intercepts_"] = again._model.intercepts
        return again

    def at(self, lam: Any) -> SVC:
        """Return the classifier at λ, fitted: the SVC of C = 1/λ.

        In doubles it is proven before it is returned; where the path has fewer digits than are asked for, the exact
        optimum is found from there and rounded, and the certificate's ceiling says so. Where doubles and decimals have
        lost the path above λ, or less than a digit is proven, the SVC is trained by itself.

        Raises    InvalidInput unless λ is a finite number > 0; NotConverged as SVC
        """
        self.is_fitted()
        value = self._lambda(lam)
        try:
            along = self._read(value, self._model.at(value))
        except NotConverged:
            return self._alone(value)
        if _vanishes(along):
            return self._alone(value)
        if _digits(along) >= ASKED or along.certificate_.status == "stationary":
            return self._proven(along, value)
        if self.field().kind is not float:
            return self._rounded_alone(along, value)
        finished = self._model.optimum(value, along._trained)
        if finished is None:
            return self._alone(value)
        best = self._read(value, finished)
        ceiling = max(_digits(best), _digits(along))
        along = best if _digits(best) > _digits(along) else along
        along.certificate_ = replace(along.certificate_, ceiling=ceiling)
        return self._proven(along, value)

    def _rounded_alone(self, along: SVC, lam: Number) -> SVC:
        """Return this machine in decimals or that of λ alone, whose α/λ are rounded once, not α and then α/λ."""
        try:
            alone = self._alone(lam)
        except NotConverged:
            return self._proven(along, lam)
        return max(along, alone, key=_digits)

    def _proven(self, machine: SVC, lam: Number) -> SVC:
        """Return a machine of which a digit is proven: this one, or that of λ alone.  Raises NotConverged as SVC."""
        return self._alone(lam) if machine.certificate_.status == "not converged" else machine

    def _alone(self, lam: Number) -> SVC:
        """Return the SVC of λ, trained by itself."""
        labels = [self.classes_[t > 0] for t in self._model.y]
        return SVC(C=1 / lam, kernel=self.kernel, arithmetic=self.arithmetic).fit_given(self._given, labels)

    def _lambda(self, lam: Any) -> Number:
        """Return λ as a number of the path's arithmetic."""
        try:
            value = self.field().parameter(lam)
            if value > 0 and self.field().lift(1 / value):
                return value
        except (InvalidInput, OverflowError):
            pass
        raise InvalidInput(self.method, need="λ a finite number > 0, and 1/λ, too", got=quoted(lam))

    def _read(self, lam: Number, trained: Fitted) -> SVC:
        """Return the trained machine of a λ as a fitted classifier."""
        found = SVC(C=1 / lam, kernel=self.kernel, arithmetic=self.arithmetic)
        return found.hold(self._given, list(self.classes_), self._model.machine(lam), trained)


def _vanishes(machine: SVC) -> bool:
    """Return whether the path's doubles have few digits of the function that the intercept is to balance."""
    values, eps = machine._trained.values, machine.field().eps
    return bool(eps) and max(values) > min(values) and vanish(max(values) - min(values), eps)


def _digits(machine: SVC) -> float:
    """Return the proven digits of a classifier, 0 where nothing is bounded."""
    return machine.certificate_.digits or float(0)
