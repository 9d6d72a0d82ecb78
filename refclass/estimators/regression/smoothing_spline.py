"""The smoothing spline, in one variable or added over several."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any, Optional

from refclass.certificate import Certificate
from refclass.errors import InvalidInput, quoted
from refclass.estimators.protocol.certificates import stated
from refclass.estimators.protocol.regressor import Regressor
from refclass.estimators.protocol.rounded_columns import require_distinct
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector
from refclass.number.field import Field
from refclass.number.rational import RATIONAL
from refclass.regress.spline import additive, additive_fit, certificate, spline


class SmoothingSpline(Regressor):
    """The smoothing spline of one variable, the additive spline of several  [YANG-fda-smoother] [ESL-12.3.3-additive].

        minimise Σᵢ wᵢ (yᵢ − f(xᵢ))² + λ ∫ f″²                                    one variable
        minimise Σᵢ wᵢ (yᵢ − α − Σ_j f_j(x_ij))² + Σ_j λ_j ∫ f_j″²                   several

    Parameters
    ----------
    penalty : number ≥ 0, inf, a list, or None, default None
        λ, in units of X cubed; inf for the straight line; for several variables one, or a list.
    degrees_of_freedom : number, a list, or None, default None
        Instead of λ: the trace of the smoother, from 2 (the line) to the number of distinct x; for several
        variables of each term's smoother, one, or a list.
    cost : number > 0, default 1
        With neither, in one variable: λ of the lowest GCV = (RSS/n)/(1 − cost trace/n)² of all from 0 to inf is
        taken. GCV is proven, which determines λ itself to few digits.
    max_degrees_of_freedom : number ≥ 2, or None, default None
        A limit on the trace of that λ; None for none: GCV may then fall all the way to interpolation (λ = 0), above
        all in small samples, which two thirds of n, for one, exclude.
    tol : number > 0, or None, default None
        For several variables: backfitting stops when a sweep moves the functions by less than this share of the
        spread of y; None for √eps. In exact arithmetic None solves the normal equations.
    arithmetic : "float", "exact" or "decimal:n", default "float"
        The numbers that are computed with; "exact" for a given penalty.

    Attributes
    ----------
    penalty_ : number, or a list
        λ.
    degrees_of_freedom_ : number
        The trace of the smoother; for several variables 1 + Σ (trace − 1).
    gcv_ : number
        The criterion, in the units of y squared; one variable.
    fitted_values_ : n numbers, or n × q
        The fitted values at the rows of X, in the units of y, shaped as y.
    certificate_ : Certificate
        The proof, computed in exact arithmetic from the data as given when it is first asked for.

    Raises
    ------
    InvalidInput
        For bad data or parameters.
    NotExact
        Where λ must be searched for in exact arithmetic.
    NoAnswer
        For additive functions that are not unique, in exact arithmetic.

    See Also
    --------
    BRUTO : terms chosen by GCV

    References
    ----------
    - C. H. Reinsch (1967). Smoothing by spline functions. Numerische Mathematik 10, 177-183.
    - P. Craven and G. Wahba (1979). Smoothing noisy data with spline functions. Numerische Mathematik 31, 377-403.

    Examples
    --------
    >>> line = SmoothingSpline(penalty=float("inf"), arithmetic="exact").fit([[0], [1], [2]], [0, 3, 0])
    >>> [str(v) for v in line.fitted_values_]
    ['1', '1', '1']
    """

    method = "smoothing_spline"
    equations = ("YANG-fda-smoother", "ESL-12.3.3-additive")
    fitted = ("penalty_", "degrees_of_freedom_", "gcv_", "fitted_values_")

    def __init__(
        self,
        *,
        penalty: Any = None,
        degrees_of_freedom: Any = None,
        cost: Any = 1,
        max_degrees_of_freedom: Any = None,
        tol: Any = None,
        arithmetic: Any = "float",
    ) -> None:
        self.penalty = penalty
        self.degrees_of_freedom = degrees_of_freedom
        self.cost = cost
        self.max_degrees_of_freedom = max_degrees_of_freedom
        self.tol = tol
        self.arithmetic = arithmetic

    def regress(self, F: Field, X: Matrix, Y: Matrix, weights: Optional[Vector] = None) -> Any:
        """Return the fitted model of layer 4: a spline's, or an additive model's."""
        if self.penalty is not None and self.degrees_of_freedom is not None:
            raise InvalidInput(self.method, need="at most one of penalty and degrees_of_freedom", got="both")
        cost = self.number(F, "cost", above=0)
        p = len(X[0])
        lams, traces = self._listed(F, "penalty", 0, p), self._listed(F, "degrees_of_freedom", 1, p)
        if p == 1:
            require_distinct(self.method, X)
            lam, df = (None if v is None else v[0] for v in (lams, traces))
            return spline.fit(F, X, Y, weights, lam=lam, degrees_of_freedom=df, cost=cost, most=self._most(F))
        tol = None if self.tol is None else self.number(F, "tol", above=0)
        if lams is None and traces is None:
            got = "neither (BRUTO chooses by GCV)"
            raise InvalidInput(self.method, need=f"penalty or degrees_of_freedom for {p} variables", got=got)
        if lams is None:
            lams = additive.penalties(F, X, Y, weights, traces or ())
        return additive.fit(F, X, Y, weights, smoothing=lams, tol=tol)

    def _listed(self, F: Field, name: str, least: int, p: int) -> Optional[list[Any]]:
        """Return the parameter as a list of p numbers ≥ least of F, infinity passing; None if it is None."""
        value = getattr(self, name)
        if value is None:
            return None
        many = isinstance(value, Iterable) and not isinstance(value, (str, bytes))
        listed = list(value) if many else [value] * p
        if len(listed) != p:
            raise InvalidInput(self.method, need=f"{name} for {p} variables", got=len(listed))
        lifted = []
        for v in listed:
            infinite = isinstance(v, float) and v == math.inf
            lifted.append(v if infinite else self._at_least(F, name, v, least))
        return lifted

    def _at_least(self, F: Field, name: str, value: Any, least: int) -> Any:
        try:
            lifted = F.parameter(value)
        except InvalidInput:
            raise InvalidInput(self.method, need=f"{name} a number ≥ {least}", got=quoted(value)) from None
        if lifted < least:
            raise InvalidInput(self.method, need=f"{name} a number ≥ {least}", got=value)
        return lifted

    def prove(self, model: Any, X: Matrix, Y: Matrix, weights: Vector, eps: Any) -> Certificate:
        """Return the proof that the curves minimise the criterion at their λ, and that a λ searched for is the best."""
        if not isinstance(model, spline.Model):
            return additive.certify(X, Y, model, weights)
        if self.penalty is not None or self.degrees_of_freedom is not None:
            return spline.certify(X, Y, model, weights)
        most = self._most(self._field)
        return spline.certify_choice(X, Y, model, weights, cost=self.cost, most=most, eps=eps)

    def judged(self, found: Certificate) -> Certificate:
        """Return the proof, with no more digits than the fitted values, the degrees of freedom and GCV have."""
        (X, Y, weights), model, F = self._given, self._model, self._field
        found = super().judged(found)
        if not isinstance(model, spline.Model):
            sample = additive_fit.Problem.of(RATIONAL, X.exactly(), Y.exactly(), weights.exactly())
            terms = additive.traces(sample, model.smoothing)
            bounds = None if terms is None else tuple(1 + sum(ends) for ends in zip(*terms))
            return stated.between(F, found, "degrees_of_freedom_", model.degrees_of_freedom, bounds)
        known = spline.scores(X, Y, model, weights, self.number(RATIONAL, "cost", above=0))
        if known is None:
            return found
        found = stated.between(F, found, "degrees_of_freedom_", model.degrees_of_freedom, known.degrees)
        return stated.between(F, found, "gcv_", model.gcv, known.gcv)

    def values(self, model: Any, X: Matrix) -> tuple[Matrix, Matrix]:
        """Return the values of the curves at the rows of X, exact, and the sizes of what they are sums of."""
        if isinstance(model, spline.Model):
            return certificate.values(X, [model.curve], [0] * len(model.curve.values))
        return certificate.values(X, model.curves, model.intercept)

    def _most(self, F: Field) -> Any:
        limit = self.max_degrees_of_freedom
        return None if limit is None else self.number(F, "max_degrees_of_freedom", least=2)

    def describe(self, model: Any) -> None:
        """Set penalty_, degrees_of_freedom_, gcv_."""
        one = isinstance(model, spline.Model)
        self.penalty_ = model.lam if one else list(model.smoothing)
        self.degrees_of_freedom_ = model.degrees_of_freedom
        self.gcv_ = model.gcv if one else None
