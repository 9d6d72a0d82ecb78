"""A lower bound of the criterion of an additive model, by its dual (Fenchel), in exact arithmetic.

    Σ w(y − α − Σ_j f_j)² + Σ_j λ_j ∫ f_j″²  ≥  uᵀy − Σ u²/(4w) − Σ_j ξ_jᵀR_jξ_j/(4λ_j)

for every u with Σ u = 0 and Σ u x_j = 0, where Q_jξ_j are the sums of u at the knots of a variable that is smoothed. At
the optimum u = 2Wr for the residuals r. Near it, u is 2Wr less what a plane explains of it.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import accumulate
from typing import Any, Optional

from refclass.linear.factorisations import elimination
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector, dot
from refclass.number.field import rational
from refclass.number.rational import RATIONAL
from refclass.regress.spline.additive_fit import Problem, kind_of
from refclass.regress.spline.smoother import Smoother


def below(problem: Problem, smoothing: Sequence[Any], residual: Sequence[Vector]) -> Optional[Fraction]:
    """Return a lower bound of the criterion over all additive functions; None where an interpolant is among them.

    Given     a problem in fractions; for each variable λ_j, math.inf for a line, None where it is left out; residuals
              y − α − Σ f_j, of each response, near those of the optimum
    Exact     yes
    """
    # Proof: of Σ wr² + Σ λ_j ∫ f_j″² + uᵀ(y − α − Σ f_j − r) the minimum over r is −Σ u²/(4w); over α it is finite for
    # Σ u = 0; over f_j with Qᵀf_j = Rγ it is that of λγᵀRγ − ξᵀRγ, −ξᵀRξ/(4λ), where the sums of u are Qξ, which they
    # are if u is orthogonal to lines, and −∞ otherwise.
    used = [j for j, lam in enumerate(smoothing) if lam is not None]
    if any(kind_of(smoothing[j]) == "smooth" and smoothing[j] == 0 for j in used):
        return None
    ones = Vector.of([Fraction(1)] * len(problem.weights))
    planes = _independent([ones, *(problem.centred[j] for j in used if len(problem.smoothers[j].knots) > 1)])
    total = Fraction(0)
    for y, r in zip(problem.responses, residual):
        u = _apart(problem.weights, planes, r)
        total += dot(u, y) - sum((v * v / w for v, w in zip(u, problem.weights)), Fraction(0)) / 4
        for j in used:
            if kind_of(smoothing[j]) == "smooth" and len(problem.smoothers[j].knots) > 2:
                total -= _roughest(problem.smoothers[j], u) / (4 * rational(smoothing[j]))
    return total


def _independent(columns: list[Vector]) -> list[Vector]:
    """Return columns that span all of them."""
    gram = Matrix.of([Vector.of([a @ b for b in columns]) for a in columns])
    free = elimination.null_space(RATIONAL, gram)
    # Proof: without the places where one null vector alone is not zero, one for each, no null vector is left but zero.
    alone = [k for k, found in enumerate(zip(*free)) if sum(map(bool, found)) == 1]
    dependent = {next(k for k in alone if vector[k]) for vector in free}
    return [c for k, c in enumerate(columns) if k not in dependent]


def _apart(weights: Vector, planes: Sequence[Vector], r: Vector) -> Vector:
    """Return 2W(r − a plane), orthogonal to the planes."""
    pulled = [c.times(weights) for c in planes]
    gram = Matrix.of([Vector.of([a @ b for b in planes]) for a in pulled])
    slopes = elimination.solve(gram, Vector.of([a @ r for a in pulled]))
    left = r
    for c, b in zip(planes, slopes):
        left = left - b * c
    return 2 * left.times(weights)


def _roughest(smoother: Smoother, u: Vector) -> Fraction:
    """Return ξᵀRξ for Qξ = the sums of u at the knots, which are orthogonal to lines."""
    sums = [Fraction(0)] * len(smoother.knots)
    for k, v in zip(smoother.place, u):
        sums[k] += v
    # Proof: row k of Qξ is the difference of the slopes of ξ, zero at the ends, on both sides of knot k.
    slopes = list(accumulate(sums[:-1]))
    inner = list(accumulate(s * (b - a) for s, a, b in zip(slopes, smoother.knots, smoother.knots[1:])))[:-1]
    return Fraction(smoother._bands.energy(Vector.of(inner)))
