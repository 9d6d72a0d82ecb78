"""Cross-validations and grid searches laid out for people, finished or interrupted."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any, Optional

from refclass.estimators.protocol.split_fit import written
from refclass.estimators.selection.grid_cells import Cell
from refclass.estimators.selection.grid_search import GridSearch
from refclass.estimators.standardizer import Standardized
from refclass.number import text
from refclass.report.commands.trials import Asked
from refclass.report.text import words
from refclass.selection.validate import Fold, Validation


def report(asked: Asked, found: Optional[Any]) -> Iterator[str]:
    """Return the whole report: of a validation, of a search, or, without either, of what is finished."""
    yield heading(asked)
    if found is None:
        yield from partial(asked)
    elif isinstance(found, GridSearch):
        yield from search_lines(found, asked)
    else:
        yield from lines(found)


def heading(asked: Asked) -> str:
    """Return what is judged, on what, and how."""
    question = asked.question
    how = words.counted(len(question.splits), "fold")
    if asked.folds == "leave_one_out":
        how = "leave-one-out"
    elif question.labels is None or asked.stratified is False:
        how += f", seed {asked.seed}"
    else:
        how += f", stratified, seed {asked.seed}"
    size = f"{words.counted(len(asked.y), 'row')}, {words.counted(len(asked.columns), 'column')}"
    return f"{asked.estimator!r} on {size}; target {asked.target}; {how}"


def lines(found: Validation) -> Iterator[str]:
    """Return a cross-validation, line by line: pooled, by fold, by class."""
    if found.rate is None:
        yield f"all {len(found.folds)} folds refused: {found.reason}"
        return
    yield rate(found)
    if 1 < len(found.folds) <= 30:
        yield "by fold: " + " ".join(_of_fold(fold, found) for fold in found.folds)
    if found.standard_error is not None and len(found.folds) < found.n:
        mean, spread = _amount(found.mean, found), _amount(found.standard_error, found)
        yield f"mean of the folds: {mean}, standard error {spread}"
    if found.labels is not None:
        yield from confusion(found)
    if found.refused:
        numbers = ", ".join(map(str, found.refused[:10])) + (", …" if len(found.refused) > 10 else "")
        yield f"refused, not counted: {'fold' if len(found.refused) == 1 else 'folds'} {numbers}: {found.reason}"


def rate(found: Validation) -> str:
    """Return the pooled rate in words: errors, or for numbers the mean squared error."""
    if found.labels is None:
        return f"mean squared error: {words.number(found.rate)} over {found.n} rows"
    return "errors: " + words.share(found.errors, found.n)


def confusion(found: Validation) -> Iterator[str]:
    """Return the table of what was said against what is true."""
    table = found.confusion
    yield from words.table(
        [
            ["predicted \\ true", *map(str, table.classes)],
            *([str(c), *map(str, row)] for c, row in zip(table.classes, table.counts)),
            *([["undecided", *map(str, table.undecided)]] if any(table.undecided) else []),
        ]
    )


def search_lines(found: GridSearch, asked: Asked) -> Iterator[str]:
    """Return a grid search, line by line: the table of its cells, the best, and what to keep in mind."""
    yield from table(found.cells_, found.best_index_)
    best = found.best_validation_
    spread = "" if best.standard_error is None else f", standard error {_amount(best.standard_error, best)}"
    yield f"best: {_named(found.best_params_)}: {rate(best)}{spread}"
    refused = [cell for cell in found.cells_ if cell.validation.refused]
    if refused:
        reason = refused[0].validation.reason
        yield f"refused in some fold, not compared: {words.counted(len(refused), 'cell')}, the first: {reason}"
    for name in found.at_edge_:
        yield f"the best {name} is at the end of its axis: better may lie beyond"
    if found.optimistic_:
        yield "the best cross-validated rate is optimistic: estimate it on held-out rows, or cross-validate the search"
    settings = {**flat(asked.given), **found.best_params_}
    scaled = " --standardize" if isinstance(asked.estimator, Standardized) else ""
    named = " ".join(f"{k}={written(v)}" for k, v in settings.items())
    yield f"next: fit {asked.method} …{scaled} --set {named}"


def flat(parameters: Mapping[str, Any], prefix: str = "") -> dict[str, Any]:
    """Return parameters as NAME=VALUE settings name them, those inside others by a dot.

    Example
        >>> flat({"C": 1, "kernel": {"name": "gaussian", "gamma": 2}})
        {'C': 1, 'kernel.name': 'gaussian', 'kernel.gamma': 2}
    """
    found: dict[str, Any] = {}
    for name, value in parameters.items():
        inner = isinstance(value, Mapping) and value
        found.update(flat(value, f"{prefix}{name}.") if inner else {prefix + name: value})
    return found


def table(cells: list[Cell], best: int) -> Iterator[str]:
    """Return the rates of the cells, the best with a star: a two-way table of two parameters, else one cell a line."""
    names = list(cells[0].parameters)
    shown = {_key(cell): _rate(cell) + ("*" if i == best else "") for i, cell in enumerate(cells)}
    numbers = cells[0].validation.labels is None
    yield "mean squared errors:" if numbers else "errors in percent:"
    if len(names) != 2:
        yield from words.table([[*names, ""], *([*key, rate] for key, rate in shown.items())])
        return
    across, down = ([_short(cell.parameters[name]) for cell in _sorted(cells, name)] for name in names)
    across, down = list(dict.fromkeys(across)), list(dict.fromkeys(down))
    header = [f"{names[1]} \\ {names[0]}", *across]
    yield from words.table([header, *([d, *(shown.get((a, d), "") for a in across)] for d in down)])


def partial(asked: Asked) -> Iterator[str]:
    """Return what is finished of an interrupted cross-validation or search: each name's folds, pooled."""
    groups: dict[str, list[Fold]] = {}
    for name, fold in asked.finished.items():
        groups.setdefault(name.rpartition("; ")[0], []).append(fold)
    question = asked.question
    of = len(question.splits)
    yield f"interrupted: {words.counted(len(asked.finished), 'fit')} finished"
    for name, folds in groups.items():
        found = Validation(tuple(folds), question.labels)
        reported_of = rate(found) if found.n else "refused"
        yield f"  {name + ': ' if name else ''}{len(folds)} of {of} folds, {reported_of}"


