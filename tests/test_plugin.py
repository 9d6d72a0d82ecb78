"""The pytest plugin: a fixture over the conformance cases, chosen by a mark."""

import pathlib
import subprocess
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[1]
TEXT = """
import pytest
from refclass.assertions import assert_optimal

@pytest.mark.refclass_cases("svc/h*", flags=["ordinary"])
def test_my_solver_is_right(refclass_case):
    assert_optimal(refclass_case, refclass_case.answer)

@pytest.mark.refclass_cases("svc/hinge")
def test_my_wrong_solver_is_found(refclass_case):
    assert_optimal(refclass_case, {"fitted": {"coef": [[1, 1]], "intercept": [-3]}})
"""


@pytest.mark.slow
def test_the_fixture_goes_through_the_cases(tmp_path):
    """A test runs once for each case that its mark chooses; a failure tells the verdict."""
    (tmp_path / "test_mine.py").write_text(TEXT, encoding="utf-8")
    command = [sys.executable, "-m", "pytest", "-q", "-p", "refclass.plugin", "-p", "no:cacheprovider", "-v"]
    ran = subprocess.run(
        [*command, "--strict-markers", "test_mine.py"],
        cwd=tmp_path,
        env={"PYTHONPATH": str(ROOT), "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 1 and "1 failed, 4 passed" in ran.stdout, ran.stdout
    assert "test_my_wrong_solver_is_found[svc/hinge]" in ran.stdout and "suboptimal by at most" in ran.stdout


def test_the_plugin_is_an_entry_point():
    """pyproject.toml names it under pytest11."""
    text = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    assert '[project.entry-points.pytest11]\nrefclass = "refclass.plugin"' in text
