"""The equations of an interior point method's steps, quasi-definite by regularisation, and their solution.

    | P + Θ + ρI      Aᵀ      | | dx |
    | A         −(Ω⁻¹ + δI)   | | dy |        (Vanderbei 1995; Altman and Gondzio 1999)

ρ keeps them quasi-definite where P and A leave directions open, and its effect is taken away by iterative refinement.
It is a tenth of δ; where a pivot has lost its sign it grows tenfold, up to a hundred δ.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from refclass.linear.factorisations.sparse_ldl import Factor, factor, plan
from refclass.optimise.limits import REFINEMENTS

Sparse = tuple[list[int], list[float]]


@dataclass(frozen=True)
class Doubles:
    """A programme in doubles, infinities for no bound: P and A row by row, columns beside values."""

    P: list[Sparse]
    q: list[float]
    A: list[Sparse]
    l: list[float]  # noqa: E741
    u: list[float]
    lower: list[float]
    upper: list[float]


def products(rows: Sequence[Sparse], x: Sequence[float]) -> list[float]:
    """Return the products of sparse rows and x."""
    return [sum([v * x[j] for j, v in zip(*row)]) for row in rows]


def gathered(rows: Sequence[Sparse], y: Sequence[float], n: int) -> list[float]:
    """Return Σ yᵢ rowᵢ."""
    total = [0.0] * n
    for (places, values), c in zip(rows, y):
        if c:
            for j, v in zip(places, values):
                total[j] += c * v
    return total


class Equations:
    """The equations of one programme, with the factor for the last Θ and Ω.

    delta             δ
    rho               ρ, which grows where a pivot has lost its sign
    theta, inverse    Θ, and Ω⁻¹, the curvatures that the factor is for
    """

    factored: Factor

    def __init__(self, p: Doubles, delta: float) -> None:
        P, A = self.P, self.A = p.P, p.A
        self.n, self.delta, self.rho = len(P), delta, delta / 10
        neighbours: list[set[int]] = [set() for _ in range(len(P) + len(A))]
        for i, (places, _) in enumerate(P):
            neighbours[i].update(places)
            neighbours[i].discard(i)
        for i, (places, _) in enumerate(A, self.n):
            neighbours[i].update(places)
            for j in places:
                neighbours[j].add(i)
        self.plan = plan(neighbours)
        self.below = [[(j, v) for j, v in zip(*row) if j < i] for i, row in enumerate(P)]
        self.rows = [list(zip(*row)) for row in A]
        self.diagonal = [dict(zip(*row)).get(i, 0.0) for i, row in enumerate(P)]

    def factor(self, theta: Sequence[float], inverse: Sequence[float]) -> None:
        """Compute the factor for the curvatures Θ of x, and the inverse curvatures Ω⁻¹ of the rows."""
        self.theta, self.inverse = theta, inverse
        while True:
            r = self.rho
            lower = [[*row, (i, d + t + r)] for i, (row, d, t) in enumerate(zip(self.below, self.diagonal, theta))]
            lower += [[*row, (i, -w - self.delta - r)] for i, (row, w) in enumerate(zip(self.rows, inverse), self.n)]
            self.factored = factor(self.plan, lower, self.n)
            if not self.factored.blocked or r > 50 * self.delta:
                return
            self.rho *= 10

    def solve(self, bx: Sequence[float], by: Sequence[float]) -> tuple[list[float], list[float]]:
        """Return dx, dy of the equations without ρ, refined as long as the residual falls."""
        n = self.n
        right = [*bx, *by]
        best, least = self.factored.solve(right), math.inf
        d = best
        for _ in range(REFINEMENTS):
            dx, dy = d[:n], d[n:]
            Px, pull = products(self.P, dx), gathered(self.A, dy, n)
            top = [b - a - t * v - g for b, a, t, v, g in zip(bx, Px, self.theta, dx, pull)]
            bottom = [b - a + (w + self.delta) * v for b, a, w, v in zip(by, products(self.A, dx), self.inverse, dy)]
            size = max(map(abs, top + bottom), default=0.0)
            if not size < least / 2:
                if size < least:
                    best = d
                break
            best, least = d, size
            if not size:
                break
            d = [a + b for a, b in zip(d, self.factored.solve(top + bottom))]
        return best[:n], best[n:]
