"""The command `vectors`: list, run, check and fill the conformance cases."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

from refclass.errors import InvalidInput
from refclass.oracle import judge
from refclass.oracle.vectors import candidate, case, conformance

Progress = Callable[[int, int, str], None]


def ask(command: Any, progress: Progress) -> None:
    """Add the commands to those of a parser."""
    c = command("vectors", None, "conformance cases: list them, run another program on them, check them")
    parts = c.add_subparsers(dest="vectors", metavar="COMMAND", required=True, parser_class=type(c))

    def part(name: str, run: Any, about: str) -> Any:
        p = parts.add_parser(name, help=about, description=about)
        p.set_defaults(run=lambda options: run(options, progress))
        p.add_argument("cases", nargs="*", metavar="CASE", help="an id, a method, or a pattern of ids (default: all)")
        p.add_argument("--flag", action="append", default=[], metavar="F", help=", ".join(case.FLAGS))
        p.add_argument("--json", action="store_true", help="as JSON")
        return p

    part("list", _list, "list the cases")
    p = part("run", _run, "run another program on the cases and judge its answers; status 1 if one is wrong")
    p.add_argument(
        "--candidate", required=True, metavar="CMD", help="reads a problem on standard input, writes an answer"
    )
    p.add_argument(
        "--lines", action="store_true", help="CMD is started once: a problem a line in, an answer a line out"
    )
    p.add_argument("--digits", type=float, default=judge.DIGITS, metavar="N", help=f"digits asked for ({judge.DIGITS})")
    p.add_argument("--timeout", type=float, default=60, metavar="S", help="seconds an answer may take (60)")
    p.add_argument("--expected", metavar="F.json", help='expected failures: {"id or pattern": "reason"}')
    part("check", _check, "verify every stored answer; status 1 if one is wrong or was changed")
    p = part("fill", _fill, "write the answers that are missing; a published case is never changed")
    p.add_argument("--force", action="store_true", help="answer the cases that are named anew")
    p.add_argument("--folder", metavar="DIR", help="the folder of the cases (default: that of the checkout)")


def _chosen(options: Any) -> list[case.Case]:
    return case.chosen(case.shipped(), options.cases, options.flag)


def _list(options: Any, progress: Progress) -> int:
    cases = _chosen(options)
    if options.json:
        print(json.dumps([one.listed() for one in cases], indent=1, ensure_ascii=False))
        return 0
    for one in cases:
        print(f"{one.id}  [{', '.join(one.flags)}]  {' '.join(one.cites)}\n    {one.note}")
    print(f"{len(cases)} cases")
    return 0


def _run(options: Any, progress: Progress) -> int:
    cases, found = _chosen(options), []
    expected = conformance.expectations(options.expected) if options.expected else {}
    if not (options.timeout > 0 and options.digits > 0):
        raise InvalidInput("vectors", need="digits and a time above zero", got=f"{options.digits}, {options.timeout}")
    answers = (candidate.conversation if options.lines else candidate.answers)(
        options.candidate, cases, options.timeout
    )
    for i, (one, (content, failure)) in enumerate(answers, start=1):
        progress(i, len(cases), one.id)
        found.append(conformance.outcome(one, content, options.digits, expected, failure))
    stale = conformance.stale(found, expected)
    print(json.dumps(found, indent=1, ensure_ascii=False) if options.json else _reported(found, stale))
    return int(bool(stale) or any(one["outcome"] in (conformance.WRONG, conformance.STALE) for one in found))


def _reported(found: list[dict[str, Any]], stale: list[str]) -> str:
    lines = []
    for one in found:
        if one["outcome"] != conformance.RIGHT:
            why = one.get("reason") or one.get("verdict", "")
            lines.append(f"{one['outcome']}: {one['id']}: {why}")
            if "expected" in one:
                lines.append(f"    expected to fail: {one['expected']}")
    lines += [f"expected to fail, and nothing fails: {pattern}" for pattern in stale]
    counts = Counter(one["outcome"] for one in found)
    return "\n".join([*lines, ", ".join(f"{n} {name}" for name, n in sorted(counts.items()))])


def _check(options: Any, progress: Progress) -> int:
    cases, faults = _chosen(options), {}
    for i, (one, fault) in enumerate(conformance.check(cases, case.folder()), start=1):
        progress(i, len(cases), one.id)
        if fault:
            faults[one.id] = fault
    if options.json:
        print(json.dumps({"cases": len(cases), "faults": faults}, ensure_ascii=False))
    else:
        for name, fault in faults.items():
            print(f"{name}: {fault}")
        print(f"{len(cases) - len(faults)} of {len(cases)} cases are right")
    return int(bool(faults))


def _fill(options: Any, progress: Progress) -> int:
    place = Path(options.folder) if options.folder else case.folder()
    if options.force and not options.cases:
        raise InvalidInput("vectors fill", need="the cases to be answered anew", got="--force alone")
    force = [one.id for one in case.chosen(case.read(place), options.cases)] if options.force else []

    def reported(name: str) -> None:
        progress(0, 1, name)

    written = conformance.fill(place, force, reported)
    progress(1, 1, "")
    print(json.dumps(written) if options.json else f"{len(written)} answers written to {place}")
    return 0
