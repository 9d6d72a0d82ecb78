"""Leave-one-out for any estimator."""

from __future__ import annotations

from typing import Any

from refclass.errors import InvalidInput, Refusal
from refclass.estimators.estimator import Estimator, clone
from refclass.sample import data


def leave_one_out(estimator: Any, X: Any, y: Any, method: str = "predict_proba") -> list[Any]:
    """Return for each row what `method` says of it after a fit on the other rows.

    estimator    its parameters are used, it is itself not fitted; priors left open are estimated anew for every fit
    method       "predict_proba", "predict", "decision_function", "transform": rows of K numbers are in the order of the
                 full data's classes, with probability 0 for a class that is left out with its only row

    Linear and quadratic discriminants, least squares and ridge regression, with a kernel or without, need one fit for
    all rows: the models without each row follow from it exactly (`selection.downdate`).

    Raises    InvalidInput for an unknown method; what a fit refuses, with the row that was left out

    Example
        >>> from refclass import LinearDiscriminantAnalysis
        >>> leave_one_out(LinearDiscriminantAnalysis(), [[0.0], [1.0], [4.0], [5.0]], list("aabb"), method="predict")
        ['a', 'a', 'b', 'b']
    """
    rows, labels = list(data.plain(X)), list(data.plain(y))
    if not isinstance(estimator, Estimator) or not callable(getattr(estimator, method, None)):
        raise InvalidInput("leave_one_out", need="an estimator and the name of one of its methods", got=repr(method))
    if len(rows) != len(labels) or len(rows) < 2:
        need = f"two rows or more in X, and as many labels in y (rows: {len(rows)})"
        raise InvalidInput("leave_one_out", need=need, got=len(labels))
    classes = data.labels(labels)[0]
    known = _without_fits(clone(estimator), rows, labels, method)
    return [
        _judged(clone(estimator), rows, labels, i, method, classes) if said is None else said
        for i, said in enumerate(known)
    ]


def _without_fits(fresh: Any, rows: list[Any], labels: list[Any], method: str) -> list[Any]:
    """Return the answers that follow from one fit to all rows, None where only a fit without the row will do."""
    try:
        found = []
        for row, model in zip(rows, fresh.without_each(rows, labels, method)):
            fresh._model = model
            found.append(None if model is None else getattr(fresh, method)([row])[0])
        return found
    except Refusal:
        return [None] * len(rows)  # Premise: a fit without a row will say what is refused, and for which row.


def _judged(fresh: Any, rows: list[Any], labels: list[Any], i: int, method: str, classes: Any) -> Any:
    try:
        fresh.fit(rows[:i] + rows[i + 1 :], labels[:i] + labels[i + 1 :])
        (said,) = getattr(fresh, method)([rows[i]])
    except Refusal as refusal:
        witness = {**refusal.witness, "left_out": i}
        raise type(refusal)(refusal.room, need=refusal.need, got=refusal.got, **witness) from None
    if method != "predict_proba" or len(fresh.classes_) == len(classes):
        return said
    place = dict(zip(fresh.classes_, said))
    return [place.get(label, said[0] - said[0]) for label in classes]
