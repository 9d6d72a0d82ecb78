"""The multiplications and divisions that the package itself carries out, of whatever kind its numbers are.

`Counted` numbers go where numbers of any field go. Doubles, decimals, fractions and long integers are chosen by
functions that know them by their types, and sums of products of doubles are loops in C. Here modules are compiled once
more, with a counter at each `*`, `/`, `//`, `%` and `**` of two numbers, in `mul`, and at the loops in C that multiply;
`operations()` puts that code in place of theirs for the length of a with block. Products of places and of lengths are
counted, too: it is for leading orders.
"""

import ast
import functools
import inspect
import math
import operator
import re
import sys
from contextlib import contextmanager
from decimal import Decimal
from fractions import Fraction
from types import FunctionType, SimpleNamespace

from tests.architecture.tree import files

BELOW = r"refclass\.(bases|data|discriminants|kernels|linear|losses|margins|number|optimise|regress|sample|selection)\."
NUMBERS = (int, float, Decimal, Fraction)
COUNTS = SimpleNamespace(multiply=0, divide=0)


def _counted(what, function):
    def operate(a, b):
        if isinstance(a, NUMBERS) and isinstance(b, NUMBERS) and a is not True and a is not False:
            setattr(COUNTS, what, getattr(COUNTS, what) + 1)
        return function(a, b)

    return operate


def _loop(function):
    def operate(*vectors):
        COUNTS.multiply += len(vectors[0]) if vectors and isinstance(vectors[0], (tuple, list)) else len(vectors)
        return function(*vectors)

    return operate


_SYMBOLS = {
    ast.Mult: ("_times_", "multiply", operator.mul),
    ast.Pow: ("_power_", "multiply", operator.pow),
    ast.Div: ("_over_", "divide", operator.truediv),
    ast.FloorDiv: ("_floor_", "divide", operator.floordiv),
    ast.Mod: ("_rest_", "divide", operator.mod),
}
_COUNTERS = {name: _counted(what, function) for name, what, function in _SYMBOLS.values()}
_LOOPS = {name: _loop(getattr(math, name)) for name in ("dist", "hypot", "sumprod") if hasattr(math, name)}
# What a module has imported -> what counts.
_IMPORTED = {
    operator.mul: _COUNTERS["_times_"],
    operator.truediv: _COUNTERS["_over_"],
    operator.floordiv: _COUNTERS["_floor_"],
    **{getattr(math, name): loop for name, loop in _LOOPS.items()},
}
_INJECTED = {**_COUNTERS, **{f"_{name}_": loop for name, loop in _LOOPS.items()}}


class _Counters(ast.NodeTransformer):
    def visit_BinOp(self, node):
        self.generic_visit(node)
        known = _SYMBOLS.get(type(node.op))
        if known is None:
            return node
        return ast.copy_location(_call(known[0], node.left, node.right), node)

    def visit_AugAssign(self, node):
        self.generic_visit(node)
        known = _SYMBOLS.get(type(node.op))
        if known is None or not isinstance(node.target, ast.Name):
            return node
        here = ast.Name(node.target.id, ast.Load())
        return ast.copy_location(ast.Assign([node.target], _call(known[0], here, node.value)), node)

    def visit_Attribute(self, node):
        self.generic_visit(node)
        if isinstance(node.value, ast.Name) and node.value.id == "math" and node.attr in _LOOPS:
            return ast.copy_location(ast.Name(f"_{node.attr}_", ast.Load()), node)
        return node


def _call(name, *arguments):
    return ast.Call(ast.Name(name, ast.Load()), list(arguments), [])


def _codes(code):
    yield (code.co_name, code.co_firstlineno), code
    for inner in code.co_consts:
        if inspect.iscode(inner):
            yield from _codes(inner)


def _functions(scope, module):
    """Yield the functions that a module, or a class of it, defines."""
    for value in list(vars(scope).values()):
        held = [getattr(value, name, None) for name in ("__func__", "func", "fget")]  # of methods and properties
        for own in (value, *held):
            own = getattr(own, "__wrapped__", own)
            if isinstance(own, FunctionType) and own.__module__ == module:
                yield own
        if inspect.isclass(value) and value.__module__ == module and value is not scope:
            yield from _functions(value, module)


@functools.cache
def _instrumented(name):
    """Return the functions of a module, each with its own code and the code that counts."""
    module, path = sys.modules[name], files()[name]
    tree = ast.fix_missing_locations(_Counters().visit(ast.parse(path.read_text(encoding="utf-8"))))
    codes = dict(_codes(compile(tree, str(path), "exec")))
    vars(module).update(_INJECTED)
    found = []
    for function in {id(f): f for f in _functions(module, name)}.values():
        own = function.__code__
        counting = codes.get((own.co_name, own.co_firstlineno))
        if counting is not None and counting.co_freevars == own.co_freevars:
            found.append((function, own, counting))
    return found


@functools.lru_cache(maxsize=1)
def _swaps(count):
    """Return the functions and the imports of the modules below the estimators, of so many modules that there are."""
    names = [name for name in list(sys.modules) if re.match(BELOW, name) and name in files()]
    functions = [swap for name in names for swap in _instrumented(name)]
    imports = [
        (vars(sys.modules[name]), key, value)
        for name in names
        for key, value in list(vars(sys.modules[name]).items())
        if inspect.isbuiltin(value) and value in _IMPORTED
    ]
    return functions, imports


@contextmanager
def operations():
    """Count the operations on numbers inside a with block: `with operations() as c: …; c.multiply`.

    Of the modules below the estimators that are imported before the block.
    """
    functions, imports = _swaps(len(sys.modules))
    found, before = SimpleNamespace(multiply=0, divide=0), (COUNTS.multiply, COUNTS.divide)
    for function, _, code in functions:
        function.__code__ = code
    for scope, key, value in imports:
        scope[key] = _IMPORTED[value]
    try:
        yield found
    finally:
        found.multiply, found.divide = COUNTS.multiply - before[0], COUNTS.divide - before[1]
        for function, code, _ in functions:
            function.__code__ = code
        for scope, key, value in imports:
            scope[key] = value
