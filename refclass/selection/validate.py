"""What splits say of a model: the loss of each observation that it was not fitted to, their sum, mean and spread.

A loss is a number: 1 for a wrong label and 0 for the right one, or the square of a residual.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any, Optional

from refclass.errors import InvalidInput
from refclass.number.binary64 import BINARY64
from refclass.number.field import Field, Number
from refclass.sample import data
from refclass.selection.confusion import Confusion, confusion


@dataclass(frozen=True)
class Fold:
    """What a model, fitted to the others, said of the observations of one test set.

    test       their places
    said       what was said of each; none if the fit was refused
    losses     what that costs
    refused    None, or why the model could not be fitted to the others
    """

    test: tuple[int, ...]
    said: tuple[Any, ...] = ()
    losses: tuple[Number, ...] = ()
    refused: Optional[str] = None

    @property
    def rate(self) -> Optional[Number]:
        """The mean loss, None if the fit was refused."""
        return mean(self.losses) if self.losses else None


@dataclass(frozen=True)
class Validation:
    """What all splits say together.

    folds     one for each split, in their order
    labels    the true labels of all observations; None for numbers
    """

    folds: tuple[Fold, ...]
    labels: Optional[tuple[Hashable, ...]] = None

    @property
    def n(self) -> int:
        """How many judgements there are: as many as observations, if the test sets part them."""
        return sum(len(fold.losses) for fold in self.folds)

    @cached_property
    def errors(self) -> Number:
        """The sum of all losses: of labels, the number of errors."""
        losses = [loss for fold in self.folds for loss in fold.losses]
        return sum(losses[1:], losses[0]) if losses else 0

    @property
    def rate(self) -> Optional[Number]:
        """The mean loss of all judgements, pooled  [CV-KFOLD] [MMST-T11.2] [MMST-T11.3]; None without any.

        Of labels, n times the rate is the number of errors.
        """
        return _share(self.errors, self.n) if self.n else None

    @property
    def rates(self) -> list[Number]:
        """The mean loss of each fold, without those refused."""
        return [fold.rate for fold in self.folds if fold.rate is not None]

    @property
    def mean(self) -> Optional[Number]:
        """The mean of the folds' rates: the pooled rate, if the folds are of one size; None without any."""
        return mean(self.rates) if self.rates else None

    @property
    def standard_error(self) -> Optional[float]:
        """The standard error of the mean of the folds' rates, in double precision; None for fewer than two folds."""
        return standard_error(BINARY64, self.rates) if len(self.rates) > 1 else None

    @property
    def refused(self) -> list[int]:
        """The numbers of the folds whose fit was refused."""
        return [j for j, fold in enumerate(self.folds) if fold.refused is not None]

    @property
    def reason(self) -> Optional[str]:
        """Why the first of the refused folds was refused, None if none was."""
        return next((fold.refused for fold in self.folds if fold.refused is not None), None)

    @property
    def predictions(self) -> list[Any]:
        """What was said of each observation, in their order; None where nothing was, the last where several things."""
        size = 1 + max(i for fold in self.folds for i in fold.test) if self.labels is None else len(self.labels)
        found: list[Any] = [None] * size
        for fold in self.folds:
            for i, said in zip(fold.test, fold.said):
                found[i] = said
        return found

    @property
    def confusion(self) -> Confusion:
        """What was said against what is true, pooled.  Raises InvalidInput for numbers, or if every fit was refused."""
        if self.labels is None:
            raise InvalidInput("validate", need="labels", got="numbers")
        pairs = [(self.labels[i], said) for fold in self.folds for i, said in zip(fold.test, fold.said)]
        classes, _ = data.labels([*self.labels, *(said for _, said in pairs if said is not None)])
        return confusion([truth for truth, _ in pairs], [said for _, said in pairs], classes)


def mean(values: Sequence[Number]) -> Number:
    """Return (1/m) Σ vᵢ, a fraction of whole numbers.  Raises InvalidInput if there are none.

    Exact     yes
    """
    if not values:
        raise InvalidInput("validate", need="at least one value", got="none")
    return _share(sum(values[1:], values[0]), len(values))


def variance(values: Sequence[Number]) -> Number:
    """Return Σ(vᵢ − v̄)²/(m − 1).  Raises InvalidInput for fewer than two values.

    Exact     yes
    """
    if len(values) < 2:
        raise InvalidInput("validate", need="at least two values", got=len(values))
    centre = mean(values)
    squares = [(v - centre) * (v - centre) for v in values]
    return _share(sum(squares[1:], squares[0]), len(values) - 1)


def standard_error(F: Field, values: Sequence[Number]) -> Number:
    """Return the standard error of the mean of m values, independent and of one distribution  [ESL-T12.2] [SIM-50].

        sd/√m,   sd² = Σ(vᵢ − v̄)²/(m − 1)

    Test sets of one cross-validation share their training sets: there it is a rough guide.

    Exact     the variance; one root
    Raises    InvalidInput for fewer than two values
    """
    return F.sqrt(F.lift(variance(values)) / len(values))


def _share(total: Number, n: int) -> Number:
    return Fraction(total, n) if isinstance(total, int) else total / n
