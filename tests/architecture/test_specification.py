"""The specification's specification: complete, without dangling ids, and in step with code and tests."""

from __future__ import annotations

import ast
import functools
import re
import sys

import pytest

from refclass.oracle.equations import marks, trace
from refclass.oracle.equations.specification import settings, specification
from tests.architecture.tree import ROOT, nodes, report, sources

KINDS = {
    "definition", "model", "rule", "objective", "constraint", "condition", "identity", "theorem", "algorithm",
    "estimate", "bound", "example", "exercise", "statement",
}  # fmt: skip
SPECIFICATION = specification(ROOT)


@functools.cache
def found():
    """Return the marks of this checkout."""
    return marks.marks(SPECIFICATION)


@functools.cache
def matrix():
    """Return the rows of the trace."""
    return trace.matrix(SPECIFICATION, found())


def documents():
    """Return the ranges of numbers of each document: {key: {"numbers": […], "cited": […]}}."""
    found = {}
    for line in (ROOT / "spec" / "documents.toml").read_text(encoding="utf-8").splitlines():
        table, entry = re.match(r"\[(\w+)\]$", line), re.match(r"(numbers|cited) = (\[.*\])$", line)
        if table:
            key = table[1]
        elif entry:
            found.setdefault(key, {})[entry[1]] = ast.literal_eval(entry[2])
    return found


def numbers(ranges):
    """Return the numbers of ranges such as "12.1-12.51"."""
    for text in ranges:
        first, _, last = text.partition("-")
        chapter, low = first.split(".")
        high = last.split(".")[1] if last else low
        yield from (f"{chapter}.{i}" for i in range(int(low), int(high) + 1))


def test_every_number_of_the_documents_has_a_heading():
    """Every equation number that the documents print or cite as one of theirs has a heading."""
    wanted = [f"{key}-{n}" for key, parts in documents().items() for part in parts.values() for n in numbers(part)]
    assert len(wanted) == 4 + 5 + 51 + 5 + 132 + 35 + 76 + 2
    report([name for name in wanted if name not in SPECIFICATION.equations], "numbers without a heading:")


def test_every_equation_says_its_kind_and_its_formula():
    """Every heading has one of the agreed kinds and a formula under it."""
    faults = [f"{e.id}: {e.kind}" for e in SPECIFICATION.equations.values() if e.kind not in KINDS]
    faults += [f"{e.id} has no formula" for e in SPECIFICATION.equations.values() if not e.formula.startswith("\n    ")
               and not e.formula.startswith("    ")]  # fmt: skip
    report(faults, "headings that say too little:")


def test_what_an_equation_uses_is_on_the_specification():
    """Every id after "uses" is a heading."""
    report(
        [
            f"{e.id} uses {u}"
            for e in SPECIFICATION.equations.values()
            for u in e.uses
            if u not in SPECIFICATION.equations
        ],
        "dangling:",
    )


def test_no_equation_rests_on_itself():
    """The graph of "uses" has no cycle."""
    order: dict[str, int] = {}

    def rank(name, path):
        if name in path:
            raise AssertionError("a cycle: " + " uses ".join([*path[path.index(name) :], name]))
        if name not in order:
            order[name] = 1 + max(
                (rank(u, [*path, name]) for u in SPECIFICATION.equations[name].uses if u in SPECIFICATION.equations),
                default=0,
            )
        return order[name]

    assert max(rank(name, []) for name in SPECIFICATION.equations) > 3


def test_every_mark_is_known():
    """Every id in square brackets, in code, tests, cases and prose, is on the specification."""
    faults = [f"{place}: {name}" for name, place in found().all() if not marks.known(name, SPECIFICATION)]
    report(faults, "marks that the specification does not know (spec/equations, errata.md, claims/, inventory.md):")


def test_the_equations_of_an_estimator_are_known():
    """Every id in an estimator's `equations` is on the specification."""
    faults = []
    for module in sources():
        for node in nodes(module):
            named = isinstance(node, ast.Assign) and getattr(node.targets[0], "id", "") == "equations"
            if named and isinstance(node.value, ast.Tuple):
                ids = [e.value for e in node.value.elts if isinstance(e, ast.Constant)]
                faults += [f"{module}:{node.lineno} {name}" for name in ids if name not in SPECIFICATION.equations]
    report(faults, "equations that the specification does not have:")


