"""What discriminants with canonical variates share: the directions, what varies along them, and their coordinates."""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property
from inspect import getattr_static
from typing import TYPE_CHECKING, Any

from refclass.discriminants.gaussian import variates
from refclass.estimators.protocol.discriminant import Discriminant, table
from refclass.estimators.protocol.estimator import clone
from refclass.estimators.protocol.more_digits import ASKED, WRONG, limit, steep
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector
from refclass.number.field import Number
from refclass.number.text import approximate
from refclass.number.tolerance import roundoff

if TYPE_CHECKING:
    from refclass.sample.moments import Moments


class Canonical(Discriminant):
    """A discriminant over a linear model with all its directions, of which the first n_components are looked at."""

    state = (*Discriminant.state, "_full")
    shifted = True
    n_components: Any
    _full: Any

    def axes(self) -> variates.Variates:
        """Return all canonical variates."""
        raise NotImplementedError

    def masses(self) -> Vector:
        """Return what each class mean counts in the variance between the classes."""
        raise NotImplementedError

    def doubtful(self) -> bool:
        """Return whether doubles leave the covariance few digits, or another rank, or nearly equal class means."""
        known = self._full.metric
        apart = max(map(known.squared, self._full.away))
        if apart * limit(type(apart)) ** 2 < 1 and len(set(self._exactly().means)) > 1:
            return True
        if self._outlying(apart, limit(type(apart))):
            return True
        return steep(known, lambda: self._exactly().within)

    def blurred(self) -> str:
        """Return in words how far from others a class lies, if so far that labels of these may be wrong."""
        apart = max(map(self._full.metric.squared, self._full.away))
        far = self._outlying(apart, 1 / (WRONG * roundoff(type(apart))))
        return f"one {approximate(apart) ** (1 / 2):.1e} standard deviations away" if far else ""

    def _outlying(self, apart: Number, share: Number) -> bool:
        """Return whether a class lies so far from others that roundoff of the scores hides which of these is nearer.

        Scores are of the size of D², D the distance of the farthest mean from the common one, and those of two classes
        whose means are s apart differ by about s, both in standard deviations within the classes.

        apart    D²
        share    of D² of which s is too small a part
        """
        means, known = self._full.away, self._full.metric
        if len(means) < 3 or apart * 1000 < share:  # Premise: means nearer than 10⁻³ have fewer digits of their own.
            return False
        pairs = (known.squared(v - w) for i, v in enumerate(means) for w in means[:i] if v != w)
        return bool(min(pairs, default=apart) * share**2 < apart * apart)

    def _exactly(self) -> Moments:
        """Return the exact moments of the data."""
        from refclass.sample.moments import moments  # loaded where doubles do not say enough

        return moments(self._sample)

    @cached_property
    def _variates(self) -> variates.Variates:
        self.is_fitted()
        return self.axes()

    @property
    def _leading(self) -> variates.Variates:
        """The variates that are looked at."""
        axes, count = self._variates, self.n_components
        return axes if count is None else axes.leading(min(count, len(axes.eigenvalues)))

    def looking(self) -> variates.Model:
        """Return the rule that looks at the leading variates only."""
        raise NotImplementedError

    def whole(self) -> Any:
        """Return the same fit with all its variates: itself."""
        return self

    def along(self, Q: Matrix) -> Any:
        """Return the same fit with variates that are all of them times Q: of equal eigenvalues, one choice of many."""
        known: Any = clone(self)
        for name, value in vars(self).items():
            if name not in (*ASKED, "_twin") and not isinstance(getattr_static(known, name, None), cached_property):
                vars(known)[name] = value
        known._variates = replace(self._variates, vectors=self._variates.vectors @ Q)
        known._model = known.looking()
        return known

    @cached_property
    def eigenvalues_(self) -> list[Number]:
        """The variance between the classes along each direction, descending."""
        self.is_fitted()
        model = self._full
        if len(model.means) == 2:
            return [variates.two_class_value(model.away, model.metric, self.masses())]
        return list(self._variates.eigenvalues)

    @cached_property
    def scalings_(self) -> list[list[Number]]:
        """The directions as columns, p × r, of variance one within the classes."""
        return table(self._variates.vectors)

    @cached_property
    def condition_(self) -> Number:
        """The covariance's largest variance inflation: 1 for uncorrelated variables, large where nearly singular."""
        self.is_fitted()
        value: Number = self._full.metric.condition
        return value

    def transform(self, X: Any) -> list[list[Number]]:
        """Return the coordinates vₗᵀ(x − m) of each row of X: all of them, or the first n_components."""
        rows = self.rows(X)
        return self._each(rows, lambda x: list(self._leading.transform(x)))
