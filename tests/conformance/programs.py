"""The programs that are asked, how they are started, and a conversation with one of them.

A program that is not installed is left out. The interpreter with the Python packages is REFCLASS_PEERS; NODE_PATH names
the folder of the JavaScript packages; REFCLASS_DLIB the program that candidates/dlib.cpp compiles to; REFCLASS_OPENCV a
folder with OpenCV 4, where the interpreter has version 5, which has no module ml.
"""

from __future__ import annotations

import json
import os
import selectors
import shutil
import subprocess
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Optional

HERE = Path(__file__).resolve().parent / "candidates"
ROOT = HERE.parents[2]
PEERS = os.environ.get("REFCLASS_PEERS", "python3")
WARM = json.dumps({"method": "none", "x": [[0.0]], "y": [0.0]})
SECONDS = 3  # of processor time that an answer may take: all questions have less than a hundred rows
STARTING = 180  # seconds of the clock that a start may take
TICKS = os.sysconf("SC_CLK_TCK")


@dataclass(frozen=True)
class Program:
    """A program with its options.

    name      as the page names it
    command   that starts it
    package   where its version is found: the name of a Python, R, JavaScript or Debian package
    kind      of that: python, module (of Python, which is asked itself), R, javascript, debian
    """

    name: str
    command: tuple[str, ...]
    package: str
    kind: str = "python"


def _python(name: str, package: str, program: str, *options: str) -> Program:
    return Program(name, (PEERS, str(HERE / "python.py"), program, *options), package)


def _quadratic(solver: str) -> Program:
    package = "proxsuite" if solver == "proxqp" else solver
    return _python(f"{solver} (dual)", package, "quadratic", f"solver={solver}")


def _r(name: str, package: str, program: str) -> Program:
    return Program(name, ("Rscript", str(HERE / "programs.R"), program), package, "R")


def _node(name: str) -> Program:
    return Program(name, ("node", str(HERE / "javascript.js"), name), name, "javascript")


QUADRATIC = ("cvxopt", "quadprog", "piqp", "proxqp", "daqp", "clarabel", "osqp")
PROGRAMS = (
    _python("scikit-learn", "scikit-learn", "scikit-learn"),
    _python("scikit-learn, tol=1e-10", "scikit-learn", "scikit-learn", "tol=1e-10"),
    _python("scikit-learn, lsqr", "scikit-learn", "scikit-learn", "solver=lsqr"),
    _python("scikit-learn, eigen", "scikit-learn", "scikit-learn", "solver=eigen"),
    _python("scikit-learn, saga", "scikit-learn", "scikit-learn", "solver=saga"),
    _python("scikit-learn, newton-cholesky", "scikit-learn", "scikit-learn", "solver=newton-cholesky"),
    _python("scikit-learn, cholesky", "scikit-learn", "scikit-learn", "solver=cholesky"),
    _python("scikit-learn's LinearSVC", "scikit-learn", "LinearSVC"),
    _python("scikit-learn's LinearSVC, tol=1e-10", "scikit-learn", "LinearSVC", "tol=1e-10", "max_iter=1000000"),
    _python("scikit-learn's LinearSVC, dual=False", "scikit-learn", "LinearSVC", "dual=False", "tol=1e-10"),
    _python("scikit-learn-intelex", "scikit-learn-intelex", "scikit-learn", "extension=1"),
    _python("LIBSVM", "libsvm-official", "libsvm"),
    _python("LIBSVM, -e 1e-10", "libsvm-official", "libsvm", "tol=1e-10"),
    _python("LIBLINEAR, -s 1", "liblinear-official", "liblinear", "solver=1", "tol=1e-10"),
    _python("LIBLINEAR, -s 2", "liblinear-official", "liblinear", "solver=2", "tol=1e-10"),
    _python("LIBLINEAR, -s 3", "liblinear-official", "liblinear", "solver=3", "tol=1e-10"),
    _python("LIBLINEAR, -s 4", "liblinear-official", "liblinear", "solver=4", "tol=1e-10"),
    Program("OpenCV ml", (PEERS, str(HERE / "python.py"), "opencv"), "cv2", "module"),
    _python("mlpack", "mlpack", "mlpack"),
    *(_quadratic(solver) for solver in QUADRATIC),
    Program(
        "dlib",
        (PEERS, str(HERE / "dlib.py"), os.environ.get("REFCLASS_DLIB", "dlib_candidate"), "1e-8"),
        "libdlib-dev",
        "debian",
    ),
    _r("MASS lda", "MASS", "lda"),
    _r("MASS qda", "MASS", "qda"),
    _r("e1071 svm", "e1071", "svm"),
    _r("kernlab ksvm", "kernlab", "ksvm"),
    _r("mda fda", "mda", "fda"),
    _r("mda bruto", "mda", "bruto"),
    _r("mda mars", "mda", "mars"),
    _r("earth", "earth", "earth"),
    _node("svm"),
    _node("ml-svm"),
)


