"""The page that records a run: what was asked, the ratios, the growth, and what the run left out."""

from __future__ import annotations

import datetime
import os
import platform
import time
from dataclasses import dataclass, field
from importlib import metadata
from pathlib import Path
from typing import Any, Callable, Optional

from tests.benchmarks import goals, samples, timing

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
    "does nothing else. Of the rows that are missed, [decision 0030](decisions/0030-what-plain-python-cannot-reach.md)",
    "computes how much of their time the products alone take that no program in plain Python can do without, and says",
    "what was tried.",
)


@dataclass
class Record:
    """What a run knows so far.

    facts       where and how it was measured, a fact a line
    settings    what is to be measured, in the order of the page
    python      another interpreter, whose column the page has
    results     what was measured
    failed      what a setting ran into instead of a result
    grown       the lines of growth
    """

    facts: list[str]
    settings: list[timing.Setting]
    python: Optional[str]
    results: list[timing.Result] = field(default_factory=list)
    failed: dict[tuple[str, str], str] = field(default_factory=dict)
    grown: list[tuple[str, ...]] = field(default_factory=list)


def facts(clock: Callable[[], float]) -> list[str]:
    """Return where and how it is measured, a fact a line."""
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


def text(record: Record) -> str:
    """Return the text of the page."""
    order = {(s.name, s.setting): k for k, s in enumerate(record.settings)}
    results = sorted(record.results, key=lambda r: order.get((r.case.name, r.case.setting), 0))
    lines, column = [HEAD, *record.facts], Path(record.python).name if record.python else ""
    if column:
        lines.append(
            f"- the column {column}: its processor time over CPython's, ours on both: the mean of three seconds, with"
        )
        lines.append("  garbage collection, after three seconds to compile, over the median of CPython's turns;")
        lines.append("  empty where it did not end in the time given, or where memory is measured")
    lines += ["", "## What was asked", "", *markdown(goals.rows(results)), "", *NOTES]
    lines += ["", "## Ratios", "", *markdown(timing.rows(results, column))]
    if record.grown:
        lines += ["", "## Growth", "", *markdown([("task", "over", "fitted", "times", "stated Cost"), *record.grown])]
    missing = left_out(record)
    if missing:
        lines += ["", "## Left out", "", *missing]
    return "\n".join(lines) + "\n"


def left_out(record: Record) -> list[str]:
    """Return what the run did not measure, and what no peer is there for, a line each."""
    done = {(r.case.name, r.case.setting) for r in record.results}
    names = dict.fromkeys([(s.name, s.setting) for s in record.settings])
    lines = [f"- {name} {setting}: {why}" for (name, setting), why in record.failed.items()]
    lines += [f"- {a} {b}: no time was left" for a, b in names if (a, b) not in done and (a, b) not in record.failed]
    if not any(s.name == "from scratch" for s in record.settings):
        lines.append("- machines that others wrote from scratch: no checkout of theirs was given (`--peers DIR`)")
    return lines


def markdown(rows: list[Any]) -> list[str]:
    """Return rows of cells, the heading first, as a table."""
    heading, *others = [f"| {' | '.join(row)} |" for row in rows]
    return [heading, "|" + "---|" * len(rows[0]), *others]
