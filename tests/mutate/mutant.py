"""The functions that carry an equation, and what can be broken in them, one operator at a time."""

from __future__ import annotations

import ast
import copy
import pathlib
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fnmatch import translate
from types import CodeType
from typing import Any

ROOT = pathlib.Path(__file__).resolve().parents[2]
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
SHOWING = ("figures", "tables")  # folders of refclass/report
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
    """Return the functions whose own lines have the mark of an equation that a pattern matches, with these marks.

    Figures and tables are left out: they show the equations that they cite, and other functions compute them.
    """
    wanted = re.compile("|".join(map(translate, patterns)))
    found = {}
    shown = {root / "refclass" / "report" / folder for folder in SHOWING}
    for path in [p for p in sorted((root / "refclass").rglob("*.py")) if p.parent not in shown]:
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
    found: list[Mutant] = []
    for index, node in enumerate(changeable(ast.parse(text), name)):
        after = copy.deepcopy(node)
        change(after)
        said = " ".join(f"{ast.unparse(node)} → {ast.unparse(after)}".split())
        before = sum(m.said.partition(" (")[0] == said for m in found)
        found.append(Mutant(path, name, index, node.lineno, f"{said} ({before + 1})" if before else said))
    return found


def changed(path: str, name: str, text: str, index: int) -> CodeType:
    """Return the code of a function with its node of that index changed."""
    tree = ast.parse(text)
    change(changeable(tree, name)[index])
    return code(tree, path, name)


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


def code(tree: ast.Module, path: str, name: str) -> CodeType:
    """Return the code of a function of a module's tree."""
    found: Any = compile(ast.fix_missing_locations(tree), str(ROOT / path), "exec")
    for part in name.split("."):
        found = next(c for c in found.co_consts if isinstance(c, CodeType) and c.co_name == part)
    assert isinstance(found, CodeType)
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
