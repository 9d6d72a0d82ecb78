"""The smoothing spline in one variable: by its smoothing parameter, by its degrees of freedom, or by GCV.

    minimise  Σᵢ wᵢ (yᵢ − f(xᵢ))² + λ ∫ f″(x)² dx

All responses share λ; λ = math.inf is the least-squares line, λ = 0 the interpolant of the means at the distinct x.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import Any, Optional

from refclass.certificate import ASKED, UNITS, Certificate, digits, status, within_roundings
from refclass.errors import InvalidInput, NotExact
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Rounded, Vector
from refclass.number.field import Field, Number, rational
from refclass.number.rational import RATIONAL
from refclass.number.tolerance import roundoff
from refclass.regress.linear import check, extent
from refclass.regress.spline import additive_integrals, curve_decimals
from refclass.regress.spline.additive_fit import Problem as Sample
from refclass.regress.spline.certificate import NONE, ROUNDINGS, bounds, rational_curve, rationals, slack
from refclass.regress.spline.curve import Curve
from refclass.regress.spline.curve_decimals import FAR, loose
from refclass.regress.spline.degrees_of_freedom import ladder, limited
from refclass.regress.spline.gcv import gcv_certificate
from refclass.regress.spline.gcv.gcv_criterion import Criterion, roundings
from refclass.regress.spline.gcv.gcv_minimum import lowest
from refclass.regress.spline.smoother import UNEVEN, Cubic, Operator, Pooled, Smoother
from refclass.sample.mean import distant
from refclass.sample.observations import rounded_gaps

SLIGHT = 10**18  # residual sums of squares, in those that roundings leave, up to which GCV is computed in decimals


@dataclass(frozen=True)
class Model:
    """A fitted smoothing spline.

    curve                 the splines, one for each response
    lam                   the smoothing parameter λ; math.inf for the line
    degrees_of_freedom    tr S_λ, the constant counted
    rss                   the weighted sum of squared residuals over all responses
    gcv                   (RSS/n)/(1 − cost·tr S_λ/n)², n the sum of the weights; at λ = 0 its limit; None where it has
                          no value
    fitted                the n × q fitted values
    doubtful              whether doubles may hold fewer digits of the criterion than are asked for
    """

    curve: Curve
    lam: Any
    degrees_of_freedom: Number
    rss: Number
    gcv: Optional[Number]
    fitted: Matrix
    doubtful: bool = False

    def predict(self, X: Matrix) -> Matrix:
        """Return the m × q values of the curves at the points X, m × 1."""
        return Matrix.of([self.curve(x) for (x,) in X])


def fit(
    F: Field,
    X: Matrix,
    Y: Matrix,
    weights: Optional[Vector] = None,
    *,
    lam: Any = None,
    degrees_of_freedom: Any = None,
    cost: Any = 1,
    most: Any = None,
) -> Model:
    """Return the smoothing spline of Y on X  [YANG-fda-smoother].

    Given     one of lam (a number of F, or math.inf) and degrees_of_freedom (between 2 and the number m of distinct x);
              neither: the λ of lowest GCV, each degree of freedom charged `cost`, and none beyond `most` (≥ 2;
              None for no limit: λ is 0 then where GCV falls all the way)
    Shapes    X: n × 1; Y: n × q; weights: n numbers ≥ 0, an integer weight standing for copies
    Exact     yes for a given λ, and for degrees of freedom 2 and m
    Cost      O(n log n) to sort, then O(mq) for each λ tried
    Raises    InvalidInput; NotExact where λ must be searched for and F is exact
    """
    if len(X[0]) != 1:
        raise InvalidInput("spline", need="one variable", got=len(X[0]))
    if lam is not None and degrees_of_freedom is not None:
        raise InvalidInput("spline", need="at most one of lam and degrees_of_freedom", got="both")
    extent.check(F, "spline", X, Y, 4)
    problem = _Problem(F, X, Y, weights, cost)
    if lam is not None:
        operator = problem.smoother.at(lam)
    elif degrees_of_freedom is not None:
        operator = curve_decimals.of_degrees(F, problem.smoother, lambda: problem.exact.smoother, degrees_of_freedom)
    else:
        operator = problem.chosen(most)
    return problem.model(operator)


class _Problem:
    """The sample without the points of weight zero, pooled at its knots."""

    def __init__(self, F: Field, X: Matrix, Y: Matrix, weights: Optional[Vector], cost: Any) -> None:
        w = check.weights(F, "spline", X, Y, weights)
        keep = [i for i, v in enumerate(w) if v]
        self.F, self.X, self.Y, self.given, self.cost = F, X, Y, w, cost
        self.n = w.sum()
        self.smoother = Smoother.of([X[i][0] for i in keep], w.pick(keep))
        self.pooled = self.smoother.pooled([column.pick(keep) for column in Y.T])

    def criterion(self) -> Criterion:
        return Criterion(self.pooled, self.n, self.cost, self.n * 0, self.n * 0)

    @cached_property
    def exact(self) -> Pooled:
        """The responses pooled at their knots, in fractions."""
        return _Problem(RATIONAL, rationals(self.X), rationals(self.Y), rationals([self.given])[0], 1).pooled

    def chosen(self, most: Any) -> Operator:
        """Return the operator of lowest GCV."""
        longer = curve_decimals.ragged(self.F, self.smoother, lambda: self.exact.smoother)
        if longer and (most is None or most > 2):
            lam = gcv_certificate.chosen(self.exact, cost=self.cost, most=most)
            if lam is not None:
                return self.smoother.at(lam if lam == math.inf else self.F.lift(lam))
        return choose(self.F, self.criterion(), most)

    def model(self, operator: Operator) -> Model:
        curve = operator.curve(self.pooled)
        df, rss, gcv = operator.degrees_of_freedom, operator.residual(self.pooled), self.criterion()(operator)
        again = not self.F.exact and self._again(operator, curve)
        if again or (not self.F.exact and self._slight(operator, rss)):
            best = curve_decimals.optimum(operator, self.exact, self.F.kind) if again else None
            curve = curve if best is None else best.rounded
            known = gcv_certificate.scores(self.exact, operator.lam, cost=self.cost)
            if known is not None and len(self.exact.smoother.knots) == len(self.smoother.knots):
                df, gcv = self.F.lift(known.degrees[0]), None if known.gcv is None else self.F.lift(known.gcv[0])
        lam = math.inf if len(self.smoother.knots) < 3 else operator.lam
        fitted = Matrix.of([curve(x) for (x,) in self.X])
        unsure = again or (not self.F.exact and self.F.kind is not float)
        doubtful = unsure and isinstance(operator, Cubic) and loose(operator, curve, rss, 10**ASKED)
        return Model(curve, lam, df, rss, gcv, fitted, doubtful)

    def _again(self, operator: Operator, curve: Curve) -> bool:
        """Return whether the curves are to be computed in longer decimals."""
        read = isinstance(self.X[0], Rounded) and distant(self.X[0], Vector.of([curve.knots[0]]))
        far = read or rounded_gaps(self.X, 10**ASKED)
        if isinstance(operator, Cubic):
            least = operator.residual(self.pooled) + operator.lam * curve.roughness()
            return bool(far) or loose(operator, curve, least)
        size = max(y.largest() for y in self.pooled.means)
        lost = FAR * self.F.eps * size
        return bool(far) or bool(self.n * (lost * lost) > operator.residual(self.pooled))

    def _slight(self, operator: Operator, rss: Number) -> bool:
        """Return whether rounding may cost GCV digits: of uneven gaps, or of residuals that are slight themselves."""
        least = SLIGHT * roundings(self.F.eps, self.n, self.pooled.means)
        return bool(rss <= least) or (isinstance(operator, Cubic) and self.smoother.unevenness > UNEVEN)


def scores(X: Matrix, Y: Matrix, model: Model, weights: Vector, cost: Any) -> Optional[gcv_certificate.Scores]:
    """Return bounds of the degrees of freedom and of the GCV of the model's λ, from the data as given."""
    problem = _Problem(RATIONAL, rationals(X), rationals(Y), rationals([weights])[0], 1)
    return gcv_certificate.scores(problem.pooled, model.lam, cost=rational(cost))


