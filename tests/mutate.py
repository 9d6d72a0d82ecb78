"""Mutation: break each operator of the functions that carry an equation, and see whether a test fails.

    python -m tests.mutate ESL-12.13 ['ESL-12.2*' …] [--timeout 60]
    python -m tests.mutate 'KIM 2' 'ESL 4.3' --results FILE    sections, their results added to a file
    python -m tests.mutate --write --results FILE              spec/mutants.md

A mutant is a function with one operator of its body changed: + and −, × and ÷, < and ≤, > and ≥, == and !=, min and
max, "and" and "or", a sign left out, a whole number one larger. Words of refusals are not changed. The tests that may
find it are those of its package and those of its layer that cite its equation, without the slow ones. They are run
once to see which call the function; a mutant is then planted in a forked process, which runs only these tests, the
fastest first, and ends with the first that fails. A mutant that no test fails for is printed with its
line. Exit status 0 if every mutant is found or explained in tests/survivors.toml, 1 if one survives, 2 if nothing
carries the equation.
"""

from __future__ import annotations

import argparse
import ast
import contextlib
import copy
import gc
import importlib
import io
import json
import os
import pathlib
import re
import signal
import sys
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from fnmatch import translate
from types import CodeType, FunctionType
from typing import Any

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[1]
BINARY = {ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Div, ast.Div: ast.Mult, ast.Pow: ast.Mult}
ORDER = {ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq}
NAMES = {"max": "min", "min": "max", "all": "any", "any": "all"}
SECTIONS = {  # of spec/mutants.md: file of spec/equations, and the sections in it
    "ESL 12.2": ("esl-12.md", "12.2"),
    "ESL 12.3": ("esl-12.md", "12.3"),
    "ESL 4.3": ("esl-4.md", "4.3"),
    "KIM 2": ("kim-2.md", "2"),
    "KIM 3": ("kim-3.md", "3"),
    "MMST 11": ("mmst-11.md", "11"),
}
UNPLANTED = 3  # the exit status of a process that cannot plant its mutant
SLOWEST = 2.0  # processor seconds that a test may take to be asked about mutants
EXPLAINED = ROOT / "tests" / "survivors.toml"
PAGE = ROOT / "spec" / "mutants.md"
WHOLE = ("oracle", "report")  # layers whose tests are slow: only those of the module are asked
Function = tuple[str, str]  # path from the root of the checkout, and qualified name


@dataclass(frozen=True)
class Mutant:
    """A function with one operator changed.

    path, name   of the function
    index        of the changed node among those of the body that can be changed
    line         where the change is
    said         what was changed into what
    """

    path: str
    name: str
    index: int
    line: int
    said: str

    @property
    def key(self) -> str:
        """What names the mutant, whatever its line is."""
        return f"{self.path}::{self.name}: {self.said}"


def carriers(patterns: Iterable[str], root: pathlib.Path = ROOT) -> dict[Function, set[str]]:
    """Return the functions whose own lines have the mark of an equation that a pattern matches, with these marks."""
    wanted = re.compile("|".join(map(translate, patterns)))
    found = {}
    for path in sorted((root / "refclass").rglob("*.py")):
        text = path.read_text(encoding="utf-8")
        if any(map(wanted.fullmatch, marks(text))):
            for name, node in functions(ast.parse(text)):
                own = set(filter(wanted.fullmatch, marks(lines(text, node))))
                if own:
                    found[path.relative_to(root).as_posix(), name] = own
    return found


def marks(text: str) -> list[str]:
    """Return the ids that a text has in square brackets."""
    return re.findall(r"\[([A-Z]+-[^\][\s]+)\]", text)


