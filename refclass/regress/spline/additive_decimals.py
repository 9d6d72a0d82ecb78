"""Additive splines in longer decimals: backfitting goes on where digits were lost, and its limit is rounded once."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import islice
from typing import Any, NamedTuple, Optional

from refclass.errors import InvalidInput
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector
from refclass.number.field import Field, Number, rational
from refclass.regress.spline import additive_representers, backfitting
from refclass.regress.spline.additive_bound import independent
from refclass.regress.spline.additive_fit import Fit, Problem, kind_of
from refclass.regress.spline.additive_refinement import SPARE, STILL, enough, refined
from refclass.regress.spline.curve import Curve
from refclass.regress.spline.curve_decimals import FAR, beyond, in_decimals, loose, rounded
from refclass.regress.spline.smoother import Cubic

# A sweep that moves the functions by less, relative to the responses and their roundoff, moves none of their numbers.
SETTLED = Fraction(1, 10**4)
DISTANT = 1000  # ranges from zero; three digits of sixteen are lost there
MORE = 50  # sweeps in doubles that may settle what they have not; decimals take ten times as long
FEW = 64  # points whose system takes less time than the sweeps that settle them
MOST = 400  # points of which a system in decimals takes some ten to twenty seconds
SWEEPS = 200  # of backfitting in decimals; doubles are near the limit before

Curves = Sequence[Optional[Curve]]


class Limit(NamedTuple):
    """The fit of least criterion in longer decimals D; its intercepts and functions rounded to numbers of F once."""

    F: Field
    D: Field
    intercept: Vector
    curves: tuple[Optional[Curve], ...]
    fit: Fit

    def values(self, X: Matrix) -> Matrix:
        """Return the values in decimals at the rows of X, rounded once: functions may be far larger than their sum."""
        used = [(j, c) for j, c in enumerate(self.fit.curves) if c is not None]
        rows = []
        for x in X:
            given = x.exactly()
            terms = [self.fit.intercept, *(c(self.D.lift(given[j])) for j, c in used)]
            rows.append(Vector.of(map(self.F.lift, map(sum, zip(*terms)))))
        return Matrix.of(rows)


def fit_of(problem: Problem, smoothing: Sequence[Any], intercept: Vector, curves: Curves) -> Fit:
    """Return the fit of given functions."""
    operators = tuple(None if lam is None else s.at(lam) for s, lam in zip(problem.smoothers, smoothing))
    return Fit(problem, intercept, operators, tuple(curves), tuple(problem.residual(intercept, curves)))


def settled(F: Field, fit: Fit) -> Optional[Fit]:
    """Return the fit once sweeps in doubles move it no more, or refined; None where doubles leave it too few digits.

    They do where residuals have few digits of their own, where a variable is far from zero, or where the functions
    cannot be refined.
    """
    if slight(F, fit) or distant(fit):
        return None
    states = () if rough(fit, SPARE) else islice(backfitting.steps(F, fit.problem, fit.operators, fit), 1, MORE)
    before = None
    for state in states:
        if state.change is not None and backfitting.settles(F, state.change, before, fit.criterion * F.lift(STILL)):
            if rough(state.fit, SPARE) or not enough(state.fit):
                break
            return fit if state.sweep == 1 else state.fit
        before = state.change
    return refined(F, fit)


def slight(F: Field, fit: Fit) -> bool:
    """Return whether the criterion is so small beside the responses that residuals in doubles have few digits."""
    about = max(max(map(abs, r)) for r in fit.problem.start().residual)
    lost = FAR * F.eps * about
    return not fit.criterion > fit.problem.n * (lost * lost)


def distant(fit: Fit) -> bool:
    """Return whether a variable in use is so far from zero that doubles have lost digits of its mean."""
    used = [s.knots for s, c in zip(fit.problem.smoothers, fit.curves) if c is not None and len(s.knots) > 1]
    return any(max(abs(x[0]), abs(x[-1])) > DISTANT * (x[-1] - x[0]) for x in used)


def hidden(F: Field, fit: Fit, exact: Problem) -> bool:
    """Return whether roundoff hides that variables in use do not depend on each other, or that they do."""
    used = tuple(j for j, c in enumerate(fit.curves) if c is not None and len(c.knots) > 1)
    return len(fit.problem.lines(F, used)[1]) != len(independent(exact, used))


def rough(fit: Fit, share: int) -> bool:
    """Return whether the splines through the values are rougher by more than one part in `share` of the criterion."""
    least = fit.criterion
    for operator, curve in zip(fit.operators, fit.curves):
        smooth = operator is not None and len(operator.smoother.knots) > 2 and kind_of(operator.lam) == "smooth"
        if smooth and operator is not None and curve is not None and loose(operator, curve, least, share):
            return True
    return False


def limit(problem: Problem, smoothing: Sequence[Any], curves: Curves) -> Optional[Limit]:
    """Return the intercepts and functions of least criterion, computed in longer decimals and rounded once.

    None where backfitting of many points has not settled after 200 sweeps, or the numbers of the functions do not hold
    all of them.

    Given     a problem in fractions; for each variable λ_j; functions near the limit, in doubles or decimals
    """
    kinds = [c.knots.kind for c in curves if c is not None]
    if not kinds:
        return None
    F, D = beyond(kinds[0])
    longer = Problem(
        tuple([in_decimals(s, D) for s in problem.smoothers]),
        tuple(Vector.of(map(D.lift, y)) for y in problem.responses),
        Vector.of(map(D.lift, problem.weights)),
    )
    lams = [lam if kind_of(lam) != "smooth" else D.lift(lam) for lam in smoothing]
    first = fit_of(longer, lams, longer.start().intercept, [c and _lifted(D, c) for c in curves])
    last = _end(D, problem, first, D.lift(SETTLED * rational(F.eps)))
    if last is None:
        return None
    found = tuple(None if c is None else rounded(c, s, F) for c, s in zip(last.curves, problem.smoothers))
    if any((a is None) != (b is None) for a, b in zip(found, curves)):
        return None
    try:
        return Limit(F, D, Vector.of(map(F.lift, last.intercept)), found, last)
    except InvalidInput:
        return None


def _end(D: Field, problem: Problem, first: Fit, still: Number) -> Optional[Fit]:
    """Return the fit of least criterion in decimals: of few points in one step, else by sweeps, and then in one."""
    once = _solvable(first)
    if not (once and len(problem.weights) <= FEW):
        bound = still * still * first.problem.start().rss
        states = islice(backfitting.steps(D, first.problem, first.operators, first), SWEEPS)
        last = next((s.fit for s in states if s.change is not None and s.change <= bound), None)
        if last is not None or not once:
            return last
    return at_once(problem, first)


def _solvable(fit: Fit) -> bool:
    return len(fit.problem.weights) <= MOST and all(o.lam for o in fit.operators if isinstance(o, Cubic))


def at_once(problem: Problem, fit: Fit) -> Optional[Fit]:
    """Return the fit of least criterion with the operators of one in decimals; None of many points, or where a λ is 0.

    Given     the problem in fractions, which say what variables depend on each other
    """
    if not _solvable(fit):
        return None
    used = [j for j, o in enumerate(fit.operators) if o is not None]
    return additive_representers.solve(fit.problem, fit.operators, independent(problem, used))


def _lifted(D: Field, curve: Curve) -> Curve:
    values, seconds = ([Vector.of(map(D.lift, v)) for v in rows] for rows in (curve.values, curve.seconds))
    return Curve(Vector.of(map(D.lift, curve.knots)), tuple(values), tuple(seconds))
