"""Mixture discriminants: each class a mixture of normal subclasses, one covariance for all.

f(x | k) = Σᵣ πₖᵣ φ(x; μₖᵣ, Σ)        class of x = argmaxₖ Πₖ f(x | k)
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from random import Random
from typing import Any, Optional

from refclass.discriminants.decision import decide, exponential_sums
from refclass.discriminants.decision.decide import Deciding, Decision
from refclass.discriminants.gaussian import lda, variates
from refclass.errors import InvalidInput, NoAnswer, NotExact
from refclass.iteration import ending, mapped
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector, dot
from refclass.number.field import Field, Number
from refclass.number.rational import RATIONAL
from refclass.number.text import show
from refclass.number.tolerance import roundoff
from refclass.optimise.mixture import em, kmeans
from refclass.optimise.mixture.likelihood import Mixture, Problem, Shares, dependent, hard, normalised
from refclass.sample import covariance, gaussian, metric
from refclass.sample.mean import Origin
from refclass.sample.mean import shares as class_shares
from refclass.sample.moments import moments
from refclass.sample.observations import Sample

NOISE = 10**9  # one over the share of one for each observation that roundoff may take off the likelihood
APART = 10**6  # one over the share of the difference of two scores that roundoff may take
HELD = 100  # one over the roundoff, in standard deviations, up to which a mean in doubles has two digits


@dataclass(frozen=True)
class Model(Deciding):
    """The rule of K mixtures with one covariance  [YANG-mda-density] [YANG-mda-posterior].

    Subclass r of class k is a class of its own with the prior Πₖπₖᵣ; the posterior of a class is the sum over its
    subclasses, and |Σ| cancels.

    priors        Π, K numbers
    mixture       π, μ and Σ
    components    the linear rule of all subclasses, class after class
    owners        for each of them its class
    """

    F: Field
    priors: Vector
    mixture: Mixture
    components: lda.Model
    owners: tuple[int, ...]

    def scores(self, x: Vector) -> Vector:
        """Return log Πₖ f(x | k), up to a common shift."""
        return Vector.of(self._columns([x])[0])

    def _columns(self, rows: Sequence[Vector]) -> list[tuple[Number, ...]]:
        """Return the scores of each row."""
        parts: list[list[list[Number]]] = [[] for _ in self.priors]
        if self.components.origin is not None:
            each = list(zip(*map(self.components.scores, rows)))
            for k, column in zip(self.owners, each):
                parts[k].append(list(column))
            return list(zip(*(normalised(self.F, part)[1] for part in parts)))
        offsets = self.components.constants + self.components.weighing.offsets()
        for k, d, c in zip(self.owners, self.components.directions, offsets):
            parts[k].append([d @ x + c for x in rows])
        return list(zip(*(normalised(self.F, part)[1] for part in parts)))

    def posterior(self, x: Vector) -> Vector:
        """Return the posterior of each class  [YANG-mda-posterior].

        Pr(k | x) = Πₖ Σᵣ πₖᵣφ(x; μₖᵣ, Σ) / Σₗ Πₗ Σᵣ πₗᵣφ(x; μₗᵣ, Σ)
        """
        return self._gathered(self.components.posterior(x))

    def subclass_posterior(self, x: Vector) -> Vector:
        """Return the posterior of each subclass, class after class."""
        return self.components.posterior(x)

    def _gathered(self, parts: Vector) -> Vector:
        zero = parts.kind(0)
        return Vector.of(
            [sum((v for v, g in zip(parts, self.owners) if g == k), zero) for k in range(len(self.priors))]
        )

    def density(self, F: Field, x: Vector, k: int) -> Number:
        """Return f(x | k)  [YANG-mda-density]."""
        known = self.components.metric
        pairs = zip(self.mixture.weights[k], self.mixture.means[k])
        return sum((pi * gaussian.density(F, x, mu, known) for pi, mu in pairs), F.kind(0))

    def decide(self, x: Vector) -> Decision:
        """Return the decision at x.

        Exact     yes: sums of exponentials of rational numbers are compared beyond doubt
        """
        if not self.F.exact:
            return decide.largest(self.scores(x))
        terms = self._terms(x)

        def compared(k: int, rival: int) -> int:
            return exponential_sums.sign([*terms[k], *((-a, r, s) for a, r, s in terms[rival])])

        return decide.best(len(terms), compared)

    def _terms(self, x: Vector) -> list[list[tuple[Number, Number, Number]]]:
        terms: list[list[tuple[Number, Number, Number]]] = [[] for _ in self.priors]
        for k, pi, r in zip(self.owners, self.components.priors, self.components.exponents(x)):
            terms[k].append((pi, r, pi / pi))
        return terms

    def classify(self, rows: Sequence[Vector]) -> list[int]:
        """Return the class number of each row, ties to the first class."""
        if self.F.exact:
            return [self.decide(x).classes[0] for x in rows]
        return [decide.largest(scores).classes[0] for scores in self._columns(rows)]

    def far(self, rows: Sequence[Vector]) -> list[int]:
        """Return the numbers of the rows where roundoff leaves the two largest scores fewer than six digits apart.

        Method: roundoff moves a score by about the sum of the sizes of its terms times eps times the condition of Σ.
        """
        known, unit = self.components, 4 * self.components.metric.condition * self.F.eps
        if not self.F.eps:
            return []
        steepest = [max(map(abs, column)) for column in known.directions.T]
        least, found = max(map(abs, known.constants + known.weighing.offsets())), []
        for i, x in enumerate(rows):
            z = x if known.origin is None else known.origin.away(x)
            moved = unit * (dot(steepest, list(map(abs, z))) + least)
            if moved * NOISE > 1:
                *_, second, first = sorted(self.scores(x))
                if moved * APART > first - second:
                    found.append(i)
        return found

    def lifted(self, D: Field) -> Model:
        """Return the rule of the same mixture, its numbers taken at their exact values, over another field."""
        weights = tuple(Vector.of(map(D.lift, pi)) for pi in self.mixture.weights)
        means = tuple(Matrix.of([Vector.of(map(D.lift, mu)) for mu in A]) for A in self.mixture.means)
        sigma = Matrix.of([Vector.of(map(D.lift, row)) for row in self.mixture.covariance])
        return rule(D, Vector.of(map(D.lift, self.priors)), Mixture(weights, means, sigma))

    def held(self) -> None:
        """Raises NotExact where roundoff is a hundredth of the standard deviation about a mean, or of Σ.

        Weights that differ by 10³⁰ and more make a standard deviation so small, beside means that are points.
        """
        mixture, unit = self.mixture, HELD * roundoff(self.mixture.covariance.kind) / 2
        if unit * self.components.metric.condition > 1:
            raise NotExact("mda", need="a covariance that is held beside its roundoff", got="a nearly singular one")
        for j, variance in enumerate(mixture.covariance.diagonal()):
            size = max(abs(mean[j]) for A in mixture.means for mean in A)
            if variance < (unit * size) ** 2:
                need = "subclasses that vary by more than the roundoff of their means"
                raise NotExact("mda", need=need, got=f"a variance of {show(variance)} beside {show(size)}", column=j)


def rule(F: Field, priors: Vector, mixture: Mixture, origin: Optional[Origin] = None) -> Model:
    """Return the rule of known mixtures  [YANG-mda-posterior].

    origin    the point that the means of the mixture are measured from, and others are to be; None for zero

    Exact     yes, where F is: decisions are
    Raises    NoAnswer with a null vector if Σ is singular
    """
    owners = tuple(k for k, pi in enumerate(mixture.weights) for _ in pi)
    joint = [priors[k] * v for k, pi in enumerate(mixture.weights) for v in pi]
    shared = _metric(F, mixture.covariance, "subclasses")
    if origin is not None:
        mixture = replace(mixture, means=tuple(Matrix.of([mu + origin.centre for mu in A]) for A in mixture.means))
    means = Matrix.of([mu for A in mixture.means for mu in A])
    # Method: what is predicted follows from the means as they are delivered, whose differences are exact.
    away = None if origin is None else Matrix.of([mu - origin.centre for mu in means])
    return Model(F, priors, mixture, lda.rule(F, Vector.of(joint), means, shared, None, away, origin), owners)


def _metric(F: Field, sigma: Matrix, parts: str) -> metric.Metric:
    """Return the metric of the covariance within the parts, named in a refusal.

    Raises    NoAnswer with a null vector, naming its columns, if Σ is singular
    """
    try:
        return metric.factor(F, sigma)
    except NoAnswer as refusal:
        null: Optional[Vector] = refusal.witness.get("null_vector")
        if null is None:
            raise
        need = f"columns that vary within the {parts}, independently of each other"
        raise NoAnswer("mda", need=need, got=dependent(F, sigma, null), **refusal.witness) from None


def problem(
    sample: Sample,
    *,
    priors: Optional[Vector] = None,
    rank: Optional[int] = None,
    variant: str = "exact",
    drop: bool = False,
) -> Problem:
    """Return the problem of the largest joint likelihood  [YANG-mda-likelihood].

    Π̂ₖ = nₖ/n is the maximum in Π, whatever the other parameters; priors given are kept.
    """
    pi = class_shares(sample) if priors is None else priors
    return Problem(sample.X, sample.labels, sample.weights, pi, rank, variant, drop)


def require_variance(F: Field, sample: Sample, near: Sample) -> None:
    """Raise NoAnswer with a null vector where the points do not vary within the classes in every direction.

    Given     near: the sample, measured from an origin where it lies far from zero
    Raises    NotExact where they do in fractions, but roundoff hides it: a covariance in doubles cannot hold it
    """
    try:
        metric.factor(F, covariance.pooled(near, "n"))
    except NoAnswer:
        try:
            _metric(RATIONAL, moments(sample).within, "classes")
        except NoAnswer as refusal:
            v = Vector.of(map(F.lift, refusal.witness["null_vector"]))
            raise NoAnswer("mda", need=refusal.need, got=refusal.got, null_vector=v) from None
        need = "a covariance that is held beside its roundoff"
        raise NotExact("mda", need=need, got="a nearly singular one") from None


def clustered(F: Field, sample: Sample, sizes: Sequence[int], rng: Random) -> Shares:
    """Return a start: each class's points grouped around prototypes, as many as it has subclasses.

    Distances are those of the metric of the covariance within the classes, so that units do not matter.

    Raises    InvalidInput if a class has fewer distinct points than subclasses
    """
    subclasses = [0] * sample.n
    if max(sizes) > 1:
        white = _metric(F, covariance.pooled(sample, "n"), "classes").white(F)
    for k, size in enumerate(sizes):
        if size > 1:
            places = sample.members(k)
            points = kmeans.Problem(Matrix.of([white @ sample.X[i] for i in places]), sample.weights.pick(places))
            try:
                found = kmeans.solve(points, kmeans.seeds(points, size, rng))
            except InvalidInput as refusal:
                raise InvalidInput("mda", need=refusal.need, got=refusal.got, label=sample.classes[k]) from None
            for i, g in zip(places, found.groups):
                subclasses[i] = g
    return hard(problem(sample), subclasses, sizes)


@dataclass(frozen=True)
class Fit:
    """A fitted model with the iteration that led to it.

    model      the rule
    answer     the end of the iteration from the best start
    values     ℓ at the end of the iteration from each start; None for a start that was refused, and in an exact field
    """

    model: Model
    answer: em.Answer
    values: tuple[Optional[Number], ...]


def fit_steps(
    F: Field,
    asked: Problem,
    starts: Sequence[Shares],
    *,
    tol: Any = None,
    max_iter: int = 10000,
    iterate: em.Iterate = em.steps,
    origin: Optional[Origin] = None,
) -> Generator[tuple[int, em.State], None, Fit]:
    """Yield the number of each start with the states of its iteration, and return the fit  [YANG-mda-likelihood].

    Given     iterate: `em.steps`, or an iteration with the same fixed points; origin: what the points are measured from

    Of several starts the one of largest ℓ counts, the first among equals; a start that is refused is passed over,
    unless all are.

    Raises    NoAnswer if Σ becomes singular, or a subclass loses its points, from every start; NotConverged
    """
    best: Optional[em.Answer] = None
    values: list[Optional[Number]] = []
    refusals: list[NoAnswer] = []
    for number, start in enumerate(starts):
        try:
            states = em.fit_steps(F, asked, start, tol=tol, max_iter=max_iter, iterate=iterate)
            answer = yield from mapped(states, partial(_numbered, number))
        except NoAnswer as refusal:
            refusals.append(refusal)
            values.append(None)
            continue
        values.append(answer.values[-1] if answer.values else None)
        if best is None or (best.values and answer.values[-1] > best.values[-1]):
            best = answer
    if best is None:
        raise refusals[0]
    return Fit(rule(F, asked.priors, best.x, origin), best, tuple(values))


def _numbered(number: int, state: em.State) -> tuple[int, em.State]:
    return number, state


def fit(F: Field, asked: Problem, starts: Sequence[Shares], *, tol: Any = None, max_iter: int = 10000) -> Fit:
    """Return the fit at the end of the iteration, its steps unseen.

    Exact     with one subclass for each class: linear discriminants with the covariance W/n [RC-8]
    """
    return ending(fit_steps(F, asked, starts, tol=tol, max_iter=max_iter))


def coordinates(F: Field, model: Model, count: Optional[int] = None) -> variates.Variates:
    """Return the canonical variates of the subclass means, each counted as its share: the coordinates of the mixture.

    B = Σₖᵣ Πₖπₖᵣ (μₖᵣ − m)(μₖᵣ − m)ᵀ in the metric of Σ; of a fit of rank L there are L.
    """
    subclasses = model.components
    away, origin = subclasses.away, subclasses.origin
    known = None if origin is None else away
    found = variates.weighted(F, subclasses.means, subclasses.metric, subclasses.priors, known, origin)
    return found if count is None else found.leading(min(count, len(found.eigenvalues)))


def unsure(F: Field, sample: Sample, model: Model, most: Number) -> bool:
    """Return whether roundoff of the exponents may be 10⁻⁹ of the likelihood, or Σ has a condition above the most."""
    reach = max(max(map(abs, model.components.exponents(x))) for x in sample.X)
    return bool(model.components.metric.condition > most or F.eps * reach * NOISE > 1)