def functions(tree: ast.AST, prefix: str = "") -> Iterator[tuple[str, Any]]:
    """Yield every function of a tree by its qualified name; those inside others are parts of these."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            yield prefix + node.name, node
        elif isinstance(node, ast.ClassDef):
            yield from functions(node, f"{prefix}{node.name}.")


def lines(text: str, node: Any) -> str:
    """Return the lines of a node."""
    return "\n".join(text.splitlines()[node.lineno - 1 : node.end_lineno])


def mutants(path: str, name: str, text: str) -> list[Mutant]:
    """Return every mutant of a function of a module."""
    found = []
    for index, node in enumerate(changeable(ast.parse(text), name)):
        after = copy.deepcopy(node)
        change(after)
        said = f"{ast.unparse(node)} → {ast.unparse(after)}"
        found.append(Mutant(path, name, index, node.lineno, " ".join(said.split())))
    return found


def changed(path: str, name: str, text: str, index: int) -> CodeType:
    """Return the code of a function with its node of that index changed."""
    tree = ast.parse(text)
    change(changeable(tree, name)[index])
    return _code(tree, path, name)


def changeable(tree: ast.AST, name: str) -> list[Any]:
    """Return the nodes in the body of a function that can be broken; not the words of its refusals."""
    node = next(node for n, node in functions(tree) if n == name)
    inside = [n for statement in node.body for n in ast.walk(statement)]
    left = [n for n in inside if isinstance(n, (ast.Raise, ast.JoinedStr))]
    left += [n.annotation for n in inside if isinstance(n, (ast.AnnAssign, ast.arg)) and n.annotation is not None]
    skipped = {id(m) for n in left for m in ast.walk(n)}
    return [n for n in inside if id(n) not in skipped and change(copy.copy(n))]


def change(node: Any) -> bool:
    """Break a node in place; return False where there is nothing to break."""
    if isinstance(node, ast.BinOp) and type(node.op) in BINARY and not _words(node):
        node.op = BINARY[type(node.op)]()
    elif isinstance(node, ast.Compare) and type(node.ops[0]) in ORDER:
        node.ops = [ORDER[type(node.ops[0])](), *node.ops[1:]]
    elif isinstance(node, ast.BoolOp):
        node.op = ast.Or() if isinstance(node.op, ast.And) else ast.And()
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        node.op = ast.UAdd()
    elif isinstance(node, ast.Constant) and type(node.value) is int:
        node.value += 1
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in NAMES:
        node.func = ast.copy_location(ast.Name(NAMES[node.func.id], ast.Load()), node.func)
    else:
        return False
    return True


def _words(node: ast.BinOp) -> bool:
    """Return whether an operator joins texts or types, where there is no arithmetic to break."""
    return any(
        isinstance(n, (ast.JoinedStr, ast.BitOr)) or getattr(n, "value", 0).__class__ is str for n in ast.walk(node)
    )


def suites(path: str, equations: Iterable[str], root: pathlib.Path = ROOT) -> list[str]:
    """Return the test files of a module, those of its package, and those of its layer that cite an equation."""
    marked, module = [f"[{equation}]" for equation in equations], pathlib.PurePosixPath(path)
    package = "/".join(("tests", *module.parts[1:-1]))
    layer, whole = "/".join(package.split("/")[:2]), module.parts[1] in WHOLE
    found = []
    for test in sorted((root / "tests").rglob("test_*.py")):
        name = test.relative_to(root).as_posix()
        near = name.startswith(f"{layer}/") and any(mark in test.read_text(encoding="utf-8") for mark in marked)
        own = test.stem == f"test_{module.stem}" and name.startswith(f"{layer}/")
        if own or (not whole and (near or name.rpartition("/")[0] == package)):
            found.append(name)
    return found


@dataclass
class Runner:
    """A pytest plugin that runs each collected test once, and then for each mutant those that call its function.

    timeout     seconds that the tests of a mutant may take; one that takes longer is found
    told        takes what is to be said at once
    survivors   the mutants that no test failed for
    idle        those whose function no test calls
    """

    mutants: list[Mutant]
    timeout: float
    told: Any = print
    survivors: list[Mutant] = field(default_factory=list)
    idle: list[Mutant] = field(default_factory=list)
    failed: bool = False
    ran: bool = False

    def pytest_runtest_logreport(self, report: Any) -> None:
        """Keep that a test failed."""
        self.failed = self.failed or report.failed

    def pytest_runtestloop(self, session: Any) -> bool:
        """Run the tests and see which functions they call, then those of each mutant in a process of its own."""
        self.ran, seen = True, set[Function]()
        callers: dict[Function, list[tuple[float, Any]]] = {(m.path, m.name): [] for m in self.mutants}
        for place in callers:
            watch(place, seen)
        for done, item in enumerate(session.items):
            if done % 200 == 199:
                self.told(f"{done + 1} of {len(session.items)} tests", file=sys.stderr, flush=True)
            seen.clear()
            self.failed, started = False, time.process_time()
            self._run(session, item)
            seconds = time.process_time() - started
            if not self.failed and seconds < SLOWEST:
                for place in seen:
                    callers[place].append((seconds, item))
        self.told(f"{len(session.items)} tests; {len(self.mutants)} mutants", file=sys.stderr, flush=True)
        for done, mutant in enumerate(self.mutants):
            items = [item for _, item in sorted(callers[mutant.path, mutant.name], key=lambda pair: pair[0])]
            if not items or self._survives(session, mutant, items):
                (self.survivors if items else self.idle).append(mutant)
                words = "survives" if items else "no test calls it"
                self.told(f"{words}: {mutant.line} {mutant.key}", file=sys.__stdout__, flush=True)
            if done % 100 == 99:
                self.told(f"{done + 1} of {len(self.mutants)}", file=sys.stderr, flush=True)
        return True

    @staticmethod
    def _run(session: Any, item: Any) -> None:
        with contextlib.redirect_stdout(io.StringIO()):
            item.config.hook.pytest_runtest_protocol(item=item, nextitem=None)

    def _survives(self, session: Any, mutant: Mutant, items: list[Any]) -> bool:
        """Return whether no test fails for a mutant."""
        child = os.fork()
        if child == 0:
            signal.alarm(int(self.timeout) + 1)  # its default action ends the process
            status = UNPLANTED
            try:
                plant(mutant)
                status, self.failed = 1, False
                for item in items:
                    self._run(session, item)
                    if self.failed:
                        break
                status = 1 if self.failed else 0
            finally:
                os._exit(status)
        _, status = os.waitpid(child, 0)
        if status == UNPLANTED << 8:
            raise SystemExit(f"cannot plant {mutant.key}")
        return status == 0


def plant(mutant: Mutant) -> None:
    """Give every function object of a mutant's function the changed code, whoever holds it."""
    text = (ROOT / mutant.path).read_text(encoding="utf-8")
    give((mutant.path, mutant.name), changed(mutant.path, mutant.name, text, mutant.index))


