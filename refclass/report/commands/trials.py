"""What `cv` and `grid` are asked at the command line, who does the work, and the file that keeps what is finished."""

from __future__ import annotations

import hashlib
import multiprocessing
import signal
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import BrokenExecutor, ProcessPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import cached_property
from random import Random
from types import FrameType
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

GUARDED = ("concurrent.", "multiprocessing.", "threading")  # modules that an interrupt must not cut short
OURS = "refclass."  # those that it may, even where the whole program runs in a process of somebody's pool
LATER = 0.02  # seconds until it is tried again


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
        """Cross-validate; leave-one-out by way of one fit, where the method knows how."""
        quick = type(self.estimator).without_each is not Estimator.without_each
        if self.folds == "leave_one_out" and quick and not self.finished:
            trials = self.question.trials({})
            with suppress(Refusal):  # a fit for each row will tell which are refused
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


@contextmanager
def workers(jobs: int) -> Iterator[Optional[ProcessPoolExecutor]]:
    """Give that many processes to work with, none for one job: they end with the block, at once if it is interrupted.

    Raises    InvalidInput unless jobs ≥ 1, and where the system has no processes
    """
    if jobs < 1:
        raise InvalidInput("jobs", need="a number of processes ≥ 1", got=jobs)
    if jobs == 1:
        yield None
        return
    others = set(multiprocessing.active_children())
    try:
        context = multiprocessing.get_context("spawn")  # the same on every system, and safe beside threads
        pool = ProcessPoolExecutor(jobs, mp_context=context, initializer=_undisturbed)
        pool.submit(int)  # Premise: where processes cannot start, the first job is what fails
    except (ImportError, OSError, NotImplementedError, AttributeError, RuntimeError) as error:
        need = "a system that can start processes and threads, for more than one"
        raise InvalidInput("jobs", need=need, got=str(error)) from None
    try:
        yield pool
    except BrokenExecutor:
        need, got = "processes that live until they have answered", "one that ended before (out of memory?)"
        raise InvalidInput("jobs", need=need, got=got) from None
    except BaseException:
        pool.shutdown(wait=False, cancel_futures=True)
        for child in set(multiprocessing.active_children()) - others:
            child.terminate()
        raise
    pool.shutdown()


@contextmanager
def stoppable() -> Iterator[None]:
    """Let Ctrl-C, and the signal by which batch systems end a program, interrupt the block; not code of executors.

    Premise: an exception out of the midst of that code may leave a lock taken, for which its threads, and at the end
    the interpreter, would wait for ever. Where the system has a timer, the interrupt is tried again a little later.
    """
    alarm = getattr(signal, "SIGALRM", None) if hasattr(signal, "setitimer") else None

    def interrupt(number: int, frame: Optional[FrameType]) -> None:
        if alarm is None or not _executing(frame):
            raise KeyboardInterrupt
        signal.setitimer(signal.ITIMER_REAL, LATER)

    wanted = [signal.SIGTERM, *([] if signal.getsignal(signal.SIGINT) is signal.SIG_IGN else [signal.SIGINT])]
    wanted += [] if alarm is None else [alarm]
    try:
        before = [(number, signal.signal(number, interrupt)) for number in wanted]
    except ValueError:  # Premise: only the main thread may say what becomes of signals.
        yield
        return
    try:
        yield
    finally:
        if alarm is not None:
            signal.setitimer(signal.ITIMER_REAL, 0)
        for number, handler in before:
            signal.signal(number, handler)


def _executing(frame: Optional[FrameType]) -> bool:
    """Return whether a frame runs code of executors, processes or threads, or is called by it and not by ours."""
    while frame is not None:
        name = str(frame.f_globals.get("__name__", ""))
        if name.startswith(GUARDED) or name.startswith(OURS):
            return name.startswith(GUARDED)
        frame = frame.f_back
    return False


def _undisturbed() -> None:
    # Premise: Ctrl-C reaches every process of the terminal; the one that hands out the work decides what to do.
    signal.signal(signal.SIGINT, signal.SIG_IGN)


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
