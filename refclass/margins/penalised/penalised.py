"""Loss plus penalty: what is minimised, in the forms of the texts, and the convex piecewise quadratic losses solved.

    minimise Σ wᵢ L(mᵢ) + ½λ‖f‖²,   mᵢ = yᵢ(f(xᵢ) + β₀),   f = Σ aᵢ K(xᵢ, ·)

K is the Gram matrix of whatever inner product the norm belongs to. ‖f‖² = aᵀKa, and where the penalty is on the
coefficients of f = Σ θⱼφⱼ instead, K = ΦΦᵀ, θ = Φᵀa, and ‖θ‖² = aᵀKa again: one problem for both.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import cache, partial
from typing import Any, Optional

from refclass.certificate import ASKED, Certificate
from refclass.kernels.matrices import gram
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector
from refclass.losses.conjugate_pieces import Pieces, scaled
from refclass.losses.loss import MarginLoss
from refclass.margins.magnification import refuse_denormal
from refclass.margins.penalised.objectives import objective
from refclass.margins.svm import fit as train
from refclass.margins.svm import soft
from refclass.number.binary64 import BINARY64, held
from refclass.number.field import Field, Number, rational
from refclass.number.rational import RATIONAL
from refclass.regress.kernel import certificate, fitted_machine
from refclass.regress.kernel import fit as training
from refclass.regress.kernel import machine as dual


@dataclass(frozen=True)
class Problem:
    """A decision function to be fitted.

    K            n × n Gram matrix: a Matrix, or a store that computes rows when asked
    y            n labels ±1
    weights      n numbers > 0
    loss         a loss of the margin
    penalty      λ > 0
    intercept    whether there is a β₀, which is not penalised
    positive     whether K is known to be positive semidefinite, by a theorem on its kernel
    rounded      whether K holds rounded values of its kernel, which are then taken as they are
    whole        -> the same with its numbers at their exact worth, as the user gave them; none: as they are here
    """

    K: Any
    y: Vector
    weights: Vector
    loss: MarginLoss
    penalty: Number
    intercept: bool = True
    positive: bool = True
    rounded: bool = False
    whole: Optional[Callable[[], Problem]] = field(default=None, compare=False)

    def exactly(self) -> Problem:
        """Return the problem with its numbers at their exact worth; a Gram matrix of unknown worth as held."""
        if self.whole is not None:
            return self.whole()
        y, weights = (Vector.of(map(rational, v)) for v in (self.y, self.weights))
        return replace(self, y=y, weights=weights, penalty=rational(self.penalty))

    def machine(self, F: Field) -> dual.Machine:
        """Return ½‖f‖² + Σ (wᵢ/λ) L(mᵢ): the objective over λ, of a convex piecewise quadratic loss  [ESL-12.25]."""
        costs = self.weights / self.penalty
        pieces = [scaled(self.loss.of_label(F, t), c) for c, t in zip(costs, self.y)]
        return self.with_pieces(tuple(pieces))

    def with_pieces(self, pieces: tuple[Pieces, ...]) -> dual.Machine:
        """Return the machine of the same points with those pieces."""
        return dual.Machine(self.K, self.y, pieces, self.intercept, self.positive, self.rounded)

    def objective(self, F: Field, f: Vector, square: Number) -> Number:
        """Return Σ wᵢ L(yᵢfᵢ) + ½λ·square at decision values f, intercept included  [ESL-12.25] [ESL-12.29]."""
        return objective(F, self.loss, self.y, f, square, self.penalty, self.weights)

    def over(self, F: Field) -> Problem:
        """Return the problem with its numbers lifted into F, its Gram matrix entry by entry."""
        n = len(self.y)
        K = Matrix.of([Vector.of(map(F.lift, self.K.row(i))) for i in range(n)])
        y, weights = (Vector.of(map(F.lift, v)) for v in (self.y, self.weights))
        return replace(self, K=K, y=y, weights=weights, penalty=F.lift(self.penalty))

    def table(self) -> Matrix:
        """Return the whole Gram matrix."""
        return gram.whole(self.K)


@dataclass(frozen=True)
class Fit:
    """A fitted decision function f = Σ aᵢ K(xᵢ, ·) + β₀.

    values        Σⱼ aⱼKᵢⱼ at every point, without the intercept
    interval      the least and the largest optimal intercept, None for no end; equal where it is unique
    objectives    the objective at every step of the iteration in the primal; of an iteration elsewhere, that of its end
                  alone
    steps         how many steps the solver took
    proven        what was proven of the answer while it was found, if anything
    beta          the coefficients of f, where it is linear and they are rounded from numbers longer than those of a
    """

    a: Vector
    beta0: Number
    values: Vector
    interval: tuple[Optional[Number], Optional[Number]]
    objectives: tuple[Number, ...]
    steps: int
    proven: Optional[Certificate] = None
    beta: Optional[Vector] = None

    @property
    def square(self) -> Number:
        """‖f‖²."""
        return self.a @ self.values if self.beta is None else self.beta @ self.beta

    @property
    def f(self) -> Vector:
        """The decision values at the points."""
        return Vector.of([v + self.beta0 for v in self.values])


def quadratic(F: Field, problem: Problem) -> Fit:
    """Return the optimum for a convex piecewise quadratic loss, through its dual  [ESL-12.25] [ISML-27.5] [MMST-11.68].

    Exact     yes, where F is; decimals are the exact optimum, rounded
    Raises    InvalidInput for another loss; NoAnswer if K is not positive semidefinite where Σ aᵢ = 0
    """
    solver = None if problem.loss.smooth else partial(_trained, problem)
    exact = cache(lambda: problem.exactly().machine(RATIONAL))
    with training.bounds_of(problem.penalty):
        found = training.fit(F, problem.machine(F), exact, solver=solver)
    if F.kind is float:
        refuse_denormal(lambda: exact().K, found.a, found.values, found.beta0)
    return of_machine(F, problem, found)


def of_machine(F: Field, problem: Problem, found: fitted_machine.Fitted) -> Fit:
    """Return the fit that a fitted machine of the problem's points is."""
    proof = None if found.proven is None else found.proven.times(problem.penalty)
    fit = Fit(found.a, found.beta0, found.values, found.interval, (), found.steps, proof, found.beta)
    value = (
        problem.objective(F, fit.f, fit.square)
        if proof is None
        else F.lift(rational(problem.penalty) * rational(found.objective))
    )
    return replace(fit, objectives=(held("penalised", value),))