def choose(F: Field, criterion: Criterion, most: Optional[Number]) -> Operator:
    """Return the operator of lowest GCV among the line and all λ ≥ 0 that have no more degrees of freedom.

    Raises    NotExact in an exact field: the minimiser is a root of a polynomial, rational by accident only
    """
    smoother = criterion.pooled.smoother
    if len(smoother.knots) < 3 or (most is not None and most <= 2):
        return smoother.at(math.inf)
    if F.exact:
        raise NotExact("spline", need="lam or degrees_of_freedom given in exact arithmetic", got="a search by GCV")
    return lowest(F, criterion, ladder(F, smoother, most), closed=limited(smoother, most))


def certify(X: Matrix, Y: Matrix, model: Model, weights: Optional[Vector] = None, asked: float = ASKED) -> Certificate:
    """Return the proof that the curves minimise the criterion at the model's λ, in exact rational arithmetic.

    Where λ is so large that curves have fewer digits than are asked for, the dual is that of the optimum, computed in
    longer decimals, and the ceiling is that of the optimum rounded once; where in doubles this has none, the gap counts
    on the scale of the best constant's criterion.

    Cost      O(mq) multiplications, of integers where the curves are doubles
    """
    w = None if weights is None else rationals([weights])[0]
    problem = _Problem(RATIONAL, rationals(X), rationals(Y), w, 1)
    operator = problem.smoother.at(model.lam if model.lam == math.inf else rational(model.lam))
    found = _proven(problem, operator, model.curve, asked)
    kind = model.curve.knots.kind
    if kind is Fraction or found.digits is None or found.digits >= asked:
        return found
    best = curve_decimals.optimum(operator, problem.pooled, kind)
    if best is None:
        return found
    known = _proven_by_values(problem, operator, best.longer, asked).dual
    found = _proven(problem, operator, model.curve, asked, known)
    if found.digits is None or found.digits >= asked:
        return found
    most = _proven(problem, operator, best.rounded, asked, known).digits or 0
    if most >= 1 or found.digits >= 1 or kind is not float:
        return replace(found, ceiling=most)  # the status that it has names the digits, or that they miss the ceiling
    proven = digits(found.gap, problem.pooled.about_means or problem.pooled.square)
    said = status(proven, asked, ceiling=most)
    return replace(found, status=said, digits=proven, premise=NONE, ceiling=most)