def watch(place: Function, seen: set[Function]) -> None:
    """Let a function tell when it is called: its first statement adds it to a set."""
    path, name = place
    module = importlib.import_module(path[: -len(".py")].replace("/", "."))
    vars(module)["_called"] = seen.add
    tree = ast.parse((ROOT / path).read_text(encoding="utf-8"))
    node = next(node for n, node in functions(tree) if n == name)
    node.body.insert(0, ast.parse(f"_called({place!r})").body[0])
    give(place, _code(tree, path, name))


def give(place: Function, code: CodeType) -> None:
    """Give every function object of a qualified name in a module another code."""
    path, name = str(ROOT / place[0]), place[1]
    gc.unfreeze()  # tests/conftest.py hides what was collected from searches
    held = [f for f in gc.get_objects() if isinstance(f, FunctionType) and f.__qualname__ == name]
    own = [f for f in held if f.__code__.co_filename == path and f.__code__.co_name == code.co_name]
    assert own, place
    for f in own:
        f.__code__ = code


def _code(tree: ast.Module, path: str, name: str) -> CodeType:
    code: Any = compile(ast.fix_missing_locations(tree), str(ROOT / path), "exec")
    for part in name.split("."):
        code = next(c for c in code.co_consts if isinstance(c, CodeType) and c.co_name == part)
    assert isinstance(code, CodeType)
    return code


def judged(equations: Iterable[str], timeout: float, told: Any = print) -> Runner:
    """Return what became of every mutant of the functions that carry equations."""
    places = carriers(equations)
    texts = {path: (ROOT / path).read_text(encoding="utf-8") for path, _ in places}
    runner = Runner([m for path, name in places for m in mutants(path, name, texts[path])], timeout, told)
    if runner.mutants:
        tests = sorted({test for (path, _), own in places.items() for test in suites(path, own)})
        options = ["-q", "-m", "not slow", "-p", "no:cacheprovider", "-p", "no:xdist", "-s"]
        os.chdir(ROOT)
        with contextlib.redirect_stdout(io.StringIO()) as words:
            ended = pytest.main([*options, *tests], plugins=[runner])
        if not runner.ran or ended in (pytest.ExitCode.INTERNAL_ERROR, pytest.ExitCode.USAGE_ERROR):
            raise SystemExit(words.getvalue())
    return runner


