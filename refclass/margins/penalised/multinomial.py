"""Kernel logistic regression for many classes: the multinomial loss with a quadratic penalty  [ESL-12.3.8-multinomial].

Solves    minimise −Σ wᵢ log p_{gᵢ}(xᵢ) + ½λ Σ_k ‖h_k‖²,   p_k = e^{f_k}/Σ_l e^{f_l},   f_k = h_k + β_k
Given     a Gram matrix, or rows of one, the classes, λ > 0
Yields    functions of falling objective; the last is the minimum up to roundoff

Only differences of the f_k matter to the loss, and the penalty makes Σ_k h_k = 0 at the minimum; of the intercepts,
which are not penalised, those with Σ_k β_k = 0 are taken. For two classes f₁ = −f₂ is half of the log-odds that kernel
logistic regression finds with the penalty λ/2 [RC-11].
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import reduce
from operator import add
from typing import Any, Optional

from refclass.kernels.matrices.gram import whole
from refclass.kernels.matrices.product import linear_points
from refclass.linear.factorisations import cholesky, elimination
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector, dot
from refclass.margins.penalised import multinomial_newton
from refclass.number.field import Field, Number
from refclass.number.tolerance import THRESHOLD
from refclass.optimise.smooth import newton
from refclass.regress.kernel.smooth import fitted_by_steps

Blocks = list[Vector]  # one vector of n numbers for each class


def probabilities(F: Field, f: Sequence[Number]) -> Vector:
    """Return p_k = e^{f_k}/Σ_l e^{f_l}  [ESL-12.3.8-multinomial]."""
    top = max(f)
    powers = [F.exp(v - top) for v in f]
    return Vector.of([v / sum(powers) for v in powers])


def log_loss(F: Field, f: Sequence[Number], k: int) -> Number:
    """Return −log p_k."""
    # Method: with the largest exponent taken out the sum is 1 + rest, whose logarithm keeps the digits of a small rest.
    top = max(f)
    place = list(f).index(top)
    rest = sum((F.exp(v - top) for j, v in enumerate(f) if j != place), F.kind(0))
    one = 1 + rest
    small = rest if one == 1 else F.log(one) * rest / (one - 1)
    return top - f[k] + small


@dataclass(frozen=True)
class Problem:
    """A decision function for each class, to be fitted.

    K          n × n Gram matrix
    labels     n class numbers 0 … classes − 1
    weights    n numbers > 0
    penalty    λ > 0
    points     the points of a linear kernel, None for another
    """

    F: Field
    K: Matrix
    labels: tuple[int, ...]
    classes: int
    weights: Vector
    penalty: Number
    intercept: bool = True
    points: Any = None

    def blocks(self, x: Vector) -> tuple[Blocks, Vector]:
        """Return the multipliers of each class, and the intercepts."""
        n = len(self.labels)
        return [Vector.of(x[k * n : (k + 1) * n]) for k in range(self.classes)], Vector.of(x[self.classes * n :])

    def values(self, x: Vector) -> Blocks:
        """Return f_k at every point, class by class."""
        a, b = self.blocks(x)
        return [Vector.of([v + beta for v in self.K @ own]) for own, beta in zip(a, b)]

    def objective(self, x: Vector) -> Number:
        """Return −Σ wᵢ log p + ½λ Σ_k a_kᵀKa_k."""
        a, b = self.blocks(x)
        products = [self.K @ own for own in a]
        f = [Vector.of([v + beta for v in p]) for p, beta in zip(products, b)]
        lost = [w * log_loss(self.F, row, g) for w, row, g in zip(self.weights, zip(*f), self.labels)]
        return sum(lost, self.F.kind(0)) + self.penalty * sum(own @ p for own, p in zip(a, products)) / 2

    def slopes(self, f: Blocks) -> tuple[Blocks, Blocks]:
        """Return the probabilities, and the derivatives wᵢ(p_k − 1{gᵢ = k}), class by class."""
        p = [Vector.of(column) for column in zip(*[probabilities(self.F, row) for row in zip(*f)])]
        slopes = [
            Vector.of([w * (v - int(g == k)) for w, v, g in zip(self.weights, own, self.labels)])
            for k, own in enumerate(p)
        ]
        return p, slopes

    def gradient(self, x: Vector) -> Vector:
        """Return the derivatives in the multipliers and in the intercepts, the latter zero without intercepts."""
        a, _ = self.blocks(x)
        _, g = self.slopes(self.values(x))
        pulls = [self.K @ (own + self.penalty * c) for own, c in zip(g, a)]
        sums = [own.sum() if self.intercept else own.kind(0) for own in g]
        return Vector.of([*(v for pull in pulls for v in pull), *sums])

    def newton_step(self, x: Vector) -> Vector:
        """Return what a Newton step takes off x, solved for the residual so that roundoff shrinks with it.

        With W the second derivatives of the loss: (I + WK/λ) λδ + Wε = g + λa, and Σᵢ δ_ik = Σᵢ a_ik for every k.
        """
        f, (a, _) = self.values(x), self.blocks(x)
        p, g = self.slopes(f)
        solve = Divided(self, p)
        u = solve([s + self.penalty * v for s, v in zip(g, a)])
        b = Vector.of([self.F.kind(0)] * self.classes)
        if self.intercept:
            n, (zero, one) = len(self.labels), (self.F.kind(0), self.F.kind(1))
            units = [
                [Vector.of([one if k == j else zero] * n) for k in range(self.classes)] for j in range(self.classes)
            ]
            images = [solve(self.curved(p, unit)) for unit in units]
            sums = Matrix.of([Vector.of([image[k].sum() + 1 for image in images]) for k in range(self.classes)])
            b = elimination.solve(sums, Vector.of([own.sum() - self.penalty * c.sum() for own, c in zip(u, a)]))
            for beta, image in zip(b, images):
                u = [own - beta * v for own, v in zip(u, image)]
        return Vector.of([*(v / self.penalty for own in u for v in own), *b])

    def curved(self, p: Blocks, v: Blocks) -> Blocks:
        """Return W v: (Wv)_k = w p_k (v_k − Σ_l p_l v_l) at every point."""
        mean = reduce(add, [own.times(c) for own, c in zip(p, v)])
        return [self.weights.times(own).times(c - mean) for own, c in zip(p, v)]

    def violation(self, x: Vector) -> Number:
        """Return how far x is from stationary: the largest of |λα_ik + g_ik| and, with intercepts, |Σᵢ g_ik|."""
        a, _ = self.blocks(x)
        _, g = self.slopes(self.values(x))
        left = [(own + self.penalty * c).largest() for own, c in zip(g, a)]
        return max(left + [abs(own.sum()) for own in g] if self.intercept else left)

    def noise(self, x: Vector) -> Number:
        """Return the roundoff that the violation may carry: that of f, and of the multipliers, times the weights."""
        size = 1 + x.largest() * (1 + self.K.largest() + self.penalty)
        return THRESHOLD * self.F.eps * len(self.labels) * size * self.weights.largest()

    def optimise(self) -> newton.Problem:
        """Return the problem for Newton's method, its equations solved for the gradient, as they are asked for."""
        return newton.Problem(self.objective, self.gradient, lambda x, g: self.newton_step(x))


