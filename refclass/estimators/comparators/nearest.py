"""Nearest neighbours."""

from __future__ import annotations

from functools import cached_property
from typing import Any

from refclass.certificate import Certificate
from refclass.discriminants.comparators import nearest, rule_certificate
from refclass.discriminants.decision.exact import concluded, counted
from refclass.estimators.protocol.discriminant import Discriminant, Probabilistic

PREMISE = "votes counted again at rows of the sample, in fractions"


class NearestNeighbors(Probabilistic, Discriminant):
    """The class that most of the nearest points have, in Euclidean distance on X as given  [CMP-KNN] [YANG-T12.3].

        class of x = argmaxₖ #{i : g(i) = k, ‖x − xᵢ‖ ≤ r(x)}        r(x): the distance of the n_neighbors-th nearest

    `predict_proba` gives the shares of the votes. Nothing is fitted: the sample is the model. Distances that roundoff
    could confuse are compared exactly.

    Parameters
    ----------
    n_neighbors : int ≥ 1, default 1
        How many points vote; those that are as far as the last of them vote, too.
    arithmetic : "float", "exact" or "decimal:n", default "float"
        The numbers that are computed with: binary64, fractions, or decimals of n digits.

    Attributes
    ----------
    classes_ : list of K labels
        The classes, sorted where they can be compared, else in order of appearance.
    certificate_ : Certificate
        The proof that the model is the sample.

    Raises
    ------
    InvalidInput
        For bad data or parameters.

    See Also
    --------
    ClassificationTree

    References
    ----------
    - T. M. Cover and P. E. Hart (1967). Nearest neighbor pattern classification. IEEE Transactions on Information
      Theory 13, 21-27.

    Examples
    --------
    >>> NearestNeighbors().fit([[0], [1], [5], [6]], list("aabb")).predict([[2], [4]])
    ['a', 'b']
    """

    method = "nearest_neighbors"
    equations = ("YANG-T12.3",)
    fitted = ("classes_",)

    def __init__(self, *, n_neighbors: Any = 1, arithmetic: Any = "float") -> None:
        self.n_neighbors = n_neighbors
        self.arithmetic = arithmetic

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> NearestNeighbors:
        """Fit to the rows of X with labels y; an integer weight stands for copies of its row."""
        sample = self.read(X, y, sample_weight)
        self.keep(nearest.fit(sample, self.integer("n_neighbors", 1)), sample)
        return self

    def kneighbors(self, X: Any) -> list[list[int]]:
        """Return for each row of X the rows of the sample that vote, nearest first (of positive weight, counted)."""
        return [self._model.neighbours(x) for x in self.rows(X)]

    @cached_property
    def certificate_(self) -> Certificate:
        """That the rule holds the data as given, and that it votes by exact distances, counted again at twenty rows."""
        self.is_fitted()
        found = concluded(
            [*self.delivered(), *rule_certificate.neighbours(self._sample, self._model)], 0, premise=PREMISE
        )
        return counted(found)
