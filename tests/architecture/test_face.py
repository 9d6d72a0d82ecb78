"""The public face: what a type checker, an editor and `import *` know is what the package gives."""

from __future__ import annotations

import ast
import subprocess
import sys

import pytest

import refclass
from refclass.estimators.names import PUBLIC
from tests.architecture.tree import ROOT, sources


def declared():
    """Return the names that a type checker has, with their modules."""
    tree = sources()["refclass"][2]
    block = next(n for n in tree.body if isinstance(n, ast.If) and getattr(n.test, "id", "") == "TYPE_CHECKING")
    return {alias.asname: n.module.partition(".")[2] for n in block.body for alias in n.names}


def test_a_type_checker_has_every_public_name():
    """The imports for type checkers are those of the lazy table, name by name."""
    assert declared() == PUBLIC


def test_a_star_import_brings_the_public_names():
    """`from refclass import *` gives the estimators and functions, and nothing else."""
    names: dict[str, object] = {}
    exec("from refclass import *", names)
    names.pop("__builtins__")
    assert set(names) == {*PUBLIC, "estimator_classes", "methods"}


def test_an_unknown_name_is_an_attribute_error():
    """What the package does not have is no part of it."""
    with pytest.raises(AttributeError, match="no attribute 'NoSuch'"):
        assert refclass.NoSuch


@pytest.mark.slow
def test_a_type_checker_refuses_unknown_names_and_parameters(tmp_path):
    """A misspelt parameter, a name that does not exist and a wrong type are errors (where mypy is installed)."""
    pytest.importorskip("mypy")
    text = 'import refclass\nm = refclass.SVC(C=1, kernl="linear")\nrefclass.NoSuch\nn: int = m.predict([[1]])\n'
    (tmp_path / "use.py").write_text(text, encoding="utf-8")
    ran = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", "--follow-imports=silent", str(tmp_path / "use.py")],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 1 and ran.stdout.count("error:") == 3, ran.stdout
