"""Columns with mean zero and standard deviation one, and an estimator that is fitted to such columns."""

from __future__ import annotations

import math
from fractions import Fraction
from functools import partial
from typing import Any, Callable, ClassVar, Optional

from refclass.errors import InvalidInput, NotExact, quoted
from refclass.estimators.protocol.estimator import Estimator, Steps
from refclass.iteration import ending
from refclass.linear.vector import Vector
from refclass.number.binary64 import denormal
from refclass.number.field import Field, Number, rational
from refclass.sample import data
from refclass.sample.mean import FAR


class Standardizer(Estimator):
    """Columns shifted to mean zero and divided by their standard deviation.

        zⱼ = (xⱼ − mⱼ) / sⱼ,    mⱼ = Σ wᵢxᵢⱼ / Σ wᵢ,    sⱼ² = Σ wᵢ(xᵢⱼ − mⱼ)² / Σ wᵢ

    A root is irrational: sⱼ is the double nearest to it, a rational number. In exact arithmetic z is exact: what is
    fitted to z is proven for it. A column that lies far from zero is shifted by its mean in fractions, from the numbers
    as given, and rounded once. A column that does not vary is shifted only.

    Parameters
    ----------
    arithmetic : str, default "float"
        "float", "exact", or "decimal:n".

    Attributes
    ----------
    center_ : list of numbers
        The means m, rounded.
    scale_ : list of numbers
        The deviations s, 1 for a constant column.

    Raises
    ------
    InvalidInput
        For bad data, and for a column whose deviation is beyond the range of doubles.

    References
    ----------
    - T. Hastie, R. Tibshirani and J. Friedman (2009). The Elements of Statistical Learning, second edition, section
      3.4.1.

    Examples
    --------
    >>> model = Standardizer(arithmetic="exact").fit([[1, 5], [3, 5]])
    >>> model.center_, model.scale_, model.transform([[4, 6]])
    ([Fraction(2, 1), Fraction(5, 1)], [Fraction(1, 1), Fraction(1, 1)], [[Fraction(2, 1), Fraction(1, 1)]])
    """

    method = "standardizer"
    equations = ()
    fitted = ("center_", "scale_")
    arithmetics: ClassVar[tuple[str, ...]] = ()  # none of its own: it is no method of classification
    state = ("center_", "scale_", "_far")

    def __init__(self, *, arithmetic: str = "float") -> None:
        self.arithmetic = arithmetic

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Standardizer:
        """Find the means and the deviations of the columns of X; y is not looked at."""
        F = self.field()
        rows = data.matrix(F, X)
        weights = [rational(w) for w in data.weight_vector(F, sample_weight, len(rows))]
        if not any(weights):
            raise InvalidInput("data", need="a positive weight in sample_weight", got="none")
        found = [_moments(j, column, weights) for j, column in enumerate(zip(*rows.exactly()))]
        self.center_, self.scale_ = [F.lift(m) for m, _ in found], [F.lift(s) for _, s in found]
        self._far = [m if not F.exact and abs(m) > FAR * s else None for m, s in found]
        return self

    def is_fitted(self) -> None:
        """Raises InvalidInput if `fit` has not been called."""
        if not hasattr(self, "scale_"):
            raise InvalidInput(self.method, need="a fitted estimator (call fit first)", got="none")

    def transform(self, X: Any) -> list[list[Number]]:
        """Return the rows of X in standard units.  Raises NotExact for a row that no double holds in them."""
        self.is_fitted()
        F = self.field()
        rows = data.matrix(F, X, columns=len(self.scale_))
        found = []
        for i, row in enumerate(rows):
            standard = [(v - m) / s for v, m, s in zip(row, self.center_, self.scale_)]
            found.append([_held(F, z, partial(self._exactly, row, j), row=i, column=j) for j, z in enumerate(standard)])
        for j, mean in enumerate(self._far):
            if mean is not None:
                scale = rational(self.scale_[j])
                for z, row in zip(found, rows):
                    z[j] = F.delivered(self.method, (row.exactly()[j] - mean) / scale)
        return found

    def _exactly(self, row: Vector, j: int) -> Fraction:
        found: Fraction = (row.exactly()[j] - rational(self.center_[j])) / rational(self.scale_[j])
        return found

    def steps(self) -> list[tuple[list[Number], list[Number]]]:
        """Return centres and scales that standardise one after the other in doubles."""
        self.is_fitted()
        left = [
            Fraction(0) if mean is None else (mean - rational(m)) / rational(s)
            for mean, m, s in zip(self._far, self.center_, self.scale_)
        ]
        first = (self.center_, self.scale_)
        return [first, (list(map(float, left)), [float(1)] * len(left))] if any(left) else [first]

    def fit_transform(self, X: Any, y: Any = None, sample_weight: Any = None) -> list[list[Number]]:
        """Fit, and return the rows of X in standard units."""
        return self.fit(X, y, sample_weight).transform(X)

    def inverse_transform(self, Z: Any) -> list[list[Number]]:
        """Return rows in standard units in their own units again."""
        self.is_fitted()
        F = self.field()
        rows = data.matrix(F, Z, columns=len(self.scale_))
        found = []
        for i, row in enumerate(rows):
            own = [v * s + m for v, m, s in zip(row, self.center_, self.scale_)]
            found.append([_held(F, v, partial(self._back, row, j), row=i, column=j) for j, v in enumerate(own)])
        return found

    def _back(self, row: Vector, j: int) -> Fraction:
        found: Fraction = row.exactly()[j] * rational(self.scale_[j]) + rational(self.center_[j])
        return found


