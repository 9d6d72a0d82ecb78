"""Exported files in Python run on MicroPython, and give the same doubles, bit for bit.

It needs Node.js and the npm package of MicroPython's WebAssembly build, in the folder that REFCLASS_NODE_MODULES names
(`python tasks.py node` fetches it).
"""

import os
import pathlib
import shutil
import struct
import subprocess

import pytest

from refclass.report import export
from tests.report.test_export import PLAIN, THREE, TWO, X, fitted, own

PACKAGE = pathlib.Path(os.environ.get("REFCLASS_NODE_MODULES", ".")) / "@micropython/micropython-webassembly-pyscript"
RUNNER = pathlib.Path(__file__).with_name("micropython.mjs")
CASES = [(name, TWO if name == "svc" else THREE) for name in PLAIN if "ridge" not in name and name != "linear"]
CASES += [("svc, Gaussian", TWO), ("pairs, Gaussian", THREE), ("svc, cubic", TWO)]


@pytest.mark.slow
@pytest.mark.skipif(
    not PACKAGE.is_dir() or shutil.which("node") is None, reason="needs Node.js and MicroPython's npm package"
)
@pytest.mark.parametrize(("name", "y"), CASES)
def test_micropython_gives_the_same_doubles(tmp_path, name, y):
    """Of every score, for plain rules and for machines with a kernel."""
    _, written = fitted(name, y)
    text, rows = export.export(written, "python"), "".join(",".join(map(repr, row)) + "\n" for row in X)
    (tmp_path / "model.py").write_text(text, encoding="utf-8")
    (tmp_path / "rows").write_text(rows, encoding="utf-8")
    command = ["node", str(RUNNER), str(PACKAGE.resolve()), str(tmp_path / "model.py"), str(tmp_path / "rows")]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    scores = own(text)["scores"]
    assert done.stdout.split("\n")[:-1] == [
        " ".join(struct.pack(">d", float(v)).hex() for v in scores(row)) for row in X
    ]
