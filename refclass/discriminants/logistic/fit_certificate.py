"""Proofs of fitted linear functions: least squares by their normal equations, likelihoods by their score equations.

Columns are measured from their means, or medians, in integers over one denominator; exponentials and logarithms have 50
digits. Score equations are sums over the rows, and may hold to all digits of one row far away, or of two, that say
nothing of the others: a step of Newton's method, computed from the same numbers, says what is missed at each row.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from typing import Optional

from refclass.discriminants.decision.exact import (
    DECIMALS,
    DIGITS,
    Failure,
    Rows,
    entries,
    exact_matrix,
    exact_vector,
    length,
    numbers,
    shaped,
)
from refclass.discriminants.logistic import ascent, logistic
from refclass.errors import NoAnswer, quoted
from refclass.linear.clearing import backward_error, dot, product, relative, root, sizes
from refclass.linear.common_denominator import cleared
from refclass.linear.exact import fraction_free
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector, as_given
from refclass.number.decimals import decimal
from refclass.number.field import Field, Number, rational
from refclass.number.tolerance import roundoff
from refclass.regress.linear import ridge_certificate
from refclass.sample import metric
from refclass.sample.moments import moments
from refclass.sample.observations import Sample

LONGER = 4  # times that decimals are doubled in which an information is singular


@dataclass(frozen=True)
class Squares:
    """A sum of squares, the least one, and how far the equations of the least are off.

        minimise Σᵢ wᵢ ‖yᵢ − b − Bᵀxᵢ‖² + λ tr BᵀB

    premise     on what scale the sum of squares is measured, where that is not the sum itself

    With g the gradient −½∇ in B at the answer, H the matrix of the normal equations, and e the error of the mean fit,
    the sum is gᵀH⁻¹g + n e² above the least.
    """

    failures: list[Failure]
    premise: str = ""
    primal: Fraction = Fraction(0)
    dual: Fraction = Fraction(0)


def squares(sample: Sample, Y: Rows, coefficients: Rows, intercepts: Sequence[Number], penalty: Number) -> Squares:
    """Return the proof of a regression of q responses.

    Shapes    Y: n × q; coefficients: q × p; intercepts: q

    Exact     yes
    Cost      that of `moments` of p + q columns, and the solution of the normal equations
    """
    p, q, lam = sample.p, len(Y[0]), rational(penalty)
    if not shaped(coefficients, q, p) or length(intercepts) != q:
        return Squares([(Fraction(1), "the shape of the coefficients")])
    rows = [Vector.of([*x, *y]) for x, y in zip(map(as_given, sample.X), Y)]
    known = moments(Sample(Matrix.of(rows), (0,) * sample.n, (None,), sample.weights))
    S, B, b = known.scatters[0], exact_matrix(coefficients).T, exact_vector(intercepts)
    inner, outer = range(p), range(p, p + q)
    shift = Matrix.diagonal_of([lam] * p)
    H, crossed = S.block(inner, inner) + shift, S.block(inner, outer)
    lengths = [root(v) for v in S.diagonal()]
    scale = [[lengths[j] * lengths[k] for k in outer] for j in inner]
    failures = [(backward_error(H, B, crossed, scale), "the normal equations")]
    mean, middle = known.means[0][:p], Vector.of(known.means[0][p:])
    fits = b + Vector.of(product([mean], B)[0])
    # Premise: means are sums of responses, which vary about them, even where these cancel.
    spread = [lengths[k] / root(known.n) for k in outer]
    reach = [[abs(v) + abs(c) + s + d for v, c, s, d in zip(b, middle, sizes([mean], B)[0], spread)]]
    failures.append((relative([fits - middle], reach), "the mean of the fitted values"))
    g, e = crossed - product(H, B), middle - fits
    gap = product(g.T, _solved(H, g)).trace() + known.n * (e @ e)
    fitted = product(B.T, product(S.block(inner, inner), B)).trace()
    constant = sum((S[k][k] for k in outer), Fraction(0))
    left = constant - 2 * product(B.T, crossed).trace() + fitted
    primal = left + known.n * (e @ e) + lam * sum((row @ row for row in B), Fraction(0))
    missed, premise = _missed(sample, Matrix.of(list(map(exact_vector, Y))), B, b, primal, gap, constant)
    return Squares([*failures, (missed, "the sum of squares")], premise, primal, primal - gap)


def sum_of_squares(sample: Sample, Y: Rows, coefficients: Rows, intercepts: Sequence[Number]) -> Fraction:
    """Return Σᵢ wᵢ ‖yᵢ − b − Bᵀxᵢ‖² of coefficients and intercepts as they are.

    Shapes    as `squares`

    Exact     yes
    """
    H = Matrix.of([Vector.of([1, *as_given(x)]) for x in sample.X])
    B = Matrix.of([exact_vector([c, *beta]) for c, beta in zip(intercepts, coefficients)]).T
    return ridge_certificate.objective(H, Matrix.of(list(map(Vector.of, Y))), B, sample.weights)


def _missed(
    sample: Sample, Y: Matrix, B: Matrix, b: Vector, primal: Fraction, gap: Fraction, constant: Fraction
) -> tuple[Fraction, str]:
    """Return by what share a sum of squares is above the least one, and the premise of that, as of other regressions.

    Rounded coefficients of columns that nearly depend have equations that hold, and fitted values that are far off.
    """

    def pairs() -> Iterator[tuple[list[Fraction], list[Fraction]]]:
        rows = [i for i, w in enumerate(sample.weights) if w]
        fits = [b + B.T @ exact_vector(as_given(sample.X[i])) for i in rows]
        for k in range(len(b)):
            yield [Y[i][k] - fit[k] for i, fit in zip(rows, fits)], [Y[i][k] for i in rows]

    square = sum((rational(w) * (y @ y) for w, y in zip(sample.weights, Y)), Fraction(0))
    scale, premise = ridge_certificate.measured(primal, gap, constant, square, roundoff(sample.kind), pairs())
    return (gap / scale if scale else Fraction(bool(gap))), premise


def _solved(H: Matrix, g: Matrix) -> Matrix:
    """Return H⁻¹g, or H⁺g for a singular H."""
    try:
        return fraction_free.solve(H, g)
    except NoAnswer:
        return metric.pseudo(H).solve(g) if H.largest() else 0 * g


@dataclass(frozen=True)
class Likelihood:
    """A likelihood of linear log-odds at reported coefficients.

    weights      n integers over one denominator
    centre       p numbers, the medians: a value far away takes the mean along
    columns      p columns of n integers, those numbers taken off, each over its denominator
    posteriors   K columns of n integers, over the unit
    unit         10⁵⁰, or more by the powers of ten of 1/λ, or of the ratio of weights
    value        Σ wᵢ log Pr(g(i) | xᵢ)
    bulk         the sum of the sizes of its terms
    """

    sample: Sample
    centre: list[Fraction]
    weights: tuple[list[int], int]
    columns: list[tuple[list[int], int]]
    posteriors: list[list[int]]
    unit: int
    value: Fraction
    bulk: Fraction

    @property
    def field(self) -> Field:
        """Decimals that hold the unit."""
        return decimal(_digits(self.unit)) if self.unit > 10**DIGITS else DECIMALS


def _digits(unit: int) -> int:
    """Return k of 10ᵏ, which Python writes out for k of at most some thousands only."""
    return unit.bit_length() * 30103 // 100000  # log₁₀2, from above


def likelihood(sample: Sample, coefficients: Matrix, constants: Vector, penalty: Number = 0) -> Likelihood:
    """Return the posteriors and the log-likelihood of reported coefficients, to 50 digits.

    Shapes    coefficients: K × p; constants: K; up to a common shift of all rows

    Raises    NoAnswer with a null vector if without a penalty columns (and the constant) are linearly dependent
    """
    kept = logistic.counted(sample)
    known = moments(Sample(kept.X, (0,) * kept.n, (None,), kept.weights))
    factor = fraction_free.factor(known.scatters[0]) if not penalty else None
    if factor is not None and factor.rank < kept.p:
        null = factor.null_space()[0]
        raise NoAnswer("logistic", need="independent columns", got="dependent ones", null_vector=null)
    rows, unit = cleared([v for x in kept.X for v in as_given(x)])
    p = kept.p
    points = [rows[i : i + p] for i in range(0, len(rows), p)]
    scores, denominator = _scores(points, unit, coefficients, constants)
    w, total = cleared(as_given(kept.weights))
    # Proof: λβ is the sum of w r x over the points, and β no more than margins over x: a residual is about λ/Σwx².
    # A point whose weight is larger than others' by powers of ten has all but as small a part of its posterior.
    least = rational(penalty or 1) / (max(1, *known.scatters[0].diagonal()) if penalty else 1)
    # So has one that is far from all others.
    least = min(least, Fraction(min(w), max(w))) / 10 ** ascent.apart(kept)
    scale = 10 ** (DIGITS + max(0, least.denominator.bit_length() - least.numerator.bit_length()) * 3 // 10)
    posteriors, value, bulk = _softmax(scores, denominator, kept.labels, w, scale)
    middles = [sorted(column)[len(column) // 2] for column in zip(*points)]
    columns = [([v - m for v in column], unit) for m, column in zip(middles, zip(*points))]
    centre = [Fraction(m, unit) for m in middles]
    return Likelihood(kept, centre, (w, total), columns, posteriors, scale, value / total, bulk / total)


def _scores(points: list[list[int]], unit: int, coefficients: Matrix, constants: Vector) -> tuple[list[list[int]], int]:
    """Return β·xᵢ + c of every class for every point, in integers over one denominator."""
    q = len(coefficients[0]) + 1
    held, common = cleared([v for c, beta in zip(constants, coefficients) for v in [c, *beta]])
    rows = [held[k : k + q] for k in range(0, len(held), q)]
    return [[dot(b, x) + c * unit for x in points] for c, *b in rows], common * unit


def _softmax(
    scores: list[list[int]], denominator: int, labels: Sequence[int], w: list[int], unit: int
) -> tuple[list[list[int]], Fraction, Fraction]:
    """Return the posteriors over a unit, the largest of a point what the others leave, the likelihood and its bulk.

    Differences of scores are exact: far from zero all digits of rounded scores may be the same, or none.
    """
    posteriors: list[list[int]] = [[] for _ in scores]
    value = bulk = DECIMALS.kind(0)
    bottom = DECIMALS.lift(denominator)
    for own_scores, g, weight in zip(zip(*scores), labels, w):
        top = max(own_scores)
        f, first = [DECIMALS.lift(v - top) / bottom for v in own_scores], own_scores.index(top)
        powers = [DECIMALS.exp(v) for v in f]
        others = sum([v for k, v in enumerate(powers) if k != first], DECIMALS.kind(0))
        total = others + 1
        own = [int(DECIMALS.kind(unit) * power / total) for power in powers]
        own[first] = unit - sum(own) + own[first]
        for column, posterior in zip(posteriors, own):
            column.append(posterior)
        term = weight * (f[g] - ascent.log_above_one(DECIMALS, total, others))
        value, bulk = value + term, bulk + abs(term)
    return posteriors, rational(value), rational(bulk)


def score_equations(at: Likelihood, coefficients: Matrix, penalty: Number) -> list[Failure]:
    """Return by how much the score equations fail, over the sums of the sizes of their terms.

    Σᵢ wᵢ(I(g(i) = k) − pᵢₖ)(1, xᵢ − x̄) = λ(0, βₖ)        for x̄ any point
    """
    return [
        (relative([sums], [bulk]), f"the score equations of class {quoted(g)}")
        for g, (sums, bulk) in zip(at.sample.classes, _gradient(at, coefficients, penalty))
    ]


def _gradient(at: Likelihood, coefficients: Matrix, penalty: Number) -> list[tuple[list[Fraction], list[Fraction]]]:
    """Return for each class the left sides of the score equations less the right ones, and the sizes of their terms."""
    found = []
    middle = Vector.of([sum(column, Fraction(0)) / len(coefficients) for column in zip(*coefficients)])
    for k, beta in enumerate(coefficients):
        pulls = [rational(penalty) * v for v in beta - middle]
        own = [at.unit if g == k else 0 for g in at.sample.labels]
        missed = [w * (t - s) for w, t, s in zip(at.weights[0], own, at.posteriors[k])]
        scale = at.weights[1] * at.unit
        sums, bulk = [Fraction(sum(missed), scale)], [Fraction(sum(map(abs, missed)), scale)]
        for (column, unit), pull in zip(at.columns, pulls):
            d = unit * scale
            sums.append(Fraction(dot(column, missed), d) - pull)
            bulk.append(Fraction(dot(list(map(abs, column)), list(map(abs, missed))), d) + abs(pull))
        found.append((sums, bulk))
    return found


def information(at: Likelihood, penalty: Number) -> Optional[metric.Metric]:
    """Return minus the Hessian, factored; None where it is singular to so many digits.

    Hₖₗ = Σᵢ wᵢ pᵢₖ(δₖₗ − pᵢₗ)(1, xᵢ − x̄)(1, xᵢ − x̄)ᵀ + λ(δₖₗ − 1/K) I        blocks k, l ≥ 2
    """
    K, q = at.sample.K, len(at.columns) + 1
    ones = ([1] * at.sample.n, 1)
    columns = [ones, *at.columns]
    H = [[Fraction(0)] * (q * (K - 1)) for _ in range(q * (K - 1))]
    for k in range(1, K):
        for j in range(1, k + 1):
            pairs = zip(at.weights[0], at.posteriors[k], at.posteriors[j])
            v = [w * a * ((at.unit if j == k else 0) - b) for w, a, b in pairs]
            scale = at.weights[1] * at.unit * at.unit
            for a, (x, c) in enumerate(columns):
                pulled = [s * t for s, t in zip(v, x)]
                for b, (z, d) in enumerate(columns[: a + 1]):
                    value = Fraction(dot(pulled, z), scale * c * d)
                    if a == b and a:
                        value += rational(penalty) * (int(j == k) - Fraction(1, K))
                    for r, s in ((a, b), (b, a)):
                        r, s = (k - 1) * q + r, (j - 1) * q + s
                        H[r][s] = H[s][r] = value
    for longer in range(LONGER):  # Premise: a column with one value far from all others nearly depends on the constant.
        F = at.field if not longer else decimal(_digits(at.unit) + 1 << longer)
        with suppress(NoAnswer):
            return metric.factor(F, Matrix.of([Vector.of(map(F.lift, row)) for row in H]))
    return None


def scores(
    at: Likelihood, coefficients: Matrix, constants: Vector, penalty: Number, known: Optional[metric.Metric]
) -> Failure:
    """Return how far a step of Newton's method moves the scores of a row, over one and the sizes of their terms.

    The step H⁻¹g is the distance to the maximum but for its square. Terms are those of points less the medians.

    known    the information
    """
    name = "the scores of the rows"
    if known is None:
        return Fraction(1), name + ", whose information is singular to so many digits"
    lift, q = decimal(type(known.pivots[0]).precision).lift, len(at.columns) + 1
    gradient = [v for sums, _ in _gradient(at, coefficients, penalty)[1:] for v in sums]
    step, total = cleared(list(map(rational, known.solve(Vector.of(map(lift, gradient))))))
    middles = [c + beta @ Vector.of(at.centre) for c, beta in zip(constants, coefficients)]
    thetas = Matrix.of([Vector.of([c, *beta]) for c, beta in zip(middles, coefficients)])
    sizes, common = cleared([max(map(abs, column)) for column in thetas.T])
    worst, unit = Fraction(0), at.columns[0][1]
    for row in zip(*[column for column, _ in at.columns]):
        moves = [0, *[dot(step[k : k + q], (unit, *row)) for k in range(0, len(step), q)]]
        size = common * unit + dot(sizes, [unit, *map(abs, row)])
        worst = max(worst, Fraction((max(moves) - min(moves)) * common, total * size))
    return worst, name


def standard_errors(at: Likelihood, penalty: Number, got: Rows, known: Optional[metric.Metric]) -> Failure:
    """Return how far standard errors are off: roots of quadratic forms in the inverse of the information at the fit."""
    if known is None:
        return Fraction(1), "the standard errors, whose information is singular to so many digits"
    F = decimal(type(known.pivots[0]).precision)
    asked = ascent.Problem(F, at.sample, (), Vector.of(map(F.lift, at.centre)), F.lift(penalty))
    want = exact_matrix(logistic.errors(asked, known))
    bulk = rational(known.condition)
    return entries("the standard errors", got, want, [[bulk * abs(v) for v in row] for row in want])


def value(name: str, got: Number, want: Number, bulk: Number) -> Failure:
    """Return how far one number is off, over the sum of the sizes of its terms."""
    return numbers(name, [got], [want], [bulk])
