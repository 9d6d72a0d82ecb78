"""The call graph by names, on small packages made for it."""

from __future__ import annotations

import pytest

from refclass.oracle.equations.reach import Graph

FRONT = "from package.a import f\nfrom package.b import Public\n"


def graph(tmp_path, **modules):
    """Return the graph of a package with these modules."""
    (tmp_path / "package").mkdir()
    for name, text in {
        "__init__": FRONT,
        "a": "def f():\n    pass\n",
        "b": "class Public:\n    pass\n",
        **modules,
    }.items():
        (tmp_path / "package" / f"{name}.py").write_text(text, encoding="utf-8")
    return Graph(tmp_path, "package")


@pytest.mark.parametrize(
    ("a", "reached"),
    [
        ("def f():\n    return g()\ndef g():\n    pass\n", True),
        ("def f():\n    return 1\ndef g():\n    pass\n", False),
        ("def f():\n    return TABLE[0]()\ndef g():\n    pass\nTABLE = [g]\n", True),
        ("def f():\n    return h()\ndef g():\n    pass\ndef h():\n    return g\n", True),
        ("def f():\n    return 1\ndef g():\n    pass\ndef h():\n    return g\n", False),
    ],
)
def test_names_are_followed_within_a_module(tmp_path, a, reached):
    """A function is reached if a chain of names leads to it from a public one, through tables, too."""
    assert (("package.a", "g") in graph(tmp_path, a=a).reached) is reached


@pytest.mark.parametrize(
    "a",
    [
        "from package.c import g\ndef f():\n    return g()\n",
        "from package import c\ndef f():\n    return c.g()\n",
        "def f():\n    from package import c\n    return c.g()\n",
        "from package import b, c\ndef f(which):\n    chosen = c if which else b\n    return chosen.g()\n",
    ],
)
def test_names_are_followed_through_imports(tmp_path, a):
    """An imported name, an attribute of an imported module, and one of a module chosen among several."""
    found = graph(tmp_path, a=a, c="def g():\n    pass\ndef h():\n    pass\n").reached
    assert ("package.c", "g") in found and ("package.c", "h") not in found


def test_methods_are_reached_by_their_names_in_reached_classes(tmp_path):
    """Public methods of public classes and inherited ones are roots; a private one needs a mention."""
    b = (
        "class Base:\n    def given(self):\n        return self._own()\n    def _own(self):\n        pass\n"
        "    def _never(self):\n        pass\n"
        "class Public(Base):\n    def fit(self):\n        pass\n"
        "class Other:\n    def fit(self):\n        pass\n"
    )
    found = graph(tmp_path, b=b).reached
    names = {name for module, name in found if module == "package.b"}
    assert {"Public.fit", "Base.given", "Base._own"} <= names and not {"Base._never", "Other.fit", "Other"} & names


def test_a_line_belongs_to_its_innermost_definition(tmp_path):
    """A line in a method is the method's; one outside all definitions is the module's."""
    b = "class Public:\n    def fit(self):\n        pass\n    def _never(self):\n        pass\n"
    found = graph(tmp_path, b=b)
    assert found.computes("package/b.py", 3) and not found.computes("package/b.py", 5)
    assert not found.computes("package/none.py", 1)
