"""Fisher's discriminant analysis."""

from __future__ import annotations

from functools import cached_property
from typing import Any

from refclass.discriminants import fisher, proof, variates
from refclass.estimators.discriminant import Discriminant, table
from refclass.linear.vector import Vector
from refclass.number.field import Number
from refclass.optimise.certificate import Certificate
from refclass.sample.mean import mixture, shares


class FisherDiscriminant(Discriminant):
    """Directions that spread the class means for the spread within; the nearest mean  [ESL-4.15] [ESL-4.16] [KIM-2.32].

        max aᵀBa subject to aᵀWa = 1, each next direction W-orthogonal to those before

    between         "weighted": B = Σ (nₖ/n)(μ̂ₖ − x̄)(μ̂ₖ − x̄)ᵀ; "centroids": the covariance of the K means, divisor K − 1
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
        self._full = fisher.fit(F, sample, pseudo_inverse=self.one_of("pseudo_inverse", True, False))
        self._weighted = self.one_of("between", "weighted", "centroids") == "weighted"
        self.keep(self._full, sample)
        count = self.components(min(sample.p, sample.K - 1))
        if count is not None and count < min(sample.p, sample.K - 1):
            self._model = variates.model(F, self._leading, self._full.means, self._full.priors)
        self.means_ = table(self._full.means)
        return self

    @cached_property
    def _variates(self) -> variates.Variates:
        self.is_fitted()
        F, model = self.field(), self._full
        if self._weighted:
            return variates.weighted(F, model.means, model.metric, shares(self._sample))
        return variates.unweighted(F, model.means, model.metric)

    @property
    def _leading(self) -> variates.Variates:
        """The variates that are looked at."""
        axes, count = self._variates, self.n_components
        return axes if count is None else axes.leading(min(count, len(axes.eigenvalues)))

    @cached_property
    def eigenvalues_(self) -> list[Number]:
        """The variance between the classes along each direction, descending."""
        self.is_fitted()
        if self._sample.K == 2:
            return [variates.two_class_value(self._full.means, self._full.metric, *self._masses())]
        return list(self._variates.eigenvalues)

    def _masses(self) -> tuple[Vector, Vector]:
        """Return what the two means count in B, and their centre."""
        means, one = self._full.means, self._sample.kind(1)
        if self._weighted:
            pi = shares(self._sample)
            return pi, mixture(pi, means)
        return Vector.of([one, one]), (means[0] + means[1]) / 2

    @cached_property
    def scalings_(self) -> list[list[Number]]:
        """The directions as columns, p × r, of variance one within the classes."""
        return table(self._variates.vectors)

    @cached_property
    def condition_(self) -> Number:
        """The largest variance inflation of W: 1 for uncorrelated variables, large where it is nearly singular."""
        self.is_fitted()
        return self._full.metric.condition

    @cached_property
    def certificate_(self) -> Certificate:
        """The proof, exact, from the data as given: by how much the defining equations fail, and where."""
        self.is_fitted()
        return proof.linear(self._sample, self._full, "n-k")

    def transform(self, X: Any) -> list[list[Number]]:
        """Return the coordinates aᵀ(x − m) of each row of X: all of them, or the first n_components."""
        rows = self.rows(X)
        return [list(self._leading.transform(x)) for x in rows]
