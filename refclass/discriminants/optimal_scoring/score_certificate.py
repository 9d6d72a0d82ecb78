"""Proofs of optimal scores and of what is made of them, from the exact moments of the data."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from refclass.discriminants.decision.exact import (
    Failure,
    Rows,
    entries,
    exact_matrix,
    exact_vector,
    length,
    numbers,
    shaped,
    square_root,
)
from refclass.linear.clearing import backward_error, product, relative, root, sizes
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector
from refclass.number.field import Number
from refclass.sample.moments import Moments


def equations(N: Matrix, pi: Vector, values: Sequence[Number], theta: Rows) -> list[Failure]:
    """Return how far scores are off: N θₗ = μₗ D θₗ, ΘᵀDΘ = I and πᵀΘ = 0.

    Shapes    N: K × K, YᵀŶ/n without the trivial pair; pi: K; values: L; theta: K × L
    """
    K, L = len(pi), length(values)
    if not shaped(theta, K, L):
        return [(Fraction(1), "the shape of the scores")]
    T, mu, D = exact_matrix(theta), exact_vector(values), Matrix.diagonal_of(pi)
    reached = Matrix.of([row.times(mu) for row in product(D, T)])
    lengths = [root(v) for v in pi]  # of the indicators, of which the fits are sums
    bulk = [[a * sum(c * abs(t) for c, t in zip(lengths, column)) for column in T.T] for a in lengths]
    scale = [[s + abs(r) for s, r in zip(row, other)] for row, other in zip(bulk, reached)]
    failures = [(relative(product(N, T) - reached, scale), "the equations of the scores")]
    return [*failures, *metric(pi, T)]


def metric(pi: Vector, T: Matrix) -> list[Failure]:
    """Return how far ΘᵀDΘ is from I, and πᵀΘ from 0."""
    D = Matrix.diagonal_of(pi)
    inner = product(T.T, product(D, T)) - Matrix.identity(len(T[0]), Fraction)
    reach = [[v + 1 for v in row] for row in sizes(T.T, sizes(D, T))]
    failures = [(relative(inner, reach), "the lengths and angles of the scores")]
    return [*failures, (relative(product([pi], T), sizes([pi], T)), "the means of the scores")]


def regression(known: Moments, values: Sequence[Number], theta: Rows, rows: Rows) -> list[Failure]:
    """Return how far regressions of scores are off: H βₗ = XᵀYθₗ, and YᵀXβₗ = n μₗ D θₗ, X centred.

    Shapes    values: L; theta: K × L; rows: L × p, the βₗ
    """
    pi, L, p = known.shares, length(values), len(known.means[0])
    if not shaped(rows, L, p) or not shaped(theta, len(pi), L):
        return [(Fraction(1), "the shape of the coefficients")]
    away = Matrix.of([mu - known.centre for mu in known.means])
    H = known.within / known.n + known.between(pi)
    crossed = Matrix.of([w * v for w, v in zip(pi, away)])
    T, B = exact_matrix(theta), list(zip(*rows))
    spread = [root(v) for v in H.diagonal()]  # what means are sums of, even where they cancel
    terms = [[s * v for v in sizes([pi], T)[0]] for s in spread]
    failures = [(backward_error(H, B, product(crossed.T, T), terms), "the regressions of the scores")]
    explained = Matrix.of([row.times(exact_vector(values)) for row in product(Matrix.diagonal_of(pi), T)])
    reach = [[w * v for v in sizes([spread], B)[0]] for w in pi]
    return [*failures, (backward_error(crossed, B, explained, reach), "the equations of the scores")]


def constants(known: Moments, rows: Rows, got: Sequence[Number]) -> Failure:
    """Return how far the constants −βₗ·x̄ are off."""
    if length(got) != length(rows):
        return Fraction(1), "the number of the intercepts"
    if not shaped(rows, length(got), len(known.centre)):
        return Fraction(1), "the shape of the coefficients"
    want, bulk = product(rows, [[v] for v in known.centre]), sizes(rows, product([known.shares], known.sizes_of).T)
    return numbers("the intercepts", got, [-v for (v,) in want], [v for (v,) in bulk])


def weights(values: Sequence[Number], got: Sequence[Number]) -> Failure:
    """Return how far wₗ = 1/(μₗ(1 − μₗ)) is off: w μ(1 − μ) = 1, the digits of 1 − μ counted."""
    if not length(got) == length(values) >= 0:
        return Fraction(1), "the number of the weights"
    mu = exact_vector(values)
    worst = [(w * m * (1 - m) - 1, (w * m) * (1 + m) + 1) for w, m in zip(exact_vector(got), mu)]
    return relative([[a for a, _ in worst]], [[b for _, b in worst]]), "the weights"


def placed(known: Moments, weighing: Sequence[Number], rows: Rows, got: Rows) -> Failure:
    """Return how far the class means of √wₗ βₗᵀ(x − x̄) are off."""
    if not shaped(rows, length(weighing), len(known.centre)):
        return Fraction(1), "the shape of the coefficients"
    away, turned = [mu - known.centre for mu in known.means], list(zip(*rows))
    total = known.within / known.n + known.between(known.shares)
    bulk = sizes([[root(v) for v in total.diagonal()]], turned)[0]
    return centroids("the centroids", product(away, turned), weighing, [bulk] * len(away), got)


def spread(fits: Rows, axes: Rows) -> list[list[Number]]:
    """Return the sizes of what class means of coordinates are sums of: of each coordinate the largest of the classes.

    Premise: where the mean of a class is zero but for roundoff of the fits, the roundoff is that of the other classes.
    """
    bulk = sizes(fits, axes)
    return [[max(column) for column in bulk.T]] * len(bulk)


def centroids(name: str, want: Matrix, weighing: Sequence[Number], bulk: Rows, got: Rows) -> Failure:
    """Return how far class means of coordinates are off, each coordinate times √wₗ."""
    roots = [square_root(w) for w in weighing]
    scaled = Matrix.of([Vector.of([r * v for r, v in zip(roots, row)]) for row in exact_matrix(want)])
    sizes_of = [[r * abs(v) + abs(w) for r, v, w in zip(roots, *rows)] for rows in zip(bulk, scaled)]
    return entries(name, got, scaled, sizes_of)