def results(found: Optional[Any]) -> Any:
    """Return a validation or a search as JSON holds it, None if it was interrupted."""
    if found is None:
        return None
    if isinstance(found, GridSearch):
        return {
            "best": _cell(found.best_params_, found.best_validation_),
            "at_edge": found.at_edge_,
            "optimistic": found.optimistic_,
            "cells": [_cell(cell.parameters, cell.validation) for cell in found.cells_],
        }
    return {
        "errors": _plain(found.errors),
        "n": found.n,
        "rate": _plain(found.rate),
        "rates": [_plain(r) for r in found.rates],
        "mean": _plain(found.mean),
        "standard_error": found.standard_error,
        "refused": {str(j): found.folds[j].refused for j in found.refused},
    }


def _cell(parameters: Mapping[str, Any], found: Validation) -> dict[str, Any]:
    return {"parameters": {name: written(value) for name, value in parameters.items()}, **results(found)}


def _plain(value: Any) -> Any:
    return value if value is None or isinstance(value, int) else text.approximate(value)


def _named(parameters: Mapping[str, Any]) -> str:
    return ", ".join(f"{name} = {_short(value)}" for name, value in parameters.items())


def _short(value: Any) -> str:
    return f"{float(value):g}" if isinstance(value, (float, Fraction)) else str(value)


def _key(cell: Cell) -> tuple[str, ...]:
    return tuple(_short(value) for value in cell.parameters.values())


def _sorted(cells: list[Cell], name: str) -> list[Cell]:
    """Return the cells in the order of a parameter where its values can be compared."""
    try:
        return sorted(cells, key=lambda cell: cell.parameters[name])
    except TypeError:
        return cells


def _rate(cell: Cell) -> str:
    if cell.rate is None:
        return "refused"
    return _percent(cell.rate) if cell.validation.labels is not None else words.number(cell.rate)


def _percent(rate: Any) -> str:
    return f"{100 * text.approximate(rate):.2f}"


def _amount(rate: Any, found: Validation) -> str:
    """Return a rate of labels in percent, of numbers as it is."""
    return f"{_percent(rate)} %" if found.labels is not None else words.number(rate)


def _of_fold(fold: Fold, found: Validation) -> str:
    if fold.rate is None:
        return "refused"
    return words.number(fold.rate) if found.labels is None else f"{sum(fold.losses)}/{len(fold.losses)}"
