"""Classification by least squares."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Any, Optional

from refclass.certificate import Certificate
from refclass.discriminants.decision.exact import concluded
from refclass.discriminants.gaussian import least_squares
from refclass.discriminants.logistic import fit_certificate
from refclass.errors import InvalidInput, quoted
from refclass.estimators.protocol.discriminant import DECIDING, Discriminant
from refclass.estimators.protocol.more_digits import (
    STEEP,
    at_ceiling,
    faint,
    in_more_digits,
    moved,
    steep,
    tiny,
    uneven,
)
from refclass.linear.vector import Vector
from refclass.number.field import Number
from refclass.sample.mean import centred, mean
from refclass.sample.moments import moments
from refclass.sample.observations import Sample


class LeastSquaresClassifier(Discriminant):
    """Regression on codes of the classes  [ESL-4.3-least-squares] [ESL-4.3-masking] [YANG-linear-regression].

        minimise Σᵢ wᵢ (t_g(i) − β₀ − βᵀxᵢ)² + λ‖β‖²

    The direction is that of linear discriminants, whatever the codes; the cut is not, unless classes are of equal size.

    Parameters
    ----------
    coding : "indicator", or a pair of numbers, default "indicator"
        "indicator": a regression on each class's indicator, class of x = argmaxₖ ŷₖ(x). For two classes (t₀, t₁),
        the codes of classes_[0] and classes_[1], any two distinct numbers.
    cutpoint : "midpoint", "gaussian" or "empirical", default "midpoint"
        For two codes, the cut: (t₀ + t₁)/2; where normal classes with one covariance are cut; or where the fewest
        observations err.
    penalty : number ≥ 0, default 0
        λ; the intercept is not penalised.
    pseudo_inverse : bool, default False
        Whether the shortest solution is taken if columns are linearly dependent; otherwise they are refused.
    arithmetic : "float", "exact" or "decimal:n", default "float"
        The numbers that are computed with: binary64, fractions, or decimals of n digits.

    Attributes
    ----------
    classes_ : list of K labels
        The classes, sorted where they can be compared, else in order of appearance.
    coef_ : K × p numbers, or 1 × p
        The coefficients of the regression: one row for two codes, K rows for indicators, of two classes one row,
        those of ŷ₁ − ŷ₀.
    intercept_ : list of K numbers, or of one
        The constants of the same functions.
    certificate_ : Certificate
        The sum of squares, and how far it is above the least, in exact arithmetic from the data as given.

    Raises
    ------
    InvalidInput
        For bad data or parameters.
    NoAnswer
        With a null vector if columns are linearly dependent.

    See Also
    --------
    LinearDiscriminantAnalysis : the same direction

    References
    ----------
    - T. Hastie, R. Tibshirani and J. Friedman (2009). The Elements of Statistical Learning, second edition, sections
      4.2 and 4.3.

    Examples
    --------
    >>> model = LeastSquaresClassifier(coding=(-1, 1), arithmetic="exact")
    >>> model.fit([[0], [2], [6], [8]], ["a", "a", "b", "b"]).coef_, model.intercept_
    ([[Fraction(3, 10)]], [Fraction(-6, 5)])
    """

    method = "least_squares"
    equations = ("ESL-4.3-least-squares", "ESL-4.3-cutpoint", "ESL-4.3-masking", "YANG-linear-regression")
    fitted = ("classes_", "coef_", "intercept_")

    def __init__(
        self,
        *,
        coding: Any = "indicator",
        cutpoint: Any = "midpoint",
        penalty: Any = 0,
        pseudo_inverse: Any = False,
        arithmetic: Any = "float",
    ) -> None:
        self.coding = coding
        self.cutpoint = cutpoint
        self.penalty = penalty
        self.pseudo_inverse = pseudo_inverse
        self.arithmetic = arithmetic

    @in_more_digits
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> LeastSquaresClassifier:
        """Fit to the rows of X with labels y; an integer weight stands for copies of its row."""
        F, sample = self.field(), self.read(X, y, sample_weight)
        penalty = self.number(F, "penalty", least=0)
        pseudo = self.one_of("pseudo_inverse", True, False)
        cutpoint = self.one_of("cutpoint", "midpoint", "gaussian", "empirical")
        if pseudo and penalty:
            raise InvalidInput(self.method, need="either a penalty or the pseudo-inverse", got="both")
        model: least_squares.Model
        if isinstance(self.coding, (str, dict, set)) and self.coding == "indicator":
            if cutpoint != "midpoint":
                raise InvalidInput(self.method, need="a coding of two numbers for a cutpoint", got=quoted(self.coding))
            model = least_squares.indicated(F, sample, penalty=penalty, pseudo_inverse=pseudo)
        else:
            values = self._codes()
            model = least_squares.coded(F, sample, values, cutpoint=cutpoint, penalty=penalty, pseudo_inverse=pseudo)
        self.keep(model, sample)
        return self

    def doubtful(self) -> bool:
        """Return whether doubles leave the normal equations few digits, or another rank than they have."""
        whole = self._sample.whole
        return (
            uneven(self._sample)
            or faint(self._model.regression.fitted)
            or tiny(centred(whole, mean(whole)))
            or bool(STEEP * moved(self._model.regression.coefficients, self._sample.X) > 1)
            or steep(self._model.regression.known, lambda: moments(self._sample).total)
        )

    def without_each(self, X: Any, y: Any, method: str) -> Iterator[Any]:
        """Fit, and return the rules without each row  [CV-LOO]; not for other cutpoints than the midpoint."""
        if self.pseudo_inverse is not False or self.cutpoint != "midpoint" or method not in DECIDING:
            return super().without_each(X, y, method)
        model = self.fit(X, y)._model
        return least_squares.without_each(self.field(), self._sample, model)

    def _codes(self) -> Vector:
        try:
            values = [self.field().parameter(v) for v in self.coding]
        except (TypeError, InvalidInput):
            values = []
        if len(values) != 2 or values[0] == values[1] or isinstance(self.coding, str):
            need = 'coding "indicator", or two distinct numbers'
            raise InvalidInput(self.method, need=need, got=quoted(self.coding))
        return Vector.of(values)

    @cached_property
    def _linear(self) -> tuple[list[Vector], list[Number]]:
        """The coefficients and intercepts, one for each response; two indicators as their difference."""
        self.is_fitted()
        regression = self._model.regression
        rows, constants = list(regression.coefficients.T), list(regression.intercepts)
        if len(rows) == 2:
            return [rows[1] - rows[0]], [constants[1] - constants[0]]
        return rows, constants

    @cached_property
    def coef_(self) -> list[list[Number]]:
        """The coefficients: one row, or K."""
        return [list(row) for row in self._linear[0]]

    @cached_property
    def intercept_(self) -> list[Number]:
        """The intercepts: one, or K."""
        return list(self._linear[1])

    @cached_property
    def certificate_(self) -> Certificate:
        """The proof, exact, from the data as given: the normal equations, the sum of squares and the least one."""
        self.is_fitted()
        F = self.field()
        Y, lam = (
            responses(self._sample, self._codes() if self.coding != "indicator" else None),
            self.number(F, "penalty"),
        )
        found = fit_certificate.squares(self._sample, Y, self.coef_, self.intercept_, lam)
        unique = {"fitted values": True}
        failures = [*self.delivered(), *found.failures]
        proof = concluded(failures, F.eps, premise=found.premise, unique=unique, primal=found.primal, dual=found.dual)
        return at_ceiling(self, proof)

    def score_of(self, x: Vector) -> Any:
        """Return the decision value or values at one point."""
        if isinstance(self._model, least_squares.Coded):
            return self._model.scores(x)
        return super().score_of(x)


def responses(sample: Sample, codes: Optional[Sequence[Number]] = None) -> list[list[Number]]:
    """Return what coef_ and intercept_ are a regression on, a row for each observation, the codes of two classes.

    The indicators of two classes, whose fits sum to one, stand for the one response ŷ₁ − ŷ₀ on −1 and 1.
    """
    if codes is None and sample.K > 2:
        return [[int(g == k) for k in range(sample.K)] for g in sample.labels]
    return [[(codes or (-1, 1))[g]] for g in sample.labels]
