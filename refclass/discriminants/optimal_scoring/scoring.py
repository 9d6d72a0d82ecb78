"""Optimal scoring: linear discriminants as a regression on scores of the classes.

minimise Σᵢ (θ(g(i)) − xᵢᵀβ)²    subject to    Σ θ(g(i)) = 0,    (1/n) Σ θ(g(i))² = 1
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Optional

from refclass.discriminants.decision import log_posteriors as weighing
from refclass.discriminants.decision.exact import exact_vector
from refclass.discriminants.decision.log_posteriors import Exponential, Weighing
from refclass.errors import InvalidInput, NoAnswer, NotExact
from refclass.linear import canon, residual
from refclass.linear.eigen import pencil
from refclass.linear.exact import fraction_free
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector, dot
from refclass.number.field import Field, Number
from refclass.number.tolerance import THRESHOLD, negligible
from refclass.regress.linear import least_squares
from refclass.sample.indicator import indicator
from refclass.sample.mean import centred, class_means, deviations, less, mean, mixture, shares
from refclass.sample.moments import moments
from refclass.sample.observations import Sample, units

SMALL = 2**-10  # a μ below it may be roundoff, of columns that nearly depend: then scores are counted exactly


@dataclass(frozen=True)
class Scores:
    """Optimal scores of the classes.

    values    μ₁ ≥ μ₂ ≥ … > 0: the share of the variance of each score that the regression explains, R²
    theta     K × L, columns Θₗ with Σ πₖΘₖₗ = 0 and Σ πₖΘₖₗΘₖₘ = δₗₘ, the first entry of largest modulus positive
    others    the μ of scores that explain something, too, and are left out
    """

    values: Vector
    theta: Matrix
    others: tuple[Number, ...] = ()

    def leading(self, L: int) -> Scores:
        """Return the first L scores, all where there are no more."""
        kept = range(min(L, len(self.values)))
        others = (*self.values[len(kept) :], *self.others)
        return Scores(self.values.pick(kept), self.theta.block(range(len(self.theta)), kept), others)

    def unique(self, F: Field) -> dict[str, bool]:
        """Return whether the plane of the scores is the only one, and whether each score is, but for its sign."""
        values, L = Vector.of([*self.values, *self.others]), len(self.values)
        alone = [group for group in canon.groups(F, values) if group[0] < L]
        return {"directions": not canon.cut(F, values, L), "scores": all(len(group) == 1 for group in alone)}


def scores(F: Field, fitted: Matrix, proportions: Vector, rank: Optional[int] = None) -> Scores:
    """Return the optimal scores from the fit of the indicator matrix  [YANG-solution-to-optimal-scoring].

        (YᵀŶ/n) Θ = μ D Θ,    D = YᵀY/n = diag(πₖ)

    Scores are orthogonal in the metric of D, not as bare vectors [ERR-YANG-08]. The trivial pair, Θ = 1, does not
    count: it has μ = 1 if the fit holds the constant and μ = 0 if it does not, and is taken out of YᵀŶ first
    [ERR-YANG-09].

    Shapes    fitted: YᵀŶ/n, K × K and symmetric but for roundoff; proportions: πₖ
    rank      the most scores that can be explained, where known: no more than the regression has dimensions
    Raises    NoAnswer if no score can be explained
    """
    # Proof: D1 = π and YᵀŶ1 is nπ or 0, so that 1 is an eigenvector; YᵀŶ/n − (μ₀ + Σ μₗ)ππᵀ has the same other pairs,
    # with −Σ μₗ in place of μ₀: far from all μ ≥ 0, so that roundoff mixes the trivial score with none of them, and of
    # their size, so that small ones keep their digits.
    K = len(proportions)
    constant = sum(map(sum, fitted), F.kind(0))
    total = sum((row[k] / pi for k, (row, pi) in enumerate(zip(fitted, proportions))), F.kind(0)) - constant
    trivial = (constant + (total if total > 0 else 1)) * Matrix.outer(proportions, proportions)
    M = (fitted + fitted.T) / 2 - trivial
    known = pencil.factor(F, M, Matrix.diagonal_of(proportions))
    most = K - 1 if rank is None else min(rank, K - 1)
    kept = [l for l in range(most) if not negligible(F, known.eigenvalues[l], F.kind(1), K)]  # noqa: E741
    if not kept:
        raise NoAnswer("scoring", need="class means that differ", got="equal ones")
    return Scores(known.eigenvalues.pick(kept), known.vectors.block(range(K), kept))


@dataclass(frozen=True)
class Model(Exponential):
    """Linear discriminants by optimal scoring.

    priors        K
    optimal       Θ and μ
    regression    ηₗ(x) = xᵀβ̂ₗ (and a constant), one response for each score
    centre        the mean of the points, where all ηₗ are zero, as it is rounded
    rest          what rounding has taken off it
    weights       wₗ = 1/(μₗ(1 − μₗ))
    centroids     K × L, the class means of η
    weighing      how priors and costs enter
    """

    priors: Vector
    optimal: Scores
    regression: least_squares.Linear
    centre: Vector
    rest: Vector
    weights: Vector
    centroids: Matrix
    weighing: Weighing

    def coordinates(self, x: Vector) -> Vector:
        """Return η₁(x) … η_L(x): β̂ₗᵀ(x − x̄), which far from zero keeps the digits that a constant would cost."""
        return self._turned @ (less(x, self.centre) - self.rest)

    @cached_property
    def _turned(self) -> Matrix:
        return self.regression.coefficients.T

    def turned(self, Q: Matrix) -> Model:
        """Return the same discriminants in the coordinates Qᵀη: of equal μ, what a rotation makes of them.

        Shapes    Q: as many rows as there are coordinates, L columns
        """
        kept, known = range(len(Q[0])), self.regression
        optimal = Scores(self.optimal.values.pick(kept), self.optimal.theta @ Q)
        regression = least_squares.Linear(Q.T @ known.intercepts, known.coefficients @ Q)
        weights, centroids = self.weights.pick(kept), self.centroids @ Q
        return replace(self, optimal=optimal, regression=regression, weights=weights, centroids=centroids)

    def distances(self, x: Vector) -> Vector:
        """Return the distance of x to each class, up to what is the same for all  [YANG-connection-with-lda].

            δ(x, μ̂ₖ) = Σₗ wₗ (η̂ₗ(x) − η̂ₗ(μ̂ₖ))²        wₗ = 1/(rₗ²(1 − rₗ²)),    rₗ² = 1 − μₗ

        It is the Mahalanobis distance for the covariance W/n, less a function of x alone.
        """
        eta = self.coordinates(x)
        deviations = [eta - centre for centre in self.centroids]
        return Vector.of([dot(d.times(d), self.weights) for d in deviations])

    def exponents(self, x: Vector) -> Vector:
        """Return Σₗ wₗ ηₗ(x) η̂ₗ(μ̂ₖ) − ½ wₗ η̂ₗ(μ̂ₖ)²: −½ of the distances, up to a constant."""
        return contrasts(self.coordinates(x), self.centroids, self.weights)

    @cached_property
    def variates(self) -> Matrix:
        """The canonical variates for W/n, p × L: vₗ = β̂ₗ/√(μₗ(1 − μₗ))  [YANG-connection-with-lda]."""
        roots = [self.weighing.F.sqrt(w) for w in self.weights]
        return Matrix.of([row.times(Vector.of(roots)) for row in self.regression.coefficients])


def fit(
    F: Field,
    sample: Sample,
    *,
    priors: Optional[Vector] = None,
    intercept: bool = True,
    count: Optional[int] = None,
    pseudo_inverse: bool = False,
) -> Model:
    """Return the optimal scoring of a sample  [YANG-optimal-scoring] [YANG-optimal-scoring-matrix].

        β̂ = (XᵀX)⁻¹XᵀYΘ̂,    YᵀX(XᵀX)⁻¹XᵀYΘ = μ YᵀYΘ        [YANG-solution-to-optimal-scoring]

    intercept    whether X holds a constant, and the trivial score has μ = 1, or not, and it has μ = 0; X is centred
    count        L, the number of scores [YANG-more-general-optimal-scoring]; None: all that explain something

    Raises    NoAnswer with a null vector if columns of X are linearly dependent, unless the pseudo-inverse is asked
              for, or if a score is explained wholly (μ = 1): the classes then do not vary in some direction
    """
    # Method: far from zero YᵀŶ would lose the digits in which the offset exceeds the spread, and its roundoff would
    # pass for scores; fits of centred points do not, and there are no more scores than dimensions.
    Y, centre = indicator(sample), mean(sample.whole)
    away = centred(sample.whole, centre)
    unit = Vector.of([F.kind(1)] * sample.p) if pseudo_inverse else units(away)
    design = Matrix.of(map(Vector.of, zip(*[tuple([v / u for v in x]) for x, u in zip(away, unit)])))
    eta = least_squares.fit(F, design, Y, sample.weights, intercept=intercept, pseudo_inverse=pseudo_inverse)
    proportions = shares(sample)
    found = scores(F, _crossed(sample, Y, eta.fitted), proportions, eta.rank)
    if not F.exact and found.values[-1] < F.lift(SMALL):
        found = found.leading(min(len(found.values), _spanned(sample)))
    L = len(found.values) if count is None else count
    if not 1 <= L <= sample.K - 1:
        raise InvalidInput("scoring", need=f"1 to {sample.K - 1} scores", got=L)
    found = found.leading(L)
    B = Matrix.of([row / u for row, u in zip(eta.coefficients @ found.theta, unit)])
    if any(v - v != 0 for row in B for v in row):
        raise NotExact("scoring", need="coefficients within the range of doubles", got="one beyond it")
    turned = B.T
    apart = deviations(sample, class_means(sample), centre)
    rest = mixture(proportions, apart)
    regression = least_squares.Linear(_constants(F, turned, centre, rest), B)
    centroids = Matrix.of([turned @ (d - rest) for d in apart])
    weights = distance_weights(F, found.values, sample.n)
    pi = proportions if priors is None else priors
    return Model(pi, found, regression, centre, rest, weights, centroids, weighing.of_priors(F, pi))


def _spanned(sample: Sample) -> int:
    """Return the dimensions that the class means span, exactly: there are no more scores.

    Raises    NoAnswer if they are equal
    """
    means = moments(sample).means
    rank = fraction_free.rank(Matrix.of([m - means[0] for m in means[1:]]))
    if not rank:
        raise NoAnswer("scoring", need="class means that differ", got="equal ones")
    return rank


def _constants(F: Field, turned: Matrix, centre: Vector, rest: Vector) -> Vector:
    """Return −βₗ·x̄ of each score, computed exactly from the coefficients as they are rounded, and rounded once.

    Far from zero a rounding of the sum would cost fits as many digits as the offset has.
    """
    middle = exact_vector(centre) + exact_vector(rest)
    return Vector.of([F.delivered("scoring", -(exact_vector(beta) @ middle)) for beta in turned])


def contrasts(eta: Vector, centroids: Matrix, weights: Vector) -> Vector:
    """Return Σₗ wₗ (ηₗ cₖₗ − ½ cₖₗ²) for each centroid cₖ, which is linear in η, so that it is right far away, too.

    Exact     yes
    """
    pulled = [c.times(weights) for c in centroids]
    return Vector.of([dot(eta, v) - dot(c, v) / 2 for c, v in zip(centroids, pulled)])


def distance_weights(F: Field, values: Vector, n: int) -> Vector:
    """Return wₗ = 1/(μₗ(1 − μₗ))  [YANG-connection-with-lda].

    Raises    NoAnswer if some μₗ is 1 up to roundoff: no variance is left within the classes
    """
    for l, mu in enumerate(values):  # noqa: E741
        if not 1 - mu > THRESHOLD * n * F.eps:
            raise NoAnswer("scoring", need="variance within the classes along every score", got="none", score=l)
    return Vector.of([1 / (mu * (1 - mu)) for mu in values])


def _crossed(sample: Sample, Y: Matrix, fitted: Matrix) -> Matrix:
    """Return YᵀWŶ/n."""
    n = sample.weights.sum()
    columns = [column.times(sample.weights) for column in Y.T]
    return Matrix.of([Vector.of([dot(y, f) / n for f in fitted.T]) for y in columns])


def residual_sum(sample: Sample, model: Model) -> Number:
    """Return Σₗ Σᵢ wᵢ (θₗ(g(i)) − ηₗ(xᵢ))²  [YANG-more-general-optimal-scoring] [YANG-optimal-scoring].

    Laws      n·Σ (1 − μₗ)
    """
    total = sample.weights.kind(0)
    for x, g, w in zip(sample.X, sample.labels, sample.weights):
        missed = model.optimal.theta[g] - model.coordinates(x)
        total = total + w * (missed @ missed)
    return total


def certify(sample: Sample, model: Model) -> dict[str, Any]:
    """Return the claims of the scores with their ratios."""
    D, theta, n = Matrix.diagonal_of(shares(sample)), model.optimal.theta, sample.n
    identity = Matrix.identity(len(theta[0]), theta.kind)
    return {"ΘᵀDΘ = I": residual.equality(theta.T @ (D @ theta), identity, n)}
