"""Functions of `stages` as text in Python, C and JavaScript: a translation of their syntax trees.

They are written in what the three languages share: numbers, lists of numbers, loops over ranges, conditions. In C a
name that is assigned is a double, unless it is annotated as an integer.
"""

from __future__ import annotations

import ast
import inspect
from collections.abc import Iterator
from functools import cache
from typing import Callable

MATHEMATICS = ("exp", "log", "pow", "sqrt", "tanh")
TYPES = {"Row": "const double *", "Found": "double *", "Places": "const int *", "int": "int ", "float": "double "}
SIGNS: dict[type[ast.AST], str] = {
    ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=",
    ast.And: "&&", ast.Or: "||", ast.USub: "-",
}  # fmt: skip


@cache
def tree(function: Callable[..., object]) -> ast.FunctionDef:
    """Return the syntax tree of a function, without its docstring."""
    (found,) = ast.parse(inspect.getsource(function)).body
    assert isinstance(found, ast.FunctionDef)
    found.body = found.body[1:]
    return found


def used(function: Callable[..., object]) -> set[str]:
    """Return which functions of mathematics it calls."""
    names = {n.func.id for n in ast.walk(tree(function)) if isinstance(n, ast.Call) and isinstance(n.func, ast.Name)}
    return names & set(MATHEMATICS)


class _Plain(ast.NodeTransformer):
    """Take the annotations off."""

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.Assign:
        assert node.value is not None
        return ast.copy_location(ast.Assign([node.target], node.value), node)

    def visit_arg(self, node: ast.arg) -> ast.arg:
        return ast.arg(node.arg)

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.FunctionDef:
        self.generic_visit(node)
        node.returns = None
        return node


def python(function: Callable[..., object]) -> list[str]:
    """Return the function in Python, without annotations."""
    plain = _Plain().visit(ast.parse(ast.unparse(tree(function))))
    return ast.unparse(ast.fix_missing_locations(plain)).splitlines()


def c(function: Callable[..., object]) -> list[str]:
    """Return the function in C."""
    found = tree(function)
    kinds = {a.arg: TYPES[ast.unparse(a.annotation)] for a in found.args.args if a.annotation is not None}
    names = {n.id for n in ast.walk(found) if isinstance(n, ast.Name)}
    integers, doubles = _declared(found)
    lines = [
        f"static {'int' if _returns(found) else 'void'} {found.name}({_joined(k + a for a, k in kinds.items())}) {{"
    ]
    lines += [f"  (void){name};" for name in kinds if name not in names]
    lines += [f"  int {_joined(f'{name} = 0' for name in integers)};"] if integers else []
    lines += [f"  double {_joined(f'{name} = 0' for name in doubles)};"] if doubles else []
    return [*lines, *_block(found.body, "  ", True), "}"]


def javascript(function: Callable[..., object]) -> list[str]:
    """Return the function in JavaScript."""
    found = tree(function)
    names = [name for part in _declared(found) for name in part]
    lines = [f"function {found.name}({_joined(a.arg for a in found.args.args)}) {{"]
    lines += [f"  let {_joined(f'{name} = 0' for name in names)};"] if names else []
    return [*lines, *_block(found.body, "  ", False), "}"]


def _joined(parts: Iterator[str]) -> str:
    return ", ".join(parts)


def _returns(function: ast.FunctionDef) -> bool:
    return any(isinstance(n, ast.Return) for n in ast.walk(function))


def _declared(function: ast.FunctionDef) -> tuple[list[str], list[str]]:
    """Return the names that are assigned: those annotated as integers, and all others."""
    integers = {
        n.target.id for n in ast.walk(function) if isinstance(n, ast.AnnAssign) and isinstance(n.target, ast.Name)
    }
    targets = [t for n in ast.walk(function) if isinstance(n, ast.Assign) for t in n.targets]
    others = {t.id for t in targets if isinstance(t, ast.Name)} - integers
    return sorted(integers), sorted(others)


def _block(body: list[ast.stmt], space: str, is_c: bool) -> list[str]:
    return [line for statement in body for line in _statement(statement, space, is_c)]


def _statement(node: ast.stmt, space: str, is_c: bool) -> list[str]:
    def text(inner: ast.expr) -> str:
        return _expression(inner, is_c)

    if isinstance(node, ast.For):
        assert isinstance(node.iter, ast.Call) and isinstance(node.target, ast.Name)
        first, end = (["0"] * 2 + [text(a) for a in node.iter.args])[-2:]
        i, kind = node.target.id, "int" if is_c else "let"
        head = f"for ({kind} {i} = {first}; {i} < {end}; {i}++) {{"
        return [space + head, *_block(node.body, space + "  ", is_c), space + "}"]
    if isinstance(node, ast.While):
        return [f"{space}while ({text(node.test)}) {{", *_block(node.body, space + "  ", is_c), space + "}"]
    if isinstance(node, ast.If):
        assert not node.orelse
        return [f"{space}if ({text(node.test)}) {{", *_block(node.body, space + "  ", is_c), space + "}"]
    if isinstance(node, ast.Return):
        assert node.value is not None
        return [f"{space}return {text(node.value)};"]
    if isinstance(node, ast.AugAssign):
        return [f"{space}{text(node.target)} {SIGNS[type(node.op)]}= {text(node.value)};"]
    assert isinstance(node, (ast.Assign, ast.AnnAssign)) and node.value is not None
    target = node.targets[0] if isinstance(node, ast.Assign) else node.target
    return [f"{space}{text(target)} = {text(node.value)};"]


def _expression(node: ast.expr, is_c: bool) -> str:
    def text(inner: ast.expr) -> str:
        return _expression(inner, is_c)

    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Constant):
        return repr(node.value)
    if isinstance(node, ast.Subscript):
        return f"{text(node.value)}[{text(node.slice)}]"
    if isinstance(node, ast.BinOp):
        return f"({text(node.left)} {SIGNS[type(node.op)]} {text(node.right)})"
    if isinstance(node, ast.UnaryOp):
        return f"({SIGNS[type(node.op)]}{text(node.operand)})"
    if isinstance(node, ast.BoolOp):
        return "(" + f" {SIGNS[type(node.op)]} ".join(map(text, node.values)) + ")"
    if isinstance(node, ast.Compare):
        sign = "==" if is_c else "==="
        return f"({text(node.left)} {SIGNS.get(type(node.ops[0]), sign)} {text(node.comparators[0])})"
    if isinstance(node, ast.IfExp):
        return f"({text(node.test)} ? {text(node.body)} : {text(node.orelse)})"
    assert isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
    name, inner = node.func.id, _joined(map(text, node.args))
    if name == "int":
        return f"(int){inner}" if is_c else inner
    return f"{name}({inner})" if is_c else f"Math.{name}({inner})"
