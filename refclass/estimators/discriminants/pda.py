"""Penalised discriminant analysis."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from functools import cached_property
from typing import Any

from refclass.certificate import Certificate
from refclass.discriminants.decision.exact import Failure, concluded, exact_matrix, exact_vector, length, shaped
from refclass.discriminants.gaussian import normal_certificate
from refclass.discriminants.optimal_scoring import fda_certificate, pda
from refclass.errors import InvalidInput, NoAnswer, quoted
from refclass.estimators.protocol.discriminant import table
from refclass.estimators.protocol.flexible import Flexible
from refclass.estimators.protocol.more_digits import limit
from refclass.estimators.regression.ridge import Ridge
from refclass.linear.clearing import root, sizes
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector
from refclass.number.field import Field, Number, rational
from refclass.sample import data
from refclass.sample.moments import Moments, moments
from refclass.sample.observations import representable

WHOLLY = 10**50  # a weight 1/(μ(1 − μ)) that only a score with μ = 0 or μ = 1 has in decimals


class PenalizedDiscriminantAnalysis(Flexible):
    """Linear discriminants whose coefficients are kept smooth  [YANG-pda] [YANG-pda-distance].

        minimise (1/n) Σₗ [Σᵢ (θₗ(g(i)) − xᵢᵀβₗ)² + λ βₗᵀΩβₗ]
        class of x = argminₖ (x − μ̂ₖ)ᵀ(Σ_W + (λ/n)Ω)⁻¹(x − μ̂ₖ) − 2 log πₖ        Σ_W = W/n

    The columns of X are any basis of the variables: X holds h(x).

    Parameters
    ----------
    penalty : number ≥ 0, default 1
        λ, the weight of the penalty beside the sum of squares: with it the slides' Σ_W + λΩ has λ/n [ERR-YANG-11].
    omega : None, str, dict, or p × p matrix, default None
        Ω: None or "identity"; "roughness", squared second differences of adjacent coordinates, for digitised
        curves; {"name": "differences", "order": d}; or any symmetric positive semidefinite matrix.
    n_components : int or None, default None
        How many coordinates are used; None for all that explain something.
    priors : K numbers > 0, or None, default None
        The priors in the order of classes_; None for the shares of the classes.
    arithmetic : "float", "exact" or "decimal:n", default "float"
        The numbers that are computed with; "exact" not with n_components.

    Attributes
    ----------
    classes_ : list of K labels
        The classes, sorted where they can be compared, else in order of appearance.
    priors_ : list of K numbers
        The prior of each class; they sum to one.
    eigenvalues_ : list of L numbers from 0 to 1
        μ, the share of each score that the regression explains, the trivial one left out.
    coef_ : K × p numbers, or 1 × p for two classes
        The coefficients of the scores less what all classes share, in every arithmetic alike; for two classes those
        of the log-odds of classes_[1].
    intercept_ : list of K numbers, or of one
        The constants of the same functions.
    scalings_ : p × L numbers
        The directions as columns u with uᵀ(Σ_W + (λ/n)Ω)u = 1.
    scores_ : K × L numbers
        θ, a column for each coordinate.
    weights_ : list of L numbers
        1/(μ(1 − μ)).
    centroids_ : K × L numbers
        The class means of `transform`.
    degrees_of_freedom_ : number
        The degrees of freedom of the regression.
    certificate_ : Certificate
        The proof, computed in exact arithmetic from the data as given when it is first asked for.

    Raises
    ------
    InvalidInput
        For bad data or parameters.
    NoAnswer
        With v, vᵀΩv < 0, for a penalty that rewards roughness, with a null vector where data and penalty leave a
        direction open.
    NotConverged
        Where class means differ, but the scores are lost in roundoff; where fewer than nine digits are proven of a fit
        too large for more digits.

    See Also
    --------
    FlexibleDiscriminantAnalysis, LinearDiscriminantAnalysis

    References
    ----------
    - T. Hastie, A. Buja and R. Tibshirani (1995). Penalized discriminant analysis. Annals of Statistics 23, 73-102.
    - T. Hastie, R. Tibshirani and J. Friedman (2009). The Elements of Statistical Learning, second edition, section
      12.6.

    Examples
    --------
    >>> model = PenalizedDiscriminantAnalysis(penalty=2, arithmetic="exact")
    >>> model.fit([[0, 0], [1, 0], [3, 0], [4, 0]], list("aabb")).coef_
    [[Fraction(4, 1), Fraction(0, 1)]]
    """

    method = "pda"
    lengthy = True  # of a share of scores that the ridge explains nearly wholly doubles keep some digits
    equations = ("YANG-pda", "YANG-pda-distance", "YANG-pda-rayleigh", "YANG-pda-smooth", "YANG-computation-of-fda")
    fitted = (
        "classes_",
        "priors_",
        "eigenvalues_",
        "coef_",
        "intercept_",
        "scalings_",
        "scores_",
        "weights_",
        "centroids_",
        "degrees_of_freedom_",
    )

    def __init__(
        self,
        *,
        penalty: Any = 1,
        omega: Any = None,
        n_components: Any = None,
        priors: Any = None,
        arithmetic: Any = "float",
    ) -> None:
        self.penalty = penalty
        self.omega = omega
        self.n_components = n_components
        self.priors = priors
        self.arithmetic = arithmetic

    def read(self, X: Any, y: Any, sample_weight: Any = None) -> Any:
        """Return the sample, and set the penalty matrix.  Raises NoAnswer with v, vᵀΩv < 0, if it rewards roughness."""
        sample, F = super().read(X, y, sample_weight), self.field()
        representable(sample, self.method)
        self._omega = pda.semidefinite(F, self._matrix(F, sample.p))
        return sample

    def built(self, sample: Any, regression: Any) -> Any:
        """Build the discriminants on the fitted regression.  Raises NotConverged where roundoff hides all scores."""
        try:
            return super().built(sample, regression)
        except NoAnswer as refusal:
            raise pda.lost(self.field(), sample, refusal) from None

    def doubtful(self) -> bool:
        """Return whether doubles leave the ridge few digits, or what scores explain: its share, the rest, or all."""
        s, weights = self._sample, self._model.weights
        fewer = len(weights) < min(self.n_components or s.K, s.K - 1, s.p)  # means in a plane, or scores that are lost
        return fewer or bool(max(weights) > limit(s.kind)) or super().doubtful()

    def undecided(self) -> bool:
        """Return whether a score seems to be explained wholly: without variance within the classes it has no weight."""
        return bool(max(self._model.weights) > WHOLLY)

    def _matrix(self, F: Field, p: int) -> Matrix:
        """Return Ω."""
        if self.omega is None or self.omega == "identity":
            return Matrix.identity(p, F.kind)
        given = {"name": "differences", "order": 2} if self.omega == "roughness" else self.omega
        if isinstance(given, (str, Mapping)):
            named = isinstance(given, Mapping) and set(given) == {"name", "order"} and given["name"] == "differences"
            order = given["order"] if isinstance(given, Mapping) and named else None
            if type(order) is not int or not 1 <= order < p:
                names = f'"identity", "roughness", or differences of an order from 1 to {p - 1}'
                raise InvalidInput(self.method, need=f"omega a {p} × {p} matrix, {names}", got=quoted(self.omega))
            return pda.adjacent(p, order, F.kind)
        rows = data.matrix(F, given, columns=p, name="omega")
        if len(rows) != p:
            raise InvalidInput(self.method, need=f"omega a {p} × {p} matrix", got=f"{len(rows)} rows")
        return rows.symmetric()

    def regressor(self) -> Ridge:
        """Return the ridge regression."""
        return Ridge(penalty=self.penalty, omega=self._omega, arithmetic=self.arithmetic)

    @cached_property
    def _linear(self) -> tuple[Matrix, Vector]:
        self.is_fitted()
        return pda.linear(self._model)

    @cached_property
    def coef_(self) -> list[list[Number]]:
        """The coefficients: K rows, or for two classes one."""
        rows = self._linear[0]
        return table(rows) if len(rows) > 2 else [list(rows[1] - rows[0])]

    @cached_property
    def intercept_(self) -> list[Number]:
        """The intercepts: K numbers, or for two classes one.  Raises NotExact where a logarithm is irrational."""
        constants = self._linear[1] + self._model.weighing.offsets()
        return list(constants) if len(constants) > 2 else [constants[1] - constants[0]]

    @cached_property
    def scalings_(self) -> list[list[Number]]:
        """The penalised variates as columns: p × L."""
        self.is_fitted()
        return table(pda.directions(self.field(), self._model))

    def proven(self, eps: Any) -> Certificate:
        """Return the proof, exact, from the data as given: the equations of the ridge, the scores and the rule."""
        self.is_fitted()
        return concluded(self.failures(), eps, unique=fda_certificate.unique(self._model))

    def _bulk(self, known: Moments) -> list[Fraction]:
        """Return the size of what is added up to the coefficients of a class, its mean as far as its points."""
        if self._model.optimal is None:
            return []
        total = known.within / known.n + known.between(known.shares)
        V = exact_matrix(pda.directions(self.field(), self._model))
        return [*sizes(V, sizes(V.T, [[root(v)] for v in total.diagonal()])).T[0]]

    def failures(self) -> list[Failure]:
        """Return by how much what defines the attributes fails."""
        F, s = self.field(), self._sample
        known, lam, omega = moments(s), self.number(F, "penalty"), self._matrix(F, s.p)
        found = [*super().failures(), pda.ridge_equations(known, self._model, lam, omega)]
        if self._model.optimal is not None and not shaped(self.scalings_, s.p, length(self.eigenvalues_)):
            return [(Fraction(1), "the shape of the scalings")]
        mu, centre, pi = known.means, known.centre, exact_vector(self.given_priors(F, s.K) or known.shares)
        within = (known.within + rational(lam) * exact_matrix(omega)) / known.n
        away = Matrix.of([mu[1] - mu[0]] if s.K == 2 else [v - centre for v in mu])
        if self.n_components is None or self._model.optimal is None:
            found.append(normal_certificate.directions("the coefficients", within, away, self.coef_))
        else:
            found.append(normal_certificate.reduced("the coefficients", within, self.scalings_, away, self.coef_))
        b, logs = self.reported("intercept_"), normal_certificate.log_ratios(pi)
        if b is not None and s.K == 2:
            found.append(normal_certificate.contrast(self.coef_, b, mu, logs[1]))
        elif b is not None:
            found.append(normal_certificate.constants(self.coef_, b, mu, centre, logs, self._bulk(known)))
        if self._model.optimal is not None:
            # Premise: doubles next to 1 lose the digits of 1 − μ that decimals have.
            ratios = [v / (1 - v) for v in exact_vector(getattr(self, "_twin", self).eigenvalues_)]
            between = known.between(known.shares)
            found += normal_certificate.variates(between, within, ratios, self.scalings_, None)
        return found
