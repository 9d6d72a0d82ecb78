"""What discriminants on a regression share: scores, coordinates, centroids, and the same fit in fewer coordinates."""

from __future__ import annotations

from functools import cached_property
from typing import Any

from refclass.certificate import Certificate
from refclass.discriminants.decision.exact import Failure, concluded, length, numbers, same, shaped
from refclass.discriminants.gaussian import normal_certificate
from refclass.discriminants.optimal_scoring import (
    class_moments,
    fda,
    fda_certificate,
    scaled_regression,
    score_certificate,
)
from refclass.errors import InvalidInput, NotConverged, NotExact
from refclass.estimators.protocol.discriminant import Discriminant, Probabilistic, table
from refclass.estimators.protocol.estimator import Steps, clone
from refclass.estimators.protocol.more_digits import (
    at_ceiling,
    explained,
    faint,
    in_more_digits,
    limit,
    of_twin,
    rounded,
    uneven,
)
from refclass.estimators.protocol.regressor import Regressor, require_digits
from refclass.iteration import ending
from refclass.linear.clearing import product
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector
from refclass.number.field import Number, rational
from refclass.regress.linear import polynomial
from refclass.sample.indicator import indicator
from refclass.sample.mean import centred, mean
from refclass.sample.metric import Metric
from refclass.sample.observations import Sample, representable, units


def unsure(found: Any, sample: Sample, Y: Matrix) -> bool:
    """Return whether doubles leave the equations of a linear regression, or those of a polynomial, few digits."""
    X = sample.X
    if faint(found.fitted):
        return True
    if isinstance(found, scaled_regression.Scaled):
        found, X = found.inner, scaled_regression.divided(X, found.units)
    if isinstance(found, polynomial.Model):
        if sample.n * len(found.basis) ** 2 > polynomial.WORK:
            return found.steep
        return (polynomial.certify(X, Y, found, sample.weights).digits or 0) < polynomial.ENOUGH
    known = getattr(found, "known", None)
    return isinstance(known, Metric) and bool(known.condition > limit(X.kind))


SEARCHED = ("mars", "bruto")  # whose terms, or smoothing, are searched for


