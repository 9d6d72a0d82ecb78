"""Leave-one-out for any estimator."""

from __future__ import annotations

from collections.abc import MutableMapping
from concurrent.futures import Executor
from typing import Any, Optional

from refclass.errors import InvalidInput, Refusal, quoted
from refclass.estimators.protocol.estimator import Estimator, Steps, clone
from refclass.estimators.protocol.sklearn_interface import is_pairwise, part
from refclass.estimators.protocol.split_fit import storage
from refclass.iteration import ending
from refclass.sample import data
from refclass.selection import executor as jobs

LEVEL = 10**9  # one over the difference of scores, or its part of them, below which a fit without the row decides


def leave_one_out(
    estimator: Any,
    X: Any,
    y: Any,
    method: str = "predict_proba",
    *,
    executor: Optional[Executor] = None,
    finished: Optional[MutableMapping[int, Any]] = None,
) -> list[Any]:
    """Return for each row what `method` says of it after a fit on the other rows.

    Linear and quadratic discriminants, least squares and ridge regression, with a kernel or without, need one fit for
    all rows: the models without each row follow from it exactly.

    Parameters
    ----------
    estimator : estimator
        Its parameters are used, it is itself not fitted; priors left open are estimated anew for every fit.
    X : n rows of p numbers
        The observations.
    y : n labels or numbers
        Their responses.
    method : str, default "predict_proba"
        "predict_proba", "predict", "decision_function" or "transform".
    executor : Executor or None, default None
        Anything with `submit`, as concurrent.futures has: the fits are done there, with the same results.
    finished : dict or None, default None
        A mapping that the answer for each row fitted without is put into as it comes: an interrupted call that is
        given it again resumes where it ended.

    Returns
    -------
    list of n answers
        What the method says of each row; rows of K numbers are in the order of the full data's classes, with
        probability 0 for a class that is left out with its only row.

    Raises
    ------
    InvalidInput
        For an unknown method.
    InvalidInput, NoAnswer, NotExact, NotConverged
        What a fit refuses, with the row that was left out.

    See Also
    --------
    cross_validate : other splits, with error counts

    Examples
    --------
    >>> from refclass import LinearDiscriminantAnalysis
    >>> leave_one_out(LinearDiscriminantAnalysis(), [[0.0], [1.0], [4.0], [5.0]], list("aabb"), method="predict")
    ['a', 'a', 'b', 'b']
    """
    return ending(fit_steps(estimator, X, y, method, executor=executor, finished=finished))


def fit_steps(
    estimator: Any,
    X: Any,
    y: Any,
    method: str = "predict_proba",
    *,
    executor: Optional[Executor] = None,
    finished: Optional[MutableMapping[int, Any]] = None,
) -> Steps[list[Any]]:
    """Do as `leave_one_out` does, and yield on the way how many fits are done, of how many, and which; return it."""
    rows, labels = data.sequence(X, "X as a sequence of rows"), data.sequence(y, "y as a sequence of responses")
    known_by_name = isinstance(method, str) and callable(getattr(estimator, method, None))
    if not isinstance(estimator, Estimator) or not known_by_name:
        raise InvalidInput("leave_one_out", need="an estimator and the name of one of its methods", got=quoted(method))
    if len(rows) != len(labels) or len(rows) < 2:
        need = f"two rows or more in X, and as many labels in y (rows: {len(rows)})"
        raise InvalidInput("leave_one_out", need=need, got=len(labels))
    known = _without_fits(clone(estimator), rows, labels, method)
    open_rows = [i for i, said in enumerate(known) if said is None]
    tasks = {i: (estimator, rows, labels, i, method) for i in open_rows}
    store = storage(finished)
    done = sum(i in store for i in open_rows)
    for i in jobs.steps(_judged, tasks, store, executor):
        done += 1
        yield done, len(tasks), f"without row {i}"
    return [store[i] if said is None else said for i, said in enumerate(known)]


def _without_fits(fresh: Any, rows: list[Any], labels: list[Any], method: str) -> list[Any]:
    """Return the answers that follow from one fit to all rows, None where only a fit without the row will do."""
    if is_pairwise(fresh):
        return [None] * len(rows)
    try:
        found = []
        for row, model in zip(rows, fresh.without_each(rows, labels, method)):
            fresh._model = model
            open_row = model is None or (method == "predict" and _level(fresh, row))
            found.append(None if open_row else getattr(fresh, method)([row])[0])
        return found
    except Refusal:
        return [None] * len(rows)  # Premise: a fit without a row will say what is refused, and for which row.


def _level(fresh: Any, row: Any) -> bool:
    """Return whether the classes of the largest scores are nearer than a tie may be that the update has rounded."""
    if not fresh.takes_labels or fresh.field().exact:
        return False
    (scores,) = fresh.decision_function([row])
    first, second = sorted(scores)[-2:] if isinstance(scores, list) else (0 * scores, scores)
    return bool(abs(second - first) * LEVEL <= max(1, abs(first), abs(second)))


def _judged(task: tuple[Any, list[Any], list[Any], int, str]) -> Any:
    estimator, rows, labels, i, method = task
    fresh, rest = clone(estimator), [j for j in range(len(rows)) if j != i]
    try:
        fresh.fit(part(fresh, rows, rest, rest), [labels[j] for j in rest])
        (said,) = getattr(fresh, method)(part(fresh, rows, [i], rest))
    except Refusal as refusal:
        witness = {**refusal.witness, "left_out": i}
        raise type(refusal)(refusal.module, need=refusal.need, got=refusal.got, **witness) from None
    classes = data.labels(labels)[0] if method == "predict_proba" else ()
    if not classes or len(fresh.classes_) == len(classes):
        return said
    place = dict(zip(fresh.classes_, said))
    return [place.get(label, said[0] - said[0]) for label in classes]
