"""Mutation of functions that carry an equation: which there are, what is broken, which tests are asked."""

import ast
import json
import sys

import pytest

from tests.mutate import __main__, page, runner
from tests.mutate import mutant as mutate

HINGE = "refclass/losses/hinge.py", "Hinge.slopes"
MARK = "ESL-12.13"
TEXT = f'''
def area(a, b):
    """Return a b − 1  [{MARK}]."""
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
    """A mutant without a result is counted, as open, and its function is not on the record."""
    monkeypatch.setattr(mutate, "carriers", lambda _: {HINGE: set()})
    own = page.keys(HINGE)
    made = page.of({own[0]: "found", own[1]: "survives"})
    assert f"| ESL 4.3 | 1 | {len(own)} | 1 | 0 | {len(own) - 1} |" in made
    assert made.count(": open\n") == 1 and made.count(": open, not run\n") == len(own) - 2 > 0
    assert page.record(dict.fromkeys(own[1:], "found")) == ""
    assert page.record(dict.fromkeys(own, "found")) == f"{mutate.digested(*HINGE)} 0 {'::'.join(HINGE)}\n"


def test_what_has_changed_since_the_record_is_told(tmp_path, monkeypatch):
    """A function whose digest or number of explanations is another is not among those that are unchanged; the outcomes
    of those that are stand in the record.
    """
    monkeypatch.setattr(page, "RECORD", tmp_path / "record.txt")
    assert page.unchanged() == set()
    lines = [f"{mutate.digested(*HINGE)} 1 {'::'.join(HINGE)}\n", "0 0 refclass/gone.py::f\n"]
    page.RECORD.write_text("".join(lines), encoding="utf-8")
    assert page.unchanged() == set() == set(page.recorded())
    first, *others = page.keys(HINGE)
    monkeypatch.setattr(page, "explained", lambda: {first: "the same value"})
    assert page.unchanged() == {HINGE}
    assert page.recorded() == {first: "survives", **dict.fromkeys(others, "found")}


@pytest.mark.parametrize("options, left_out", [([], set()), (["--changed"], {HINGE})])
def test_only_functions_that_have_changed_are_broken_where_that_is_asked(monkeypatch, options, left_out):
    """With --changed those of the record are left out."""
    asked = []
    monkeypatch.setattr(page, "unchanged", lambda: {HINGE})
    monkeypatch.setattr(runner, "judged", lambda *given: asked.append(given) or runner.Runner([], {}, 1))
    monkeypatch.setattr(sys, "argv", ["mutate", "ESL-12.13", *options])
    assert __main__.main() == 2 and asked[0][0] == ["ESL-12.13"] and asked[0][-1] == left_out


def test_methods_of_a_class_that_carries_an_equation_are_among_them_but_for_estimators_and_figures():
    """The mark of a loss stands in its class's docstring; an estimator names there what it solves, and a figure, held
    by the digest of its drawing, shows what other functions compute.
    """
    found = mutate.carriers(["ESL-*", "KIM-*"])
    assert ("refclass/losses/hinge.py", "Hinge.value") in found
    paths = {path for path, _ in found}
    assert (
        "refclass/estimators/margins/svc.py",
        "SVC.hold",
    ) not in found and "refclass/estimators/margins/svc.py" in paths
    assert "refclass/report/drawing/contours.py" in paths
    assert not any(path.startswith(("refclass/report/figures", "refclass/report/tables")) for path in paths)


def test_of_a_module_that_is_named_all_functions_are_broken():
    """They need no equation, and another module's have none that matches."""
    path = "refclass/number/vanishing.py"
    tree = ast.parse((mutate.ROOT / path).read_text(encoding="utf-8"))
    assert list(mutate.carriers([path])) == [(path, name) for name, _ in mutate.functions(tree)]


OPERATORS = """
def f(a, b, x):
    x += a
    return a @ b, a // b, a % b, a << 1, a >> 1, a & b, a | b, a ^ b, a**b, \\
        a < b <= x, a is b, a in b, not a, abs(a), map(max, x)
"""


def test_every_kind_of_operator_is_broken():
    """Each operator of Python, each link of a chain, a name that is passed on; a sum of texts is none."""
    said = {m.said for m in mutate.mutants("m.py", "f", OPERATORS.replace("x += a", "x += a; 'a' + b"))}
    assert said == {
        "x += a → x -= a",
        "a @ b → -a @ b",
        "a // b → a * b",
        "a % b → a // b",
        "a << 1 → a >> 1",
        "a >> 1 → a << 1",
        "a & b → a | b",
        "a | b → a & b",
        "a ^ b → a | b",
        "a ** b → a * b",
        "a < b <= x → a <= b <= x",
        "a < b <= x → a < b < x",
        "a is b → a is not b",
        "a in b → a not in b",
        "not a → not not a",
        "abs(a) → +a",
        "max → min",
        "1 → 2",
        "1 → 2 (2)",
    }
    operators = {*ast.operator.__subclasses__(), *ast.cmpop.__subclasses__()} - {ast.MatMult}
    assert operators == {*mutate.BINARY, *mutate.ORDER}


def test_an_outcome_counts_as_long_as_the_function_is_as_it_was(tmp_path):
    """A line of results tells the statements that were broken by a digest; those of other statements are not known."""
    key = next(m.key for m in mutate.mutants(*HINGE, (mutate.ROOT / HINGE[0]).read_text(encoding="utf-8")))
    row = {"mutant": key, "outcome": "found", "by": "t", "code": mutate.digested(*HINGE)}
    (tmp_path / "r").write_text(f"{json.dumps(row)}\n", encoding="utf-8")
    assert runner.known(tmp_path / "r") == {key: "found"}
    (tmp_path / "r").write_text(f"{json.dumps({**row, 'code': 'other'})}\n", encoding="utf-8")
    assert runner.known(tmp_path / "r") == {} and mutate.digested("refclass/gone.py", "f") == ""
