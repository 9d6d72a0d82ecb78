"""Additive splines in one step by their representers (Kimeldorf and Wahba 1971; Wahba 1990), for few points.

    f_j(t) = Σᵢ cᵢ|t − x_ij|³/(12λ_j) + a line,    c = W r,    orthogonal to 1 and all x_j

    (W⁻¹ + Σ_j K_j/λ_j) c + Tβ = y,    Tᵀc = 0,    K_j = |x_ij − x_kj|³/12

T holds 1 and those of the variables that do not depend on each other. The system is regular also where variables are
copies of each other, between which backfitting moves functions for very long.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate
from operator import mul, sub
from typing import Optional

from refclass.linear.factorisations import elimination
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector
from refclass.number.field import Number
from refclass.regress.spline.additive_fit import Fit, Problem
from refclass.regress.spline.curve import Curve
from refclass.regress.spline.smoother import Cubic, Operator

Operators = Sequence[Optional[Operator]]


def solve(problem: Problem, operators: Operators, independent: Sequence[int]) -> Fit:
    """Return the fit that minimises RSS + Σ λ_j ∫ f_j″².

    Given     operators of λ_j > 0; the variables in use that do not depend on each other, nor on the constant
    Exact     yes
    """
    start, w = problem.start(), problem.weights
    one = w[0] / w[0]
    planes = [Vector.of([one] * len(w)), *(problem.centred[j] for j in independent)]
    found = elimination.solve(_system(problem, operators, planes), _right(problem, len(planes)))
    curves: list[Optional[Curve]] = list(start.curves)
    columns = [Vector.of(c[: len(w)]) for c in found.T]
    for j, operator in enumerate(operators):
        if operator is not None:
            curves[j] = _bent(operator, columns)
    fit = Fit(problem, start.intercept, tuple(operators), tuple(curves), start.residual)
    apart = [
        Vector.of(map(sub, left, map(mul, c, (one / v for v in w))))
        for c, left in zip(columns, problem.residual(start.intercept, curves))
    ]
    return _tilted(fit, planes, independent, apart)


def _system(problem: Problem, operators: Operators, planes: Sequence[Vector]) -> Matrix:
    """Return the matrix of the equations, of n and the number of planes rows."""
    n, zero = len(problem.weights), problem.weights[0] * 0
    rows = [[zero] * n for _ in range(n)]
    for operator in operators:
        if isinstance(operator, Cubic):
            x = operator.smoother.spread(operator.smoother.knots)
            for i in range(n):
                for k in range(i):
                    away = abs(x[i] - x[k])
                    rows[i][k] = rows[k][i] = rows[i][k] + away * away * away / (12 * operator.lam)
    for i, v in enumerate(problem.weights):
        rows[i][i] = v / v / v
        rows[i].extend(plane[i] for plane in planes)
    below = [[*plane, *[zero] * len(planes)] for plane in planes]
    return Matrix.of([Vector.of(row) for row in (*rows, *below)])


def _right(problem: Problem, planes: int) -> Matrix:
    nothing = [problem.weights[0] * 0] * planes
    return Matrix.of([Vector.of([*y, *nothing]) for y in problem.responses]).T


def _bent(operator: Operator, columns: Sequence[Vector]) -> Curve:
    """Return the curve of a variable for each response up to a line: Qγ = the sums of c at its knots, over λ."""
    x = operator.smoother.knots
    flat = Vector.of([0 * t for t in x])
    if not isinstance(operator, Cubic):
        return Curve(x, (flat,) * len(columns), (flat,) * len(columns))
    smoother, values, seconds = operator.smoother, [], []
    gaps = list(map(sub, x[1:], x))
    for c in columns:
        sums = list(flat)
        for k, v in zip(smoother.place, c):
            sums[k] = sums[k] + v
        inner = list(accumulate(map(mul, accumulate(sums[:-1]), gaps)))[:-1]
        gamma = Vector.of([v / operator.lam for v in inner])
        slopes = accumulate(smoother._bands.stretched(gamma), initial=flat[0])
        values.append(Vector.of(accumulate(map(mul, slopes, gaps), initial=flat[0])))
        seconds.append(Vector.of([flat[0], *gamma, flat[0]]))
    return Curve(x, tuple(values), tuple(seconds))


def _tilted(fit: Fit, planes: Sequence[Vector], independent: Sequence[int], apart: Sequence[Vector]) -> Fit:
    """Return the fit with the lines that its curves lack, the planes that explain what they are apart from the fit."""
    problem, curves = fit.problem, list(fit.curves)
    pulled = [c.times(problem.weights) for c in planes]
    gram = Matrix.of([Vector.of([a @ b for b in planes]) for a in pulled])
    slopes = [elimination.solve(gram, Vector.of([a @ v for a in pulled])) for v in apart]
    for j, curve in enumerate(curves):
        if curve is not None:
            own: list[Number] = [b[1 + independent.index(j)] if j in independent else b[0] * 0 for b in slopes]
            curves[j] = _centred(problem, j, curve, own)
    residual = tuple(problem.residual(fit.intercept, curves))
    return Fit(problem, fit.intercept, fit.operators, tuple(curves), residual)


def _centred(problem: Problem, j: int, curve: Curve, slopes: Sequence[Number]) -> Curve:
    """Return the curves with lines of these slopes added, of mean zero."""
    smoother, values = problem.smoothers[j], []
    for g, b in zip(curve.values, slopes):
        tilted = [v + b * t for v, t in zip(g, smoother.knots)]
        mean = sum(map(mul, smoother.weights, tilted)) / problem.n
        values.append(Vector.of([v - mean for v in tilted]))
    return Curve(curve.knots, tuple(values), curve.seconds)
