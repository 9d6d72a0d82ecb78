"""Names: the field's nouns and verbs, no filler; the book's letters as spec/notation.md spells them."""

from __future__ import annotations

import ast
import re

from tests.architecture.tree import ROOT, doubtful, functions, nodes, report, sources

FILLERS = {"utils", "util", "helpers", "helper", "manager", "misc", "stuff"}
EMPTY = FILLERS | {"common", "base", "core", "tools", "general"}  # as the whole name of a module
MODULE = re.compile(r"[a-z][a-z0-9_]*$|__main__$")


def test_no_name_is_a_filler():
    """Nothing is called get_…, compute_…, or after nothing (utils, helpers, common, base, manager)."""
    faults = []
    for module in sources():
        if EMPTY & set(module.split(".")[1:]):
            faults.append(module)
        for node in nodes(module):
            if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
                words = set(re.findall(r"[A-Z]?[a-z]+", node.name))
                filler = FILLERS & {word.lower() for word in words}
                if (node.name.startswith(("get_", "compute_")) and node.name != "get_params") or filler:
                    faults.append(f"{module}:{node.lineno} {node.name}")
    report(faults, "fillers:")


def test_a_module_is_a_lower_case_noun():
    """Modules are named in lower case."""
    report([module for module in sources() if not MODULE.match(module.split(".")[-1])], "names of modules:")


def test_letters_are_spelt_as_the_notation_spells_them():
    """No argument is called by a spelling the notation does not have: lambda_, beta_0, epsilon0, xx."""
    wrong = {"lambda_", "lmbda", "lamda", "beta_0", "beta_zero", "bias_", "sigma2_"}
    faults = []
    for module, name, node in functions():
        arguments = [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]
        faults += [f"{module}:{node.lineno} {name}({a.arg})" for a in arguments if a.arg in wrong]
    report(faults, "spellings that spec/notation.md does not have:")


def test_test_names_are_statements_and_unique_in_their_file():
    """A test's name is unique in its file, so that no test hides another; it has at least three words."""
    faults = []
    for path, tree in doubtful().items():
        scopes = [tree, *[node for node in tree.body if isinstance(node, ast.ClassDef)]]
        for scope in scopes:
            names = [n.name for n in scope.body if isinstance(n, ast.FunctionDef) and n.name.startswith("test_")]
            faults += [f"{path} {name} stands twice" for name in sorted({n for n in names if names.count(n) > 1})]
            faults += [f"{path} {name} is no statement" for name in names if name.count("_") < 3]
    report(faults, "names of tests:")


def test_every_test_states_its_law():
    """Every test function has a docstring."""
    faults = [
        f"{path}:{node.lineno} {node.name}"
        for path, tree in doubtful().items()
        for scope in [tree, *[node for node in tree.body if isinstance(node, ast.ClassDef)]]
        for node in scope.body
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test_") and not ast.get_docstring(node)
    ]
    report(faults, "tests that do not say what they state:")


def test_no_file_names_this_machine():
    """No file of the project holds a path of the machine it was written on."""
    machine = re.compile("/" + r"(?:root|home|Users|work|tmp/bash_jobs)/[a-z]")
    faults = []
    for folder in ("refclass", "tests", "spec", ".ci"):
        for path in (ROOT / folder).rglob("*"):
            readable = path.suffix in (".py", ".md", ".toml", ".json", ".txt", "") and path.is_file()
            if readable and machine.search(path.read_text(encoding="utf-8")):
                faults.append(path.relative_to(ROOT).as_posix())
    report(faults, "paths of a machine:")
