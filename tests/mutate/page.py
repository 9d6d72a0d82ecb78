"""spec/mutants.md: how many mutants of each section were found, and why each of the others was not."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping

from tests.mutate import mutant
from tests.mutate.mutant import ROOT, Function

EXPLAINED = ROOT / "tests" / "mutate" / "survivors.toml"
RECORD = ROOT / "tests" / "mutate" / "record.txt"
PAGE = ROOT / "spec" / "mutants.md"
HEAD = """# Mutants

Written by `python -m tests.mutate --write`. Each operator, comparison, sign, absolute value, min or max and whole
number in the body of every function that carries an equation of these sections is broken, one at a time, and the tests
of the default run and the long ones that call the function, two seconds at most, are run: of its module, its package,
those that cite the equation, the laws, the bridges and all others, until one fails. A test that fails of a function as
it is, too, does not count. *Found*: a test fails. *Explained*: no test can or should fail, for the reason below.
*Open*: all others, those that were not run, and those of a function whose statements are others than those that were
run.

A function carries the marks in its own lines, and a method those in its class's docstring: losses, kernels, bases,
models. An estimator's docstring names what it solves, by functions that carry the marks; of its methods those count
that carry a mark themselves. A module's docstring tells what the module is about: its marks are none of its functions'.
Figures and tables are not broken: an operator there is a place, a size, a seed, or part of a finding, which is an
assertion. What 22 figures draw, all but those that take minutes, `tests/report/drawings.py` holds to a digest of every
drawing, the same on CPython 3.9, 3.11, 3.13 and PyPy.

Operators are all those of
Python: `+ − × ÷ // % ** @ << >> & | ^`, also in `+=` and its like, `< ≤ > ≥ == != is in` and their negations, each link
of a chain, `and`, `or`, `not`, the minus sign; `a @ b` becomes `(−a) @ b`. Not broken are the words of refusals, texts,
defaults of arguments and annotations.

`tests/mutate/record.txt` has a digest of the statements of each function whose mutants are all found or explained, and
how many are explained; `python -m tests.mutate --changed 'ESL 12.2' …` breaks those that have changed since. This page
has the outcomes of the record, and of the run that it was written after.

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
    reasons, out, every = explained(), HEAD, dict[Function, list[str]]()
    for name in mutant.SECTIONS:
        places = {place: keys(place) for place in mutant.carriers(mutant.section(name))}
        out += _row(name, places, outcomes, reasons)
        every.update(places)
    out += _row("all", every, outcomes, reasons) + "\nA function may stand in two sections; the last row has it once.\n"
    last = ""
    for key in sorted(key for own in every.values() for key in own if outcomes.get(key) != "found"):
        place, said = key.replace("::", ": ", 1).split(": ", 2)[:2], key.split(": ", 1)[1].replace("`", "'")
        head = " · ".join(place)
        out += f"\n## {head}\n\n" if head != last else ""
        last = head
        out += f"- `{said}`: {reasons.get(key, 'open' if key in outcomes else 'open, not run')}\n"
    return out


def record(outcomes: Mapping[str, str]) -> str:
    """Return the functions whose mutants are all found or explained, with their digests and numbers of explanations."""
    reasons, out = explained(), ""
    for place in sorted(mutant.carriers(e for name in mutant.SECTIONS for e in mutant.section(name))):
        own = keys(place)
        if all(outcomes.get(key) == "found" or (key in outcomes and key in reasons) for key in own):
            out += f"{mutant.digested(*place)} {len(reasons.keys() & own)} {'::'.join(place)}\n"
    return out


def unchanged() -> set[Function]:
    """Return the functions whose statements, and the number of whose explanations, are those of the record."""
    lines = RECORD.read_text(encoding="utf-8").splitlines() if RECORD.exists() else []
    reasons, found = Counter(map(mutant.place, explained())), set[Function]()
    for digest, count, name in map(str.split, lines):
        path, _, function = name.partition("::")
        if mutant.digested(path, function) == digest and reasons[path, function] == int(count):
            found.add((path, function))
    return found


def recorded() -> dict[str, str]:
    """Return the outcomes of the mutants of the functions of the record that are unchanged."""
    reasons = explained()
    return {key: "survives" if key in reasons else "found" for place in unchanged() for key in keys(place)}


def keys(place: Function) -> list[str]:
    """Return the keys of the mutants of a function."""
    return [m.key for m in mutant.mutants(*place, (ROOT / place[0]).read_text(encoding="utf-8"))]


def _row(
    name: str, places: Mapping[Function, Iterable[str]], outcomes: Mapping[str, str], reasons: Iterable[str]
) -> str:
    """Return a row of the table; an explanation counts where the mutant was run."""
    own = [key for keys in places.values() for key in keys]
    left = [key for key in own if outcomes.get(key) != "found"]
    reported = sum(key in reasons and key in outcomes for key in left)
    numbers = (len(places), len(own), len(own) - len(left), reported, len(left) - reported)
    return f"| {name} | {' | '.join(map(str, numbers))} |\n"
