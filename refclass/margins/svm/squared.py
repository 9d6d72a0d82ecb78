"""The machine with a linear kernel and squared slack, solved where it has p + 1 variables: in (β, β₀), by Newton.

    minimise ½‖β‖² + Σ Cᵢ [1 − yᵢ(xᵢᵀβ + β₀)]₊²        [MMST-Ex11.3]

The objective is a quadratic on each region in which the same points have slack, and its gradient is continuous: once a
step ends in the region that it began in, it has reached the minimum. The multipliers are αᵢ = 2Cᵢξᵢ  [MMST-Ex11.3b].
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import compress
from operator import mul
from typing import Optional

from refclass.linear import combination
from refclass.linear.factorisations import ldl
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector, dot, lossless
from refclass.margins.svm.soft import Machine
from refclass.number.field import Field, Number
from refclass.number.tolerance import roundoff
from refclass.optimise.smooth import newton

REFINE = 3  # how often the multipliers are refined at the minimum


def solve(
    F: Field, machine: Machine, points: Sequence[Vector], *, max_steps: Optional[int] = None
) -> tuple[Vector, int]:
    """Return the signed multipliers aᵢ = yᵢαᵢ of the machine, whose costs are finite, and the number of steps.

    max_steps    how many steps to take at most; without it as many as Newton's module allows

    Shapes       points: n rows of p numbers
    Cost         n(p + 1)²/2 multiplications a step, and (p + 1)³/6; in rounded numbers at most 12np more at the end
    Raises       NotConverged after max_steps; NoAnswer when roundoff hides the minimum, or leaves the equations of a
                 step singular; InvalidInput for doubles whose sums are beyond their range
    """
    run = _Iteration(machine, points)
    start = Vector.of([F.kind(0)] * len(run.columns))
    most = {} if max_steps is None else {"max_steps": max_steps}
    found = newton.solve(F, newton.Problem(run.value, run.gradient, run.solution), start, **most)
    return Vector.of(run.multipliers(found.x) if F.exact else run.sharpened(found.x)), found.steps


class _Iteration:
    def __init__(self, machine: Machine, points: Sequence[Vector]) -> None:
        self.y, self.costs = machine.y, [2 * c for c in machine.costs if c is not None]
        self.zero, self.one = self.y.kind(0), self.y.kind(1)
        self.columns: list[Sequence[Number]] = list(zip(*points))
        self.curved = [self.one] * len(self.columns)
        if machine.intercept:
            self.columns.append((self.one,) * len(self.y))
            self.curved.append(self.zero)
        # Premise: of floats the gradient is a sum in which large terms cancel; it is summed without loss.
        self.total = lossless(self.y.kind)
        self.at: tuple[Optional[Vector], list[Number]] = (None, [])
        self.within: list[bool] = []
        self.factor: Optional[ldl.Factor] = None

    def slack(self, theta: Vector) -> list[Number]:
        """Return ξᵢ = [1 − yᵢf(xᵢ)]₊ for every point."""
        if self.at[0] is not theta:
            values = combination.total(theta, self.columns)
            self.at = theta, [max(1 - t * v, self.zero) for t, v in zip(self.y, values)]
        return self.at[1]

    def multipliers(self, theta: Vector) -> list[Number]:
        """Return aᵢ = 2Cᵢyᵢξᵢ for every point."""
        return [c * t * e for c, t, e in zip(self.costs, self.y, self.slack(theta))]

    def value(self, theta: Vector) -> Number:
        """Return the objective."""
        slack = self.slack(theta)
        return (dot(self.curved, list(map(mul, theta, theta))) + dot(self.costs, list(map(mul, slack, slack)))) / 2

    def gradient(self, theta: Vector) -> Vector:
        """Return (β, 0) − Σ aᵢ(xᵢ, 1)."""
        a = self.multipliers(theta)
        pulls = [self.total(map(mul, a, column)) for column in self.columns]
        return Vector.of([d * v - pull for d, v, pull in zip(self.curved, theta, pulls)])

    def solution(self, theta: Vector, g: Vector) -> Vector:
        """Return the solution of H d = g; g itself where no point has slack."""
        # Premise: without slack H is the identity in β, the intercept does not matter, and its gradient is zero.
        equations = self.equations(theta)
        return g if equations is None else equations.solve(g)

    def equations(self, theta: Vector) -> Optional[ldl.Factor]:
        """Return the factor of H = diag(1, …, 1, 0) + Σ 2Cᵢ(xᵢ, 1)(xᵢ, 1)ᵀ over the points with slack; None without."""
        within = [bool(c) and e > 0 for c, e in zip(self.costs, self.slack(theta))]
        if within == self.within:
            return self.factor
        weights = list(compress(self.costs, within))
        inner = [tuple(compress(column, within)) for column in self.columns]
        if not weights:
            return None
        H = [[self.zero] * len(inner) for _ in inner]
        for i, column in enumerate(inner):
            heavy = tuple(map(mul, weights, column))
            for j in range(i + 1):
                H[i][j] = H[j][i] = dot(heavy, inner[j])
            H[i][i] = H[i][i] + self.curved[i]
        self.within, self.factor = within, ldl.factor(Matrix.of(map(Vector.of, H)))
        return self.factor

    def sharpened(self, theta: Vector) -> list[Number]:
        """Return the multipliers at the minimum to their own last digits; ξ = 1 − yf has lost those of small ones.

        With eᵢ = yᵢ − f(xᵢ) − aᵢ/2Cᵢ, f of β = Σ aᵢxᵢ, what is missing from aᵢ is 2Cᵢ(eᵢ − (xᵢ, 1)ᵀd) where

            H d = Σ 2Cᵢeᵢ(xᵢ, 1) + (0, Σ aᵢ)
        """
        a, curved, equations = self.multipliers(theta), self.curved, self.equations(theta)
        if equations is None:
            return a
        enough = roundoff(self.y.kind) * max(map(abs, a))
        for _ in range(REFINE):
            pulls = [self.total(map(mul, a, column)) for column in self.columns]
            values = combination.total([p if on else v for p, on, v in zip(pulls, curved, theta)], self.columns)
            missing = [c * (t - f) - v if v else v for c, t, f, v in zip(self.costs, self.y, values, a)]
            right = [dot(missing, column) for column in self.columns]
            d = equations.solve(Vector.of([v if on else v + p for v, on, p in zip(right, curved, pulls)]))
            by = combination.total(d, self.columns)
            more = [m - c * w if v else v for v, m, c, w in zip(a, missing, self.costs, by)]
            a = [v + w if (v + w) * t > 0 else self.zero for v, w, t in zip(a, more, self.y)]
            theta = Vector.of([v if on else v + w for v, on, w in zip(theta, curved, d)])
            if max(map(abs, more)) <= enough:
                break
        return a