def _proven(
    problem: _Problem, operator: Operator, given: Curve, asked: float, known: Optional[Fraction] = None
) -> Certificate:
    """Return the proof of curves, without their ceiling: by their second derivatives, or by their values.

    known    a lower bound on the criterion, where there is one beside that of the curves themselves
    """
    own, smoother = problem.pooled, problem.smoother
    sample = Sample((smoother,), tuple(map(Vector.of, own.responses)), smoother.points)
    if given.knots.kind is not float or not additive_integrals.knots_agree(sample, (given,)):
        return _proven_by_values(problem, operator, given, asked, known)
    zeros = [0] * len(own.responses)
    made = additive_integrals.bounds(sample, (operator.lam,), zeros, (given,)).above(known)
    quick = replace(additive_integrals.proof(sample, made, float, asked), unique={"curve": True})
    return additive_integrals.better(
        made, quick, lambda: _proven_by_values(problem, operator, given, asked, known), asked
    )


def _proven_by_values(
    problem: _Problem, operator: Operator, given: Curve, asked: float, known: Optional[Fraction] = None
) -> Certificate:
    """Return the proof of the natural splines through the values of curves."""
    curve = rational_curve(given)
    worst, where = Fraction(0), ""
    primal = dual = problem.pooled.within
    for q, (y, g, gamma) in enumerate(zip(problem.pooled.means, curve.values, curve.seconds)):
        left, (high, low) = slack(operator, y, g, gamma), bounds(operator, y, g, gamma)
        primal, dual = primal + high, dual + max(low, low * 0)
        if left.worst > worst:
            worst, where = left.worst, f"response {q}"
    dual = dual if known is None else max(dual, known)
    square, unit = problem.pooled.square, UNITS * rational(roundoff(given.knots.kind))
    place, given_y = problem.pooled.smoother.place, problem.pooled.responses
    each = (([a - g[k] for a, k in zip(y, place)], y) for y, g in zip(given_y, curve.values))
    small = primal <= square * unit * unit and all(within_roundings(*pair, unit) for pair in each)
    found = digits(primal - dual, problem.pooled.about_means or square if small else primal)
    return Certificate(
        status=status(found, asked),
        primal=primal,
        dual=dual,
        gap=primal - dual,
        worst_violation=worst,
        where=where,
        unique={"curve": True},
        digits=found,
        premise=ROUNDINGS if small and dual > 0 else "",
    )


def certify_choice(
    X: Matrix,
    Y: Matrix,
    model: Model,
    weights: Optional[Vector] = None,
    *,
    cost: Any = 1,
    most: Any = None,
    eps: Any = 0,
    asked: float = ASKED,
) -> Certificate:
    """Return the proof that the model's λ has the lowest GCV of all, and its curves the lowest criterion at that λ.

    primal is the GCV of λ, dual a lower bound of GCV over all λ from 0 to ∞ that `most` allows; the digits are those of
    GCV, or of the curves' own criterion where those are fewer. GCV, not λ, is what a choice is judged by.

    Given     eps: the roundoff of the arithmetic that λ was found in
    Cost      that of `certify` and of `gcv_certificate.certify`
    """
    curves = certify(X, Y, model, weights, asked)
    w = None if weights is None else rationals([weights])[0]
    problem = _Problem(RATIONAL, rationals(X), rationals(Y), w, 1)
    nothing = roundings(rational(eps), problem.n, problem.pooled.means)
    made = gcv_certificate.certify(problem.pooled, model.lam, cost=cost, most=most, nothing=nothing)
    if made.primal is None or made.dual is None or made.digits is None or curves.digits is None:
        return curves
    found = min(made.digits, curves.digits)
    return replace(
        curves,
        status=status(found, asked, ceiling=curves.ceiling if found == curves.digits else None),
        primal=made.primal,
        dual=made.dual,
        gap=made.primal - made.dual,
        digits=found,
    )
