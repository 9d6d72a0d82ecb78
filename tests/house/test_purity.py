"""Floors 0 to 6 read no file, no clock, no environment and no global chance; formulas hold no float literal."""

from __future__ import annotations

import ast

from tests.house.tree import floor_of, nodes, report, sources

# Modules that reach outside the computation. `random` may be imported for the type of an argument, never called.
OUTSIDE = {
    "os", "io", "sys", "pathlib", "time", "datetime", "tempfile", "shutil", "subprocess", "socket", "logging", "csv",
    "glob", "secrets", "uuid", "threading", "multiprocessing", "importlib", "warnings", "urllib", "http", "platform",
    "asyncio", "codecs", "ctypes", "fileinput", "locale", "mmap", "resource", "shelve", "signal", "sqlite3", "zoneinfo",
}  # fmt: skip
CALLS = {"open", "print", "input", "exec", "eval", "__import__", "breakpoint"}

IMPORTS = {"refclass.registry": {"importlib"}}  # it finds the classes of the package's own modules

# Rooms of floors 2 to 6 with float literals, and why a literal does not break exactness there.
ENGINE = "a step of the engine in doubles; exact arithmetic refines its answer and never enters"
FLOATS: dict[str, str] = {
    "refclass.linear.polar": "inner products of doubles by way of distances",
    "refclass.optimise.balanced": ENGINE,
    "refclass.optimise.band": "how wide a band of points a stride looks at; no number of the answer",
    "refclass.optimise.stride": "how wide a band of points a stride looks at; no number of the answer",
    "refclass.optimise.blockwise": ENGINE,
    "refclass.optimise.conjugate": ENGINE,
    "refclass.optimise.exchange": ENGINE,
    "refclass.optimise.face": ENGINE,
    "refclass.margins.crammer_singer_float": ENGINE,
    "refclass.margins.lee_lin_wahba_float": ENGINE,
    "refclass.margins.multinomial_assured": ENGINE,
    "refclass.margins.multinomial_float": ENGINE,
    "refclass.optimise.class_equations": ENGINE,
    "refclass.optimise.interior_point": ENGINE,
    "refclass.optimise.low_rank": ENGINE,
    "refclass.optimise.level": ENGINE,
    "refclass.optimise.polish": ENGINE,
    "refclass.optimise.rounded": "where the long-step walk starts; no number of the answer",
    "refclass.optimise.sketch": ENGINE,
    "refclass.optimise.tuples": ENGINE,
    "refclass.optimise.working_set": ENGINE,
}


def low():
    """Return the rooms of floors 0 to 6."""
    top = floor_of("estimators")
    return {n: s for n, s in sources().items() if n != "refclass" and floor_of(n.split(".")[1]) < top}


def floats(name):
    """Return the float literals of a room."""
    return [n for n in nodes(name) if isinstance(n, ast.Constant) and type(n.value) is float]


def test_the_lower_floors_read_nothing_outside():
    """No room on floors 0 to 6 imports a module that reads files, clocks or the environment, or calls open or print."""
    faults = []
    for name in low():
        for node in nodes(name):
            modules = []
            if isinstance(node, ast.Import):
                modules = [alias.name for alias in node.names]
            elif isinstance(node, ast.ImportFrom) and not node.level:
                modules = [node.module or ""]
            allowed = IMPORTS.get(name, set())
            outside = [m for m in modules if m.split(".")[0] in OUTSIDE - allowed]
            faults += [f"{name}:{node.lineno} imports {m}" for m in outside]
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in CALLS:
                faults.append(f"{name}:{node.lineno} calls {node.func.id}")
    report(faults, "floors 0 to 6 reach outside:")


def test_chance_is_an_argument():
    """No room on floors 0 to 6 draws from the module random: a caller hands in a random.Random."""
    faults = []
    for name in low():
        for node in nodes(name):
            drawn = isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)
            if drawn and isinstance(node.func.value, ast.Name) and node.func.value.id == "random":
                faults.append(f"{name}:{node.lineno} calls random.{node.func.attr}")
            names = {alias.name for alias in getattr(node, "names", []) if isinstance(alias, ast.alias)}
            if isinstance(node, ast.ImportFrom) and node.module == "random" and names != {"Random"}:
                faults.append(f"{name}:{node.lineno} imports from random")
            if isinstance(node, ast.Import) and any(a.name == "random" and a.asname for a in node.names):
                faults.append(f"{name}:{node.lineno} imports random by another name")
    report(faults, "chance that no argument brings in:")


def test_no_room_changes_a_global_context():
    """No room asks for the decimal module's current context or changes one: a precision belongs to a field."""
    contexts = {"getcontext", "setcontext", "localcontext"}
    faults = []
    for name in sources():
        for node in nodes(name):
            used = {
                getattr(node, "attr", ""),
                *(alias.name for alias in getattr(node, "names", []) if hasattr(alias, "name")),
            }
            faults += [f"{name}:{node.lineno} uses {word}" for word in sorted(used & contexts)]
    report(faults, "contexts that live in a global:")


def test_formulas_hold_no_float_literal():
    """Rooms on floors 2 to 6 that are not excused write no float: constants come from the kind at hand, or are ints."""
    faults = []
    for name in low():
        if floor_of(name.split(".")[1]) < 2 or name in FLOATS:
            continue
        faults += [f"{name}:{node.lineno} writes {node.value}" for node in floats(name)]
    report(faults, "float literals (write x / 2, or take the constant from the kind):")


def test_the_exceptions_of_this_page_are_used():
    """Every room that is excused here still needs its excuse."""
    stale = [name for name in FLOATS if name not in sources() or not floats(name)]
    report(stale, "excused for nothing:")
