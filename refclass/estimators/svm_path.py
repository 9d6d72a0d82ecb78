"""The regularisation path of the support vector classifier."""

from __future__ import annotations

from array import array
from typing import Any

from refclass.errors import InvalidInput
from refclass.estimators.estimator import Labelled
from refclass.estimators.points import kernel_points, kernel_rows, two_classes
from refclass.estimators.svc import SVC
from refclass.kernels import gram
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector
from refclass.margins import path


class SVMPath(Labelled):
    """Every two-class support vector machine, from λ = ∞ to λ = 0  [ESL-12.33] [ESL-12.34] [ESL-12.3.5-path].

        minimise Σ [1 − yᵢf(xᵢ)]₊ + (λ/2) ‖f‖²,   f(x) = (1/λ) Σ αᵢyᵢK(x, xᵢ) + β₀,   0 ≤ αᵢ ≤ 1

    y is +1 for classes_[1] and −1 for classes_[0]. α and λβ₀ are linear in λ between break points.

    kernel        "linear", {"name": "gaussian", "gamma": 1}, … or a kernel, positive semidefinite
    arithmetic    "float", "exact", "decimal:n"; in exact arithmetic a kernel that is not rational is taken at the
                  binary64 value of each entry of its Gram matrix

    Attributes
        lambdas_ (the break points, falling), and for each of them alphas_ (n multipliers), intercepts_, events_ (pairs
        (kind, row); kind one of from_left, from_right: a point with α = 1 or 0 joins the edge of the band; to_left,
        to_right: one leaves it with α = 1 or 0), classes_

    Raises    InvalidInput for bad data or parameters
    """

    method = "svm_path"
    equations = ("ESL-12.25", "ESL-12.33", "ESL-12.34", "ESL-12.3.5-sets", "ESL-12.3.5-path")
    fitted = ("classes_", "lambdas_", "alphas_", "intercepts_", "events_")

    def __init__(self, *, kernel: Any = "linear", arithmetic: str = "float") -> None:
        self.kernel = kernel
        self.arithmetic = arithmetic

    def fit(self, X: Any, y: Any) -> SVMPath:
        """Follow the path of rows X with labels y of two classes."""
        F = self.field()
        G, kernel, points = kernel_points(F, self.kernel, X)
        self.classes_, signs = two_classes(F, y, len(points))
        whole = G is F and len(points) ** 2 <= gram.LIMIT
        K = gram.gram(F, kernel, points) if whole else kernel_rows(F, G, kernel, points)
        if whole and F.kind is float:
            # Method: a path reads rows many times, and faster where numbers that follow each other lie side by side.
            K = Matrix.of([Vector.of(array("d", row)) for row in K])
        self._model = path.fit(K, signs)
        self._given = G, kernel, points
        self.lambdas_ = self._model.lambdas
        self.alphas_ = self._model.alphas
        self.intercepts_ = self._model.intercepts
        self.events_ = self._model.events
        return self

    def at(self, lam: Any) -> SVC:
        """Return the classifier at λ, fitted: the SVC of C = 1/λ.

        Raises    InvalidInput unless λ is a finite number > 0; NotConverged for one so small that roundoff hides its
                  machine (a break point, the last of lambdas_, is then the least λ that can be asked for)
        """
        self.is_fitted()
        F = self.field()
        try:
            value = F.lift(lam)
        except InvalidInput:
            raise InvalidInput(self.method, need="λ a finite number > 0", got=repr(lam)) from None
        machine, trained = self._model.machine(value), self._model.at(value)
        G, kernel, points = self._given
        found = SVC(C=1 / value, kernel=self.kernel, arithmetic=self.arithmetic)
        found.classes_ = list(self.classes_)
        found._machine, found._trained, found._given = machine, trained, points
        found._describe(F, G, kernel, points)
        return found
