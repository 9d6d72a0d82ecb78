"""A lower bound of the criterion of an additive model, by its dual (Fenchel), in integers over common denominators.

    Σ w(y − α − Σ_j f_j)² + Σ_j λ_j ∫ f_j″²  ≥  (uᵀy)² / (Σ u²/w + Σ_j ξ_jᵀR_jξ_j/λ_j)

for every u with Σ u = 0 and Σ u x_j = 0, where Q_jξ_j are the sums of u at the knots of a variable that is smoothed. At
the optimum u = 2Wr for the residuals r. Near it, u is 2Wr less what a plane explains of it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from itertools import accumulate
from operator import add, mul, sub
from typing import Any, Optional

from refclass.linear.common_denominator import Scaled, combination
from refclass.linear.factorisations import elimination
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector
from refclass.number.field import rational
from refclass.number.rational import RATIONAL
from refclass.regress.spline.additive_fit import Problem, kind_of
from refclass.regress.spline.smoother import Smoother


def below(problem: Problem, smoothing: Sequence[Any], residual: Iterable[Any]) -> Optional[Fraction]:
    """Return a lower bound of the criterion over all additive functions; None where an interpolant is among them.

    Given     a problem in fractions; for each variable λ_j, math.inf for a line, None where it is left out; residuals
              y − α − Σ f_j, of each response, near those of the optimum
    Exact     yes
    """
    # Proof: of Σ wr² + Σ λ_j ∫ f_j″² + uᵀ(y − α − Σ f_j − r) the minimum over r is −Σ u²/(4w); over α it is finite for
    # Σ u = 0; over f_j with Qᵀf_j = Rγ it is that of λγᵀRγ − ξᵀRγ, −ξᵀRξ/(4λ), where the sums of u are Qξ, which they
    # are if u is orthogonal to lines, and −∞ otherwise. Of all multiples of u, one gives the most: the square over b
    # is the largest a t − b t²/4.
    used = [j for j, lam in enumerate(smoothing) if lam is not None]
    bent = [j for j in used if kind_of(smoothing[j]) == "smooth"]
    if any(smoothing[j] == 0 for j in bent):
        return None
    weights, columns, gram = _planes(problem, used)
    free = _independent(gram)
    planes = [columns[k] for k in free]
    pulled = [weights.times(Scaled.of(r)) for r in residual]
    own = Matrix.of([Vector.of([gram[a][b] for b in free]) for a in free])
    slopes = elimination.solve(own, Matrix.of([Vector.of([c @ r for r in pulled]) for c in planes]))
    total = Fraction(0)
    for y, r, tilt in zip(problem.responses, pulled, slopes.T):
        u = r - weights.times(combination(planes, Scaled.of(tilt), len(y)))
        size = _over(u, weights)
        for j in bent:
            if len(problem.smoothers[j].knots) > 2:
                size += _roughest(problem.smoothers[j], u) / rational(smoothing[j])
        gain = u @ Scaled.of(y)
        total += gain * gain / size if size else 0
    return total


def _planes(problem: Problem, used: Sequence[int]) -> tuple[Scaled, list[Scaled], list[Vector]]:
    """Return the weights, 1 and the variables in use, and their products."""
    weights, ones = Scaled.of(problem.weights), Scaled((1,) * len(problem.weights), 1)
    xs = [(problem.smoothers[j], Scaled.of(problem.smoothers[j].knots)) for j in used]
    columns = [ones, *(x.at(smoother.place) for smoother, x in xs)]
    pulled = [weights.times(c) for c in columns]
    return weights, columns, [Vector.of([a @ b for b in columns]) for a in pulled]


def independent(problem: Problem, used: Sequence[int]) -> list[int]:
    """Return those of the variables that depend neither on the others among them nor on the constant."""
    return [used[k - 1] for k in _independent(_planes(problem, used)[2]) if k]


def _independent(gram: Sequence[Vector]) -> list[int]:
    """Return the places of columns that do not depend on each other, 1 among them, by their products."""
    total, *sums = gram[0]
    if not sums:
        return [0]
    centred = [Vector.of([v - a * b / total for v, b in zip(row[1:], sums)]) for row, a in zip(gram[1:], sums)]
    null = elimination.null_space(RATIONAL, Matrix.of(centred))
    # Proof: without the places where one null vector alone is not zero, one for each, no null vector is left but zero.
    alone = [k for k, found in enumerate(zip(*null)) if sum(map(bool, found)) == 1]
    dependent = {next(k for k in alone if vector[k]) for vector in null}
    return [0, *(k + 1 for k in range(len(sums)) if k not in dependent)]


def _over(u: Scaled, weights: Scaled) -> Fraction:
    """Return Σ u²/w."""
    if len(set(weights.integers)) == 1:
        return (u @ u) / weights[0]
    return Fraction(sum(v * v / w for v, w in zip(u, weights)))


def _roughest(smoother: Smoother, u: Scaled) -> Fraction:
    """Return ξᵀRξ for Qξ = the sums of u at the knots, which are orthogonal to lines."""
    sums = [0] * len(smoother.knots)
    for k, v in zip(smoother.place, u.integers):
        sums[k] += v
    # Proof: row k of Qξ is the difference of the slopes of ξ, zero at the ends, on both sides of knot k.
    h = gaps(smoother)
    inner = list(accumulate(map(mul, accumulate(sums[:-1]), h.integers)))
    return energy(h, Scaled((0, *inner[:-1], 0), u.denominator * h.denominator))


def gaps(smoother: Smoother) -> Scaled:
    """Return the distances from knot to knot."""
    x = Scaled.of(smoother.knots)
    return Scaled(tuple(map(sub, x.integers[1:], x.integers)), x.denominator)


def energy(h: Scaled, gamma: Scaled) -> Fraction:
    """Return γᵀRγ = Σ h(a² + ab + b²)/3, a and b the second derivatives at both ends of each gap."""
    c = gamma.integers
    squares = list(map(mul, c, c))
    crossed = map(mul, c[:-1], c[1:])
    total = sum(map(mul, h.integers, map(add, map(add, squares, squares[1:]), crossed)))
    return Fraction(total, 3 * h.denominator * gamma.denominator**2)
