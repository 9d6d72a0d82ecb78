"""Ratios measured side by side: python -m tests.benchmarks [NAME …] [--quick] [--turns N] [--growth] [--wall]
[--python PYPY] [--minutes M] [--write].

The rows that were asked for come first, then the growth, then the others. A case takes turns until it has spent its
seconds, at least one; with --minutes no more than its share of what is left, and none is begun once the minutes are
over. With --write the page is written after every row, and says what the run left out.

No number here is asserted anywhere: machines differ, and a test that fails on a busy one says nothing.
"""

from __future__ import annotations

import argparse
import json
import math
import statistics
import subprocess
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Callable, Optional

from tests.benchmarks import goals, growth, page, scratch, tasks, timing

WARM = 3.0  # seconds after which a case is compiled where code is compiled on the way


def elsewhere(python: str, name: str, part: str, options: Any, limit: float, most: float) -> dict[str, float]:
    """Return the mean seconds of ours by setting on another interpreter; those that it ended in the time given.

    part     which settings of the task: those asked, the others, or all
    limit    the seconds for the turns of a case
    most     the seconds for the process
    """
    command = [python, "-m", "tests.benchmarks", name, "--alone", "--part", part, "--limit", str(limit)]
    command += ["--warm", str(options.warm), *["--quick"] * options.quick]
    try:
        done = subprocess.run(command, cwd=page.ROOT, capture_output=True, text=True, check=False, timeout=most)
        printed = done.stdout
    except subprocess.TimeoutExpired as late:
        printed = (late.stdout or b"").decode() if isinstance(late.stdout, bytes) else late.stdout or ""
    lines = [json.loads(line) for line in printed.splitlines() if line.startswith("[") and line.endswith("]")]
    return {f"{case} {where}": taken for case, where, taken in lines}


def alone(case: timing.Case, clock: Callable[[], float], limit: float, warm: float) -> list[Any]:
    """Return the name and setting of a case and the mean of our seconds over turns once it is compiled.

    A mean, as what one turn leaves to be collected another one may pay for.

    limit    the seconds for the turns of a case; one that takes longer is not repeated
    warm     the seconds of turns before those that count
    """
    times = _repeated(case, clock, warm)
    times = times[-1:] if times[-1] > limit else _repeated(case, clock, min(WARM, limit))
    return [case.name, case.setting, statistics.mean(times)]


def _repeated(case: timing.Case, clock: Callable[[], float], most: float) -> list[float]:
    """Return our seconds, turn by turn, until they are so many together; of one turn at least."""
    times, spent = [], 0.0
    while not times or spent < most:
        times.append(timing.seconds(case.ours, clock)[0])
        spent += times[-1]
    return times


def parser() -> argparse.ArgumentParser:
    """Return the command line."""
    p = argparse.ArgumentParser(prog="python -m tests.benchmarks", description=__doc__)
    p.add_argument("names", nargs="*", metavar="NAME", help=f"tasks: {', '.join(tasks.TASKS)}")
    p.add_argument("--quick", action="store_true", help="only the first setting of each task, three turns")
    p.add_argument("--turns", type=int, default=0, help="paired runs (default 7, quick 3)")
    p.add_argument("--growth", action="store_true", help="also how time grows with n, d and C")
    p.add_argument("--wall", action="store_true", help="the clock's time, not the processor's")
    p.add_argument("--python", metavar="PATH", help="another interpreter, such as PyPy: a column of its time over ours")
    p.add_argument("--peers", metavar="DIR", action="append", default=[], help="a folder of their checkouts")
    p.add_argument("--write", action="store_true", help=f"record the run in {page.RECORD.relative_to(page.ROOT)}")
    p.add_argument("--minutes", type=float, default=math.inf, metavar="M", help="begin no row after M minutes")
    p.add_argument("--limit", type=float, default=timing.LIMIT, help="seconds after which a row takes no more turns")
    p.add_argument("--warm", type=float, default=WARM, help=argparse.SUPPRESS)
    p.add_argument("--alone", action="store_true", help=argparse.SUPPRESS)
    p.add_argument("--part", choices=["asked", "others", "all"], default="all", help=argparse.SUPPRESS)
    return p


