"""Newton's equations of a decision function for each class, f_ik = z_iᵀv_k + b_k, coupled by the loss at each point.

    (λ v_k, 0) + Σᵢ z̃ᵢ Σ_l (Wᵢ)_kl f_il = r_k        z̃ᵢ = (zᵢ, 1),  or zᵢ without intercepts
    Wᵢ = diag(dᵢ) − eᵢeᵢᵀ        with zero sums, e = 0 and Σ_k (v_k, b_k) = 0

Wᵢ is the curvature of the multinomial deviance, with d = w p, e = √w p (Böhning, 1992), and that of a largest score in
an interior point method. Its sums over the points are inner products of length n; what is solved has as many unknowns
as the functions have parameters, whatever the number of points. Numbers are doubles, or decimals of one precision.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from operator import mul
from typing import Any

from refclass.linear import polar
from refclass.linear.factorisations.lower_triangle import Cholesky
from refclass.linear.vector import inner_product
from refclass.number.binary64 import BINARY64
from refclass.number.field import Field, Number

Rows = Sequence[Sequence[Number]]
Columns = list[list[Number]]  # for each class a number for each point, or for each parameter

FAINT = 1e-30  # a pivot below this part of its own diagonal entry is taken as infinite: nothing is known of its place


MOST_KEPT = 130  # columns of Z, up to which the products of their entries are kept


def faint(F: Field) -> Number:
    """Return FAINT for doubles; a thousand units of roundoff for decimals."""
    return FAINT if F.kind is float else 1000 * F.eps


class Points:
    """The points, with the products of their coordinates that every curvature is summed from.

    Z            n rows of r numbers
    intercept    whether functions have intercepts, which are not penalised
    F            the field of the numbers
    """

    def __init__(self, Z: Rows, intercept: bool, F: Field = BINARY64) -> None:
        self.F, self.dot = F, inner_product(F.kind)
        self.rows = [(*z, F.kind(1)) if intercept else tuple(z) for z in Z]
        self.columns = list(zip(*self.rows))
        self.size, self.intercept = len(self.columns), intercept

    @cached_property
    def products(self) -> list[list[tuple[Number, ...]]]:
        """The products of the columns, entry by entry."""
        return [[tuple(map(mul, a, b)) for b in self.columns[: j + 1]] for j, a in enumerate(self.columns)]

    def values(self, v: Columns) -> Columns:
        """Return f_k at the points for the parameters of each class."""
        dot = self.dot
        return [[dot(own, z) for z in self.rows] for own in map(tuple, v)]

    def gathered(self, weights: Columns) -> Columns:
        """Return Σᵢ weight_ik z̃ᵢ for each class."""
        dot = self.dot
        return [[dot(column, own) for column in self.columns] for own in map(tuple, weights)]

    def ridge(self, v: Sequence[Number], lam: Number) -> list[Number]:
        """Return λv, 0 for the intercept."""
        last = self.size - self.intercept
        return [lam * t for t in v[:last]] + [self.F.kind(0)] * self.intercept

    def curvature(self, d: Sequence[Number], lam: Number) -> list[list[Number]]:
        """Return the lower triangle of Σᵢ dᵢ z̃ᵢz̃ᵢᵀ, λ added where parameters are penalised."""
        dot = self.dot
        if self.size > MOST_KEPT and min(d) >= 0:
            roots = list(map(self.F.sqrt, d))
            columns = [tuple(map(mul, roots, column)) for column in self.columns]
            fast = self.F.kind is float and polar.IN_C
            found = (
                polar.gram(columns) if fast else [[dot(a, b) for b in columns[: j + 1]] for j, a in enumerate(columns)]
            )
        else:
            found = [[dot(p, d) for p in row] for row in self.products]
        for j in range(self.size - self.intercept):
            found[j][j] += lam
        return found

    def equations(self, lam: Number, d: Columns) -> ZeroSum:
        """Return the factors of the equations with W = diag(d) and functions that sum to zero."""
        return ZeroSum(self, lam, d)


class Coupled:
    """The factor of the equations with W = diag(d) − eeᵀ at each point, one matrix for all classes.

    Cost      K(K + 1)q²n/4 + (Kq)³/6 multiplications for q parameters of each of K classes
    """

    def __init__(self, points: Points, lam: Number, d: Columns, e: Columns) -> None:
        self.points, self.lam, self.d, self.e, q = points, lam, d, e, points.size
        rows: list[list[float]] = []
        for k, own in enumerate(e):
            blocks = []
            for other in e[:k]:
                lower = points.curvature([-a * b for a, b in zip(own, other)], points.F.kind(0))
                blocks.append([[lower[max(a, b)][min(a, b)] for b in range(q)] for a in range(q)])
            # Method: W1 = 0, so that d − e² is e times the other e, which does not cancel.
            last = points.curvature([a * b for a, b in zip(own, others(e, k))], lam)
            rows += [[v for block in blocks for v in block[a]] + last[a] for a in range(q)]
        if points.intercept:
            self._held(rows, q)
        self.factor = Cholesky(points.F, rows, faint(points.F))

    @staticmethod
    def _held(rows: list[list[float]], q: int) -> None:
        # Premise: W is zero along a common shift of all classes; with (Σ b_k)² among the penalties it stays at zero.
        places = range(q - 1, len(rows), q)
        unit = max(rows[j][j] for j in places) or 1
        for j in places:
            for i in range(q - 1, j + 1, q):
                rows[j][i] += unit

    def apply(self, v: Columns) -> Columns:
        """Return the left side of the equations."""
        pulled = curved(self.d, self.e, self.points.values(v))
        total = self.points.gathered(pulled)
        return [[a + b for a, b in zip(own, self.points.ridge(t, self.lam))] for own, t in zip(total, v)]

    def solve(self, r: Columns) -> Columns:
        """Return the parameters of each class."""
        q = self.points.size
        x = self.factor.solve([v for own in r for v in own])
        return [x[k * q : (k + 1) * q] for k in range(len(r))]

    def refined(self, r: Columns) -> Columns:
        """Return the solution with one step of iterative refinement."""
        x = self.solve(r)
        return moved(x, 1, self.solve(moved(r, -1, self.apply(x))))


def others(e: Columns, k: int) -> list[Number]:
    """Return at each point the sum of e over the classes other than k."""
    return [sum(column[:k]) + sum(column[k + 1 :]) for column in zip(*e)]


def curved(d: Columns, e: Columns, f: Columns) -> Columns:
    """Return Wf at each point, computed from the differences to the class of the largest e."""
    rows = []
    for weights, roots, own in zip(zip(*d), zip(*e), zip(*f)):
        top = own[roots.index(max(roots))]
        left = [v - top for v in own]
        mean = sum(map(mul, roots, left))
        rows.append([w * v - r * mean for w, v, r in zip(weights, left, roots)])
    return [list(own) for own in zip(*rows)]


class ZeroSum:
    """The factors of the equations with W = diag(d), functions that sum to zero: a matrix for each class, one for all.

    Cost      Kq²n/2 + (3K + 1)q³/6 multiplications
    """

    # Method: M_k x_k = r_k − ζ and Σ x_k = 0 give (Σ M_k⁻¹) ζ = Σ M_k⁻¹ r_k.

    def __init__(self, points: Points, lam: Number, d: Columns) -> None:
        self.points, self.lam, self.d = points, lam, d
        F, least = points.F, faint(points.F)
        factors = [Cholesky(F, points.curvature(own, lam), least) for own in d]
        inverses = [factor.inverse() for factor in factors]
        self.factors: Sequence[Any] = factors
        self.common: Any = Cholesky(F, [[sum(entries) for entries in zip(*rows)] for rows in zip(*inverses)], least)

    def solve(self, r: Columns) -> Columns:
        """Return the parameters of each class, which sum to zero."""
        alone = [factor.solve(own) for factor, own in zip(self.factors, r)]
        zeta = self.common.solve([sum(column) for column in zip(*alone)])
        return [[a - b for a, b in zip(own, factor.solve(zeta))] for own, factor in zip(alone, self.factors)]

    def apply(self, v: Columns) -> Columns:
        """Return the left side of the equations, without what is common to all classes."""
        total = self.points.gathered([list(map(mul, *rows)) for rows in zip(self.d, self.points.values(v))])
        return [[a + b for a, b in zip(own, self.points.ridge(t, self.lam))] for own, t in zip(total, v)]

    def refined(self, r: Columns) -> Columns:
        """Return the solution with one step of iterative refinement."""
        x = self.solve(r)
        left = moved(r, -1, self.apply(x))
        common = [sum(column) / len(left) for column in zip(*left)]
        return moved(x, 1, self.solve([[a - c for a, c in zip(own, common)] for own in left]))


def inner(x: Columns, y: Columns) -> Number:
    """Return Σ_k x_kᵀy_k."""
    dot = inner_product(type(x[0][0]))
    return sum(dot(a, b) for a, b in zip(x, y))


def moved(x: Columns, t: Number, p: Columns) -> Columns:
    """Return x + tp."""
    return [[a + t * b for a, b in zip(own, step)] for own, step in zip(x, p)]


def norm(x: Columns) -> Number:
    """Return the largest absolute entry."""
    return max(max(map(abs, own)) for own in x)
