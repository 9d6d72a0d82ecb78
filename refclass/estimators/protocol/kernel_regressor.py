"""What every regression with a kernel provides: coefficients and an intercept, predictions, R², and an exact proof."""

from __future__ import annotations

from copy import copy
from dataclasses import dataclass
from functools import cached_property
from math import inf
from typing import Any, Optional

from refclass.certificate import ASKED, Certificate
from refclass.errors import InvalidInput, NotExact
from refclass.estimators.protocol.certificates import stated
from refclass.estimators.protocol.certificates.claimed import Reported
from refclass.estimators.protocol.estimator import Estimator
from refclass.estimators.protocol.given import kernel_input
from refclass.estimators.protocol.given.kernel_input import Given
from refclass.estimators.protocol.regressor import within_range
from refclass.kernels.matrices.product import exact_product, linear_points
from refclass.linear.vector import Vector
from refclass.losses.conjugate_pieces import parts_of
from refclass.margins.svm import fit as train
from refclass.number.field import Field, Number, rational
from refclass.number.rational import RATIONAL
from refclass.regress.kernel import certificate, fitted_machine
from refclass.regress.kernel import fit as training
from refclass.regress.kernel import machine as dual
from refclass.sample import data
from refclass.sample.determination import r_squared


@dataclass(frozen=True)
class Posed:
    """What a fit was given, without the rows that have no weight.

    n          how many rows there were
    places     those that have a weight
    weights    their weights, > 0
    targets    their responses
    given      the points that they stand for, with the kernel
    known      what is known of the intercept and the kernel
    """

    n: int
    places: list[int]
    weights: Vector
    targets: Vector
    given: Given
    known: dict[str, bool]


