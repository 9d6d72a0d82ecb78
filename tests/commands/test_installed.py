"""An installed package has the specification and the conformance cases, and answers as a checkout does."""

import runpy
import shutil
import subprocess
import sys

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
def test_where_and_trace_answer(site):
    """The same places, the tests among them, and the same table as in the checkout."""
    installed, here = run(site, "where", "ESL-12.13"), run(ROOT, "where", "ESL-12.13")
    assert installed.replace("refclass/data/spec/", "spec/") == here and "tests/golden/test_svc.py" in here
    assert run(site, "trace") == run(ROOT, "trace")


@pytest.mark.slow
def test_the_conformance_cases_are_there(site):
    """As many as in the checkout."""
    assert run(site, "vectors", "list") == run(ROOT, "vectors", "list")
