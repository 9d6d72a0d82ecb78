"""BRUTO: an additive model that decides for each variable whether it is out, a line, or a smooth curve  [GAP-9].

    GCV = (RSS/n)/(1 − cost · Σ_j df_j/n)²,   df_j = 0 out, 1 line, tr S_j − 1 > 1 smooth;  the constant is not charged

Selection: variable after variable, the others held, f_j is given the smoothing of lowest GCV, and is fitted to what the
others leave. Once a sweep changes no type, plain backfitting with the smoothing in use goes to its limit after every
sweep, and all ends when this has moved GCV, from one limit to the next, by no more than a share `threshold`.

At the end every other type of every variable is tried, all refitted for as long as sweeps promise a lower score: what
another step alone would hide, or undo, is kept where it lowers GCV by more than a share `threshold`. Of up to a hundred
points each other type, λ over its whole range, and twice, half, five fourths and four fifths of each λ are tried with
all functions computed in one step, one variable at a time: no more than these has been searched.

GCV need not fall from sweep to sweep: a spline minimises RSS plus roughness, so that an update may let RSS rise. What
settles is a point at which every f_j is the spline of what the others leave, with the smoothing of lowest GCV given the
others, or such that another scores no lower once all are refitted. There may be several such points; between variables
that nearly depend on each other a λ far from it, all refitted, may score lower than at the one that is found. Among
equals the simpler type wins: out before line before smooth. Residuals of the size of roundings of the responses count
as none: what fits so well scores alike, but for its charge. All responses share the smoothing of a variable, and the
residuals of all of them count alike.
"""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, Optional

from refclass.certificate import digits
from refclass.errors import InvalidInput, NotConverged
from refclass.iteration import ending
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector
from refclass.number.field import Field, Number, rational
from refclass.number.rational import RATIONAL
from refclass.regress.bruto.bruto_selection import Problem, improve
from refclass.regress.bruto.bruto_steps import Iteration, State, steps
from refclass.regress.linear import extent
from refclass.regress.spline import additive
from refclass.regress.spline.additive_fit import Fit, kind_of
from refclass.regress.spline.additive_fit import Problem as Sample
from refclass.regress.spline.certificate import rational_curve, rationals
from refclass.regress.spline.gcv import gcv as score
from refclass.regress.spline.gcv import gcv_certificate
from refclass.regress.spline.gcv.gcv_criterion import roundings
from refclass.regress.spline.gcv.gcv_minimum import GAP

KEPT = 12  # digits that a number of the iteration has, or it is computed again from the data
SURE = 6  # digits of the score without which its λ is proven before it is returned; a choice is held to four


@dataclass(frozen=True)
class Model(additive.Model):
    """A fitted BRUTO model: an additive model with its score.

    gcv    the score of the final fit, its RSS as it is
    """

    gcv: Optional[Number] = None


def within(F: Field, problem: Problem, max_select: int = 100, max_backfit: int = 1000) -> Generator[State, None, State]:
    """Yield the states of the iteration, and return the last one, if the budget reaches so far."""
    budget = {"selection": max_select, "backfitting": max_backfit}
    state = None
    for state in steps(F, problem):
        yield state
        if state.sweep > budget[state.phase]:
            need = f"the {state.phase} to settle within {budget[state.phase]} sweeps"
            raise NotConverged("bruto", need=need, got="one that goes on", state=state)
    assert state is not None
    return state


def solve(F: Field, problem: Problem, *, max_select: int = 100, max_backfit: int = 1000) -> State:
    """Return the last state of the iteration.

    Raises    NotConverged, with the last state, if the iteration is not at its end after max_select sweeps of
              selection, or one run of backfitting not after max_backfit sweeps
    """
    return ending(within(F, problem, max_select, max_backfit))


def refitted(F: Field, problem: Problem, model: Model, j: int) -> Optional[Number]:
    """Return the score once variable j is smoothed as is best with the others held, and all are refitted to it."""
    operators = [
        None if lam is None else s.at(lam if kind_of(lam) == "linear" else F.lift(lam))
        for s, lam in zip(problem.sample.smoothers, model.smoothing)
    ]
    residual = tuple(problem.sample.residual(model.intercept, model.curves))
    fit = Fit(problem.sample, model.intercept, tuple(operators), model.curves, residual)
    run = Iteration(F, problem)
    return ending(run.kept(improve(F, problem, fit, j, run.choices[j]))).gcv


def fit_steps(F: Field, problem: Problem, X: Matrix, **budget: int) -> Generator[State, None, Model]:
    """Yield the states, and return the model at the end; X holds the rows of its fitted values.

    Raises    NotConverged as `solve`
    """
    state = yield from within(F, problem, **budget)
    value = score.gcv(state.fit.rss, problem.sample.n, problem.cost * sum(state.degrees))
    return Model(**vars(additive.model(state.fit, X, state.sweep)), gcv=value)


def asked(
    F: Field,
    X: Matrix,
    Y: Matrix,
    weights: Optional[Vector] = None,
    *,
    cost: Any = 2,
    most: Any = None,
    linear: bool = True,
    threshold: Any = Fraction(1, 10000),
    tol: Any = None,
) -> Problem:
    """Return the problem with its options checked and lifted into F.  Raises InvalidInput."""
    price, share = F.lift(cost), F.lift(threshold)
    if not price > 0 or share < 0:
        raise InvalidInput("bruto", need="a cost > 0 and a threshold ≥ 0", got=f"{cost} and {threshold}")
    extent.check(F, "bruto", X, Y, 4)
    least = F.sqrt(F.eps) if tol is None else F.lift(tol)
    sample, limit = Sample.of(F, X, Y, weights), None if most is None else F.lift(most)
    return Problem(sample, price, limit, linear, share, least, roundings(F.eps, sample.n, sample.responses))


