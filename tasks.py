#!/usr/bin/env python3
"""The project's tasks, by name: python tasks.py TASK [ARGUMENT ...]; without a task it lists them.

Each task runs what a developer would type and prints the command first. They need the environment of the README's
second command (`.venv`) with the packages of the extra `dev`; `peers` and `interpreters` make their own.
"""

from __future__ import annotations

import os
import runpy
import shutil
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Callable

ROOT = Path(__file__).resolve().parent
PYTHON = sys.executable
PEERS = ("scikit-learn>=1.6", "pandas", "matplotlib", "dask", "distributed", "setuptools")
VERSIONS = {f"3.{minor}" for minor in range(9, 15)}
TASKS: dict[str, Callable[..., int]] = {}


def task(function: Callable[..., int]) -> Callable[..., int]:
    """Register a task under its name."""
    TASKS[function.__name__] = function
    return function


def run(*command: str, **options: object) -> int:
    """Print and run a command from the project's root; return its exit status."""
    print("$", " ".join(command), flush=True)
    return subprocess.run(command, cwd=ROOT, check=False, **options).returncode  # type: ignore[call-overload, no-any-return]


@task
def quick() -> int:
    """Run the quick tests: within a minute on two cores."""
    return run(PYTHON, "-m", "pytest", "-q", "-n", "auto", "-m", "not slow")


@task
def test(*arguments: str) -> int:
    """Run the default tests, or those of the arguments: within three minutes on two cores."""
    return run(PYTHON, "-m", "pytest", "-q", "-n", "auto", *arguments)


@task
def long() -> int:
    """Run the tests that the default run leaves out for its time, within minutes."""
    return run(PYTHON, "-m", "pytest", "-q", "-n", "auto", "-m", "long and not thorough")


@task
def thorough() -> int:
    """Run everything at its full size: the hunt for false answers tries 5,000 fits, a law 500 examples."""
    environment = {**os.environ, "REFCLASS_HUNT": "5000"}
    options = ("-q", "-n", "auto", "-m", "", "--hypothesis-profile=thorough")
    return run(PYTHON, "-m", "pytest", *options, env=environment)


@task
def module(path: str) -> int:
    """Run the tests and the examples of one module: python tasks.py module refclass/kernels/gaussian.py."""
    inner = Path(path).with_suffix("").parts
    inner = inner[1:] if inner[0] == "refclass" else inner
    tests = ROOT.joinpath("tests", *inner[:-1], f"test_{inner[-1]}.py")
    found = [str(tests)] if tests.exists() else []
    return run(PYTHON, "-m", "pytest", "-q", *found, str(ROOT.joinpath("refclass", *inner).with_suffix(".py")))


@task
def lint() -> int:
    """Check style, format and types."""
    commands = (("ruff", "check", "."), ("ruff", "format", "--check", "."), ("mypy",))
    return max(run(PYTHON, "-m", *command) for command in commands)


@task
def trace() -> int:
    """Write spec/trace.md and the status lines of spec/errata.md anew."""
    return run(PYTHON, "-m", "refclass", "trace", "--write")


@task
def peers() -> int:
    """Run the tests that need other programs, in an environment of their own."""
    with tempfile.TemporaryDirectory() as folder:
        python = _environment(PYTHON, folder, "pytest>=7", "hypothesis>=6.80", *PEERS)
        if python is None:
            return 1
        found = [
            p for p in sorted((ROOT / "tests").rglob("test_*.py")) if "importorskip" in p.read_text(encoding="utf-8")
        ]
        return run(python, "-m", "pytest", "-q", "-m", "not thorough", *map(str, found))


@task
def pyz(out: str = "refclass.pyz") -> int:
    """Write the package as one file that any Python runs: python refclass.pyz fit ..."""
    with tempfile.TemporaryDirectory() as folder:
        without = shutil.ignore_patterns("__pycache__", "spec")
        shutil.copytree(ROOT / "refclass", Path(folder) / "refclass", ignore=without)
        runpy.run_path(str(ROOT / "setup.py"))["lay"](folder)
        arguments = ("-p", "/usr/bin/env python3", "-m", "refclass.__main__:run", "-c", "-o", out)
        return run(PYTHON, "-m", "zipapp", folder, *arguments)


@task
def docs(out: str = "build/site") -> int:
    """Build the documentation site from docstrings and specification, with Sphinx in an environment of its own."""
    with tempfile.TemporaryDirectory() as folder:
        python = _environment(PYTHON, folder, "sphinx>=7.3", "myst-parser>=3")
        return 1 if python is None else run(python, "docs/build.py", out)


