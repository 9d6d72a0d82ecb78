"""Docstrings: everything public has one; its first line is a statement; its sections are the agreed ones, in order."""

from __future__ import annotations

import ast
import re

from tests.architecture.tree import comments, functions, public, report, sources

SECTIONS = [
    "Parameters",
    "Returns",
    "Solves",
    "Given",
    "Yields",
    "Shapes",
    "Units",
    "Attributes",
    "Exact",
    "Cost",
    "Raises",
    "Laws",
    "Source",
    "References",
    "Examples",
    "Example",
]
SECTION = re.compile(r"([A-Z][a-z]{2,}s?)(?: {2,}\S.*)?$")
LENGTH, FILE = 60, 400

# Functions over 60 lines and files over 400, each with its reason.
NUMPYDOC = "it has many parameters, each of which its docstring describes as numpydoc asks"
LONG_FUNCTIONS: dict[str, str] = {
    "refclass.estimators.margins.bounds.risk_bound": NUMPYDOC,
    "refclass.estimators.selection.cross_validate.cross_validate": NUMPYDOC,
    "refclass.estimators.selection.learning_curve.learning_curve": NUMPYDOC,
    "refclass.number.decimals.decimal": "the functions of one field, each short, share its contexts",
}
LONG_FILES: dict[str, str] = {}


def where(module, name, node):
    """Return a place as text."""
    return f"{module}:{getattr(node, 'lineno', 1)} {name}".rstrip()


def first_line(node):
    """Return the first line of a docstring."""
    return (ast.get_docstring(node) or "").split("\n")[0].rstrip()


def overload(node):
    """Return whether a function is only a signature for the type checker."""
    names = [getattr(d, "id", getattr(d, "attr", "")) for d in getattr(node, "decorator_list", [])]
    return bool({"overload", "setter"} & set(names))


def test_everything_public_has_a_docstring():
    """Every module, public class, public function and public method has a docstring."""
    faults = [where(*thing) for thing in public() if not ast.get_docstring(thing[2]) and not overload(thing[2])]
    report(faults, "without a docstring:")


def test_the_first_line_is_a_statement():
    """The first line of a docstring ends with a period (a colon before a list, a citation after the period)."""
    faults = []
    for module, name, node in public():
        line = first_line(node)
        if line and not re.search(r"([.:?]|\.\)|\])$", line):
            faults.append(f"{where(module, name, node)}: {line}")
    report(faults, "first lines that do not end:")


def test_sections_are_the_agreed_ones():
    """A docstring's sections are among those that are agreed."""
    faults = []
    for module, name, node in public():
        faults += [f"{where(module, name, node)}: {title}" for title in titles(node) if title not in SECTIONS]
    report(faults, f"sections other than {', '.join(SECTIONS)}:")


def test_sections_stand_in_order():
    """Sections stand in the agreed order, each at most once."""
    faults = []
    for module, name, node in public():
        places = [SECTIONS.index(title) for title in titles(node) if title in SECTIONS]
        if places != sorted(set(places)):
            faults.append(f"{where(module, name, node)}: {', '.join(titles(node))}")
    report(faults, f"sections out of order (the order is {', '.join(SECTIONS)}):")


def titles(node):
    """Return the section titles of a docstring: a capitalised word at its margin, alone or before two spaces."""
    found = []
    for line in (ast.get_docstring(node) or "").split("\n")[1:]:
        match = SECTION.match(line)
        if match and (line == match[1] or "  " in line):
            found.append(match[1])
    return found


def test_functions_are_short():
    """No function is longer than 60 lines, unless its reason stands here."""
    faults = []
    for module, name, node in functions():
        lines = node.end_lineno - node.lineno + 1
        if lines > LENGTH and f"{module}.{name}" not in LONG_FUNCTIONS:
            faults.append(f"{where(module, name, node)}: {lines} lines")
    report(faults, f"functions over {LENGTH} lines:")


def test_files_are_short():
    """No file is longer than 400 lines, unless its reason stands here."""
    sizes = {module: text.count("\n") for module, (_, text, _) in sources().items()}
    faults = [f"{module}: {n} lines" for module, n in sizes.items() if n > FILE and module not in LONG_FILES]
    report(faults, f"files over {FILE} lines:")


def test_long_ones_are_still_long():
    """Every function and file excused for its length still needs the excuse."""
    long = {f"{module}.{name}" for module, name, node in functions() if node.end_lineno - node.lineno + 1 > LENGTH}
    stale = [name for name in LONG_FUNCTIONS if name not in long]
    stale += [module for module in LONG_FILES if module not in sources() or sources()[module][1].count("\n") <= FILE]
    report(stale, "excused for nothing:")


def test_comments_are_never_narration():
    """No comment begins with Now, Then, First, Here, Loop, Let us, or announces work (TODO, FIXME, XXX)."""
    narration = re.compile(
        r"#\s*(now|then|first|next|finally|here|loop|iterate|let us|let's|we |todo|fixme|xxx|hack)\b", re.I
    )
    faults = [f"{module}:{line} {text}" for module, line, text in comments(narration)]
    report(faults, "comments that narrate:")


def test_no_code_is_commented_out():
    """No comment is a statement of Python that was left behind."""
    code = re.compile(
        r"#\s*(def |class |import |from \w+ import|return\b|raise\b|for \w+ in |if .+:$|\w+ = \w+\(|print\()"
    )
    faults = [f"{module}:{line} {text}" for module, line, text in comments(code)]
    report(faults, "code in comments:")
