"""Ratios measured side by side: python -m tests.benchmarks [NAME …] [--quick] [--turns N] [--growth] [--cpu].

No number here is asserted anywhere: machines differ, and a test that fails on a busy one says nothing.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path
from typing import Callable, Optional

from refclass import SVC
from tests.benchmarks import samples, scratch, tasks, timing


def peak(work: Callable[[], object]) -> str:
    """Return the most memory, in MB, that the work takes at a time; a dash where the interpreter does not count it."""
    counter = samples.module("tracemalloc")
    if counter is None:
        return "      –"
    counter.start()
    work()
    most = counter.get_traced_memory()[1] / 2**20
    counter.stop()
    return f"{most:7.1f}"


def growth(quick: bool) -> list[str]:
    """Return how time and peak memory of a Gaussian machine grow as n doubles."""
    sizes = (250, 500) if quick else (500, 1000, 2000, 4000)
    lines, before = ["growth of a Gaussian machine, d = 2, C = 1", "     n  time ×  peak MB"], None
    for n in sizes:
        X, y = samples.gauss(n, 2)
        m = SVC(C=1, kernel={"name": "gaussian", "gamma": samples.width(X)})
        taken, _ = timing.seconds(lambda m=m, X=X, y=y: m.fit(X, y))
        times = "" if before is None else f"{taken / before:6.1f}"
        lines.append(f"{n:6d}  {times:>6}  {peak(lambda m=m, X=X, y=y: m.fit(X, y))}")
        before = taken
    return lines


def main(arguments: Optional[list[str]] = None) -> int:
    """Run the named tasks, or all, and print their table."""
    p = argparse.ArgumentParser(prog="python -m tests.benchmarks", description=__doc__)
    p.add_argument("names", nargs="*", metavar="NAME", help=f"tasks: {', '.join(tasks.TASKS)}")
    p.add_argument("--quick", action="store_true", help="only the first setting of each task, three turns")
    p.add_argument("--turns", type=int, default=0, help="paired runs (default 7, quick 3)")
    p.add_argument("--growth", action="store_true", help="also how time and memory grow with n")
    p.add_argument("--cpu", action="store_true", help="processor time, not the clock's: on a busy machine")
    p.add_argument("--peers", metavar="DIR", action="append", default=[], help="a folder of their checkouts")
    options = p.parse_args(arguments)
    scratch.FOLDERS[:] = map(Path, options.peers)
    for name in options.names:
        if name not in tasks.TASKS:
            p.error(f"no task {name!r}; there are {', '.join(tasks.TASKS)}")
    results, clock = [], time.process_time if options.cpu else time.perf_counter
    for name in options.names or tasks.TASKS:
        for make in tasks.TASKS[name]()[: 1 if options.quick else None]:
            results.append(timing.compare(make(), options.turns or (3 if options.quick else 7), clock))
            print(timing.table(results[-1:])[-1], flush=True)
    print()
    for line in timing.table(results) + (["", *growth(options.quick)] if options.growth else []):
        print(line)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