class KernelRegressor(Estimator):
    """An estimator of numbers with f(x) = Σ cᵢ K(xᵢ, x) + b.

    Of a linear kernel the function is xᵀβ + b with β = `coef_`: Σ cᵢxᵢ, or, where floats alone prove too little, the
    coefficients of the optimum, rounded, from which Σ cᵢxᵢ differs by the rounding of the cᵢ.

    A subclass says which `machine` it fits, at what `scale` of its objective, and what more to `describe`.
    """

    _estimator_type = "regressor"
    kernel: Any
    intercept: Any = True

    def machine(self, F: Field, K: Any, y: Vector, weights: Vector, **known: bool) -> dual.Machine:
        """Return the machine ½‖f‖² + Σ Vᵢ(rᵢ) for weights > 0, its parameters lifted into F."""
        raise NotImplementedError

    def scale(self, F: Field) -> Number:
        """Return what the machine's objective is multiplied by to give the estimator's."""
        return F.kind(1)

    def constant(self, fitted: fitted_machine.Fitted) -> Number:
        """Return what f(x) adds to Σ cᵢ K(xᵢ, x)."""
        return fitted.beta0

    def describe(self, fitted: fitted_machine.Fitted, places: list[int], n: int) -> None:
        """Set the attributes beyond those that all have; `places` are the rows that have a weight, of n."""

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Any:
        """Fit y on the points X; a weight ≥ 0 multiplies the loss of its row.

        Raises    InvalidInput, naming row and column, for bad data or parameters, and for kernel values beyond the
                  range of doubles; NotExact where the answer is beyond it
        """
        F = self.field()
        machine = self._asked(F, X, y, sample_weight)
        try:
            with training.bounds_of(self.scale(RATIONAL)):
                self._fitted = self.solve(F, machine)
        except OverflowError:
            raise NotExact(self.method, need="an answer within the range of doubles", got="a larger one") from None
        self._set(F, machine)
        if self._fitted.proven is not None:
            stated.require(self.method, self._stated(self._fitted.proven))
        return self

    def claim(self, X: Any, y: Any, reported: Reported, sample_weight: Any = None) -> bool:
        """Take the coefficients and the intercept that somebody reports for those of the fit; nothing is solved.

        Return False, and take nothing, where they are not reported.
        Raises    InvalidInput where their form does not fit the data
        """
        if "coefficients" not in reported and not ("alpha" in reported and "alpha_star" in reported):
            return False
        F = self.field()
        machine = self._asked(F, X, y, sample_weight)
        if "coefficients" in reported:
            given = reported.numbers("coefficients", self._posed.n)
        else:
            below, above = reported.numbers("alpha", self._posed.n), reported.numbers("alpha_star", self._posed.n)
            given = [v - w for v, w in zip(above, below)]
        for i in set(range(self._posed.n)).difference(self._posed.places):
            if given[i]:
                raise InvalidInput("verify", need="coefficient 0 where the weight is 0", got=given[i], row=i)
        a = Vector.of([F.lift(given[i]) for i in self._posed.places])
        beta0 = F.lift(reported.number("intercept", None if machine.intercept else 0))
        values = Vector.of(map(F.lift, exact_product(machine.K, list(map(rational, a)))))
        parts = tuple([tuple(parts_of(own, v)) for own, v in zip(machine.pieces, a)])
        ends = fitted_machine.interval(machine, parts, values) if machine.intercept else (F.kind(0), F.kind(0))
        reported_fit = fitted_machine.Fitted(a, parts, values, beta0, ends, a @ values, 0)
        self._fitted = fitted_machine.valued(machine, reported_fit)
        self._set(F, machine)
        return True

    def _asked(self, F: Field, X: Any, y: Any, sample_weight: Any) -> dual.Machine:
        """Return the machine that the data require."""
        given = kernel_input.given(F, self.kernel, X)
        n, kernel = len(given), given.kernel
        targets, weights = data.vector(F, y, n), data.weight_vector(F, sample_weight, n)
        places = [i for i, w in enumerate(weights) if w]
        if not places:
            raise InvalidInput("data", need="a positive weight in sample_weight", got="none")
        kept = given.part(places)
        if F.kind is float:
            kept.rows.diagonal()  # Premise: of positive semidefinite kernels no value is larger.
        known = {"intercept": self._free_constant(), "positive": kernel.positive, "rounded": not kernel.exact}
        self._posed = Posed(n, places, weights.pick(places), targets.pick(places), kept, known)
        return self.machine(F, kept.rows, self._posed.targets, self._posed.weights, **known)

    def _free_constant(self) -> bool:
        return bool(self.one_of("intercept", True, False))

    def solve(self, F: Field, machine: dual.Machine) -> fitted_machine.Fitted:
        """Return the machine fitted."""
        return training.fit(F, machine, self._whole)

    def _whole(self) -> dual.Machine:
        """Return the machine with its numbers at their exact worth."""
        posed = self._posed
        y, weights = posed.targets.exactly(), posed.weights.exactly()
        return self.exact_machine(posed.given.exactly(), y, weights, **posed.known)

    def _set(self, F: Field, machine: dual.Machine) -> None:
        for name in ("certificate_", "coef_", "degrees_of_freedom_"):
            self.__dict__.pop(name, None)
        fitted, given = self._fitted, self._posed.given
        self._shown = self._objectives(F, machine)
        beta = None if fitted.beta is None else Vector.of(fitted.beta[: len(given.points[0])])
        self._model = train.model(F, given.G, given.kernel, given.points, fitted.a, self.constant(fitted), beta)
        self._tell()

    def _tell(self) -> None:
        """Set the attributes that are read off the machine."""
        fitted, n = self._fitted, self._posed.n
        self.objective_, self.dual_objective_ = self._shown
        self.coefficients_ = self._spread(fitted.a, n)
        self.support_ = [i for i, c in enumerate(self.coefficients_) if c]
        self.intercept_ = [self._model.beta0]
        self.intercept_interval_ = fitted.interval
        if self._model.beta is not None:
            self.coef_ = list(self._model.beta)
        self.n_iter_ = fitted.steps
        self.describe(fitted, self._posed.places, n)

    def _objectives(self, F: Field, machine: dual.Machine) -> list[Number]:
        """Return the objectives of primal and dual at the answer: as they were proven, if they were."""
        fitted, scale = self._fitted, self.scale(F)
        if fitted.proven is not None:
            scale = self.scale(RATIONAL)
        return [F.delivered(self.method, scale * v) for v in (fitted.objective, fitted.dual_objective)]

    def _spread(self, values: Any, n: int) -> list[Number]:
        """Return the values of the rows that have a weight, and zeros for the others."""
        spread = [0 * values[0]] * n
        for i, v in zip(self._posed.places, values):
            spread[i] = v
        return spread

    @cached_property
    def certificate_(self) -> Certificate:
        """The proof, exact, from the data as given: primal, dual, gap, worst violation and where."""
        return self.proven(self.field().eps)

    def proven(self, eps: Any) -> Certificate:
        """Return the proof; where the answer claims to be exact (eps = 0), "optimal" requires a gap of zero."""
        self.is_fitted()
        fitted, asked = self._fitted, inf if eps == 0 else ASKED
        found = fitted.proven
        if found is None or eps == 0:
            machine = self._whole()
            beta = None if eps == 0 else self._delivered(machine)
            found = certificate.certify(machine, fitted.a, fitted.beta0, beta=beta, asked=asked)
        return self.covering(self._stated(found))

    def _stated(self, found: Certificate) -> Certificate:
        """Return the proof, with no more digits than the numbers shown have of it."""
        return stated.functions(found.times(self.scale(RATIONAL)), [self._model], *self._shown)

    def _delivered(self, machine: dual.Machine) -> Optional[Vector]:
        """Return the coefficients of a linear function, and its constant where the points have a coordinate for it."""
        points, model = linear_points(machine.K), self._model
        if points is None or model.beta is None:
            return self._fitted.beta
        return Vector.of([*model.beta, *[model.beta0] * (len(points[0]) - len(model.beta))])

    def solved(self) -> list[fitted_machine.Solved]:
        """Return the machine that was solved, with its multipliers, in fractions."""
        self.is_fitted()
        a, beta0 = Vector.of(map(rational, self._fitted.a)), rational(self._fitted.beta0)
        whole = certificate.lifted(self._whole())
        return [fitted_machine.Solved(whole, a, beta0, self._posed.places, rational(self.scale(RATIONAL)))]

    def restated(self) -> Any:
        """Return a copy whose fitted attributes are set anew from the machine that was proven."""
        again = copy(self)
        again._tell()
        return again

    def exact_machine(self, K: Any, y: Vector, weights: Vector, **known: bool) -> dual.Machine:
        """Return the machine with its parameters at their exact worth."""
        return self.machine(RATIONAL, K, y, weights, **known)

    def predict(self, X: Any) -> list[Number]:
        """Return f(x) for each row of X."""
        self.is_fitted()
        model = self._model
        found = list(model.scores(model.kernel.points(model.G, X, data.matrix, training=model.points)))
        within_range(self.method, [(v,) for v in found])
        return found

    def score(self, X: Any, y: Any) -> Any:
        """Return R² = 1 − Σ(y − f(x))²/Σ(y − ȳ)².  Raises NoAnswer if y does not vary."""
        said = self.predict(X)
        truth = data.vector(self._model.F, y, len(said))
        return r_squared(self._model.F, self.method, [truth], [Vector.of(said)])
