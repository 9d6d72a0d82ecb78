"""Exported files in Python run on MicroPython, and give the same doubles, bit for bit.

It needs Node.js and the npm package of MicroPython's WebAssembly build, in the folder that REFCLASS_NODE_MODULES names
(`python tasks.py node` fetches it).
"""

import math
import os
import pathlib
import shutil
import struct
import subprocess

import pytest

from refclass.report import export
from tests.report.test_export import GIVEN, X, fitted, own

PACKAGE = pathlib.Path(os.environ.get("REFCLASS_NODE_MODULES", ".")) / "@micropython/micropython-webassembly-pyscript"
RUNNER = pathlib.Path(__file__).with_name("micropython.mjs")


def close(reported, meant):
    """Return whether numbers agree to fourteen digits."""
    return all(math.isclose(a, b, rel_tol=1e-14, abs_tol=1e-14) for a, b in zip(reported, meant))


@pytest.mark.slow
@pytest.mark.skipif(
    not PACKAGE.is_dir() or shutil.which("node") is None, reason="needs Node.js and MicroPython's npm package"
)
@pytest.mark.parametrize(("name", "y"), GIVEN)
def test_micropython_gives_the_same_doubles(tmp_path, name, y):
    """Of every score, for every kind of model."""
    _, written = fitted(name, y)
    text, rows = export.export(written, "python"), "".join(",".join(map(repr, row)) + "\n" for row in X)
    (tmp_path / "model.py").write_text(text, encoding="utf-8")
    (tmp_path / "rows").write_text(rows, encoding="utf-8")
    command = ["node", str(RUNNER), str(PACKAGE.resolve()), str(tmp_path / "model.py"), str(tmp_path / "rows")]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    scores = own(text)["scores"]
    if "tanh(" in text:  # Premise: its C library rounds tanh otherwise.
        reported = [
            struct.unpack(f">{len(line) // 17 + 1}d", bytes.fromhex(line)) for line in done.stdout.split("\n")[:-1]
        ]
        assert all(map(close, reported, map(scores, X)))
        return
    assert done.stdout.split("\n")[:-1] == [
        " ".join(struct.pack(">d", float(v)).hex() for v in scores(row)) for row in X
    ]
