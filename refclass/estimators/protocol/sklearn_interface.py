"""What scikit-learn requires of an estimator before it works with it, answered without importing scikit-learn.

Its `clone`, `cross_val_score`, `GridSearchCV` and `Pipeline` take any object with `fit`, `get_params` and `set_params`
that says whether it is a classifier: old versions read `_estimator_type`, recent ones call `__sklearn_tags__` and read
what stands here. The names of the columns of a data frame are remembered by `fit`, and held against those of every
later one: rows are read by position, and a frame whose columns stand in another order would be read wrongly.
"""

from __future__ import annotations

import functools
import sys
from collections.abc import Iterable, Mapping
from types import FunctionType, SimpleNamespace
from typing import Any, Callable, Optional

from refclass.errors import InvalidInput

FITTING = ("fit",)
ASKING = ("predict", "predict_proba", "decision_function", "transform", "score", "ties", "votes", "unclassifiable")
NAMES = "feature_names_in_"


class Labels(list[Any]):
    """A list of labels that also gives itself up as a list, as scikit-learn's scorers of two classes ask of it."""

    def tolist(self) -> list[Any]:
        """Return the labels as a plain list."""
        return list(self)


def tags(estimator: Any, pairwise: bool, labelled: bool) -> Any:
    """Return the tags of an estimator: records of scikit-learn where it is imported, else records of the same shape.

    pairwise    whether X is a square table of kernel values, of which a subset of points has rows and columns
    labelled    whether `fit` needs y
    """
    kind = estimator._estimator_type
    many = not getattr(estimator, "only_two_classes", False)
    transforms = callable(getattr(type(estimator), "transform", None))
    return _record(
        "Tags",
        estimator_type=kind,
        target_tags=_record(
            "TargetTags", required=labelled, one_d_labels=False, two_d_labels=False, positive_only=False,
            multi_output=kind == "regressor", single_output=True,
        ),
        transformer_tags=_record("TransformerTags", preserves_dtype=[]) if transforms else None,
        classifier_tags=_record("ClassifierTags", poor_score=False, multi_class=many, multi_label=False)
        if kind == "classifier"
        else None,
        regressor_tags=_record("RegressorTags", poor_score=False) if kind == "regressor" else None,
        array_api_support=False,
        no_validation=False,
        non_deterministic=False,
        requires_fit=True,
        _skip_test=False,
        input_tags=_record(
            "InputTags", one_d_array=False, two_d_array=True, three_d_array=False, sparse=False, categorical=False,
            string=False, dict=False, positive_only=False, allow_nan=False, pairwise=pairwise,
        ),
    )  # fmt: skip


def _record(name: str, **values: Any) -> Any:
    # Premise: scikit-learn requires tags, so it is imported then; nothing is imported here.
    kind = getattr(sys.modules.get("sklearn.utils"), name, SimpleNamespace)
    return kind(**values)


def is_pairwise(estimator: Any) -> bool:
    """Return whether an estimator, or one among its parameters, takes a precomputed kernel, so that X is its table."""
    return any(_is_table(name, value) for name, value in estimator.get_params(deep=False).items())


def _is_table(name: str, value: Any) -> bool:
    if hasattr(value, "get_params") and not isinstance(value, type):
        return is_pairwise(value)
    if name == "kernel":
        described = value.get("name") if isinstance(value, Mapping) else value
        return described == "precomputed" or type(described).__name__ == "Precomputed"
    return isinstance(value, Mapping) and any(_is_table(str(inner), v) for inner, v in value.items())


def part(estimator: Any, X: Any, rows: Any, columns: Any) -> list[Any]:
    """Return those rows of X; of a table of kernel values, those columns of them: the points that are fitted to."""
    if is_pairwise(estimator):
        return [[X[i][j] for j in columns] for i in rows]
    return [X[i] for i in rows]


def names(X: Any) -> Optional[list[str]]:
    """Return the names of the columns of a data frame; None for anything else, and for columns that are not named."""
    columns = getattr(X, "columns", None)
    if columns is None or not isinstance(columns, Iterable) or isinstance(columns, str):
        return None
    found = list(columns)
    return found if found and all(isinstance(name, str) for name in found) else None


def remembered(kind: Any) -> None:
    """Make `fit` remember, and other methods require, the names of columns; one that is refused changes nothing."""
    for method, wrap in [(name, _fitting) for name in FITTING] + [(name, _asking) for name in ASKING]:
        found = next((vars(base)[method] for base in kind.__mro__ if method in vars(base)), None)
        if isinstance(found, FunctionType) and not hasattr(found, "names_columns"):
            setattr(kind, method, wrap(found))


def _fitting(fit: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(fit)
    def named(self: Any, X: Any = None, *others: Any, **options: Any) -> Any:
        before = dict(vars(self))
        try:
            found = fit(self, X, *others, **options)
        except BaseException:  # What a fit had set when it was refused would be asked for answers.
            vars(self).clear()
            vars(self).update(before)
            raise
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
