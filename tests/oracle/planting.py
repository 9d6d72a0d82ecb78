"""Bugs planted in functions while they are in use: one operator, sign or constant of the text is another."""

from __future__ import annotations

import ast
import copy
import importlib
import inspect
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any

OTHER: dict[type, type] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Div,
    ast.Div: ast.Mult,
    ast.MatMult: ast.MatMult,
    ast.Lt: ast.GtE,
    ast.LtE: ast.Gt,
    ast.Gt: ast.LtE,
    ast.GtE: ast.Lt,
}


def called(package: str, run: Any) -> set[tuple[str, str]]:
    """Return the functions of a package that a call runs: module and qualified name."""
    found = set()

    def seen(frame: Any, event: str, argument: Any) -> None:
        name = frame.f_globals.get("__name__", "")
        if event == "call" and name.startswith(package) and "<" not in frame.f_code.co_name:
            found.add((name, frame.f_code.co_name, frame.f_code.co_firstlineno))

    sys.setprofile(seen)
    try:
        run()
    finally:
        sys.setprofile(None)
    return {(module, name) for module, _, line in found for name in _qualified(module).get(line, ())}


def _functions(module: str) -> Iterator[tuple[str, Any]]:
    """Yield the functions of a module and the methods of its classes, by qualified name."""
    own = importlib.import_module(module)
    for name, value in list(vars(own).items()):
        if inspect.isfunction(value) and value.__module__ == module:
            yield name, value
        elif inspect.isclass(value) and value.__module__ == module:
            for inner, method in list(vars(value).items()):
                function = getattr(method, "__func__", None) or getattr(method, "fget", None) or method
                function = getattr(function, "func", function)
                if inspect.isfunction(function):
                    yield f"{name}.{inner}", inspect.unwrap(function)  # what runs within a decorator, too


@cache
def _qualified(module: str) -> dict[int, list[str]]:
    """Return the qualified names of a module's functions by their first line."""
    found: dict[int, list[str]] = {}
    for name, function in _functions(module):
        found.setdefault(function.__code__.co_firstlineno, []).append(name)
    return found


@cache
def places(module: str, name: str) -> list[tuple[int, int, str]]:
    """Return what can be changed in a function: line, column and kind."""
    node = _inside(_parsed(module), name)
    return [] if node is None else [(n.lineno, n.col_offset, type(n).__name__) for n in _changeable(node)]


@cache
def _source(module: str) -> str:
    """Return the text of a module."""
    return inspect.getsource(importlib.import_module(module))


@cache
def _parsed(module: str) -> ast.Module:
    """Return the syntax tree of a module, which nobody changes."""
    return ast.parse(_source(module))


def _inside(tree: ast.Module, name: str) -> Any:
    """Return the node of a qualified name in a module's tree; None if there is none."""
    body: Any = tree
    for part in name.split("."):
        body = next((n for n in body.body if getattr(n, "name", None) == part), None)
        if body is None:
            break
    return body


def _changeable(node: Any) -> list[Any]:
    inside = [n for statement in node.body for n in ast.walk(statement)]
    skipped = {id(m) for n in inside if isinstance(n, (ast.Subscript, ast.Raise)) for m in ast.walk(_rest(n))}
    return [n for n in inside if id(n) not in skipped and _changes(n)]


def _rest(node: Any) -> Any:
    return node.slice if isinstance(node, ast.Subscript) else node


def _changes(n: Any) -> bool:
    if isinstance(n, ast.BinOp):
        return type(n.op) in OTHER and type(n.op) is not ast.MatMult
    if isinstance(n, ast.Compare):
        return type(n.ops[0]) in OTHER
    if isinstance(n, ast.UnaryOp):
        return isinstance(n.op, ast.USub)
    return isinstance(n, ast.Constant) and type(n.value) is int


def _change(n: Any) -> None:
    if isinstance(n, ast.BinOp):
        n.op = OTHER[type(n.op)]()
    elif isinstance(n, ast.Compare):
        n.ops[0] = OTHER[type(n.ops[0])]()
    elif isinstance(n, ast.UnaryOp):
        n.op = ast.UAdd()
    else:
        n.value += 1


@contextmanager
def planted(module: str, name: str, index: int) -> Iterator[str]:
    """Change the place of that index in a function, for all who hold the function, while the block runs."""
    tree = ast.parse(_source(module))
    node = _inside(tree, name)
    function: Any = dict(_functions(module))[name]
    before = _changeable(node)[index]
    was = ast.unparse(copy.deepcopy(before))
    _change(before)
    made = _code(compile(tree, importlib.import_module(module).__file__ or "", "exec"), name)
    kept = function.__code__
    assert made.co_freevars == kept.co_freevars
    function.__code__ = made
    try:
        yield f"{module}.{name}:{before.lineno}: {was} -> {ast.unparse(before)}"
    finally:
        function.__code__ = kept


def _code(code: Any, name: str) -> Any:
    for part in name.split("."):
        code = next(c for c in code.co_consts if inspect.iscode(c) and c.co_name == part)
    return code