@task
def node() -> int:
    """Run the tests that need a package of npm: exported files on MicroPython."""
    with tempfile.TemporaryDirectory() as folder:
        package = "@micropython/micropython-webassembly-pyscript"
        if run("npm", "install", "--silent", "--prefix", folder, package):
            return 1
        environment = {**os.environ, "REFCLASS_NODE_MODULES": str(Path(folder) / "node_modules")}
        return run(PYTHON, "-m", "pytest", "-q", "tests/report/test_export_micropython.py", env=environment)


@task
def browser(out: str = "build/browser") -> int:
    """Build the page that runs the package in the browser (npm fetches Pyodide), and try it in Chromium, if there."""
    status = run(PYTHON, "browser/build.py", out)
    tried = status == 0 and shutil.which("node") and (shutil.which("chromium") or os.environ.get("CHROMIUM"))
    return run("node", "--experimental-websocket", "browser/try.mjs", out) if tried else status


@task
def interpreters(minutes: str = "30") -> int:
    """Run the quick tests on every other Python found, CPython 3.9 to 3.14 and PyPy, as far as the minutes reach.

    On CPython products of sequences of different lengths, which end with the shorter, are refused (`tests.strict`).
    """
    end = time.monotonic() + 60 * float(minutes)
    longest_first = sorted(_others(), key=lambda found: not found[0].startswith("pypy"))
    with ThreadPoolExecutor(2) as pool:
        return max(pool.map(lambda found: _quick_on(found, end), longest_first), default=0)


def _others() -> list[tuple[str, str]]:
    """Return name and path of every other interpreter found, one a version."""
    places = [*Path.home().glob(".pyenv/versions/*/bin/python"), *Path("/usr/bin").glob("python3.[0-9]*")]
    places += [
        *Path("/usr/local/bin").glob("python3.[0-9]*"),
        *Path("/usr/bin").glob("pypy3"),
        *Path("/usr/local/bin").glob("pypy3"),
    ]
    code = "import sys; print(sys.implementation.name, '%d.%d' % sys.version_info[:2])"
    own = f"{sys.implementation.name} {sys.version_info[0]}.{sys.version_info[1]}"
    found: dict[str, str] = {}
    for place in places:
        if not place.name.endswith("-config"):
            said = subprocess.run([str(place), "-c", code], capture_output=True, text=True, check=False)
            name = said.stdout.strip()
            if said.returncode == 0 and name != own and name.split()[-1] in VERSIONS:
                found.setdefault(name, str(place))
    return sorted(found.items())


def _quick_on(found: tuple[str, str], end: float) -> int:
    name, place = found
    left = end - time.monotonic()
    if left < 60:
        print(f"== {name}: no time left for it", flush=True)
        return 0
    with tempfile.TemporaryDirectory() as folder:
        python = _environment(place, folder, "pytest>=7", "hypothesis>=6.80")
        if python is None:
            print(f"== {name}: no environment can be made, left out", flush=True)
            return 0
        command = [python, "-m", "pytest", "-q", "-m", "not slow"]
        strict = {} if name.startswith("pypy") else {"REFCLASS_STRICT": "1"}
        options = {"cwd": ROOT, "env": {**os.environ, **strict}, "capture_output": True, "text": True}
        try:
            done = subprocess.run(command, timeout=left, check=False, **options)
        except subprocess.TimeoutExpired:
            print(f"== {name}: stopped, the time was up", flush=True)
            return 0
    print(f"== quick tests on {name}", *done.stdout.splitlines()[-25:], sep="\n", flush=True)
    return done.returncode


def _environment(python: str, folder: str, *packages: str) -> str | None:
    """Make an environment with the packages; return its interpreter, or None where that fails."""
    inner = str(Path(folder) / "bin" / "python")
    made = subprocess.run([python, "-m", "venv", folder], capture_output=True, check=False)
    if made.returncode:
        return None
    pip = [inner, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *packages]
    return None if subprocess.run(pip, check=False, capture_output=True).returncode else inner


def main() -> int:
    """Run the task that is named, or list the tasks."""
    name, *arguments = sys.argv[1:] or ["help"]
    if name not in TASKS:
        for known, function in TASKS.items():
            print(f"{known:<13} {(function.__doc__ or '').splitlines()[0]}")
        return 0 if name == "help" else 2
    return TASKS[name](*arguments)


if __name__ == "__main__":
    sys.exit(main())
