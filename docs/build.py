#!/usr/bin/env python3
"""Build the documentation site: python docs/build.py DIR (with Sphinx and MyST-Parser, the extra `docs`).

The pages are the README, the how-tos, the specification as it stands, and the docstrings of everything public: nothing
is written twice. Formulas in docstrings are kept letter for letter.
"""

from __future__ import annotations

import argparse
import importlib
import inspect
import re
import shutil
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
TOPICS = {  # the headings of the index, and the folders and files of the specification under each
    "How to": ["short/*.md", "howto/*.md"],
    "Specification": ["README.md", "notation.md", "conventions.md", "json.md", "glossary.md", "architecture.md"],
    "Equations": ["equations/*.md"],
    "Claims with proofs": ["claims/*.md"],
    "Errata, inventory, trace": ["errata.md", "inventory.md", "trace.md"],
    "Conformance cases": ["vectors/README.md"],
    "History": ["changes.md", "decisions/*.md"],
}
CONF = """
project = "refclass"
extensions = ["myst_parser"]
myst_enable_extensions = ["deflist"]
source_suffix = {".md": "markdown"}
html_theme = "alabaster"
html_theme_options = {"description": "every answer with its proof", "page_width": "64rem", "body_max_width": "none"}
html_static_path = ["_own"]
html_css_files = ["own.css"]
html_show_sphinx = False
html_copy_source = False
smartquotes = False
myst_heading_anchors = 3
suppress_warnings = ["myst.xref_missing", "myst.header", "misc.highlighting_failure", "toc.not_included"]
"""

STYLE = """
div.body { font-family: system-ui, sans-serif; font-size: 16px; }
pre { font-size: 13px; padding: 8px 12px; margin: 12px 0; }
div.sphinxsidebar { font-size: 14px; }
div.highlight pre { white-space: pre-wrap; }
"""


def main() -> int:
    """Build into the folder that is named; the status is Sphinx's."""
    asked = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    asked.add_argument("out", type=Path, metavar="DIR")
    options = asked.parse_args()
    sys.path.insert(0, str(ROOT))
    from sphinx.cmd.build import main as sphinx

    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder)
        lay(source)
        return int(sphinx(["-q", "-W", "--keep-going", "-b", "html", str(source), str(options.out)]))


def lay(source: Path) -> None:
    """Write the sources of the site: the pages that are there, and those of the docstrings."""
    (source / "conf.py").write_text(CONF, encoding="utf-8")
    (source / "_own").mkdir()
    (source / "_own" / "own.css").write_text(STYLE, encoding="utf-8")
    shutil.copytree(ROOT / "spec", source / "spec", ignore=shutil.ignore_patterns("*.py", "*.R", "v1", "schema"))
    shutil.copytree(ROOT / "docs" / "howto", source / "spec" / "short")
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    (source / "readme.md").write_text(readme, encoding="utf-8")
    shutil.copyfile(ROOT / "CONTRIBUTING.md", source / "CONTRIBUTING.md")
    pages = reference(source / "api")
    trees = [tree("Reference", pages)]
    for title, patterns in TOPICS.items():
        found = [
            p.relative_to(source) for pattern in patterns for p in sorted((source / "spec").glob(pattern), key=order)
        ]
        trees.append(tree(title, [page.with_suffix("").as_posix() for page in found]))
    head = "# refclass\n\n```{include} readme.md\n:start-line: 1\n```\n\n"
    (source / "index.md").write_text(head + "\n".join(trees), encoding="utf-8")


def order(path: Path) -> list[object]:
    """Return a key by which chapter 4 comes before chapter 12."""
    return [int(part) if part.isdigit() else part for part in re.split(r"(\d+)", path.stem)]


def tree(title: str, pages: list[str]) -> str:
    """Return a table of contents."""
    return "\n".join(["```{toctree}", ":maxdepth: 1", f":caption: {title}", "", *pages, "```", ""])


