"""A method fitted to a table of the user's: what came of it, in lines for people, and the model as JSON."""

from __future__ import annotations

import json
import math
import re
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Callable, Optional

from refclass.errors import InvalidInput, Refusal, quoted
from refclass.estimators.protocol.estimator import Estimator, Steps, clone
from refclass.number import text
from refclass.oracle import problem
from refclass.oracle.table import Table
from refclass.report.commands.asking import AS_IT_STANDS, Preparation
from refclass.report.text import describing, words

LEAVE_ONE_OUT = 10.0  # seconds: where fitting anew without each row would take longer, it is left to `cv`
WHOLE = re.compile(r"0|-?[1-9][0-9]{0,999}")  # as `str` writes integers, but for those too long for it
MISSING = ("NA", "N/A", "NaN", "nan", "NULL", "null")  # what programs write where a value is missing, and is no word
WITHOUT_A_VALUE = (*MISSING, "None", "?", "-", ".")  # what they write there, too

Progress = Callable[[int, int, str], None]


@dataclass(frozen=True)
class Fit:
    """A fitted estimator with the rows it was fitted to."""

    estimator: Estimator
    parameters: dict[str, Any]
    columns: tuple[str, ...]
    target: str
    X: list[list[Any]]
    y: list[Any]
    how: Preparation = AS_IT_STANDS


def parameters(settings: Sequence[str]) -> dict[str, Any]:
    """Return NAME=VALUE settings as parameters; a dot reaches inside: kernel.name=gaussian kernel.gamma=1/2.

    Raises    InvalidInput for a setting without =

    Example
        >>> parameters(["C=inf", "kernel.name=gaussian", "kernel.gamma=1/2", "intercept=false"])
        {'C': inf, 'kernel': {'name': 'gaussian', 'gamma': Fraction(1, 2)}, 'intercept': False}
    """
    out: dict[str, Any] = {}
    for setting in settings:
        name, sign, value = setting.partition("=")
        if not sign or not name:
            raise InvalidInput("fit", need="settings of the form NAME=VALUE", got=quoted(setting))
        place = out
        *path, last = name.split(".")
        for part in path:
            place = place.setdefault(part, {})
            if not isinstance(place, dict):
                raise InvalidInput("fit", need=f"one value or parts for {part}", got=quoted(setting))
        place[last] = value_of(value)
    return out


def value_of(value: str) -> Any:
    """Return the value that a text stands for: a number, inf, true, false, null, JSON, else the text itself."""
    if value == "inf":
        return math.inf
    if text.NUMBER.fullmatch(value):
        number = text.parse(value)
        return int(number) if number.denominator == 1 else number
    try:
        return json.loads(value, parse_float=text.parse)
    except ValueError:
        return value


def fit(
    method: str,
    given: dict[str, Any],
    arithmetic_name: str,
    data: Table,
    target: str,
    names: Optional[Sequence[str]],
    progress: Optional[Progress] = None,
    how: Preparation = AS_IT_STANDS,
) -> Fit:
    """Return the method fitted to the table.  Raises InvalidInput for a column or a cell that does not fit."""
    estimator = how.around(problem.make(method, given, arithmetic_name))
    columns, X, y = observations(estimator, data, target, names, how)
    return Fit(fitted_by_steps(estimator, X, y, progress), given, columns, target, X, y, how)


def observations(
    estimator: Estimator,
    data: Table,
    target: str,
    names: Optional[Sequence[str]],
    how: Preparation = AS_IT_STANDS,
) -> tuple[tuple[str, ...], list[list[Any]], list[Any]]:
    """Return the columns of inputs, their rows, and the labels or numbers of the target, as the estimator takes them.

    Raises    InvalidInput for a column or a cell that does not fit
    """
    F = estimator.field()
    used = tuple(names) if names else data.inputs(target)
    if target in used:
        raise InvalidInput("fit", need="inputs other than the target", got=target)
    data = how.of(data)
    columns = how.widened(used)
    X = data.numbers(columns, F.lift)
    y = labels(data, target) if estimator.takes_labels else [r[0] for r in data.numbers([target], F.lift)]
    return columns, X, y


def fitted_by_steps(estimator: Any, X: Any, y: Any, progress: Optional[Progress]) -> Any:
    """Return the estimator fitted, its iteration shown step by step where it has one."""
    if progress is None or not hasattr(estimator, "fit_steps"):
        return estimator.fit(X, y)
    return shown(estimator.fit_steps(X, y), progress)


def shown(run: Steps[Any], progress: Progress) -> Any:
    """Return what the iteration ends in, its steps shown on the way."""
    while True:
        try:
            done, total, what = next(run)
        except StopIteration as end:
            progress(1, 1, "")
            return end.value
        progress(done, max(total, done + 1), what)


def labels(data: Table, target: str, classes: Sequence[Any] = ()) -> list[Any]:
    """Return a column of labels: whole numbers if all of them are written as such, else text (01 and 1 differ).

    Given     the classes of a model for labels to compare with its: numbers where those are numbers, else text
    Raises    InvalidInput, naming the line, for a column of numbers that are not whole: a continuous target; for a
              label that is missing, unless it is said which cells stand for no value, and these are others
    """
    cells = data.column(target)
    if not classes:
        _refuse_continuous(data, target, cells)
        _refuse_missing(data, target, cells)
        return [int(c) for c in cells] if all(map(WHOLE.fullmatch, cells)) else list(cells)
    if any(isinstance(c, str) for c in classes):
        return list(cells)
    return [int(c) if WHOLE.fullmatch(c) else c for c in cells]


