"""BRUTO."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from fractions import Fraction
from math import inf
from typing import Any, Optional

from refclass.certificate import ASKED, Certificate, digits, status
from refclass.errors import NotConverged
from refclass.estimators.protocol.certificates import stated
from refclass.estimators.protocol.estimator import Steps
from refclass.estimators.protocol.regressor import Regressor, responses
from refclass.iteration import ending, mapped
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector
from refclass.number.field import Field, rational
from refclass.regress.bruto import bruto, bruto_decimals, bruto_selection, bruto_steps
from refclass.regress.spline import additive, certificate
from refclass.sample import data

ENOUGH = Fraction(1, 10**6)  # the share of GCV to which a proof bounds the lowest: 1 % of the default threshold


class BRUTO(Regressor):
    """An additive model whose every term is left out, a line or a smooth curve, as GCV decides  [GAP-9] [CMP-BRUTO].

        GCV = (RSS/n)/(1 − cost · Σ df/n)²,   df = 0, 1, or the trace of the smoother less 1

    Several responses share types and penalties.

    Parameters
    ----------
    cost : number > 0, default 2
        What a degree of freedom costs in GCV.
    start_linear : bool, default True
        Whether selection starts from the linear fit, or from the means.
    max_degrees_of_freedom : number, or None, default None
        The most for one term; None for two thirds of its distinct values.
    threshold : number > 0, default 0.0001
        The fit ends when no type changes and GCV moves by no more than this share.
    tol : number > 0, or None, default None
        Backfitting ends when a sweep moves the functions by less than this share of the spread of y; None for √eps.
    max_select : int ≥ 1, default 100
        The most sweeps of selection.
    max_backfit : int ≥ 1, default 1000
        The most sweeps of backfitting between two of selection.
    arithmetic : "float" or "decimal:n", default "float"
        The numbers that are computed with: binary64, or decimals of n digits.

    Attributes
    ----------
    types_ : list of p str
        "excluded", "linear" or "smooth" for each variable.
    degrees_of_freedom_ : list of p numbers
        The degrees of freedom of each variable, the constant not counted.
    penalty_ : list of p numbers or None
        λ for each variable, inf for a line, None when excluded.
    intercept_ : number, or q numbers
        The mean of each response, in the units of y.
    gcv_ : number
        The criterion, in the units of y squared.
    fitted_values_ : n numbers, or n × q
        The fitted values at the rows of X, in the units of y, shaped as y.
    certificate_ : Certificate
        The proof, computed in exact arithmetic from the data as given when it is first asked for.

    Raises
    ------
    InvalidInput
        For bad data or parameters.
    NotExact
        In exact arithmetic, and for weights whose squares are no doubles.
    NotConverged
        With the last state.

    See Also
    --------
    SmoothingSpline, MARS, FlexibleDiscriminantAnalysis

    References
    ----------
    - T. Hastie (1989). Discussion of "Flexible parsimonious smoothing and additive modeling". Technometrics 31, 23-29.
    - T. Hastie and R. Tibshirani (1990). Generalized Additive Models. Chapman and Hall, section 9.4.3.

    Examples
    --------
    >>> model = BRUTO().fit([[i, i % 3] for i in range(12)], [2 * i + 1 for i in range(12)])
    >>> model.types_[0], round(model.predict([[20, 1]])[0], 6)
    ('linear', 41.0)
    """

    method = "bruto"
    equations = ("ESL-12.3.3-additive", "YANG-T12.3")
    fitted = ("types_", "degrees_of_freedom_", "penalty_", "intercept_", "gcv_", "fitted_values_")
    arithmetics = ("float", "decimal:n")

    def __init__(
        self,
        *,
        cost: Any = 2,
        start_linear: bool = True,
        max_degrees_of_freedom: Any = None,
        threshold: Any = 1e-4,
        tol: Any = None,
        max_select: int = 100,
        max_backfit: int = 1000,
        arithmetic: Any = "float",
    ) -> None:
        self.cost = cost
        self.start_linear = start_linear
        self.max_degrees_of_freedom = max_degrees_of_freedom
        self.threshold = threshold
        self.tol = tol
        self.max_select = max_select
        self.max_backfit = max_backfit
        self.arithmetic = arithmetic

    def regress(self, F: Field, X: Matrix, Y: Matrix, weights: Optional[Vector] = None) -> bruto.Model:
        """Return the fitted model of layer 4."""
        return ending(self.regressing(F, X, Y, weights))

    def work(self, n: int, p: int) -> int:
        """Return how many multiplications a fit is, about: hundreds of values of λ in each of some sweeps."""
        return 10_000 * n * p

    def regressing(self, F: Field, X: Matrix, Y: Matrix, weights: Optional[Vector] = None) -> Steps[bruto.Model]:
        """Yield how far the regression has come, and return the model.

        Where doubles do not settle, or may choose wrongly, the iteration is made in decimals.
        """
        problem, found = self._problem(F, X, Y, weights), None
        unsure = F.kind is float and bruto_decimals.unsure(problem)
        if unsure:
            with suppress(NotConverged):
                found = yield from self._in_decimals(F, X, Y, weights)
        if found is not None:
            return found
        try:
            model = yield from mapped(bruto.fit_steps(F, problem, X, **self._budget()), self._progress)
            found = self._scored(F, X, Y, model, weights)
        except NotConverged as refusal:
            unsettled = refusal
        if F.kind is float and not unsure and (found is None or found.doubtful):
            with suppress(NotConverged):
                found = (yield from self._in_decimals(F, X, Y, weights)) or found
        if found is None:
            raise bruto.unsettled(X, Y, weights, unsettled)
        return replace(found, doubtful=found.doubtful or unsure)

    def _in_decimals(self, F: Field, X: Matrix, Y: Matrix, weights: Optional[Vector]) -> Steps[Optional[bruto.Model]]:
        run = bruto_decimals.steps(F, X, Y, weights, self._options(F), **self._budget())
        model = yield from mapped(run, self._progress)
        return None if model is None else self._scored(F, X, Y, model, weights)

    def _scored(self, F: Field, X: Matrix, Y: Matrix, model: bruto.Model, weights: Optional[Vector]) -> bruto.Model:
        return bruto.scored(F, X, Y, model, weights, rational(self.number(F, "cost", above=0)))

    def _progress(self, state: bruto_steps.State) -> tuple[int, int, str]:
        most = self.max_select if state.phase == "selection" else self.max_backfit
        smooth = sum(kind == "smooth" for kind in state.types)
        return state.sweep, most, f"bruto: {state.phase}, {smooth} smooth"

    def steps(self, X: Any, y: Any, sample_weight: Any = None) -> Iterator[bruto_steps.State]:
        """Return the iteration on this data, state by state."""
        F = self.field()
        rows = data.matrix(F, X)
        Y, _ = responses(F, y, len(rows))
        return bruto_steps.steps(F, self._problem(F, rows, Y, data.weight_vector(F, sample_weight, len(rows))))

    def _problem(self, F: Field, X: Matrix, Y: Matrix, weights: Optional[Vector]) -> bruto_selection.Problem:
        data.refuse_extreme(F, weights, self.method)
        return bruto.asked(F, X, Y, weights, **self._options(F))

    def _options(self, F: Field) -> dict[str, Any]:
        limit = self.max_degrees_of_freedom
        return {
            "cost": self.number(F, "cost", above=0),
            "most": None if limit is None else self.number(F, "max_degrees_of_freedom", least=0),
            "linear": bool(self.one_of("start_linear", True, False)),
            "threshold": self.number(F, "threshold", least=0),
            "tol": None if self.tol is None else self.number(F, "tol", above=0),
        }

    def _budget(self) -> dict[str, int]:
        return {name: self.integer(name, 1) for name in ("max_select", "max_backfit")}

    def prove(self, model: bruto.Model, X: Matrix, Y: Matrix, weights: Vector, eps: Any) -> Certificate:
        """Return the proof that every term is the spline of what the others leave, with the smoothing of lowest GCV.

        The digits are those of the equations of the terms; the smoothing of each variable is judged by its GCV, the
        others held: where it does not have the digits of `threshold`, they are what is proven, unless a refit of all
        to the better smoothing of that variable scores no lower.
        """
        found, F = additive.certify(X, Y, model, weights), self.field()
        cost, limit = rational(self.number(F, "cost", above=0)), self.max_degrees_of_freedom
        most = None if limit is None else rational(self.number(F, "max_degrees_of_freedom", least=0))
        choices = bruto.certify_choices(X, Y, model, weights, cost=cost, most=most, gap=ENOUGH, eps=eps)
        digits_of = {j: c.digits for j, c in enumerate(choices) if c is not None and c.digits is not None}
        wanted = min(digits(rational(self.number(F, "threshold", least=0)), 1), ASKED)
        joint = [j for j, known in digits_of.items() if known < wanted and self._lower_alone(model, X, Y, weights, j)]
        known = min((v for j, v in digits_of.items() if j not in joint), default=inf)
        premise = f"the smoothing of each variable has {known:.1f} digits of the lowest GCV, the others held"
        if joint:
            names = ", ".join(map(str, joint))
            premise += (
                f"; of {names} another scores lower so, but no lower once all are refitted to it, in rounded arithmetic"
            )
        if known < wanted:
            return replace(found, status=status(known, ASKED, convex=False), digits=known, premise=premise)
        kind = "stationary" if found.status == "optimal" else found.status
        return replace(found, status=kind, premise=premise if known < inf or joint else "")

    def judged(self, found: Certificate) -> Certificate:
        """Return the proof, with no more digits than the fitted values, the degrees of freedom and GCV have."""
        (X, Y, weights), model, F = self._given, self._model, self._field
        found = super().judged(found)
        known = bruto.scores(X, Y, model, weights, rational(self.number(F, "cost", above=0)))
        if known is None:
            return found
        for df, bounds in zip(model.term_degrees, known[0]):
            found = stated.between(F, found, "degrees_of_freedom_", df, bounds)
        return stated.between(F, found, "gcv_", model.gcv, known[1])

    def values(self, model: bruto.Model, X: Matrix) -> tuple[Matrix, Matrix]:
        """Return the values of the model at the rows of X, exact, and the sizes of what they are sums of."""
        return certificate.values(X, model.curves, model.intercept)

    def _lower_alone(self, model: bruto.Model, X: Matrix, Y: Matrix, weights: Vector, j: int) -> bool:
        """Return whether a better smoothing of variable j, the others held, scores no lower once all are refitted."""
        F = self.field()
        problem = self._problem(F, X, Y, weights)
        score, least = bruto.refitted(F, problem, model, j), model.gcv * (1 - problem.threshold)
        if score is not None and score < least and F.kind is float:
            longer = bruto_decimals.refitted(F, X, Y, weights, self._options(F), model, j)
            score = score if longer is None else rational(longer)
        return score is None or score >= least

    def describe(self, model: bruto.Model) -> None:
        """Set types_, degrees_of_freedom_, penalty_, intercept_, gcv_."""
        self.types_ = list(model.types)
        self.degrees_of_freedom_ = list(model.term_degrees)
        self.penalty_ = list(model.smoothing)
        self.intercept_ = model.intercept[0] if self._flat else list(model.intercept)
        self.gcv_ = model.gcv
