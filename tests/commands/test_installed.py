"""An installed package, or one in a zip file, has the specification and the conformance cases, and answers as a
checkout does, without site-packages.
"""

import json
import runpy
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from refclass.oracle.equations import trace
from refclass.oracle.vectors import case
from tests.architecture.tree import ROOT

RUN = """
import contextlib, io, json, sys
sys.path.insert(0, sys.argv[1])
from refclass.__main__ import main
said = []
for command in json.loads(sys.argv[2]):
    with contextlib.redirect_stdout(io.StringIO()) as out:
        assert main(command) == 0
    said.append(out.getvalue())
print(json.dumps(said))
"""


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """Return a folder with the package as the build lays it there: no checkout around it."""
    folder = tmp_path_factory.mktemp("site")
    shutil.copytree(ROOT / "refclass", folder / "refclass", ignore=shutil.ignore_patterns("__pycache__"))
    runpy.run_path(str(ROOT / "setup.py"))["lay"](folder)
    return folder


def run(folder, *commands):
    """Run commands on the package of a folder or zip file, in one process; return what each prints."""
    command = [sys.executable, "-I", "-S", "-c", RUN, str(folder), json.dumps(commands)]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.mark.long
def test_where_answers_as_in_the_checkout(site):
    """The same places as in the checkout, the tests among them."""
    here = "\n".join(trace.where("ESL-12.13")) + "\n"
    (reported,) = run(site, ["where", "ESL-12.13"])
    assert reported.replace("refclass/data/spec/", "spec/") == here and "tests/golden/test_svc.py" in here


@pytest.mark.long
def test_a_zip_file_runs_the_main_job_and_has_the_specification_and_the_cases(site):
    """The whole tour, data included; the places of an equation as in the checkout; as many cases."""
    archive = shutil.make_archive(str(site.parent / "refclass"), "zip", site)
    tour, where, vectors = run(archive, ["tour"], ["where", "ESL-12.13"], ["vectors", "list"])
    assert "mixture: 200 rows" in tour and "gap 0 exactly" in tour
    assert where.replace("refclass/data/spec/", "spec/").splitlines() == trace.where("ESL-12.13")
    assert vectors.endswith(f"\n{len(case.shipped())} cases\n")


@pytest.mark.slow
@pytest.mark.thorough
def test_trace_prints_the_table_of_the_checkout(site):
    """The same table as that of the checkout."""
    assert run(site, ["trace"])[0].strip() == (ROOT / "spec" / "trace.md").read_text(encoding="utf-8").strip()


OLDER = [
    python for minor in "678" for python in sorted(Path.home().glob(f".pyenv/versions/3.{minor}.*/bin/python"))[:1]
]


@pytest.mark.parametrize("python", OLDER)
def test_an_older_python_gets_one_line(python):
    """What is needed, and what came, also where Python does not know of annotations that it does not evaluate."""
    done = subprocess.run([str(python), "-m", "refclass"], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 1 and done.stderr.startswith("refclass: need Python 3.9 or later; got 3.")
    assert done.stderr.count("\n") == 1
    assert done.stderr.count("\n") == 1