def _held(F: Field, value: Number, exactly: Callable[[], Fraction], **place: int) -> Number:
    """Return a value, computed anew in fractions where a double on the way overflowed.  Raises NotExact."""
    if not isinstance(value, float) or math.isfinite(value):
        return value
    try:
        return F.lift(exactly())
    except InvalidInput:
        need = "rows within the range of doubles in the units asked for"
        raise NotExact("standardizer", need=need, got="a larger one", **place) from None


def _moments(j: int, values: tuple[Fraction, ...], weights: list[Fraction]) -> tuple[Fraction, Fraction]:
    """Return the mean of a column, exactly, and its deviation, rounded once to a double."""
    total = sum(weights)
    mean = sum((w * v for w, v in zip(weights, values)), Fraction(0)) / total
    square = sum((w * (v - mean) ** 2 for w, v in zip(weights, values)), Fraction(0)) / total
    if not square:
        return mean, Fraction(1)
    # Method: the root of the square as a mantissa of 120 bits times a power of four has 60 bits. One more, set where
    # the root is no whole number, keeps it off the middle of two doubles: its nearest double is that of the root.
    shift = (square.numerator.bit_length() - square.denominator.bit_length() - 120) // 2
    mantissa = square / Fraction(4) ** shift
    whole = math.isqrt(int(mantissa))
    root = Fraction(2 * whole + (whole * whole != mantissa)) * Fraction(2) ** (shift - 1)
    try:
        scale = float(root)
    except OverflowError:
        scale = math.inf
    if not 0 < scale < math.inf or denormal(scale):
        raise InvalidInput("standardizer", need="a deviation within the range of normal doubles", got=scale, column=j)
    return mean, Fraction(scale)


