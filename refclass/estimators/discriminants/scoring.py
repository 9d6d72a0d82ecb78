"""Optimal scoring."""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property
from typing import Any

from refclass.certificate import Certificate
from refclass.discriminants.decision.exact import concluded, exact_matrix, length, shaped
from refclass.discriminants.gaussian.normal_certificate import PSEUDO, priors
from refclass.discriminants.optimal_scoring import score_certificate as proof
from refclass.discriminants.optimal_scoring import scoring
from refclass.estimators.protocol.discriminant import Discriminant, Probabilistic, table
from refclass.estimators.protocol.estimator import clone
from refclass.estimators.protocol.more_digits import at_ceiling, explained, in_more_digits, limit, steep, tiny, uneven
from refclass.linear.exact import fraction_free
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector
from refclass.number.field import Number
from refclass.sample import covariance, metric, spectral
from refclass.sample.mean import centred, mean
from refclass.sample.moments import moments
from refclass.sample.observations import Sample, units


class OptimalScoring(Probabilistic, Discriminant):
    """Linear discriminants as a regression on scores of the classes  [YANG-optimal-scoring] [YANG-connection-with-lda].

        minimise Σₗ Σᵢ (θₗ(g(i)) − ηₗ(xᵢ))²,    Σ θₗ(g(i)) = 0,    (1/n) Σ θₗ(g(i)) θₘ(g(i)) = δₗₘ

    A point is given to the nearest class mean in the space of fits, weighted by wₗ = 1/(μₗ(1 − μₗ)) and adjusted by the
    priors: linear discriminants with the covariance W/n.

    Parameters
    ----------
    n_components : int or None, default None
        How many scores are used; None for all that explain something.
    priors : K numbers > 0, or None, default None
        The priors in the order of classes_; None for the shares of the classes.
    intercept : bool, default True
        How the trivial score is taken out: True, the regression has a constant, and it has μ = 1; False, X is
        centred, and it has μ = 0. The answer is the same.
    pseudo_inverse : bool, default False
        Whether the shortest coefficients are taken if columns are linearly dependent; otherwise they are refused.
    arithmetic : "float", "decimal:n" or "exact", default "float"
        The numbers that are computed with; "exact" where the roots are rational.

    Attributes
    ----------
    classes_ : list of K labels
        The classes, sorted where they can be compared, else in order of appearance.
    priors_ : list of K numbers
        The prior of each class; they sum to one.
    scores_ : K × L numbers
        θ, a column for each coordinate, without unit.
    eigenvalues_ : list of L numbers from 0 to 1
        μ: the share of each score that the regression explains.
    weights_ : list of L numbers
        w = 1/(μ(1 − μ)): what the square of each coordinate counts.
    coef_ : L × p numbers
        The coefficients of ηₗ.
    intercept_ : list of L numbers
        The constants of ηₗ.
    centroids_ : K × L numbers
        The class means of `transform`.
    certificate_ : Certificate
        The proof, computed in exact arithmetic from the data as given when it is first asked for.

    Raises
    ------
    InvalidInput
        For bad data or parameters.
    NoAnswer
        With a null vector if columns are linearly dependent.

    See Also
    --------
    LinearDiscriminantAnalysis : the same rule by covariances
    FlexibleDiscriminantAnalysis : any regression in place of the linear one

    References
    ----------
    - T. Hastie, A. Buja and R. Tibshirani (1995). Penalized discriminant analysis. Annals of Statistics 23, 73-102.
    - Y. Yang (2022). Support Vector Machine and Discriminant Analysis, slides, part 12.

    Examples
    --------
    >>> model = OptimalScoring().fit([[0.0], [2.0], [6.0], [8.0]], list("aabb"))
    >>> [round(v, 6) for v in model.eigenvalues_], model.predict([[3.9], [4.1]])
    ([0.9], ['a', 'b'])
    """

    method = "scoring"
    equations = (
        "YANG-optimal-scoring",
        "YANG-solution-to-optimal-scoring",
        "YANG-more-general-optimal-scoring",
        "YANG-connection-with-lda",
    )
    fitted = ("classes_", "priors_", "scores_", "eigenvalues_", "weights_", "coef_", "intercept_", "centroids_")

    def __init__(
        self,
        *,
        n_components: Any = None,
        priors: Any = None,
        intercept: Any = True,
        pseudo_inverse: Any = False,
        arithmetic: Any = "float",
    ) -> None:
        self.n_components = n_components
        self.priors = priors
        self.intercept = intercept
        self.pseudo_inverse = pseudo_inverse
        self.arithmetic = arithmetic

    @in_more_digits
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> OptimalScoring:
        """Fit to the rows of X with labels y; an integer weight stands for copies of its row."""
        sample = self.read(X, y, sample_weight)
        return self._described(self._scored(sample), sample)

    def _scored(self, sample: Sample) -> scoring.Model:
        F = self.field()
        return scoring.fit(
            F,
            sample,
            priors=self.given_priors(F, sample.K),
            intercept=self.one_of("intercept", True, False),
            count=self.components(sample.K - 1),
            pseudo_inverse=self.one_of("pseudo_inverse", True, False),
        )

    def _described(self, model: scoring.Model, sample: Sample) -> OptimalScoring:
        """Store the model, and the attributes that are read off it."""
        vars(self).pop("_roots", None)
        self.keep(model, sample)
        self.priors_ = list(model.priors)
        self.scores_ = table(model.optimal.theta)
        self.eigenvalues_ = list(model.optimal.values)
        self.weights_ = list(model.weights)
        self.coef_ = table(model.regression.coefficients.T)
        self.intercept_ = list(model.regression.intercepts)
        self.centroids_ = [list(c.times(self._roots)) for c in model.centroids]
        return self

    def whole(self) -> OptimalScoring:
        """Return the same fit with all its scores: in the decimals that it was made in, which tell μ near 1 apart."""
        known = vars(self).get("_twin", self)
        other: OptimalScoring = clone(known).set_params(n_components=None)
        other.classes_ = list(self.classes_)
        return other._described(other._scored(known._sample), known._sample)

    def along(self, Q: Matrix) -> OptimalScoring:
        """Return the same fit with scores that are all of them times Q: where some μ are equal, one of many."""
        other = self.whole()
        lift = other.field().lift
        turned = other._model.turned(Matrix.of([Vector.of(map(lift, row)) for row in Q]))
        return other._described(turned, other._sample)

    def doubtful(self) -> bool:
        """Return whether doubles leave the total covariance few digits, or another rank than it has."""
        F, sample = self.field(), self._sample
        away = centred(sample.whole, mean(sample.whole))
        if tiny(away) or uneven(sample) or max(self._model.weights) > limit(sample.kind):
            return True
        reach = units(away)
        # Premise: the shortest coefficients depend on units, and are computed in those given, where roundoff of a large
        # column outweighs a small one.
        if self.pseudo_inverse and max(reach) > limit(sample.kind) * min(reach):
            return True
        scaled = Matrix.of(map(Vector.of, zip(*[tuple([v / u for v in x]) for x, u in zip(away, reach)])))
        total = covariance.total(replace(sample, X=scaled))
        known = spectral.pseudo_inverse(F, total) if self.pseudo_inverse else metric.factor(F, total)
        return steep(known, lambda: moments(self._sample).total)

    def blurred(self) -> str:
        """Return in words whether a score is explained so far that roundoff is what is left."""
        return explained(self._sample, self._model.weights)

    @cached_property
    def _roots(self) -> Vector:
        return Vector.of(map(self.field().sqrt, self._model.weights))

    def transform(self, X: Any) -> list[list[Number]]:
        """Return ηₗ(x)/√(μₗ(1 − μₗ)), the canonical variates for W/n, of each row of X."""
        return self._each(self.rows(X), lambda x: list(self._model.coordinates(x).times(self._roots)))

    @cached_property
    def certificate_(self) -> Certificate:
        """The proof, exact, from the data as given: by how much what defines the attributes fails, and where."""
        self.is_fitted()
        known, F = moments(self._sample), self.field()
        mu, theta, rows = self.eigenvalues_, self.scores_, self.coef_
        _, failed = priors(known, self.given_priors(F, self._sample.K), self.priors_)
        failures = [*self.delivered(), failed, *proof.regression(known, mu, theta, rows)]
        if shaped(theta, self._sample.K, length(mu)):
            failures += proof.metric(known.shares, exact_matrix(theta))
        most = self.answering() or self  # Premise: what doubles leave of long coefficients has lost these digits.
        failures += [proof.constants(known, most.coef_, most.intercept_), proof.weights(mu, self.weights_)]
        failures.append(proof.placed(known, most.weights_, most.coef_, most.centroids_))
        full = fraction_free.rank(known.total) == self._sample.p
        unique = self._model.optimal.unique(F)
        unique["directions"] = unique["directions"] and full
        return at_ceiling(self, concluded(failures, F.eps, premise="" if full else PSEUDO, unique=unique))
