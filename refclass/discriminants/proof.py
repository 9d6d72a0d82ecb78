"""How far a discriminant is from what defines it, computed exactly from the data as given.

A float is a rational: means, covariances and the residuals of linear systems are computed in fractions, from the data
and the answer alone. A residual is measured against what it is the difference of (Oettli and Prager's backward error):

    max over rows of |b − A x| / (|A||x| + |b|)

zero if the equation holds with ==, about the unit of roundoff if a careful computation in floats made x.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction

from refclass.discriminants import lda, least_squares, logistic, qda, scoring
from refclass.linear import fraction_free
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector
from refclass.number.decimals import decimal
from refclass.number.field import Number, rational
from refclass.optimise.certificate import Certificate
from refclass.sample import covariance, metric
from refclass.sample.data import Sample
from refclass.sample.indicator import codes, indicator
from refclass.sample.mean import class_means, mean, mixture, shares

Failure = tuple[Fraction, str]  # by how much an equation fails, and which


def exact_vector(x: Iterable[Number]) -> Vector:
    """Return the numbers at their exact values."""
    return Vector.of([rational(v) for v in x])


def exact_matrix(A: Iterable[Iterable[Number]]) -> Matrix:
    """Return the matrix at its exact values."""
    return Matrix.of([exact_vector(row) for row in A])


def exact_sample(sample: Sample) -> Sample:
    """Return the sample at its exact values."""
    return Sample(exact_matrix(sample.X), sample.labels, sample.classes, exact_vector(sample.weights))


def backward_error(A: Matrix, x: Vector, b: Vector) -> Fraction:
    """Return max |b − A x| / (|A||x| + |b|) over the rows, 0/0 taken as 0.

    Exact     yes
    """
    worst = Fraction(0)
    for row, value in zip(A, b):
        missed = abs(value - row @ x)
        scale = sum((abs(a * v) for a, v in zip(row, x)), abs(value))
        if missed:
            worst = max(worst, missed / scale)
    return worst


def difference(got: Iterable[Iterable[Number]], want: Matrix) -> Fraction:
    """Return the largest difference of two matrices over the largest entry of the second."""
    missed = (exact_matrix(got) - want).largest()
    scale: Fraction = want.largest()
    return missed / scale if scale else Fraction(missed)


def linear(sample: Sample, model: lda.Model, divisor: str) -> Certificate:
    """Return the proof of a linear discriminant: its means, its covariance, and Σ̂ times each direction."""
    exact = exact_sample(sample)
    means = class_means(exact)
    sigma = covariance.pooled(exact, divisor, means)
    centre = mixture(exact_vector(model.priors), means)
    failures = [(difference(model.means, means), "the class means")]
    failures.append((difference(model.metric.matrix, sigma), "the pooled covariance"))
    for k, (d, mu) in enumerate(zip(model.directions, means)):
        failed = backward_error(sigma, exact_vector(d), mu - centre)
        failures.append((failed, f"Σ̂ times the direction of class {sample.classes[k]!r}"))
    return _certificate(failures, model.metric.rank == sample.p)


def quadratic(sample: Sample, model: qda.Model, sigmas: Sequence[Matrix]) -> Certificate:
    """Return the proof of a quadratic discriminant: its means, its covariances, and what its metrics undo.

    sigmas    the covariances that the classes should have, exactly
    """
    failures = [(difference(model.means, class_means(exact_sample(sample))), "the class means")]
    for known, sigma, label in zip(model.metrics, sigmas, sample.classes):
        failures.append((difference(known.matrix, sigma), f"the covariance of class {label!r}"))
        Z = exact_matrix(known.rows)
        undone = Z @ (sigma @ Z.T)
        want = Matrix.diagonal_of([1 / w for w in exact_vector(known.weights)])
        failures.append((difference(undone, want), f"the metric of class {label!r}"))
    full = all(known.rank == sample.p for known in model.metrics)
    return _certificate(failures, full)


def regression(sample: Sample, model: least_squares.Model, penalty: Number) -> Certificate:
    """Return the proof of a least-squares classifier: its sum of squares, and how far that is above the least.

        minimise Σᵢ wᵢ ‖yᵢ − b − Bᵀxᵢ‖² + λ tr BᵀB

    primal is the objective at the answer, gap = gᵀH⁻¹g for the gradient −2g there and the matrix H of the normal
    equations, dual their difference: the least value of all.
    """
    exact = exact_sample(sample)
    rows = [Vector.of([Fraction(1), *x]) for x in exact.X]
    if isinstance(model, least_squares.Coded):
        Y = [Vector.of([t]) for t in codes(exact, exact_vector(model.codes))]
    else:
        Y = list(indicator(exact))
    f = model.regression
    B = exact_matrix([f.intercepts, *f.coefficients])
    lam = rational(penalty)
    missed = [y - B.T @ x for x, y in zip(rows, Y)]
    squares = sum((w * (r @ r) for w, r in zip(exact.weights, missed)), Fraction(0))
    primal = squares + lam * sum((b @ b for b in B[1:]), Fraction(0))
    weighted = Matrix.of([w * x for w, x in zip(exact.weights, rows)]).T
    pull = Matrix.of([Vector.of([Fraction(0)] * len(B[0])), *[lam * b for b in B[1:]]])
    g = weighted @ Matrix.of(missed) - pull
    shift = Matrix.diagonal_of([Fraction(0), *[lam] * sample.p])
    H = weighted @ Matrix.of(rows) + shift
    gap = (g.T @ _solved(H, g)).trace()
    worst = g.largest()
    status = "optimal" if worst == 0 else "feasible"
    where = "the gradient of the sum of squares" if worst else ""
    return Certificate(status, primal, primal - gap, gap, worst, where, {"fitted values": True})


DIGITS = 50


def likelihood(sample: Sample, model: logistic.Model) -> Certificate:
    """Return the proof of a logistic regression: its penalised log-likelihood, and how far the score equations fail.

        Σᵢ wᵢ(I(g(i) = k) − pᵢₖ)(1, xᵢ) = λ(0, βₖ)

    A failure is measured against the sum of the sizes of its terms. The log-likelihood is concave, strictly so for
    columns that are independent, which the fit has shown.
    """
    F, kept = decimal(DIGITS), logistic.counted(sample)
    X = Matrix.of([Vector.of(map(F.lift, x)) for x in kept.X])
    weights = Vector.of(map(F.lift, kept.weights))
    asked = logistic.problem(F, Sample(X, kept.labels, kept.classes, weights), F.lift(model.penalty))
    at = logistic.state(asked, logistic.parameters(asked, model))
    failures = []
    for k, g in enumerate(at.gradient, start=1):
        missed = [abs(w * (int(own == k) - p[k])) for w, own, p in zip(weights, kept.labels, at.P)]
        sizes = [sum(abs(v) * m for v, m in zip(column, missed)) for column in asked.columns]
        failed = max((rational(abs(v) / size) for v, size in zip(g, sizes) if size), default=Fraction(0))
        failures.append((failed, f"the score equations of class {kept.classes[k]!r}"))
    worst, where = max(failures, key=lambda failure: failure[0])
    premise = f"exponentials and logarithms are taken at {DIGITS} digits"
    value = rational(at.value)
    return Certificate("approximate", value, None, None, worst, where, {"coefficients": True}, premise)


def scores(sample: Sample, model: scoring.Model) -> Certificate:
    """Return the proof of optimal scores: the eigenproblem, the metric of the scores, and their regressions.

    (YᵀX(XᵀX)⁻¹XᵀY/n) Θₗ = μₗ D Θₗ        ΘᵀDΘ = I        XᵀX β̂ₗ = XᵀYΘₗ        (X centred)
    """
    exact = exact_sample(sample)
    n, D = exact.weights.sum(), Matrix.diagonal_of(shares(exact))
    centre = mean(exact.whole)
    X = Matrix.of([x - centre for x in exact.X])
    weighted = Matrix.of([w * x for w, x in zip(exact.weights, X)]).T
    H, XY = weighted @ X, weighted @ indicator(exact)
    crossed = Matrix.of([row / n for row in XY.T @ _solved(H, XY)])
    theta = exact_matrix(model.optimal.theta)
    failures = [(difference(theta.T @ (D @ theta), Matrix.identity(len(theta[0]), Fraction)), "the scores' metric")]
    coefficients = exact_matrix(model.regression.coefficients)
    for k, mu in enumerate(exact_vector(model.optimal.values)):
        score, beta = theta.column(k), coefficients.column(k)
        failures.append((backward_error(crossed, score, mu * (D @ score)), f"the eigenproblem of score {k}"))
        failures.append((backward_error(H, beta, XY @ score), f"the regression of score {k}"))
    return _certificate(failures, fraction_free.rank(H) == sample.p)


def _solved(H: Matrix, g: Matrix) -> Matrix:
    """Return H⁻¹g, or H⁺g for a singular H."""
    factor = fraction_free.factor(H)
    return factor.solve(g) if factor.rank == len(H) else metric.pseudo(H).solve(g)


def _certificate(failures: list[Failure], full: bool) -> Certificate:
    worst, where = max(failures, key=lambda failure: failure[0])
    status = "solved" if worst == 0 else "approximate"
    premise = "" if full else "directions in which the classes do not vary are left out (pseudo-inverse)"
    return Certificate(status, None, None, None, worst, where if worst else "", {"directions": full}, premise)
