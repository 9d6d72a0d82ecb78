"""Ask every program that is installed, shrink what is wrong, and write what became of it.

python -m tests.conformance ask FILE.json [--only NAME …]    the outcomes, one object a program, added to the file
python -m tests.conformance shrink FILE.json                 the smallest case of each kind of defect of a program
python -m tests.conformance write FILE.json                  spec/conformance.md
"""

from __future__ import annotations

import argparse
import json
import math
import sys
from pathlib import Path
from typing import Any

from refclass.errors import Refusal
from refclass.oracle import answer, problem
from tests.conformance import outcome, page, programs, questions, shrink

DEFECTS = 4  # smallest cases of a program that are looked for


def ask(path: Path, only: list[str], asked: list[questions.Question]) -> None:
    """Ask the programs and add the outcomes to a file."""
    stored: dict[str, Any] = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    if "ceiling" not in stored:
        stored["ceiling"] = {q.id: _plain(v) for q in asked if (v := outcome.ceiling(q)) is not None}
    for program in programs.PROGRAMS:
        if (only and program.name not in only) or (not only and program.name in stored):
            continue
        version = programs.version(program)
        if not version:
            print(f"{program.name}: not installed", file=sys.stderr, flush=True)
            continue
        talk, found = programs.Conversation(program), {}
        for q in asked:
            content, failure = talk.ask(json.dumps(q.problem))
            if failure == "it does not start":
                break
            one = outcome.judged(q, content, failure)
            if one.kind != outcome.SKIPPED:
                found[q.id] = {"kind": one.kind, "digits": _plain(one.digits), "said": one.said}
        talk.stop()
        stored[program.name] = {"version": version, "found": found}
        path.write_text(json.dumps(stored, indent=1, ensure_ascii=False), encoding="utf-8")
        print(f"{program.name} {version}: {len(found)} questions", file=sys.stderr, flush=True)


def _plain(digits: float) -> Any:
    return "all" if digits == math.inf else digits


def smallest(path: Path, only: list[str]) -> None:
    """Look for the smallest cases of defects and add them to a file."""
    stored = json.loads(path.read_text(encoding="utf-8"))
    asked = {q.id: q for q in questions.questions()}
    for program in programs.PROGRAMS:
        if program.name not in stored or (only and program.name not in only):
            continue
        own = stored[program.name]
        talk = programs.Conversation(program, 1)
        for id, kind in page.defects(own["found"])[:DEFECTS]:
            if id in own.setdefault("smallest", {}):
                continue

            def fails(given: dict[str, Any], id: str = id, kind: str = kind, talk: Any = talk) -> bool:
                one = questions.Question(id, given, True)
                return _answered(given) and outcome.judged(one, *talk.ask(json.dumps(given))).kind == kind

            case = shrink.shrunk(asked[id].problem, fails) if fails(asked[id].problem) else asked[id].problem
            last = outcome.judged(questions.Question(id, case, True), *talk.ask(json.dumps(case)))
            own["smallest"][id] = {"problem": case, "kind": last.kind, "digits": _plain(last.digits), "said": last.said}
            path.write_text(json.dumps(stored, indent=1, ensure_ascii=False), encoding="utf-8")
            print(f"{program.name}: {id}: {len(case['x'])} rows", file=sys.stderr, flush=True)
        talk.stop()


def _answered(given: dict[str, Any]) -> bool:
    """Return whether a problem has an answer."""
    try:
        found = answer.answer(problem.made(problem.decode(json.dumps(given), "P"), "P"))
    except Refusal:
        return False
    return "refusal" not in found


def main() -> int:
    """Run one of the commands."""
    p = argparse.ArgumentParser(prog="python -m tests.conformance", description=(__doc__ or "").splitlines()[0])
    p.add_argument("command", choices=("ask", "mixture", "shrink", "write"))
    p.add_argument("file", type=Path)
    p.add_argument("--mixture", type=Path, metavar="FILE.json", help="the outcomes on the mixture data, for the page")
    p.add_argument("--only", nargs="*", default=[], metavar="NAME")
    options = p.parse_args()
    if options.command == "write":
        page.write(*[json.loads(path.read_text(encoding="utf-8")) for path in (options.file, options.mixture)])
    elif options.command == "shrink":
        smallest(options.file, options.only)
    else:
        asked = questions.questions() if options.command == "ask" else questions.mixture()
        ask(options.file, options.only, asked)
    return 0


if __name__ == "__main__":
    sys.exit(main())
