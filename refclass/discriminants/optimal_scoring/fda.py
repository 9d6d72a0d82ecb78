"""Flexible discriminants: optimal scoring with any regression in place of the linear one.

minimise (1/n) Σₗ [Σᵢ (θₗ(g(i)) − ηₗ(xᵢ))² + λ J(ηₗ)]        class of x = the nearest class mean of η, weighted
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Callable, Optional

from refclass.discriminants.decision import decide
from refclass.discriminants.decision import log_posteriors as weighing
from refclass.discriminants.decision.log_posteriors import Exponential, Weighing, softmax
from refclass.discriminants.optimal_scoring import scoring
from refclass.discriminants.optimal_scoring.class_moments import (
    class_means,
    crossed,
    held,
    keeps_constants,
    total,
    without_trivial,
)
from refclass.discriminants.optimal_scoring.scoring import Scores
from refclass.errors import InvalidInput, NoAnswer
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector, dot
from refclass.number.field import Field, Number
from refclass.number.tolerance import THRESHOLD
from refclass.sample import metric
from refclass.sample.indicator import indicator
from refclass.sample.mean import mixture, shares
from refclass.sample.observations import Sample

# What fits responses Y, n × q, to points X, n × p: a model of layer 4, with `fitted` and `predict(X)`.
Regression = Callable[[Field, Matrix, Matrix, Optional[Vector]], Any]


@dataclass(frozen=True)
class Model(Exponential):
    """Flexible discriminants.

    priors        K
    regression    the fit of the indicator matrix: η*, a function with K values
    optimal       Θ and μ; None in an exact field, where the roots that they need are not at hand
    axes          A, one row a for each coordinate a·η*(x): the columns of Θ, or rational ones that weigh the same
    weights       what the square of each coordinate counts: wₗ = 1/(μₗ(1 − μₗ))
    centroids     K rows, the class means of the coordinates
    centre        their mean under the shares of the classes
    weighing      how priors enter
    """

    priors: Vector
    regression: Any
    optimal: Optional[Scores]
    axes: Matrix
    weights: Vector
    centroids: Matrix
    centre: Vector
    weighing: Weighing

    def fits(self, rows: Sequence[Vector]) -> Matrix:
        """Return η*(x) for each row: m × K, the fitted indicators  [YANG-computation-of-fda]."""
        fits: Matrix = self.regression.predict(Matrix.of(rows))
        return fits

    def coordinates(self, rows: Sequence[Vector]) -> Matrix:
        """Return η(x) = Θᵀη*(x) for each row  [YANG-computation-of-fda]."""
        return deviations(self.regression, rows, self.fits) @ self.axes.T

    def distances_of(self, eta: Vector) -> Vector:
        """Return Σₗ wₗ (ηₗ − η̄ₗᵏ)² for coordinates η."""
        deviations = [eta - centre for centre in self.centroids]
        return Vector.of([dot(d.times(d), self.weights) for d in deviations])

    def distances(self, x: Vector) -> Vector:
        """Return the distance of x to each class, up to what is the same for all  [YANG-connection-with-lda].

            δ(x, k) = Σₗ wₗ (ηₗ(x) − η̄ₗᵏ)²        wₗ = 1/(μₗ(1 − μₗ))

        For a penalised regression 1 − μₗ is the penalised residual of score l, not the bare one [ERR-YANG-12].

        Exact     yes, where the regression is
        """
        return self.distances_of(self.coordinates([x])[0])

    def exponents(self, x: Vector) -> Vector:
        """Return −½ of the distances, without what is the same for all classes: zero at the centre but for −½‖cₖ‖²."""
        return self.exponents_of(self.coordinates([x])[0])

    def exponents_of(self, eta: Vector) -> Vector:
        """Return Σₗ wₗ (ηₗ − c̄ₗ)(cₖₗ − c̄ₗ) − ½ wₗ (cₖₗ − c̄ₗ)² for coordinates η and centroids cₖ of mean c̄."""
        return scoring.contrasts(eta - self.centre, self.placed, self.weights)

    @cached_property
    def placed(self) -> Matrix:
        """The centroids, their mean taken off."""
        return Matrix.of([c - self.centre for c in self.centroids])

    def turned(self, Q: Matrix) -> Model:
        """Return the same discriminants in the coordinates Qᵀη: of equal μ, what a rotation makes of them.

        Shapes    Q: as many rows as there are coordinates, L columns
        """
        kept = range(len(Q[0]))
        values = () if self.optimal is None else self.optimal.values
        optimal = None if self.optimal is None else Scores(Vector.of(values[: len(kept)]), self.optimal.theta @ Q)
        centroids, centre = self.centroids @ Q, Q.T @ self.centre
        axes, weights = Q.T @ self.axes, self.weights.pick(kept)
        return replace(self, optimal=optimal, axes=axes, weights=weights, centroids=centroids, centre=centre)

    def classify(self, rows: Sequence[Vector]) -> list[int]:
        """Return the class number of each row, ties to the first class."""
        return [self.weighing.decide(self.exponents_of(eta)).classes[0] for eta in self.coordinates(rows)]

    def classify_by_fit(self, rows: Sequence[Vector]) -> list[int]:
        """Return for each row the class of the largest fitted indicator, the first of several  [YANG-T12.3].

            argmaxₖ η*ₖ(x) = argmaxₖ softmax η*(x)        the lines "Softmax" of the table

        Exact     yes, where the regression is
        """
        return [decide.largest(fit).classes[0] for fit in self.fits(rows)]

    def softmax(self, x: Vector) -> Vector:
        """Return exp η*ₖ(x)/Σₗ exp η*ₗ(x)."""
        return softmax(self.weighing.F, self.fits([x])[0])


def fit(
    F: Field,
    sample: Sample,
    regress: Regression,
    *,
    priors: Optional[Vector] = None,
    count: Optional[int] = None,
) -> Model:
    """Return the flexible discriminants on a regression  [YANG-fda] [YANG-computation-of-fda].

    count    L, the number of coordinates; None: all that explain something

    Exact     yes, where the regression is, with all coordinates
    Raises    as `of`, and what the regression raises
    """
    return of(F, sample, regress(F, sample.X, indicator(sample), sample.weights), priors=priors, count=count)


def of(
    F: Field, sample: Sample, regression: Any, *, priors: Optional[Vector] = None, count: Optional[int] = None
) -> Model:
    """Return the flexible discriminants on the fit of the indicator matrix: one eigendecomposition.

        YᵀŶ Θ = YᵀY Θ diag(μ),    ΘᵀYᵀYΘ/n = I    [ERR-YANG-10]        η(x) = Θᵀη*(x)

    The smoother must be the same for all responses, symmetric, and keep the constants.

    Raises    InvalidInput for a regression that does not keep the constants; NoAnswer if no score is explained, or, in
              an exact field, one wholly (μ = 1, the classes do not vary along it; elsewhere it is held at
              1 − 60·n·eps); NotExact in an exact field with fewer coordinates than there are
    """
    L = sample.K - 1 if count is None else count
    if not 1 <= L <= sample.K - 1:
        raise InvalidInput("fda", need=f"1 to {sample.K - 1} coordinates", got=L)
    fitted = deviations(regression, sample.X, lambda rows: regression.fitted)
    M, proportions = crossed(sample, fitted), shares(sample)
    keeps_constants(F, M, proportions)
    optimal = None if F.exact and L == sample.K - 1 else _leading(F, M, proportions, L)
    if optimal is None:
        axes, weights = _without_roots(F, M, proportions)
    else:
        optimal = replace(optimal, values=held(F, optimal.values, sample.n))
        axes, weights = optimal.theta.T, Vector.of([1 / (mu * (1 - mu)) for mu in optimal.values])
    pi = proportions if priors is None else priors
    centroids = class_means(sample, fitted) @ axes.T
    centre = mixture(proportions, centroids)
    return Model(pi, regression, optimal, axes, weights, centroids, centre, weighing.of_priors(F, pi))


def deviations(regression: Any, rows: Sequence[Vector], fits: Callable[[Any], Matrix]) -> Matrix:
    """Return the fits of some rows, in rounded arithmetic less their mean where a linear regression has it.

    Proof: Θᵀπ = 0, so that the mean π of the indicators has no part in scores; small fits have lost digits beside it.
    """
    if getattr(regression, "origin", None) is None:
        return fits(rows)
    return Matrix.of([regression.deviation(x) for x in rows])


def _leading(F: Field, M: Matrix, proportions: Vector, L: int) -> Scores:
    """Return the first L optimal scores that are distinguished from zero.

    Premise of the bound: M should be symmetric; by what it is not it is wrong, as where backfitting has stopped early.
    """
    try:
        found = scoring.scores(F, M, proportions)
    except NoAnswer:
        raise NoAnswer("fda", need="a score that the regression explains", got="none") from None
    error = THRESHOLD * (M - M.T).largest() / min(proportions)
    explained = sum([mu > error for mu in found.values])
    if not explained:
        raise NoAnswer("fda", need="a score that the regression explains", got="none")
    return replace(found.leading(explained), others=()).leading(L)


def _without_roots(F: Field, M: Matrix, proportions: Vector) -> tuple[Matrix, Vector]:
    # Proof: 1/(μ(1 − μ)) = 1/μ + 1/(1 − μ). With N = M − ππᵀ and D = diag(π), N Θ = D Θ diag(μ) gives D-orthonormal θₗ
    # for which d = Σ cₗ D θₗ has dᵀN⁺d = Σ cₗ²/μₗ, if no cₗ with μₗ = 0 is in it, and dᵀ(D − N)⁻¹d = Σ cₗ²/(1 − μₗ).
    # A difference d of values of η* is of that kind: where μₗ = 0, θₗᵀη* does not vary.
    N = without_trivial(M, proportions)
    try:
        explained = metric.pseudo(N)
    except NoAnswer:
        raise NoAnswer("fda", need="a score that the regression explains", got="none") from None
    try:
        unexplained = metric.factor(F, Matrix.diagonal_of(proportions) - N)
    except NoAnswer as refusal:
        need = "variance within the classes along every score"
        raise NoAnswer("fda", need=need, got="none", score=refusal.witness.get("null_vector")) from None
    axes = Matrix.of([*explained.rows, *unexplained.rows])
    return axes, Vector.of([*explained.weights, *unexplained.weights])


def explained(sample: Sample, model: Model) -> Number:
    """Return Σₗ μₗ over all scores, the trace of D⁻¹YᵀŶ/n less the trivial one.

        ASR = Σₗ (1 − μₗ) = K − 1 − Σₗ μₗ        the least average squared residual, penalty included  [YANG-fda]

    Exact     yes: the roots that single μₗ need cancel; of two classes it is the one μ
    """
    pi = shares(sample)
    return total(without_trivial(crossed(sample, model.regression.fitted), pi), pi)
