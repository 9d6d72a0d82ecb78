"""The splines that second derivatives determine, by sums over the knots, in integers: additive functions of doubles.

A natural spline through values in doubles is far rougher than these where knots are near each other: their roundoff is
divided by the gaps. The spline with the same second derivatives γ, and the line that brings it nearest to the values,
differs from them by roundoff, and its criterion is γᵀRγ and squares: nothing is divided.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import accumulate
from operator import mul
from typing import Any, Optional

from refclass.certificate import UNITS, Certificate, digits, relative_digits, status, within_roundings
from refclass.linear.common_denominator import Scaled
from refclass.number.field import rational
from refclass.number.tolerance import roundoff
from refclass.regress.spline import additive_bound
from refclass.regress.spline.additive_fit import Problem, kind_of
from refclass.regress.spline.certificate import ROUNDINGS
from refclass.regress.spline.curve import Curve
from refclass.regress.spline.smoother import Smoother

FINE = 100  # bits beyond those of the values, in which lines are given


@dataclass(frozen=True)
class Bounds:
    """Additive functions near those of a model, and what they prove.

    primal    their criterion
    dual      a lower bound of the criterion over all additive functions; None where a λ is zero
    share     the largest difference of a value from theirs, relative to the values and the spread of the response
    worst     the largest difference, or mean of residuals
    where     of which variable and response it is
    residual  y − α − Σ f_j for each response
    """

    primal: Fraction
    dual: Optional[Fraction]
    share: Fraction
    worst: Fraction
    where: str
    residual: tuple[Scaled, ...]

    def above(self, known: Optional[Fraction]) -> Bounds:
        """Return the bounds with another lower bound as dual where that is larger."""
        return self if self.dual is None or known is None else replace(self, dual=max(self.dual, known))


def knots_agree(problem: Problem, curves: Sequence[Optional[Curve]]) -> bool:
    """Return whether curves in doubles have a value for each knot: where X has more digits, knots may coincide."""
    return all(c is None or len(c.knots) == len(s.knots) for s, c in zip(problem.smoothers, curves))


def proof(problem: Problem, made: Bounds, kind: Any, asked: float) -> Certificate:
    """Return the certificate of bounds, without its ceiling."""
    start, unit = problem.start().rss, UNITS * rational(roundoff(kind))
    small = all(within_roundings(r.fractions(), y, unit) for r, y in zip(made.residual, problem.responses))
    primal, dual, own = made.primal, made.dual, digits(made.share, 1)
    known = relative_digits(primal, dual, start) if dual is None or not small else digits(primal - dual, start)
    found = own if known is None else min(known, own)
    return Certificate(
        status=status(found, asked, convex=dual is not None),
        primal=primal,
        dual=dual,
        gap=None if dual is None else primal - dual,
        worst_violation=made.worst,
        where=made.where,
        digits=found,
        premise=ROUNDINGS if small and dual else "",
    )


def better(made: Bounds, found: Certificate, by_values: Callable[[], Certificate], asked: float) -> Certificate:
    """Return a proof by second derivatives, or the one by values where it proves more, or values are not theirs."""
    if made.dual is None or digits(made.share, 1) < asked:
        return by_values()
    if found.digits is not None and found.digits >= asked:
        return found
    other = by_values()
    return other if (other.digits or 0) >= (found.digits or 0) else found


def bounds(problem: Problem, smoothing: Sequence[Any], intercept: Sequence[Any], curves: Sequence[Any]) -> Bounds:
    """Return what the second derivatives of a model's curves prove.

    Given     a problem in fractions; λ_j, intercepts and curves as they are delivered
    Exact     yes
    """
    apart = []
    spreads = []
    for y, alpha in zip(map(Scaled.of, problem.responses), intercept):
        apart.append(y.plus(-rational(alpha)))
        spreads.append(y.plus(-_mean(y, Scaled.of(problem.weights))).absolute().largest()[0])
    rough, share, worst, where = Fraction(0), Fraction(0), Fraction(0), ""
    for j, (curve, lam) in enumerate(zip(curves, smoothing)):
        if curve is None or lam is None:
            continue
        smoother, bent = problem.smoothers[j], kind_of(lam) == "smooth" and len(curve.knots) > 2
        for q, (values, bends, missed) in enumerate(_splines(smoother, curve, bent, spreads)):
            apart[q] = apart[q] - values.at(smoother.place)
            rough += rational(lam) * bends if bent else 0
            if missed[1] > worst:
                worst, where = missed[1], f"variable {j}, response {q}"
            share = max(share, missed[0])
    weights = Scaled.of(problem.weights)
    for q, r in enumerate(apart):
        if abs(_mean(r, weights)) > worst:
            worst, where = abs(_mean(r, weights)), f"intercept, response {q}"
    primal = rough + sum(weights.times(r) @ r for r in apart)
    return Bounds(primal, additive_bound.below(problem, smoothing, apart), share, worst, where, tuple(apart))


def _splines(smoother: Smoother, curve: Curve, bent: bool, spreads: Sequence[Fraction]) -> Any:
    """Yield for each response the values of its spline at the knots, its ∫ f″², and how far the curve's values are."""
    h, weights, x = additive_bound.gaps(smoother), Scaled.of(smoother.weights), Scaled.of(smoother.knots)
    for g, seconds, spread in zip(map(Scaled.of, curve.values), curve.seconds, spreads):
        size = max(g.absolute().largest()[0], spread)
        gamma = Scaled.of(seconds)
        ends = bool(gamma.integers[0] or gamma.integers[-1]) or (not bent and any(gamma.integers))
        heights, bends = (_heights(h, gamma), additive_bound.energy(h, gamma)) if bent else (g.scaled(Fraction(0)), 0)
        found = heights + _line(x, weights, g - heights, size)
        missed = (found - g).absolute().largest()[0]
        yield found, bends, (Fraction(1) if ends else missed / size if size else Fraction(0), missed)


def _heights(h: Scaled, gamma: Scaled) -> Scaled:
    """Return the values at the knots of the spline with second derivatives γ that begins as zero."""
    gap, c = h.integers, gamma.integers
    bends = [2 * (a + b) * v + a * u + b * w for a, b, u, v, w in zip(gap, gap[1:], c, c[1:], c[2:])]
    values = accumulate(map(mul, accumulate(bends, initial=0), gap), initial=0)
    return Scaled(tuple(values), 6 * h.denominator**2 * gamma.denominator)


def _line(x: Scaled, weights: Scaled, left: Scaled, size: Fraction) -> Scaled:
    """Return the line of least squares of values at the knots, its numbers rounded to fine parts of a size."""
    middle, height = _mean(x, weights), _mean(left, weights)
    away = x.plus(-middle)
    pulled = weights.times(away)
    width = away.absolute().largest()[0]
    unit = _power_of_two(size) / 2**FINE if size else Fraction(1)
    tilt = _rounded(pulled @ left / (pulled @ away), unit / _power_of_two(2 * width)) if width else width
    return x.scaled(tilt).plus(_rounded(height - tilt * middle, unit))


def _mean(values: Scaled, weights: Scaled) -> Fraction:
    return (weights @ values) / Fraction(sum(weights.integers), weights.denominator)


def _rounded(value: Fraction, unit: Fraction) -> Fraction:
    return value // unit * unit


def _power_of_two(size: Fraction) -> Fraction:
    """Return a power of two that is no larger, and no less than a quarter."""
    bits = size.numerator.bit_length() - size.denominator.bit_length() - 1
    return Fraction(2) ** bits
