"""Proofs of the rules of normal classes and of canonical variates, from the exact moments of the data."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any, Optional

from refclass.discriminants.decision.exact import (
    DECIMALS,
    Failure,
    Rows,
    entries,
    exact_matrix,
    exact_vector,
    length,
    logarithm,
    numbers,
    shaped,
)
from refclass.discriminants.gaussian import cutpoint
from refclass.errors import NoAnswer, quoted
from refclass.linear.clearing import backward_error, product, relative, root, sizes
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector, as_given
from refclass.number.field import Field, Number, rational
from refclass.number.rational import RATIONAL
from refclass.sample import metric
from refclass.sample.metric import Metric
from refclass.sample.moments import Moments, moments
from refclass.sample.observations import Sample

PSEUDO = "directions in which the classes do not vary are left out (pseudo-inverse)"


def priors(known: Moments, given: Optional[Sequence[Number]], got: Sequence[Number]) -> tuple[Vector, Failure]:
    """Return the priors, the given ones divided by their sum or the shares of the classes, and how far `got` is off."""
    pi = known.shares if given is None else exact_vector(given)
    pi = pi / sum(pi, Fraction(0))
    return pi, numbers("the priors", got, pi)


def means(known: Moments, got: Rows) -> Failure:
    """Return how far class means are off, each over the mean of the sizes of its terms."""
    return entries("the class means", got, known.means, known.sizes_of)


def covariance(name: str, sigma: Matrix, got: Rows) -> Failure:
    """Return how far a covariance is off, each entry over the product of two standard deviations."""
    deviations = [root(v) for v in sigma.diagonal()]
    return entries(name, got, sigma, [[a * b for b in deviations] for a in deviations])


def directions(name: str, sigma: Matrix, away: Matrix, rows: Rows, full: bool = True) -> Failure:
    """Return how far Σ̂ times each row is off what it should be: Σ̂ aₖ = dₖ; of a singular Σ̂, Σ̂ Σ̂ aₖ = Σ̂ dₖ.

    Where classes do not vary, but their means differ, no a has Σ̂ a = d; the pseudo-inverse is of least squares.

    Shapes    sigma: p × p; away: K × p, the dₖ; rows: K × p, the aₖ
    """
    if not shaped(rows, *away.shape):
        return Fraction(1), f"the shape of {name}"
    # Premise: a difference of means is one of numbers as large as a standard deviation, even where it cancels.
    spread = [root(v) for v in sigma.diagonal()]
    terms = [[s + abs(v) for v in row] for s, row in zip(spread, away.T)]
    if full:
        return backward_error(sigma, list(zip(*rows)), away.T, terms), f"Σ̂ times {name}"
    squared, reached = product(sigma, sigma), product(sigma, away.T)
    return backward_error(squared, list(zip(*rows)), reached, sizes(sigma, terms)), f"Σ̂² times {name}"


def reduced(name: str, sigma: Matrix, V: Rows, away: Matrix, rows: Rows) -> Failure:
    """Return how far the rows V Vᵀdₖ of the rule in the leading variates are off, in units of the standard deviations.

    Shapes    sigma: p × p; V: p × L; away: K × p, the dₖ; rows: K × p
    """
    # Premise: an entry of a variate that is zero but for roundoff of the others has no digits of its own, and neither
    # has the difference of two means beside a standard deviation.
    spread = [root(v) or Fraction(1) for v in sigma.diagonal()]
    longest = [max(s * abs(rational(v)) for s, v in zip(spread, column)) for column in zip(*V)]
    turned, columns = list(zip(*V)), away.T
    reach = [[s + abs(v) for v in column] for s, column in zip(spread, columns)]
    placed = sizes([[v / s for s in spread] for v in longest], reach)
    bulk = [[sum(v * w for v, w in zip(longest, own)) / s for s in spread] for own in zip(*placed)]
    return entries(name, rows, product(V, product(turned, columns)).T, bulk)


def empirical_cut(
    sample: Sample, sigma: Matrix, apart: Vector, direction: Sequence[Number], cut: Number, full: bool
) -> Failure:
    """Return how far the cut is off the middle of the gap with the fewest training errors along Σ⁻¹(μ₂ − μ₁).

    direction    as it is reported; the sizes of its products are the scale
    """
    want = cut_along(sample, sigma, apart, full)
    scale = max(sum(abs(rational(a) * rational(v)) for a, v in zip(direction, as_given(x))) for x in sample.X)
    return numbers("the cut of fewest errors", [cut], [want], [scale])


def cut_along(sample: Sample, sigma: Matrix, apart: Vector, full: bool = True) -> Fraction:
    """Return the cut of the fewest training errors on Σ⁻¹(μ₂ − μ₁)·x, or Σ⁺(μ₂ − μ₁)·x, in fractions."""
    known = metric.factor(RATIONAL, sigma) if full else metric.pseudo(sigma)
    level = rational(known.solve(apart) @ moments(sample).centre)
    return rational(cutpoint.exactly(sample, sigma, apart, pseudo_inverse=not full, level=level).cut)


def constants(
    rows: Rows,
    got: Sequence[Number],
    means: Matrix,
    centre: Vector,
    logs: Sequence[Fraction],
    bulk: Sequence[Number] = (),
) -> Failure:
    """Return how far the constants −½ aₖ·(μₖ + m) + lₖ of linear scores aₖ·x are off.

    logs    the lₖ: log (πₖ/π₁), and what costs add
    bulk    the size of what is added up to the entries of each aₖ, even where it cancels; () for their own
    """
    if length(got) != len(means) or not shaped(rows, *means.shape):
        return Fraction(1), "the number of the intercepts"
    worst = Fraction(0)
    for row, value, mu, log in zip(exact_matrix(rows), got, means, logs):
        terms = [a * v / 2 for a, v in zip(row, mu + centre)]
        reach = [s * v / 2 for s, v in zip(bulk, mu + centre)] or terms
        scale = sum(map(abs, reach), abs(log) + abs(rational(value)))
        worst = max(worst, relative([[rational(value) + sum(terms) - log]], [[scale]]))
    return worst, "the intercepts"


def contrast(rows: Rows, got: Sequence[Number], means: Matrix, log: Fraction) -> Failure:
    """Return how far the constant −½ a·(μ₁ + μ₂) + l of the log-odds of two classes is off."""
    return constants(rows, got, Matrix.of([means[0]]), means[1], [log])


def log_ratios(pi: Vector) -> list[Fraction]:
    """Return log (πₖ/π₁), to 50 digits."""
    return [logarithm(v / pi[0]) if v != pi[0] else Fraction(0) for v in pi]


def variates(
    B: Matrix, W: Matrix, values: Sequence[Number], vectors: Rows, total: Optional[Number], full: bool = True
) -> list[Failure]:
    """Return how far canonical variates are off: B v = d W v (W B v = d W² v if singular), VᵀWV = I, and Σ d = tr W⁻¹B.

    Shapes    values: L; vectors: p × L
    total     the trace, where it is known; the sum of all L values
    """
    L = length(values)
    if not shaped(vectors, len(W), L):
        return [(Fraction(1), "the shape of the scalings")]
    V, d = exact_matrix(vectors), exact_vector(values)
    BV, WV = product(B, V), product(W, V)
    scaled = Matrix.of([row.times(d) for row in WV])
    lengths = [[root(v) for v in B.diagonal()]]
    terms = product([[root(v)] for v in W.diagonal()], sizes(lengths, V))  # of W's size, where means cancel
    scale = sizes(B, V) + Matrix.of([row.times(Vector.of(map(abs, d))) for row in sizes(W, V)]) + terms
    missed = BV - scaled
    if not full:
        missed, scale = product(W, missed), sizes(W, scale)
    failures = [(relative(missed, scale), "the eigenvalues and scalings: B v = d W v")]
    inner = product(V.T, WV) - Matrix.identity(L, Fraction)
    # Premise: axes of length one may have nothing in common but roundoff; their product is one of lengths all the same.
    reach = [[v + 1 for v in row] for row in sizes(V.T, sizes(W, V))]
    failures.append((relative(inner, reach), "the lengths of the scalings: vᵀWv = 1"))
    if total is not None:
        failures.append(numbers("the sum of the eigenvalues", [sum(d, Fraction(0))], [total]))
    return failures


def condition(sigmas: Sequence[Matrix], got: Number) -> Failure:
    """Return how far the largest variance inflation max Σ̂ⱼⱼ(Σ̂⁻¹)ⱼⱼ is off; its digits are lost as it grows.

    Σ̂⁻¹ to 50 digits, in fractions where the answer is one; where Σ̂ is singular nothing is said.
    """
    F = RATIONAL if isinstance(got, Fraction) else DECIMALS
    try:
        want = max(rational(_metric(F, sigma).condition) for sigma in sigmas)
    except NoAnswer:
        return Fraction(0), ""
    return numbers("the condition", [got], [want], [want * want])


def log_determinants(sigmas: Sequence[Matrix], got: Sequence[Number]) -> Failure:
    """Return how far the logarithms of determinants are off, over the sizes of their terms and the inflations.

    To 50 digits; where a covariance is singular nothing is said.
    """
    if length(got) != len(sigmas):
        return Fraction(1), "the number of the determinants"
    worst = Fraction(0)
    for sigma, value in zip(sigmas, got):
        try:
            known = _metric(DECIMALS, sigma)
        except NoAnswer:
            continue
        logs = [rational(DECIMALS.log(v)) for v in known.pivots]
        scale = sum(map(abs, logs), rational(known.condition) * len(sigma))
        worst = max(worst, relative([[rational(value) - sum(logs)]], [[scale]]))
    return worst, "the logarithms of the determinants"


def _metric(F: Field, sigma: Matrix) -> Metric:
    return metric.factor(F, Matrix.of([Vector.of(map(F.lift, row)) for row in sigma]))


def undone(label: Any, sigma: Matrix, known: Metric) -> Failure:
    """Return how far a metric's Z and w, from which distances are computed, are off: Z Σ̂ Zᵀ = diag(1/w)."""
    Z = exact_matrix(known.rows)
    turned = list(zip(*Z))
    missed = product(product(Z, sigma), turned) - Matrix.diagonal_of([1 / w for w in exact_vector(known.weights)])
    # Premise: an entry of Σ̂ is a sum of numbers as large as the product of two standard deviations, even if it is zero.
    deviations = [root(v) for v in sigma.diagonal()]
    terms = [[a * b for b in deviations] for a in deviations]
    return relative(missed, sizes(Z, sizes(terms, turned))), f"the metric of class {quoted(label)}"