def explained() -> dict[str, str]:
    """Return why mutants survive, by their keys: a line "key" = "reason" of tests/survivors.toml each."""
    found = {}
    for line in EXPLAINED.read_text(encoding="utf-8").splitlines() if EXPLAINED.exists() else []:
        told = re.fullmatch(r"'(.*)' = \"(.*)\"", line)
        if told:
            found[told[1]] = told[2]
    return found


def section(name: str) -> list[str]:
    """Return the ids of the equations in a section of the specification and in those below it."""
    file, number = SECTIONS[name]
    found, inside = [], False
    for line in (ROOT / "spec" / "equations" / file).read_text(encoding="utf-8").splitlines():
        if line.startswith("## "):
            inside = line[3:].split()[0].split(".")[: number.count(".") + 1] == number.split(".")
        elif inside and line.startswith("### "):
            found.append(line[4:].split()[0])
    return found


def main() -> int:
    """Judge the equations named on the command line."""
    p = argparse.ArgumentParser(prog="python -m tests.mutate", description=(__doc__ or "").splitlines()[0])
    p.add_argument("equations", nargs="*", metavar="EQUATION", help="an id, a pattern of ids, or a section's name")
    p.add_argument("--timeout", type=float, default=60, metavar="S", help="seconds for the tests of a mutant (60)")
    p.add_argument("--results", type=pathlib.Path, metavar="FILE", help="add the results, a JSON object a line")
    p.add_argument("--write", action="store_true", help="write spec/mutants.md from the results, and run nothing")
    options = p.parse_args()
    if options.write:
        rows = [json.loads(line) for line in options.results.read_text(encoding="utf-8").splitlines()]
        PAGE.write_text(page(rows, explained()), encoding="utf-8")
        return 0
    status, reasons = 0, explained()
    for name in options.equations:
        runner = judged(section(name) if name in SECTIONS else [name], options.timeout)
        alive = [m.key for m in (*runner.survivors, *runner.idle)]
        left = [key for key in alive if key not in reasons]
        count, found = len(runner.mutants), len(runner.mutants) - len(alive)
        print(f"{name}: {found} of {count} mutants found, {len(alive) - len(left)} explained, {len(left)} survive")
        if options.results:
            places = len({(m.path, m.name) for m in runner.mutants})
            row = {"section": name, "functions": places, "mutants": count, "alive": alive}
            with options.results.open("a", encoding="utf-8") as file:
                print(json.dumps(row, ensure_ascii=False), file=file)
        status = max(status, 2 if not runner.mutants else int(bool(left)))
    return status


HEAD = """# Mutants

Written by `python -m tests.mutate`: each operator, comparison, sign and whole number in the body of every function that
carries an equation of these sections is broken, one at a time, and the tests of the function's package and those of its
layer that cite the equation are run. *Found*: a test fails. *Explained*: no test can or should fail, for the
reason below.

| section | functions | mutants | found | explained | open |
|---|---|---|---|---|---|
"""


def page(rows: list[dict[str, Any]], reasons: dict[str, str]) -> str:
    """Return spec/mutants.md."""
    out = HEAD
    for row in rows:
        left = [key for key in row["alive"] if key not in reasons]
        numbers = (
            row["functions"],
            row["mutants"],
            row["mutants"] - len(row["alive"]),
            len(row["alive"]) - len(left),
            len(left),
        )
        out += f"| {row['section']} | {' | '.join(map(str, numbers))} |\n"
    out, last = f"{out}\nA function may stand in two sections.\n", ""
    for key in sorted({key for row in rows for key in row["alive"]}):
        place, said = key.replace("::", ": ", 1).split(": ", 2)[:2], key.split(": ", 1)[1].replace("`", "'")
        head = " · ".join(place)
        out += f"\n## {head}\n\n" if head != last else ""
        last = head
        out += f"- `{said}`: {reasons.get(key, 'open')}\n"
    return out


if __name__ == "__main__":
    sys.exit(main())
