"""A smoothing parameter that GCV chose, judged by its GCV; what else is reported, at that parameter.

Where GCV is flat, a λ is known to the square root of its digits: two programs that both found the lowest GCV to ten
digits may differ in the fifth digit of λ, and of the curve. So a reported λ is right where its GCV is the lowest to
the digits asked for, and all else is compared with the curves of least squares and roughness at the reported λ. How
many digits of λ that determines is said: those to which no other λ beside it has a GCV as low.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Any, NamedTuple, Optional

from refclass.certificate import digits
from refclass.errors import NotExact, Refusal
from refclass.estimators.protocol.regressor import responses
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector
from refclass.number import arithmetic
from refclass.number.field import Field, Number, rational
from refclass.number.rational import RATIONAL
from refclass.oracle.leaves import finite
from refclass.oracle.problem import Problem
from refclass.oracle.references.textbook import given
from refclass.regress.bruto import bruto
from refclass.regress.spline import additive, spline
from refclass.regress.spline.additive_fit import Problem as Sample
from refclass.regress.spline.gcv import gcv, gcv_certificate
from refclass.regress.spline.smoother import Pooled, Smoother
from refclass.sample import data

HOW = "the reported penalty has the lowest GCV of all, in 40 digits; the rest is computed at that penalty"
WORKING = "decimal:40"
SHOWN = 10  # digits of the lowest GCV that the bound on all others shows
ROUNDOFF = Fraction(1, 2**52)
SETTLED = Fraction(1, 10**25)  # of the spread of y: where backfitting in 40 digits ends


class Choice(NamedTuple):
    """What is known of a reported penalty.

    digits    of the lowest GCV that its own has; of several variables the fewest; 0 where it is not allowed
    needed    those that the problem's own threshold requires, if these are fewer than those asked
    make      the reference at the penalty, in an arithmetic
    left      what is not judged of the penalty, in words: digits that the digits asked for of GCV do not determine
    """

    digits: float
    needed: float
    make: Any
    left: str = ""


def choice(problem: Problem, fitted: Mapping[str, Any], asked: float) -> Optional[Choice]:
    """Return how well a reported penalty was chosen; None where none is reported, or where the problem gives it.

    asked     the digits of GCV that are asked for
    """
    p = given(problem)
    reported = fitted.get("penalty")
    try:
        if problem.method == "smoothing_spline" and p["penalty"] is None and p["degrees_of_freedom"] is None:
            alone = len(problem.x[0]) == 1 and _penalty(reported) is not None
            return _curve(problem, p, reported, asked) if alone else None
        if problem.method == "bruto" and isinstance(reported, list) and len(reported) == len(problem.x[0]):
            return _sum(problem, p, reported)
    except Refusal:
        return None
    return None


def _penalty(value: Any) -> Any:
    """Return λ ≥ 0, a fraction or infinite; None for what is none."""
    if value == "inf":
        return math.inf
    good = not isinstance(value, (bool, list)) and value is not None and finite(value) and rational(value) >= 0
    return rational(value) if good else None


def _sample(F: Field, problem: Problem) -> tuple[Matrix, Matrix, Vector]:
    """Return X, Y and the weights in a field."""
    X = data.matrix(F, problem.x)
    return X, responses(F, problem.y, len(X))[0], data.weight_vector(F, problem.weights, len(X))


def _curve(problem: Problem, p: Mapping[str, Any], reported: Any, asked: float) -> Optional[Choice]:
    """Judge the penalty of one curve."""
    lam, (X, Y, weights) = _penalty(reported), _sample(RATIONAL, problem)
    most = p["max_degrees_of_freedom"]
    model = spline.fit(RATIONAL, X, Y, weights, lam=lam, cost=rational(p["cost"]))
    proof = spline.certify_choice(X, Y, model, weights, cost=rational(p["cost"]), most=most, eps=ROUNDOFF)
    if proof.digits is None:
        return None
    fixed = {**problem.parameters, "penalty": lam}

    def make(name: str) -> Any:
        return replace(problem, arithmetic=name, parameters=fixed).fitted()

    left, keep = "", [i for i, w in enumerate(weights) if w]
    smoother = Smoother.of([X[i][0] for i in keep], weights.pick(keep))
    if proof.dual is not None and 0 < lam < math.inf and len(smoother.knots) > 2:
        pooled, highest = smoother.pooled([y.pick(keep) for y in Y.T]), 1 + Fraction(1, 10 ** int(min(asked, SHOWN)))
        known = _determined(pooled, lam, proof.dual * highest, rational(p["cost"]), most)
        left = f"beyond digit {known}: beside it GCV is the lowest, too, to the digits asked for"
    right = proof.digits if _allowed(model.degrees_of_freedom, most) else float(0)
    return Choice(right, math.inf, make, left)


def _determined(pooled: Pooled, lam: Fraction, highest: Fraction, cost: Fraction, most: Any) -> int:
    """Return the digits of λ to which none beside it that is allowed has a GCV of that height at most."""
    for count in range(1, SHOWN + 1):
        step = 1 + Fraction(1, 10**count)
        for other in (lam * step, lam / step):
            found = gcv_certificate.scores(pooled, other, cost=cost)
            allowed = found is not None and _allowed(found.degrees[0], most)
            if found is None or (allowed and found.gcv is not None and found.gcv[0] <= highest):
                return count - 1
    return SHOWN


def _allowed(df: Any, most: Any) -> bool:
    """Return whether a curve has no more degrees of freedom than it may, but for roundings."""
    return most is None or rational(df) <= rational(most) * (1 + Fraction(1, 10**9))


def _sum(problem: Problem, p: Mapping[str, Any], reported: list[Any]) -> Optional[Choice]:
    """Judge the penalties of a sum of curves, each with the other functions held."""
    lams = [None if v is None else _penalty(v) for v in reported]
    if any(v is None and t is not None for v, t in zip(lams, reported)):
        return None
    F = arithmetic.field(WORKING)
    X, Y, weights = _sample(F, problem)
    own = [v if v is None or v == math.inf else F.lift(v) for v in lams]
    model = additive.fit(F, X, Y, weights, smoothing=own, tol=F.lift(SETTLED))
    whole = Chosen(F, problem, model, rational(p["cost"]))
    squares = sum((rational(v) ** 2 for row in Y for v in row), Fraction(0))
    if whole.gcv_ is None or rational(whole.gcv_) * len(X) <= ROUNDOFF**2 * squares:
        return None  # Premise: a GCV that is the square of roundoff tells no λ from another.
    threshold = rational(p["threshold"])
    needed = digits(threshold, 1) if threshold else math.inf
    each = {**_inside(model, X, Y, weights, p), **_outside(whole, X, Y, weights, p)}
    # Premise: with the others held another smoothing may score lower, and no lower once all are refitted to it.
    joint = [j for j, v in each.items() if v < needed and _lower_alone(whole, X, Y, weights, p, j)]
    found = min([v for j, v in each.items() if j not in joint], default=math.inf)

    def make(name: str) -> Any:
        if name == "exact":
            raise NotExact("bruto", need="rounded arithmetic", got=name)
        return whole

    left = "digits that GCV, to the digits asked for, does not determine" if any(lams) else ""
    return Choice(found, needed, make, left)


def _lower_alone(whole: Chosen, X: Matrix, Y: Matrix, weights: Vector, p: Mapping[str, Any], j: int) -> bool:
    """Return whether a better smoothing of variable j, the others held, scores no lower once all are refitted."""
    options = {"cost": p["cost"], "most": p["max_degrees_of_freedom"], "threshold": p["threshold"]}
    problem = bruto.asked(whole.F, X, Y, weights, **options)
    score = bruto.refitted(whole.F, problem, whole.model, j)
    return score is None or whole.gcv_ is None or score >= whole.gcv_ * (1 - problem.threshold)


def _inside(model: Any, X: Matrix, Y: Matrix, weights: Vector, p: Mapping[str, Any]) -> dict[int, float]:
    """Return the digits of the lowest GCV that each variable that is in has."""
    most = p["max_degrees_of_freedom"]
    made = bruto.certify_choices(X, Y, model, weights, cost=rational(p["cost"]), most=most)
    return {j: c.digits or 0 for j, c in enumerate(made) if c is not None}


def _outside(whole: Chosen, X: Matrix, Y: Matrix, weights: Vector, p: Mapping[str, Any]) -> dict[int, float]:
    """Return the digits for each variable that is out of the GCV that no smoothing of it would lower."""
    model, cost, most = whole.model, rational(p["cost"]), p["max_degrees_of_freedom"]
    sample, found = Sample.of(whole.F, X, Y, weights), dict[int, float]()
    left = sample.residual(model.intercept, model.curves)
    score = whole.gcv_
    for j, curve in enumerate(model.curves):
        smoother = sample.smoothers[j]
        if curve is not None or len(smoother.knots) < 2 or score is None:
            continue
        spent = cost * (sum((rational(v) for v in model.term_degrees), Fraction(0)) - 1)
        limit = 1 + (Fraction(2 * len(smoother.knots), 3) if most is None else rational(most))
        own = gcv_certificate.certify(
            smoother.pooled(left), math.inf, cost=cost, spent=spent, most=limit, n=rational(sample.n)
        )
        lowest = rational(score) if own.dual is None else own.dual
        found[j] = digits(max(rational(score) - lowest, Fraction(0)), rational(score) or 1)
    return found


class Chosen:
    """The sum of curves at reported penalties, with the attributes of `BRUTO`."""

    def __init__(self, F: Field, problem: Problem, model: Any, cost: Fraction) -> None:
        self.F, self.model = F, model
        self._flat = not isinstance(problem.y[0], list)
        weights = data.weight_vector(F, problem.weights, len(problem.x))
        self.types_ = list(model.types)
        self.degrees_of_freedom_, self.penalty_ = list(model.term_degrees), list(model.smoothing)
        self.intercept_ = model.intercept[0] if self._flat else list(model.intercept)
        self.gcv_: Optional[Number] = gcv.gcv(model.rss, weights.sum(), F.lift(cost) * sum(model.term_degrees))
        self.fitted_values_ = self._shown(model.fitted)

    def _shown(self, values: Matrix) -> list[Any]:
        return [row[0] for row in values] if self._flat else [list(row) for row in values]

    def predict(self, query: Any) -> list[Any]:
        """Return the fitted sum at each point."""
        return self._shown(self.model.predict(data.matrix(self.F, query)))