def interval(problem: Problem, a: Vector, beta0: Number, values: Vector) -> tuple[Optional[Number], Optional[Number]]:
    """Return the intercepts that the optimality conditions of the hinge allow at a; of other losses the one at hand.

    Exact     yes
    """
    if problem.loss.smooth or not problem.intercept:
        return beta0, beta0
    machine = soft.Machine(problem.K, problem.y, tuple(problem.weights / problem.penalty))
    low, high = soft.intercept_interval(machine, a.times(problem.y), values)
    return (low, high) if low <= high else (beta0, beta0)


def _trained(problem: Problem, machine: dual.Machine) -> fitted_machine.Fitted:
    # Method: this is the support vector machine with C = 1/λ, which has solvers of its own.
    costs = tuple([BINARY64.lift(w / problem.penalty) for w in problem.weights])
    return train.solved(soft.Machine(machine.K, machine.y, costs, False, problem.intercept), machine)


def certify(F: Field, problem: Problem, fit: Fit, *, asked: float = ASKED) -> Certificate:
    """Return the proof of a fit for a convex piecewise quadratic loss, exact: so many digits, with its gap.

    Exact     yes: the problem in F, an exact field; the answer's numbers are taken as the rationals they are
    """
    proof = certificate.certify(problem.machine(F), fit.a, fit.beta0, beta=fit.beta, asked=asked)
    return proof.times(problem.penalty)


# --- the objective, form by form ---


def values(K: Matrix, alpha: Vector, beta0: Number) -> Vector:
    """Return f(x) = β₀ + Σ αᵢ K(x, xᵢ), one for each row K(x, ·)  [ESL-12.28] [ISML-27.6.1-model] [MMST-11.71].

    Exact     yes
    """
    return Vector.of([v + beta0 for v in K @ alpha])


def coefficients(F: Field, a: Vector, Phi: Matrix) -> Vector:
    """Return θ = Φᵀa: the coefficients of f = Σ θⱼφⱼ whose multipliers are a  [ISML-27.6.2-objective].

    Shapes    a: n; Phi: n × M, row i the features of point i
    Exact     yes
    """
    return Phi.T @ a
