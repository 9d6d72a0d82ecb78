"""Side by side: two programs take turns in one process, and the median of the ratios of their turns is the result.

Absolute times drift with the machine; a ratio of two neighbouring runs does not. Where the other program is not
installed, ours is divided by a floor: the fewest operations that the task needs, timed in the same run.
"""

from __future__ import annotations

import gc
import statistics
import time
from dataclasses import dataclass, field
from typing import Any, Callable, Optional


@dataclass(frozen=True)
class Case:
    """One comparison: ours, the peer's (None where it is not installed), and the floor's work as callables."""

    name: str
    setting: str
    ours: Callable[[], Any]
    peer_name: str
    peer: Optional[Callable[[], Any]]
    floor: Callable[[], Any]
    remark: Callable[[Any], str] = field(default=lambda result: "")


@dataclass(frozen=True)
class Result:
    """The ratios of a case: the median of paired runs and their range, and what the remark says of our answer."""

    case: Case
    against: str
    median: float
    least: float
    most: float
    remark: str


def seconds(work: Callable[[], Any]) -> tuple[float, Any]:
    """Return how long the work takes, garbage collection aside, and its result."""
    gc.disable()
    try:
        start = time.perf_counter()
        result = work()
        return time.perf_counter() - start, result
    finally:
        gc.enable()


def compare(case: Case, turns: int) -> Result:
    """Return the ratios ours / other over that many turns, after one turn that does not count."""
    other = case.peer or case.floor
    other()
    gc.collect()
    _, result = seconds(case.ours)
    ratios = []
    for turn in range(turns):
        first, second = (case.ours, other) if turn % 2 else (other, case.ours)
        times = {first: seconds(first)[0], second: seconds(second)[0]}
        ratios.append(times[case.ours] / times[other])
    against = case.peer_name if case.peer else "floor"
    return Result(case, against, statistics.median(ratios), min(ratios), max(ratios), case.remark(result))


def table(results: list[Result]) -> list[str]:
    """Return the results as lines for people."""
    rows = [("task", "setting", "against", "median ×", "range", "")]
    for r in results:
        rows.append(
            (r.case.name, r.case.setting, r.against, f"{r.median:.2f}", f"{r.least:.2f}–{r.most:.2f}", r.remark)
        )
    widths = [max(map(len, column)) for column in zip(*rows)]
    return ["  ".join(cell.ljust(w) for cell, w in zip(row, widths)).rstrip() for row in rows]