def version(program: Program) -> str:
    """Return a program's version; empty if it is not installed."""
    commands = {
        "python": (PEERS, "-c", f"from importlib.metadata import version; print(version({program.package!r}))"),
        "module": (PEERS, "-c", f"import {program.package} as p; print(p.__version__)"),
        "R": ("Rscript", "-e", f"cat(as.character(packageVersion({program.package!r})))"),
        "javascript": ("node", "-p", f"require('{program.package}/package.json').version"),
        "debian": ("dpkg-query", "-W", "-f", "${Version}", program.package),
    }
    command = commands[program.kind]
    if shutil.which(command[0]) is None or shutil.which(program.command[0]) is None:
        return ""
    ran = subprocess.run(command, capture_output=True, encoding="utf-8", check=False, env=_environment())
    return ran.stdout.strip() if ran.returncode == 0 else ""


def _environment() -> dict[str, str]:
    """Return the variables that a program runs with: the package beside it, and one thread."""
    path = os.pathsep.join(p for p in (os.environ.get("REFCLASS_OPENCV"), str(ROOT)) if p)
    return {**os.environ, "PYTHONPATH": path, "OMP_NUM_THREADS": "1"}


class Conversation:
    """A program that is started once, and again where it did not return: a problem a line in, an answer a line out.

    seconds    of processor time that an answer may take; of the clock twenty times as many
    """

    def __init__(self, program: Program, seconds: float = SECONDS) -> None:
        self.command, self.seconds = program.command, seconds
        self.process: Any = None

    def ask(self, text: str) -> tuple[Optional[str], str]:
        """Return the answer, or None and why there is none."""
        for _ in range(2):
            if self.process is None and not self._started():
                return None, "it does not start"
            line = self._line(text, self.seconds, 20 * self.seconds)
            if line:
                return line, ""
            ended = self.process.poll() is not None
            self.stop()
            if not ended:
                return None, f"no answer within {self.seconds:g} s of processor time"
        return None, "it ends without an answer"

    def _started(self) -> bool:
        self.process = subprocess.Popen(
            self.command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            encoding="utf-8",
            env=_environment(),
        )
        if self._line(WARM, STARTING, STARTING):
            return True
        self.stop()
        return False

    def _line(self, text: str, seconds: float, clock: float) -> str:
        before, started = self._spent(), time.monotonic()
        try:
            self.process.stdin.write(text + "\n")
            self.process.stdin.flush()
        except BrokenPipeError:
            return ""
        with selectors.DefaultSelector() as ready:
            ready.register(self.process.stdout, selectors.EVENT_READ)
            while self._spent() - before < seconds and time.monotonic() - started < clock:
                if ready.select(0.2):
                    return str(self.process.stdout.readline())
        return ""

    def _spent(self) -> float:
        """Return the processor time of the process and of its children's."""
        pids, total = [str(self.process.pid)], 0
        for pid in pids:
            try:
                fields = Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
                pids += Path(f"/proc/{pid}/task/{pid}/children").read_text(encoding="ascii").split()
            except OSError:
                continue
            total += int(fields[11]) + int(fields[12])
        return total / TICKS

    def stop(self) -> None:
        """End the process."""
        if self.process is not None:
            self.process.kill()
            self.process.wait()
            self.process.stdin, self.process.stdout = None, None
        self.process = None
