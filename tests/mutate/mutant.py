"""The functions that carry an equation, and what can be broken in them, one operator at a time."""

from __future__ import annotations

import ast
import copy
import hashlib
import pathlib
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fnmatch import translate
from functools import cache
from types import CodeType
from typing import Any, Optional

ROOT = pathlib.Path(__file__).resolve().parents[2]
TARGETS = re.compile(r"\bfor \(([\w, ]+)\) in")  # as `ast.unparse` writes tuples before Python 3.11
BINARY = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Div,
    ast.Div: ast.Mult,
    ast.Pow: ast.Mult,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.FloorDiv,
    ast.LShift: ast.RShift,
    ast.RShift: ast.LShift,
    ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd,
    ast.BitXor: ast.BitOr,
}
ORDER = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
}
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
    """Return the functions that carry an equation that a pattern matches, with the marks of these; of a module that is
    named by its path all functions.

    A function carries the marks in its own lines, a method those of its class's docstring, too, but for estimators,
    which name there what they solve, and solve it by functions that carry the marks. Figures and tables are left out:
    a test holds what they draw to a digest.
    """
    named = list(patterns)
    modules = {root / name for name in named if name.endswith(".py")}
    wanted = re.compile("|".join(map(translate, named)))
    found = {}
    shown, solving = {root / "refclass" / "report" / folder for folder in SHOWING}, root / "refclass" / "estimators"
    for path in [p for p in sorted((root / "refclass").rglob("*.py")) if p.parent not in shown]:
        text = path.read_text(encoding="utf-8")
        if path in modules or any(map(wanted.fullmatch, marks(text))):
            tree = ast.parse(text)
            holding = [c for c in tree.body if isinstance(c, ast.ClassDef) and solving not in path.parents]
            classes = {c.name: marks(ast.get_docstring(c) or "") for c in holding}
            for name, node in functions(tree):
                cited = marks(lines(text, node)) + classes.get(name.partition(".")[0], [])
                own = set(filter(wanted.fullmatch, cited))
                if own or path in modules:
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
    for index, (node, after) in enumerate(changes(ast.parse(text), name)):
        said = TARGETS.sub(r"for \1 in", " ".join(f"{ast.unparse(node)} → {ast.unparse(after)}".split()))
        before = sum(m.said.partition(" (")[0] == said for m in found)
        found.append(Mutant(path, name, index, node.lineno, f"{said} ({before + 1})" if before else said))
    return found


def changed(path: str, name: str, text: str, index: Optional[int] = None) -> CodeType:
    """Return the code of a function with the change of that index; without one, as it is."""
    tree = ast.parse(text)
    if index is not None:
        node, after = changes(tree, name)[index]
        fields = dict(vars(after))
        node.__class__ = after.__class__
        vars(node).clear()
        vars(node).update(fields)
    return code(tree, path, name)


def changes(tree: ast.AST, name: str) -> list[tuple[Any, Any]]:
    """Return the nodes in the body of a function that can be broken, each with what it becomes; not the words of its
    refusals.
    """
    node = _named(tree, name)
    inside = [n for statement in node.body for n in ast.walk(statement)]
    left = [n for n in inside if isinstance(n, (ast.Raise, ast.JoinedStr))]
    left += [n.annotation for n in inside if isinstance(n, (ast.AnnAssign, ast.arg)) and n.annotation is not None]
    skipped = {id(m) for n in left for m in ast.walk(n)} | {id(n.func) for n in inside if isinstance(n, ast.Call)}
    return [(n, after) for n in inside if id(n) not in skipped for after in broken(n)]


def broken(node: Any) -> Iterator[Any]:
    """Yield what a node becomes when it is broken: one operator, sign, name or number of it is another."""
    if isinstance(node, (ast.BinOp, ast.AugAssign)) and type(node.op) in BINARY and not _words(node):
        yield _with(node, op=BINARY[type(node.op)]())
    elif isinstance(node, ast.BinOp) and isinstance(node.op, ast.MatMult):
        yield _with(node, left=ast.UnaryOp(ast.USub(), node.left))
    elif isinstance(node, ast.Compare):
        for i, op in enumerate(node.ops):
            yield _with(node, ops=[*node.ops[:i], ORDER[type(op)](), *node.ops[i + 1 :]])
    elif isinstance(node, ast.BoolOp):
        yield _with(node, op=ast.Or() if isinstance(node.op, ast.And) else ast.And())
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        yield _with(node, op=ast.UAdd())
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        yield _with(node, operand=ast.UnaryOp(ast.Not(), node.operand))
    elif isinstance(node, ast.Constant) and type(node.value) is int:
        yield _with(node, value=node.value + 1)
    elif isinstance(node, ast.Name) and node.id in NAMES:
        yield _with(node, id=NAMES[node.id])
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in NAMES:
        yield _with(node, func=_with(node.func, id=NAMES[node.func.id]))
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "abs":
        yield ast.copy_location(ast.UnaryOp(ast.UAdd(), node.args[0]), node)


def _with(node: Any, **other: Any) -> Any:
    """Return a copy of a node with other fields."""
    made = copy.copy(node)
    for name, value in other.items():
        setattr(made, name, value)
    return made


def _words(node: Any) -> bool:
    """Return whether an operator joins texts, where there is no arithmetic to break."""
    if isinstance(node, ast.AugAssign):
        return _words(node.value)
    if isinstance(node, ast.BinOp):
        return _words(node.left) or _words(node.right)
    return isinstance(node, ast.JoinedStr) or (isinstance(node, ast.Constant) and isinstance(node.value, str))


def _named(tree: ast.AST, name: str) -> Any:
    """Return the node of a function of a tree; of overloads the one that stands."""
    return [node for n, node in functions(tree) if n == name][-1]


def place(key: str) -> Function:
    """Return the function that a key of a mutant names."""
    path, _, rest = key.partition("::")
    return path, rest.partition(": ")[0]


@cache
def digested(path: str, name: str) -> str:
    """Return what tells whether the statements of a function are those whose mutants were run; "" if it is gone."""
    if not (ROOT / path).exists():
        return ""
    named = [node for n, node in functions(ast.parse((ROOT / path).read_text(encoding="utf-8"))) if n == name]
    if not named:
        return ""
    body = named[-1].body[ast.get_docstring(named[-1]) is not None :]
    return hashlib.sha256("\n".join(map(ast.unparse, [named[-1].args, *body])).encode()).hexdigest()[:12]


def code(tree: ast.Module, path: str, name: str) -> CodeType:
    """Return the code of a function of a module's tree."""
    found: Any = compile(ast.fix_missing_locations(tree), str(ROOT / path), "exec")
    for part in name.split("."):
        found = [c for c in found.co_consts if isinstance(c, CodeType) and c.co_name == part][-1]
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
