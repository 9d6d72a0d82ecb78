"""Mutation: break each operator of the functions that carry an equation, and see whether a test fails.

    python -m tests.mutate ESL-12.13 [ESL-12.10 …] [--timeout 120]

A mutant is a function with one operator changed: + and −, × and ÷, < and ≤, > and ≥, == and !=, min and max, "and" and
"or", a sign left out, a whole number one larger. The tests are those of the function's module and those that cite the
equation. They run in a copy of the checkout. A mutant that no test fails for is printed with its line.
Exit status 0 if every mutant is found, 1 if one survives, 2 if nothing carries the equation.
"""

from __future__ import annotations

import argparse
import ast
import copy
import pathlib
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass

ROOT = pathlib.Path(__file__).resolve().parents[1]
BINARY = {ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Div, ast.Div: ast.Mult, ast.Pow: ast.Mult}
ORDER = {ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq}
NAMES = {"max": "min", "min": "max", "all": "any", "any": "all"}


@dataclass(frozen=True)
class Mutant:
    """A module with one operator changed.

    path    of the module, from the root of the checkout
    line    where the change is
    said    what was changed into what
    text    the whole module
    """

    path: str
    line: int
    said: str
    text: str


def carriers(equation: str, root: pathlib.Path = ROOT) -> list[tuple[str, str]]:
    """Return the functions whose own lines have the mark of an equation: (path, qualified name)."""
    found = []
    for path in sorted((root / "refclass").rglob("*.py")):
        text = path.read_text(encoding="utf-8")
        if f"[{equation}]" in text:
            own = [name for name, node in functions(ast.parse(text)) if f"[{equation}]" in lines(text, node)]
            found += [(path.relative_to(root).as_posix(), name) for name in own]
    return found


def functions(tree: ast.AST, prefix: str = "") -> Iterator[tuple[str, ast.AST]]:
    """Yield every function of a tree by its qualified name; those inside others are parts of these."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            yield prefix + node.name, node
        elif isinstance(node, ast.ClassDef):
            yield from functions(node, f"{prefix}{node.name}.")


def lines(text: str, node: ast.AST) -> str:
    """Return the lines of a node."""
    return "\n".join(text.splitlines()[node.lineno - 1 : node.end_lineno])


def mutants(path: str, name: str, text: str) -> list[Mutant]:
    """Return every mutant of a function of a module."""
    tree = ast.parse(text)
    count = len(list(ast.walk(next(node for n, node in functions(tree) if n == name))))
    found = []
    for i in range(count):
        changed = copy.deepcopy(tree)
        node = list(ast.walk(next(node for n, node in functions(changed) if n == name)))[i]
        before = ast.unparse(node) if isinstance(node, ast.expr) else ""
        if change(node):
            said = f"{before} → {ast.unparse(node)}"
            found.append(Mutant(path, node.lineno, said, ast.unparse(ast.fix_missing_locations(changed))))
    return found


def change(node: ast.AST) -> bool:
    """Break a node in place; return False where there is nothing to break."""
    if isinstance(node, ast.BinOp) and type(node.op) in BINARY and not _words(node):
        node.op = BINARY[type(node.op)]()
    elif isinstance(node, ast.Compare) and type(node.ops[0]) in ORDER:
        node.ops[0] = ORDER[type(node.ops[0])]()
    elif isinstance(node, ast.BoolOp):
        node.op = ast.Or() if isinstance(node.op, ast.And) else ast.And()
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        node.op = ast.UAdd()
    elif isinstance(node, ast.Constant) and type(node.value) is int:
        node.value += 1
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in NAMES:
        node.func.id = NAMES[node.func.id]
    else:
        return False
    return True


def _words(node: ast.BinOp) -> bool:
    """Return whether an operator joins texts or types, where there is no arithmetic to break."""
    return any(
        isinstance(n, (ast.JoinedStr, ast.BitOr)) or getattr(n, "value", 0).__class__ is str for n in ast.walk(node)
    )


def suites(path: str, equation: str, root: pathlib.Path = ROOT) -> list[str]:
    """Return the test files of a module and those that cite an equation."""
    stem = pathlib.Path(path).stem
    found = []
    for test in sorted((root / "tests").rglob("test_*.py")):
        name = test.relative_to(root).as_posix()
        if test.stem == f"test_{stem}" or f"[{equation}]" in test.read_text(encoding="utf-8"):
            found.append(name)
    return found


def survives(mutant: Mutant, tests: list[str], checkout: pathlib.Path, timeout: float) -> bool:
    """Return whether no test fails for a mutant; one that takes too long is found."""
    place = checkout / mutant.path
    right = place.read_text(encoding="utf-8")
    command = [sys.executable, "-m", "pytest", "-q", "-x", "-m", "not slow", "-p", "no:cacheprovider", *tests]
    try:
        place.write_text(mutant.text, encoding="utf-8")
        ran = subprocess.run(command, cwd=checkout, capture_output=True, timeout=timeout, check=False)
        return ran.returncode == 0
    except subprocess.TimeoutExpired:
        return False
    finally:
        place.write_text(right, encoding="utf-8")


def judged(equation: str, timeout: float) -> Iterator[tuple[Mutant, bool]]:
    """Yield every mutant of the functions that carry an equation, and whether it survives."""
    with tempfile.TemporaryDirectory() as folder:
        checkout = pathlib.Path(folder) / "checkout"
        shutil.copytree(ROOT, checkout, ignore=shutil.ignore_patterns(".git", "__pycache__", ".venv", "*.egg-info"))
        for path, name in carriers(equation):
            tests = suites(path, equation)
            for mutant in mutants(path, name, (ROOT / path).read_text(encoding="utf-8")):
                yield mutant, survives(mutant, tests, checkout, timeout)


def main() -> int:
    """Judge the equations named on the command line."""
    p = argparse.ArgumentParser(prog="python -m tests.mutate", description=(__doc__ or "").splitlines()[0])
    p.add_argument("equations", nargs="+", metavar="EQUATION")
    p.add_argument("--timeout", type=float, default=120, metavar="S", help="seconds for the tests of a mutant (120)")
    options = p.parse_args()
    status = 0
    for equation in options.equations:
        found = 0
        left = []
        for mutant, alive in judged(equation, options.timeout):
            found += 1
            if alive:
                left.append(mutant)
                print(f"survives: {mutant.path}:{mutant.line} {mutant.said}", flush=True)
        print(f"{equation}: {found - len(left)} of {found} mutants found", flush=True)
        status = max(status, 2 if not found else int(bool(left)))
    return status


if __name__ == "__main__":
    sys.exit(main())
