"""The cells of a grid: parameters with their validations."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Callable, Optional

from refclass.estimators.protocol.estimator import Steps
from refclass.estimators.protocol.split_fit import UNDECIDED, Question, named, trying
from refclass.iteration import ending
from refclass.sample import data
from refclass.selection import grid as grids
from refclass.selection import hill_climbing
from refclass.selection.validate import Validation

CRITERIA = ("error", "gacv", "approximate_gacv")


@dataclass(frozen=True)
class Cell:
    """A cell of the grid: its parameters, and what the splits say of them, or the value of a criterion."""

    parameters: dict[str, Any]
    validation: Any = None  # a Validation, or None with a criterion that needs no splits
    value: Any = None
    refused: Optional[str] = None  # why the criterion has no value

    @property
    def rate(self) -> Any:
        """The pooled rate; None if a fit was refused, for then rates of different observations would be compared.

        Without splits the value of the criterion.
        """
        if self.validation is None:
            return self.value
        return None if self.validation.refused else self.validation.rate

    @property
    def name(self) -> str:
        """The parameters as text."""
        return named(self.parameters)

    @property
    def reason(self) -> str:
        """Why the cell has no rate: a refusal that leaves it none, before one for which it may have a rate."""
        folds = () if self.validation is None else self.validation.folds
        reasons = [self.refused or "", *(fold.refused or "" for fold in folds)]
        return min(filter(None, reasons), key=lambda reason: reason.startswith(UNDECIDED), default="")


def climbed(axes: Any, judge: Callable[[list[dict[str, Any]]], Steps[list[Cell]]]) -> Steps[list[Cell]]:
    """Climb on the grid from its middle, and return the cells that were tried, in the order of the grid."""
    every = grids.cells(axes)
    cells: list[Cell] = []

    def height(*values: Any) -> Any:
        (cell,) = ending(judge([dict(zip(axes, values))]))
        cells.append(cell)
        return -math.inf if cell.rate is None else -cell.rate

    problem = hill_climbing.Problem(height, tuple(axes.values()))
    for _ in hill_climbing.steps(problem, tuple((len(values) - 1) // 2 for values in axes.values())):
        yield len(cells), len(every), "hill climbing"
    return sorted(cells, key=lambda cell: every.index(cell.parameters))


def listed(values: Any) -> Any:
    """Return the values of an axis as a list; what is one value as it is."""
    listed = data.plain(values)
    return list(listed) if isinstance(listed, Iterable) and not isinstance(listed, str) else values


def judged(asked: Question, parameters: list[dict[str, Any]], executor: Any, store: Any) -> Steps[list[Cell]]:
    """Do the trials of some cells, and return the cells."""
    trials = {name: trial for cell in parameters for name, trial in asked.trials(cell).items()}
    found = yield from trying(trials, executor, store)
    size = len(asked.splits)
    validations = [Validation(tuple(found[i : i + size]), asked.labels) for i in range(0, len(found), size)]
    return [Cell(cell, validation) for cell, validation in zip(parameters, validations)]
