"""Side by side: two programs take turns in one process, and the median of the ratios of their turns is the result.

Absolute times drift with the machine; a ratio of two neighbouring runs does not. Where the other program is not
installed, ours is divided by a lower bound: the fewest operations that the task needs, timed in the same run.
"""

from __future__ import annotations

import functools
import gc
import inspect
import signal
import statistics
import sys
import time
from dataclasses import dataclass, field
from typing import Any, Callable, Optional

LIMIT = 6.0  # seconds after which a case takes no more turns
# Whether what is no longer used is freed at once. Where it is not (PyPy), nothing is freed without the collector:
# memory grows from turn to turn, and a turn takes several times as long.
REFERENCES_COUNTED = hasattr(sys, "getrefcount")
TICK = 1e-9  # seconds that are never less: nothing is divided by zero


@dataclass(frozen=True)
class Reported:
    """What a program in another process returns: the seconds that it took there, and what else it found."""

    seconds: float
    value: Any = None


@dataclass(frozen=True)
class Run:
    """What remains of the turns: our answer, the other's, and the median of our seconds."""

    ours: Any
    other: Any
    seconds: float


@dataclass(frozen=True)
class Case:
    """One comparison: ours, the peer's (None where it is not installed), and the lower bound's work as callables."""

    name: str
    setting: str
    ours: Callable[[], Any]
    peer_name: str
    peer: Optional[Callable[[], Any]]
    bound: Callable[[], Any]
    remark: Callable[[Run], str] = field(default=lambda run: "")


@dataclass(frozen=True)
class Setting:
    """A case that is not made yet: its name, what it is measured on, and what makes it."""

    name: str
    setting: str
    make: Callable[[], Case]


class Measured:
    """What makes cases: called with arguments it makes one, and `at` them it returns the setting without making it.

    build            a function of the case's constructor, with name and setting bound, and of the arguments
    name, setting    formats of the arguments
    """

    def __init__(self, build: Callable[..., Case], name: str, setting: str) -> None:
        functools.update_wrapper(self, build)
        self.build, self.name, self.setting = build, name, setting
        self.signature = inspect.signature(functools.partial(build, None))

    def at(self, *arguments: Any) -> Setting:
        """Return the setting of these arguments."""
        bound = self.signature.bind(*arguments)
        bound.apply_defaults()
        name, text = (words.format(**bound.arguments) for words in (self.name, self.setting))
        return Setting(name, text, lambda: self.build(functools.partial(Case, name, text), *bound.args))

    def __call__(self, *arguments: Any) -> Case:
        """Return the case of these arguments."""
        return self.at(*arguments).make()


def measured(name: str, setting: str) -> Callable[[Callable[..., Case]], Measured]:
    """Return a decorator of a function that makes cases, by the formats of their name and setting."""
    return lambda build: Measured(build, name, setting)


@dataclass(frozen=True)
class Result:
    """The ratios of a case: the median of paired runs and their range, and what the remark says of our answer."""

    case: Case
    against: str
    median: float
    least: float
    most: float
    remark: str
    elsewhere: str = ""  # our time on another interpreter over that on this one
    seconds: float = 0  # the median of ours


def seconds(work: Callable[[], Any], clock: Callable[[], float] = time.perf_counter) -> tuple[float, Any]:
    """Return how long the work takes, and its result; where references are counted, the search for cycles aside."""
    if REFERENCES_COUNTED:
        gc.disable()
    try:
        start = clock()
        result = work()
        taken = clock() - start
        return (result.seconds if isinstance(result, Reported) else taken), result
    finally:
        gc.enable()


def bounded(work: Callable[[], Any], most: float) -> Any:
    """Return the work's result, or None if it has none after that many seconds: some programs never end."""

    def stop(*_: Any) -> None:
        raise TimeoutError

    before = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, most)
    try:
        return work()
    except TimeoutError:
        return None
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def compare(
    case: Case,
    turns: int,
    clock: Callable[[], float] = time.perf_counter,
    elsewhere: Optional[dict[str, float]] = None,
    limit: float = LIMIT,
) -> Result:
    """Return the ratios ours / other over that many turns, after one that counts only if time allows no other.

    elsewhere    our seconds on another interpreter, by name and setting of the case
    limit        the seconds after which no further turn is taken
    """
    other = case.peer or case.bound
    taken, spent = [], 0.0
    for turn in range(turns + 1):
        first, second = (case.ours, other) if turn % 2 else (other, case.ours)
        times = {first: seconds(first, clock), second: seconds(second, clock)}
        (ours, answer), (theirs, others) = times[case.ours], times[other]
        taken.append((ours, theirs))
        spent += ours + theirs
        if spent > limit:
            break
    counted = taken[1:] or taken
    ratios = [ours / max(theirs, TICK) for ours, theirs in counted]
    run = Run(answer, others, statistics.median([ours for ours, _ in counted]))
    against = case.peer_name if case.peer else "lower bound"
    there = (elsewhere or {}).get(f"{case.name} {case.setting}")
    column = "" if there is None else f"{there / max(run.seconds, TICK):.2f}"
    return Result(
        case, against, statistics.median(ratios), min(ratios), max(ratios), case.remark(run), column, run.seconds
    )


def rows(results: list[Result], elsewhere: str = "") -> list[tuple[str, ...]]:
    """Return the results as cells, the heading first; the other interpreter's column where it has a name."""
    found = [("task", "setting", "against", "median ×", "range", *([elsewhere] if elsewhere else []), "")]
    for r in results:
        ratios = f"{r.median:.3g}", f"{r.least:.3g}–{r.most:.3g}"
        other = [r.elsewhere] if elsewhere else []
        found.append((r.case.name, r.case.setting, r.against, *ratios, *other, r.remark))
    return found


def table(results: list[Result]) -> list[str]:
    """Return the results as lines for people."""
    cells = rows(results, "elsewhere" if any(r.elsewhere for r in results) else "")
    widths = [max(map(len, column)) for column in zip(*cells)]
    return ["  ".join(cell.ljust(w) for cell, w in zip(row, widths)).rstrip() for row in cells]
