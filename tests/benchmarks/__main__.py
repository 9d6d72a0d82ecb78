"""Ratios measured side by side: python -m tests.benchmarks [NAME …] [--quick] [--turns N] [--growth] [--wall]
[--python PYPY] [--minutes M] [--write].

Every case takes at least one turn; with --minutes it takes further ones as far as its share of what is left reaches.

No number here is asserted anywhere: machines differ, and a test that fails on a busy one says nothing.
"""

from __future__ import annotations

import argparse
import datetime
import json
import math
import os
import platform
import subprocess
import time
from importlib import metadata
from pathlib import Path
from typing import Any, Callable, Optional

from tests.benchmarks import goals, growth, samples, scratch, tasks, timing

ROOT = Path(__file__).resolve().parents[2]
RECORD = ROOT / "spec" / "benchmarks.md"
PEERS = ("scikit-learn", "numpy", "quadprog", "cvxopt")

HEAD = """# Benchmarks

Written by `python -m tests.benchmarks --growth --write`; do not edit. Each row is the median of paired ratios: the two
programs take turns in one process. Smaller is better; below 1 ours is faster. Where no peer is installed, ours is
divided by a lower bound, the fewest operations that the task needs in plain Python. Nothing here is asserted by a test.
"""

NOTES = (
    "Seconds and megabytes are ours alone: processor time on the machine above, and the most memory of a process that",
    "does nothing else. Of the rows that are missed, `spec/decisions/0030-what-plain-python-cannot-reach.md` computes",
    "how much of their time the products alone take that no program in plain Python can do without.",
)


def setting(clock: Callable[[], float]) -> list[str]:
    """Return where and how it was measured, a fact a line."""
    there = []
    for name in PEERS:
        try:
            there.append(f"{name} {metadata.version(name)}")
        except metadata.PackageNotFoundError:
            continue
    threads = ", ".join(f"{name}={os.environ.get(name)}" for name in samples.THREADS[:2])
    return [
        f"- {datetime.date.today().isoformat()}, {platform.python_implementation()} {platform.python_version()}, "
        f"{platform.machine()}, {os.cpu_count()} processors",
        f"- peers: {', '.join(there) or 'none'}; one thread each ({threads})",
        f"- {'processor time' if clock is time.process_time else 'wall time'}; load average at the start "
        f"{', '.join(f'{v:.1f}' for v in getattr(os, 'getloadavg', lambda: ())())}",
    ]


def elsewhere(python: str, name: str, quick: bool, turns: int, limit: float) -> dict[str, float]:
    """Return the median seconds of ours by setting on another interpreter; empty where it cannot run the task."""
    command = [python, "-m", "tests.benchmarks", name, "--alone", "--turns", str(turns), *(["--quick"] * quick)]
    command += ["--limit", str(limit)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    lines = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("[")]
    return {f"{case} {where}": taken for case, where, taken in lines}


def alone(case: timing.Case, turns: int, clock: Callable[[], float], limit: float) -> list[Any]:
    """Return the name and setting of a case and the median of our seconds, after a turn to warm up."""
    times, spent = [], 0.0
    for _ in range(turns + 1):
        times.append(timing.seconds(case.ours, clock)[0])
        spent += times[-1]
        if spent > limit:
            break
    counted = sorted(times[1:] or times)
    return [case.name, case.setting, counted[len(counted) // 2]]


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
    p.add_argument("--write", action="store_true", help=f"record the run in {RECORD.relative_to(ROOT)}")
    p.add_argument("--minutes", type=float, metavar="M", help="take no second turn where M minutes would not do")
    p.add_argument("--limit", type=float, default=timing.LIMIT, help=argparse.SUPPRESS)
    p.add_argument("--alone", action="store_true", help=argparse.SUPPRESS)
    return p


def main(arguments: Optional[list[str]] = None) -> int:
    """Run the named tasks, or all, and print their table."""
    p = parser()
    options = p.parse_args(arguments)
    scratch.FOLDERS[:] = map(Path, options.peers)
    for name in options.names:
        if name not in tasks.TASKS:
            p.error(f"no task {name!r}; there are {', '.join(tasks.TASKS)}")
    clock = time.perf_counter if options.wall else time.process_time
    turns = options.turns or (3 if options.quick else 7)
    facts = setting(clock)
    if not options.alone:
        print(*facts, "", sep="\n", flush=True)
    results: list[timing.Result] = []
    end, both = time.monotonic() + 60 * (options.minutes or math.inf), 2 if options.python else 1
    cases = {name: tasks.TASKS[name]()[: 1 if options.quick else None] for name in options.names or tasks.TASKS}
    left = sum(map(len, cases.values()))
    for name, makers in cases.items():
        other: dict[str, float] = {}
        if options.python:
            share = min(options.limit, (end - time.monotonic()) / left / 2)
            other = elsewhere(options.python, name, options.quick, turns, share)
        for make in makers:
            limit = min(options.limit, (end - time.monotonic()) / left / both)
            left -= 1
            if options.alone:
                print(json.dumps(alone(make(), turns, clock, limit)), flush=True)
                continue
            results.append(timing.compare(make(), turns, clock, other, limit))
            print(timing.table(results[-1:])[-1], flush=True)
    if options.alone:
        return 0
    grown = growth.lines(clock, options.quick) if options.growth else []
    print("", *timing.table(results), sep="\n")
    print(*("  ".join(line) for line in grown), sep="\n")
    if options.write:
        RECORD.write_text(recorded(facts, results, grown, options.python), encoding="utf-8")
    return 0


def recorded(facts: list[str], results: list[timing.Result], grown: list[Any], python: Optional[str]) -> str:
    """Return the text of the record."""
    lines = [HEAD, *facts]
    if python:
        lines.append(f"- the column {Path(python).name}: its processor time over CPython's, ours on both")
    lines += ["", "## What was asked", "", *markdown(goals.rows(results)), "", *NOTES]
    lines += ["", "## Ratios", "", *markdown(timing.rows(results, Path(python).name if python else ""))]
    if grown:
        lines += ["", "## Growth", "", *markdown([("task", "over", "fitted", "times", "stated Cost"), *grown])]
    return "\n".join(lines) + "\n"


def markdown(rows: list[Any]) -> list[str]:
    """Return rows of cells, the heading first, as a table."""
    heading, *others = [f"| {' | '.join(row)} |" for row in rows]
    return [heading, "|" + "---|" * len(rows[0]), *others]


if __name__ == "__main__":
    raise SystemExit(main())
