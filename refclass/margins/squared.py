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

from refclass.linear import ldl
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector, dot, lossless
from refclass.margins.soft import Machine
from refclass.number.field import Field, Number
from refclass.optimise import newton, weighted


def solve(
    F: Field, machine: Machine, points: Sequence[Vector], *, max_steps: Optional[int] = None
) -> tuple[Vector, int]:
    """Return the signed multipliers aᵢ = yᵢαᵢ of the machine, whose costs are finite, and the number of steps.

    max_steps    how many steps to take at most; without it as many as Newton's room allows

    Shapes       points: n rows of p numbers
    Cost         n(p + 1)²/2 multiplications a step, and (p + 1)³/3
    Raises       NotConverged after max_steps; NoAnswer when roundoff hides the minimum, or leaves the equations of a
                 step singular; InvalidInput for doubles whose sums are beyond their range
    """
    walk = _Walk(machine, points)
    start = Vector.of([F.kind(0)] * len(walk.columns))
    most = {} if max_steps is None else {"max_steps": max_steps}
    found = newton.solve(F, newton.Problem(walk.value, walk.gradient, walk.solution), start, **most)
    return Vector.of(walk.multipliers(found.x)), found.steps


class _Walk:
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

    def slack(self, theta: Vector) -> list[Number]:
        """Return ξᵢ = [1 − yᵢf(xᵢ)]₊ for every point."""
        if self.at[0] is not theta:
            values = weighted.total(theta, self.columns)
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
        """Return the solution of H d = g, H = diag(1, …, 1, 0) + Σ 2Cᵢ(xᵢ, 1)(xᵢ, 1)ᵀ over the points with slack."""
        within = [c and e > 0 for c, e in zip(self.costs, self.slack(theta))]
        weights = list(compress(self.costs, within))
        inner = [tuple(compress(column, within)) for column in self.columns]
        if not weights:  # Premise: without slack the intercept does not matter, and its gradient is zero
            return g
        H = [[self.zero] * len(inner) for _ in inner]
        for i, column in enumerate(inner):
            heavy = tuple(map(mul, weights, column))
            for j in range(i + 1):
                H[i][j] = H[j][i] = dot(heavy, inner[j])
            H[i][i] = H[i][i] + self.curved[i]
        return ldl.factor(Matrix.of(map(Vector.of, H))).solve(g)
