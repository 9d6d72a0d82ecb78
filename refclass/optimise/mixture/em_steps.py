"""The two halves of an EM step: expected shares, and the parameters that are likeliest for them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import repeat
from operator import mul, truediv
from typing import Optional

from refclass.errors import NoAnswer
from refclass.linear.eigen import pencil
from refclass.linear.factorisations.cholesky import Factor
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector, dot
from refclass.number.field import Field, Number
from refclass.number.tolerance import THRESHOLD
from refclass.optimise.mixture.likelihood import (
    Group,
    Mixture,
    Problem,
    Shares,
    factored,
    linear,
    normalised,
    scatter,
    spread,
)

LARGE = 500  # the exponential of an exponent below it, and a sum of millions of such, is a double
LOST = 1000  # Σ is summed directly once a variance within the subclasses is so many times less than within the classes


def maximised(
    F: Field, problem: Problem, shares: Shares, before: Optional[Mixture] = None, near: Optional[Number] = None
) -> Mixture:
    """Return the M-step: the parameters that maximise the expected likelihood under the shares  [YANG-mda-m-step].

    Of rank L the means are those of the largest likelihood among all that lie in a plane of L dimensions; Σ is then
    about them. Where that plane is one of many, it is the one nearest to that of the means before. With "old_means" Σ
    is about the means before: given them it is the maximum, too, and the new means are it for any Σ [RC-15].

    near    the share of the largest eigenvalue by which others may differ and count as equal; None: roundoff

    Exact     yes, without a rank
    Cost      n(R − 1)p multiplications
    Raises    NoAnswer for a subclass without a share, naming class and subclass
    """
    masses, offsets = [], []
    for k, (group, columns) in enumerate(zip(problem.groups, shares)):
        pulled = [group.pulled(rho) for rho in columns]
        mass = Vector.of([sum(z, F.kind(0)) for z in pulled])
        for r, m in enumerate(mass):
            if not m > THRESHOLD * F.eps * group.size:
                raise NoAnswer("em", need="points in every subclass", got="none", label=k, subclass=r)
        masses.append(mass)
        offsets.append(_offsets(group, pulled, mass))
    sigma = _covariance(problem, shares, masses, offsets)
    if problem.rank is not None:
        offsets, sigma = _reduced(F, problem, masses, offsets, sigma, before, near)
    elif problem.variant == "old_means" and before is not None:
        moves = [a + g.centre - b for g, A, B in zip(problem.groups, offsets, before.means) for a, b in zip(A, B)]
        sigma = sigma + spread(moves, [m for mass in masses for m in mass]) / problem.n
    means = tuple(Matrix.of([v + g.centre for v in A]) for g, A in zip(problem.groups, offsets))
    return Mixture(tuple(m / g.size for g, m in zip(problem.groups, masses)), means, sigma)


def _offsets(group: Group, pulled: Sequence[Sequence[Number]], mass: Vector) -> Matrix:
    """Return the means of the subclasses, measured from that of the class."""
    # Method: the points are measured from their mean, and the shares of each sum to one, so that the moments of the
    # subclasses sum to zero: the heaviest has what the others leave, and roundoff of theirs is least in its mean.
    heaviest = max(range(len(mass)), key=mass.__getitem__)
    moments = [group.moments(z) for r, z in enumerate(pulled) if r != heaviest]
    moments.insert(heaviest, sum((-v for v in moments), group.rest))
    return Matrix.of([v / m for v, m in zip(moments, mass)])


def _covariance(problem: Problem, shares: Shares, masses: Sequence[Vector], offsets: Sequence[Matrix]) -> Matrix:
    # Method: the scatter about the subclass means is W less theirs about the class means. Where nearly nothing of a
    # variance is left, the difference has lost digits that the sum of squares itself still has.
    apart = spread([v for A in offsets for v in A], [m for mass in masses for m in mass])
    left = problem.within - apart
    if all(LOST * left[j][j] >= problem.within[j][j] for j in range(len(left))):
        return Matrix.of([row / problem.n for row in left])
    total = 0 * left
    for group, columns, A in zip(problem.groups, shares, offsets):
        for rho, mean in zip(columns, A):
            away = [tuple([v - m for v in column]) for column, m in zip(group.columns, mean)]
            z = group.pulled(rho)
            total = total + scatter(away, [tuple(map(mul, z, column)) for column in away])
    return Matrix.of([row / problem.n for row in total])


def _reduced(
    F: Field,
    problem: Problem,
    masses: Sequence[Vector],
    offsets: Sequence[Matrix],
    sigma: Matrix,
    before: Optional[Mixture],
    near: Optional[Number],
) -> tuple[list[Matrix], Matrix]:
    # Proof: for means m + M with M of rank L the best Σ is Σ₀ + (1/n) Σ mᵣ(μᵣ − m − Mᵣ)(…)ᵀ, Σ₀ that about the free
    # means. Its determinant is |Σ₀| Π(1 + eigenvalues of what M leaves of B, in the metric Σ₀), which is least when M
    # keeps the L largest, those of B v = d Σ₀ v: M = (μ − m) V Vᵀ Σ₀.
    centres = [[v + (g.centre - problem.centre) for v in A] for g, A in zip(problem.groups, offsets)]
    flat, heavy = [v for A in centres for v in A], [m for mass in masses for m in mass]
    L = min(problem.rank or 0, len(sigma))
    factored(F, sigma)  # refuses a singular Σ in words of the mixture
    axes = pencil.factor(F, spread(flat, heavy) / problem.n, sigma)
    known = [] if before is None else [mu - problem.centre for A in before.means for mu in A]
    V = _plane(F, axes, L, spread(known, heavy) if len(known) == len(heavy) else None, near)
    turned, lift = V.T, sigma @ V
    kept = [[lift @ (turned @ v) for v in A] for A in centres]
    missed = [v - w for A, B in zip(centres, kept) for v, w in zip(A, B)]
    back = [Matrix.of([w - (g.centre - problem.centre) for w in B]) for g, B in zip(problem.groups, kept)]
    return back, sigma + spread(missed, heavy) / problem.n


def _plane(F: Field, axes: pencil.Factor, L: int, before: Optional[Matrix], near: Optional[Number]) -> Matrix:
    """Return the L leading axes; of a block of equal eigenvalues that L cuts, those along which means before spread.

    before    the scatter of the means before, p × p
    """
    p = len(axes.vectors)
    block = tied(F, axes.eigenvalues, L, near)
    if before is None or not block:
        return axes.vectors.block(range(p), range(L))
    of = axes.vectors.block(range(p), block)
    spread_of = of.T @ before @ of
    turned = pencil.factor(F, (spread_of + spread_of.T) / 2, Matrix.identity(len(block), of.kind)).vectors
    chosen = of @ turned.block(range(len(block)), range(L - block[0]))
    return Matrix.of([*axes.vectors.T[: block[0]], *chosen.T]).T


def tied(F: Field, values: Vector, L: int, near: Optional[Number] = None) -> range:
    """Return the places of descending eigenvalues that count as equal to both number L and L + 1; none: empty."""
    most = values[0] * (THRESHOLD * len(values) * F.eps if near is None else near)
    if len(values) <= L or values[L - 1] - values[L] > most or values[L - 1] <= most:
        return range(0)
    low, high = L - 1, L
    while low and values[low - 1] - values[low] <= most:
        low -= 1
    while high + 1 < len(values) and values[high] - values[high + 1] <= most:
        high += 1
    return range(low, high + 1)


def apart(F: Field, problem: Problem, shares: Shares, near: Number) -> Optional[Number]:
    """Return by what share of the largest the eigenvalues differ that a rank cuts through; None where it cuts none."""
    free = maximised(F, replace(problem, rank=None), shares)
    offsets = [mu - problem.centre for A in free.means for mu in A]
    heavy = [m * g.size for g, pi in zip(problem.groups, free.weights) for m in pi]
    values = pencil.factor(F, spread(offsets, heavy) / problem.n, free.covariance).eigenvalues
    block = tied(F, values, min(problem.rank or len(values), len(values)), near)
    return (values[block[0]] - values[block[-1]]) / values[0] if block else None


@dataclass(frozen=True)
class _Expected:
    """The E-step: shares, ℓ, the size of the sums that make ℓ, and that of the differences of exponents."""

    shares: Shares
    value: Number
    scale: Number
    reach: Number


def expected(F: Field, problem: Problem, mixture: Mixture) -> _Expected:
    """Return the shares under the mixture, and ℓ  [YANG-mda-e-step]."""
    known = factored(F, mixture.covariance)
    shares, reach = [], F.kind(1)
    value = scale = F.kind(0)
    for group, pi, means in zip(problem.groups, mixture.weights, mixture.means):
        slopes, heights = _lines(F, known, group, pi, means)
        # Method: exponents less that of the first subclass, whose sum over the class is that of its height, as the
        # points are measured from their mean.
        others = [linear(group, a - slopes[0], b - heights[0]) for a, b in zip(slopes[1:], heights[1:])]
        most, least = max(map(max, others), default=F.kind(0)), min(map(min, others), default=F.kind(0))
        columns, logs = logistic(F, others, len(group.rows), most)
        shares.append(columns)
        value = value + group.size * heights[0] + sum(group.pulled(logs), F.kind(0))
        reach = max(reach, max(map(abs, heights)) + max(most, -least))
        scale = scale + group.size * reach
    shared = known.solve(problem.within).trace()
    p, n = len(problem.X[0]), problem.n
    logs = known.log_determinant(F) + p * F.log(2 * F.pi())
    prior = sum(g.size * F.log(v) for g, v in zip(problem.groups, problem.priors))
    return _Expected(tuple(shares), value - (shared + n * logs) / 2 + prior, scale + shared + abs(n * logs), reach)


def logistic(
    F: Field, others: Sequence[Sequence[Number]], n: int, most: Number
) -> tuple[tuple[tuple[Number, ...], ...], list[Number]]:
    """Return what `normalised` does for the exponents of n points of which the first is zero, from the others.

    Beside the first nothing vanishes and, where none is large, nothing overflows: the largest need not be taken out.

    most    the largest of the others
    """
    if not others or not most < LARGE:
        return normalised(F, [[F.kind(0)] * n, *others])
    one = F.kind(1)
    powers = [list(map(F.exp, column)) for column in others]
    totals = list(map(sum, zip(repeat(one), *powers)))
    columns = (tuple([one / t for t in totals]), *(tuple(map(truediv, column, totals)) for column in powers))
    return columns, list(map(F.log, totals))


def reach(F: Field, problem: Problem, mixture: Mixture) -> Number:
    """Return the size of the exponents, at least 1."""
    known, found = factored(F, mixture.covariance), F.kind(1)
    for group, pi, means in zip(problem.groups, mixture.weights, mixture.means):
        for a, b in zip(*_lines(F, known, group, pi, means)):
            found = max(found, *map(abs, linear(group, a, b)))
    return found


def _lines(F: Field, known: Factor, group: Group, weights: Vector, means: Matrix) -> tuple[list[Vector], list[Number]]:
    """Return the slopes and heights of the exponents of a class, at points measured from their mean."""
    away = [mean - group.centre for mean in means]
    slopes = [known.solve(v) for v in away]
    return slopes, [F.log(weight) - dot(a, v) / 2 for weight, a, v in zip(weights, slopes, away)]
