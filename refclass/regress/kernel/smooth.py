"""Kernel machines with any smooth convex loss, by Newton's method.

Solves    minimise Σ wᵢ V(rᵢ) + ½λ‖f‖² over f = Σ aᵢ K(xᵢ, ·) + β₀, rᵢ = yᵢ − f(xᵢ)        [ESL-12.43] [ESL-12.44]
          or the same with a loss L(yᵢf(xᵢ)) of the margin
Given     a Gram matrix, or rows of one, a loss with two derivatives, λ > 0
Yields    functions of falling objective; the last is the minimum up to roundoff

At the minimum λaᵢ = −gᵢ and Σ gᵢ = 0 (with an intercept), g the slopes of the loss as a function of f(xᵢ). With their
curvatures W a Newton step solves

    W(Ka + β₀1 − f) + g + λa = 0,   Σ aᵢ = 0

through B = I + W^½KW^½/λ, whose eigenvalues are at least one, so that neither K nor W need be invertible.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from refclass.errors import NoAnswer
from refclass.linear.factorisations import cholesky
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector
from refclass.losses.loss import Loss, MarginLoss
from refclass.number.field import Field, Number
from refclass.number.tolerance import THRESHOLD
from refclass.optimise.smooth import newton


@dataclass(frozen=True)
class Losses:
    """Σ wᵢ V(yᵢ − fᵢ) for a loss of the residual, Σ wᵢ L(yᵢ fᵢ) for one of the margin, as a function of f.

    weights    n numbers > 0
    """

    F: Field
    loss: Loss
    y: Vector
    weights: Vector

    def _turned(self, f: Vector) -> tuple[Vector, Vector]:
        """Return what the loss is of, and its derivative in f."""
        if isinstance(self.loss, MarginLoss):
            return self.y.times(f), self.y
        return self.y - f, Vector.of([self.F.kind(-1)] * len(f))

    def value(self, f: Vector) -> Number:
        """Return the sum."""
        t, _ = self._turned(f)
        return sum((w * self.loss(self.F, v) for w, v in zip(self.weights, t)), self.F.kind(0))

    def slopes(self, f: Vector) -> Vector:
        """Return the derivatives in every fᵢ."""
        t, sign = self._turned(f)
        slope = self.loss.slope
        return Vector.of([w * s * slope(self.F, v) for w, s, v in zip(self.weights, sign, t)])

    def curvatures(self, f: Vector) -> Vector:
        """Return the second derivatives in every fᵢ."""
        t, _ = self._turned(f)
        return Vector.of([w * self.loss.curvature(self.F, v) for w, v in zip(self.weights, t)])


@dataclass(frozen=True)
class Problem:
    """A kernel machine with a smooth loss.

    K            n × n Gram matrix
    penalty      λ > 0
    intercept    whether f has an intercept
    """

    K: Matrix
    losses: Losses
    penalty: Number
    intercept: bool = True

    def values(self, x: Vector) -> Vector:
        """Return f at every point, for x = (a, β₀)  [ESL-12.44]."""
        return Vector.of([v + x[-1] for v in self.K @ Vector.of(x[:-1])])

    def objective(self, x: Vector) -> Number:
        """Return Σ loss + ½λ aᵀKa  [ESL-12.43]."""
        a = Vector.of(x[:-1])
        products = self.K @ a
        f = Vector.of([v + x[-1] for v in products])
        return self.losses.value(f) + self.penalty * (a @ products) / 2

    def gradient(self, x: Vector) -> Vector:
        """Return the derivatives in a, K(g + λa), and in β₀, Σ gᵢ, the latter zero without an intercept."""
        g = self.losses.slopes(self.values(x))
        pull = g + self.penalty * Vector.of(x[:-1])
        return Vector.of([*(self.K @ pull), g.sum() if self.intercept else 0 * x[-1]])

    def newton_step(self, x: Vector) -> Vector:
        """Return what a Newton step takes off x: (I + WK/λ) λδ + Wδ₀ = g + λa,  Σ δᵢ = Σ aᵢ.

        It is solved for the residual, not for the next point, so that its roundoff shrinks with it. Where the loss has
        no curvature at any point, nothing says how far β₀ should go: it goes by one, downhill.
        """
        F, lam, a = self.losses.F, self.penalty, Vector.of(x[:-1])
        f = self.values(x)
        g, W = self.losses.slopes(f), self.losses.curvatures(f)
        divided = Divided(F, self.K, W, lam)
        u, beta0 = divided(g + lam * a), F.kind(0)
        if self.intercept:
            ones = divided(W)
            if ones.sum() > 0:
                beta0 = (u.sum() - lam * a.sum()) / ones.sum()
                u = u - beta0 * ones
            else:
                total = g.sum()
                beta0 = F.kind((total > 0) - (total < 0))
        return Vector.of([*(u / lam), beta0])

    def violation(self, x: Vector) -> Number:
        """Return how far x is from stationary: the largest of |λaᵢ + gᵢ| and, with an intercept, |Σ gᵢ|."""
        g = self.losses.slopes(self.values(x))
        left: Number = (g + self.penalty * Vector.of(x[:-1])).largest()
        return max(left, abs(g.sum())) if self.intercept else left

    def noise(self, x: Vector) -> Number:
        """Return the roundoff that the violation may carry: that of f, and of the multipliers, times the weights."""
        F, a = self.losses.F, Vector.of(x[:-1])
        size = 1 + abs(x[-1]) + a.largest() * (self.K.largest() + self.penalty)
        return THRESHOLD * F.eps * len(a) * size * self.losses.weights.largest()

    def optimise(self) -> newton.Problem:
        """Return the problem for Newton's method, its equations solved for the gradient, as they are asked for."""
        return newton.Problem(self.objective, self.gradient, lambda x, g: self.newton_step(x))


