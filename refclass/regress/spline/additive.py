"""Additive models: α + f₁(x₁) + … + f_p(x_p), every f_j a smoothing spline, a straight line, or left out.

minimise  Σᵢ wᵢ (yᵢ − α − Σ_j f_j(x_ij))² + Σ_j λ_j ∫ f_j″²,   every f_j with weighted mean zero
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from typing import Any, Optional, TypeVar

from refclass.certificate import ASKED, Certificate, digits, lost, status
from refclass.errors import InvalidInput, NotConverged
from refclass.linear.common_denominator import Scaled
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector
from refclass.number.field import Field, Number, rational
from refclass.number.rational import RATIONAL
from refclass.regress.spline import (
    additive_bound,
    additive_decimals,
    additive_integrals,
    additive_representers,
    backfitting,
    curve_decimals,
)
from refclass.regress.spline.additive_fit import Fit, Problem, kind_of
from refclass.regress.spline.certificate import NONE, rational_curve, rationals, slack
from refclass.regress.spline.curve import Curve
from refclass.regress.spline.gcv import gcv_certificate
from refclass.regress.spline.smoother import UNEVEN, Pooled, Smoother


@dataclass(frozen=True)
class Model:
    """A fitted additive model.

    intercept             α, one for each response
    curves                for each variable its curves f_j, one for each response, or None where it is left out
    smoothing             for each variable λ_j, math.inf for a line, None where it is left out
    term_degrees          for each variable tr S_j − 1, the constant not counted
    rss                   the weighted sum of squared residuals over all responses
    fitted                the n × q fitted values
    sweeps                how many sweeps of backfitting it took
    doubtful              whether doubles may hold fewer digits of the criterion than are asked for
    """

    intercept: Vector
    curves: tuple[Optional[Curve], ...]
    smoothing: tuple[Any, ...]
    term_degrees: tuple[Number, ...]
    rss: Number
    fitted: Matrix
    sweeps: int
    doubtful: bool = False

    @property
    def degrees_of_freedom(self) -> Number:
        """The constant and the degrees of freedom of every term; an additive bookkeeping, not the trace of the fit."""
        return 1 + sum(self.term_degrees)

    @property
    def types(self) -> tuple[str, ...]:
        """For each variable "excluded", "linear" or "smooth"."""
        return tuple(kind_of(lam) for lam in self.smoothing)

    def predict(self, X: Matrix) -> Matrix:
        """Return the m × q sums of the intercept and the curves at the rows of X."""
        return _sums(self.intercept, self.curves, X)


M = TypeVar("M", bound=Model)


def _sums(intercept: Vector, curves: Sequence[Optional[Curve]], X: Matrix) -> Matrix:
    used = [(j, c) for j, c in enumerate(curves) if c is not None]
    rows = []
    for x in X:
        total = intercept
        for j, curve in used:
            total = total + curve(x[j])
        rows.append(total)
    return Matrix.of(rows)


def fit(
    F: Field,
    X: Matrix,
    Y: Matrix,
    weights: Optional[Vector] = None,
    *,
    smoothing: Sequence[Any],
    tol: Any = None,
    max_sweeps: int = 1000,
) -> Model:
    """Return the additive model with the given smoothing  [YANG-fda-smoother] [ESL-12.3.3-additive].

    Given     for each variable λ_j ≥ 0, math.inf for a line, None to leave it out
    Shapes    X: n × p; Y: n × q; weights: n numbers ≥ 0, an integer weight standing for copies
    Where variables depend on each other their straight parts are not unique: those that depend on others have none
    (`additive_representers.gathered`).

    Exact     yes: in exact arithmetic without a tol the representers' equations are solved instead of backfitting
    Raises    InvalidInput; NotConverged with bounds; in exact arithmetic NoAnswer where a λ is 0 and it is not unique
    """
    problem = Problem.of(F, X, Y, weights)
    if len(smoothing) != len(problem.smoothers):
        raise InvalidInput("additive", need=f"{len(problem.smoothers)} smoothing parameters", got=len(smoothing))
    operators = [None if lam is None else s.at(lam) for s, lam in zip(problem.smoothers, smoothing)]
    if F.exact and tol is None:
        used = [j for j, o in enumerate(operators) if o is not None]
        free = None if any(o.lam == 0 for o in operators if o) else additive_bound.independent(problem, used)
        return model(additive_representers.solve(problem, operators, free), X, 0)
    if tol is None:
        found = _finished(F, X, Y, weights, backfitting.reached(F, problem, operators, max_sweeps=max_sweeps))
    else:
        state = backfitting.solve(F, problem, operators, tol=tol, max_sweeps=max_sweeps)
        found = model(state.fit, X, state.sweep)
    if F.exact or not any(s.unevenness > UNEVEN for s in problem.smoothers):
        return found
    known = traces(_exact(X, Y, weights), found.smoothing)
    return found if known is None else replace(found, term_degrees=tuple(F.lift(low) for low, _ in known))


def _finished(F: Field, X: Matrix, Y: Matrix, weights: Optional[Vector], reached: backfitting.Reached) -> Model:
    """Return the model of a state of backfitting, settled, or refuse one that was not, with bounds."""
    state, unsettled = reached
    before = model(state.fit, X, state.sweep)
    if F.kind is not float and unsettled is not None:
        solved = additive_decimals.at_once(_exact(X, Y, weights), state.fit)
        before, unsettled = (before, unsettled) if solved is None else (model(solved, X, state.sweep), None)
    # Method: decimals are proven as they are delivered; straight parts that are moved may be rounded otherwise.
    before = before if F.kind is float else _gathered(F, X, Y, weights, before)
    found = _settled(F, X, Y, weights, before)
    if unsettled is not None and (found.doubtful or F.kind is not float) and found.curves is before.curves:
        proof, need, got = certify(X, Y, before, weights), unsettled.need, unsettled.got
        if proof.digits is None or proof.digits < ASKED:
            raise NotConverged("backfitting", need=need, got=got, state=state, primal=proof.primal, dual=proof.dual)
    return _gathered(F, X, Y, weights, found) if F.kind is float else found


def model(fit: Fit, X: Matrix, sweeps: int) -> Model:
    """Return the model at a state of the iteration, X being the rows that its fitted values are for."""
    zero = fit.problem.weights[0] * 0
    degrees = tuple(zero if o is None else o.degrees_of_freedom - 1 for o in fit.operators)
    smoothing = tuple(None if o is None else o.lam for o in fit.operators)
    fitted = _sums(fit.intercept, fit.curves, X)
    return Model(fit.intercept, fit.curves, smoothing, degrees, fit.rss, fitted, sweeps)


def penalties(F: Field, X: Matrix, Y: Matrix, weights: Optional[Vector], wanted: Sequence[Any]) -> list[Any]:
    """Return the λ of given degrees of freedom, the constant counted, of each variable."""
    smoothers = Problem.of(F, X, Y, weights).smoothers

    def exact(j: int) -> Smoother:
        return _exact(X, Y, weights).smoothers[j]

    each = enumerate(zip(smoothers, wanted))
    return [curve_decimals.of_degrees(F, s, partial(exact, j), df).lam for j, (s, df) in each]


def settled(F: Field, X: Matrix, Y: Matrix, weights: Optional[Vector], found: M) -> M:
    """Return a model whose functions are computed again in decimals where doubles have left them few digits.

    A model in decimals is proven, and where nine digits are not there, computed again in longer ones.

    Raises    NotConverged with bounds as `_settled`
    """
    if F.exact:
        return found
    if F.kind is not float:
        return _settled(F, X, Y, weights, _gathered(F, X, Y, weights, found))
    return _gathered(F, X, Y, weights, _settled(F, X, Y, weights, found))


def _exact(X: Matrix, Y: Matrix, weights: Optional[Vector]) -> Problem:
    return Problem.of(RATIONAL, rationals(X), rationals(Y), None if weights is None else rationals([weights])[0])


def _gathered(F: Field, X: Matrix, Y: Matrix, weights: Optional[Vector], found: M) -> M:
    """Return the model with the straight parts of dependent variables moved to those that they depend on."""
    curves = additive_representers.gathered(F, Problem.of(F, X, Y, weights), _exact(X, Y, weights), found.curves)
    if curves is found.curves:
        return found
    return replace(found, curves=curves, fitted=_sums(found.intercept, curves, X))


def _settled(F: Field, X: Matrix, Y: Matrix, weights: Optional[Vector], found: M) -> M:
    """Return a model settled.

    Raises    NotConverged with bounds where roundoff hides whether variables depend on each other, and functions far
              larger than their sum leave it few digits
    """
    if F.exact or all(c is None for c in found.curves):
        return found
    problem, exact = Problem.of(F, X, Y, weights), _exact(X, Y, weights)
    if F.kind is not float:
        return _held(F, X, Y, weights, found)
    fit = additive_decimals.fit_of(problem, found.smoothing, found.intercept, found.curves)
    hidden = additive_decimals.hidden(F, fit, exact)
    still = None if hidden else additive_decimals.settled(F, fit)
    if still is None:
        best = additive_decimals.limit(exact, found.smoothing, found.curves)
        if best is not None:
            found = replace(found, intercept=best.intercept, curves=best.curves, fitted=best.values(X))
            fit = additive_decimals.fit_of(problem, found.smoothing, best.intercept, best.curves)
        found = replace(found, rss=fit.rss, doubtful=best is None or _doubtful(F, fit))
    elif still is not fit:
        found = replace(found, curves=still.curves, rss=still.rss, fitted=_sums(still.intercept, still.curves, X))
    proof = certify(X, Y, found, weights) if hidden else None
    if proof is not None and proof.digits is not None and proof.digits < ASKED:
        raise lost("additive", proof.digits, proof, "doubles")
    return found


def _held(F: Field, X: Matrix, Y: Matrix, weights: Optional[Vector], found: M) -> M:
    """Return a model in decimals; where less than nine digits are proven, the optimum rounded, if that has more.

    Raises    NotConverged with the bounds of the optimum where decimals do not hold it
    """
    proof, problem, best = certify(X, Y, found, weights), _exact(X, Y, weights), None
    if proof.digits is None:
        sample = Problem.of(F, X, Y, weights)
        fit = additive_decimals.fit_of(sample, found.smoothing, found.intercept, found.curves)
        return replace(found, doubtful=_doubtful(F, fit))
    if proof.digits < ASKED:
        best = additive_decimals.limit(problem, found.smoothing, found.curves)
    if best is not None:
        again = replace(
            found,
            intercept=best.intercept,
            curves=best.curves,
            fitted=best.values(X),
            rss=F.lift(rational(best.fit.rss)),
        )
        other = certify(X, Y, again, weights)
        found, proof = (again, other) if (other.digits or 0) > proof.digits else (found, proof)
    held = proof.digits or float(0)
    if held < (ASKED if proof.ceiling is None else max(1, min(ASKED, proof.ceiling - 1))):
        known = proof if best is None else _optimum(problem, found, best, ASKED)
        raise lost("additive", held, known, F.name)
    return found


def _optimum(problem: Problem, model: Model, best: additive_decimals.Limit, asked: float) -> Certificate:
    """Return the proof of the functions of least criterion, before they are rounded."""
    return _proven(problem, replace(model, intercept=best.fit.intercept, curves=best.fit.curves), asked)


def _doubtful(F: Field, fit: Fit) -> bool:
    return additive_decimals.slight(F, fit) or additive_decimals.rough(fit, 10**ASKED)


def traces(problem: Problem, smoothing: Sequence[Any]) -> Optional[list[tuple[Fraction, Fraction]]]:
    """Return bounds of tr S_j − 1 for each variable, of a problem in fractions; None where nothing is bounded."""
    found = []
    for smoother, lam in zip(problem.smoothers, smoothing):
        known = None if lam is None else gcv_certificate.scores(smoother.pooled(problem.responses[:1]), lam)
        if known is None and lam is not None:
            return None
        low, high = (Fraction(1), Fraction(1)) if known is None else known.degrees
        found.append((low - 1, high - 1))
    return found


def certify(X: Matrix, Y: Matrix, model: Model, weights: Optional[Vector] = None, asked: float = ASKED) -> Certificate:
    """Return the proof that every function is the spline of what the others leave, in exact rational arithmetic.

    The criterion is convex, so that where every f_j minimises it given the others no additive function has less; how
    much less another might have is bounded by the dual (`additive_bound`), unless some λ is zero: then the gap is None.

    The digits are those of the criterion, or those of the equations where these are fewer: the worst residual over the
    size of what it is a difference of, the responses about their mean, and the functions. Where residuals are roundoff
    of the responses, the gap counts beside the best constant's criterion. Where functions have fewer digits than are
    asked for, the dual is that of the optimum, computed in longer decimals, whose residuals bound the criterion better
    than rounded ones, and the ceiling is that of the optimum rounded once; where in doubles this has none, the gap
    counts beside the best constant's criterion, too.

    Cost      O(pmq) multiplications, of integers where the functions are doubles
    """
    problem = _exact(X, Y, weights)
    found = _proven(problem, model, asked)
    # Premise: a dual of zero beside a criterion that is not shows no optimum of zero, on whose scale digits count.
    shown = found.dual != 0 or found.primal == 0
    if model.intercept.kind is Fraction or found.digits is None or (found.digits >= asked and shown):
        return found
    best = additive_decimals.limit(problem, model.smoothing, model.curves)
    if best is None:
        return found
    known = _optimum(problem, model, best, asked).dual
    found = _proven(problem, model, asked, known)
    if found.digits is None or found.digits >= asked:
        return found
    most = _proven(problem, replace(model, intercept=best.intercept, curves=best.curves), asked, known).digits or 0
    if most >= 1 or found.digits >= 1 or found.gap is None or model.intercept.kind is not float:
        return replace(found, ceiling=most)
    proven = digits(found.gap, problem.start().rss)
    return replace(found, status=status(proven, asked, ceiling=most), digits=proven, premise=NONE, ceiling=most)


def _proven(problem: Problem, model: Model, asked: float, known: Optional[Fraction] = None) -> Certificate:
    """Return the proof of functions, without their ceiling: by their second derivatives, or by their values.

    known    a lower bound on the criterion, where there is one beside that of the functions themselves
    """
    if model.intercept.kind is float and additive_integrals.knots_agree(problem, model.curves):
        made = additive_integrals.bounds(problem, model.smoothing, model.intercept, model.curves).above(known)
        quick = additive_integrals.proof(problem, made, model.intercept.kind, asked)
        return additive_integrals.better(made, quick, lambda: _proven_by_values(problem, model, asked, known), asked)
    return _proven_by_values(problem, model, asked, known)


def _proven_by_values(problem: Problem, model: Model, asked: float, known: Optional[Fraction] = None) -> Certificate:
    """Return the proof of the natural splines through the values of functions."""
    curves = tuple(None if c is None else rational_curve(c) for c in model.curves)
    residual = problem.residual(rationals([model.intercept])[0], curves)
    straight = tuple(_straight(s, c, lam) for s, c, lam in zip(problem.smoothers, curves, model.smoothing))
    feasible = problem.residual(rationals([model.intercept])[0], straight)
    primal = sum((problem.weights @ r.times(r) for r in feasible), Fraction(0))
    worst, where, share = Fraction(0), "", Fraction(0)
    terms = [_spread(problem.weights, y) for y in problem.responses]
    for j, (curve, lam) in enumerate(zip(curves, model.smoothing)):
        if curve is None or lam is None:
            continue
        smoother = problem.smoothers[j]
        operator = smoother.at(lam if kind_of(lam) == "linear" else rational(lam))
        for q, (r, g, gamma) in enumerate(zip(residual, curve.values, curve.seconds)):
            left = slack(operator, smoother.pool(r) + g, g, gamma, terms[q])
            primal = primal + left.rough[1]
            share = max(share, left.worst / left.size if left.worst else Fraction(0))
            if left.worst > worst:
                worst, where = left.worst, f"variable {j}, response {q}"
    dual = primal if worst == 0 else additive_bound.below(problem, model.smoothing, feasible)
    made = additive_integrals.Bounds(primal, dual, share, worst, where, tuple(map(Scaled.of, residual)))
    return additive_integrals.proof(problem, made.above(known), model.intercept.kind, asked)


def _straight(smoother: Smoother, curve: Optional[Curve], lam: Any) -> Optional[Curve]:
    """Return a curve, of λ = ∞ the line nearest to it: rounded values lie on none."""
    return (
        curve
        if curve is None or kind_of(lam) != "linear"
        else smoother.at(lam).curve(Pooled(smoother, (), curve.values))
    )


def _spread(weights: Vector, y: Vector) -> Fraction:
    """Return the largest distance of a response from the mean."""
    middle = weights @ y / weights.sum()
    return max(abs(rational(v - middle)) for v in y)
