"""Fitted models as JSON, what a saved model says of the rows of a table, and the file that it is exported as."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import refclass
from refclass.errors import InvalidInput, Refusal, quoted
from refclass.estimators.standardizer import Standardized, Standardizer
from refclass.oracle import problem, stored
from refclass.oracle.table import Table
from refclass.report import export, program
from refclass.report.commands.asking import Preparation
from refclass.report.commands.fitting import Fit

NAMES = ("refclass", "method", "arithmetic", "columns", "classes", "state", "parameters", "indicators", "standardizer")

WITHIN = (ArithmeticError, AssertionError, AttributeError, LookupError, StopIteration, TypeError, ValueError)


@dataclass(frozen=True)
class Loaded:
    """A fitted estimator with the columns of inputs that it takes, and how they come from those of a table."""

    estimator: Any
    columns: tuple[str, ...]
    how: Preparation


def saved(fit: Fit) -> dict[str, Any]:
    """Return the fitted model as JSON holds it.  Raises InvalidInput for a model of a kind that cannot be saved."""
    estimator: Any = fit.estimator
    scaler = None
    if isinstance(estimator, Standardized):
        scaler, estimator = estimator.standardizer_, estimator.estimator_
    if not hasattr(estimator, "predict"):
        raise InvalidInput("fit", need="a method that predicts, for a model to be saved", got=estimator.method)
    return {
        "refclass": refclass.__version__,
        "method": estimator.method,
        "arithmetic": estimator.arithmetic,
        "columns": list(fit.columns),
        "indicators": {name: list(levels) for name, levels in fit.how.indicators.items()},
        "standardizer": scaler and {name: stored.encode(getattr(scaler, name)) for name in scaler.state},
        "classes": stored.encode(list(getattr(estimator, "classes_", []))),
        "state": {name: stored.encode(getattr(estimator, name)) for name in estimator.state},
        "parameters": stored.encode(fit.parameters),
    }


def load(given: Any, source: str) -> Loaded:
    """Return the fitted estimator and its columns.  Raises InvalidInput for what `saved` cannot have written."""
    if not isinstance(given, dict) or any(name not in given for name in NAMES):
        raise InvalidInput(source, need="a model that `fit --save` wrote", got="another file")
    if given["refclass"] != refclass.__version__:
        raise InvalidInput(source, need=f"a model of version {refclass.__version__}", got=given["refclass"])
    estimator: Any = problem.make(given["method"], stored.decode(given["parameters"]), given["arithmetic"])
    _state(estimator, given["state"], source)
    if estimator.takes_labels:
        classes = stored.decode(given["classes"])
        if not isinstance(classes, list) or len(classes) < 2:
            raise InvalidInput(source, need="at least two classes", got=quoted(classes))
        estimator.classes_ = classes
    if given["standardizer"] is not None:
        outer = Standardized(estimator=estimator)
        outer.standardizer_, outer.estimator_ = Standardizer(arithmetic=given["arithmetic"]), estimator
        _state(outer.standardizer_, given["standardizer"], source)
        estimator = outer
    indicators, columns = given["indicators"], given["columns"]
    levels = list(indicators.values()) if isinstance(indicators, dict) else [None]
    if not isinstance(columns, list) or not all(isinstance(v, list) for v in levels) or not _names(columns):
        raise InvalidInput(source, need="names of columns, and indicators by column", got=[columns, indicators])
    return Loaded(estimator, tuple(columns), Preparation(indicators, given["standardizer"] is not None))


def _names(columns: list[Any]) -> bool:
    return all(isinstance(name, str) for name in columns)


def _state(estimator: Any, given: Any, source: str) -> None:
    if not isinstance(given, dict) or set(given) != set(estimator.state):
        raise InvalidInput(source, need=f"the state {', '.join(estimator.state)}", got=given)
    for name, value in given.items():
        setattr(estimator, name, stored.decode(value))


def predict(loaded: Loaded, data: Table) -> list[Any]:
    """Return the predictions of a loaded model for the rows of a table."""
    return _asked(loaded, data, "predict")


def answers(loaded: Loaded, data: Table, probabilities: bool, scores: bool) -> list[tuple[Any, ...]]:
    """Return a header and for each row of a table its prediction, with probabilities and decision values if asked.

    Raises    InvalidInput for a model that has none
    """
    columns: list[tuple[str, list[Any]]] = [("prediction", predict(loaded, data))]
    with _from_outside("predict"):
        if probabilities:
            columns += _named(loaded, "probability", _asked(loaded, data, "predict_proba"))
        if scores:
            columns += _named(loaded, "score", _asked(loaded, data, "decision_function"))
    return [tuple(name for name, _ in columns), *zip(*(values for _, values in columns))]


def _named(loaded: Loaded, what: str, found: list[Any]) -> list[tuple[str, list[Any]]]:
    """Return columns of numbers with their names: of classes, of machines, or of classes_[1] alone."""
    classes = list(loaded.estimator.classes_)
    if not isinstance(found[0], (list, tuple)):
        return [(f"{what} of {classes[1]}", found)]
    names = classes if len(classes) == len(found[0]) else _machines(loaded.estimator, len(found[0]))
    return [(f"{what} of {name}", [row[j] for row in found]) for j, name in enumerate(names)]


def _machines(estimator: Any, many: int) -> Sequence[Any]:
    inner = getattr(estimator, "estimator_", estimator)
    found: Sequence[Any] = inner.names() if hasattr(inner, "names") else range(many)
    return found if len(found) == many else range(many)


def _asked(loaded: Loaded, data: Table, what: str) -> list[Any]:
    """Return what a method of the estimator says of the rows of a table."""
    estimator = loaded.estimator
    ask = getattr(estimator, what, None)
    if ask is None:
        kind = {"predict_proba": "probabilities", "decision_function": "scores"}[what]
        raise InvalidInput(
            "predict", need=f"a method that gives {kind}", got=getattr(estimator, "estimator_", estimator).method
        )
    X = loaded.how.of(data).numbers(loaded.columns, estimator.field().lift)
    with _from_outside("predict"):
        return list(ask(X))


def exported(loaded: Loaded, language: str) -> str:
    """Return a loaded model as a file that predicts, in a language.  Raises InvalidInput."""
    with _from_outside("export"):
        return export.export(program.program(loaded.estimator, loaded.columns), language)


@contextmanager
def _from_outside(command: str) -> Iterator[None]:
    """Refuse in words a stored model whose parts do not fit together: it is data from outside."""
    try:
        yield
    except Refusal:
        raise
    except WITHIN as error:
        raise InvalidInput(command, need="a stored model whose parts fit together", got=quoted(error)) from None
