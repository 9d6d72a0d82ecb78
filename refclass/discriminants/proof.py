"""How far a discriminant is from what defines it, computed exactly from the data as given.

A float is a rational: means, covariances and the residuals of linear systems are computed in fractions, from the data
and the answer alone. A residual is measured against what it is the difference of (Oettli and Prager's backward error):

    max over rows of |b − A x| / (|A||x| + |b|)

zero if the equation holds with ==, about the unit of roundoff if a careful computation in floats made x.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction

from refclass.discriminants import lda, least_squares, qda
from refclass.linear import fraction_free
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector
from refclass.number.field import Number, rational
from refclass.optimise.certificate import Certificate
from refclass.sample import covariance, metric
from refclass.sample.data import Sample
from refclass.sample.indicator import codes, indicator
from refclass.sample.mean import class_means, mixture

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


def _solved(H: Matrix, g: Matrix) -> Matrix:
    """Return H⁻¹g, or H⁺g for a singular H."""
    factor = fraction_free.factor(H)
    return factor.solve(g) if factor.rank == len(H) else metric.pseudo(H).solve(g)


def _certificate(failures: list[Failure], full: bool) -> Certificate:
    worst, where = max(failures, key=lambda failure: failure[0])
    status = "solved" if worst == 0 else "approximate"
    premise = "" if full else "directions in which the classes do not vary are left out (pseudo-inverse)"
    return Certificate(status, None, None, None, worst, where if worst else "", {"directions": full}, premise)
