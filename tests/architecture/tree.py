"""The package as its architecture tests see it: the files, parsed once, and what they say about themselves."""

from __future__ import annotations

import ast
import functools
import io
import pathlib
import re
import tokenize

ROOT = pathlib.Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "refclass"


@functools.cache
def files():
    """Return the files of the package's modules, by dotted name."""
    found = {}
    for path in sorted(PACKAGE.rglob("*.py")):
        parts = path.relative_to(ROOT).with_suffix("").parts
        found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


@functools.cache
def sources():
    """Return the modules of the package, by dotted name: {name: (path, text, tree)}."""
    texts = {name: path.read_text(encoding="utf-8") for name, path in files().items()}
    return {name: (files()[name], text, ast.parse(text)) for name, text in texts.items()}


@functools.cache
def nodes(name):
    """Return all syntax nodes of a module."""
    return list(ast.walk(sources()[name][2]))


def comments(pattern):
    """Return every comment of the package that begins with a pattern: [(module, line, text)]."""
    found = []
    for module, (_, text, _) in sources().items():
        if pattern.search(text):
            tokens = tokenize.generate_tokens(io.StringIO(text).readline)
            comments = [t for t in tokens if t.type == tokenize.COMMENT]
            found += [(module, t.start[0], t.string) for t in comments if pattern.match(t.string)]
    return found


# A test with its name, and the quotes of its docstring where it has one.
TEST = re.compile(r'^ {0,4}def (test_\w+)\(.*?\)(?: -> [^\n]+)?:\n( +r?""")?', re.MULTILINE | re.DOTALL)


@functools.cache
def doubtful():
    """Return the test files in whose lines a test seems to be without a docstring, to stand twice or to have few words.

    {path from the root: tree}: to parse all of them takes seconds.
    """
    found = {}
    for path in sorted((ROOT / "tests").rglob("*.py")):
        text = path.read_text(encoding="utf-8")
        tests = TEST.findall(text)
        names = {name for name, _ in tests}
        if len(names) < len(tests) or not all(quotes and name.count("_") >= 3 for name, quotes in tests):
            found[path.relative_to(ROOT).as_posix()] = ast.parse(text)
    return found


def block(docstring, title):
    """Return the indented lines under "title:" in a docstring, each split at " | "; the title may have more words."""
    match = re.search(rf"^{title}[^\n]*:\n((?:    .*\n?)+)", docstring or "", re.M)
    lines = match[1].splitlines() if match else []
    return [[word.strip() for word in line.split("|")] for line in lines if line.strip()]


def layers():
    """Return the layers in order, each a list of its packages, as refclass/__init__.py states them."""
    return block(ast.get_docstring(sources()["refclass"][2]), "Layers")


def layer_of(package):
    """Return the number of a package's layer."""
    return next(i for i, line in enumerate(layers()) if package in line)


@functools.cache
def imports():
    """Return every import of the package's modules: [(module, imported dotted name, line)], names resolved to
    modules.
    """
    found = []
    for name, (path, _, _) in sources().items():
        for node in nodes(name):
            if isinstance(node, ast.Import):
                found += [(name, alias.name, node.lineno) for alias in node.names]
            elif isinstance(node, ast.ImportFrom):
                base = absolute(name, path, node)
                inner = [f"{base}.{alias.name}" for alias in node.names]
                modules = [full for full in inner if full in sources()]
                found += [(name, full, node.lineno) for full in modules]
                if len(modules) < len(inner):
                    found.append((name, base, node.lineno))
    return found


def absolute(name, path, node):
    """Return the module an import names, relative ones resolved."""
    if not node.level:
        return node.module
    up = name.split(".") if path.name == "__init__.py" else name.split(".")[:-1]
    kept = up[: len(up) - node.level + 1]
    return ".".join([*kept, *([node.module] if node.module else [])])


@functools.cache
def functions():
    """Return every function and method of the package, nested ones too: [(module, qualified name, node)]."""
    found = []

    def visit(module, prefix, node):
        for child in ast.iter_child_nodes(node):
            if isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
                name = f"{prefix}.{child.name}" if prefix else child.name
                if not isinstance(child, ast.ClassDef):
                    found.append((module, name, child))
                visit(module, name, child)
            elif isinstance(child, ast.stmt):
                visit(module, prefix, child)

    for module, (_, _, tree) in sources().items():
        visit(module, "", tree)
    return found


def public():
    """Return what must have a docstring: [(module, name, node)] for modules, public classes, functions and methods."""
    found = []
    for module, (_, _, tree) in sources().items():
        found.append((module, "", tree))
        for node in tree.body:
            if isinstance(node, (ast.FunctionDef, ast.ClassDef)) and not node.name.startswith("_"):
                found.append((module, node.name, node))
                if isinstance(node, ast.ClassDef):
                    inner = [m for m in node.body if isinstance(m, ast.FunctionDef) and not m.name.startswith("_")]
                    found += [(module, f"{node.name}.{m.name}", m) for m in inner]
    return found


def report(faults, rule):
    """Raise when there are faults, one a line under the rule they break."""
    if faults:
        raise AssertionError(rule + "\n  " + "\n  ".join(str(fault) for fault in faults))
