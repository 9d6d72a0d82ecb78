"""Mutation of functions that carry an equation: which there are, what is broken, which tests are asked."""

import ast

from tests.mutate import mutant as mutate
from tests.mutate import page, runner

TEXT = '''
def area(a, b):
    """Return a b − 1  [ESL-12.13]."""
    return max(a * b - 1, 0) if a < b and a > 0 else -a
'''


def test_every_operator_of_a_function_is_broken_once():
    """Each arithmetic operator, comparison, sign, number, and min or max gives one mutant that is a program."""
    found = mutate.mutants("m.py", "area", TEXT)
    said = {m.said for m in found}
    assert {"a * b → a / b", "a * b - 1 → a * b + 1", "a < b → a <= b", "a > 0 → a >= 0", "-a → +a"} <= said
    assert {"0 → 1", "1 → 2", "max(a * b - 1, 0) → min(a * b - 1, 0)"} <= said and len(found) == 10
    own = mutate.code(ast.parse(TEXT), "m.py", "area")
    codes = [mutate.changed("m.py", "area", TEXT, m.index) for m in found]
    assert all((c.co_code, c.co_consts, c.co_names) != (own.co_code, own.co_consts, own.co_names) for c in codes)


def test_the_functions_that_carry_an_equation_are_found():
    """The dual objective carries its equation, and the tests of its module are among those asked."""
    found = mutate.carriers(["ESL-12.13"])
    assert any(name.endswith("dual_objective") for _, name in found)
    path = next(path for path, name in found if name.endswith("dual_objective"))
    tests = runner.watched({(path, "dual_objective"): {"ESL-12.13"}})
    assert any(test.endswith(f"test_{path.split('/')[-1]}") for test in tests)
    assert any(test.startswith("tests/laws/") for test in tests) and any("bridges" in test for test in tests)


def test_every_explanation_is_of_a_mutant_that_exists():
    """A key of survivors.toml names a function of the package and one of its mutants: code that changes takes its
    explanation along."""
    keys = set(page.explained())
    for path, name in {tuple(key.split(": ")[0].split("::")) for key in keys}:
        assert (mutate.ROOT / path).exists(), path
        keys -= {m.key for m in mutate.mutants(path, name, (mutate.ROOT / path).read_text(encoding="utf-8"))}
    assert not keys


def test_what_was_not_run_is_open_on_the_page(monkeypatch):
    """A mutant without a result is counted, as open."""
    place = "refclass/losses/hinge.py", "Hinge.slopes"
    monkeypatch.setattr(mutate, "carriers", lambda _: {place: set()})
    own = [m.key for m in mutate.mutants(*place, (mutate.ROOT / place[0]).read_text(encoding="utf-8"))]
    made = page.of({own[0]: "found", own[1]: "survives"})
    assert f"| ESL 4.3 | 1 | {len(own)} | 1 | 0 | {len(own) - 1} |" in made
    assert made.count(": open\n") == 1 and made.count(": open, not run\n") == len(own) - 2 > 0


def test_figures_and_tables_are_left_out_and_what_they_draw_with_is_not():
    """The contours of a lattice are computed; a figure that cites an equation shows it."""
    paths = {path for path, _ in mutate.carriers(["ESL-*", "KIM-*"])}
    assert "refclass/report/drawing/contours.py" in paths
    assert not any(path.startswith(("refclass/report/figures", "refclass/report/tables")) for path in paths)