def reference(folder: Path) -> list[str]:
    """Write a page for each public name, and one for each module of kernels and losses; return their names."""
    folder.mkdir()
    refclass = importlib.import_module("refclass")
    pages = {name: getattr(refclass, name) for name in refclass.names.PUBLIC}
    for package in ("kernels", "losses"):
        for path in sorted((ROOT / "refclass" / package).glob("*.py")):
            if path.stem != "__init__":
                pages[f"{package}.{path.stem}"] = importlib.import_module(f"refclass.{package}.{path.stem}")
    pages["oracle.judge"] = importlib.import_module("refclass.oracle.judge")
    pages["assertions"] = importlib.import_module("refclass.assertions")
    for name, value in pages.items():
        (folder / f"{name}.md").write_text("\n".join(page(name, value)), encoding="utf-8")
    return [f"api/{name}" for name in pages]


def page(name: str, value: object) -> list[str]:
    """Return the page of a class, a function or a module: its docstring, and those of what is public in it."""
    lines = [f"# {name}", "", *literal(value)]
    if inspect.ismodule(value):
        inner = [
            v
            for n, v in vars(value).items()
            if not n.startswith("_") and getattr(v, "__module__", "") == value.__name__
        ]
        for part in inner:
            if inspect.isclass(part) or inspect.isfunction(part):
                lines += [f"## {part.__name__}", "", *signature(part), *literal(part)]
        return lines
    lines[2:2] = signature(value)
    if inspect.isclass(value):
        for part, method in inspect.getmembers(value, inspect.isfunction):
            if not part.startswith("_") and inspect.getdoc(method):
                lines += [f"## {part}", "", *signature(method), *literal(method)]
    return lines


def signature(value: object) -> list[str]:
    """Return the call of a function or a class, as code."""
    try:
        found = inspect.signature(value)  # type: ignore[arg-type]
    except (TypeError, ValueError):
        return []
    bare = [p.replace(annotation=p.empty) for p in found.parameters.values() if p.name != "self"]
    called = found.replace(parameters=bare, return_annotation=found.empty)
    return ["```python", f"{getattr(value, '__name__', '')}{called}", "```", ""]


def literal(value: object) -> list[str]:
    """Return a docstring: prose as prose, lists of numpydoc as lists, all else letter for letter."""
    parts = re.split(r"^(\w[\w ]*)\n-{3,}$", inspect.getdoc(value) or "", flags=re.M)
    lines = blocks(parts[0])
    for title, text in zip(parts[1::2], parts[2::2]):
        listed = re.findall(r"^(\S.*)\n((?:[ \t]+.*\n?|\n)+)", text.strip("\n") + "\n", flags=re.M)
        lines += [f"**{title}**", ""]
        if title in ("Examples", "Example") or not listed:
            lines += blocks(text)
            continue
        for term, about in listed:
            said, *more = blocks(inspect.cleandoc(about)) or [""]
            lines += [prose(term), f": {said}", *("  " + line for line in more), ""]
    return lines


def blocks(text: str) -> list[str]:
    """Return text in Markdown: a block that is indented, aligned or a session stays as it is."""
    lines: list[str] = []
    for block in re.split(r"\n\s*\n", text.strip("\n")):
        if re.search(r"^(    |>>>)|\S {3,}\S", block, flags=re.M):
            kind = "pycon" if ">>>" in block else "text"
            lines += [f"```{kind}", inspect.cleandoc("\n" + block) if block.startswith(" ") else block, "```", ""]
        elif block.strip():
            lines += [prose(" ".join(block.split())), ""]
    return lines


def prose(text: str) -> str:
    """Return a line of text with the signs of Markdown escaped, code in backquotes left alone."""
    parts = re.split(r"(`[^`]*`)", text)
    return "".join(part if part.startswith("`") else re.sub(r"([\[\]_*<>|\\#])", r"\\\1", part) for part in parts)


if __name__ == "__main__":
    sys.exit(main())
