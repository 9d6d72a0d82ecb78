"""The page for browsers: everything it loads lies beside it, and the package in its zip file runs."""

import re
import runpy
import signal
import subprocess
import sys

import pytest

from refclass.__main__ import main
from tests.architecture.tree import ROOT


@pytest.mark.long
def test_the_page_holds_all_that_it_loads(tmp_path):
    """Built from a folder of Pyodide; the page allows no other host; the zip file answers."""
    pyodide = tmp_path / "pyodide"
    pyodide.mkdir()
    for name in ("pyodide.mjs", "pyodide.asm.wasm", "python_stdlib.zip"):
        (pyodide / name).write_bytes(b"x")
    build, out = runpy.run_path(str(ROOT / "browser" / "build.py")), tmp_path / "out"
    build["build"](out, pyodide)
    page = (out / "index.html").read_text(encoding="utf-8")
    assert "default-src 'none'" in page and "connect-src 'self'" in page
    assert not re.search(r"https?://", page + (out / "page.js").read_text() + (out / "worker.js").read_text())
    assert (out / "pyodide" / "pyodide.asm.wasm").exists()
    code = f"import sys; sys.path.insert(0, {str(out / 'refclass.zip')!r}); from refclass.__main__ import main; "
    code += "sys.exit(main(['cv', 'lda', '--data', 'iris', '--target', 'species', '--folds', '3']))"
    done = subprocess.run([sys.executable, "-I", "-S", "-c", code], capture_output=True, text=True)
    assert done.returncode == 0 and "errors: " in done.stdout


def test_cross_validation_runs_without_a_timer(capsys, monkeypatch):
    """Where the system has no signal.setitimer, as in a browser."""
    monkeypatch.delattr(signal, "setitimer", raising=False)
    asked = ["grid", "lda", "--data", "iris", "--target", "species", "--folds", "2", "--grid", "divisor=n,n-k"]
    assert main(asked) == 0
    assert "best: divisor = " in capsys.readouterr().out
