"""Fisher's discriminant analysis."""

from __future__ import annotations

from functools import cached_property
from typing import Any

from refclass.certificate import Certificate
from refclass.discriminants.gaussian import fisher, variates
from refclass.estimators.protocol.canonical import Canonical
from refclass.estimators.protocol.discriminant import table
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector
from refclass.sample.mean import mixture, shares
from refclass.sample.units import representable


class FisherDiscriminant(Canonical):
    """Directions that separate the class means best; the nearest mean  [ESL-4.15] [ESL-4.16] [KIM-2.32].

        max aᵀBa subject to aᵀWa = 1, each next direction W-orthogonal to those before

    between         "weighted": B = Σ (nₖ/n)(μ̂ₖ − x̄)(μ̂ₖ − x̄)ᵀ; "centroids": the covariance of the K means, divisor K
                    − 1
    n_components    None: all directions, or how many are looked at
    pseudo_inverse  False: a singular W is refused; True: its pseudo-inverse is used
    arithmetic      "float", "exact", "decimal:n"

    W is the pooled covariance, divisor n − K. A point is given to the nearest class mean along the directions, without
    priors: for two classes the midpoint rule [KIM-2.34].

    Attributes
        classes_, means_, eigenvalues_ (aᵀBa, descending), scalings_ (p × r, columns a), condition_ (the largest
        variance inflation of W), certificate_. Labels on all directions are exact in exact arithmetic; eigenvalues
        too for two classes.

    Raises    InvalidInput for bad data or parameters; NoAnswer with a null vector if W is singular

    Example
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

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> FisherDiscriminant:
        """Fit to the rows of X with labels y; an integer weight stands for copies of its row."""
        F, sample = self.field(), self.read(X, y, sample_weight)
        representable(sample, self.method)
        self._full = fisher.fit(F, sample, pseudo_inverse=self.one_of("pseudo_inverse", True, False))
        self._shares = shares(sample) if self.one_of("between", "weighted", "centroids") == "weighted" else None
        self.keep(self._full, sample)
        count = self.components(min(sample.p, sample.K - 1))
        if count is not None and count < min(sample.p, sample.K - 1):
            full, middle = self._full, mixture(self.masses() / self.masses().sum(), self._full.away)
            away = Matrix.of([v - middle for v in full.away])
            self._model = variates.model(F, self._leading, full.means, full.priors, None, away)
        self.means_ = table(self._full.means)
        return self

    def axes(self) -> variates.Variates:
        """Return the directions, of B weighted or of the centroids."""
        F, model = self.field(), self._full
        if self._shares is not None:
            return variates.weighted(F, model.means, model.metric, self._shares, model.away)
        return variates.unweighted(F, model.means, model.metric, model.away)

    def masses(self) -> Vector:
        """Return what the means count in B."""
        K, one = len(self._full.means), self.field().kind(1)
        return Vector.of([one / (K - 1)] * K) if self._shares is None else self._shares

    @cached_property
    def certificate_(self) -> Certificate:
        """The proof, exact, from the data as given: by how much what defines the attributes fails, and where."""
        from refclass.estimators.protocol import canonical_certificate  # loaded when it is first asked for

        self.is_fitted()
        return canonical_certificate.fisher(self)