def problem(
    F: Field, K: Any, labels: tuple[int, ...], classes: int, weights: Vector, penalty: Number, intercept: bool = True
) -> Problem:
    """Return the problem with a store of rows as its Gram matrix; the points are kept where the kernel is linear."""
    return Problem(F, whole(K), labels, classes, weights, penalty, intercept, linear_points(K))


class Divided:
    """The map v ↦ (I + WA)⁻¹v = v − SAv with A = K/λ and S = (A + W⁻¹)⁻¹, W singular.

        S = E − E R (Σ_k E_k)⁻¹ Rᵀ E        E_k = D_k^½ (I + D_k^½AD_k^½)⁻¹ D_k^½,  D_k = diag(w p_k)

    R stacks an identity for each class.

    Cost      n³/2 multiplications for each class, and n³/6, to make
    """

    # Proof: W = D − DR(RᵀDR)⁻¹RᵀD, the limit for t → 0 of the inverse of D⁻¹ + R(t)⁻¹Rᵀ; by the matrix inversion lemma
    # the inverse of A + W⁻¹ is E − ER(t + RᵀER)⁻¹RᵀE, E the inverse of A + D⁻¹.

    def __init__(self, problem: Problem, p: Blocks) -> None:
        self.K, self.lam, F = problem.K, problem.penalty, problem.F
        self.E = [_middle(F, problem, own) for own in p]
        self.factor = cholesky.factor(F, reduce(add, self.E))

    def __call__(self, v: Blocks) -> Blocks:
        """Return the image of v."""
        inner = [E @ (self.K @ own / self.lam) for E, own in zip(self.E, v)]
        common = self.factor.solve(reduce(add, inner))
        return [own - e + E @ common for own, e, E in zip(v, inner, self.E)]


