"""Iterative refinement of additive splines in doubles, by integrals of what divisions by small gaps would spoil.

Where knots are near each other, values that come out of y − λW⁻¹Qγ are far rougher than ∫ f″² = γᵀRγ says: roundoff of
the values is divided by the gaps. Here values are those of the natural spline with second derivatives γ, by two sums
over the knots, and what is left of the equations is measured by two sums over the residuals:

    Qξ = 2Wr at the knots,   z = 2λγ − ξ;   γ ← γ − (z − B⁻¹Rz)/(2λ),   B = R + λQᵀW⁻¹Q

Nothing is divided by a gap but corrections, which are small.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import accumulate
from operator import mul, sub
from typing import Optional

from refclass.certificate import ASKED
from refclass.linear.vector import Vector
from refclass.number.field import Field, Number
from refclass.regress.spline.additive_fit import Fit
from refclass.regress.spline.backfitting import moved, settles
from refclass.regress.spline.curve import Curve
from refclass.regress.spline.smoother import Cubic, Smoother

ROUNDS = 20  # of refinement: one or two do where backfitting had settled
STILL = Fraction(1, 10**20)  # of the criterion: squared moves of a sweep that are small beside nine digits of the dual
SPARE = 10 ** (ASKED + 1)  # one over the share that the gap and the equations may leave, a digit more than is asked for

# Proof: with v = λQγ − Wr at the knots, where r are the residuals, the gradient of the criterion at consistent values
# and γ is 2v, and v = Qz/2. The correction δ solves (R + λG)δγ = −QᵀW⁻¹v = −Gz/2, G = QᵀW⁻¹Q, so that
# δγ = −(z − B⁻¹Rz)/(2λ). The dual at u = 2Wr (`additive_bound`) is below the criterion by zᵀRz/(4λ) for each curve.


def refined(F: Field, fit: Fit) -> Optional[Fit]:
    """Return the fit refined until gap and equations have a digit more than is asked for, and values stand as still.

    None where they do not. A gap bounds squares of values, of which it leaves half of its digits: what is made of the
    values, scores of classes for one, needs them all.
    """
    still, change = F.lift(STILL), None
    for _ in range(ROUNDS):
        last, before, fit = fit, change, _swept(F, fit)
        change = moved(last, fit)
        if settles(F, change, before, fit.criterion * still) and enough(fit):
            return fit
    return None


def _integrated(smoother: Smoother, curve: Curve) -> Curve:
    """Return the natural splines with the second derivatives of a curve, nearest to it in the mean."""
    x, w = smoother.knots, smoother.weights
    gaps, away = list(map(sub, x[1:], x)), _away(smoother)
    total, spread = w.sum(), w.times(away) @ away
    values = []
    for g, seconds in zip(curve.values, curve.seconds):
        bends = list(accumulate(smoother._bands.stretched(seconds[1:-1]), initial=x[0] * 0))
        first, slope = g[0], (g[-1] - g[0] - sum(map(mul, bends, gaps))) / (x[-1] - x[0])
        found = list(g)
        for turn in range(2):  # the line through the ends keeps the sums small; the one of least squares is near it
            if turn:
                left = Vector.of(map(sub, g, found))
                tilt = w.times(away) @ left / spread
                slope, first = slope + tilt, first + w @ left / total + tilt * away[0]
            found = list(accumulate(map(mul, [slope + b for b in bends], gaps), initial=first))
        values.append(Vector.of(found))
    return Curve(x, tuple(values), curve.seconds)


def _swept(F: Field, fit: Fit) -> Fit:
    """Return the fit after a correction of every curve by turns, and of the lines."""
    for j, curve in enumerate(fit.curves):
        operator = fit.operators[j]
        if curve is None:
            continue
        if not isinstance(operator, Cubic):
            fit = fit.update(j)
            continue
        seconds, zero = [], curve.knots[0] * 0
        for z, gamma in zip(_slack(fit, j, operator, curve), curve.seconds):
            back = operator._factor.solve(operator.smoother._bands.stretched(z))
            moves = ((a - b) / (2 * operator.lam) for a, b in zip(z, back))
            seconds.append(Vector.of([zero, *map(sub, gamma[1:-1], moves), zero]))
        new = _integrated(operator.smoother, Curve(curve.knots, curve.values, tuple(seconds)))
        curves = (*fit.curves[:j], new, *fit.curves[j + 1 :])
        fit = Fit(fit.problem, fit.intercept, fit.operators, curves, _residual(fit, curves))
    fit = fit.straightened(F)
    return Fit(fit.problem, fit.intercept, fit.operators, fit.curves, _residual(fit, fit.curves))


def _residual(fit: Fit, curves: tuple[Optional[Curve], ...]) -> tuple[Vector, ...]:
    return tuple(fit.problem.residual(fit.intercept, curves))


def enough(fit: Fit) -> bool:
    """Return whether the gap is small beside the criterion, and each residual beside what it is a difference of."""
    lost = fit.problem.weights[0] * 0
    for j, (operator, curve) in enumerate(zip(fit.operators, fit.curves)):
        if curve is None or not isinstance(operator, Cubic):
            continue
        made, lam = operator.smoother._bands, operator.lam
        for z, gamma in zip(_slack(fit, j, operator, curve), curve.seconds):
            size = 4 * lam * max(made.inverse) * gamma.largest()
            if not SPARE * made.spread(z).largest() <= 2 * size:
                return False
            lost = lost + made.energy(z) / (4 * lam)
    return bool(SPARE * lost <= fit.criterion)


def _slack(fit: Fit, j: int, operator: Cubic, curve: Curve) -> Iterator[Vector]:
    """Yield for each response z = 2λγ − ξ, what a curve leaves of its equations."""
    smoother, away = operator.smoother, _away(operator.smoother)
    w = smoother.weights
    total, spread = w.sum(), w.times(away) @ away
    gaps = list(map(sub, smoother.knots[1:], smoother.knots))
    for r, gamma in zip(fit.residual, curve.seconds):
        pulled = w.times(smoother.pool(r))
        mean, tilt = pulled.sum() / total, pulled @ away / spread
        slopes = accumulate(2 * (v - u * (mean + tilt * t)) for v, u, t in zip(pulled, w, away))
        xi = accumulate(map(mul, slopes, gaps))
        yield Vector.of([2 * operator.lam * c - v for c, v in zip(gamma[1:-1], xi)])


def _away(smoother: Smoother) -> Vector:
    """Return the knots less their weighted mean."""
    mean: Number = smoother.weights @ smoother.knots / smoother.weights.sum()
    return Vector.of([t - mean for t in smoother.knots])
