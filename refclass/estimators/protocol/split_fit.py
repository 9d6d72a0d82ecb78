"""A trial: an estimator fitted to one side of a split and judged on the other. Trials are independent of each other."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, MutableMapping, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, field
from fractions import Fraction
from random import Random
from typing import Any, NoReturn, Optional, Union

from refclass.errors import InvalidInput, NoAnswer, NotConverged, NotExact, Refusal, quoted
from refclass.estimators.protocol.estimator import Estimator, Steps, clone
from refclass.estimators.protocol.sklearn_interface import part
from refclass.number import text
from refclass.sample import data
from refclass.selection import executor as jobs
from refclass.selection import folds
from refclass.selection.folds import Split
from refclass.selection.validate import Fold, Validation

# How the observations are split: a number of folds, "leave_one_out", or pairs (training places, test places).
Folds = Union[int, str, Iterable[tuple[Iterable[int], Iterable[int]]]]
UNDECIDED = (NotExact.__name__, NotConverged.__name__)  # refusals of what may have an answer


@dataclass(frozen=True)
class Question:
    """An estimator, to be judged on data by splits.

    X, y      rows and responses, as plain lists
    labels    the true labels; None if y holds numbers
    """

    estimator: Any
    X: Sequence[Any]
    y: Sequence[Any]
    splits: tuple[Split, ...]
    labels: Optional[tuple[Hashable, ...]]

    def with_parameters(self, parameters: Mapping[str, Any]) -> Any:
        """Return the estimator, not fitted, with some parameters set; a dot reaches inside: kernel.gamma."""
        return clone(self.estimator).set_params(**{k.replace(".", "__"): v for k, v in parameters.items()})

    def trials(self, parameters: Mapping[str, Any]) -> dict[str, Trial]:
        """Return a trial for each split, of the estimator with some parameters set; by its name."""
        estimator = self.with_parameters(parameters)
        labelled = self.labels is not None
        cell = named(parameters)
        names = [f"{cell}; fold {j}" if cell else f"fold {j}" for j in range(len(self.splits))]
        return {
            name: Trial(name, estimator, self.X, self.y, train, test, labelled)
            for name, (train, test) in zip(names, self.splits)
        }


@dataclass(frozen=True)
class Trial:
    """An estimator, not fitted, with data and one split of them: what a worker is sent."""

    name: str
    estimator: Any
    X: Sequence[Any] = field(repr=False)
    y: Sequence[Any] = field(repr=False)
    train: tuple[int, ...]
    test: tuple[int, ...]
    labelled: bool

    def judged(self, said: Sequence[Any]) -> Fold:
        """Return what comes of the trial, if that is said of its test set."""
        return Fold(self.test, tuple(said), self.losses(said))

    def losses(self, said: Sequence[Any]) -> tuple[Any, ...]:
        """Return the loss of each answer: 1 for a wrong label, 0 for the right one; the square of a residual."""
        truth = [self.y[i] for i in self.test]
        if self.labelled:
            return tuple([int(bool(a != b)) for a, b in zip(said, truth)])
        lift = self.estimator.field().lift
        return tuple([_squared(lift, a, b) for a, b in zip(said, truth)])


def written(value: Any) -> str:
    """Return a parameter's value as text: numbers as short as they can be read back."""
    return text.show(value) if type(value) in (int, float, Fraction) else str(value)


def named(parameters: Mapping[str, Any]) -> str:
    """Return parameters as text."""
    return ", ".join(f"{k}={written(v)}" for k, v in parameters.items())


def question(module: str, estimator: Any, X: Any, y: Any, splits: Folds, stratified: Any, seed: Any) -> Question:
    """Return what is asked, checked.  Raises InvalidInput."""
    kind = getattr(estimator, "_estimator_type", None)
    if not isinstance(estimator, Estimator) or kind is None:
        raise InvalidInput(module, need="an estimator that predicts labels or numbers", got=quoted(estimator))
    rows, truth = data.sequence(X, "X as a sequence of rows"), data.sequence(y, "y as a sequence of responses")
    if len(rows) != len(truth) or len(rows) < 2:
        need = f"two rows or more in X, and as many responses in y (rows: {len(rows)})"
        raise InvalidInput(module, need=need, got=len(truth))
    labels = tuple(truth) if kind == "classifier" else None
    if labels is not None:
        data.labels(labels)
    return Question(estimator, rows, truth, tuple(split(len(rows), labels, splits, stratified, seed)), labels)


def split(n: int, labels: Any, given: Folds, stratified: Optional[bool], seed: Any) -> list[Split]:
    """Return the splits: of a number of folds, stratified if there are labels and nothing else is said, by the seed.

    Raises    InvalidInput for folds that there cannot be, or numbers to be stratified
    """
    if stratified not in (None, True, False) or (stratified and labels is None):
        need = "stratified None, or False, or for labels True"
        raise InvalidInput("folds", need=need, got=quoted(stratified))
    if given == "leave_one_out" or given == n:
        return folds.leave_one_out(n)
    if not isinstance(given, int):
        if isinstance(given, str) or not isinstance(given, Iterable):
            need = 'a number of folds, "leave_one_out", or pairs (training places, test places)'
            raise InvalidInput("folds", need=need, got=quoted(given))
        return folds.checked(n, [tuple(map(data.plain, pair)) for pair in map(_pair, given)])
    if labels is None or stratified is False:
        return folds.k_fold(n, given, chance(seed))
    return folds.stratified(labels, given, chance(seed))


