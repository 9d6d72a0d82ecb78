"""Mutation of functions that carry an equation: which there are, what is broken, which tests are asked."""

import ast

from tests.mutate import mutant as mutate
from tests.mutate import runner

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