def fit(
    F: Field,
    X: Matrix,
    Y: Matrix,
    weights: Optional[Vector] = None,
    *,
    max_select: int = 100,
    max_backfit: int = 1000,
    **options: Any,
) -> Model:
    """Return the BRUTO model of Y on X  [GAP-9] [CMP-BRUTO].

    Given     options as in Problem (cost 2, most None, linear True, threshold 1/10000, tol √eps)
    Shapes    X: n × p; Y: n × q; weights: n numbers ≥ 0, an integer weight standing for copies
    Exact     no
    Raises    InvalidInput; NotExact in an exact field; NotConverged
    """
    problem = asked(F, X, Y, weights, **options)
    return solved(F, problem, X, max_select=max_select, max_backfit=max_backfit)


def solved(F: Field, problem: Problem, X: Matrix, **budget: int) -> Model:
    """Return the model at the end of the iteration, its steps unseen."""
    return ending(fit_steps(F, problem, X, **budget))


def unsettled(X: Matrix, Y: Matrix, weights: Optional[Vector], refusal: NotConverged) -> NotConverged:
    """Return the refusal of an iteration that goes on, with bounds of RSS + Σ λ_j ∫ f_j″² at the λ where it stands."""
    state = refusal.witness.get("state")
    if state is None:  # it has its bounds
        return refusal
    proof = additive.certify(X, Y, additive.model(state.fit, X, state.sweep), weights)
    witness = {"state": state, "primal": proof.primal, "dual": proof.dual}
    return NotConverged(refusal.module, need=refusal.need, got=refusal.got, **witness)


Bounds = tuple[Fraction, Fraction]


def scores(
    X: Matrix, Y: Matrix, model: Model, weights: Optional[Vector], cost: Any
) -> Optional[tuple[list[Bounds], Optional[Bounds]]]:
    """Return bounds of the degrees of freedom of each variable and of the score of the curves, from the data as given.

    None where nothing is bounded.
    """
    w = None if weights is None else rationals([weights])[0]
    sample = Sample.of(RATIONAL, rationals(X), rationals(Y), w)
    degrees = additive.traces(sample, model.smoothing)
    if degrees is None:
        return None
    curves = [None if c is None else rational_curve(c) for c in model.curves]
    residual = sample.residual(rationals([model.intercept])[0], curves)
    rss = sum((sample.weights @ r.times(r) for r in residual), Fraction(0))
    low, high = (score.gcv(rss, sample.n, cost * sum(ends)) for ends in zip(*degrees))
    return degrees, None if low is None or high is None else (low, high)


def scored(F: Field, X: Matrix, Y: Matrix, model: Model, weights: Optional[Vector], cost: Any) -> Model:
    """Return the model, its functions, degrees of freedom and score computed again where rounding left few digits."""
    found = additive.settled(F, X, Y, weights, model)
    known = scores(X, Y, found, weights, cost)
    if known is None:
        return found
    degrees, gcv = known
    lifted = tuple(_kept(F, own, bounds) for own, bounds in zip(found.term_degrees, degrees))
    unsure = gcv is not None and found.gcv is not None and digits(rational(found.gcv) - gcv[0], gcv[0]) < SURE
    best = None if gcv is None else _kept(F, found.gcv, gcv)
    return replace(found, term_degrees=lifted, gcv=best, doubtful=found.doubtful or unsure)


def _kept(F: Field, own: Optional[Number], bounds: Bounds) -> Number:
    """Return a number where it has the digits that are kept, else its lower bound rounded once."""
    missed = bounds[0] if own is None else rational(own) - bounds[0]
    return own if own is not None and digits(missed, bounds[0]) >= KEPT else F.delivered("bruto", bounds[0])


def certify_choices(
    X: Matrix,
    Y: Matrix,
    model: Model,
    weights: Optional[Vector] = None,
    *,
    cost: Any = 2,
    most: Any = None,
    gap: Any = GAP,
    eps: Any = 0,
) -> list[Optional[gcv_certificate.Choice]]:
    """Return for each variable that is in how low its smoothing scores, beside all others with the functions held.

    Given     cost and most as in Problem; gap: to what share of GCV the lowest is bounded; eps, the roundoff of the
              arithmetic that the model was found in: an RSS of such roundings of the responses counts as none, and has
              the digits of GCV beside the mean square of the responses
    Cost      that of `gcv_certificate.certify` for each variable
    """
    w = None if weights is None else rationals([weights])[0]
    sample = Sample.of(RATIONAL, rationals(X), rationals(Y), w)
    curves = [None if c is None else rational_curve(c) for c in model.curves]
    residual = sample.residual(rationals([model.intercept])[0], curves)
    nothing = roundings(rational(eps), sample.n, sample.responses)
    about = sum((sample.weights @ y.times(y) for y in sample.responses), Fraction(0)) / sample.n
    found: list[Optional[gcv_certificate.Choice]] = []
    for j, (curve, lam) in enumerate(zip(curves, model.smoothing)):
        if curve is None:
            found.append(None)
            continue
        smoother = sample.smoothers[j]
        others = sum(rational(df) for k, df in enumerate(model.term_degrees) if k != j)
        limit = 1 + (Fraction(2 * len(smoother.knots), 3) if most is None else rational(most))
        partial, price = smoother.pooled(residual).plus(curve.values), rational(cost)
        found.append(
            gcv_certificate.certify(
                partial,
                lam,
                cost=price,
                spent=price * (others - 1),
                most=limit,
                n=sample.n,
                nothing=nothing,
                about=about,
                gap=gap,
            )
        )
    return found
