"""The reading copy of the documents: every equation with its formula, code, tests, cases, errata and neighbours.

A page a chapter; pages of the errata, of the conventions, and of what uses what. They are made from spec/ and the
sources of a checkout.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path

from refclass.oracle.equations import marks, trace
from refclass.oracle.equations.specification import Equation, Item, Specification, specification
from refclass.report.drawing.rendering import words as escaped
from refclass.report.pages import markdown, network, style

BOOK, ERRATA, CONVENTIONS, GRAPH = "book.html", "errata.html", "conventions.html", "graph.html"
MOST = 32  # lines of code shown at once


@dataclass(frozen=True)
class Book:
    """A specification with the places that cite it."""

    on: Specification

    @cached_property
    def rows(self) -> dict[str, trace.Row]:
        """The equations with their places, by id."""
        return {row.id: row for row in trace.matrix(self.on)}

    @cached_property
    def chapters(self) -> dict[str, list[Equation]]:
        """The equations of each page, by its file name."""
        found: dict[str, list[Equation]] = {}
        for equation in self.on.equations.values():
            found.setdefault(f"{Path(equation.path).stem}.html", []).append(equation)
        return found

    @cached_property
    def page_of(self) -> dict[str, str]:
        """The file name of the page of each equation."""
        return {e.id: name for name, part in self.chapters.items() for e in part}

    @cached_property
    def used_by(self) -> dict[str, list[str]]:
        """The equations that rest on each."""
        found: dict[str, list[str]] = {}
        for equation in self.on.equations.values():
            for name in equation.uses:
                found.setdefault(name, []).append(equation.id)
        return found

    @cached_property
    def errata(self) -> dict[str, list[Item]]:
        """The errata of each equation: those that say that they concern it."""
        found: dict[str, list[Item]] = {}
        for item in self.on.errata.values():
            head = item.text.partition("\n")[0].partition("concerns ")[2]
            for name in head.split(", ") if head else []:
                found.setdefault(name.strip(), []).append(item)
        return found

    def linked(self, names: Iterable[str]) -> str:
        """Return ids as links to their places in the book."""
        return ", ".join(
            f'<a href="{self.page_of[name]}#{name}">{escaped(name)}</a>' if name in self.page_of else escaped(name)
            for name in names
        )


def links() -> list[tuple[str, str]]:
    """Return the addresses and names of the pages that an index names."""
    return [
        (BOOK, "Equations, chapter by chapter"),
        (GRAPH, "What uses what"),
        (ERRATA, "Errata, both forms"),
        (CONVENTIONS, "Conventions in which correct programs differ"),
    ]


def pages() -> dict[str, str]:
    """Return all pages of the book by their file names.  Raises NoAnswer without a checkout."""
    book = Book(specification())
    found = {name: _chapter(book, name, part) for name, part in book.chapters.items()}
    found[BOOK] = _contents(book)
    found[GRAPH] = _graph(book)
    found[ERRATA] = _errata(book)
    text = (book.on.spec / "conventions.md").read_text(encoding="utf-8").partition("\n")[2]
    found[CONVENTIONS] = style.page("Conventions", markdown.html(text), _around())
    return found


def _around() -> list[tuple[str, str]]:
    return [("index.html", "Index"), *links()]


def _contents(book: Book) -> str:
    body = ["<p>Every equation with its formula, its code, its tests, its cases and its errata.</p>"]
    rows = []
    for name, part in book.chapters.items():
        counts = Counter(book.rows[e.id].status for e in part)
        body.append(f'<h2><a href="{name}">{escaped(_title(part))}</a></h2><nav>')
        body += [f'<a href="{name}#{e.id}">{escaped(e.id.partition("-")[2])}</a>' for e in part]
        body.append("</nav>")
        rows.append([_title(part), str(len(part)), *[str(counts[s]) for s in trace.STATUSES]])
    body += style.table(("chapter", "equations", *trace.STATUSES), rows)
    return style.page("The book", body, _around())


def _title(part: Sequence[Equation]) -> str:
    document, _, chapter = Path(part[0].path).stem.partition("-")
    return f"{document.upper()} {chapter}"


def _chapter(book: Book, name: str, part: Sequence[Equation]) -> str:
    body, section = ["<nav>"], ""
    body += [f'<a href="#{e.id}">{escaped(e.id.partition("-")[2])}</a>' for e in part]
    body.append("</nav>")
    for equation in part:
        if equation.section != section:
            section = equation.section
            body.append(f"<h2>{escaped(section)}</h2>")
        body += _article(book, equation)
    return style.page(_title(part), body, _around(), "book")


def _article(book: Book, equation: Equation) -> Iterator[str]:
    row = book.rows[equation.id]
    yield f'<article id="{equation.id}"><h3><a href="#{equation.id}">{escaped(equation.id)}</a> '
    yield f'{escaped(equation.title)} <span class="quiet">{escaped(equation.kind)}, {row.status}</span></h3>'
    yield '<div class="spread"><div>'
    yield from markdown.html(equation.formula, 4)
    pairs = [("uses", book.linked(equation.uses)), ("used by", book.linked(book.used_by.get(equation.id, ())))]
    pairs += [("tests", _places(row.tests)), ("cases", ", ".join(sorted({escaped(p.path) for p in row.cases})))]
    yield '<dl class="pairs">'
    yield from (f"<dt>{name}</dt><dd>{value}</dd>" for name, value in pairs if value)
    if row.excuse and not row.code:
        yield f"<dt>no code</dt><dd>{escaped(row.excuse)}</dd>"
    yield "</dl>"
    for item in book.errata.get(equation.id, ()):
        yield f'<p><a href="{ERRATA}#{item.id}">{item.id}</a></p>'
        yield from _forms(item)
    yield "</div><div>"
    yield from _code(book.on.root, row.code)
    yield "</div></div></article>"


def _places(places: Sequence[marks.Place]) -> str:
    """Return tests as text: each once, the first six at once and the others on demand."""
    named = list(dict.fromkeys(f"<code>{escaped(p.path)}::{escaped(p.test or '')}</code>" for p in places))
    if len(named) <= 6:
        return "<br/>".join(named)
    more = f"<details><summary>{len(named) - 4} more</summary>{'<br/>'.join(named[4:])}</details>"
    return "<br/>".join(named[:4]) + more


def _code(root: Path, places: Sequence[marks.Place]) -> Iterator[str]:
    """Yield the definitions that cite an equation: the first at once, the others on demand."""
    seen: list[tuple[str, str]] = []
    for place in places:
        found = excerpt(str(root), place.path, place.line)
        if found not in seen:
            seen.append(found)
    for k, (head, text) in enumerate(seen):
        if k == 0:
            yield f'<p class="quiet"><code>{escaped(head)}</code></p><pre>{escaped(text)}</pre>'
        else:
            yield f"<details><summary><code>{escaped(head)}</code></summary><pre>{escaped(text)}</pre></details>"


@cache
def _parsed(root: str, path: str) -> tuple[list[str], ast.Module]:
    text = (Path(root) / path).read_text(encoding="utf-8")
    return text.splitlines(), ast.parse(text)


@cache
def excerpt(root: str, path: str, line: int) -> tuple[str, str]:
    """Return place and text of the innermost definition around a line, its docstring left out, cut after a screen.

    A mark in a module's own docstring shows the lines around it.
    """
    lines, tree = _parsed(root, path)
    kinds = (ast.FunctionDef, ast.ClassDef)
    around = [n for n in ast.walk(tree) if isinstance(n, kinds) and n.lineno <= line <= (n.end_lineno or n.lineno)]
    if not around:
        first, last = max(1, line - 3), min(len(lines), line + 6)
        return f"{path}:{line}", "\n".join(lines[first - 1 : last])
    node = max(around, key=lambda n: n.lineno)
    kept = list(range(node.lineno, (node.end_lineno or node.lineno) + 1))
    if isinstance(node, ast.ClassDef) or ast.get_docstring(node) is None:
        pass
    else:
        body = node.body[0]
        inside = range(body.lineno, (body.end_lineno or body.lineno) + 1)
        kept = [n for n in kept if n not in inside]
    if isinstance(node, ast.ClassDef):
        kept = [n for n in kept if node.lineno <= n <= node.lineno or abs(n - line) <= MOST // 2]
    text = [lines[n - 1] for n in kept[:MOST]]
    if len(kept) > MOST:
        text.append(f"    … {len(kept) - MOST} lines more")
    indent = min((len(t) - len(t.lstrip()) for t in text if t.strip()), default=0)
    return f"{path}:{node.lineno} {node.name}", "\n".join(t[indent:] for t in text)


def _forms(item: Item) -> list[str]:
    """Return both forms of an erratum as HTML."""
    text = item.text.partition("\n")[2]
    kept = "\n".join(line for line in text.splitlines() if not line.startswith(("shown by", "open")))
    return markdown.html(kept.strip())


def _errata(book: Book) -> str:
    body, area = ["<p>What the texts print, and what is correct.</p>"], ""
    for item in book.on.errata.values():
        if item.area != area:
            area = item.area
            body.append(f"<h2>{escaped(area)}</h2>")
        head = item.text.partition("\n")[0]
        severity, _, concerns = head.partition(" · concerns ")
        about = book.linked(concerns.split(", ")) if concerns else ""
        body += [f'<article id="{item.id}"><h3>{escaped(item.id)} · {escaped(item.title)}</h3>']
        body += [f'<p class="quiet">{escaped(severity)} {about}</p>', *_forms(item)]
        shown = next((line for line in item.text.splitlines() if line.startswith(("shown by", "open"))), "")
        body += [f'<p class="quiet">{markdown.inline(shown)}</p></article>']
    return style.page("Errata", body, _around())


def _graph(book: Book) -> str:
    """Return the page of what uses what: a drawing for each chapter, foundations on the left."""
    body = [
        "<p>An arrow leads from an equation to one that rests on it; both are of the same chapter. Equations that "
        "neither use others of their chapter nor are used by them are left out. A drawing wider than the screen "
        "scrolls.</p>"
    ]
    for name, part in book.chapters.items():
        own = {e.id for e in part}
        edges = [(used, e.id) for e in part for used in e.uses if used in own]
        if edges:
            address = {e.id: f"{name}#{e.id}" for e in part}
            body.append(f'<h2 id="{Path(name).stem}">{escaped(_title(part))}</h2>')
            body += ['<div class="wide">', network.drawn([e.id for e in part], edges, address), "</div>"]
    return style.page("What uses what", body, _around())
