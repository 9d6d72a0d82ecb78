"""Mutation: break each operator of the functions that carry an equation, and see whether a test fails.

    python -m tests.mutate ESL-12.13 ['ESL-12.2*' …] [--seconds 10]
    python -m tests.mutate 'KIM 2' 'ESL 4.3' --results FILE    sections; what FILE has already is not run again
    python -m tests.mutate refclass/number/vanishing.py        all functions of a module
    python -m tests.mutate --write --results FILE              spec/mutants.md, of the record and of what FILE has

    python -m tests.mutate --changed 'ESL 12.2' …              functions that are not as they were recorded

A mutant is a function with one operator of its body changed: + and −, × and ÷, < and ≤, > and ≥, == and !=, min and
max, "and" and "or", a sign, an absolute value or "not" left out, a whole number one larger. Words of refusals are not
changed. Every test that calls the function and takes at most two seconds may find it: the laws, the
bridges and those of other layers, too. A mutant that no test fails for is printed with its line. Exit status 0 if every
mutant is found or explained in tests/mutate/survivors.toml, 1 if one survives, 2 if nothing carries the equation.
"""

from __future__ import annotations

import argparse
import pathlib
import sys

from tests.mutate import mutant, page, runner


def main() -> int:
    """Judge the equations named on the command line."""
    p = argparse.ArgumentParser(prog="python -m tests.mutate", description=(__doc__ or "").splitlines()[0])
    p.add_argument(
        "equations", nargs="*", metavar="EQUATION", help="an id, a pattern of ids, a section, or a module's path"
    )
    p.add_argument("--seconds", type=float, default=10, metavar="S", help="of the processor for each mutant (10)")
    p.add_argument("--results", type=pathlib.Path, metavar="FILE", help="takes the outcomes, a JSON object a line")
    p.add_argument("--again", action="store_true", help="try those anew that are known not to be found")
    p.add_argument("--within", default="", metavar="PATH", help="only functions of modules whose path begins with it")
    p.add_argument("--changed", action="store_true", help="only functions that have changed since the record")
    p.add_argument("--tests", nargs="+", default=[], metavar="FILE", help="only these are asked")
    p.add_argument("--write", action="store_true", help="write spec/mutants.md and the record, and run nothing")
    options = p.parse_args()
    if options.write:
        outcomes = {**page.recorded(), **runner.known(options.results)}
        page.PAGE.write_text(page.of(outcomes), encoding="utf-8")
        page.RECORD.write_text(page.record(outcomes), encoding="utf-8")
        return 0
    named = [e for name in options.equations for e in (mutant.section(name) if name in mutant.SECTIONS else [name])]
    unchanged = page.unchanged() if options.changed else set()
    outcomes = runner.judged(
        named, options.seconds, options.results, options.again, options.within, options.tests, unchanged
    ).outcomes
    alive, reasons = [key for key, outcome in outcomes.items() if outcome != "found"], page.explained()
    left = [key for key in alive if key not in reasons]
    found, reported = len(outcomes) - len(alive), len(alive) - len(left)
    print(f"{found} of {len(outcomes)} mutants found, {reported} explained, {len(left)} survive")
    return 2 if not outcomes else int(bool(left))


if __name__ == "__main__":
    sys.exit(main())