def _refuse_continuous(data: Table, target: str, cells: Sequence[str]) -> None:
    if not all(text.NUMBER.fullmatch(c) or c in WITHOUT_A_VALUE for c in cells):
        return
    for c, line in zip(cells, data.lines):
        if c not in WITHOUT_A_VALUE and text.parse(c).denominator != 1:
            need = "labels (whole numbers or words) for a classifier; a continuous target is for a regression"
            raise InvalidInput(data.source, need=need, got=c, line=line, column=target)


def _refuse_missing(data: Table, target: str, cells: Sequence[str]) -> None:
    for c, line in zip(cells, data.lines):
        if c in MISSING and not data.form.missing:
            need = "a label (--na says which cells stand for no value, and leaves out their rows)"
            raise InvalidInput(data.source, need=need, got=c, line=line, column=target)


def lines(fit: Fit, test: Optional[Table], progress: Progress) -> Iterator[str]:
    """Return the report, line by line."""
    estimator: Any = fit.estimator
    n, p = len(fit.X), len(fit.columns)
    yield f"{estimator!r} on {words.counted(n, 'row')}, {words.counted(p, 'column')}; target {fit.target}"
    if estimator.takes_labels:
        counts = Counter(fit.y)
        yield "classes: " + ", ".join(f"{c} ({counts[c]})" for c in estimator.classes_)
    yield from describing.model(estimator, fit.columns, fit.target)
    progress(0, 1, "the proof")
    certificate = getattr(estimator, "certificate_", None)
    progress(1, 1, "")
    if certificate is not None:
        yield "proof: " + str(certificate)
    if _classifies(estimator):
        yield "training errors: " + words.share(errors(estimator.predict(fit.X), fit.y), n)
        yield from left_out(fit, progress)
    elif hasattr(estimator, "predict"):
        yield "training " + squares(estimator.predict(fit.X), fit.y)
    if test is not None:
        yield tested(fit, test)
    yield from warnings(estimator)


def _classifies(estimator: Any) -> bool:
    return bool(estimator._estimator_type == "classifier")


def tested(fit: Fit, test: Table) -> str:
    """Return how well the model does on rows that it was not fitted to."""
    estimator: Any = fit.estimator
    F = estimator.field()
    if not hasattr(estimator, "predict"):
        raise InvalidInput("fit", need="a method that predicts, for a test", got=estimator.method)
    test = fit.how.of(test.complete([*fit.how.narrowed(fit.columns), fit.target]))
    said = estimator.predict(test.numbers(fit.columns, F.lift))
    if _classifies(estimator):
        return "test errors: " + words.share(errors(said, labels(test, fit.target, estimator.classes_)), len(said))
    return "test " + squares(said, [row[0] for row in test.numbers([fit.target], F.lift)])


def squares(said: Sequence[Any], truth: Sequence[Any]) -> str:
    """Return the mean squared error in words, with R², the share of the responses' variance that is explained."""
    n, mean = len(truth), sum(truth) / len(truth)
    left, total = (sum((v - c) * (v - c) for v, c in zip(truth, centre)) for centre in (said, [mean] * n))
    share = "" if total == 0 else f", R² {words.number(1 - left / total)}"
    return f"mean squared error: {words.number(left / n)}{share}"


def left_out(fit: Fit, progress: Progress) -> Iterator[str]:
    """Return the count of errors on rows that the model was fitted without, one at a time."""
    n, begun = len(fit.X), time.monotonic()
    wrong, refused = 0, 0
    for i in range(n):
        if i and n * (time.monotonic() - begun) > i * LEAVE_ONE_OUT:
            progress(n, n, "")
            yield f"leave-one-out errors: not counted here, {n} fits take long (`cv --leave-one-out` counts them)"
            return
        progress(i, n, "leave one out")
        rest = [j for j in range(n) if j != i]
        again: Any = clone(fit.estimator)
        try:
            again.fit([fit.X[j] for j in rest], [fit.y[j] for j in rest])
        except Refusal:
            refused += 1
            continue
        wrong += again.predict([fit.X[i]])[0] != fit.y[i]
    progress(n, n, "")
    yield "leave-one-out errors: " + words.share(wrong, n) + (f", {refused} fits refused" if refused else "")


def warnings(estimator: Any) -> Iterator[str]:
    """Return the warnings about the fit: a covariance near to singular loses digits."""
    condition = getattr(estimator, "condition_", None)
    eps = estimator.field().eps
    if condition is None or eps == 0:
        return
    size = text.approximate(condition)
    if size * text.approximate(eps) > 1e-6:
        digits = f"{math.log10(size):.0f} of {-math.log10(text.approximate(eps)):.0f} digits"
        yield f"warning: the covariance is nearly singular (condition {size:.1e}): about {digits} of the coefficients"
        yield "are lost, because some columns almost determine others"


def errors(said: Sequence[Any], truth: Sequence[Any]) -> int:
    """Return how many labels differ."""
    return sum(a != b for a, b in zip(said, truth))
