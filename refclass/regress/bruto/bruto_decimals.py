"""BRUTO in decimals, rounded once: where doubles do not settle, or leave the scores of its choices few digits.

Doubles are off by some 10⁻¹⁶ of GCV times the ratio of the largest gap between knots to the least. Where they have no
digit of it, each sweep chooses another type and another λ.
"""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import replace
from fractions import Fraction
from typing import Any, Optional

from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector
from refclass.number.field import Field, Number, rational
from refclass.number.rational import RATIONAL
from refclass.regress.bruto import bruto
from refclass.regress.bruto.bruto_selection import Problem
from refclass.regress.bruto.bruto_steps import State
from refclass.regress.spline import additive, additive_decimals
from refclass.regress.spline.additive_fit import Fit, kind_of
from refclass.regress.spline.additive_fit import Problem as Sample
from refclass.regress.spline.certificate import rational_curve, rationals
from refclass.regress.spline.curve_decimals import DECIMALS, rounded
from refclass.regress.spline.gcv import gcv as score

UNEVEN = 10**10  # ratio of gaps beyond which doubles may have fewer than six digits of GCV; a choice is held to four
ROWS = 64  # of which an iteration in decimals takes seconds
MOVES = Fraction(1, 10**20)  # of the responses: functions that a sweep moves by less round to the same doubles


def steps(
    F: Field, X: Matrix, Y: Matrix, weights: Optional[Vector], options: dict[str, Any], **budget: int
) -> Generator[State, None, Optional[bruto.Model]]:
    """Yield the states of the iteration in decimals, and return its model rounded to numbers of F.

    None for many rows, and where numbers of F do not hold the knots apart, or the functions.

    Given     options as for `bruto.asked`
    Raises    NotConverged as `bruto.solve`
    """
    exact = Sample.of(RATIONAL, rationals(X), rationals(Y), None if weights is None else rationals([weights])[0])
    own = Sample.of(F, X, Y, weights)
    if not possible(own, exact):
        return None
    state = yield from bruto.within(DECIMALS, _longer(F, X, Y, weights, options), **budget)
    fit = _rounded(F, own, exact, state.fit)
    if fit is None:
        return None
    found = additive.model(fit, X, state.sweep)
    value = score.gcv(fit.rss, own.n, F.lift(options["cost"]) * sum(found.term_degrees))
    return bruto.Model(**vars(found), gcv=value)


def possible(own: Sample, exact: Sample) -> bool:
    """Return whether an iteration in decimals takes seconds, and numbers as they are held tell the knots apart."""
    same = all(len(a.knots) == len(b.knots) for a, b in zip(own.smoothers, exact.smoothers))
    return len(own.weights) <= ROWS and same


def refitted(
    F: Field,
    X: Matrix,
    Y: Matrix,
    weights: Optional[Vector],
    options: dict[str, Any],
    model: bruto.Model,
    j: int,
) -> Optional[Number]:
    """Return in decimals what `bruto.refitted` does for a model in numbers of F; None where decimals are not possible.

    Where residuals are slight beside the responses, sweeps in doubles end before the score has any digit.
    """
    exact = Sample.of(RATIONAL, rationals(X), rationals(Y), None if weights is None else rationals([weights])[0])
    if not possible(Sample.of(F, X, Y, weights), exact):
        return None
    problem = _longer(F, X, Y, weights, options)
    known = [c and rounded(rational_curve(c), s, DECIMALS) for c, s in zip(model.curves, problem.sample.smoothers)]
    constant = Vector.of(map(DECIMALS.lift, rationals([model.intercept])[0]))
    return bruto.refitted(DECIMALS, problem, replace(model, intercept=constant, curves=tuple(known)), j)


def _longer(F: Field, X: Matrix, Y: Matrix, weights: Optional[Vector], options: dict[str, Any]) -> Problem:
    """Return the problem in decimals; residuals count as none that are roundings of the responses in numbers of F."""
    problem = bruto.asked(DECIMALS, _lifted(X), _lifted(Y), weights and _lifted([weights])[0], **_exact(options))
    nothing = bruto.asked(F, X, Y, weights, **options).nothing
    return replace(problem, nothing=DECIMALS.lift(rational(nothing)))


def unsure(problem: Problem) -> bool:
    """Return whether doubles may have fewer than six digits of the scores of a problem."""
    return any(s.unevenness > UNEVEN for s in problem.sample.smoothers)


def _lifted(rows: Any) -> Matrix:
    return Matrix.of([Vector.of(map(DECIMALS.lift, row)) for row in rationals(rows)])


def _exact(options: dict[str, Any]) -> dict[str, Any]:
    """Return the options, numbers at their exact value."""
    lifted = {name: v if v is None or isinstance(v, bool) else rational(v) for name, v in options.items()}
    return {**lifted, "tol": MOVES if options["tol"] is None else lifted["tol"]}


def _rounded(F: Field, own: Sample, exact: Sample, fit: Fit) -> Optional[Fit]:
    """Return the fit of least criterion at the λ rounded to numbers of F, computed in decimals and rounded once."""
    lams = [None if o is None else o.lam for o in fit.operators]
    smoothing = [F.lift(rational(lam)) if kind_of(lam) == "smooth" else lam for lam in lams]
    if all(lam is None for lam in smoothing):
        return own.start()
    curves = [c and rounded(c, s) for c, s in zip(fit.curves, exact.smoothers)]
    best = additive_decimals.limit(exact, smoothing, curves)
    return None if best is None else additive_decimals.fit_of(own, smoothing, best.intercept, best.curves)
