"""Additive splines in one step: the normal equations of the whole criterion, for exact arithmetic and small samples.

    f_j = Σ_k β_jk (h_jk − mean),   h_j the natural splines with a knot at every value of x_j, without the constant;
    (HᵀWH + diag(λ_jΩ_j)) β = HᵀW(y − ȳ)

Backfitting iterates to the same answer in linear time for each sweep, but reaches it exactly by accident only.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Optional

from refclass.bases import penalty
from refclass.bases.natural import NaturalSplines
from refclass.linear.factorisations import elimination
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector
from refclass.number.field import Field, Number
from refclass.regress.spline.additive_fit import Fit, Problem, kind_of
from refclass.regress.spline.curve import Curve
from refclass.regress.spline.smoother import Operator


@dataclass(frozen=True)
class _Term:
    """One variable: its functions at the knots less their means, their second derivatives there, and λΩ."""

    heights: tuple[Vector, ...]
    bends: tuple[Vector, ...]
    rough: Optional[Matrix]


def solve(F: Field, problem: Problem, operators: Sequence[Optional[Operator]]) -> Fit:
    """Return the fit that minimises RSS + Σ λ_j ∫ f_j″², by elimination.

    Exact     yes
    Cost      M³/3 + nM² + Σ m_j³ multiplications, M = Σ_j (m_j − 1) for m_j distinct values
    Raises    NoAnswer with a null vector where the functions are not unique: a variable that is a function of others
    """
    start, w = problem.start(), problem.weights
    used = [j for j, o in enumerate(operators) if o is not None and len(o.smoother.knots) > 1]
    terms = [_term(F, problem, j, operators[j]) for j in used]
    if not terms:
        return Fit(problem, start.intercept, tuple(operators), start.curves, start.residual)
    spread = [problem.smoothers[j].spread for j in used]
    columns = [s(h) for s, term in zip(spread, terms) for h in term.heights]
    pulled = [c.times(w) for c in columns]
    gram = [[p @ c for c in columns] for p in pulled]
    at = 0
    for term in terms:
        if term.rough is not None:
            for a, row in enumerate(term.rough):
                for b, v in enumerate(row):
                    gram[at + a][at + b] = gram[at + a][at + b] + v
        at += len(term.heights)
    right = Matrix.of([Vector.of([p @ r for r in start.residual]) for p in pulled])
    beta = elimination.solve(Matrix(gram), right)
    curves, at = list(start.curves), 0
    for j, term in zip(used, terms):
        rows = beta[at : at + len(term.heights)]
        curves[j] = _curve(problem.smoothers[j].knots, term, rows)
        at += len(rows)
    residual = problem.residual(start.intercept, curves)
    return Fit(problem, start.intercept, tuple(operators), tuple(curves), tuple(residual))


def _term(F: Field, problem: Problem, j: int, operator: Optional[Operator]) -> _Term:
    smoother = problem.smoothers[j]
    basis = NaturalSplines(smoother.knots)
    smooth = operator is not None and len(basis) > 2 and kind_of(operator.lam) == "smooth"
    size = len(basis) if smooth else 2
    values = basis.matrix(F, smoother.knots).T[1:size]
    means = [smoother.weights @ h / problem.n for h in values]
    heights = tuple(Vector.of([v - m for v in h]) for h, m in zip(values, means))
    bends = Matrix.of([basis.derivative(F, t, 2) for t in smoother.knots]).T[1:size]
    if not smooth or operator is None:
        return _Term(heights, bends, None)
    omega = penalty.roughness(F, basis, smoother.knots[0], smoother.knots[-1])
    inner = range(1, size)
    return _Term(heights, bends, operator.lam * omega.block(inner, inner))


def _curve(knots: Vector, term: _Term, rows: Sequence[Vector]) -> Curve:
    def combined(functions: Sequence[Vector], beta: Sequence[Number]) -> Vector:
        total = 0 * functions[0]
        for h, b in zip(functions, beta):
            total = total + b * h
        return total

    values = tuple(combined(term.heights, beta) for beta in zip(*rows))
    return Curve(knots, values, tuple(combined(term.bends, beta) for beta in zip(*rows)))