class Flexible(Probabilistic, Discriminant):
    """Discriminants by optimal scoring on a regression, which a subclass names."""

    n_components: Any

    def regressor(self) -> Regressor:
        """Return the regression."""
        raise NotImplementedError

    def doubtful(self) -> bool:
        """Return whether doubles leave the equations of a linear regression, or those of a polynomial, few digits.

        So they do a weight 1/(1 − μ), μ the share of a score that is explained, where that is nearly all, as of a class
        far from all others.
        """
        sample = self._sample
        nearly = bool(max(self._model.weights) > limit(sample.kind))
        return uneven(sample) or nearly or unsure(self._model.regression, sample, indicator(sample))

    def blurred(self) -> str:
        """Return in words whether a score is explained so far that roundoff is what is left.

        Functions that are searched for may fit the classes wholly; what is left then tells none of these from another.
        """
        return "" if self.regressor().method in SEARCHED else explained(self._sample, self._model.weights)

    def undecided(self) -> bool:
        """Return whether a score seems to be explained wholly: without variance within the classes it has no weight."""
        return bool(max(self._model.weights) > limit(self._sample.kind))

    @in_more_digits
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Any:
        """Fit to the rows of X with labels y; an integer weight stands for copies of its row."""
        return ending(self.fit_steps(X, y, sample_weight))

    def fit_steps(self, X: Any, y: Any, sample_weight: Any = None) -> Steps[Any]:
        """Fit as `fit` does, and yield on the way how much is done, of how much, in words; return the estimator."""
        F, sample = self.field(), self.read(X, y, sample_weight)
        self.components(sample.K - 1)
        self.given_priors(F, sample.K)
        regressor, unit = self.regressor(), units(centred(sample.whole, mean(sample.whole)))
        if set(unit) != {1} and getattr(regressor, "penalty", None) is None:
            X = scaled_regression.divided(sample.X, unit)
            inner = yield from regressor.regressing(F, X, indicator(sample), sample.weights)
            model: Any = scaled_regression.Scaled(inner, unit)
        else:
            representable(sample, self.method)
            model = yield from regressor.regressing(F, sample.X, indicator(sample), sample.weights)
        self.built(sample, model)
        held = self.inner_regression()
        require_digits(held, *held._given)
        return self

    def built(self, sample: Sample, regression: Any) -> Any:
        """Build the discriminants on a fitted regression; return the estimator."""
        F = self.field()
        priors, count = self.given_priors(F, sample.K), self.components(sample.K - 1)
        try:
            self.keep(fda.of(F, sample, regression, priors=priors, count=count), sample)
        except InvalidInput as refusal:
            if F.exact or not unsure(regression, sample, indicator(sample)):
                raise
            raise NotConverged(refusal.module, need=refusal.need, got=refusal.got) from None
        self.priors_ = list(self._model.priors)
        self.degrees_of_freedom_ = regression.degrees_of_freedom
        return self

    def inner_regression(self) -> Regressor:
        """Return the regression, fitted; of columns in other units, to these."""
        s, found = self._sample, self._model.regression
        X, made = s.X, found
        if isinstance(found, scaled_regression.Scaled):
            X, made = scaled_regression.divided(X, found.units), found.inner
        return self.regressor().holding(self.field(), made, X, indicator(s), s.weights)

    def reduced(self, n_components: int) -> Any:
        """Return the same fit in its first coordinates only: no regression is made again  [YANG-T12.3].

        A number of coordinates that is chosen for its errors on a test set makes these errors optimistic.
        """
        self.is_fitted()
        other, known = clone(self).set_params(n_components=n_components), vars(self).get("_twin")
        if known is not None:
            return of_twin(other, known.reduced(n_components), self._sample)
        other.classes_ = list(self.classes_)
        return other.built(self._sample, self._model.regression)

    def whole(self) -> Any:
        """Return the same fit in all its coordinates: in the decimals it was made in, which tell μ near 1 apart."""
        known = vars(self).get("_twin", self)
        return known.reduced(self._sample.K - 1)

    def along(self, Q: Matrix) -> Any:
        """Return the same fit in coordinates that are all of them times Q: where some μ are equal, one of many."""
        self._optimal  # noqa: B018
        other = self.whole()
        lift = other.field().lift
        other._model = other._model.turned(Matrix.of([Vector.of(map(lift, row)) for row in Q]))
        return other

    @property
    def _optimal(self) -> Any:
        self.is_fitted()
        if self._model.optimal is None:
            raise NotExact(self.method, need="roots for the scores", got="exact arithmetic")
        return self._model.optimal

    @cached_property
    def eigenvalues_(self) -> list[Number]:
        """μ: the share of each score that the regression explains; of two classes without a root."""
        self.is_fitted()
        if self._model.optimal is None and len(self.classes_) == 2:
            return [fda.explained(self._sample, self._model)]
        return list(self._optimal.values)

    @cached_property
    def scores_(self) -> list[list[Number]]:
        """θ: K rows, a column for each coordinate."""
        return table(self._optimal.theta)

    @cached_property
    def weights_(self) -> list[Number]:
        """w = 1/(μ(1 − μ)): what the square of each coordinate counts."""
        self._optimal  # noqa: B018
        return list(self._model.weights)

    @cached_property
    def _roots(self) -> Vector:
        self._optimal  # noqa: B018
        return Vector.of(map(self.field().sqrt, self._model.weights))

    @cached_property
    def centroids_(self) -> list[list[Number]]:
        """The class means of `transform`: K rows."""
        roots = self._roots
        return [list(c.times(roots)) for c in self._model.centroids]

    def proven(self, eps: Any) -> Certificate:
        """Return the proof, exact, from the fitted values of the regression as they are."""
        self.is_fitted()
        unique = fda_certificate.unique(self._model)
        return concluded(self.failures(), eps, premise=fda_certificate.PREMISE, unique=unique)

    def failures(self) -> list[Failure]:
        """Return by how much what defines the attributes fails, for the regression as it was fitted."""
        s, model = self._sample, self._model
        known, N = fda_certificate.indicators(s, model.regression)
        pi, mu = known.shares, self.reported("eigenvalues_")
        found = [*self.delivered(), *fda_certificate.failures(s, model)]
        found.append(normal_certificate.priors(known, self.given_priors(self.field(), s.K), self.priors_)[1])
        freedom = getattr(self, "_twin", self)._model.regression.degrees_of_freedom
        found.append(same("the degrees of freedom", self.degrees_of_freedom_, rounded(freedom, self.field())))
        if self.n_components is None and mu is not None:
            total = class_moments.total(N, pi)
            found.append(numbers("the sum of the eigenvalues", [sum(map(rational, mu))], [total], [s.K]))
        if model.optimal is None or mu is None:
            return found
        found += [*score_certificate.equations(N, pi, mu, self.scores_), score_certificate.weights(mu, self.weights_)]
        if shaped(self.scores_, s.K, length(self.weights_)):
            want, bulk = product(known.means, self.scores_), score_certificate.spread(known.sizes_of, self.scores_)
            found.append(score_certificate.centroids("the centroids", want, self.weights_, bulk, self.centroids_))
        return found

    @cached_property
    def certificate_(self) -> Certificate:
        """The proof, exact: by how much the equations of the attributes fail, for the regression as it was fitted."""
        return at_ceiling(self, self.proven(self.field().eps))

    def transform(self, X: Any) -> list[list[Number]]:
        """Return ηₗ(x)/√(μₗ(1 − μₗ)) for each row of X: variance one within the classes."""
        rows, roots = self.rows(X), self._roots
        try:
            found = [list(eta.times(roots)) for eta in self._model.coordinates(rows)]
        except OverflowError:
            found = [[float("inf")]]
        if all(v - v == 0 for row in found for v in row):
            return found
        return self._each(rows, lambda x: list(self._model.coordinates([x])[0].times(roots)))

    def predict_softmax(self, X: Any) -> list[Any]:
        """Return for each row of X the label with the largest fitted indicator: the lines "Softmax"  [YANG-T12.3]."""
        rows = self.rows(X)
        return list(map(self.classes_.__getitem__, self._model.classify_by_fit(rows)))

    def softmax(self, X: Any) -> list[list[Number]]:
        """Return exp η*ₖ(x)/Σₗ exp η*ₗ(x) of the fitted indicators η*, for each row of X."""
        return [list(self._model.softmax(x)) for x in self.rows(X)]
