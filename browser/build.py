#!/usr/bin/env python3
"""Build the page that runs the package in the browser: python browser/build.py DIR [--pyodide FOLDER].

The folder holds everything: the page, Pyodide from its npm package, and the package as a zip file. It is served by any
web server (python -m http.server --directory DIR), and sends nothing.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
PAGE = ("index.html", "page.js", "worker.js")
PYODIDE = (
    "pyodide.mjs",
    "pyodide.asm.mjs",
    "pyodide.asm.js",
    "pyodide.asm.wasm",
    "python_stdlib.zip",
    "pyodide-lock.json",
)


def build(out: Path, pyodide: Path) -> None:
    """Lay the page, Pyodide and the package into a folder."""
    (out / "pyodide").mkdir(parents=True, exist_ok=True)
    for name in PAGE:
        shutil.copyfile(HERE / name, out / name)
    for name in PYODIDE:
        if (pyodide / name).exists():
            shutil.copyfile(pyodide / name, out / "pyodide" / name)
    with zipfile.ZipFile(out / "refclass.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        for file in sorted((HERE.parent / "refclass").rglob("*")):
            if file.suffix in (".py", ".csv", ".md"):
                archive.write(file, file.relative_to(HERE.parent))


def fetched(folder: Path) -> Path:
    """Return the folder of Pyodide, fetched by npm."""
    subprocess.run(["npm", "install", "--silent", "--prefix", str(folder), "pyodide"], check=True)
    return folder / "node_modules" / "pyodide"


def main() -> int:
    """Build into the folder that is named."""
    asked = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    asked.add_argument("out", type=Path, metavar="DIR")
    asked.add_argument("--pyodide", type=Path, metavar="FOLDER", help="of the npm package (default: npm fetches it)")
    options = asked.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        build(options.out, options.pyodide or fetched(Path(folder)))
    size = sum(file.stat().st_size for file in options.out.rglob("*") if file.is_file())
    print(f"{options.out}: {size / 1e6:.1f} MB; python -m http.server --directory {options.out}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
