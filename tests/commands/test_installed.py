"""An installed package has the specification and the conformance cases, and answers as a checkout does."""

import runpy
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.architecture.tree import ROOT


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """Return a folder with the package as the build lays it there: no checkout around it."""
    pytest.importorskip("setuptools")
    folder = tmp_path_factory.mktemp("site")
    shutil.copytree(ROOT / "refclass", folder / "refclass", ignore=shutil.ignore_patterns("__pycache__"))
    runpy.run_path(str(ROOT / "setup.py"))["lay"](folder)
    return folder


def run(folder, *arguments):
    """Run the command line of a folder; return what it prints."""
    code = f"import sys; sys.path.insert(0, {str(folder)!r}); from refclass.__main__ import main; "
    code += f"sys.exit(main({list(arguments)!r}))"
    done = subprocess.run([sys.executable, "-I", "-S", "-c", code], capture_output=True, text=True, encoding="utf-8")
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.slow
def test_where_answers_as_in_the_checkout(site):
    """The same places as in the checkout, the tests among them."""
    installed, here = run(site, "where", "ESL-12.13"), run(ROOT, "where", "ESL-12.13")
    assert installed.replace("refclass/data/spec/", "spec/") == here and "tests/golden/test_svc.py" in here


@pytest.mark.slow
@pytest.mark.thorough
def test_trace_prints_the_table_of_the_checkout(site):
    """The same table as that of the checkout."""
    assert run(site, "trace").strip() == (ROOT / "spec" / "trace.md").read_text(encoding="utf-8").strip()


@pytest.mark.parametrize("python", sorted(Path.home().glob(".pyenv/versions/3.8.*/bin/python"))[:1])
def test_an_older_python_gets_one_line(python):
    """What is needed, and what came."""
    done = subprocess.run([str(python), "-m", "refclass"], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 1 and done.stderr.startswith("refclass: need Python 3.9 or later; got 3.8.")
    assert done.stderr.count("\n") == 1


@pytest.mark.slow
def test_the_conformance_cases_are_there(site):
    """As many as in the checkout."""
    assert run(site, "vectors", "list") == run(ROOT, "vectors", "list")