class Divided:
    """The map v ↦ (I + WK/λ)⁻¹v = v − W^½B⁻¹W^½Kv/λ, B = I + W^½KW^½/λ.

    Cost      n³/6 multiplications to make, 2n² to apply
    """

    def __init__(self, F: Field, K: Matrix, W: Vector, lam: Number) -> None:
        self.K, self.lam = K, lam
        self.root = root = Vector.of(map(F.sqrt, W))
        rows = [Vector.of([r * v * s / lam for v, s in zip(row, root)]) for row, r in zip(K, root)]
        B = Matrix.of([Vector.of([*row[:i], row[i] + 1, *row[i + 1 :]]) for i, row in enumerate(rows)])
        self.factor = cholesky.factor(F, _symmetric(B))

    def __call__(self, v: Vector) -> Vector:
        """Return the image of v."""
        inner = self.factor.solve(self.root.times(self.K @ v) / self.lam)
        return v - self.root.times(inner)


def _symmetric(B: Matrix) -> Matrix:
    # Premise: products of three numbers taken in another order may differ in their last place.
    return Matrix.of([Vector.of([*(B[j][i] for j in range(i)), *row[i:]]) for i, row in enumerate(B)])


def fitted_by_steps(
    steps: Iterator[newton.State],
    step: Callable[[Vector], Vector],
    violation: Callable[[Vector], Number],
    noise: Callable[[Vector], Number],
) -> tuple[list[newton.State], Vector]:
    """Return the states of an iteration and its end, polished.

    Where multipliers are large roundoff may hide that the value still falls, and the iteration refuses; it has ended
    all the same if full Newton steps lead to a violation within the noise.

    Raises    NoAnswer, as the iteration, otherwise
    """
    states: list[newton.State] = []
    try:
        states.extend(steps)
    except NoAnswer:
        x = polished(states[-1].x, step, violation) if states else None
        if x is None or violation(x) > noise(x):
            raise
        return states, x
    return states, polished(states[-1].x, step, violation)


def polished(
    x: Vector, step: Callable[[Vector], Vector], violation: Callable[[Vector], Number], most: int = 20
) -> Vector:
    """Return x after the full Newton steps that halve its violation: digits that the value cannot resolve."""
    worst = violation(x)
    for _ in range(most):
        nearer = x - step(x)
        left = violation(nearer)
        if not 2 * left < worst:
            break
        x, worst = nearer, left
    return x


@dataclass(frozen=True)
class Fitted:
    """The function that the iteration ends at.

    a, beta0      its multipliers and intercept
    values        Σⱼ aⱼKᵢⱼ at every point
    objectives    the objective at every state of the iteration
    """

    a: Vector
    beta0: Number
    values: Vector
    objectives: tuple[Number, ...]


def steps(problem: Problem, **options: Any) -> Iterator[newton.State]:
    """Yield the states from f = 0; options as for `optimise.smooth.newton.steps`.

    Raises    NotConverged
    """
    F = problem.losses.F
    start = Vector.of([F.kind(0)] * (len(problem.K) + 1))
    return newton.steps(F, problem.optimise(), start, **options)


def fit(problem: Problem, **options: Any) -> Fitted:
    """Return the minimum up to roundoff  [ESL-12.44].

    Cost      n³/6 + 10n² multiplications a step
    Raises    NotConverged with the last point after max_steps, as when there is no minimum
    """
    states, x = fitted_by_steps(steps(problem, **options), problem.newton_step, problem.violation, problem.noise)
    a = Vector.of(x[:-1])
    return Fitted(a, x[-1], problem.K @ a, tuple([state.value for state in states]))
