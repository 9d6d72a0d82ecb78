"""A feasible point of a quadratic problem, or the proof that there is none.

The constraints are relaxed by variables that the objective drives to zero:

    minimise ½ρᵀρ + ½ωᵀω   subject to   E x + ρ = d,   G x − ω ≤ h,   lower ≤ x ≤ upper,   ω ≥ 0

This problem always has a feasible point and a minimum. If the minimum is 0, its x is feasible for the first one; if
not, its multipliers are a contradiction in the constraints (Farkas).
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Optional

from refclass.linear.common_denominator import Scaled, combination
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector, dot
from refclass.number.tolerance import THRESHOLD, roundoff
from refclass.optimise.quadratic.problem import Problem


@dataclass(frozen=True)
class Tail:
    """The matrix of order n with ones at the end of its diagonal, from place `first` on, and zeros elsewhere."""

    n: int
    first: int
    kind: Any

    def __len__(self) -> int:
        return self.n

    def row(self, i: int) -> Vector:
        """Return row i."""
        row = [self.kind(0)] * self.n
        row[i] = self.kind(int(i >= self.first))
        return Vector.of(row)

    def diagonal(self) -> Vector:
        """Return the diagonal."""
        return Vector.of([self.kind(int(i >= self.first)) for i in range(self.n)])


def nearest_to_zero(problem: Problem) -> Vector:
    """Return the point within the bounds that is nearest to zero."""
    return within(problem, Vector.of([problem.kind(0)] * problem.n))


def within(problem: Problem, x: Vector) -> Vector:
    """Return the point within the bounds that is nearest to x."""
    point = []
    for v, low, high in zip(x, problem.lower, problem.upper):
        if low is not None and v < low:
            v = low
        point.append(high if high is not None and v > high else v)
    return Vector.of(point)


def meets(problem: Problem, x: Vector) -> bool:
    """Return whether x meets the equalities and the inequalities; of rounded numbers, up to roundoff."""
    slack = THRESHOLD * problem.n * roundoff(problem.kind)
    total = sum(map(abs, x), problem.kind(0))
    for A, b, equal in ((problem.E, problem.d, True), (problem.G, problem.h, False)):
        for row, v in zip(A or (), b or ()):
            excess = dot(row, x) - v
            size = abs(v) + row.largest() * total
            if excess > slack * size or (equal and -excess > slack * size):
                return False
    return True


def relaxed(problem: Problem, x: Vector) -> tuple[Problem, Vector]:
    """Return the relaxed problem, and its feasible point at an x within the bounds."""
    n, kind = problem.n, problem.kind
    m, q = len(problem.E or ()), len(problem.G or ())
    zero, one = kind(0), kind(1)

    def tail(place: int, value: Any) -> list[Any]:
        return [value if k == place else zero for k in range(m + q)]

    E = Matrix([[*row, *tail(i, one)] for i, row in enumerate(problem.E)]) if problem.E else None
    G = Matrix([[*row, *tail(m + i, -one)] for i, row in enumerate(problem.G)]) if problem.G else None
    rho = [v - dot(row, x) for row, v in zip(problem.E or (), problem.d or ())]
    omega = [max(zero, dot(row, x) - v) for row, v in zip(problem.G or (), problem.h or ())]
    lower, upper = (*problem.lower, *[None] * m, *[zero] * q), (*problem.upper, *[None] * (m + q))
    Q, c = Tail(n + m + q, n, kind), Vector.of([zero] * (n + m + q))
    return Problem(Q, c, lower, upper, E, problem.d, G, problem.h), Vector.of([*x, *rho, *omega])


def contradiction(problem: Problem, nu: Optional[Vector], mu: Optional[Vector]) -> Fraction:
    """Return the amount by which multipliers ν, μ ≥ 0 contradict the constraints: there is no feasible x if positive.

        aᵀlower − bᵀupper − νᵀd − μᵀh,   a = max(g, 0), b = max(−g, 0),   g = Eᵀν + Gᵀμ

    Zero when a bound that is needed does not exist or some μ is negative.

    Exact     yes, from rounded numbers, too
    """
    # Proof: for a feasible x, 0 = (g − a + b)ᵀx ≤ νᵀd + μᵀh − aᵀlower + bᵀupper.
    n = problem.n
    g, right = Scaled.zeros(n), Fraction(0)
    for A, b, multipliers in ((problem.E, problem.d, nu), (problem.G, problem.h, mu)):
        if A is not None and b is not None and multipliers is not None:
            weights = Scaled.of(multipliers)
            if A is problem.G and min(weights.integers) < 0:
                return Fraction(0)
            g, right = g + combination(A, weights, n), right + weights @ Scaled.of(b)
    total = -right
    for i, v in enumerate(g.fractions()):
        bound = problem.lower[i] if v > 0 else problem.upper[i]
        if v and bound is None:
            return Fraction(0)
        total += v * Fraction(*bound.as_integer_ratio()) if v else 0
    return max(total, Fraction(0))
