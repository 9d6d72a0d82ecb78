"""Which definitions the public program reaches: a call graph by names, read from the sources without running them.

A definition is a module's function, class, method or constant. It refers to what its text names: a name of its own
module, an imported name, an attribute of an imported module; any other attribute refers to the methods of that name in
every class that is reached. A call of `registry.classes` refers to the classes of its package. From the public names
and the command line the references are followed to their end. The graph errs to one side: a method counts as reached
where another of the same name is.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Union

Node = tuple[str, str]  # module and qualified name; the module's own statements have the empty name

Definition = Union[ast.FunctionDef, ast.ClassDef, ast.Assign, ast.AnnAssign]


@dataclass
class Source:
    """A module: its definitions, the names it imports, and what each definition refers to.

    spans       first and last line of each definition
    imported    local name -> module and name, or module and "" for a module
    bodies      definition -> its syntax trees
    attributes  the names of all attributes in its text
    """

    tree: ast.Module
    spans: dict[str, tuple[int, int]] = field(default_factory=dict)
    imported: dict[str, Node] = field(default_factory=dict)
    bodies: dict[str, list[ast.AST]] = field(default_factory=dict)
    attributes: set[str] = field(default_factory=set)

    def enclosing(self, line: int) -> str:
        """Return the innermost definition around a line, or the empty name."""
        inside = [(first, name) for name, (first, last) in self.spans.items() if first <= line <= last]
        return max(inside)[1] if inside else ""


class Graph:
    """The definitions of a package and what is reached from its public names.

    Cost      a parse of every module, and a walk over its nodes
    """

    def __init__(self, root: Path, package: str = "refclass") -> None:
        self.package = package
        self.sources: dict[str, Source] = {}
        for path in sorted((root / package).rglob("*.py")):
            parts = path.relative_to(root).with_suffix("").parts
            self.sources[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = Source(
                ast.parse(path.read_text(encoding="utf-8"))
            )
        for source in self.sources.values():
            self._define(source)
        self.methods: dict[str, set[Node]] = {}
        for module, source in self.sources.items():
            for name in source.bodies:
                if "." in name:
                    self.methods.setdefault(name.rpartition(".")[2], set()).add((module, name))

    def _define(self, source: Source) -> None:
        source.bodies[""] = []
        for inner in ast.walk(source.tree):
            if isinstance(inner, ast.Attribute):
                source.attributes.add(inner.attr)
            elif isinstance(inner, ast.ImportFrom) and inner.module:
                for alias in inner.names:
                    full = f"{inner.module}.{alias.name}"
                    place = (full, "") if full in self.sources else (inner.module, alias.name)
                    source.imported[alias.asname or alias.name] = place
        for statement in source.tree.body:
            if isinstance(statement, ast.ClassDef):
                methods = [s for s in statement.body if isinstance(s, ast.FunctionDef)]
                rest = [s for s in statement.body if not isinstance(s, ast.FunctionDef)]
                self._add(source, statement.name, statement, [*statement.bases, *statement.decorator_list, *rest])
                for method in methods:
                    self._add(source, f"{statement.name}.{method.name}", method, [method])
            elif isinstance(statement, ast.FunctionDef):
                self._add(source, statement.name, statement, [statement])
            elif isinstance(statement, (ast.Assign, ast.AnnAssign)) and statement.value:
                targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
                names = [t.id for t in targets if isinstance(t, ast.Name)]
                for name in names or [""]:
                    self._add(source, name, statement, [statement.value])
            elif not isinstance(statement, (ast.Import, ast.ImportFrom)):
                source.bodies[""].append(statement)

    @staticmethod
    def _add(source: Source, name: str, statement: Definition, body: list[ast.AST]) -> None:
        first = min([statement.lineno, *(d.lineno for d in getattr(statement, "decorator_list", []))])
        if name:
            source.spans[name] = first, statement.end_lineno or first
        source.bodies.setdefault(name, []).extend(body)

    def _resolved(self, module: str, name: str) -> Node:
        """Return the definition that a name stands for, followed through imports."""
        source = self.sources[module]
        if name in source.bodies:
            return module, name
        place = source.imported.get(name, ("", ""))
        if place[0] in self.sources and place[1] and place[1] not in self.sources[place[0]].bodies:
            return self._resolved(*place) if place[1] in self.sources[place[0]].imported else ("", "")
        return place

    def references(self, node: Node) -> Iterator[tuple[Node, str]]:
        """Yield what a definition refers to: (definition, "") or (("", ""), the name of a method).

        A module that is named without an attribute, to be chosen among several, stands for those of its functions whose
        names the naming module mentions as attributes.
        """
        module, name = node
        inner = [n for part in self.sources[module].bodies.get(name, []) for n in ast.walk(part)]
        attributes = self.sources[module].attributes
        bases = {id(n.value) for n in inner if isinstance(n, ast.Attribute)}
        for n in inner:
            if isinstance(n, ast.Name):
                place = self._resolved(module, n.id)
                yield place, ""
                if place[0] in self.sources and not place[1] and id(n) not in bases:
                    yield from ((self._resolved(place[0], a), "") for a in attributes)
            elif isinstance(n, ast.Call):
                yield from ((place, "") for place in self._registered(module, n))
            elif isinstance(n, ast.Attribute):
                base = self._resolved(module, n.value.id) if isinstance(n.value, ast.Name) else ("", "")
                if base[0] in self.sources and not base[1]:
                    yield self._resolved(base[0], n.attr), ""
                yield ("", ""), n.attr

    def _registered(self, module: str, call: ast.Call) -> Iterator[Node]:
        """Yield the classes that `registry.classes(package, …)` finds: those of the package's own modules."""
        text = call.func.attr if isinstance(call.func, ast.Attribute) else ""
        if text != "classes" or not call.args:
            return
        given = call.args[0]
        inner = isinstance(given, ast.Name) and given.id == "__package__"
        package = module.rpartition(".")[0] if inner else getattr(given, "value", None)
        for place, source in self.sources.items():
            if place.rpartition(".")[0] == package:
                found = [s.name for s in source.tree.body if isinstance(s, ast.ClassDef)]
                yield from ((place, name) for name in found if not name.startswith("_"))

    def _bases(self, node: Node) -> Iterator[Node]:
        """Yield a class and the classes of the package that it inherits from."""
        module, name = node
        yield node
        for statement in self.sources[module].tree.body:
            if isinstance(statement, ast.ClassDef) and statement.name == name:
                for base in statement.bases:
                    if isinstance(base, ast.Name) and self._resolved(module, base.id)[1]:
                        yield from self._bases(self._resolved(module, base.id))

    def roots(self) -> set[Node]:
        """Return the public names with their public methods, those inherited, too, and the command line.

        The classes that public functions and methods declare as what they return, and the public fields of public
        classes, are public, too.
        """
        found: set[Node] = {(f"{self.package}.__main__", "run"), (self.package, "methods")}
        waiting = list(self._public())
        while waiting:
            module, name = waiting.pop()
            if not name or module not in self.sources or (module, name) in found:
                continue
            for place, kind in self._bases((module, name)):
                inner = [n for n in self.sources[place].bodies if n.startswith(f"{kind}.")]
                public = [(place, kind), *((place, n) for n in inner if not n.partition(".")[2].startswith("_"))]
                found.update(public)
                waiting += [node for one in public for node in self._declared(one)]
        return {node for node in found if node[0] in self.sources}

    def _declared(self, node: Node) -> Iterator[Node]:
        """Yield the package's classes that a function declares to return, or a class as types of its public fields."""
        module, name = node
        for part in self.sources[module].bodies.get(name, []):
            given = [part.returns] if isinstance(part, ast.FunctionDef) else []
            if isinstance(part, ast.AnnAssign) and not str(getattr(part.target, "id", "_")).startswith("_"):
                given = [part.annotation]
            for n in [n for whole in given if whole for n in ast.walk(whole)]:
                place = self._resolved(module, n.id) if isinstance(n, ast.Name) else ("", "")
                source = self.sources.get(place[0])
                if source and any(isinstance(s, ast.ClassDef) and s.name == place[1] for s in source.tree.body):
                    yield place

    def _public(self) -> Iterator[Node]:
        """Yield the definitions that the package's front page declares."""
        for inner in ast.walk(self.sources[self.package].tree) if self.package in self.sources else ():
            if isinstance(inner, ast.ImportFrom) and (inner.module or "").startswith(self.package + "."):
                yield from ((str(inner.module), alias.name) for alias in inner.names)

    @cached_property
    def reached(self) -> set[Node]:
        """What the public program reaches."""
        found: set[Node] = set()
        called: set[str] = set()
        waiting = list(self.roots())
        while waiting:
            node = waiting.pop()
            if node in found or node[0] not in self.sources:
                continue
            found.add(node)
            waiting += [(node[0], ""), *self._special(node)]
            for place, method in self.references(node):
                waiting += [place] if place[0] else []
                if method and method not in called:
                    called.add(method)
                    waiting += [m for m in self.methods.get(method, ()) if self._owner(m) in found]
            waiting += [m for m in self._own(node) if m[1].rpartition(".")[2] in called]
        return found

    def _own(self, node: Node) -> list[Node]:
        inner = [n for n in self.sources[node[0]].bodies if node[1] and n.startswith(node[1] + ".")]
        return [(node[0], n) for n in inner]

    def _special(self, node: Node) -> list[Node]:
        """Return the methods that Python calls without naming them."""
        return [m for m in self._own(node) if m[1].rpartition(".")[2].startswith("__")]

    @staticmethod
    def _owner(method: Node) -> Node:
        return method[0], method[1].rpartition(".")[0]

    def computes(self, path: str, line: int) -> bool:
        """Return whether the definition around a line of the package is reached by the public program."""
        parts = path[: -len(".py")].split("/")
        module = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
        if module not in self.sources:
            return False
        name = self.sources[module].enclosing(line)
        if name:
            return (module, name) in self.reached
        return any(place == module and inner for place, inner in self.reached)


def drawn(root: Path, package: str = "refclass") -> Graph:
    """Return the graph of a checkout; it is parsed again only where a file has changed."""
    stamp = tuple(sorted((str(p), p.stat().st_mtime_ns) for p in (root / package).rglob("*.py")))
    return _drawn(root, package, stamp)


@lru_cache(maxsize=1)
def _drawn(root: Path, package: str, stamp: tuple[tuple[str, int], ...]) -> Graph:
    return Graph(root, package)
