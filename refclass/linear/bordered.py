"""Kernel systems with a free constant: the Gram matrix with a diagonal added, bordered by ones.

    | K + D   1 | | a  |   | y |
    |  1ᵀ     0 | | β₀ | = | 0 |

Ridge regression with a kernel is one such system, retargeted least squares a sequence of them. Without the constant the
border is left out.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

from refclass.errors import InvalidInput, NoAnswer
from refclass.linear import conjugate_gradients
from refclass.linear.exact import fraction_free
from refclass.linear.factorisations import cholesky
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector
from refclass.number.field import Field, Number
from refclass.number.tolerance import roundoff, units


@dataclass(frozen=True)
class Equations:
    """A system that is factored when its factor is asked for.

    matrix      A = K + D
    border      whether there is a constant
    positive    whether A is known to be positive definite
    """

    F: Field
    matrix: Matrix
    border: bool
    positive: bool

    @cached_property
    def factor(self) -> Factor:
        """The factored system.  Raises as `factor`."""
        F, A = self.F, self.matrix
        known: Any = fraction_free.factor(A) if F.exact else cholesky.factor(F, A)
        # Premise: Cholesky's factor has refused what is singular; the exact one does when it is asked for a solution.
        asked = self.border or F.exact
        ones = known.solve(Vector.of([F.kind(1)] * len(A))) if asked else Vector.of([F.kind(0)] * len(A))
        if self.border and not ones.sum():
            raise NoAnswer("bordered", need="a system that is not singular", got="a singular one", null=ones)
        return Factor(A, known, ones, self.border)

    def solution(self, y: Vector) -> tuple[Vector, Number]:
        """Return a and β₀, their residual roundoff, by conjugate gradients where these take less time than a factor."""
        if self.positive and conjugate_gradients.worthwhile(self.matrix):
            found = conjugate_gradients.solve(self.matrix, y, self.border)
            if found is not None:
                return found
        return self.factor.solve(y) if self.F.exact else self.factor.refined(y)


@dataclass(frozen=True)
class Factor:
    """A factored system.

    matrix    A = K + D
    known     the factor of A
    ones      A⁻¹1; of doubles zeros where there is no constant
    border    whether there is a constant
    """

    matrix: Matrix
    known: Any
    ones: Vector
    border: bool

    def solve(self, y: Vector) -> tuple[Vector, Number]:
        """Return a and β₀: A a + β₀1 = y and 1ᵀa = 0; without the border β₀ = 0.

            β₀ = 1ᵀA⁻¹y / 1ᵀA⁻¹1        a = A⁻¹y − β₀ A⁻¹1

        Cost    a solution with the factor of A; with a constant n multiplications and a division more
        """
        free = self.known.solve(y)
        if not self.border:
            return free, y.kind(0)
        beta0 = free.sum() / self.ones.sum()
        return free - beta0 * self.ones, beta0

    def refined(self, y: Vector) -> tuple[Vector, Number]:
        """Return the solution, corrected once by that of what it leaves over.  Exact where the numbers are."""
        a, beta0 = self.solve(y)
        left = Vector.of([t - v - beta0 for t, v in zip(y, self.matrix @ a)])
        correction, more = self.solve(left)
        return a + correction, beta0 + more

    def diagonal(self) -> Vector:
        """Return the diagonal of the map from y to a.

        Cost    n solutions with the factor of A
        """
        n, kind = len(self.ones), self.ones.kind
        inverse = self.known.solve(Matrix.identity(n, kind)).diagonal()
        if not self.border:
            return inverse  # type: ignore[no-any-return]
        total = self.ones.sum()
        return Vector.of([v - w * w / total for v, w in zip(inverse, self.ones)])


def factor(F: Field, K: Matrix, D: Vector, *, border: bool) -> Factor:
    """Return the factored system of K + diag(D).

    Shapes    K: n × n, symmetric; D: n
    Exact     yes, where F is: elimination in integers; elsewhere Cholesky's factor
    Raises    InvalidInput if shapes differ; NoAnswer with a null vector or a direction of negative curvature unless
              K + D is positive definite (in exact arithmetic: if the system is singular)
    """
    return equations(F, K, D, border=border).factor


def equations(F: Field, K: Matrix, D: Vector, *, border: bool, positive: bool = False) -> Equations:
    """Return the system of K + diag(D), not factored yet.  Raises InvalidInput if shapes differ."""
    if len(D) != len(K):
        raise InvalidInput("bordered", need=f"{len(K)} numbers on the diagonal", got=len(D))
    rows = [Vector.of([*row[:i], row[i] + d, *row[i + 1 :]]) for i, (row, d) in enumerate(zip(K, D))]
    return Equations(F, Matrix.of(rows), border, positive)


def certify(factor: Factor, y: Vector, a: Vector, beta0: Number) -> dict[str, Any]:
    """Return the claims of a solution with their ratios: the rows of the system, and the sum of the multipliers.

    a is the difference of A⁻¹y and β₀A⁻¹1, and rounded as they are, however small it is itself.
    """
    n, A, eps = len(y), factor.matrix, roundoff(y.kind)
    size = a.largest() + abs(beta0) * factor.ones.largest()
    left = [t - v - beta0 for t, v in zip(y, A @ a)]
    scale = n * A.largest() * size + y.largest() + abs(beta0)
    claims = {"A a = y − β₀1": units(max(map(abs, left)), n * eps * scale)}
    if factor.border:
        claims["1ᵀa = 0"] = units(a.sum(), n * n * eps * size)
    return claims
