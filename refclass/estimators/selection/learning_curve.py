"""How an estimator's errors fall with the size of what it is fitted to  [KIM-4.2-learning] [RESPLIT]."""

from __future__ import annotations

from collections.abc import MutableMapping, Sequence
from concurrent.futures import Executor
from random import Random
from typing import Any, Optional

from refclass.errors import InvalidInput, quoted
from refclass.estimators.protocol.estimator import Steps
from refclass.estimators.protocol.split_fit import answered, question, trying
from refclass.iteration import ending
from refclass.number import text
from refclass.sample import data
from refclass.selection import folds
from refclass.selection.validate import Fold, Validation


def learning_curve(
    estimator: Any,
    X: Any,
    y: Any,
    *,
    sizes: Sequence[int],
    repeats: int = 500,
    test: Optional[int] = None,
    seed: int = 0,
    executor: Optional[Executor] = None,
    finished: Optional[MutableMapping[str, Fold]] = None,
) -> list[Validation]:
    """Return for each training size what repeated random splits say  [KIM-4.2-learning] [RESPLIT].

    1 − `mean` is the mean accuracy over the splits, `standard_error` its standard error, sd/√repeats.

    Parameters
    ----------
    estimator : estimator
        A classifier or a regression; it is itself not fitted, copies are.
    X : n rows of p numbers
        The observations.
    y : n labels or numbers
        Their responses.
    sizes : list of int
        The numbers of observations to fit to.
    repeats : int, default 500
        How many splits are drawn for each size, each independently of all others.
    test : int or None, default None
        How many of the other observations judge; None for all of them.
    seed : int, default 0
        The seed: the splits of a size depend on it and the size alone.
    executor : Executor or None, default None
        Anything with `submit`, as concurrent.futures has: the fits are done there, with the same results.
    finished : dict or None, default None
        As for `cross_validate`.

    Returns
    -------
    list of Validation
        One for each size.

    Raises
    ------
    InvalidInput
        For bad arguments; if for a size every fit is refused for its input.
    NoAnswer, NotConverged, NotExact
        If for a size every fit is refused, as for `cross_validate`.

    See Also
    --------
    cross_validate

    References
    ----------
    - M. Kim (2010). Statistical Classification, section 4.2.

    Examples
    --------
    >>> from refclass import LinearDiscriminantAnalysis
    >>> X, y = [[0], [1], [2], [6], [7], [8]], list("aaabbb")
    >>> found = learning_curve(LinearDiscriminantAnalysis(), X, y, sizes=[4, 5], repeats=3)
    >>> [(len(v.folds), v.n) for v in found]
    [(3, 6), (3, 3)]
    """
    given = {"sizes": sizes, "repeats": repeats, "test": test, "seed": seed}
    return ending(fit_steps(estimator, X, y, **given, executor=executor, finished=finished))  # type: ignore[arg-type]


def fit_steps(
    estimator: Any,
    X: Any,
    y: Any,
    *,
    sizes: Sequence[int],
    repeats: int = 500,
    test: Optional[int] = None,
    seed: int = 0,
    executor: Optional[Executor] = None,
    finished: Optional[MutableMapping[str, Fold]] = None,
) -> Steps[list[Validation]]:
    """Do as `learning_curve` does, and yield on the way how many fits are done, of how many, and which; return it."""
    asked_sizes = data.sequence(sizes, "sizes as a sequence of whole numbers")
    whole = all(type(size) is int for size in [*asked_sizes, seed])
    if not whole or not asked_sizes or len(set(asked_sizes)) < len(asked_sizes):
        raise InvalidInput("learning_curve", need="different whole sizes, and a whole seed", got=quoted([sizes, seed]))
    n, trials, labels = len(data.sequence(X, "X as a sequence of rows")), {}, None
    for size in asked_sizes:
        splits = folds.resplits(n, size, repeats, Random(f"{text.digits(seed)} {size}"), test)
        asked = question("learning_curve", estimator, X, y, splits, None, None)
        labels = asked.labels
        trials.update({f"size {size}; {name}": trial for name, trial in asked.trials({}).items()})
    found = yield from trying(trials, executor, finished)
    validations = [Validation(tuple(found[i : i + repeats]), labels) for i in range(0, len(found), repeats)]
    for size, validation in zip(asked_sizes, validations):
        answered("learning_curve", {f"size {size}; ": validation})
    return validations
