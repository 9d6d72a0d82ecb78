"""Fisher's discriminant analysis."""

from __future__ import annotations

from functools import cached_property
from typing import Any

from refclass.certificate import Certificate
from refclass.discriminants.gaussian import fisher, variates
from refclass.estimators.protocol.canonical import Canonical
from refclass.estimators.protocol.discriminant import table
from refclass.estimators.protocol.more_digits import at_ceiling, in_more_digits
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector
from refclass.sample.mean import mixture, shares
from refclass.sample.observations import representable


class FisherDiscriminant(Canonical):
    """Directions that separate the class means best; the nearest mean  [ESL-4.15] [ESL-4.16] [KIM-2.32].

        max aᵀBa subject to aᵀWa = 1, each next direction W-orthogonal to those before

    W is the pooled covariance, divisor n − K. A point is given to the nearest class mean along the directions, without
    priors: for two classes the midpoint rule [KIM-2.34].

    Parameters
    ----------
    between : "weighted" or "centroids", default "weighted"
        B: Σ (nₖ/n)(μ̂ₖ − x̄)(μ̂ₖ − x̄)ᵀ, or the covariance of the K means with divisor K − 1.
    n_components : int or None, default None
        How many directions are used; None for all.
    pseudo_inverse : bool, default False
        Whether the pseudo-inverse of a singular W is used; otherwise it is refused.
    arithmetic : "float", "exact" or "decimal:n", default "float"
        The numbers that are computed with: binary64, fractions, or decimals of n digits.

    Attributes
    ----------
    classes_ : list of K labels
        The classes, sorted where they can be compared, else in order of appearance.
    means_ : K × p numbers
        The mean of each class, in the units of X.
    eigenvalues_ : list of r numbers
        aᵀBa of each direction, descending, without unit; exact in exact arithmetic for two classes.
    scalings_ : p × r numbers
        The directions as columns a with aᵀWa = 1.
    condition_ : number ≥ 1
        The largest variance inflation, without unit: large where a covariance is nearly singular.
    certificate_ : Certificate
        The proof, computed in exact arithmetic from the data as given when it is first asked for.

    Raises
    ------
    InvalidInput
        For bad data or parameters.
    NoAnswer
        With a null vector if W is singular.

    See Also
    --------
    LinearDiscriminantAnalysis : the same directions with priors

    References
    ----------
    - R. A. Fisher (1936). The use of multiple measurements in taxonomic problems. Annals of Eugenics 7, 179-188.
    - T. Hastie, R. Tibshirani and J. Friedman (2009). The Elements of Statistical Learning, second edition, section
      4.3.3.
    - M. Kim (2010). Statistical Classification, section 2.2.2.

    Examples
    --------
    >>> model = FisherDiscriminant().fit([[0.0], [2.0], [6.0], [8.0]], ["a", "a", "b", "b"])
    >>> model.eigenvalues_, model.predict([[3.9], [4.1]])
    ([4.5], ['a', 'b'])
    """

    method = "fisher"
    state = (*Canonical.state, "_shares")
    equations = ("ESL-4.15", "ESL-4.16", "ESL-4.3.3-variates", "KIM-2.32", "KIM-2.34")
    fitted = ("classes_", "means_", "eigenvalues_", "scalings_", "condition_")

    def __init__(
        self,
        *,
        between: Any = "weighted",
        n_components: Any = None,
        pseudo_inverse: Any = False,
        arithmetic: Any = "float",
    ) -> None:
        self.between = between
        self.n_components = n_components
        self.pseudo_inverse = pseudo_inverse
        self.arithmetic = arithmetic

    @in_more_digits
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> FisherDiscriminant:
        """Fit to the rows of X with labels y; an integer weight stands for copies of its row."""
        F, sample = self.field(), self.read(X, y, sample_weight)
        representable(sample, self.method)
        self._full = fisher.fit(F, sample, pseudo_inverse=self.one_of("pseudo_inverse", True, False))
        self._shares = shares(sample) if self.one_of("between", "weighted", "centroids") == "weighted" else None
        self.keep(self._full, sample)
        count = self.components(min(sample.p, sample.K - 1))
        if count is not None and count < min(sample.p, sample.K - 1):
            self._model = self.looking()
        self.means_ = table(self._full.means)
        return self

    def looking(self) -> variates.Model:
        """Return the rule that looks at the leading variates only."""
        full, middle = self._full, mixture(self.masses() / self.masses().sum(), self._full.away)
        away = Matrix.of([v - middle for v in full.away])
        return variates.model(self.field(), self._leading, full.means, full.priors, None, away)

    def axes(self) -> variates.Variates:
        """Return the directions, of B weighted or of the centroids."""
        F, model = self.field(), self._full
        if self._shares is not None:
            return variates.weighted(F, model.means, model.metric, self._shares, model.away, model.origin)
        return variates.unweighted(F, model.means, model.metric, model.away, model.origin)

    def masses(self) -> Vector:
        """Return what the means count in B."""
        K, one = len(self._full.means), self.field().kind(1)
        return Vector.of([one / (K - 1)] * K) if self._shares is None else self._shares

    @cached_property
    def certificate_(self) -> Certificate:
        """The proof, exact, from the data as given: by how much what defines the attributes fails, and where."""
        from refclass.estimators.protocol.certificates import canonical_certificate  # loaded when it is first asked for

        self.is_fitted()
        return at_ceiling(self, canonical_certificate.fisher(self))
