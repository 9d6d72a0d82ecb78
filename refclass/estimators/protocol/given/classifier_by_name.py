"""A two-class estimator by its name, for the classifiers made of several."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from refclass.errors import InvalidInput, quoted
from refclass.estimators import names
from refclass.estimators.protocol.estimator import Classifier, Estimator, clone

OWED = ("fit", "decision_function", "get_params")  # what a two-class estimator must have, whoever wrote it


def fresh(description: Any, arithmetic: Any, method: str) -> Any:
    """Return a classifier to be fitted: a clone of an estimator, or one by name, "lda" or {"name": "svc", "C": 2}.

    arithmetic    that of the classifier it is for; None leaves an estimator its own

    Raises    InvalidInput for an unknown name or parameter, an estimator without decision values, or one with another
              arithmetic of its own
    """
    if isinstance(description, (str, Mapping)):
        return names.made(
            Classifier, description, "float" if arithmetic is None else arithmetic, method, "an estimator"
        )
    if isinstance(description, type) or not all(callable(getattr(description, name, None)) for name in OWED):
        raise InvalidInput(method, need="a two-class estimator with decision values", got=quoted(description))
    made = clone(description)
    if arithmetic is not None and isinstance(made, Estimator):
        if made.arithmetic not in (made.parameters()["arithmetic"], arithmetic):
            need = f"an estimator without an arithmetic of its own, or with {arithmetic!r}"
            raise InvalidInput(method, need=need, got=quoted(made.arithmetic))
        made.arithmetic = arithmetic
    return made
