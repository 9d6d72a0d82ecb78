"""Additive splines in one step by their representers (Kimeldorf and Wahba 1971; Wahba 1990).

    f_j(t) = Σᵢ cᵢ|t − x_ij|³/(12λ_j) + a line,    c = W r,    orthogonal to 1 and all x_j

    (W⁻¹ + Σ_j K_j/λ_j) c + Tβ = y,    Tᵀc = 0,    K_j = |x_ij − x_kj|³/12

T holds 1 and the variables, and of one with λ_j = 0, whose function is free at its knots, an indicator for each. Where
variables depend on each other a part of them spans the rest, and the system stays regular: also where variables are
copies of each other, between which backfitting moves functions for very long.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate
from operator import mul, sub
from typing import NamedTuple, Optional

from refclass.linear.factorisations import elimination
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector
from refclass.number.field import Field
from refclass.regress.spline.additive_bound import independent
from refclass.regress.spline.additive_fit import Fit, Problem, tilted
from refclass.regress.spline.curve import Curve
from refclass.regress.spline.smoother import Cubic, Operator, Pooled

Operators = Sequence[Optional[Operator]]
Curves = tuple[Optional[Curve], ...]


class _Plane(NamedTuple):
    """A function of one variable that no penalty counts: its values at the knots less their mean, and at the points."""

    variable: int
    heights: Vector
    column: Vector


def solve(problem: Problem, operators: Operators, free: Optional[Sequence[int]] = None) -> Fit:
    """Return the fit that minimises RSS + Σ λ_j ∫ f_j″².

    Given     free: the variables in use that do not depend on each other, nor on the constant, where some may (λ_j > 0)
    Exact     yes
    Cost      N³/3 + O(N²) multiplications, N = n + 1 + p for n points and p variables with λ_j > 0
    Raises    NoAnswer with a null vector where variables or free functions depend on each other
    """
    start, w = problem.start(), problem.weights
    planes = _planes(problem, operators, free)
    columns = [Vector.of([v / v for v in w]), *(plane.column for plane in planes)]
    found = elimination.solve(_system(problem, operators, columns), _right(problem, len(columns)))
    curves: list[Optional[Curve]] = list(start.curves)
    pulls = [Vector.of(c[: len(w)]) for c in found.T]
    for j, operator in enumerate(operators):
        if operator is not None:
            curves[j] = _bent(operator, pulls)
    fit = Fit(problem, start.intercept, tuple(operators), tuple(curves), start.residual)
    apart = [
        Vector.of(map(sub, left, map(mul, c, (v / v / v for v in w))))
        for c, left in zip(pulls, problem.residual(start.intercept, curves))
    ]
    return _tilted(fit, planes, columns, apart)


def gathered(F: Field, problem: Problem, exact: Problem, curves: Curves) -> Curves:
    """Return curves of the same sum, those of variables that depend on others straight to the left with slope zero.

    That is what `solve` finds: where variables depend on each other their straight parts are not unique.

    Given     the problem, also in fractions, which say what depends on what
    """
    used = [j for j, c in enumerate(curves) if c is not None and len(c.knots) > 1]
    free = independent(exact, used)
    if len(free) == len(used) or any(len(a.knots) != len(b.knots) for a, b in zip(problem.smoothers, exact.smoothers)):
        return curves
    found = list(curves)
    pulled = [exact.weights.times(exact.centred[k]) for k in free]
    gram = Matrix.of([Vector.of([v @ exact.centred[k] for k in free]) for v in pulled])
    for j in sorted(set(used) - set(free)):
        own = found[j]
        assert own is not None
        slopes = [left for left, _ in own.slopes]
        right = Vector.of([v @ exact.centred[j] for v in pulled])
        shares = elimination.solve(gram, right) if free else right
        found[j] = tilted(problem, j, own, [-b for b in slopes])
        for k, share in zip(free, shares):
            found[k] = tilted(problem, k, found[k], [b * F.lift(share) for b in slopes])
    return tuple(found)


def _free(operator: Optional[Operator]) -> bool:
    """Return whether a function is free at its knots."""
    return isinstance(operator, Cubic) and bool(operator.lam == 0)


def _planes(problem: Problem, operators: Operators, free: Optional[Sequence[int]]) -> list[_Plane]:
    used = [j for j, o in enumerate(operators) if o is not None and len(o.smoother.knots) > 1]
    planes = []
    for j in used if free is None else free:
        smoother, knots = problem.smoothers[j], problem.smoothers[j].knots
        own = [Vector.unit(len(knots), k, knots.kind) for k in range(1, len(knots))] if _free(operators[j]) else [knots]
        for heights in own:
            mean = smoother.weights @ heights / problem.n
            centred = Vector.of([v - mean for v in heights])
            planes.append(_Plane(j, centred, smoother.spread(centred)))
    return planes


def _system(problem: Problem, operators: Operators, planes: Sequence[Vector]) -> Matrix:
    """Return the matrix of the equations, of n and the number of planes rows."""
    n, zero = len(problem.weights), problem.weights[0] * 0
    rows = [[zero] * n for _ in range(n)]
    for operator in operators:
        if isinstance(operator, Cubic) and not _free(operator):
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
    """Return the curve of a variable for each response up to a line, of slope zero at its first knot.

    Qγ = the sums of c at its knots, over λ
    """
    x = operator.smoother.knots
    flat = Vector.of([0 * t for t in x])
    if not isinstance(operator, Cubic) or _free(operator):
        return Curve(x, (flat,) * len(columns), (flat,) * len(columns))
    smoother, values, seconds = operator.smoother, [], []
    gaps = list(map(sub, x[1:], x))
    for c in columns:
        sums = list(flat)
        for k, v in zip(smoother.place, c):
            sums[k] = sums[k] + v
        inner = list(accumulate(map(mul, accumulate(sums[:-1]), gaps)))[:-1]
        gamma = Vector.of([v / operator.lam for v in inner])
        slopes = accumulate(smoother._bands.stretched(gamma), initial=gaps[0] * gamma[0] / 6)
        values.append(Vector.of(accumulate(map(mul, slopes, gaps), initial=flat[0])))
        seconds.append(Vector.of([flat[0], *gamma, flat[0]]))
    return Curve(x, tuple(values), tuple(seconds))


def _tilted(fit: Fit, planes: Sequence[_Plane], columns: Sequence[Vector], apart: Sequence[Vector]) -> Fit:
    """Return the fit with what no penalty counts and its curves lack: the planes that explain what they are apart."""
    problem, curves = fit.problem, list(fit.curves)
    pulled = [c.times(problem.weights) for c in columns]
    gram = Matrix.of([Vector.of([a @ b for b in columns]) for a in pulled])
    right = Matrix.of([Vector.of([a @ v for v in apart]) for a in pulled])
    shares = elimination.solve(gram, right).T
    for j, curve in enumerate(curves):
        if curve is not None:
            own = [(k, plane.heights) for k, plane in enumerate(planes, 1) if plane.variable == j]
            raised = [sum((b[k] * h for k, h in own), g) for g, b in zip(curve.values, shares)]
            curves[j] = _centred(problem, curve, j, raised, fit.operators[j])
    residual = tuple(problem.residual(fit.intercept, curves))
    return Fit(problem, fit.intercept, fit.operators, tuple(curves), residual)


def _centred(problem: Problem, curve: Curve, j: int, raised: Sequence[Vector], operator: Optional[Operator]) -> Curve:
    """Return the curve with these values less their mean; where it is free, the interpolant of them."""
    smoother, values = problem.smoothers[j], []
    for g in raised:
        mean = sum(map(mul, smoother.weights, g)) / problem.n
        values.append(Vector.of([v - mean for v in g]))
    if operator is not None and _free(operator):
        return operator.curve(Pooled(smoother, (), tuple(values)))
    return Curve(curve.knots, tuple(values), curve.seconds)
