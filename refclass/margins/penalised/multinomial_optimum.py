"""The optimum of the multinomial loss in decimals: in multipliers, or in coefficients of a linear kernel."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from typing import Any

from refclass.discriminants.logistic import ascent, continuation, row_space
from refclass.errors import Refusal
from refclass.kernels.matrices.product import exact_product, linear_points
from refclass.linear.common_denominator import Scaled
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector, dot
from refclass.margins.penalised import multinomial
from refclass.margins.penalised.multinomial_newton import enough
from refclass.number.decimals import decimal
from refclass.number.field import rational
from refclass.regress.kernel.smooth_certificate import places, share
from refclass.sample.observations import Sample

FEW = 60  # multipliers up to which the optimum is computed where doubles do not find it
PLACES = 100  # decimals it is computed in
STEP = 10**6  # multiplications of decimals a step, up to which it is computed in coefficients of a linear kernel


def in_decimals(problem: Any, exact: Any, fit: Any, most: int) -> Any:
    """Return the optimum in decimals, with its values; None where it is not found, or would take too long.

    They are more by those that I + WK/λ loses at worst. Of few points a start that leads nowhere is left for f = 0. Of
    a linear kernel with an intercept the optimum is that of logistic regression, in as many parameters as columns.

    most    multipliers up to which it is computed for other kernels
    """
    least = share(problem.penalty, problem.K.diagonal())
    F = decimal(PLACES + getattr(problem.penalty, "precision", 0) + places(least))
    if problem.intercept and _in_few(exact):
        with suppress(Refusal):
            return _by_columns(F, exact, enough(least))
    if len(problem.labels) * problem.classes > most:
        return None
    rows: Any = [Scaled.of(exact.K.row(i)).fractions() for i in range(len(problem.labels))]
    K = Matrix.of([Vector.of(map(F.lift, row)) for row in rows])
    weights, lam = Vector.of(map(F.lift, exact.weights)), F.lift(exact.penalty)
    larger = replace(problem, F=F, K=K, weights=weights, penalty=lam, points=None)
    for start in (fit, None)[: 1 + (len(rows) * problem.classes <= FEW)]:
        with suppress(Refusal):  # of its numbers, or of its steps
            best = multinomial.fit(larger, start=start, max_steps=enough(least))
            return best, [[v + b for v in K @ own] for own, b in zip(best.alpha, best.beta0)]
    return None


def _in_few(exact: Any) -> bool:
    """Return whether the kernel is linear, with so few columns that a step in its coefficients is soon computed."""
    points = linear_points(exact.K)
    if points is None:
        return False
    columns = 1 + min(len(points), len(points[0]))
    return bool(len(exact.labels) * ((exact.classes - 1) * columns) ** 2 <= STEP)


def _by_columns(F: Any, exact: Any, most: int) -> Any:
    """Return the optimum of a linear kernel, with its values, by continuation in the penalty of its coefficients."""
    rows, K = linear_points(exact.K), exact.classes
    X = Matrix.of([Vector.of([F.lift(rational(v)) for v in x]) for x in rows])
    sample = Sample(X, exact.labels, tuple(range(K)), Vector.of(map(F.lift, exact.weights)))
    asked = ascent.problem(F, sample, F.lift(exact.penalty))
    way = row_space.turned(asked)
    *_, at = continuation.steps(asked if way is None else way.problem, digits=PLACES // 2, max_steps=most)
    at = at if way is None else way.back(at)
    pairs = zip(exact.labels, sample.weights, at.P, at.beyond)
    alpha = [[w * (left[k] if k == g else -p[k]) / asked.penalty for k in range(K)] for g, w, p, left in pairs]
    f = [[dot(theta, x) for x in asked.rows] for theta in at.thetas]
    f = [[v - sum(row) / K for v, row in zip(own, zip(*f))] for own in [[F.kind(0)] * len(rows), *f]]
    columns = tuple(map(Vector.of, zip(*alpha)))
    h = [exact_product(exact.K, list(map(rational, own))) for own in columns]
    b = [sum([rational(v) - u for v, u in zip(*pair)]) / len(rows) for pair in zip(f, h)]
    return multinomial.Fit(columns, Vector.of(map(F.lift, b)), ()), f
