"""What `cv` and `grid` are asked at the command line, who does the work, and the file that keeps what is finished."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property
from random import Random
from typing import Any, Optional

import refclass
from refclass.errors import InvalidInput, Refusal, quoted
from refclass.estimators.protocol.estimator import Estimator, Steps
from refclass.estimators.protocol.split_fit import Question, question
from refclass.estimators.selection import cross_validate, leave_one_out
from refclass.estimators.selection.grid_search import GridSearch
from refclass.estimators.standardizer import Standardized
from refclass.oracle import problem, stored
from refclass.oracle.table import Table
from refclass.report.commands import fitting
from refclass.report.commands.asking import AS_IT_STANDS, Preparation
from refclass.selection.grid import stretches
from refclass.selection.validate import Fold, Validation


@dataclass(frozen=True)
class Asked:
    """An estimator with its data, and how it is to be judged.

    given      the estimator's parameters
    folds      a number, or "leave_one_out"
    finished   what came of each trial that is done, by its name
    """

    estimator: Any
    given: dict[str, Any]
    columns: tuple[str, ...]
    target: str
    X: list[Any]
    y: list[Any]
    folds: Any
    stratified: Optional[bool]
    seed: int
    finished: dict[str, Fold] = field(default_factory=dict)

    @property
    def method(self) -> str:
        """The name of the method, with or without standardised inputs."""
        estimator = self.estimator
        return str(estimator.estimator.method if isinstance(estimator, Standardized) else estimator.method)

    @property
    def how(self) -> dict[str, Any]:
        """How it is judged, as named arguments."""
        return {"folds": self.folds, "stratified": self.stratified, "seed": self.seed}

    @cached_property
    def question(self) -> Question:
        """What is asked, with its splits.  Raises InvalidInput."""
        return question("cv", self.estimator, self.X, self.y, self.folds, self.stratified, self.seed)

    def validation(self, executor: Any) -> Steps[Validation]:
        """Cross-validate; leave-one-out by way of one fit, where the method has one."""
        quick = type(self.estimator).without_each is not Estimator.without_each
        if self.folds == "leave_one_out" and quick and not self.finished:
            trials = self.question.trials({})
            with suppress(Refusal):  # a fit for each row will show which are refused
                said = yield from leave_one_out.fit_steps(self.estimator, self.X, self.y, "predict", executor=executor)
                for (name, trial), answer in zip(trials.items(), said):
                    self.finished[name] = trial.judged([answer])
        found = yield from cross_validate.fit_steps(
            self.estimator, self.X, self.y, **self.how, executor=executor, finished=self.finished
        )
        return found

    def search(self, grid: Mapping[str, Any], refine: int, executor: Any) -> Steps[GridSearch]:
        """Search on a grid."""
        asked = GridSearch(estimator=self.estimator, grid=grid, refine=refine, refit=False, **self.how)
        found = yield from asked.fit_steps(self.X, self.y, executor=executor, finished=self.finished)
        return found

    def mark(self) -> dict[str, Any]:
        """Return what a file of results must have been made for, to be resumed."""
        content = repr((self.columns, self.target, self.X, self.y)).encode()
        return {
            "method": self.method,
            "standardized": isinstance(self.estimator, Standardized),
            "arithmetic": self.estimator.arithmetic,
            "parameters": stored.encode(self.given),
            "data": hashlib.sha256(content).hexdigest(),
            "rows": len(self.y),
            **self.how,
        }


def asked(
    method: str,
    given: dict[str, Any],
    arithmetic: str,
    data: Table,
    target: str,
    names: Optional[Sequence[str]],
    rows: Optional[int],
    prepared: Preparation = AS_IT_STANDS,
    **how: Any,
) -> Asked:
    """Return what is asked of a table, or of some of its rows, drawn by the seed.  Raises InvalidInput."""
    estimator = prepared.around(problem.make(method, given, arithmetic))
    columns, X, y = fitting.observations(estimator, data, target, names, prepared)
    if rows is not None:
        if not 2 <= rows <= len(X):
            raise InvalidInput("rows", need=f"a number of rows from 2 to the {len(X)} there are", got=rows)
        kept = sorted(Random(how["seed"]).sample(range(len(X)), rows))
        X, y = [X[i] for i in kept], [y[i] for i in kept]
    return Asked(estimator, given, columns, target, X, y, **how)


def axes(settings: Sequence[str]) -> dict[str, list[Any]]:
    """Return NAME=V,V,… settings as the axes of a grid; a(b)c stands for steps of b from a to c.

    Raises    InvalidInput for a setting of another form

    Example
        >>> axes(["C=10,100", "kernel.gamma=1e-2(1e-2)3e-2,1/2"])["kernel.gamma"]
        [Fraction(1, 100), Fraction(1, 50), Fraction(3, 100), Fraction(1, 2)]
    """
    found: dict[str, list[Any]] = {}
    for setting in settings:
        name, sign, values = setting.partition("=")
        if not sign or not name or not values or name in found:
            raise InvalidInput("grid", need="axes of the form NAME=V,V,…, each name once", got=quoted(setting))
        found[name] = [v for part in _parts(values) for v in _values(part)]
    return found


def _parts(values: str) -> list[str]:
    """Return what commas separate, those in brackets left alone."""
    parts, depth = [""], 0
    for letter in values:
        depth += (letter in "[({") - (letter in "])}")
        if letter == "," and not depth:
            parts.append("")
        else:
            parts[-1] += letter
    return parts


def _values(part: str) -> list[Any]:
    stepped = "(" in part and not part.startswith(("[", "{"))
    return list(stretches(part)) if stepped else [fitting.value_of(part.strip())]


def saved(asked: Asked, results: Any) -> dict[str, Any]:
    """Return what is finished as JSON holds it: what it was asked of, results for people, and each trial."""
    return {
        "refclass": refclass.__version__,
        "asked": asked.mark(),
        "results": results,
        "finished": {name: stored.encode(fold) for name, fold in asked.finished.items()},
    }


def resumed(asked: Asked, given: Any, source: str) -> int:
    """Take over what a file has finished, and return how many trials that is.

    Raises    InvalidInput for a file that `saved` cannot have written, or that was made for another question
    """
    if not isinstance(given, dict) or not isinstance(given.get("finished"), dict) or "asked" not in given:
        raise InvalidInput(source, need="a file that `cv --save` or `grid --save` wrote", got="another file")
    for name, value in asked.mark().items():
        there = given["asked"].get(name)
        if there != value:
            raise InvalidInput(source, need=f"results for the same {name}, {value!r}", got=quoted(there))
    for name, fold in given["finished"].items():
        asked.finished[name] = stored.decode(fold)
    return len(given["finished"])
