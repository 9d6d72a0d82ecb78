"""The EM algorithm (Dempster, Laird and Rubin 1977) for mixtures of normal subclasses (Hastie and Tibshirani 1996).

Solves    maximise ℓ = Σₖ Σ_{i∈Iₖ} wᵢ log{Πₖ Σᵣ πₖᵣ φ(xᵢ; μₖᵣ, Σ)},    Σᵣ πₖᵣ = 1        [YANG-mda-likelihood]
Given     points with their classes, and how far each belongs to each subclass of its class at the start
Yields    mixtures of rising ℓ; the last is a stationary point up to roundoff, and no more: ℓ is not concave

The slides print "minimise"; ℓ is maximised [ERR-YANG-06]. Every step is an M-step and an E-step:

    μₖᵣ = Σ wᵢρᵢₖᵣxᵢ / Σ wᵢρᵢₖᵣ,   πₖᵣ = Σ wᵢρᵢₖᵣ / Σ_{Iₖ} wᵢ,   Σ = (1/n) ΣΣΣ wᵢρᵢₖᵣ(xᵢ − μₖᵣ)(xᵢ − μₖᵣ)ᵀ
    ρᵢₖᵣ = πₖᵣφ(xᵢ; μₖᵣ, Σ) / Σₛ πₖₛφ(xᵢ; μₖₛ, Σ)

With x measured from the mean of its class, log φ is linear in x but for a term that all subclasses share, and Σ is the
scatter within the classes less that of the subclass means: a step costs n·R·p multiplications, not n·R·p².
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import dataclass
from operator import mul, sub, truediv
from typing import Any, Optional

from refclass import certificate
from refclass.certificate import ASKED, Certificate
from refclass.errors import NoAnswer, NotConverged, NotExact
from refclass.iteration import ending
from refclass.linear.eigen import pencil
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector, dot
from refclass.number.decimals import decimal
from refclass.number.field import Field, Number, rational
from refclass.number.tolerance import THRESHOLD
from refclass.optimise.mixture.likelihood import (
    Mixture,
    Problem,
    Shares,
    factored,
    log_likelihood,
    normalised,
    scatter,
    spread,
)

LOST = 1000  # Σ is summed directly once a variance within the subclasses is so many times less than within the classes
DIGITS = 50  # of the arithmetic in which a certificate is computed, at least


@dataclass(frozen=True)
class State:
    """The iterate after an M-step and an E-step.

    step           the number of steps
    x              the mixture
    shares         ρ under the mixture
    value          ℓ of the mixture
    previous       ℓ of the mixture before, None at the start
    change         the largest change of a share in this step
    noise          what of a change roundoff alone could make
    scale          the size of the sums that make ℓ
    """

    problem: Problem
    field: Field
    step: int
    x: Mixture
    shares: Shares
    value: Number
    previous: Optional[Number]
    change: Number
    noise: Number
    scale: Number

    @property
    def objective(self) -> Number:
        """ℓ, which never falls."""
        return self.value

    @property
    def settled(self) -> bool:
        """Whether roundoff alone could make the changes of the step."""
        return bool(self.change <= self.noise)

    def check(self) -> None:
        """Assert that shares and weights sum to one, that ℓ is that of the formula, and that it has not fallen."""
        unit = THRESHOLD * self.field.eps * len(self.problem.X)
        for pi, shares in zip(self.x.weights, self.shares):
            assert abs(pi.sum() - 1) <= unit and min(pi) > 0
            assert all(abs(sum(rho) - 1) <= unit and min(rho) >= 0 for rho in zip(*shares))
        self.x.covariance.symmetric()
        assert abs(self.value - log_likelihood(self.field, self.problem, self.x)) <= unit * self.scale
        assert self.previous is None or self.value >= self.previous - unit * self.scale


@dataclass(frozen=True)
class Answer:
    """The end of an iteration: the mixture, and ℓ after each step, the start among them."""

    x: Mixture
    values: tuple[Number, ...]
    shares: Shares

    @property
    def value(self) -> Number:
        """ℓ of the mixture."""
        return self.values[-1]


Iterate = Callable[[Field, Problem, Shares], Iterator[State]]


def maximised(F: Field, problem: Problem, shares: Shares, before: Optional[Mixture] = None) -> Mixture:
    """Return the M-step: the parameters that maximise the expected likelihood under the shares  [YANG-mda-m-step].

    Of rank L the means are those of the largest likelihood among all that lie in a plane of L dimensions; Σ is then
    about them. With "old_means" Σ is about the means before: given them it is the maximum, too, and the new means are
    it for any Σ [RC-15].

    Exact     yes, without a rank
    Cost      n·R·p multiplications
    Raises    NoAnswer for a subclass without a share, naming class and subclass
    """
    masses, offsets = [], []
    for k, (group, columns) in enumerate(zip(problem.groups, shares)):
        pulled = [group.pulled(rho) for rho in columns]
        mass = Vector.of([sum(z, F.kind(0)) for z in pulled])
        for r, m in enumerate(mass):
            if not m > THRESHOLD * F.eps * group.size:
                raise NoAnswer("em", need="points in every subclass", got="none", label=k, subclass=r)
        masses.append(mass)
        offsets.append(Matrix.of([Vector.of([dot(z, c) / m for c in group.columns]) for z, m in zip(pulled, mass)]))
    sigma = _covariance(problem, shares, masses, offsets)
    if problem.rank is not None:
        offsets, sigma = _reduced(F, problem, masses, offsets, sigma)
    elif problem.variant == "old_means" and before is not None:
        moves = [a + g.centre - b for g, A, B in zip(problem.groups, offsets, before.means) for a, b in zip(A, B)]
        sigma = sigma + spread(moves, [m for mass in masses for m in mass]) / problem.n
    means = tuple(Matrix.of([v + g.centre for v in A]) for g, A in zip(problem.groups, offsets))
    return Mixture(tuple(m / g.size for g, m in zip(problem.groups, masses)), means, sigma)


def _covariance(problem: Problem, shares: Shares, masses: Sequence[Vector], offsets: Sequence[Matrix]) -> Matrix:
    # Method: the scatter about the subclass means is W less theirs about the class means. Where nearly nothing of a
    # variance is left, the difference has lost digits that the sum of squares itself still has.
    apart = spread([v for A in offsets for v in A], [m for mass in masses for m in mass])
    left = problem.within - apart
    if all(LOST * left[j][j] >= problem.within[j][j] for j in range(len(left))):
        return Matrix.of([row / problem.n for row in left])
    total = 0 * left
    for group, columns, A in zip(problem.groups, shares, offsets):
        for rho, mean in zip(columns, A):
            away = [tuple([v - m for v in column]) for column, m in zip(group.columns, mean)]
            z = group.pulled(rho)
            total = total + scatter(away, [tuple(map(mul, z, column)) for column in away])
    return Matrix.of([row / problem.n for row in total])


def _reduced(
    F: Field, problem: Problem, masses: Sequence[Vector], offsets: Sequence[Matrix], sigma: Matrix
) -> tuple[list[Matrix], Matrix]:
    # Proof: for means m + M with M of rank L the best Σ is Σ₀ + (1/n) Σ mᵣ(μᵣ − m − Mᵣ)(…)ᵀ, Σ₀ that about the free
    # means. Its determinant is |Σ₀| Π(1 + eigenvalues of what M leaves of B, in the metric Σ₀), which is least when M
    # keeps the L largest, those of B v = d Σ₀ v: M = (μ − m) V Vᵀ Σ₀.
    centres = [[v + (g.centre - problem.centre) for v in A] for g, A in zip(problem.groups, offsets)]
    flat, heavy = [v for A in centres for v in A], [m for mass in masses for m in mass]
    axes = pencil.factor(F, spread(flat, heavy) / problem.n, sigma).vectors
    V = axes.block(range(len(sigma)), range(min(problem.rank or 0, len(sigma))))
    turned, lift = V.T, sigma @ V
    kept = [[lift @ (turned @ v) for v in A] for A in centres]
    missed = [v - w for A, B in zip(centres, kept) for v, w in zip(A, B)]
    back = [Matrix.of([w - (g.centre - problem.centre) for w in B]) for g, B in zip(problem.groups, kept)]
    return back, sigma + spread(missed, heavy) / problem.n


@dataclass(frozen=True)
class _Expected:
    """The E-step: shares, ℓ, the size of the sums that make ℓ, and that of the exponents."""

    shares: Shares
    value: Number
    scale: Number
    reach: Number


def _expected(F: Field, problem: Problem, mixture: Mixture) -> _Expected:
    """Return the shares under the mixture, and ℓ  [YANG-mda-e-step]."""
    known = factored(F, mixture.covariance)
    shares, reach = [], F.kind(1)
    value = scale = F.kind(0)
    for group, pi, means in zip(problem.groups, mixture.weights, mixture.means):
        exponents = []
        for weight, mean in zip(pi, means):
            v = mean - group.centre
            a = known.solve(v)
            b = F.log(weight) - dot(a, v) / 2
            exponents.append([v + b for v in group.products(a)])
        columns, logs = normalised(F, exponents)
        shares.append(columns)
        value = value + dot(group.weights, logs)
        reach = max(reach, *(max(map(abs, e)) for e in exponents))
        scale = scale + group.size * reach
    shared = known.solve(problem.within).trace()
    p, n = len(problem.X[0]), problem.n
    logs = known.log_determinant(F) + p * F.log(2 * F.pi())
    prior = sum(g.size * F.log(v) for g, v in zip(problem.groups, problem.priors))
    return _Expected(tuple(shares), value - (shared + n * logs) / 2 + prior, scale + shared + abs(n * logs), reach)


def steps(F: Field, problem: Problem, start: Shares) -> Iterator[State]:
    """Yield the states, the first after the M-step from the start, until roundoff makes the changes.

    Cost      n·R·p multiplications and n·R exponentials for each step
    Raises    NoAnswer if Σ becomes singular, or for a subclass that has lost its points (unless it is to be dropped)
    """
    state = started(F, problem, start)
    yield state
    while not state.settled:
        state = advanced(state)
        yield state


def started(F: Field, problem: Problem, start: Shares) -> State:
    """Return the state after the M-step from the start."""
    shares = _kept(F, problem, start) if problem.drop else start
    return _state(F, problem, maximised(F, problem, shares), shares, None, 0)


def advanced(state: State) -> State:
    """Return the state after one more step."""
    F, problem = state.field, state.problem
    shares = _kept(F, problem, state.shares) if problem.drop else state.shares
    before = state.x if shares is state.shares else None
    return _state(F, problem, maximised(F, problem, shares, before), shares, state.value, state.step + 1)


def after(state: State, shares: Shares) -> State:
    """Return the state after a step from other shares than those of a state."""
    F, problem = state.field, state.problem
    return _state(F, problem, maximised(F, problem, shares), shares, state.value, state.step + 1)


def _state(
    F: Field, problem: Problem, mixture: Mixture, before: Shares, previous: Optional[Number], step: int
) -> State:
    found = _expected(F, problem, mixture)
    change = _change(before, found.shares, F.kind(0))
    noise = THRESHOLD * F.eps * found.reach * len(problem.X[0])
    return State(problem, F, step, mixture, found.shares, found.value, previous, change, noise, found.scale)


def _change(before: Shares, after: Shares, zero: Number) -> Number:
    return max((max(map(abs, map(sub, a, b)), default=zero) for A, B in zip(before, after) for a, b in zip(A, B)))


def _kept(F: Field, problem: Problem, shares: Shares) -> Shares:
    """Return the shares without subclasses that have lost their points, what these had given to the others."""
    found = []
    for group, columns in zip(problem.groups, shares):
        keep = [c for c in columns if sum(group.pulled(c)) > THRESHOLD * F.eps * group.size]
        if len(keep) < len(columns):
            totals = list(map(sum, zip(*keep)))
            keep = [tuple(map(truediv, c, totals)) for c in keep]
        found.append(tuple(keep) if len(keep) < len(columns) else columns)
    return tuple(found) if any(len(a) < len(b) for a, b in zip(found, shares)) else shares


def fit_steps(
    F: Field, problem: Problem, start: Shares, *, tol: Any = None, max_iter: int = 10000, iterate: Iterate = steps
) -> Generator[State, None, Answer]:
    """Yield the states, and return the answer once no share changes by more than tol, or than roundoff.

    Given     iterate: `steps`, or an iteration with the same fixed points
    Exact     where every class has one subclass: means and W/n, without a step; ℓ is not computed
    Raises    NoAnswer as `steps`; NotConverged with the last mixture after max_iter steps
    """
    if F.exact:
        if any(len(columns) > 1 for columns in start):
            raise NotExact("em", need="one subclass for each class in exact arithmetic", got="several")
        return Answer(maximised(F, problem, start), (), start)
    values = []
    for state in iterate(F, problem, start):
        yield state
        values.append(state.value)
        if state.settled or (tol is not None and state.change <= tol):
            return Answer(state.x, tuple(values), state.shares)
        if state.step >= max_iter:
            need, got = f"shares that settle within {max_iter} steps", f"a change of {state.change}"
            raise NotConverged("em", need=need, got=got, state=state.x, log_likelihood=state.value)
    raise AssertionError("an iteration ends in a state that has settled")


def solve(F: Field, problem: Problem, start: Shares, *, tol: Any = None, max_iter: int = 10000) -> Answer:
    """Return the answer at the end of the iteration, its steps unseen."""
    return ending(fit_steps(F, problem, start, tol=tol, max_iter=max_iter))


def certify(F: Field, problem: Problem, mixture: Mixture, asked: float = ASKED) -> Certificate:
    """Return how far one more step would move the mixture, the mixture and the points taken at their exact values.

        |πₖᵣ⁺ − πₖᵣ|,    √(dᵀΣ⁻¹d) for d = μₖᵣ⁺ − μₖᵣ,    √tr(T²) for T = Σ⁻¹(Σ⁺ − Σ)

    the latter two in units of the standard deviation, whatever the units of the variables.

    A stationary point is a fixed point of the step, and the other way round [RC-15]. Status "stationary" if the step
    moves nothing by more than 10⁻⁹, "not converged" otherwise; never "optimal": another start may lead higher.

    Exact     to 50 digits, or 20 more than those of the mixture
    """
    digits = max(DIGITS, 20 + (getattr(F.kind, "precision", None) or 0))
    D = decimal(digits)
    lifted, told = _over(D, problem), _lifted(D, mixture)
    found = _expected(D, lifted, told)
    moved = maximised(D, lifted, found.shares, told)
    worst, where = max(_moves(D, told, moved), key=lambda move: move[0])
    proven = certificate.digits(worst, 1)
    status = certificate.status(proven, asked, convex=False)
    premise = "the likelihood is not concave: other starts may lead to other points"
    where = where if worst else ""
    return Certificate(status, found.value, None, None, worst, where, {"x": None}, premise, proven)


def _over(D: Field, problem: Problem) -> Problem:
    lift = _lifter(D)
    X = Matrix.of([lift(x) for x in problem.X])
    weights, priors = lift(problem.weights), lift(problem.priors)
    return Problem(X, problem.labels, weights, priors, problem.rank, problem.variant, problem.drop)


def _lifted(D: Field, mixture: Mixture) -> Mixture:
    lift = _lifter(D)
    means = tuple(Matrix.of([lift(mu) for mu in A]) for A in mixture.means)
    return Mixture(tuple(map(lift, mixture.weights)), means, Matrix.of([lift(row) for row in mixture.covariance]))


def _lifter(D: Field) -> Any:
    return lambda x: Vector.of([D.lift(rational(v)) for v in x])


def _moves(F: Field, before: Mixture, after: Mixture) -> Iterator[tuple[Number, str]]:
    known = factored(F, before.covariance)
    for k, (a, b) in enumerate(zip(before.weights, after.weights)):
        yield max(map(abs, a - b)), f"the weights of class {k}"
    for k, (A, B) in enumerate(zip(before.means, after.means)):
        for r, d in enumerate(b - a for a, b in zip(A, B)):
            yield F.sqrt(abs(dot(d, known.solve(d)))), f"the mean of class {k}, subclass {r}"
    turned = known.solve(after.covariance - before.covariance)
    yield F.sqrt(abs((turned @ turned).trace())), "the covariance"
