"""The names of the columns of a data frame: remembered by `fit`, and held against those of every later one.

Rows are read by position; a frame whose columns stand in another order would be read wrongly, so it is refused.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable
from types import FunctionType
from typing import Any, Callable, Optional

from refclass.errors import InvalidInput

FITTING = ("fit",)
ASKING = ("predict", "predict_proba", "decision_function", "transform", "score", "ties", "votes", "unclassifiable")
NAMES = "feature_names_in_"


def names(X: Any) -> Optional[list[str]]:
    """Return the names of the columns of a data frame; None for anything else, and for columns that are not named."""
    columns = getattr(X, "columns", None)
    if columns is None or not isinstance(columns, Iterable) or isinstance(columns, str):
        return None
    found = list(columns)
    return found if found and all(isinstance(name, str) for name in found) else None


def remembered(kind: Any) -> None:
    """Make the methods of a class of estimators remember, or require, the names of columns."""
    for method, wrap in [(name, _fitting) for name in FITTING] + [(name, _asking) for name in ASKING]:
        found = next((vars(base)[method] for base in kind.__mro__ if method in vars(base)), None)
        if isinstance(found, FunctionType) and not hasattr(found, "names_columns"):
            setattr(kind, method, wrap(found))


def _fitting(fit: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(fit)
    def named(self: Any, X: Any = None, *others: Any, **options: Any) -> Any:
        found = fit(self, X, *others, **options)
        given = names(X)
        self.__dict__.pop(NAMES, None)
        if given is not None:
            self.__dict__[NAMES] = given
        return found

    named.names_columns = True  # type: ignore[attr-defined]
    return named


def _asking(ask: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(ask)
    def named(self: Any, X: Any, *others: Any, **options: Any) -> Any:
        fitted, given = self.__dict__.get(NAMES), names(X)
        if fitted is not None and given is not None and given != fitted:
            raise InvalidInput("data", need=f"the columns {', '.join(fitted)}, in this order", got=", ".join(given))
        return ask(self, X, *others, **options)

    named.names_columns = True  # type: ignore[attr-defined]
    return named