def test_errata_that_equations_name_are_in_the_list():
    """Every erratum and claim that a file of the specification names exists."""
    faults = []
    for path in sorted((ROOT / "spec").rglob("*.md")):
        for name in re.findall(r"\b(?:ERR-[A-Z]+-\d+|RC-\d+)\b", path.read_text(encoding="utf-8")):
            if name not in SPECIFICATION.errata and name not in SPECIFICATION.claims:
                faults.append(f"{path.name}: {name}")
    report(faults, "errata and claims that do not exist:")


def test_every_erratum_says_what_stands_and_what_is_correct():
    """Every erratum has a severity, what stands, what is correct, and a status line."""
    faults = []
    for item in SPECIFICATION.errata.values():
        wanted = (r"severity [ABC]", r"- stands: \S", r"- correct: \S", r"(open|shown by `tests/.*::test_\w+`)$")
        faults += [f"{item.id}: no {w}" for w in wanted if not re.search(r"^" + w, item.text, re.M)]
    assert len(SPECIFICATION.errata) == 126
    report(faults, "errata that say too little:")


def test_a_test_that_shows_an_erratum_exists():
    """Every test that errata.md names is in the file it names."""
    faults = []
    for item in SPECIFICATION.errata.values():
        for path, test in re.findall(r"`(tests/[\w/]+\.py)::(test_\w+)`", item.text):
            file = ROOT / path
            if not file.exists() or f"def {test}(" not in file.read_text(encoding="utf-8"):
                faults.append(f"{item.id}: {path}::{test}")
    report(faults, "tests that do not exist (run `python -m refclass trace --write`):")


def test_every_claim_has_a_proof():
    """Every claim is numbered as its file, states a claim and proves it."""
    faults = []
    for path in (ROOT / "spec" / "claims").glob("*.md"):
        text = path.read_text(encoding="utf-8")
        if not text.startswith(f"# {path.stem} · ") or "**Claim.**" not in text or "**Proof.**" not in text:
            faults.append(path.name)
    report(faults, "claims without their form:")


def test_exceptions_name_equations_and_reasons():
    """Every exception names an equation of the specification that no code cites, and gives a reason."""
    traced = set(found().code)
    faults = [f"{name} is no equation" for name in SPECIFICATION.excuses if name not in SPECIFICATION.equations]
    faults += [f"{name} has no reason" for name, reason in SPECIFICATION.excuses.items() if len(reason) < 10]
    faults += [f"{name} is cited by code" for name in SPECIFICATION.excuses if name in traced]
    report(faults, "exceptions:")


@pytest.mark.skipif(sys.version_info < (3, 11), reason="the standard library reads TOML from 3.11 on")
def test_the_small_reader_reads_toml():
    """What the package reads of the settings is what a TOML reader reads above the first table."""
    import tomllib

    for name in ("documents.toml", "exceptions.toml"):
        path = ROOT / "spec" / name
        whole = tomllib.loads(path.read_text(encoding="utf-8"))
        assert settings(path) == {k: v for k, v in whole.items() if not isinstance(v, dict)}


def test_finished_sections_exist():
    """Every finished section is a section that has equations."""
    empty = [
        part for part in SPECIFICATION.finished if not any(e.inside(part) for e in SPECIFICATION.equations.values())
    ]
    report(empty, "finished sections without equations:")


@pytest.mark.slow
def test_finished_sections_are_traced():
    """Every equation of a finished section is cited by code and by a test, or excused."""
    finished = [row for row in matrix() if any(row.equation.inside(part) for part in SPECIFICATION.finished)]
    left = [row for row in finished if row.status != "excused" and not (row.code and row.tests)]
    faults = [f"{row.id} {row.title}: {row.status}" for row in left]
    report(faults, "not traced (cite them, or excuse them in spec/exceptions.toml):")


@pytest.mark.slow
def test_the_trace_is_up_to_date():
    """spec/trace.md and the status lines of spec/errata.md are what the marks of this checkout make them."""
    for name, text in (
        ("trace.md", trace.render(SPECIFICATION, found())),
        ("errata.md", trace.statuses(SPECIFICATION, found())),
    ):
        path = ROOT / "spec" / name
        there = path.read_text(encoding="utf-8") if path.exists() else ""
        if there != text:
            raise AssertionError(f"spec/{name} is out of date: run `python -m refclass trace --write` and commit it")


def test_the_specification_is_linked_from_its_front_page():
    """Every file and folder of spec/ is named in its README."""
    front = (ROOT / "spec" / "README.md").read_text(encoding="utf-8")
    names = sorted(path.name for path in (ROOT / "spec").iterdir() if path.name != "README.md")
    report([name for name in names if f"({name})" not in front], "not on the front page:")
