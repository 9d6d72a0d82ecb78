"""Layers 0 to 6 read no file, no clock, no environment and no global chance; formulas hold no float literal."""

from __future__ import annotations

import ast

from tests.architecture.tree import layer_of, nodes, report, sources

# Modules that reach outside the computation. `random` may be imported for the type of an argument, never called.
OUTSIDE = {
    "os", "io", "sys", "pathlib", "time", "datetime", "tempfile", "shutil", "subprocess", "socket", "logging", "csv",
    "glob", "secrets", "uuid", "threading", "multiprocessing", "importlib", "warnings", "urllib", "http", "platform",
    "asyncio", "codecs", "ctypes", "fileinput", "locale", "mmap", "resource", "shelve", "signal", "sqlite3", "zoneinfo",
}  # fmt: skip
CALLS = {"open", "print", "input", "exec", "eval", "__import__", "breakpoint"}

IMPORTS = {"refclass.registry": {"importlib"}}  # it finds the classes of the package's own modules

# Modules of layers 2 to 6 with float literals, and why a literal does not break exactness there.
ENGINE = "a step of the engine in doubles; exact arithmetic refines its answer and never enters"
FLOATS: dict[str, str] = {
    "refclass.linear.polar": "inner products of doubles by way of distances",
    "refclass.linear.conjugate_gradients": "steps of doubles, whose residual is computed afresh",
    "refclass.discriminants.decision.power_diagram": "linear functions of doubles by way of distances",
    "refclass.discriminants.gaussian.expansion": "the bound on the roundoff of doubles",
    "refclass.optimise.decomposition.reduced_cholesky": ENGINE,
    "refclass.margins.crammer_singer.float_fit": ENGINE,
    "refclass.margins.lee_lin_wahba.float_fit": ENGINE,
    "refclass.margins.lee_lin_wahba.interior_fit": ENGINE,
    "refclass.margins.penalised.multinomial_safeguard": ENGINE,
    "refclass.margins.penalised.multinomial_newton": ENGINE,
    "refclass.margins.penalised.class_preconditioner": ENGINE,
    "refclass.margins.penalised.multinomial_coordinates": ENGINE,
    "refclass.optimise.multiclass.newton_equations": ENGINE,
    "refclass.optimise.multiclass.interior_point": ENGINE,
    "refclass.optimise.limits": ENGINE,
    "refclass.linear.factorisations.low_rank": ENGINE,
    "refclass.optimise.decomposition.reduced_newton": ENGINE,
    "refclass.optimise.decomposition.reduced_basis": ENGINE,
    "refclass.optimise.linear_svm.smoothed_start": "where the iteration starts; no number of the answer",
    "refclass.optimise.decomposition.solver": ENGINE,
    "refclass.optimise.decomposition.low_rank_start": ENGINE,
    "refclass.optimise.decomposition.warm_start": ENGINE,
    "refclass.optimise.quadratic.box_rows": "the order of a sum of rows; no number of it",
    "refclass.optimise.programme.interior_point": ENGINE,
    "refclass.optimise.programme.quasi_definite": ENGINE,
    "refclass.optimise.programme.refinement": ENGINE,
    "refclass.optimise.programme.scaling": "which powers of two; no number of the answer",
    "refclass.linear.factorisations.sparse_ldl": ENGINE,
    "refclass.optimise.decomposition.conjugate_gradient": ENGINE,
    "refclass.optimise.decomposition.one_sum": ENGINE,
    "refclass.optimise.multiclass.block_sums": ENGINE,
    "refclass.optimise.multiclass.block_working_set": ENGINE,
    "refclass.optimise.multiclass.equal_sums": ENGINE,
    "refclass.optimise.multiclass.coupled_working_set": ENGINE,
    "refclass.optimise.multiclass.class_factors": ENGINE,
    "refclass.optimise.multiclass.class_envelopes": ENGINE,
}


def low():
    """Return the modules of layers 0 to 6."""
    top = layer_of("estimators")
    return {n: s for n, s in sources().items() if n != "refclass" and layer_of(n.split(".")[1]) < top}


def floats(name):
    """Return the float literals of a module."""
    return [n for n in nodes(name) if isinstance(n, ast.Constant) and type(n.value) is float]


def test_the_lower_layers_read_nothing_outside():
    """No module on layers 0 to 6 imports a module that reads files, clocks or the environment, or calls open or
    print.
    """
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
    report(faults, "layers 0 to 6 reach outside:")


def test_chance_is_an_argument():
    """No module on layers 0 to 6 draws from the module random: a caller hands in a random.Random."""
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


def test_no_module_changes_a_global_context():
    """No module reads the decimal module's current context or changes one: a precision belongs to a field.

    Within a block of `number.decimals.in_context` it is that of a kind, and afterwards what it was before.
    """
    contexts = {"getcontext", "setcontext", "localcontext"}
    block = "refclass.number.decimals"
    faults = []
    for name in sources():
        for node in nodes(name):
            used = {
                getattr(node, "attr", ""),
                *(alias.name for alias in getattr(node, "names", []) if hasattr(alias, "name")),
            }
            faults += [
                f"{name}:{node.lineno} uses {word}"
                for word in sorted(used & (contexts - {"localcontext"} if name == block else contexts))
            ]
    report(faults, "contexts that live in a global:")


def test_formulas_hold_no_float_literal():
    """Modules on layers 2 to 6 that are not excused write no float: constants come from the kind at hand, or are
    ints.
    """
    faults = []
    for name in low():
        if layer_of(name.split(".")[1]) < layer_of("linear") or name in FLOATS:
            continue
        faults += [f"{name}:{node.lineno} writes {node.value}" for node in floats(name)]
    report(faults, "float literals (write x / 2, or take the constant from the kind):")


def test_the_exceptions_of_this_page_are_used():
    """Every module that is excused here still needs its excuse."""
    stale = [name for name in FLOATS if name not in sources() or not floats(name)]
    report(stale, "excused for nothing:")
