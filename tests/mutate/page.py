"""spec/mutants.md: how many mutants of each section were found, and why each of the others was not."""

from __future__ import annotations

import re
from collections.abc import Mapping

from tests.mutate import mutant
from tests.mutate.mutant import ROOT

EXPLAINED = ROOT / "tests" / "mutate" / "survivors.toml"
PAGE = ROOT / "spec" / "mutants.md"
HEAD = """# Mutants

Written by `python -m tests.mutate --write`. Each operator, comparison, sign, min or max and whole number in the body of
every function that carries an equation of these sections is broken, one at a time, and the tests of the default run
that call the function and take at most two seconds are run: those of its module, of its package, those that cite the
equation, the laws, the bridges and all others, until one fails. *Found*: a test fails. *Explained*: no test can or
should fail, for the reason below. *Open*: all others, those that were not run among them.

Functions of `refclass/report/figures` and `tables` are not broken: they show the equations that they cite, computed by
other functions, and the whole numbers there are places, sizes and seeds. What a figure says is a finding that
`tests/report/figures` holds it to.

| section | functions | mutants | found | explained | open |
|---|---|---|---|---|---|
"""


def explained() -> dict[str, str]:
    """Return why mutants survive, by their keys: a line 'key' = "reason" of tests/mutate/survivors.toml each."""
    found = {}
    for line in EXPLAINED.read_text(encoding="utf-8").splitlines() if EXPLAINED.exists() else []:
        reported = re.fullmatch(r"'(.*)' = \"(.*)\"", line)
        if reported:
            found[reported[1]] = reported[2]
    return found


def of(outcomes: Mapping[str, str]) -> str:
    """Return the page."""
    reasons, out, alive = explained(), HEAD, set[str]()
    for name in mutant.SECTIONS:
        places = mutant.carriers(mutant.section(name))
        keys = [m.key for p, f in places for m in mutant.mutants(p, f, (ROOT / p).read_text(encoding="utf-8"))]
        left = [key for key in keys if outcomes.get(key) != "found"]
        reported = sum(key in reasons for key in left)
        numbers = (len(places), len(keys), len(keys) - len(left), reported, len(left) - reported)
        out += f"| {name} | {' | '.join(map(str, numbers))} |\n"
        alive.update(left)
    out, last = f"{out}\nA function may stand in two sections.\n", ""
    for key in sorted(alive):
        place, said = key.replace("::", ": ", 1).split(": ", 2)[:2], key.split(": ", 1)[1].replace("`", "'")
        head = " · ".join(place)
        out += f"\n## {head}\n\n" if head != last else ""
        last = head
        out += f"- `{said}`: {reasons.get(key, 'open' if key in outcomes else 'open, not run')}\n"
    return out