def _middle(F: Field, problem: Problem, p: Vector) -> Matrix:
    """Return E_k = ZᵀZ with Z = L⁻¹D_k^½, L Cholesky's factor of I + D_k^½AD_k^½."""
    root = Vector.of([F.sqrt(w * v) for w, v in zip(problem.weights, p)])
    n, lam = len(root), problem.penalty
    B = [[root[i] * row[j] * root[j] / lam for j in range(i + 1)] for i, row in enumerate(problem.K)]
    full = Matrix.of([Vector.of([B[max(i, j)][min(i, j)] + int(i == j) for j in range(n)]) for i in range(n)])
    L = cholesky.factor(F, full).rows
    columns: list[list[Number]] = []  # of Z, from the diagonal on
    for j, r in enumerate(root):
        z = [r / L[j][-1]]
        for row in L[j + 1 :]:
            z.append(-dot(row[j:-1], z) / row[-1])
        columns.append(z)
    E = [[dot(z[i - j :], columns[i]) for j, z in enumerate(columns[: i + 1])] for i in range(n)]
    return Matrix.of([Vector.of([E[max(i, j)][min(i, j)] for j in range(n)]) for i in range(n)])


@dataclass(frozen=True)
class Fit:
    """The functions that the iteration ends at.

    alpha         K vectors of n multipliers; at every point they sum to zero
    beta0         K intercepts, which sum to zero
    objectives    the objective at every state of the iteration
    ceiling       the digits that the optimum has once it is rounded, where that is computed
    beta          of a linear kernel the coefficients of each class, where they are computed
    """

    alpha: tuple[Vector, ...]
    beta0: Vector
    objectives: tuple[Number, ...]
    ceiling: Optional[float] = None
    beta: Optional[tuple[Vector, ...]] = None


def steps(problem: Problem, start: Optional[Fit] = None, **options: Any) -> Iterator[newton.State]:
    """Yield the states from f = 0, or another start; options as for `optimise.smooth.newton.steps`.

    Raises    NotConverged
    """
    F, size = problem.F, problem.classes * (len(problem.labels) + 1)
    given = [F.kind(0)] * size if start is None else [F.lift(v) for own in (*start.alpha, start.beta0) for v in own]
    return newton.steps(F, problem.optimise(), Vector.of(given), **options)


def fit(problem: Problem, **options: Any) -> Fit:
    """Return the minimum up to roundoff  [ESL-12.3.8-multinomial].

    In doubles by `multinomial_newton`, from f = 0.

    Cost      Kn³/2 + n³/6 multiplications a step; in doubles that of `newton_equations.Coupled` for p features, or Kn²
              for each of the conjugate gradients' iterations
    Raises    NotExact in exact arithmetic; NotConverged with the last point after too many steps
    """
    if problem.F.kind is float:
        alpha, beta0, objectives = multinomial_newton.fit(problem, *options.values())
        return Fit(tuple(alpha), beta0, objectives)
    states, x = fitted_by_steps(steps(problem, **options), problem.newton_step, problem.violation, problem.noise)
    a, b = problem.blocks(x)
    return Fit(tuple([Vector.of(map(_held, own)) for own in a]), b, tuple([state.value for state in states]))


def _held(v: Number) -> Number:
    """Return a multiplier, 0 for one below 10⁻¹⁰⁰⁰: probabilities can be too small to write as fractions."""
    return v if abs(v) * 10**1000 > 1 else v * 0
