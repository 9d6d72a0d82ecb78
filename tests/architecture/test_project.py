"""The project's own statements agree: version, dependencies, the README's commands and the check that runs them."""

from __future__ import annotations

import os
import re

import pytest

import refclass
from tests.architecture.tree import ROOT


def text(name):
    """Return a file of the root; skip the test when it is not there."""
    path = ROOT / name
    if not path.exists():
        pytest.skip(f"{name} is not here: a source distribution leaves it out")
    return path.read_text(encoding="utf-8")


def test_the_version_is_said_once_and_repeated_truly():
    """pyproject.toml, CITATION.cff and spec/changes.md have the version of the package."""
    assert re.search(r'^version = "(.+)"$', text("pyproject.toml"), re.M)[1] == refclass.__version__
    assert re.search(r"^version: (\S+)$", text("CITATION.cff"), re.M)[1] == refclass.__version__
    assert re.search(r"^## (\S+)$", text("spec/changes.md"), re.M)[1] == refclass.__version__


def test_there_are_no_dependencies():
    """pyproject.toml lists no run-time dependency."""
    assert re.search(r"^dependencies = \[\]$", text("pyproject.toml"), re.M)


def test_the_oldest_python_is_one_python():
    """pyproject.toml, ruff's target and the README name the same oldest Python."""
    project = text("pyproject.toml")
    oldest = re.search(r'^requires-python = ">=(3\.\d+)"$', project, re.M)[1]
    assert f'target-version = "py{oldest.replace(".", "")}"' in project
    assert f"Python {oldest} or later" in text("README.md")


def test_the_licence_is_the_same_everywhere():
    """pyproject.toml, CITATION.cff and LICENSE name one licence."""
    licence = re.search(r'^license = "(.+)"$', text("pyproject.toml"), re.M)[1]
    assert re.search(r"^license: (\S+)$", text("CITATION.cff"), re.M)[1] == licence
    assert licence in text("LICENSE").splitlines()[0]


def commands():
    """Return the two commands of the README: the main job, and the tests in an environment of their own."""
    lines = re.findall(r"^    (python3 -m \S.*)$", text("README.md").split("## In Python")[0], re.M)
    assert len(lines) == 2, "the README's first part has two commands, one a line, indented by four spaces"
    return lines


def test_the_check_runs_the_main_job_of_the_readme():
    """The README's first command is the main job, and .ci/run runs the same job."""
    job = commands()[0].split()
    assert job[:3] == ["python3", "-m", "refclass"]
    called = re.search(r"from refclass.__main__ import main; sys.exit\(main\((\[.*?\])\)\)", text(".ci/run"))
    assert called and called[1] in (str(job[3:]), "['tour']" if not job[3:] else "")


def test_the_check_runs_the_test_command_of_the_readme():
    """.ci/run takes its test command from the README, and finds exactly the second one there."""
    pattern = re.search(r"sed -n 's/\^    \\\((.*?)\\\)\$/\\1/p' README.md", text(".ci/run"))
    assert pattern, ".ci/run reads its test command from the README with sed"
    found = re.findall(rf"^    ({pattern[1]})$", text("README.md"), re.M)
    assert found == [commands()[1]]
    assert "pytest" in found[0] and ".venv" in found[0]


def test_the_check_can_be_run():
    """.ci/run is executable and stops at the first error."""
    assert "set -euo pipefail" in text(".ci/run")
    assert os.access(ROOT / ".ci" / "run", os.X_OK)


def test_no_data_is_embedded_without_its_source():
    """Every embedded data file is named in the README beside it."""
    said = text("refclass/data/README.md")
    assert all(path.name in said for path in (ROOT / "refclass" / "data").glob("*.csv"))
