"""Cross-validation, and the other ways to judge an estimator on observations that it was not fitted to."""

from __future__ import annotations

from collections.abc import MutableMapping
from concurrent.futures import Executor
from typing import Any, Optional

from refclass.estimators.protocol.estimator import Steps
from refclass.estimators.protocol.split_fit import Folds, answered, question, trying
from refclass.iteration import ending
from refclass.selection.validate import Fold, Validation


def cross_validate(
    estimator: Any,
    X: Any,
    y: Any,
    *,
    folds: Folds = 10,
    stratified: Optional[bool] = None,
    seed: Any = 0,
    executor: Optional[Executor] = None,
    finished: Optional[MutableMapping[str, Fold]] = None,
) -> Validation:
    """Return how an estimator errs on observations that it was not fitted to  [CV-KFOLD] [CV-LOO] [VALIDATION].

    Parameters
    ----------
    estimator : estimator
        A classifier, whose wrong labels are counted, or a regression, whose squared residuals are; it is itself not
        fitted, copies are.
    X : n rows of p numbers
        The observations.
    y : n labels or numbers
        Their responses.
    folds : int, "leave_one_out", or pairs, default 10
        A number of folds; each row by itself; or pairs (training places, test places): a hold-out set is one pair.
        `selection.folds` makes them of every kind.
    stratified : bool or None, default None
        Whether each class is shared out evenly over the folds; None: for labels it is.
    seed : int, random.Random or None, default 0
        The seed of the folds; None for folds dealt in the order of the data.
    executor : Executor or None, default None
        Anything with `submit`, as concurrent.futures has: the fits are done there, with the same results.
    finished : dict or None, default None
        A mapping that the result of each fit is put into as it comes: an interrupted call that is given it again
        resumes where it ended.

    Returns
    -------
    found : Validation
        The `errors` (their number, or the sum of squares), the pooled `rate`, the `rates` of the `folds` with
        `mean` and `standard_error`, `predictions` in the order of the data, `confusion`, and the `refused` folds: a
        fit that has no answer is reported, not counted. `iteration` does the same step by step, for a progress bar.

    Raises
    ------
    InvalidInput
        For bad arguments; with the reason, if every fit is refused for its input.
    NoAnswer
        With the reason, if every fit is refused, and none for another reason than that it has no answer.
    NotConverged, NotExact
        If every fit is refused, one of them for this: with the folds, for they may have an answer.

    See Also
    --------
    learning_curve, leave_one_out, GridSearch

    References
    ----------
    - M. Stone (1974). Cross-validatory choice and assessment of statistical predictions. Journal of the Royal
      Statistical Society B 36, 111-147.

    Examples
    --------
    >>> from refclass import LinearDiscriminantAnalysis
    >>> X, y = [[0], [1], [2], [6], [7], [8]], list("aaabbb")
    >>> found = cross_validate(LinearDiscriminantAnalysis(arithmetic="exact"), X, y, folds=3)
    >>> found.errors, found.rate, found.rates, found.standard_error
    (0, Fraction(0, 1), [Fraction(0, 1), Fraction(0, 1), Fraction(0, 1)], 0.0)
    """
    given = {"folds": folds, "stratified": stratified, "seed": seed, "executor": executor, "finished": finished}
    return ending(fit_steps(estimator, X, y, **given))


def fit_steps(
    estimator: Any,
    X: Any,
    y: Any,
    *,
    folds: Folds = 10,
    stratified: Optional[bool] = None,
    seed: Any = 0,
    executor: Optional[Executor] = None,
    finished: Optional[MutableMapping[str, Fold]] = None,
) -> Steps[Validation]:
    """Do as `cross_validate` does, and yield on the way how many fits are done, of how many, and which; return it."""
    asked = question("cross_validate", estimator, X, y, folds, stratified, seed)
    found = yield from trying(asked.trials({}), executor, finished)
    validation = Validation(tuple(found), asked.labels)
    answered("cross_validate", {"": validation})
    return validation