def chosen(options: Any, part: str) -> dict[str, list[timing.Setting]]:
    """Return the settings of each task that are to be measured: those asked, the others, or all."""
    asked = {(goal.task, goal.setting) for goal in goals.GOALS}
    found = {}
    for name in options.names or tasks.TASKS:
        own = tasks.TASKS[name]()[: 1 if options.quick else None]
        found[name] = [s for s in own if part == "all" or (part == "asked") == ((s.name, s.setting) in asked)]
    return {name: own for name, own in found.items() if own}


class Run:
    """A run of the benchmarks.

    options, clock    the command line, and what time is measured by
    left              how many settings are still to be measured
    record            what is known so far, for the page
    """

    def __init__(self, options: Any, clock: Callable[[], float]) -> None:
        self.options, self.clock = options, clock
        self.end = time.monotonic() + 60 * options.minutes
        everything = [s for own in chosen(options, "all").values() for s in own]
        self.left = len(everything)
        self.record = page.Record(page.facts(clock), everything, options.python)

    def share(self) -> float:
        """Return the seconds that the next case may take here, and as many elsewhere."""
        rest = (self.end - time.monotonic()) / max(1, self.left) / (2 if self.options.python else 1)
        return max(0.0, min(self.options.limit, rest))

    def part(self, part: str) -> None:
        """Measure the settings asked, or the others."""
        for name, settings in chosen(self.options, part).items():
            other: dict[str, float] = {}
            if self.options.python and name != "memory" and time.monotonic() < self.end:
                share = self.share()
                most = min(len(settings) * 2 * (share + WARM) + 60, self.end - time.monotonic())
                other = elsewhere(self.options.python, name, part, self.options, share, most)
            for setting in settings:
                self.measure(setting, other)

    def measure(self, setting: timing.Setting, other: dict[str, float]) -> None:
        """Measure one, unless the time is over, and write the page."""
        if time.monotonic() < self.end:
            try:
                result = timing.compare(setting.make(), self.options.turns, self.clock, other, self.share())
            except Exception as problem:  # what one row runs into must not cost the others
                self.record.failed[setting.name, setting.setting] = f"{type(problem).__name__}: {problem}"
                print(setting.name, setting.setting, type(problem).__name__, problem, flush=True)
            else:
                self.record.results.append(result)
                print(timing.table([result])[-1], flush=True)
        self.left -= 1
        self.write()

    def grow(self) -> None:
        """Measure the growth, a line at a time."""
        for series in growth.SERIES[: 1 if self.options.quick else None]:
            if time.monotonic() < self.end:
                self.record.grown.append(growth.line(series, self.clock, self.options.quick))
                print("  ".join(self.record.grown[-1]), flush=True)
                self.write()

    def write(self) -> None:
        """Write the page, if that was asked for."""
        if self.options.write:
            page.RECORD.write_text(page.text(self.record), encoding="utf-8")


def main(arguments: Optional[Sequence[str]] = None) -> int:
    """Run the named tasks, or all, and print their table."""
    p = parser()
    options = p.parse_args(arguments)
    scratch.FOLDERS[:] = map(Path, options.peers)
    for name in options.names:
        if name not in tasks.TASKS:
            p.error(f"no task {name!r}; there are {', '.join(tasks.TASKS)}")
    clock = time.perf_counter if options.wall else time.process_time
    options.turns = options.turns or (3 if options.quick else 7)
    if options.alone:
        for settings in chosen(options, options.part).values():
            for setting in settings:
                print(json.dumps(alone(setting.make(), clock, options.limit, options.warm)), flush=True)
        return 0
    run = Run(options, clock)
    print(*run.record.facts, "", sep="\n", flush=True)
    run.part("asked")
    if options.growth:
        run.grow()
    run.part("others")
    print("", *timing.table(run.record.results), sep="\n")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