def _pair(given: Any) -> tuple[Any, Any]:
    """Return the two sides of a split.  Raises InvalidInput for what is no pair of sequences."""
    pair = data.plain(given)
    if not isinstance(pair, (list, tuple)) or len(pair) != 2 or not all(isinstance(v, Iterable) for v in pair):
        raise InvalidInput("folds", need="pairs (training places, test places)", got=quoted(given))
    return pair[0], pair[1]


def chance(seed: Any) -> Optional[Random]:
    """Return the generator of a seed, a generator itself, or None for the order of the data.  Raises InvalidInput."""
    if seed is None or isinstance(seed, Random):
        return seed
    if type(seed) is not int:
        raise InvalidInput("folds", need="seed an integer, a random.Random, or None", got=quoted(seed))
    return Random(seed)


def tried(trial: Trial) -> Fold:
    """Return what comes of a trial: what is said of the test set and its losses, or why it was refused.

    Raises    RuntimeError for a defect: what was raised that is no refusal, with the trial's name
    """
    estimator = clone(trial.estimator)
    try:
        estimator.fit(part(estimator, trial.X, trial.train, trial.train), [trial.y[i] for i in trial.train])
        said = estimator.predict(part(estimator, trial.X, trial.test, trial.train))
        return trial.judged(said)
    except Refusal as refusal:
        return Fold(trial.test, refused=f"{type(refusal).__name__}: {refusal}")
    except Exception as defect:
        raise RuntimeError(f"{trial.name}: {type(defect).__name__}: {defect}") from defect


def _squared(lift: Any, said: Any, truth: Any) -> Any:
    if isinstance(said, (list, tuple)):
        squares = [_squared(lift, a, b) for a, b in zip(said, truth)]
        return sum(squares[1:], squares[0])
    residual = lift(truth) - said
    return residual * residual


def storage(finished: Any) -> MutableMapping[Any, Any]:
    """Return where finished work is kept, an empty dict for None.  Raises InvalidInput for what cannot keep it."""
    if finished is None:
        return {}
    if not isinstance(finished, MutableMapping):
        raise InvalidInput("finished", need="a mutable mapping, such as a dict, or None", got=quoted(finished))
    return finished


def trying(
    trials: Mapping[str, Trial], executor: Optional[Executor], finished: Optional[MutableMapping[str, Fold]]
) -> Steps[list[Fold]]:
    """Do the trials that are not finished, yield how many are done, of how many, and which; return what came of all.

    Raises    InvalidInput if what is finished does not fit the trials of its name
    """
    store = storage(finished)
    for name, trial in trials.items():
        if name in store:
            _fits(trial, store[name], name)
    done = sum(name in store for name in trials)
    yield done, len(trials), "trials"
    for ended in jobs.steps(tried, trials, store, executor):
        done += 1
        yield done, len(trials), str(ended)
    return [store[name] for name in trials]


def _fits(trial: Trial, fold: Any, name: str) -> None:
    same = isinstance(fold, Fold) and fold.test == trial.test
    if same and fold.refused is None:
        same = len(fold.said) == len(fold.test) and fold.losses == trial.losses(fold.said)
    if not same:
        raise InvalidInput("finished", need="what came of the same trials before", got="another test set", trial=name)


def answered(module: str, validations: Mapping[str, Validation]) -> None:
    """Refuse if every fit of every validation, by its name, was refused.  Raises as `refuse` does."""
    reasons = {f"{name}fold {j}": fold.refused for name, v in validations.items() for j, fold in enumerate(v.folds)}
    if None not in reasons.values():
        refuse(module, "a fit that is not refused", {name: str(reason) for name, reason in reasons.items()})


def refuse(module: str, need: str, reasons: Mapping[str, str]) -> NoReturn:
    """Refuse a question all of whose parts were refused, by their names with the reasons.

    Raises    InvalidInput if all were refused for their input; else NotConverged or NotExact if one was, for it may
              have an answer, with the names of those; else NoAnswer
    """
    kinds = {name: reason.partition(":")[0] for name, reason in reasons.items()}
    kind: type[Refusal] = InvalidInput if set(kinds.values()) == {"InvalidInput"} else NoAnswer
    for undecided in (NotExact, NotConverged):
        if undecided.__name__ in kinds.values():
            kind = undecided
    parts = [name for name in kinds if kinds[name] == kind.__name__]
    first = reasons[parts[0]] if parts else next(iter(reasons.values()))
    raise kind(module, need=need, got=f"{len(reasons)} refused, the first: {first}", refused=parts or list(kinds))