class Standardized(Estimator):
    """An estimator fitted to standardised columns: each fit standardises by the rows it is given, and no others.

        f(x) = g((x − m) / s),    m and s those of `Standardizer` on the rows that g is fitted to

    Parameters
    ----------
    estimator : estimator
        The estimator g; its parameters are set by their own names, C as well as estimator.C.

    Attributes
    ----------
    standardizer_ : Standardizer
        The means and deviations of the rows that were fitted.
    estimator_ : estimator
        The fitted estimator, whose own fitted attributes are found here, too.

    Raises
    ------
    InvalidInput
        For bad data; what the estimator refuses is raised as it is.

    References
    ----------
    - T. Hastie, R. Tibshirani and J. Friedman (2009). The Elements of Statistical Learning, second edition, section
      3.4.1.

    Examples
    --------
    >>> from refclass import NearestNeighbors
    >>> model = Standardized(estimator=NearestNeighbors()).fit([[0, 0], [1, 900], [5, 0], [6, 900]], list("aabb"))
    >>> model.predict([[2, 900]]), model.standardizer_.center_
    (['a'], [3.0, 450.0])
    """

    method = "standardized"
    equations = ()
    fitted = ()
    arithmetics: ClassVar[tuple[str, ...]] = ()
    state = ("standardizer_", "estimator_")

    def __init__(self, *, estimator: Any) -> None:
        self.estimator = estimator

    @property
    def _estimator_type(self) -> Optional[str]:  # type: ignore[override]
        kind: Optional[str] = self.estimator._estimator_type
        return kind

    @property
    def takes_labels(self) -> bool:  # type: ignore[override]
        """Whether y holds labels of classes."""
        return bool(self.estimator.takes_labels)

    @property
    def arithmetic(self) -> Any:
        """The arithmetic of the estimator, or of those that it is made of."""
        return self.estimator.field().name

    def set_params(self, **values: Any) -> Any:
        """Set parameters of the estimator by their own names, or the estimator itself."""
        inner = {k: v for k, v in values.items() if k.partition("__")[0] != "estimator"}
        self.estimator.set_params(**inner)
        return super().set_params(**{k: v for k, v in values.items() if k not in inner})

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Standardized:
        """Standardise the rows of X, and fit the estimator to them with responses y."""
        return ending(self.fit_steps(X, y, sample_weight))

    def fit_steps(self, X: Any, y: Any, sample_weight: Any = None) -> Steps[Standardized]:
        """Fit as `fit` does, and yield on the way how much is done, of how much, in words; return the estimator."""
        if not isinstance(self.estimator, Estimator):
            raise InvalidInput(self.method, need="an estimator", got=quoted(self.estimator))
        weights = {} if sample_weight is None else {"sample_weight": sample_weight}
        self.standardizer_ = Standardizer(arithmetic=self.arithmetic).fit(X, sample_weight=sample_weight)
        fresh: Any = type(self.estimator)(**self.estimator.get_params(deep=False))
        rows = self.standardizer_.transform(X)
        if hasattr(fresh, "fit_steps"):
            yield from fresh.fit_steps(rows, y, **weights)
        else:
            fresh.fit(rows, y, **weights)
        self.estimator_ = fresh
        return self

    def is_fitted(self) -> None:
        """Raises InvalidInput if `fit` has not been called."""
        if "estimator_" not in vars(self):
            raise InvalidInput(self.method, need="a fitted estimator (call fit first)", got="none")

    def predict(self, X: Any) -> list[Any]:
        """Return what the estimator says of the rows of X."""
        self.is_fitted()
        said: list[Any] = self.estimator_.predict(self.standardizer_.transform(X))
        return said

    def _asked(self, name: str, X: Any) -> Any:
        self.is_fitted()
        return getattr(self.estimator_, name)(self.standardizer_.transform(X))

    def score(self, X: Any, y: Any) -> Any:
        """Return the score of the estimator."""
        self.is_fitted()
        return self.estimator_.score(self.standardizer_.transform(X), y)

    def __getattr__(self, name: str) -> Any:
        if name in ("decision_function", "predict_proba", "transform", "ties", "votes", "unclassifiable"):
            # Premise: what the estimator does not have, this has not; before a fit what it would have.
            getattr(vars(self).get("estimator_") or vars(self)["estimator"], name)
            return partial(self._asked, name)
        if name.endswith("_") and not name.startswith("__") and "estimator_" in vars(self):
            return getattr(self.estimator_, name)
        raise AttributeError(f"{type(self).__name__} has no attribute {name!r}")
